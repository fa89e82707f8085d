"""How cancel and progress are spelled: the field has two manners.

JSON-RPC has neither. Both are notifications that a protocol agrees on.
Source: Language Server Protocol 3.17, base protocol; Model Context Protocol,
cancellation and progress.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from rpclab.messages import Id, Json, Notification
from rpclab.peer.meta import META


class Manner(NamedTuple):
    """How a protocol spells cancel and progress."""

    cancel: str
    id: str  # where the cancel names the request
    reason: str | None
    answered: bool  # a cancelled request gets a response all the same
    progress: str
    token: str  # where progress names the token
    token_path: tuple[str, ...]  # where the caller's params offer it
    spell: Callable[[Json, float | None, str | None, str | None], dict[str, Json]]
    end: dict[str, Json] | None  # the last report of a call, where one is due
    read: Callable[[Json], Json]  # the inverse: what a progress notification says

    def cancel_call(self, id: Id, reason: str) -> Notification:
        """Make the notification that cancels a request of ours."""
        because = {self.reason: reason} if self.reason else {}
        return Notification(self.cancel, {self.id: id} | because)

    def report(self, token: Json, note: dict[str, Json]) -> Notification:
        """Make a progress notification."""
        return Notification(self.progress, {self.token: token} | note)


def _spell_lsp(
    done: Json, total: float | None, message: str | None, title: str | None
) -> dict[str, Json]:
    """Write a value that is alone as it is, and others as LSP's work done.

    Its first report is of kind begin and has a title.
    """
    if total is None and message is None:
        return {"value": done}
    kind = {"kind": "report"} if title is None else {"kind": "begin", "title": title}
    percentage = {"percentage": round(100 * done / total)} if total else {}
    said = {"message": message} if message is not None else {}
    return {"value": kind | percentage | said}


def _spell_mcp(
    done: Json, total: float | None, message: str | None, _: str | None
) -> dict[str, Json]:
    note = {"progress": done, "total": total, "message": message}
    return {name: value for name, value in note.items() if value is not None}


_MANNERS: Final = {
    "lsp": Manner(
        cancel="$/cancelRequest",
        id="id",
        reason=None,
        answered=True,
        progress="$/progress",
        token="token",
        token_path=("workDoneToken",),
        spell=_spell_lsp,
        end={"value": {"kind": "end"}},
        read=lambda params: params.get("value"),
    ),
    "mcp": Manner(
        cancel="notifications/cancelled",
        id="requestId",
        reason="reason",
        answered=False,
        progress="notifications/progress",
        token="progressToken",
        token_path=(META, "progressToken"),
        spell=_spell_mcp,
        end=None,
        read=lambda params: {k: v for k, v in params.items() if k != "progressToken"},
    ),
}


def find_manner(name: str) -> Manner:
    """Give the manner of ``"lsp"`` or of ``"mcp"``.

    Raises:
        ValueError: it is neither.
    """
    if name not in _MANNERS:
        raise ValueError(f"a manner of cancel is one of {', '.join(_MANNERS)}")
    return _MANNERS[name]
