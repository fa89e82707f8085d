"""What exercise 22 must do."""

import io
import json
from collections.abc import Callable
from typing import Any

from rpclab.course import demand, expect, same
from rpclab.messages import Json
from rpclab.transport import StdioTransport

Copy = Callable[[dict, StdioTransport], dict]


def run(copy_files: Copy, params: dict[str, Any]) -> tuple[Json, list[Json]]:
    """Return the result of a call, and the messages that it wrote."""
    out = io.BytesIO()
    transport = StdioTransport(io.BytesIO(), out)
    result = expect(copy_files, params, transport).result("a dict with the number copied")
    return result, [json.loads(line) for line in out.getvalue().splitlines()]


def note(token: Json, done: int, total: int) -> Json:
    """Return one report."""
    params = {"progressToken": token, "progress": done, "total": total}
    return {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}


def writes(copy_files: Copy, params: dict[str, Any], wanted: list) -> None:
    """Demand that a call writes these messages."""
    _, got = run(copy_files, params)
    demand(same(got, wanted), f"copy_files({params}, transport)", got, repr(wanted))


def check_the_result(copy_files: Copy) -> None:
    """It returns how many were copied."""
    params: dict = {"files": ["a", "b"]}
    result, _ = run(copy_files, params)
    demand(same(result, {"copied": 2}), f"copy_files({params}, transport)", result, "{'copied': 2}")


def check_a_report_after_each(copy_files: Copy) -> None:
    """With a token there is a report after each file, and progress rises."""
    params = {"files": ["a", "b", "c"], "_meta": {"progressToken": "t1"}}
    writes(copy_files, params, [note("t1", 1, 3), note("t1", 2, 3), note("t1", 3, 3)])


def check_without_a_token_nothing(copy_files: Copy) -> None:
    """Without a token nothing is sent, even if there is a _meta."""
    writes(copy_files, {"files": ["a"]}, [])
    writes(copy_files, {"files": ["a"], "_meta": {"traceparent": "x"}}, [])


def check_nought_is_a_token(copy_files: Copy) -> None:
    """A token of 0 and an empty token are tokens."""
    writes(copy_files, {"files": ["a"], "_meta": {"progressToken": 0}}, [note(0, 1, 1)])
    writes(copy_files, {"files": ["a"], "_meta": {"progressToken": ""}}, [note("", 1, 1)])


def check_no_files_no_reports(copy_files: Copy) -> None:
    """Without files there is nothing to report."""
    writes(copy_files, {"files": [], "_meta": {"progressToken": 7}}, [])
