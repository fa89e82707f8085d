"""Spans for OpenTelemetry, where it is installed and set up; else nothing.

Without it a trace is passed on all the same: ``meta`` does that alone.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rpclab.peer.meta import Trace, next_trace, read_traceparent, set_trace, traceparent

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer


def find_tracer() -> "Tracer | None":
    """Give a tracer, or None where nobody has set up OpenTelemetry."""
    try:
        from opentelemetry import trace as api  # noqa: PLC0415  it may not be there
    except ImportError:
        return None
    if isinstance(api.get_tracer_provider(), api.ProxyTracerProvider):
        return None
    return api.get_tracer("rpclab")


def _start(tracer: "Tracer", kind: str, method: str, parent: Trace | None) -> "tuple[Span, Trace]":
    from opentelemetry import trace as api  # noqa: PLC0415  found before

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


def start_call(tracer: "Tracer | None", calls: Sequence[Any]) -> "tuple[Span | None, Trace | None]":
    """Begin the caller's span, and give the trace that the calls must carry."""
    if tracer is None:
        return None, next_trace()
    from opentelemetry import trace as api  # noqa: PLC0415  found before

    inside = api.get_current_span().get_span_context().is_valid
    method = calls[0][0] if len(calls) == 1 else "batch"
    return _start(tracer, "CLIENT", method, None if inside else read_traceparent(traceparent()))


def start_handler(tracer: "Tracer | None", method: str, parent: Trace | None) -> "Span | None":
    """Begin the handler's span and make it, or the trace, this context's own."""
    set_trace(parent)
    if tracer is None:
        return None
    from opentelemetry.context import attach  # noqa: PLC0415  found before
    from opentelemetry.trace import set_span_in_context  # noqa: PLC0415

    span, made = _start(tracer, "SERVER", method, parent)
    set_trace(made)
    attach(set_span_in_context(span))
    return span


def end_span(span: "Span | None") -> None:
    """End a span, if there is one."""
    if span is not None:
        span.end()
