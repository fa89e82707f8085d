"""Exercise 20: predict the replies to five arrays."""

# TODO: in place of each ... the reply to that line, as text, or None for silence.
replies: list = [
    ...,  # line 1
    ...,  # line 2
    ...,  # line 3
    ...,  # line 4
    ...,  # line 5
]
