"""What an explanation says: spans, findings, the answer, the likely mistakes.

All offsets count bytes of ``data``. Everything is a value that never changes:
``shifted`` makes the same value for data in which that many bytes come first.
"""

import base64
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from rpclab.messages import Json

# What a finding says about its clause.
KEPT: Final = "kept"
BENT: Final = "bent"
BROKEN: Final = "broken"
FREE: Final = "free"

# The owners of spans.
FRAME: Final = "frame"
JSON: Final = "json"
MEMBER: Final = "member"

# The shapes. The four of a message are those of ``rpclab.demos.console``.
REQUEST: Final = "request"
NOTIFICATION: Final = "notification"
SUCCESS: Final = "success response"
ERROR: Final = "error response"
BATCH: Final = "batch"
NOTHING: Final = "no message"
SEVERAL: Final = "several messages"

MANY: Final = 1_000
"""How many messages are explained one by one. The rest is one piece, and only judged."""


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

    def shifted(self, by: int) -> "Span":
        """Return the same span, ``by`` bytes later."""
        return self._replace(start=self.start + by, end=self.end + by)


class Finding(NamedTuple):
    """Whether a clause is kept, and where. ``ruling`` is the open point it was read by, or ""."""

    clause: str
    verdict: str
    says: str
    start: int
    end: int
    ruling: str = ""

    def shifted(self, by: int) -> "Finding":
        """Return the same finding, ``by`` bytes later."""
        return self._replace(start=self.start + by, end=self.end + by)


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

    def shifted(self, by: int) -> "Mistake":
        """Return the same mistake, ``by`` bytes later."""
        return self._replace(offset=self.offset + by)


Judged = Finding | Mistake
"""What a rule yields: findings, and the mistakes that they point to."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What some bytes are, and which clauses they keep and break.

    ``shape`` is the shape, or the nearest one if ``valid`` is false.
    ``fault`` is the first byte that JSON's grammar does not allow, ``expected``
    what it allows there. ``members`` are the messages of a batch, or of several
    lines or frames; ``at`` is where such a message begins in the whole data.
    ``quoted`` are messages that people pasted with text around them, or as another
    language prints them: on the wire they are not messages.
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
    quoted: tuple["Explanation", ...] = ()

    @property
    def verdict(self) -> str:
        """The worst verdict of the findings: broken, bent or kept."""
        verdicts = {finding.verdict for finding in self.findings}
        return next((worst for worst in (BROKEN, BENT) if worst in verdicts), KEPT)

    @property
    def mistake(self) -> Mistake | None:
        """The likeliest mistake."""
        return self.mistakes[0] if self.mistakes else None

    def shifted(self, by: int) -> "Explanation":
        """Return the same explanation of data that begins ``by`` bytes later.

        Only ``at`` changes: all other offsets count from there.
        """
        return replace(self, at=self.at + by)

    def to_json(self) -> dict[str, Json]:
        """Return the same as a JSON value. Bytes that are not UTF-8 become base64."""
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
            "quoted": [message.to_json() for message in self.quoted],
        }


def _written(data: bytes) -> dict[str, Any]:
    try:
        return {"data": data.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def troubles_in(parts: Iterable[Explanation]) -> Iterator[Finding]:
    """Yield what the parts bend and break, with the offsets of the whole."""
    for part in parts:
        for finding in part.findings:
            if finding.verdict in {BENT, BROKEN}:
                yield finding.shifted(part.at)


def mistakes_in(parts: Iterable[Explanation]) -> Iterator[Mistake]:
    """Yield the likeliest mistake of each part, with the offsets of the whole."""
    for part in parts:
        if part.mistake is not None:
            yield part.mistake.shifted(part.at)
