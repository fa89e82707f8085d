"""Exercise 30: find the clause that decides."""

# TODO: in place of each ... the id of a clause that the line breaks.
ids: list = [
    ...,  # line 1
    ...,  # line 2
    ...,  # line 3
    ...,  # line 4
    ...,  # line 5
]
