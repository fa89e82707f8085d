"""Lines to try, good and broken, and the list that a learner picks one from."""

from typing import Final

import ipywidgets as w

GALLERY_LINES: Final = (
    ("a request", '{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}'),
    (
        "a request, params by name",
        '{"jsonrpc":"2.0","method":"subtract","params":{"subtrahend":23,"minuend":42},"id":2}',
    ),
    ("a notification", '{"jsonrpc":"2.0","method":"update","params":[1,2,3]}'),
    ("a request with progress", '{"jsonrpc":"2.0","method":"slow","id":3}'),
    (
        "a batch",
        '[{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":"a"},'
        '{"jsonrpc":"2.0","method":"update"}]',
    ),
    ("broken: not JSON", '{"jsonrpc":"2.0","method":"subtract","params":[42,23'),
    ("broken: single quotes", "{'jsonrpc':'2.0','method':'get_data','id':4}"),
    ("broken: no version", '{"method":"get_data","id":5}'),
    ("broken: method is a number", '{"jsonrpc":"2.0","method":1,"id":6}'),
    ("broken: params is a string", '{"jsonrpc":"2.0","method":"echo","params":"hi","id":7}'),
    ("broken: id is an array", '{"jsonrpc":"2.0","method":"get_data","id":[8]}'),
    ("broken: empty batch", "[]"),
    ("unknown method", '{"jsonrpc":"2.0","method":"foobar","id":9}'),
    ("wrong params", '{"jsonrpc":"2.0","method":"add","params":["one",2],"id":10}'),
    ("a method that fails", '{"jsonrpc":"2.0","method":"boom","id":11}'),
    ("a failing notification", '{"jsonrpc":"2.0","method":"boom"}'),
    ("a response", '{"jsonrpc":"2.0","result":19,"id":1}'),
)


def make_gallery(**options: object) -> w.Dropdown:
    """Return a list of the lines. Its value is the line that was picked, or ""."""
    return w.Dropdown(
        options=[("pick a line, good or broken", ""), *GALLERY_LINES],
        description="Gallery",
        **options,
    )
