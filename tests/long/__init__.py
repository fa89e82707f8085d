"""Tests that take long: the real command, the real registry."""
