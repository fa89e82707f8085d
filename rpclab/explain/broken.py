"""A payload that is not JSON: the nearest shape, the fault, the likely mistake."""

from collections.abc import Iterator

from rpclab.dispatch import unpack
from rpclab.explain import answers, faults, members, shapes, strings
from rpclab.explain.model import BROKEN, Explanation, Finding, Mistake, Span
from rpclab.explain.text import Text, spans_of
from rpclab.explain.tokens import Fault, character_length


def explain_broken(text: Text, fault: Fault) -> Explanation:
    """Explain a payload whose grammar is left at ``fault``."""
    names = {part.name for part in members.find_parts(text.data, text.tokens)}
    shape = shapes.nearest_shape(text.data[text.start : text.start + 1], names)
    mistakes = faults.find_mistakes(text, fault)
    expected = strings.IN_TOKEN.get(fault.inside, fault.expected)
    findings = tuple(_findings(text, fault, expected, mistakes))
    return Explanation(
        data=text.data,
        profile=text.profile.id,
        shape=shape,
        valid=False,
        spans=tuple(_marked(spans_of(text, shape), findings[-1])),
        findings=findings,
        answer=answers.answer_to(unpack(text.data)),
        mistakes=mistakes,
        fault=fault.at,
        expected=expected,
    )


def _findings(
    text: Text, fault: Fault, expected: str, mistakes: tuple[Mistake, ...]
) -> Iterator[Finding]:
    """Give what is broken: that it is JSON, and the rule of the likely mistake."""
    row = strings.FINDINGS["not json" if text.start < text.end else "no text"]
    yield Finding(row.clause, BROKEN, row.says, text.start, text.end, row.ruling)
    if text.start == text.end:
        return
    clause = faults.clause_of(mistakes[0].id) if mistakes else row.clause
    says = strings.FAULT.format(expected=expected)
    after = fault.at + character_length(text.data, fault.at)
    yield Finding(clause, BROKEN, says, fault.at, after)


def _marked(spans: Iterator[Span], finding: Finding) -> Iterator[Span]:
    """Give the spans, the fault among them with its clause and its sentence."""
    for span in spans:
        if span.start == finding.start and span.end <= finding.end:
            yield span._replace(
                name=strings.KINDS["fault"], clause=finding.clause, says=finding.says
            )
        else:
            yield span
