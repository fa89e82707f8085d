"""The course in a real browser."""
