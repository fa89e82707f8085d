"""Which demo methods a server has: each is asked for with a good request.

One rule: a method is there only if it answers as it should. An error, silence or
another result means "not there", and the cases that need it are not judged.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from rpclab.codec import encode
from rpclab.conformance.cases import DEMO_METHODS, Case, Payload
from rpclab.conformance.comparison import read_payload
from rpclab.conformance.targets import PATIENT, UNASKED, Came, Script, Target
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

    An error from a method that fails on purpose tells nothing about a server that
    lacks ``echo``: it may answer every unknown method like that.
    """
    needed = {name for case in cases for name in (*case.needs, *_methods_of_deliveries(case))}
    asked = needed | {"echo"} if needed.intersection(_FAIL) else needed
    missing = {name for name in sorted(asked) if not _has(target, name, names, profile_id)}
    if "echo" in missing:
        missing.update(_FAIL)
    return missing & needed


def _methods_of_deliveries(case: Case) -> tuple[str, ...]:
    return ("boom",) if "stderr-flood" in case.delivery else ()


def _has(target: Target, name: str, names: Mapping[str, str], profile_id: str) -> bool:
    method, params = encode(names.get(name, name)), probe_params(name, profile_id)
    request = f'{{"jsonrpc":"2.0","id":1,"method":{method},"params":{params}}}'

    def answered(came: Iterable[Came]) -> bool:
        return any("id" in value for value in _objects(came))

    script = Script(pieces=(Payload(request.encode()),), enough=answered)
    seen = target.exchange(script)
    if seen.timed_out and not answered(seen.came):
        seen = target.exchange(replace(script, pace=PATIENT))
    if seen.state in UNASKED or (name in _FAIL and seen.state == "ends"):
        return True  # nothing is known of it; or it failed, and took the server with it
    replies = [value for value in _objects(seen.came) if value.get("id") in (1, "1", None)]
    return any(_is_right(name, json.loads(params), reply) for reply in replies)


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
    is_call = "method" in reply
    return not is_call and reply.get("error") is None and wanted in (None, reply.get("result"))


def _objects(came: Iterable[Came]) -> list[dict[str, object]]:
    values = (read_payload(payload) for payload in came)
    return [value for value in values if isinstance(value, dict)]
