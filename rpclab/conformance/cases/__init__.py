"""The cases, as data (``*.toml``), and what reads them.

A case is one test of a clause. ``server`` and ``client`` have the fields of their
rows; ``shared`` has what both kinds of case have, and the choice of some of them;
``deliveries`` has the ways in which the same bytes can be sent.
"""

from rpclab.conformance.cases.client import ClientCase, load_client_cases, read_client_case
from rpclab.conformance.cases.server import (
    DEMO_METHODS,
    Case,
    Pause,
    Payload,
    Raw,
    SendItem,
    load_cases,
    read_case,
)
from rpclab.conformance.cases.shared import PAUSE, AnyCase, Choice, Outcome, read_rows

__all__ = [
    "DEMO_METHODS",
    "PAUSE",
    "AnyCase",
    "Case",
    "Choice",
    "ClientCase",
    "Outcome",
    "Pause",
    "Payload",
    "Raw",
    "SendItem",
    "load_cases",
    "load_client_cases",
    "read_case",
    "read_client_case",
    "read_rows",
]
