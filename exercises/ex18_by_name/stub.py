"""Exercise 18: find the line whose names are not read."""

# TODO: the line, as text or bytes, without its newline.
line: str | bytes = ""
