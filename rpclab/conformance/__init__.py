"""The conformance lab: judge any server and any client, in any language.

    from rpclab.conformance import judge_server, judge_handler

Cases are data. A target is something to judge: a command, or a function in this
process. A verdict says whether a clause was kept, and a report holds the verdicts
of one run. docs/conformance.md has the format of everything that is data here.
"""

from typing import TYPE_CHECKING, Any, Final

from rpclab.conformance.cases import (
    Case,
    Choice,
    ClientCase,
    Outcome,
    load_cases,
    load_client_cases,
)
from rpclab.conformance.expected import compare_expected, load_expected, write_expected
from rpclab.conformance.greetings import GREETINGS
from rpclab.conformance.judging import Fault, Found, Report, Verdict
from rpclab.conformance.reports import (
    badge,
    details,
    junit,
    report_data,
    report_page,
)
from rpclab.conformance.run import Interrupted, judge_client, judge_server
from rpclab.conformance.smallest_input import shrink, shrink_case
from rpclab.conformance.targets import Observation, Script, Target
from rpclab.conformance.targets.in_process import CallableTarget, judge_handler, judge_respond

__all__ = [
    "GREETINGS",
    "CallableTarget",
    "Case",
    "Choice",
    "ClientCase",
    "ClientCommand",
    "CommandTarget",
    "Fault",
    "Found",
    "Interrupted",
    "Observation",
    "Outcome",
    "Report",
    "Script",
    "Target",
    "Verdict",
    "badge",
    "compare_expected",
    "details",
    "judge_client",
    "judge_handler",
    "judge_respond",
    "judge_server",
    "junit",
    "load_cases",
    "load_client_cases",
    "load_expected",
    "report_data",
    "report_page",
    "shrink",
    "shrink_case",
    "write_expected",
]

if TYPE_CHECKING:
    from rpclab.conformance.targets.command import ClientCommand, CommandTarget

# Loaded when asked for: a browser has no processes.
_LATER: Final = ("ClientCommand", "CommandTarget")


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from rpclab.conformance.targets import command  # noqa: PLC0415

        return getattr(command, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the names that are loaded later too."""
    return sorted({*globals(), *__all__})
