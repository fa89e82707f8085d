"""The dialects of cancel and progress: LSP's and MCP's.

JSON-RPC itself has no cancel and no progress. A protocol on top of it agrees on
notifications for them, and two ways of doing so are in wide use.
Source: Language Server Protocol 3.17, base protocol; Model Context Protocol,
cancellation, progress and ping.
"""

from collections.abc import Callable
from typing import Final, Literal, NamedTuple, TypeAlias

from rpclab.messages import META, Id, Json, Notification

DialectName: TypeAlias = Literal["lsp", "mcp"]


class Dialect(NamedTuple):
    """How a protocol writes cancel and progress, and whether it has a ping."""

    name: DialectName
    cancel_method: str
    cancel_id: str  # the member of a cancel that holds the id of the request
    cancel_reason: str | None  # the member for a reason, if there is one
    answers_cancelled: bool  # whether a cancelled request still gets a response
    progress_method: str
    progress_token: str  # the member of progress that holds the token
    token_path: tuple[str, ...]  # where the params of a request offer a token
    write_progress: Callable[[Json, float | None, str | None, str | None], dict[str, Json]]
    last_progress: dict[str, Json] | None  # what ends the progress of a call, if anything
    read_progress: Callable[[Json], Json]  # the params of progress -> what was reported
    foreign_tokens: bool  # whether the peer may make tokens of its own
    ping_method: str | None  # what is answered with an empty result, if anything

    def cancel_call(self, id: Id, reason: str) -> Notification:
        """Make the notification that cancels one of our requests."""
        because = {self.cancel_reason: reason} if self.cancel_reason else {}
        return Notification(self.cancel_method, {self.cancel_id: id} | because)

    def report(self, token: Json, note: dict[str, Json]) -> Notification:
        """Make a progress notification."""
        return Notification(self.progress_method, {self.progress_token: token} | note)


def _write_lsp(
    done: Json, total: float | None, message: str | None, title: str | None
) -> dict[str, Json]:
    """Write a lone value as it is, and anything more as LSP's work done progress.

    The first report of a call is of kind begin and has a title.
    """
    if total is None and message is None:
        return {"value": done}
    kind = {"kind": "report"} if title is None else {"kind": "begin", "title": title}
    percentage = {"percentage": round(100 * done / total)} if total else {}
    said = {"message": message} if message is not None else {}
    return {"value": kind | percentage | said}


def _write_mcp(
    done: Json, total: float | None, message: str | None, _: str | None
) -> dict[str, Json]:
    note = {"progress": done, "total": total, "message": message}
    return {name: value for name, value in note.items() if value is not None}


_DIALECTS: Final = {
    "lsp": Dialect(
        name="lsp",
        cancel_method="$/cancelRequest",
        cancel_id="id",
        cancel_reason=None,
        answers_cancelled=True,
        progress_method="$/progress",
        progress_token="token",
        token_path=("workDoneToken",),
        write_progress=_write_lsp,
        last_progress={"value": {"kind": "end"}},
        read_progress=lambda params: params.get("value"),
        foreign_tokens=True,  # by window/workDoneProgress/create
        ping_method=None,
    ),
    "mcp": Dialect(
        name="mcp",
        cancel_method="notifications/cancelled",
        cancel_id="requestId",
        cancel_reason="reason",
        answers_cancelled=False,
        progress_method="notifications/progress",
        progress_token="progressToken",
        token_path=(META, "progressToken"),
        write_progress=_write_mcp,
        last_progress=None,
        read_progress=lambda params: {k: v for k, v in params.items() if k != "progressToken"},
        foreign_tokens=False,
        ping_method="ping",  # up to revision 2025-11-25; later revisions do not have it
    ),
}


def find_dialect(name: str) -> Dialect:
    """Return the dialect ``"lsp"`` or ``"mcp"``.

    Raises:
        ValueError: it is neither.
    """
    if name not in _DIALECTS:
        raise ValueError(f"a dialect is one of {', '.join(_DIALECTS)}")
    return _DIALECTS[name]


def choose_dialect(dialect: str | None, cancel: str | None) -> Dialect:
    """Return the dialect that a caller chose, by either name of the parameter.

    ``cancel`` is the old name of ``dialect``. If neither is given, it is LSP's.

    Raises:
        ValueError: both are given, or there is no such dialect.
    """
    if dialect is not None and cancel is not None:
        raise ValueError("cancel is the old name of dialect: give only one of them")
    name = cancel if dialect is None else dialect
    return find_dialect("lsp" if name is None else name)
