"""An explanation as HTML: verdict, findings, the answer that is due, the mistake."""

from typing import Final

from rpclab.explain import Explanation, Finding
from rpclab.widgets import strings, theme
from rpclab.widgets.render import escape

_MOST: Final = 40
_ORDER: Final = ("broken", "bent", "free", "kept")


def as_html(explanation: Explanation) -> str:
    """Say all that is to be said about some bytes."""
    head = strings.EXPLAINED.format(
        shape=explanation.shape, verdict=explanation.verdict, count=len(explanation.data)
    )
    parts = [f"<h4>{escape(head)}</h4>", _mistake(explanation), _answer(explanation)]
    parts += [_table(explanation), _members(explanation)]
    return f'<div style="{theme.TEXT}">{"".join(parts)}</div>'


def _mistake(explanation: Explanation) -> str:
    if explanation.mistake is None:
        return ""
    one = explanation.mistake
    says = strings.MISTAKE.format(says=one.says, offset=one.offset, fix=one.fix)
    return f'<p class="rpclab-mistake"><b>{strings.LIKELY}</b> {escape(says)}</p>'


def _answer(explanation: Explanation) -> str:
    due = explanation.answer
    line = f'<br><code style="{theme.MONO}">{escape(due.line)}</code>' if due.line else ""
    return f"<p><b>{strings.MUST_ANSWER}</b> {due.kind}: {escape(due.says)}{line}</p>"


def _table(explanation: Explanation) -> str:
    ordered = sorted(explanation.findings, key=lambda finding: _ORDER.index(finding.verdict))
    rows = "".join(map(_row, ordered[:_MOST]))
    more = len(ordered) - _MOST
    note = f"<p>{strings.MORE_FINDINGS.format(count=more)}</p>" if more > 0 else ""
    head = "".join(f"<th style='text-align:left'>{name}</th>" for name in strings.FINDING_COLUMNS)
    return f'<table class="rpclab-findings"><tr>{head}</tr>{rows}</table>{note}'


def _row(finding: Finding) -> str:
    colour = theme.VERDICT[finding.verdict]
    style = f"border-left:6px solid {colour};padding:2px 8px;text-align:left"
    place = f"{finding.start} to {max(finding.start, finding.end - 1)}"
    cells = (finding.clause, escape(finding.says), place)
    rest = "".join(f'<td style="text-align:left">{cell}</td>' for cell in cells)
    return f'<tr><td style="{style}">{finding.verdict}</td>{rest}</tr>'


def _members(explanation: Explanation) -> str:
    if not explanation.members:
        return ""
    rows = "".join(
        f"<li>{escape(strings.MEMBER.format(shape=m.shape, verdict=m.verdict, at=m.at))}</li>"
        for m in explanation.members[:_MOST]
    )
    return f"<p><b>{strings.MEMBERS}</b></p><ol>{rows}</ol>"
