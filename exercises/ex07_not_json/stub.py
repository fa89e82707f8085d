"""Exercise 7: find the line that is not JSON for anybody but Python."""

# TODO: the line, as text or bytes, without its newline.
line: str | bytes = ""
