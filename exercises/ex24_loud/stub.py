"""Exercise 24: find the line that makes it speak."""

# TODO: the line, as text or bytes, without its newline.
line: str | bytes = ""
