"""Clients with one defect each. Each is a program, and is read by itself."""
