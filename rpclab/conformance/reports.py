"""A report for people and for programs: JSON, JUnit's XML, an HTML page, a badge.

One rule: whatever came from a target is made printable, and is escaped by the
template or the XML library. A fault is told once, and the cases that it blocks with it.

Interface:
  - ``report_data`` and ``write_json``: the report as JSON
  - ``junit``, ``report_page``, ``badge``: the report as a file for CI, people, a README
  - ``count_faults``: how many clauses are broken, and what that blocks, in a sentence
  - ``again``: the one command that shows a case again
"""

import json
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as Xml

from rpclab.conformance.judging import Fault, Report, Verdict
from rpclab.messages import Json
from rpclab.spec import clause, link, ruling, source
from rpclab.spec.inline_code import as_html, as_plain

MOST_BYTES: Final = 4096
"""How much of one message a report shows."""

TEMPLATES: Final = Path(__file__).parent / "templates"
_NOTHING: Final = "(nothing)"
_CHARACTER: Final = 7  # about how wide one is in the badge, at 11 pixels


# --- text that is safe to show ----------------------------------------------------


def printable(text: str) -> str:
    r"""Show characters that are not printable as escapes, so that they control nothing.

    >>> printable("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)


def readable(data: bytes, most: int = MOST_BYTES) -> str:
    r"""Return bytes as text: with ``\xff`` for what is not UTF-8, and a long middle left out.

    >>> readable(b'{"a\xff')
    '{"a\\xff'
    """
    if len(data) <= most:
        return printable(data.decode(errors="backslashreplace"))
    half = most // 2
    left_out = f"… {len(data) - 2 * half} bytes left out …"
    return f"{readable(data[:half], most)}{left_out}{readable(data[-half:], most)}"


def again(report: Report, case: str) -> str:
    """Return the command that runs one case again."""
    words = ["rpclab", report.command]
    if report.profile != "core":
        words += ["--profile", report.profile]
    if report.framing != "newline":
        words += ["--framing", report.framing]
    for name, theirs in report.names.items():
        words += ["--methods", f"{name}={theirs}"]
    words += report.start
    return f"{shlex.join([*words, '--case', case])} -- {report.target}"


def details(verdict: Verdict, most: int = MOST_BYTES) -> list[tuple[str, str]]:
    """Return what shows a verdict: pairs of a title and a text."""

    def text(payloads: Iterable[bytes]) -> str:
        return "\n".join(readable(payload, most) for payload in payloads) or _NOTHING

    lists = ["\n".join(map(printable, lines)) or _NOTHING for lines in verdict.wanted]
    parts = [
        ("sent", text([verdict.sent])),
        ("came", text(verdict.came)),
        ("wanted", "\nor\n".join(dict.fromkeys(lists)) or _NOTHING),
    ]
    if verdict.wrote:
        parts.append(("wrote", text(verdict.wrote)))
    if verdict.stderr:
        parts.append(("stderr", printable(verdict.stderr)))
    return parts


# --- faults -----------------------------------------------------------------------


def count_faults(report: Report) -> str:
    """Say how many clauses are broken, and how many cases that keeps from being judged.

    >>> count_faults(Report(target="x", profile="core", framing="newline", verdicts=()))
    'Nothing was judged.'
    """
    faults = report.faults()
    if not faults:
        return "No fault." if report.ran else "Nothing was judged."
    said = _count(len(faults), "fault")
    if blocked := count_blocked(report):
        said += f"; {_count(blocked, 'case')} blocked by {'it' if len(faults) == 1 else 'them'}"
    return f"{said}."


def count_blocked(report: Report) -> int:
    """Return how many cases could not be judged because of a fault."""
    return sum(len(fault.blocked) for fault in report.faults())


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def find_evidence(report: Report, fault: Fault) -> list[Verdict]:
    """Return the verdicts that show a fault: on a MUST first."""
    broken = [verdict for verdict in report.verdicts if verdict.case in fault.cases]
    return sorted(broken, key=lambda verdict: verdict.level != "must")


def find_source(id: str) -> str:
    """Return where a clause is said: its source, its section, and the address if it has one.

    >>> find_source("5.reply")
    'JSON-RPC 2.0 Specification, 5: https://www.jsonrpc.org/specification#response_object'
    """
    rule = clause(id)
    address = link(rule)
    place = f"{source(rule.source).title.split(' (')[0]}, {rule.section}"
    return f"{place}: {address}" if address else place


# --- JSON -------------------------------------------------------------------------


def report_data(report: Report, reasons: Mapping[str, str] | None = None) -> dict[str, Json]:
    """Return a report as a JSON value. ``reasons`` are by case, from ``load_expected``."""
    return {
        "target": report.target,
        "profile": report.profile,
        "revision": report.revision,
        "framing": report.framing,
        "keeps_every_must": report.keeps_every_must,
        "counts": {
            level: {found: report.count(found, level) for found in ("kept", "broken")}
            for level in ("must", "should")
        }
        | {"free": report.count("free"), "not judged": report.count("not judged")},
        "missing_methods": list(report.missing),
        **_early_end(report),
        "faults": [
            {
                "clause": fault.clause,
                "link": link(clause(fault.clause)),
                "cases": list(fault.cases),
                "blocked": list(fault.blocked),
            }
            for fault in report.faults()
        ],
        "clauses": report.clauses(),
        "votes": report.votes(),
        "cases": [_case_data(report, verdict, reasons or {}) for verdict in report.verdicts],
    }


def _early_end(report: Report) -> dict[str, Json]:
    """Return how much was judged, if the run was interrupted."""
    if not report.unfinished:
        return {}
    judged = len(report.verdicts)
    return {"interrupted": {"judged": judged, "of": judged + report.unfinished}}


def _case_data(report: Report, verdict: Verdict, reasons: Mapping[str, str]) -> dict[str, Json]:
    data: dict[str, Json] = {
        "case": verdict.case,
        "clause": verdict.clause,
        "level": verdict.level,
        "verdict": verdict.found,
    }
    optional = {
        "why": verdict.why,
        "blocked_by": verdict.blocked_by,
        "delivery": verdict.delivery,
        "carrier": verdict.carrier,
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


def write_json(data: Any) -> str:
    """Return JSON that people can read, too."""
    return json.dumps(data, indent=2, ensure_ascii=True) + "\n"


# --- JUnit ------------------------------------------------------------------------


def junit(report: Report, reasons: Mapping[str, str] | None = None) -> str:
    """Return a report in JUnit's format. Only a broken MUST is a failure, and only once."""
    suite = Xml.Element("testsuite", name=f"JSON-RPC 2.0: {report.profile}")
    properties = Xml.SubElement(suite, "properties")
    Xml.SubElement(properties, "property", name="faults", value=count_faults(report))
    failed: dict[str, str] = {}
    for verdict in report.verdicts:
        case = Xml.SubElement(suite, "testcase", classname=verdict.clause, name=verdict.case)
        expected = (reasons or {}).get(verdict.case)
        if verdict.blocked_by:
            Xml.SubElement(case, "skipped", message=f"blocked by {verdict.blocked_by}")
        elif verdict.found == "broken" and verdict.level == "must" and expected is None:
            first = failed.setdefault(verdict.clause, verdict.case)
            if first == verdict.case:
                failure = Xml.SubElement(case, "failure", message=printable(verdict.why))
                failure.text = _failure_text(report, verdict)
            else:
                said = printable(f"the same fault as {first}: {verdict.why}")
                Xml.SubElement(case, "skipped", message=said)
        elif verdict.found in ("broken", "not judged"):
            said = f"{verdict.found} ({verdict.level}): {verdict.why} {expected or ''}"
            Xml.SubElement(case, "skipped", message=printable(said).strip())
    suite.set("tests", str(len(report.verdicts)))
    suite.set("failures", str(len(failed)))
    suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    Xml.indent(suite)
    return Xml.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _failure_text(report: Report, verdict: Verdict) -> str:
    """Return what a fault is, what shows it, and which cases it takes with it."""
    [fault] = [fault for fault in report.faults() if fault.clause == verdict.clause]
    others = [case for case in fault.cases if case != verdict.case]
    lists = {"shown too by": others, "blocks": fault.blocked}
    return "\n\n".join(
        [
            as_plain(clause(verdict.clause).says),
            find_source(verdict.clause),
            *(f"{title}:\n{text}" for title, text in details(verdict)),
            *(f"{title}: {', '.join(cases)}" for title, cases in lists.items() if cases),
            again(report, verdict.case),
        ]
    )


