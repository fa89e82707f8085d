"""The public names of each package: a name that is lost here breaks somebody's program."""

from importlib import import_module

import pytest

PUBLIC = {
    "rpclab": [
        "Call",
        "Client",
        "ContentLengthFraming",
        "ERR_INTERNAL",
        "ERR_INVALID_PARAMS",
        "ERR_INVALID_REQUEST",
        "ERR_METHOD_NOT_FOUND",
        "ERR_PARSE",
        "ErrorResponse",
        "FramedTransport",
        "FramingError",
        "Handler",
        "Id",
        "InternalError",
        "InvalidParams",
        "InvalidRequest",
        "InvalidResponse",
        "Json",
        "JsonRpcError",
        "Message",
        "MethodNotFound",
        "Methods",
        "NewlineFraming",
        "Notification",
        "Params",
        "ParseError",
        "Peer",
        "PeerGone",
        "Request",
        "RequestCancelled",
        "Response",
        "ServerGone",
        "StdioTransport",
        "StreamTransport",
        "SuccessResponse",
        "ThreadTransport",
        "answer",
        "cancelled",
        "claim_stdio",
        "decode",
        "encode",
        "explorer",
        "memory_pair",
        "open_pipes",
        "parse_request",
        "progress",
        "read_call",
        "read_message",
        "read_response",
        "render",
        "respond",
        "serve",
        "traced",
        "traceparent",
        "write_error",
        "write_notification",
        "write_response",
    ],
    "rpclab.peer": [
        "AsyncTransport",
        "Child",
        "Client",
        "DialectName",
        "InFlight",
        "MemoryTransport",
        "NewCall",
        "OnProgress",
        "Peer",
        "PeerGone",
        "Pending",
        "Replies",
        "Reply",
        "RequestCancelled",
        "ServerGone",
        "Settled",
        "Settlement",
        "Stray",
        "StreamTransport",
        "ThreadTransport",
        "Trace",
        "cancelled",
        "memory_pair",
        "open_pipes",
        "progress",
        "read_traceparent",
        "traced",
        "traceparent",
    ],
}


@pytest.mark.parametrize("package", PUBLIC)
def test_the_public_names_are_these_and_no_others(package):
    assert sorted(import_module(package).__all__) == PUBLIC[package]


@pytest.mark.parametrize("package", PUBLIC)
def test_each_public_name_exists_and_dir_lists_it(package):
    module = import_module(package)
    assert [name for name in PUBLIC[package] if not hasattr(module, name)] == []
    assert set(PUBLIC[package]) <= set(dir(module))


def test_the_peers_names_are_the_same_objects_in_both_packages():
    rpclab, peer = import_module("rpclab"), import_module("rpclab.peer")
    both = set(PUBLIC["rpclab"]) & set(PUBLIC["rpclab.peer"])
    assert len(both) == 13
    assert all(getattr(rpclab, name) is getattr(peer, name) for name in both)


@pytest.mark.parametrize("package", PUBLIC)
def test_a_name_that_does_not_exist_is_an_attribute_error(package):
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'no_such'"):
        import_module(package).no_such  # noqa: B018
