"""Any bytes, explained member by member.

``explain`` says what some bytes are, which byte belongs to what, which clause
each part keeps or breaks, what a server must answer, and what was probably
meant. It never raises because of the bytes, and it agrees with the transport:
``docs/explain.md`` shows the way of the bytes through this package.
"""

from collections.abc import Iterator
from dataclasses import replace

from rpclab.dispatch import unpack
from rpclab.explain.error_words import clause_of
from rpclab.explain.expected_reply import answer_to_all
from rpclab.explain.findings import found
from rpclab.explain.frame import LINES, REST, after_mark
from rpclab.explain.frame_rules import Framed, read_frame, spans_around
from rpclab.explain.message import explain_payload, explain_quoted
from rpclab.explain.mistakes import mistake
from rpclab.explain.model import (
    BROKEN,
    MANY,
    NOTHING,
    SEVERAL,
    Answer,
    Explanation,
    Finding,
    Mistake,
    Span,
    mistakes_in,
    troubles_in,
)
from rpclab.explain.not_json import NOISE
from rpclab.explain.quotations import WHOLE, Quotation, find_quotation
from rpclab.messages import ErrorResponse
from rpclab.spec import profile as find_profile

__all__ = ["Answer", "Explanation", "Finding", "Mistake", "Span", "explain"]


def explain(data: bytes | str, profile: str = "core") -> Explanation:
    """Explain any bytes, whole or broken. It never raises because of them.

    >>> explain('{"jsonrpc":"2.0","method":"sum","id":1}').shape
    'request'
    >>> explain("{'jsonrpc'}").mistake.says
    'single quotes'

    Args:
        data: what came over a wire, or is to be sent: one line, several, or frames.
        profile: whose readings to take: core, mcp, lsp, acp or a2a; or in one revision of
            its protocol, such as mcp@2025-06-18.

    Raises:
        LookupError: there is no such profile, or no such revision of it.
    """
    raw = data.encode(errors="surrogatepass") if isinstance(data, str) else bytes(data)
    framed = read_frame(raw, find_profile(profile))
    parts = [
        explain_payload(raw[piece.start : piece.end], framed.profile).shifted(piece.start)
        for piece in framed.payloads[:MANY]
    ]
    if not parts and not framed.is_foreign:
        return _explain_nothing(framed)
    joined = _join_lines(framed, parts)
    if joined is not None:
        return _explain_spread(framed, parts, joined)
    if len(parts) == 1:
        return _explain_one(framed, parts)
    return _with_pasted(framed, parts, _explain_several(framed, parts))


def _explain_nothing(framed: Framed) -> Explanation:
    """Explain data without a payload."""
    start = after_mark(framed.data)
    part = explain_payload(framed.data[start:], framed.profile)
    whole = replace(part, data=framed.data, shape=NOTHING, spans=tuple(spans_around(framed, [])))
    if framed.form != LINES:
        return replace(
            whole,
            findings=framed.findings,
            answer=answer_to_all(framed, []),
            mistakes=framed.mistakes,
            fault=None,
        )
    return replace(
        whole,
        findings=(*framed.findings, *(one.shifted(start) for one in part.findings)),
        answer=Answer("silence", "", "There is nothing to answer."),
        mistakes=(*framed.mistakes, *(one.shifted(start) for one in part.mistakes)),
        fault=len(framed.data),
    )


def _explain_one(framed: Framed, parts: list[Explanation]) -> Explanation:
    """Explain data with one payload: what is said about it, and about the frame."""
    (part,) = parts
    return replace(
        part,
        data=framed.data,
        at=0,
        spans=tuple(spans_around(framed, parts)),
        findings=(*framed.findings, *(one.shifted(part.at) for one in part.findings)),
        answer=answer_to_all(framed, parts),
        mistakes=(*framed.mistakes, *(one.shifted(part.at) for one in part.mistakes)),
        fault=_first_fault(framed, parts),
        members=tuple(one.shifted(part.at) for one in part.members),
        quoted=tuple(one.shifted(part.at) for one in part.quoted),
    )


def _explain_several(framed: Framed, parts: list[Explanation]) -> Explanation:
    """Explain data with several payloads, each by itself."""
    return Explanation(
        data=framed.data,
        profile=framed.profile.name,
        shape=SEVERAL if parts else NOTHING,
        valid=bool(parts) and all(part.valid for part in parts),
        spans=tuple(spans_around(framed, parts)),
        findings=(
            *framed.findings,
            *_count_lines(framed),
            *troubles_in(parts),
            *_judge_rest(framed, parts),
        ),
        answer=answer_to_all(framed, parts),
        mistakes=(*framed.mistakes, *mistakes_in(parts)),
        fault=_first_fault(framed, parts),
        expected=next((part.expected for part in parts if part.expected), ""),
        members=tuple(parts),
    )


