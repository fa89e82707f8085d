"""One payload: a message, a batch, or bytes in place of one.

The transport decides what is accepted: ``decode``, ``unpack`` and
``read_message``. The findings say where and why.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from rpclab.dispatch import Member, unpack
from rpclab.explain.broken_message import explain_broken
from rpclab.explain.expected_reply import answer_by_profile, answer_to
from rpclab.explain.findings import found
from rpclab.explain.members import find_elements, find_parts, is_message, shape_of, spans_of
from rpclab.explain.mistakes import likeliest_first
from rpclab.explain.model import (
    BATCH,
    BROKEN,
    MANY,
    NOTHING,
    Explanation,
    Finding,
    Mistake,
    mistakes_in,
    troubles_in,
)
from rpclab.explain.pasted_text import read_pasted, read_value, spans_with_quotation
from rpclab.explain.protocol_rules import judge_by_protocol
from rpclab.explain.quotations import ENCODED, Quotation
from rpclab.explain.rules import Subject, judge_batch, judge_text, judge_value
from rpclab.explain.syntax import Text, read_text
from rpclab.spec import Profile


def explain_payload(data: bytes, profile: Profile, member: Member | None = None) -> Explanation:
    """Explain one payload, and the messages inside it if it is not one.

    Args:
        data: the payload.
        profile: whose readings to take.
        member: what the transport made of it, if it is a member of a batch.
    """
    text = read_text(data)
    if text.fault is None:
        return _explain_value(text, profile, member)
    it = explain_broken(text, text.fault, profile)
    pasted = read_pasted(it)
    found = pasted.quotation
    if found is None:
        return replace(it, mistakes=pasted.mistakes)
    quoted = explain_quoted(found, profile)
    spans = spans_with_quotation(it, quoted[0]) if len(quoted) == 1 else it.spans
    return replace(it, mistakes=pasted.mistakes, quoted=quoted, spans=spans)


def explain_quoted(found: Quotation, profile: Profile) -> tuple[Explanation, ...]:
    """Explain the messages that a text quotes.

    Text in another encoding may quote a message in its turn. Nothing else is looked
    into a second time.
    """
    explain_one = explain_payload if found.mistake.id in ENCODED else _explain_plainly
    return tuple(explain_one(message, profile).shifted(found.start) for message in found.messages)


def _explain_plainly(data: bytes, profile: Profile) -> Explanation:
    """Explain a payload without looking for messages inside it."""
    text = read_text(data)
    if text.fault is None:
        return _explain_value(text, profile, None)
    return explain_broken(text, text.fault, profile)


def _explain_value(text: Text, profile: Profile, member: Member | None) -> Explanation:
    if type(text.value) is list and member is None:
        return _explain_batch(text, profile)
    return _explain_message(text, profile, member)


def _explain_message(text: Text, profile: Profile, member: Member | None) -> Explanation:
    parts = tuple(find_parts(text)) if type(text.value) is dict else ()
    subject = Subject(text.value, parts, text.start, text.end, profile)
    shape = shape_of(text.value)
    judged = [
        *judge_value(subject, shape, in_batch=member is not None),
        *judge_by_protocol(subject),
        *judge_text(text),
    ]
    findings = [one for one in judged if isinstance(one, Finding)]
    mistakes = likeliest_first(one for one in judged if isinstance(one, Mistake))
    asked = unpack(text.data) if member is None else member
    alone = shape == NOTHING and member is None
    inside = read_value(text.value, profile.id) if alone else b""
    return Explanation(
        data=text.data,
        profile=profile.name,
        shape=shape,
        valid=is_message(text.value),
        spans=tuple(spans_of(text, shape)),
        findings=tuple(findings),
        answer=answer_by_profile(answer_to(asked), text.value, findings, profile),
        mistakes=(inside._replace(offset=text.start),) if isinstance(inside, Mistake) else mistakes,
        quoted=(_explain_plainly(inside, profile),) if isinstance(inside, bytes) and inside else (),
    )


def _explain_batch(text: Text, profile: Profile) -> Explanation:
    places = list(islice(find_elements(text.tokens), MANY))
    asked = _ask_transport(text, places)
    parts = tuple(_explain_members(text, places, profile, asked))
    judged = list(judge_batch(Subject(text.value, (), text.start, text.end, profile)))
    findings = [
        *(one for one in judged if isinstance(one, Finding)),
        *troubles_in(parts),
        *_judge_rest(text, parts),
    ]
    return Explanation(
        data=text.data,
        profile=profile.name,
        shape=BATCH,
        valid=bool(text.value) and all(map(is_message, text.value)),
        spans=tuple(spans_of(text, BATCH)),
        findings=tuple(findings),
        answer=answer_by_profile(answer_to(asked), text.value, findings, profile),
        mistakes=(*(one for one in judged if isinstance(one, Mistake)), *mistakes_in(parts)),
        members=parts,
    )


def _ask_transport(text: Text, places: list[tuple[int, int]]) -> Member | list[Member]:
    """Return what the transport makes of a batch.

    Of a very long batch it is asked about the beginning alone, unless that earns silence.
    """
    if len(text.value) > MANY:
        asked = unpack(b"[" + text.data[places[0][0] : places[-1][1]] + b"]")
        if answer_to(asked).kind != "silence":
            return asked
    return unpack(text.data)


def _explain_members(
    text: Text, places: list[tuple[int, int]], profile: Profile, asked: Member | list[Member]
) -> Iterator[Explanation]:
    """Explain the members of a batch, unless the transport refuses it as a whole."""
    members = asked if isinstance(asked, list) else []
    for (start, end), member in zip(places, members, strict=False):
        yield explain_payload(text.data[start:end], profile, member).shifted(start)


def _judge_rest(text: Text, parts: tuple[Explanation, ...]) -> Iterator[Finding]:
    """Judge the members after the first ``MANY``, unless one before is broken."""
    if any(part.verdict == BROKEN for part in parts):
        return
    if not all(map(is_message, text.value[len(parts) :])):
        yield found("rest of members", text.start, text.end, shown=len(parts))
