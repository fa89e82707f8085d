"""Takes true and false for an id, since Python counts them among the integers."""

import json

from rpclab.codec import encode
from rpclab.course.specimens import demo
from rpclab.dispatch import respond as respond_strictly
from rpclab.messages import Json


def respond(line: bytes) -> bytes | None:
    """Answer one line."""
    value = read_object(line)
    id = value.get("id")
    if not isinstance(id, bool):
        return respond_strictly(line, demo())
    # As the reference answers it with another id, and then with the id as it came.
    reply = json.loads(respond_strictly(encode(value | {"id": 0}), demo()) or b"{}")
    return encode(reply | {"id": id}).encode()


def read_object(line: bytes) -> dict[str, Json]:
    """Read a line as an object: an empty one if it is not an object."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
