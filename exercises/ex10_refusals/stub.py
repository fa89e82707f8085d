"""Exercise 10: predict five refusals."""

# TODO: in place of each ... a pair of the error's code and the response's id.
refusals: list = [
    ...,  # line 1
    ...,  # line 2
    ...,  # line 3
    ...,  # line 4
    ...,  # line 5
]
