"""A case with other names for its methods, in what is sent and in what is expected."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rpclab.conformance.cases.server import Case
from rpclab.conformance.cases.shared import Outcome


def renamed_case(case: Case, names: Mapping[str, str]) -> Case:
    """Return a case with the target's own method names, in what is sent and expected."""
    if not names:
        return case
    outcomes = tuple(
        Outcome(tuple(rename(line, names) for line in o.lines), o.state, o.reading, o.keeps)
        for o in case.outcomes
    )
    send = tuple(_renamed_item(item, names) for item in case.send)
    return replace(case, outcomes=outcomes, send=send)


def _renamed_item(
    item: str | Mapping[str, Any], names: Mapping[str, str]
) -> str | Mapping[str, Any]:
    if isinstance(item, str):
        return rename(item, names)
    parts = ("raw", "before", "after")
    return {key: rename(part, names) if key in parts else part for key, part in item.items()}


def rename(text: str, names: Mapping[str, str]) -> str:
    """Replace method names in a line, which need not be JSON.

    >>> rename('{"method": "echo", "id"', {"echo": "its/echo"})
    '{"method": "its/echo", "id"'
    """
    return re.sub(
        r'("method"\s*:\s*")([^"\\]*)(?=")',
        lambda found: found[1] + names.get(found[2], found[2]),
        text,
    )
