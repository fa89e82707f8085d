"""What travels with a call and is not for its method: ``_meta``.

Two things do: a progress token, and a trace id, which stays the same through
every program that forwards the call. ``_meta`` is a member of params, or of
the call itself if params are an array. If OpenTelemetry is installed and set
up, each call also gets a span on both sides; without it only the trace id is
passed on. Source: W3C Trace Context, sections 3.2 and 3.3.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rpclab.messages import META, Call, Json, Params
from rpclab.rendering import render

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

TRACEPARENT: Final = (META, "traceparent")
"""The path to a trace id in params, member by member."""

_FORM: Final = re.compile(r"([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?", re.ASCII)


def find(params: Json, path: tuple[str, ...]) -> Json:
    """Follow a path of names into params, or return None if it breaks off.

    >>> find({"_meta": {"progressToken": 7}}, ("_meta", "progressToken"))
    7
    """
    for name in path:
        params = params.get(name) if isinstance(params, dict) else None
    return params


def put(params: Params, path: tuple[str, ...], value: Json) -> dict[str, Json]:
    """Return a copy of params with one more value at the end of a path.

    >>> put({"n": 1}, ("_meta", "progressToken"), 7)
    {'n': 1, '_meta': {'progressToken': 7}}

    Raises:
        ValueError: something on the path is there and is not an object.
    """
    if not isinstance(params, dict | None):
        raise ValueError(f"{path[0]} needs an object to be put into, or no value at all")
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
    """Read a ``traceparent``, or return None if it is malformed.

    >>> read_traceparent("00-" + "a" * 32 + "-" + "b" * 16 + "-01").parent
    'bbbbbbbbbbbbbbbb'
    >>> read_traceparent("00-" + "0" * 32 + "-" + "b" * 16 + "-01")
    """
    match = _FORM.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return None
    version, id, parent, flags, more = match.groups()
    # A later version may add more at the end. All zeros mean that there is no trace.
    if version == "ff" or (version == "00" and more) or not (id.strip("0") and parent.strip("0")):
        return None
    return Trace(id, parent, f"{int(flags, 16) & 3:02x}")  # only these two bits have a meaning


_current: ContextVar[Trace | None] = ContextVar("trace", default=None)


def traceparent() -> str | None:
    """Return the ``traceparent`` of the call that is being handled, if it has one."""
    current = _current.get()
    return None if current is None else str(current)


def set_trace(current: Trace | None) -> None:
    """Make every call from this context belong to a trace."""
    _current.set(current)


@contextmanager
def traced() -> Iterator[str]:
    """Begin a trace: every call in the block belongs to it.

    >>> with traced() as text:
    ...     traceparent() == text
    True
    """
    token = _current.set(Trace(_random_hex(128), _random_hex(64)))
    try:
        yield str(_current.get())
    finally:
        _current.reset(token)


def next_trace() -> Trace | None:
    """Return what a call made now must carry: the same trace, a new parent."""
    current = _current.get()
    return None if current is None else current._replace(parent=_random_hex(64))


def _random_hex(bits: int) -> str:
    from random import getrandbits  # noqa: PLC0415  paid for only with traces

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
        return render(call)  # a _meta that is not an object stays as it is
    return render(call._replace(params=put(call.params, TRACEPARENT, str(current))))


def find_tracer() -> "Tracer | None":
    """Return a tracer, or None if OpenTelemetry is not set up."""
    try:
        from opentelemetry import trace as api  # noqa: PLC0415  it may not be installed
    except ImportError:
        return None
    if isinstance(api.get_tracer_provider(), api.ProxyTracerProvider):
        return None
    return api.get_tracer("rpclab")


def _start_span(
    tracer: "Tracer", kind: str, method: str, parent: Trace | None
) -> "tuple[Span, Trace]":
    from opentelemetry import trace as api  # noqa: PLC0415  it is installed: find_tracer found it

    context = None
    if parent:
        ids = int(parent.id, 16), int(parent.parent, 16)
        flags = api.TraceFlags(int(parent.flags, 16))
        remote = api.NonRecordingSpan(api.SpanContext(*ids, is_remote=True, trace_flags=flags))
        context = api.set_span_in_context(remote)
    about = {"rpc.system": "jsonrpc", "rpc.method": method}
    span = tracer.start_span(method, context, api.SpanKind[kind], about)
    made = span.get_span_context()
    return span, Trace(f"{made.trace_id:032x}", f"{made.span_id:016x}", f"{made.trace_flags:02x}")


def start_call_span(
    tracer: "Tracer | None", calls: Sequence[Any]
) -> "tuple[Span | None, Trace | None]":
    """Start the caller's span, and return it with the trace that the calls must carry."""
    if tracer is None:
        return None, next_trace()
    from opentelemetry import trace as api  # noqa: PLC0415  it is installed: find_tracer found it

    inside = api.get_current_span().get_span_context().is_valid
    method = calls[0][0] if len(calls) == 1 else "batch"
    return _start_span(
        tracer, "CLIENT", method, None if inside else read_traceparent(traceparent())
    )


def start_handler_span(tracer: "Tracer | None", method: str, parent: Trace | None) -> "Span | None":
    """Start the handler's span, and make the trace this context's own."""
    set_trace(parent)
    if tracer is None:
        return None
    from opentelemetry.context import attach  # noqa: PLC0415  it is installed: find_tracer found it
    from opentelemetry.trace import set_span_in_context  # noqa: PLC0415

    span, made = _start_span(tracer, "SERVER", method, parent)
    set_trace(made)
    attach(set_span_in_context(span))
    return span


def end_span(span: "Span | None") -> None:
    """End a span, if there is one."""
    if span is not None:
        span.end()
