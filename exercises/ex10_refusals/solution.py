"""Exercise 10: predict five refusals."""

from rpclab.course import numbers

N = numbers("ex10_refusals")

# Two questions are enough. Is it JSON? Line 4 is not: -32700, and nobody can read an id
# in it. The others are JSON and no call: -32600. Can the id be read? In lines 1 and 5 it
# can. Line 2 has none, and is too broken to be a notification; an array is not an id.
refusals: list = [
    (-32600, N["id"]),
    (-32600, None),
    (-32600, None),
    (-32700, None),
    (-32600, str(N["other"])),
]