def _with_pasted(framed: Framed, parts: list[Explanation], it: Explanation) -> Explanation:
    """Add what the lines are together, if none of them is a message.

    They may be noise of several lines, such as a stack trace, or a message that was
    printed or pasted over several lines.
    """
    if not framed.is_lines or any(part.valid for part in parts):
        return it
    found = find_quotation(framed.data)
    if found is not None and _is_whole(framed.data, found, parts):
        quoted = explain_quoted(found, framed.profile)
        before = it.mistakes[:1] if found.start and found.mistake.id not in WHOLE else ()
        return replace(it, shape=NOTHING, mistakes=(*before, found.mistake), quoted=quoted)
    if _is_noise(parts[0]) and not any(part.quoted or _looks_like_json(part) for part in parts):
        noise = [one for one in it.mistakes if one.id in NOISE or clause_of(one)]
        first_of_each = {one.id: one for one in reversed(noise)}
        mistakes = sorted(first_of_each.values(), key=lambda one: one.offset)
        return replace(it, shape=NOTHING, mistakes=tuple(mistakes))
    return it


def _is_noise(part: Explanation) -> bool:
    """Tell whether a line is text for people, or the words of an error."""
    return part.mistake is not None and (part.mistake.id in NOISE or clause_of(part.mistake) != "")


def _is_whole(data: bytes, found: Quotation, parts: list[Explanation]) -> bool:
    """Tell whether a quotation is spread over lines, so that no line has it alone."""
    if found.mistake.id in WHOLE:
        return True
    return b"\n" in data[found.start : found.end] and not any(part.quoted for part in parts)


def _looks_like_json(part: Explanation) -> bool:
    return not _is_noise(part) and part.data.lstrip()[:1] in {b"{", b"[", b'"'}


def _join_lines(framed: Framed, parts: list[Explanation]) -> Explanation | None:
    """Explain several lines as one message, or return None if they are not one.

    They are if the grammar of the first line needs more at its end, and the second
    line goes on from there.
    """
    if not framed.is_lines or len(parts) < 2 or not _is_cut_off(parts[0]):
        return None
    first, end = framed.payloads[0], framed.payloads[-1].end
    if framed.pieces[-1].kind == REST:
        end = framed.pieces[-1].end
    joined = explain_payload(framed.data[first.start : end], framed.profile)
    reach = parts[1].at + len(parts[1].data) - len(parts[1].data.lstrip()) - first.start
    in_string = joined.mistake is not None and joined.mistake.id == "raw-newline"
    if joined.fault is not None and joined.fault <= reach and not in_string:
        return None
    return joined.shifted(first.start)


def _is_cut_off(part: Explanation) -> bool:
    """Tell whether the fault of a line is at its end."""
    return part.fault is not None and part.fault == len(part.data.rstrip(b" \t\r\n")) > 0


def _explain_spread(framed: Framed, parts: list[Explanation], joined: Explanation) -> Explanation:
    """Explain the lines of one message that is spread over them."""
    line_feed = framed.data.index(b"\n", parts[0].at)
    after = joined.at + len(joined.data)
    around = list(spans_around(framed, parts))
    mistakes = [one.shifted(joined.at) for one in joined.mistakes]
    if not mistakes or mistakes[0].id != "raw-newline":
        mistakes.insert(0, mistake("pretty-printed", line_feed))
    return replace(
        _explain_several(framed, parts),
        shape=joined.shape,
        valid=False,
        spans=(
            *(span for span in around if span.end <= joined.at),
            *(one.shifted(joined.at) for one in joined.spans),
            *(span for span in around if span.start >= after),
        ),
        findings=(
            *framed.findings,
            found("pretty", line_feed, line_feed + 1),
            *troubles_in([joined]),
        ),
        mistakes=(*framed.mistakes, *mistakes),
        fault=line_feed,
    )


def _first_fault(framed: Framed, parts: list[Explanation]) -> int | None:
    """Return the first byte that the grammar does not allow, or where a foreign frame begins."""
    faults = [part.at + part.fault for part in parts if part.fault is not None]
    if framed.is_foreign:
        faults.append(framed.mistakes[-1].offset)
    return min(faults, default=None)


def _count_lines(framed: Framed) -> Iterator[Finding]:
    if not framed.is_foreign and framed.is_lines:
        yield found("several lines", 0, len(framed.data), count=len(framed.payloads))


def _judge_rest(framed: Framed, parts: list[Explanation]) -> Iterator[Finding]:
    """Judge the payloads after the first ``MANY``, until one of all is broken."""
    if any(part.verdict == BROKEN for part in parts):
        return
    for start, payload in _rest(framed):
        asked = unpack(payload)
        members = asked if isinstance(asked, list) else [asked]
        if any(isinstance(member, ErrorResponse) for member in members):
            yield found("not message", start, start + len(payload))
            return


def _rest(framed: Framed) -> Iterator[tuple[int, bytes]]:
    """Yield the payloads after the first ``MANY``, and where each begins."""
    for piece in framed.payloads[MANY:]:
        yield piece.start, framed.data[piece.start : piece.end]
    last = framed.pieces[-1] if framed.pieces else None
    if last is not None and last.kind == REST:
        at = last.start
        for line in framed.data[at:].split(b"\n"):
            if line.strip(b" \t\r"):
                yield at, line
            at += len(line) + 1
