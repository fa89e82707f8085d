"""A report as JSON, as JUnit's XML, and as the one command that shows a case again."""

import json
import shlex
from collections.abc import Iterable, Mapping
from typing import Any, Final
from xml.etree import ElementTree as Xml

from rpclab.conformance import strings
from rpclab.conformance.verdicts import Report, Verdict
from rpclab.messages import Json
from rpclab.spec import clause

MOST_BYTES: Final = 4096
"""How much of one message a report shows."""


def printable(text: str) -> str:
    r"""Show what is not printable as escapes, so that it steers nothing.

    >>> printable("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)


def readable(data: bytes, most: int = MOST_BYTES) -> str:
    r"""Give bytes as text: what is not UTF-8 as ``\xff``, and the middle of much left out.

    >>> readable(b'{"a\xff')
    '{"a\\xff'
    """
    if len(data) <= most:
        return printable(data.decode(errors="backslashreplace"))
    half = most // 2
    left_out = strings.REPORT_LEFT_OUT.format(count=len(data) - 2 * half)
    return f"{readable(data[:half], most)}{left_out}{readable(data[-half:], most)}"


def again(report: Report, case: str) -> str:
    """Give the command that runs one case again."""
    words = ["rpclab", report.command]
    if report.profile != "core":
        words += ["--profile", report.profile]
    if report.framing != "newline":
        words += ["--framing", report.framing]
    for name, theirs in report.names.items():
        words += ["--methods", f"{name}={theirs}"]
    return f"{shlex.join([*words, '--case', case])} -- {report.target}"


def report_data(report: Report, reasons: Mapping[str, str] | None = None) -> dict[str, Json]:
    """Give a report as a JSON value."""
    return {
        "target": report.target,
        "profile": report.profile,
        "framing": report.framing,
        "keeps_every_must": report.keeps_every_must,
        "counts": {
            level: {found: report.count(found, level) for found in ("kept", "broken")}
            for level in ("must", "should")
        }
        | {"free": report.count("free"), "not judged": report.count("not judged")},
        "missing_methods": list(report.missing),
        "clauses": report.clauses(),
        "votes": report.votes(),
        "cases": [_case_data(report, verdict, reasons or {}) for verdict in report.verdicts],
    }


def _case_data(report: Report, verdict: Verdict, reasons: Mapping[str, str]) -> dict[str, Json]:
    data: dict[str, Json] = {
        "case": verdict.case,
        "clause": verdict.clause,
        "level": verdict.level,
        "verdict": verdict.found,
    }
    optional = {
        "why": verdict.why,
        "delivery": verdict.delivery,
        "ruling": verdict.ruling,
        "reading": verdict.reading,
        "expected": reasons.get(verdict.case, ""),
    }
    data |= {name: value for name, value in optional.items() if value}
    if verdict.found in ("broken", "free"):
        data |= {
            "sent": readable(verdict.sent),
            "came": [readable(payload) for payload in verdict.came],
            "wanted": [list(lines) for lines in verdict.wanted],
            "wrote": [readable(payload) for payload in verdict.wrote],
            "stderr": printable(verdict.stderr),
            "status": verdict.status,
            "again": again(report, verdict.case),
        }
    return data


def details(verdict: Verdict, most: int = MOST_BYTES) -> list[tuple[str, str]]:
    """Give what shows a verdict: a title, and the text under it."""

    def text(payloads: Iterable[bytes]) -> str:
        return "\n".join(readable(payload, most) for payload in payloads) or nothing

    nothing = strings.REPORT_NOTHING
    lists = ["\n".join(map(printable, lines)) or nothing for lines in verdict.wanted]
    parts = [
        (strings.REPORT_SENT, text([verdict.sent])),
        (strings.REPORT_CAME, text(verdict.came)),
        (strings.REPORT_WANTED, f"\n{strings.OR}\n".join(dict.fromkeys(lists)) or nothing),
    ]
    if verdict.wrote:
        parts.append((strings.REPORT_WROTE, text(verdict.wrote)))
    if verdict.stderr:
        parts.append((strings.REPORT_STDERR, printable(verdict.stderr)))
    return parts


def junit(report: Report, reasons: Mapping[str, str] | None = None) -> str:
    """Give a report in the form of JUnit. Only what a MUST breaks is a failure."""
    suite = Xml.Element("testsuite", name=f"JSON-RPC 2.0: {report.profile}")
    for verdict in report.verdicts:
        case = Xml.SubElement(suite, "testcase", classname=verdict.clause, name=verdict.case)
        expected = (reasons or {}).get(verdict.case, "")
        if verdict.found == "broken" and verdict.level == "must" and not expected:
            failure = Xml.SubElement(case, "failure", message=printable(verdict.why))
            texts = [
                clause(verdict.clause).says,
                *(f"{t}:\n{text}" for t, text in details(verdict)),
            ]
            failure.text = "\n\n".join([*texts, again(report, verdict.case)])
        elif verdict.found in ("broken", "not judged"):
            said = f"{verdict.found} ({verdict.level}): {verdict.why} {expected}"
            Xml.SubElement(case, "skipped", message=printable(said).strip())
    suite.set("tests", str(len(report.verdicts)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    Xml.indent(suite)
    return Xml.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def write_json(data: Any) -> str:
    """Give JSON that people can read, too."""
    return json.dumps(data, indent=2, ensure_ascii=True) + "\n"
