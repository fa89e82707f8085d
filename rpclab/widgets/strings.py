"""Every sentence that a widget says, in one place to be translated."""

from typing import Final

LINE: Final = "Line"
LINE_HINT: Final = "type a line of JSON and press Enter"
SEND: Final = "Send"
CLEAR: Final = "Clear"
GALLERY: Final = "Gallery"
GALLERY_HINT: Final = "pick a line, good or broken"
TO_SERVER: Final = "to the server"
FROM_SERVER: Final = "from the server"
SERVER_LOG: Final = "server's log"
TRANSCRIPT: Final = "Transcript, newest last"
NOTHING_YET: Final = "Nothing was sent yet. Type a line, or pick one from the gallery."
CUT: Final = "… and {more} characters more"
EARLIER: Final = "{count} earlier lines are not shown"
WIDGET_TWIN: Final = "{name}: run this cell in JupyterLab to use it"
WENT_WRONG: Final = "The widget failed ({error}). Run the cell again."

GUESS: Final = "Your prediction"
RIGHT: Final = "Right."
NOT_QUITE: Final = "Not quite."
NOT_CHOSEN: Final = "Choose an answer, then run the next cell."

TREE_TITLE: Final = "Decision tree of the four shapes"
TREE_PATH: Final = "Path: {path}"
TREE_YES: Final = "yes"
TREE_NO: Final = "no"
TREE_NOT_OBJECT: Final = "This is no JSON object, so there is no tree to walk."
TREE_BATCH: Final = "This is a batch: walk the tree once for each of its members."

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
