"""One payload: a message, a batch, or what stands in its place.

What is accepted is asked of the transport: ``decode``, ``unpack`` and
``read_message`` decide; the findings say where and why.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from rpclab.dispatch import Member, unpack
from rpclab.explain import bindings, slips, strings
from rpclab.explain.answers import answer_by_profile, answer_to
from rpclab.explain.broken import explain_broken
from rpclab.explain.frames import MANY
from rpclab.explain.judgement import Subject, judge_call, judge_names, judge_response
from rpclab.explain.members import find_duplicates, find_elements, find_parts, owners_of
from rpclab.explain.model import BROKEN, Explanation, Finding
from rpclab.explain.moving import lifted_findings, lifted_mistakes, moved
from rpclab.explain.shapes import is_message, nearest_shape
from rpclab.explain.text import Text, read_text, spans_of
from rpclab.parsing import looks_like_response
from rpclab.spec import Profile

_MANY: Final = 20  # of one finding, and no more


def explain_payload(data: bytes, profile: Profile, member: Member | None = None) -> Explanation:
    """Explain one payload, or a member of a batch of which the transport made ``member``."""
    text = read_text(data, profile)
    if text.fault is not None:
        return explain_broken(text, text.fault)
    if type(text.value) is list and member is None:
        return _explain_batch(text)
    return _explain_message(text, member)


def _explain_message(text: Text, member: Member | None) -> Explanation:
    parts = tuple(find_parts(text.data, text.tokens)) if type(text.value) is dict else ()
    subject = Subject(text.value, parts, text.start, text.end, text.profile)
    shape = _shape(text)
    findings = [*_judge(subject, shape, member is not None), *_judge_text(subject, text)]
    asked = unpack(text.data) if member is None else member
    return Explanation(
        data=text.data,
        profile=text.profile.id,
        shape=shape,
        valid=is_message(text.value),
        spans=tuple(spans_of(text, shape)),
        findings=tuple(findings),
        answer=answer_by_profile(answer_to(asked), text.value, findings, text.profile),
        mistakes=tuple(slips.find_mistakes(subject, text, inside=member is not None)),
    )


def _shape(text: Text) -> str:
    if type(text.value) is not dict:
        return strings.NOTHING
    if looks_like_response(text.value):
        return strings.SUCCESS if "result" in text.value else strings.ERROR
    if "method" in text.value:
        return strings.REQUEST if "id" in text.value else strings.NOTIFICATION
    return nearest_shape(b"{", {*islice(text.value, _MANY)})


def _judge(subject: Subject, shape: str, inside: bool) -> Iterator[Finding]:
    """Judge a value by the rules of what it is meant as."""
    yield subject.find("json")
    if type(subject.value) is not dict:
        yield subject.find("nested batch" if type(subject.value) is list else "no object")
        return
    if looks_like_response(subject.value):
        yield from judge_response(subject)
        if inside:
            yield subject.find("response in batch")
    else:
        yield from judge_call(subject)
    if not subject.value.keys() & {"method", "result", "error"}:
        yield subject.find("neither")
    yield from judge_names(subject, {*owners_of(shape), "result", "error"})
    yield from bindings.judge_binding(subject)


def _judge_text(subject: Subject, text: Text) -> Iterator[Finding]:
    """Judge what the value no longer shows: names said twice, halves of characters."""
    for token in islice(find_duplicates(text.data, text.tokens), _MANY):
        yield subject.find("duplicate")._replace(start=token.start, end=token.end)
    for key, at, length in slips.find_oddities(text):
        yield subject.find(key)._replace(start=at, end=at + length)


def _explain_batch(text: Text) -> Explanation:
    places = list(islice(find_elements(text.tokens), MANY))
    asked = _ask(text, places)
    found = tuple(_explain_members(text, places, asked if isinstance(asked, list) else []))
    subject = Subject(text.value, (), text.start, text.end, text.profile)
    findings = [
        subject.find("json"),
        subject.read("batch") if text.value else subject.find("empty batch"),
        *lifted_findings(found),
        *_judge_rest(subject, found),
    ]
    return Explanation(
        data=text.data,
        profile=text.profile.id,
        shape=strings.BATCH,
        valid=bool(text.value) and all(map(is_message, text.value)),
        spans=tuple(spans_of(text, strings.BATCH)),
        findings=tuple(findings),
        answer=answer_by_profile(answer_to(asked), text.value, findings, text.profile),
        mistakes=(*slips.find_batch_mistakes(subject), *lifted_mistakes(found)),
        members=found,
    )


def _ask(text: Text, places: list[tuple[int, int]]) -> Member | list[Member]:
    """Ask the transport about a batch; of a very long one about its beginning, if that will do."""
    if len(text.value) > MANY:
        asked = unpack(b"[" + text.data[places[0][0] : places[-1][1]] + b"]")
        if answer_to(asked).kind != "silence":
            return asked
    return unpack(text.data)


def _explain_members(
    text: Text, places: list[tuple[int, int]], asked: list[Member]
) -> Iterator[Explanation]:
    for (start, end), member in zip(places, asked, strict=False):
        yield moved(explain_payload(text.data[start:end], text.profile, member), start)


def _judge_rest(subject: Subject, found: tuple[Explanation, ...]) -> Iterator[Finding]:
    """Judge the members that are too many to be explained one by one, if it matters."""
    if any(part.verdict == BROKEN for part in found):
        return
    if not all(map(is_message, subject.value[len(found) :])):
        yield subject.find("rest of members", shown=len(found))
