"""Offsets of a part, as offsets of the whole."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rpclab.explain.model import BENT, BROKEN, Explanation, Finding, Mistake, Span


def moved(part: Explanation, at: int) -> Explanation:
    """Say where a part begins in the whole. Its own offsets stay."""
    return replace(part, at=at)


def lifted_findings(parts: Iterable[Explanation]) -> Iterator[Finding]:
    """Give what the parts bend and break, in the whole's offsets."""
    for part in parts:
        for finding in part.findings:
            if finding.verdict in {BENT, BROKEN}:
                yield _moved_finding(finding, part.at)


def lifted_mistakes(parts: Iterable[Explanation]) -> Iterator[Mistake]:
    """Give the likeliest mistake of each part, in the whole's offsets."""
    for part in parts:
        if part.mistake is not None:
            yield part.mistake._replace(offset=part.mistake.offset + part.at)


def moved_findings(part: Explanation) -> Iterator[Finding]:
    """Give the findings of a part, in the whole's offsets."""
    for finding in part.findings:
        yield _moved_finding(finding, part.at)


def moved_mistakes(part: Explanation) -> Iterator[Mistake]:
    """Give the mistakes of a part, in the whole's offsets."""
    for mistake in part.mistakes:
        yield mistake._replace(offset=mistake.offset + part.at)


def _moved_finding(finding: Finding, by: int) -> Finding:
    return finding._replace(start=finding.start + by, end=finding.end + by)


def moved_spans(part: Explanation) -> Iterator[Span]:
    """Give the spans of a part, in the whole's offsets."""
    for span in part.spans:
        yield span._replace(start=span.start + part.at, end=span.end + part.at)
