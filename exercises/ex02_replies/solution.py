"""Exercise 2: predict five replies."""

from rpclab.course import numbers

N = numbers("ex02_replies")

# Two questions are enough: does it have a method, and does it have an id? Lines 1, 2
# and 4 are requests, so each gets its own id back: the string as a string, 0 as 0, null
# as null. What a method returns is the result, even if it is null or the sum of nothing. Line 3 is
# a notification and line 5 a response; neither is ever answered.
replies: list = [
    f'{{"jsonrpc":"2.0","result":{N["a"] - N["b"]},"id":"{N["id"]}"}}',
    '{"jsonrpc":"2.0","result":null,"id":0}',
    None,
    '{"jsonrpc":"2.0","result":0,"id":null}',
    None,
]
