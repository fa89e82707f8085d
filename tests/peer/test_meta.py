"""A trace id that survives every program that forwards the call."""

import random
import re
import sys
from contextvars import copy_context

import pytest

from rpclab.demos.virtual_clock import run
from rpclab.messages import Notification, Request
from rpclab.peer.meta import (
    Trace,
    find,
    next_trace,
    put,
    read_traceparent,
    render_traced,
    set_trace,
    traced,
    traceparent,
)
from rpclab.peer.peer import Peer
from rpclab.peer.transports import memory_pair
from tests.peer.virtual import virtual

ID, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
TEXT = f"00-{ID}-{PARENT}-01"
FORM = re.compile(r"00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]")


# The grammar


@pytest.mark.parametrize("text", [TEXT, f"cc-{ID}-{PARENT}-01", f"cc-{ID}-{PARENT}-01-more"])
def test_a_traceparent_is_read_in_this_version_and_in_later_ones(text):
    assert read_traceparent(text) == Trace(ID, PARENT, "01")


@pytest.mark.parametrize(
    "text",
    [
        None,
        7,
        ["00"],
        "",
        TEXT[:-1],
        TEXT + "0",
        TEXT + "-more",
        TEXT + "\n",
        TEXT.upper(),
        TEXT.replace("-", "_"),
        f"ff-{ID}-{PARENT}-01",
        f"0g-{ID}-{PARENT}-01",
        f"cc-{ID}-{PARENT}-01.more",
        f"00-{'0' * 32}-{PARENT}-01",
        f"00-{ID}-{'0' * 16}-01",
        f"00-{ID[:-1]}-{PARENT}-01",
        f"00-{ID[:-1]}٣-{PARENT}-01",
    ],
)
def test_what_breaks_the_grammar_is_no_traceparent(text):
    assert read_traceparent(text) is None


@pytest.mark.parametrize(("flags", "kept"), [("00", "00"), ("01", "01"), ("ff", "03")])
def test_flags_without_a_meaning_are_cleared(flags, kept):
    assert str(read_traceparent(f"00-{ID}-{PARENT}-{flags}")) == f"00-{ID}-{PARENT}-{kept}"


# Where it stands


def test_it_goes_into_params_where_they_are_an_object_or_absent():
    current = Trace(ID, PARENT)
    meta = f'"_meta":{{"traceparent":"{TEXT}"}}'
    assert render_traced(Request("m", {"n": 1}, 7), current) == (
        f'{{"jsonrpc":"2.0","method":"m","params":{{"n":1,{meta}}},"id":7}}'
    )
    assert render_traced(Notification("m", None), current) == (
        f'{{"jsonrpc":"2.0","method":"m","params":{{{meta}}}}}'
    )


def test_it_goes_beside_the_four_where_params_are_an_array():
    assert render_traced(Request("m", [1], 7), Trace(ID, PARENT)) == (
        f'{{"jsonrpc":"2.0","method":"m","params":[1],"id":7,"_meta":{{"traceparent":"{TEXT}"}}}}'
    )


def test_what_stands_in_meta_already_is_kept():
    text = render_traced(Request("m", {"_meta": {"tracestate": "a=1"}}, 7), Trace(ID, PARENT))
    assert f'{{"tracestate":"a=1","traceparent":"{TEXT}"}}' in text


def test_a_meta_that_is_no_object_is_left_alone():
    text = render_traced(Request("m", {"_meta": "mine"}, 7), Trace(ID, PARENT))
    assert text == '{"jsonrpc":"2.0","method":"m","params":{"_meta":"mine"},"id":7}'


def test_params_are_copied_and_not_changed():
    params = {"_meta": {"a": 1}}
    assert put(params, ("_meta", "b"), 2) == {"_meta": {"a": 1, "b": 2}}
    assert params == {"_meta": {"a": 1}}
    assert find([1], ("_meta",)) is None


def test_a_value_cannot_stand_in_an_array():
    with pytest.raises(ValueError, match="workDoneToken needs an object"):
        put([1], ("workDoneToken",), 7)


# How it is passed on


def test_a_call_made_in_a_trace_has_its_id_and_a_new_parent():
    assert next_trace() is None
    with traced() as text:
        assert FORM.fullmatch(text)
        assert traceparent() == text
        made = next_trace()
        assert (made.id, made.flags) == (read_traceparent(text).id, "01")
        assert made.parent != read_traceparent(text).parent
    assert traceparent() is None


def test_a_context_may_belong_to_a_trace_of_its_own():
    context = copy_context()
    context.run(set_trace, Trace(ID, PARENT))
    assert context.run(traceparent) == TEXT
    assert traceparent() is None


@pytest.mark.parametrize("params", [None, {"n": 1}, [1, 2]], ids=["absent", "object", "array"])
@virtual
async def test_a_relay_that_rewrites_ids_keeps_the_trace(params):
    async def relay(method, params):
        seen.append(traceparent())
        return await onward.call(method, params)

    async def last(method, params):
        seen.append(traceparent())
        return "done"

    seen = []
    (near, a), (b, far) = memory_pair(), memory_pair()
    async with Peer(near) as client, Peer(a, relay), Peer(b) as onward, Peer(far, last):
        await onward.call("m")  # so that its ids are not the client's
        seen.clear()
        with traced() as begun:
            assert await client.call("m", params) == "done"
        assert await client.call("m", params) == "done"
    traces = [read_traceparent(text) for text in (begun, *seen[:2])]
    assert len({each.id for each in traces}) == 1
    assert len({each.parent for each in traces}) == 3
    assert seen[2:] == [None, None]


