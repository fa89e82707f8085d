"""A payload that is not JSON: the nearest shape, the fault, the likely mistake."""

from collections.abc import Iterator
from typing import Final

from rpclab.dispatch import unpack
from rpclab.explain.expected_reply import answer_to
from rpclab.explain.findings import found
from rpclab.explain.members import find_parts, nearest_shape, spans_of
from rpclab.explain.mistakes import MISTAKES
from rpclab.explain.mistakes.broken_json import find_mistake
from rpclab.explain.model import BROKEN, Explanation, Finding, Mistake, Span
from rpclab.explain.not_json import NOISE
from rpclab.explain.syntax import Fault, Text, character_length
from rpclab.spec import Profile

# What is expected where a token breaks off; between two tokens the grammar says it.
_EXPECTED: Final = {
    "string": "the rest of a string",
    "number": "a digit",
    "literal": "the rest of true, false or null",
    "encoding": "UTF-8",
    "depth limit": "a depth that this reader can hold",
    "number limit": "a number that this reader can hold",
}


def explain_broken(text: Text, fault: Fault, profile: Profile) -> Explanation:
    """Explain a payload whose first fault is ``fault``."""
    names = {part.name for part in find_parts(text)}
    mistake = find_mistake(text, fault)
    is_noise = mistake is not None and mistake.id in NOISE
    first = b"" if is_noise else text.data[text.start : text.start + 1]
    shape = nearest_shape(first, names)
    expected = _EXPECTED.get(fault.inside, fault.expected)
    findings = tuple(_findings(text, fault, expected, mistake))
    return Explanation(
        data=text.data,
        profile=profile.name,
        shape=shape,
        valid=False,
        spans=tuple(_with_fault(spans_of(text, shape), findings[-1])),
        findings=findings,
        answer=answer_to(unpack(text.data)),
        mistakes=(mistake,) if mistake else (),
        fault=fault.at,
        expected=expected,
    )


def _findings(
    text: Text, fault: Fault, expected: str, mistake: Mistake | None
) -> Iterator[Finding]:
    """Yield that it is not JSON, and which rule the likely mistake breaks."""
    if text.start == text.end:
        yield found("no text", text.start, text.end)
        return
    not_json = found("not json", text.start, text.end)
    yield not_json
    clause = MISTAKES[mistake.id].clause if mistake else not_json.clause
    says = f"Here it stops being JSON: {expected} is expected."
    after = fault.at + character_length(text.data, fault.at)
    yield Finding(clause, BROKEN, says, fault.at, after)


def _with_fault(spans: Iterator[Span], finding: Finding) -> Iterator[Span]:
    """Yield the spans; the one with the fault gets the finding's clause and sentence."""
    for span in spans:
        if span.start == finding.start and span.end <= finding.end:
            yield span._replace(name="fault", clause=finding.clause, says=finding.says)
        else:
            yield span
