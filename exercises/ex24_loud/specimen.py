"""Answers a notification when its method fails, with a null id."""

from rpclab.course.specimens import demo
from rpclab.dispatch import answer, unpack
from rpclab.dispatch import respond as respond_rightly
from rpclab.messages import Notification, Request


def respond(line: bytes) -> bytes | None:
    """Answer one line."""
    call = unpack(line)
    if not isinstance(call, Notification):
        return respond_rightly(line, demo())
    reply = answer(Request(call.method, call.params, None), demo())
    return reply.encode() if reply and '"error":' in reply else None
