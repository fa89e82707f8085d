"""Exercise 11: find the line with the id that slips through."""

# TODO: the line, as text or bytes, without its newline.
line: str | bytes = ""
