"""A report as one HTML page that needs nothing else.

What came from a target is escaped, whatever it is. Every verdict is a word;
colour only helps. What opens is a ``details`` element, so a keyboard opens it.
"""

from collections.abc import Mapping
from html import escape
from typing import Final

from rpclab.conformance import strings
from rpclab.conformance.reports import again, details, printable
from rpclab.conformance.verdicts import Report, Verdict
from rpclab.spec import clause, ruling

_STYLE: Final = """
:root { color-scheme: light dark; --line: #8886 }
:root { --kept: #2a7d3f; --broken: #b3261e; --free: #7a5d00 }
@media (prefers-color-scheme: dark) {
  :root { --kept: #7fd492; --broken: #ffb4ab; --free: #e6c35c }
}
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .3rem .6rem; vertical-align: top }
th, td { border-bottom: 1px solid var(--line) }
summary { cursor: pointer; padding: .3rem 0 }
summary:focus-visible { outline: 2px solid }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: .5rem; margin: .2rem 0 1rem }
pre { border: 1px solid var(--line) }
.kept { color: var(--kept) }
.broken { color: var(--broken); font-weight: bold }
.free { color: var(--free) }
"""


def page(report: Report, reasons: Mapping[str, str] | None = None) -> str:
    """Give the whole page.

    >>> report = Report(target="<b>", profile="core", framing="newline", verdicts=())
    >>> "<b>" in page(report), "&lt;b&gt;" in page(report)
    (False, True)
    """
    title = _text(strings.REPORT_TITLE.format(name=report.target))
    about = strings.REPORT_ABOUT.format(
        cases=report.ran, profile=report.profile, framing=report.framing
    )
    parts = [
        f"<h1>{title}</h1>",
        f"<p>{_text(about)}</p>",
        _counts(report),
        _clauses(report),
        _cases(report, reasons or {}),
        _votes(report),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n<main>\n"
        + "\n".join(parts)
        + "\n</main>\n</html>\n"
    )


def _text(text: str) -> str:
    return escape(printable(text))


def _word(found: str) -> str:
    return f'<span class="{found.replace(" ", "-")}">{found}</span>'


def _row(*cells: str, head: bool = False) -> str:
    begin, end = ('<th scope="col">', "</th>") if head else ("<td>", "</td>")
    return f"<tr>{''.join(f'{begin}{cell}{end}' for cell in cells)}</tr>"


def _counts(report: Report) -> str:
    rows = [_row("", "kept", "broken", head=True)]
    for level in ("must", "should"):
        kept, broken = report.count("kept", level), report.count("broken", level)
        rows.append(_row(level, str(kept), str(broken)))
    rest = f"free: {report.count('free')}, not judged: {report.count('not judged')}"
    return f"<table>{''.join(rows)}</table><p>{rest}</p>"


def _clauses(report: Report) -> str:
    rows = [
        _row(_text(id), _word(found), _text(clause(id).says))
        for id, found in report.clauses().items()
    ]
    head = _row("clause", "verdict", "rule", head=True)
    return f"<h2>{strings.REPORT_CLAUSES}</h2><table>{head}{''.join(rows)}</table>"


def _cases(report: Report, reasons: Mapping[str, str]) -> str:
    shown = "".join(_case(report, verdict, reasons) for verdict in report.verdicts)
    return f"<h2>{strings.REPORT_CASES}</h2>{shown}"


def _case(report: Report, verdict: Verdict, reasons: Mapping[str, str]) -> str:
    notes = [verdict.why, reasons.get(verdict.case, ""), verdict.reading]
    head = f"{_word(verdict.found)} <strong>{_text(verdict.case)}</strong> ({verdict.level})"
    said = "; ".join(_text(note) for note in notes if note)
    body = f"<p>{_text(verdict.clause)}: {_text(clause(verdict.clause).says)}</p>"
    body += "".join(f"<p>{title}</p><pre>{_text(text)}</pre>" for title, text in details(verdict))
    body += f"<p>{strings.REPORT_AGAIN}</p><pre>{_text(again(report, verdict.case))}</pre>"
    return (
        f'<details id="{_text(verdict.case)}"{" open" * (verdict.found == "broken")}>'
        f"<summary>{head}{': ' * bool(said)}{said}</summary>{body}</details>\n"
    )


def _votes(report: Report) -> str:
    rows = [
        _row(_text(id), _text(ruling(id).point), _text(vote)) for id, vote in report.votes().items()
    ]
    head = _row("ruling", "point", "reading", head=True)
    return f"<h2>{strings.REPORT_VOTES}</h2><table>{head}{''.join(rows)}</table>"
