"""The demo server's methods: what the course, the lab and the tests call.

The names must not change: the conformance lab calls them on every server.
"""

import time
from collections import deque
from typing import Final

from rpclab.errors import InvalidParams
from rpclab.framing import Framing
from rpclab.messages import Handler, Json, Params
from rpclab.methods import Methods
from rpclab.server import serve
from rpclab.transport import FramedTransport, claim_stdio, write_notification

_MOST_SECONDS: Final = 60
_MOST_STEPS: Final = 1000
_MOST_NUMBERS: Final = 1000


def serve_demo(framing: Framing) -> None:
    """Serve the demo methods on stdin and stdout, until stdin ends or nobody reads stdout."""
    reader, writer = claim_stdio()
    with reader, writer:
        transport = FramedTransport(reader, writer, framing)
        serve(demo_handler(transport), transport)


def demo_handler(transport: FramedTransport) -> Handler:
    """Return the demo server's handler.

    Its method ``slow`` sends progress through ``transport``.

    >>> import io
    >>> from rpclab.transport import StdioTransport
    >>> handler = demo_handler(StdioTransport(io.BytesIO(), io.BytesIO()))
    >>> handler("subtract", [42, 23])
    19
    """
    methods = Methods()
    for function in (subtract, add, get_data, boom, typeerr, keyerr, badresult):
        methods.add(function)
    methods.add(total, "sum")
    for name in ("update", "notify_hello", "notify_sum"):
        methods.add(ignore, name)
    memory = Memory()
    methods.add(memory.remember)
    methods.add(memory.recall)

    @methods.add
    def slow(seconds: Json = 0.3, steps: Json = 2, _meta: Json = None) -> Json:
        """Wait for some seconds, and send progress after each step."""
        check_numbers(seconds, steps)
        if not (0 <= seconds <= _MOST_SECONDS and steps in range(1, _MOST_STEPS + 1)):
            raise InvalidParams(
                f"slow takes 0 to {_MOST_SECONDS} seconds and 1 to {_MOST_STEPS} whole steps"
            )
        token = _meta.get("progressToken") if isinstance(_meta, dict) else None
        with_token = {} if token is None else {"progressToken": token}
        for done in range(1, int(steps) + 1):
            time.sleep(seconds / steps)
            write_notification(transport, "progress", {"done": done, "total": steps} | with_token)
        return {"steps": steps}

    def handler(method: str, params: Params) -> Json:
        # A handler is any function. This one returns echo's params as they came;
        # a method table would unpack them into arguments.
        if method == "echo":
            return [] if params is None else params
        return methods(method, params)

    return handler


class Memory:
    """The numbers that ``remember`` was told, until ``recall`` asks for them.

    They are in the order in which they were kept, which is how the conformance lab
    sees whether one notification overtakes another.
    """

    def __init__(self) -> None:
        self._numbers: deque[Json] = deque(maxlen=_MOST_NUMBERS)

    def remember(self, value: Json = None, seconds: Json = 0) -> None:
        """Wait for some seconds, then keep a number, if there is one."""
        check_numbers(seconds, *([] if value is None else [value]))
        if not 0 <= seconds <= _MOST_SECONDS:
            raise InvalidParams(f"remember takes 0 to {_MOST_SECONDS} seconds")
        time.sleep(seconds)
        if value is not None:
            self._numbers.append(value)

    def recall(self) -> Json:
        """Return the numbers that were kept, the oldest first, and forget them."""
        numbers = [*self._numbers]
        self._numbers.clear()
        return numbers


def check_numbers(*values: Json) -> None:
    """Refuse params that are not all numbers. JSON's true is not a number."""
    if not all(type(value) in (int, float) for value in values):
        raise InvalidParams("every param must be a number")


def subtract(minuend: Json, subtrahend: Json) -> Json:
    """Return the difference of two numbers."""
    check_numbers(minuend, subtrahend)
    return minuend - subtrahend


def add(first: Json, second: Json) -> Json:
    """Return the sum of two numbers."""
    check_numbers(first, second)
    return first + second


def total(*numbers: Json) -> Json:
    """Return the sum of any number of numbers."""
    check_numbers(*numbers)
    return sum(numbers)


def get_data() -> Json:
    """Return an array of two types, as in the specification's examples."""
    return ["hello", 5]


def boom() -> Json:
    """Fail with a ValueError."""
    raise ValueError("boom")


def typeerr() -> Json:
    """Fail with a TypeError inside the method: the params were valid."""
    return len(5)  # type: ignore[arg-type]


def keyerr() -> Json:
    """Fail with a KeyError inside the method: the method exists."""
    empty: dict[str, Json] = {}
    return empty["key"]


def badresult() -> Json:
    """Return a result that JSON cannot hold."""
    return {1, 2, 3}


def ignore(*_: Json, **__: Json) -> None:
    """Accept any params and do nothing: for notifications."""
