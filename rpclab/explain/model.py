"""What an explanation says: spans, findings, the answer, the likely mistakes.

All offsets count bytes of ``data``. Everything is a value that never changes.
"""

import base64
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from rpclab.messages import Json

KEPT: Final = "kept"
BENT: Final = "bent"
BROKEN: Final = "broken"
FREE: Final = "free"

FRAME: Final = "frame"
JSON: Final = "json"
MEMBER: Final = "member"


class Span(NamedTuple):
    """Bytes with one owner: the frame, the JSON text, or a member of a message.

    ``name`` says what they are, or which member; ``path`` which value of the
    text they belong to, such as ``[0].params``.
    """

    start: int
    end: int
    owner: str
    name: str
    path: str
    clause: str
    says: str


class Finding(NamedTuple):
    """What became of a clause, and where. ``ruling`` is the point it was read by, or ""."""

    clause: str
    verdict: str
    says: str
    start: int
    end: int
    ruling: str = ""


class Answer(NamedTuple):
    """What a server must answer.

    ``kind`` is ``error`` (and ``line`` is the line), ``response`` (the method
    decides), ``silence``, or ``several``. ``says`` is the reason.
    """

    kind: str
    line: str
    says: str


class Mistake(NamedTuple):
    """What was probably meant, the byte that gives it away, and what to do."""

    id: str
    says: str
    offset: int
    fix: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """What some bytes are, and what they keep and break.

    ``shape`` is the shape, or the nearest one where ``valid`` is false.
    ``fault`` is the byte where JSON's grammar is left, ``expected`` what may
    stand there. ``members`` are the messages of a batch, or of several lines
    or frames; ``at`` is where such a one begins in the data of the whole.
    """

    data: bytes
    profile: str
    shape: str
    valid: bool
    spans: tuple[Span, ...]
    findings: tuple[Finding, ...]
    answer: Answer
    mistakes: tuple[Mistake, ...] = ()
    fault: int | None = None
    expected: str = ""
    members: tuple["Explanation", ...] = ()
    at: int = 0

    @property
    def verdict(self) -> str:
        """The worst that a finding says: broken, bent or kept."""
        verdicts = {finding.verdict for finding in self.findings}
        return next((worst for worst in (BROKEN, BENT) if worst in verdicts), KEPT)

    @property
    def mistake(self) -> Mistake | None:
        """The likeliest mistake."""
        return self.mistakes[0] if self.mistakes else None

    def to_json(self) -> dict[str, Json]:
        """Give the same as a JSON value. Bytes that are not UTF-8 go as base64."""
        return {
            **_written(self.data),
            "profile": self.profile,
            "at": self.at,
            "shape": self.shape,
            "valid": self.valid,
            "verdict": self.verdict,
            "fault": self.fault,
            "expected": self.expected,
            "answer": self.answer._asdict(),
            "mistakes": [mistake._asdict() for mistake in self.mistakes],
            "findings": [finding._asdict() for finding in self.findings],
            "spans": [span._asdict() for span in self.spans],
            "members": [member.to_json() for member in self.members],
        }


def _written(data: bytes) -> dict[str, Any]:
    try:
        return {"data": data.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}
