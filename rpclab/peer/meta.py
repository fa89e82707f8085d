"""What travels with a call and is not for its method: ``_meta``.

Two things do: a progress token, and a trace id, which stays the same through
every program that forwards the call. ``_meta`` stands inside params, or
beside the four members where params are an array. Source: W3C Trace Context,
sections 3.2 and 3.3.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, NamedTuple

from rpclab.messages import Call, Json, Params
from rpclab.rendering import render

META: Final = "_meta"
TRACEPARENT: Final = (META, "traceparent")
"""The way to a trace id, member by member."""

_FORM: Final = re.compile(r"([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?", re.ASCII)


def find(params: Json, path: tuple[str, ...]) -> Json:
    """Follow a path of names into params, and give None where it ends.

    >>> find({"_meta": {"progressToken": 7}}, ("_meta", "progressToken"))
    7
    """
    for name in path:
        params = params.get(name) if isinstance(params, dict) else None
    return params


def put(params: Params, path: tuple[str, ...], value: Json) -> dict[str, Json]:
    """Give a copy of params with one more value at the end of a path.

    >>> put({"n": 1}, ("_meta", "progressToken"), 7)
    {'n': 1, '_meta': {'progressToken': 7}}

    Raises:
        ValueError: something on the path is there and is no object.
    """
    if not isinstance(params, dict | None):
        raise ValueError(f"{path[0]} needs an object to stand in, or nothing in its place")
    name, *rest = path
    inner = params or {}
    return inner | {name: put(inner.get(name), tuple(rest), value) if rest else value}


class Trace(NamedTuple):
    """Which trace a call belongs to, and which span of it made the call."""

    id: str
    parent: str
    flags: str = "01"

    def __str__(self) -> str:
        """Write it as a ``traceparent``."""
        return f"00-{self.id}-{self.parent}-{self.flags}"


def read_traceparent(text: Json) -> Trace | None:
    """Read a ``traceparent``, or give None where it breaks the grammar.

    >>> read_traceparent("00-" + "a" * 32 + "-" + "b" * 16 + "-01").parent
    'bbbbbbbbbbbbbbbb'
    >>> read_traceparent("00-" + "0" * 32 + "-" + "b" * 16 + "-01")
    """
    match = _FORM.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return None
    version, id, parent, flags, more = match.groups()
    # A later version may say more at the end. All zeros say that there is none.
    if version == "ff" or (version == "00" and more) or not (id.strip("0") and parent.strip("0")):
        return None
    return Trace(id, parent, f"{int(flags, 16) & 3:02x}")  # the bits that have a meaning


_current: ContextVar[Trace | None] = ContextVar("trace", default=None)


def traceparent() -> str | None:
    """Give the ``traceparent`` of the call that is being handled, if it has one."""
    current = _current.get()
    return None if current is None else str(current)


def set_trace(current: Trace | None) -> None:
    """Let everything that this context calls belong to a trace."""
    _current.set(current)


@contextmanager
def traced() -> Iterator[str]:
    """Begin a trace: what the block calls belongs to it.

    >>> with traced() as text:
    ...     traceparent() == text
    True
    """
    token = _current.set(Trace(_draw(128), _draw(64)))
    try:
        yield str(_current.get())
    finally:
        _current.reset(token)


def next_trace() -> Trace | None:
    """Give what a call made now must carry: the same trace, a new parent."""
    current = _current.get()
    return None if current is None else current._replace(parent=_draw(64))


def _draw(bits: int) -> str:
    from random import getrandbits  # noqa: PLC0415  only who traces pays for it

    return f"{getrandbits(bits) or 1:0{bits // 4}x}"


def render_traced(call: Call, current: Trace | None) -> str:
    """Write a call that belongs to a trace, or to none.

    Raises:
        TypeError, ValueError, RecursionError: JSON cannot hold its params.
    """
    if current is None:
        return render(call)
    if isinstance(call.params, list):
        return f'{render(call)[:-1]},"{META}":{{"traceparent":"{current}"}}}}'
    if not isinstance(find(call.params, (META,)), Mapping | None):
        return render(call)  # a _meta that is not ours stays as it is
    return render(call._replace(params=put(call.params, TRACEPARENT, str(current))))
