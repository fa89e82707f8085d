"""One message spread over several lines.

It is told from the grammar: the first line leaves brackets open, or a string,
and the second goes on where the first left off.
"""

from rpclab.explain import advice, frames, strings
from rpclab.explain.model import Explanation, Finding, Mistake
from rpclab.explain.moving import moved, moved_mistakes
from rpclab.explain.outlook import Outlook
from rpclab.explain.payload import explain_payload


def find_spread(outlook: Outlook, parts: list[Explanation]) -> Explanation | None:
    """Explain several lines as the one message that they are pieces of, or give None."""
    if not outlook.is_lines or len(parts) < 2 or not _is_cut_off(parts[0]):
        return None
    first, end = outlook.payloads[0], outlook.payloads[-1].end
    if outlook.pieces[-1].kind == frames.REST:
        end = outlook.pieces[-1].end
    joined = explain_payload(outlook.data[first.start : end], outlook.profile)
    reach = parts[1].at + len(parts[1].data) - len(parts[1].data.lstrip()) - first.start
    in_string = joined.mistake is not None and joined.mistake.id == "raw-newline"
    if joined.fault is not None and joined.fault <= reach and not in_string:
        return None
    return moved(joined, first.start)


def _is_cut_off(part: Explanation) -> bool:
    """Tell whether the grammar is left at the end of a line, and not before."""
    return part.fault is not None and part.fault == len(part.data.rstrip(b" \t\r\n")) > 0


def spread_finding(outlook: Outlook, parts: list[Explanation]) -> Finding:
    """Say that the message has a line feed inside, and where the first one is."""
    at = _line_feed(outlook, parts)
    row = strings.FINDINGS["pretty"]
    return Finding(row.clause, row.verdict, row.says, at, at + 1, row.ruling)


def spread_mistakes(
    outlook: Outlook, parts: list[Explanation], joined: Explanation
) -> tuple[Mistake, ...]:
    """Give the likely mistakes: that it is spread, unless a string is."""
    own = tuple(moved_mistakes(joined))
    if own and own[0].id == "raw-newline":
        return own
    return (advice.mistake("pretty-printed", _line_feed(outlook, parts)), *own)


def _line_feed(outlook: Outlook, parts: list[Explanation]) -> int:
    return outlook.data.index(b"\n", parts[0].at)