@virtual
async def test_batches_and_notifications_carry_it_too():
    seen = []
    near, far = memory_pair()
    async with Peer(near) as peer, Peer(far, lambda method, params: seen.append(traceparent())):
        with traced() as begun:
            await peer.batch([("m", None), ("m", [1]), Notification("m", [1])])
            await peer.notify("m", [1])
            await peer.call("m")
    assert {read_traceparent(text).id for text in seen} == {read_traceparent(begun).id}
    assert len(seen) == 5


@virtual
async def test_a_trace_that_breaks_the_grammar_is_no_trace():
    near, wire = memory_pair()
    async with Peer(near, lambda method, params: traceparent()):
        wire.write(
            b'{"jsonrpc":"2.0","method":"m","params":{"_meta":{"traceparent":"00-x"}},"id":1}'
        )
        assert await wire.read() == [b'{"jsonrpc":"2.0","result":null,"id":1}']


# With OpenTelemetry


def small_sdk(monkeypatch):
    """Set up as much of an SDK as the API asks for, and give the spans that have ended."""
    api = pytest.importorskip("opentelemetry.trace")
    spans = []

    class Span(api.NonRecordingSpan):
        def __init__(self, name, parent, kind, attributes):
            same = parent.trace_id if parent.is_valid else random.getrandbits(128)
            mine = api.SpanContext(same, random.getrandbits(64), False, api.TraceFlags(1))
            super().__init__(mine)
            self.name, self.parent, self.kind, self.attributes = name, parent, kind, attributes

        def end(self, end_time=None):
            spans.append(self)

    class Tracer(api.NoOpTracer):
        def start_span(self, name, context=None, kind=None, attributes=None):
            parent = api.get_current_span(context).get_span_context()
            return Span(name, parent, kind, attributes)

    monkeypatch.setattr(api, "get_tracer_provider", api.NoOpTracerProvider)
    monkeypatch.setattr(api, "get_tracer", lambda name: Tracer())
    return api, spans


async def relayed():
    """Call through a relay, in a trace. Give its beginning and what each handler saw."""

    async def relay(method, params):
        seen.append(traceparent())
        return await onward.call(method, params)

    async def last(method, params):
        seen.append(traceparent())

    seen = []
    (near, a), (b, far) = memory_pair(), memory_pair()
    async with Peer(near) as client, Peer(a, relay), Peer(b) as onward, Peer(far, last):
        with traced() as begun:
            await client.call("subtract", [1])
        await client.batch([("m", None), ("n", None)])
    assert {read_traceparent(text).id for text in seen[:2]} == {read_traceparent(begun).id}
    return read_traceparent(begun), [text and read_traceparent(text) for text in seen]


def check_spans(spans, begun, seen):
    """Check that each call has a span on each side, and that they are linked."""
    mine = [span for span in spans if span.get_span_context().trace_id == int(begun.id, 16)]
    kinds = [(span.name, span.kind.name) for span in mine]
    assert kinds == [("subtract", "SERVER"), ("subtract", "CLIENT")] * 2
    ids = [span.get_span_context().span_id for span in mine]
    assert [span.parent.span_id for span in mine] == [*ids[1:], int(begun.parent, 16)]
    assert seen[1].parent == f"{ids[0]:016x}"
    assert dict(mine[0].attributes) == {"rpc.system": "jsonrpc", "rpc.method": "subtract"}
    assert ("batch", "CLIENT") in [(span.name, span.kind.name) for span in spans]


def test_with_a_tracer_each_call_has_a_span_on_each_side(monkeypatch):
    _, spans = small_sdk(monkeypatch)
    check_spans(spans, *run(relayed()))


@virtual
async def call_in_a_span(api):
    near, far = memory_pair()
    async with Peer(near) as peer, Peer(far, lambda method, params: None):
        with api.use_span(api.get_tracer("app").start_span("app")):
            await peer.call("m")


def test_a_call_belongs_to_the_span_that_the_program_is_in(monkeypatch):
    api, spans = small_sdk(monkeypatch)
    call_in_a_span(api)
    served, called = spans
    assert (called.kind.name, called.parent.is_valid) == ("CLIENT", True)
    assert served.parent.span_id == called.get_span_context().span_id


def test_a_span_ends_when_its_call_is_given_up(monkeypatch):
    async def main():
        near, _ = memory_pair()
        async with Peer(near) as peer:
            with pytest.raises(TimeoutError):
                await peer.call("m", timeout=1)

    _, spans = small_sdk(monkeypatch)
    run(main())
    assert [span.name for span in spans] == ["m"]


def test_without_opentelemetry_nothing_is_lost(monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    _, seen = run(relayed())
    assert seen[2:] == [None] * 4


def test_with_its_api_alone_nothing_is_lost():
    pytest.importorskip("opentelemetry.trace")
    _, seen = run(relayed())
    assert seen[2:] == [None] * 4


def test_with_the_real_sdk_each_call_has_a_span_on_each_side(monkeypatch):
    sdk = pytest.importorskip("opentelemetry.sdk.trace")
    api = pytest.importorskip("opentelemetry.trace")
    export = pytest.importorskip("opentelemetry.sdk.trace.export")
    memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    exporter, provider = memory.InMemorySpanExporter(), sdk.TracerProvider()
    provider.add_span_processor(export.SimpleSpanProcessor(exporter))
    monkeypatch.setattr(api, "get_tracer_provider", lambda: provider)
    monkeypatch.setattr(api, "get_tracer", provider.get_tracer)
    begun, seen = run(relayed())
    check_spans(exporter.get_finished_spans(), begun, seen)
