"""A badge: how many MUST cases a target keeps, as a picture."""

from typing import Final

from rpclab.conformance.verdicts import Report

_CHARACTER: Final = 7  # about how wide one is, at 11 pixels
_LABEL: Final = "JSON-RPC 2.0"


def badge(report: Report) -> str:
    """Give the badge as SVG. The numbers say it; the colour repeats it.

    >>> report = Report(target="x", profile="core", framing="newline", verdicts=())
    >>> "nothing judged" in badge(report)
    True
    """
    kept = report.count("kept", "must")
    judged = kept + report.count("broken", "must")
    text = f"{kept} of {judged} MUST kept" if judged else "nothing judged"
    colour = "#2a7d3f" if judged and report.keeps_every_must else "#b3261e"
    label = _LABEL if report.profile == "core" else f"{_LABEL} ({report.profile})"
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