# --- a page, and a badge ----------------------------------------------------------


def fill_template(name: str, **values: Any) -> str:
    """Fill one of our templates. Every text in it is made printable and escaped.

    The filter ``prose`` is for our own sentences: it marks what they have in backticks.
    """
    # A browser edition has no Jinja2, and judges and shows details without it.
    import jinja2  # noqa: PLC0415
    import markupsafe  # noqa: PLC0415

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: printable(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["prose"] = lambda text: markupsafe.Markup(as_html(printable(text)))
    return environment.get_template(name).render(values)


def report_page(report: Report, reasons: Mapping[str, str] | None = None) -> str:
    """Return a report as one HTML page that needs no other file.

    >>> report = Report(target="<b>", profile="core", framing="newline", verdicts=())
    >>> "<b>" in report_page(report), "&lt;b&gt;" in report_page(report)
    (False, True)
    """
    return fill_template(
        "report.html",
        report=report,
        reasons=reasons or {},
        count_faults=count_faults,
        find_evidence=find_evidence,
        find_source=find_source,
        link=link,
        clause=clause,
        ruling=ruling,
        details=details,
        again=again,
    )


def badge(report: Report) -> str:
    """Return a badge as SVG: how many MUST cases are kept, and how many clauses are broken.

    >>> report = Report(target="x", profile="core", framing="newline", verdicts=())
    >>> "nothing judged" in badge(report)
    True
    """
    kept = report.count("kept", "must")
    judged = kept + report.count("broken", "must")
    text = f"{kept} of {judged} MUST kept" if judged else "nothing judged"
    if faults := report.faults():
        text += f", {_count(len(faults), 'fault')}"
    if blocked := count_blocked(report):
        text += f", {blocked} blocked"
    colour = "#2a7d3f" if judged and report.keeps_every_must else "#b3261e"
    label = "JSON-RPC 2.0" if report.profile == "core" else f"JSON-RPC 2.0 ({report.profile})"
    left, right = (_CHARACTER * len(words) + 12 for words in (label, text))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" role="img"
 width="{left + right}" height="20">
<title>{label}: {text}</title>
<rect width="{left + right}" height="20" rx="3" fill="#444"/>
<path d="M{left} 0h{right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{right - 3}z" fill="{colour}"/>
<g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11" text-anchor="middle">
<text x="{left / 2:g}" y="14">{label}</text>
<text x="{left + right / 2:g}" y="14">{text}</text>
</g>
</svg>
"""
