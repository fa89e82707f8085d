"""Exercise 26: predict what comes of a cancel."""

# TODO: in place of each ... a pair: what the caller got, and how the server answered.
outcomes: list = [
    ...,  # line 1
    ...,  # line 2
    ...,  # line 3
    ...,  # line 4
    ...,  # line 5
]
