"""Any bytes at all: the frame around them, and the payloads in it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from rpclab.dispatch import unpack
from rpclab.explain import frames, strings
from rpclab.explain.model import BROKEN, Answer, Explanation, Finding
from rpclab.explain.moving import (
    lifted_findings,
    lifted_mistakes,
    moved,
    moved_findings,
    moved_mistakes,
    moved_spans,
)
from rpclab.explain.outlook import Outlook, answer_around, look, spans_around
from rpclab.explain.payload import explain_payload
from rpclab.explain.spread import find_spread, spread_finding, spread_mistakes
from rpclab.framing import BYTE_ORDER_MARK
from rpclab.messages import ErrorResponse
from rpclab.spec import profile as find_profile

_BLANK: Final = Answer("silence", "", strings.ANSWER_BLANK)


def explain(data: bytes | str, profile: str = "core") -> Explanation:
    """Explain any bytes, whole or broken. It never raises because of them.

    >>> explain('{"jsonrpc":"2.0","method":"sum","id":1}').shape
    'request'
    >>> explain("{'jsonrpc'}").mistake.says
    'single quotes'

    Args:
        data: what came over a wire, or should go: one line, several, or frames.
        profile: whose readings to take: core, mcp, lsp, acp or a2a.

    Raises:
        LookupError: there is no such profile.
    """
    raw = data.encode(errors="surrogatepass") if isinstance(data, str) else bytes(data)
    outlook = look(raw, find_profile(profile))
    parts = [
        moved(explain_payload(raw[piece.start : piece.end], outlook.profile), piece.start)
        for piece in outlook.payloads[: frames.MANY]
    ]
    if not parts and not outlook.is_foreign:
        return _explain_nothing(outlook)
    spread = find_spread(outlook, parts)
    if spread is not None:
        return _explain_spread(outlook, parts, spread)
    return _explain_one(outlook, parts) if len(parts) == 1 else _explain_several(outlook, parts)


def _explain_nothing(outlook: Outlook) -> Explanation:
    """Explain data without a payload."""
    marks = len(BYTE_ORDER_MARK) * outlook.data.startswith(BYTE_ORDER_MARK)
    part = moved(explain_payload(outlook.data[marks:], outlook.profile), marks)
    has_frame = outlook.form != frames.LINES
    return replace(
        part,
        data=outlook.data,
        at=0,
        shape=strings.NOTHING,
        spans=tuple(spans_around(outlook, [])),
        findings=(*outlook.findings, *(() if has_frame else moved_findings(part))),
        answer=answer_around(outlook, []) if has_frame else _BLANK,
        mistakes=(*outlook.mistakes, *(() if has_frame else moved_mistakes(part))),
        fault=None if has_frame else len(outlook.data),
    )


def _explain_one(outlook: Outlook, parts: list[Explanation]) -> Explanation:
    """Explain data with one payload: its explanation, and the frame's."""
    (part,) = parts
    return replace(
        part,
        data=outlook.data,
        at=0,
        spans=tuple(spans_around(outlook, parts)),
        findings=(*outlook.findings, *moved_findings(part)),
        answer=answer_around(outlook, parts),
        mistakes=(*outlook.mistakes, *moved_mistakes(part)),
        fault=_fault(outlook, parts),
        members=tuple(moved(member, part.at + member.at) for member in part.members),
    )


def _explain_several(outlook: Outlook, parts: list[Explanation]) -> Explanation:
    """Explain data with several payloads, each by itself."""
    return Explanation(
        data=outlook.data,
        profile=outlook.profile.id,
        shape=strings.SEVERAL if parts else strings.NOTHING,
        valid=bool(parts) and all(part.valid for part in parts),
        spans=tuple(spans_around(outlook, parts)),
        findings=(
            *outlook.findings,
            *_count(outlook),
            *lifted_findings(parts),
            *_judge_rest(outlook, parts),
        ),
        answer=answer_around(outlook, parts),
        mistakes=(*outlook.mistakes, *lifted_mistakes(parts)),
        fault=_fault(outlook, parts),
        expected=next((part.expected for part in parts if part.expected), ""),
        members=tuple(parts),
    )


def _explain_spread(outlook: Outlook, parts: list[Explanation], joined: Explanation) -> Explanation:
    """Explain the lines of one message that is spread over them."""
    finding = spread_finding(outlook, parts)
    after = joined.at + len(joined.data)
    return replace(
        _explain_several(outlook, parts),
        shape=joined.shape,
        valid=False,
        spans=(
            *(s for s in spans_around(outlook, parts) if s.end <= joined.at),
            *moved_spans(joined),
            *(s for s in spans_around(outlook, parts) if s.start >= after),
        ),
        findings=(*outlook.findings, finding, *lifted_findings([joined])),
        mistakes=(*outlook.mistakes, *spread_mistakes(outlook, parts, joined)),
        fault=finding.start,
    )


def _fault(outlook: Outlook, parts: list[Explanation]) -> int | None:
    """Give the first byte that the grammar does not take, counting a foreign frame's."""
    faults = [part.at + part.fault for part in parts if part.fault is not None]
    if outlook.is_foreign:
        faults.append(outlook.mistakes[-1].offset)
    return min(faults, default=None)


def _count(outlook: Outlook) -> Iterator[Finding]:
    if not outlook.is_foreign and outlook.is_lines:
        row = strings.FINDINGS["several lines"]
        says = row.says.format(count=len(outlook.payloads))
        yield Finding(row.clause, row.verdict, says, 0, len(outlook.data), row.ruling)


def _judge_rest(outlook: Outlook, parts: list[Explanation]) -> Iterator[Finding]:
    """Judge what is too much to be explained one by one, if it matters."""
    if any(part.verdict == BROKEN for part in parts):
        return
    for start, payload in _rest(outlook):
        asked = unpack(payload)
        members = asked if isinstance(asked, list) else [asked]
        if any(isinstance(member, ErrorResponse) for member in members):
            row = strings.FINDINGS["not message"]
            yield Finding(row.clause, row.verdict, row.says, start, start + len(payload))
            return


def _rest(outlook: Outlook) -> Iterator[tuple[int, bytes]]:
    """Give the payloads after the first ones, and where they begin."""
    for piece in outlook.payloads[frames.MANY :]:
        yield piece.start, outlook.data[piece.start : piece.end]
    for piece in outlook.pieces[-1:]:
        at = piece.start
        for line in outlook.data[at:].split(b"\n") if piece.kind == frames.REST else []:
            if line.strip(b" \t\r"):
                yield at, line
            at += len(line) + 1
