"""Which demo methods a server has: each is asked for with a good request.

One rule: a method is there only if it answers as it should. An error, silence or
another result means "not there", and the cases that need it are not judged.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from rpclab.codec import encode
from rpclab.conformance.cases import DEMO_METHODS, Case, Payload
from rpclab.conformance.comparison import read_payload
from rpclab.conformance.targets import PATIENT, UNASKED, UNKNOWN, Came, Script, State, Target
from rpclab.errors import ERR_METHOD_NOT_FOUND
from rpclab.spec import profile

_RESULTS: Final[Mapping[str, object]] = {
    "subtract": 1,
    "add": 3,
    "sum": 3,
    "slow": {"steps": 1},
    "get_data": ["hello", 5],
}
"""The right result of each method that has one. ``echo`` returns what it was sent."""

_FAIL: Final = ("boom", "typeerr", "keyerr", "badresult")
"""The methods that fail on purpose: an error is their right answer."""


def find_missing(
    target: Target, cases: Iterable[Case], names: Mapping[str, str], profile_id: str = "core"
) -> set[str]:
    """Return the demo methods that cases need and the target does not have.

    A server that lacks ``echo``, or that answers a method that no server has in the same
    way, does not show by an error that it has a method that fails on purpose.
    """
    needed = {name for case in cases for name in (*case.needs, *_methods_of_deliveries(case))}
    fails = needed.intersection(_FAIL)
    unknown = ask(target, UNKNOWN, "{}") if fails else None
    missing = {
        name
        for name in sorted(needed | {"echo"} if fails else needed)
        if not _has(target, name, names, profile_id)
        or (
            name in fails
            and unknown
            and _is_alike(unknown, ask(target, names.get(name, name), "{}"))
        )
    }
    if "echo" in missing:
        missing.update(_FAIL)
    return missing & needed


def _methods_of_deliveries(case: Case) -> tuple[str, ...]:
    return ("boom",) if "stderr-flood" in case.delivery else ()


def _has(target: Target, name: str, names: Mapping[str, str], profile_id: str) -> bool:
    params = probe_params(name, profile_id)
    asked = ask(target, names.get(name, name), params)
    if asked.state in UNASKED or (name in _FAIL and asked.state == "ends"):
        return True  # nothing is known of it; or it failed, and took the server with it
    return any(_is_right(name, json.loads(params), reply) for reply in asked.replies)


class Asked(NamedTuple):
    """What became of a server that was asked, and its replies; their ids may be wrong."""

    state: State
    replies: list[dict[str, object]]


def ask(target: Target, method: str, params: str) -> Asked:
    """Send a good request for a method, and return what came."""
    request = f'{{"jsonrpc":"2.0","id":1,"method":{encode(method)},"params":{params}}}'

    def answered(came: Iterable[Came]) -> bool:
        return any("id" in value for value in _objects(came))

    script = Script(pieces=(Payload(request.encode()),), enough=answered)
    seen = target.exchange(script)
    if seen.timed_out and not answered(seen.came):
        seen = target.exchange(replace(script, pace=PATIENT))
    replies = [value for value in _objects(seen.came) if value.get("id") in (1, "1", None)]
    return Asked(seen.state, [reply for reply in replies if "method" not in reply])


def probe_params(name: str, profile_id: str) -> str:
    """Return the params of a good request for a demo method under a profile.

    >>> probe_params("echo", "core"), probe_params("echo", "mcp")
    ('[]', '{}')
    """
    by_name = profile(profile_id).readings.get("params-by-position") == "refused"
    return "{}" if name == "echo" and by_name else DEMO_METHODS.get(name, "{}")


def _is_right(name: str, params: object, reply: Mapping[str, object]) -> bool:
    if name in _FAIL:
        error = reply.get("error")
        code = error.get("code") if isinstance(error, dict) else None
        return "error" in reply and code != ERR_METHOD_NOT_FOUND
    wanted = params if name == "echo" else _RESULTS.get(name)
    return reply.get("error") is None and wanted in (None, reply.get("result"))


def _is_alike(one: Asked, other: Asked) -> bool:
    """Tell whether two methods fail in the same way, so that neither may be there."""
    return one.state == other.state and _codes(one) == _codes(other)


def _codes(asked: Asked) -> list[object]:
    errors = [reply.get("error") for reply in asked.replies]
    return [error.get("code") if isinstance(error, dict) else error for error in errors]


def _objects(came: Iterable[Came]) -> list[dict[str, object]]:
    values = (read_payload(payload) for payload in came)
    return [value for value in values if isinstance(value, dict)]
