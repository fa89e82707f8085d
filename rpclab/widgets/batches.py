"""The batch builder: which member of a batch earns which reply."""

from dataclasses import dataclass
from typing import NamedTuple

import ipywidgets as w

from rpclab.codec import decode, encode
from rpclab.demos.console import SILENCE, Console, name_shape
from rpclab.dispatch import unpack
from rpclab.messages import ErrorResponse, Handler, Request
from rpclab.widgets import rows, strings, theme
from rpclab.widgets.base import Widget


class Earned(NamedTuple):
    """One member of a batch, and the reply to it, or None for silence."""

    member: str
    reply: str | None


@dataclass(frozen=True, repr=False, slots=True)
class BatchAnswer:
    """A line, what each of its members earned, and the one line that came back."""

    line: str
    earned: tuple[Earned, ...]
    reply: str | None

    def __repr__(self) -> str:
        """Say what each member earned, then the whole reply."""
        said = [
            f"{number}  {one.member}\n   {one.reply or SILENCE}"
            for number, one in enumerate(self.earned, start=1)
        ]
        return "\n".join([*said, f"{strings.WHOLE_REPLY}: {self.reply or SILENCE}"])


def answer_batch(line: str, console: Console) -> BatchAnswer:
    """Send a line, and say which of its members each reply belongs to."""
    received = console.send(line).received
    reply = received[0] if received else None
    members = unpack(line)
    if not isinstance(members, list):
        return BatchAnswer(line, (), reply)
    # The loop answers one member after another, so the replies stand in their order.
    replies = iter(decode(reply) if reply else [])
    earns = [
        encode(next(replies)) if type(m) in (Request, ErrorResponse) else None for m in members
    ]
    return BatchAnswer(line, tuple(map(Earned, map(encode, decode(line)), earns)), reply)


class BatchBuilder(Widget):
    """A field with one member a line, and some members to add.

    Args:
        handler: the server's handler; the demo server's if left out.
    """

    def __init__(self, handler: Handler | None = None) -> None:
        self._console = Console(handler)
        wide = w.Layout(width="98%")
        self._add = w.Dropdown(
            options=[(strings.ADD_HINT, ""), *strings.BATCH_MEMBERS], description=strings.ADD
        )
        self._members = w.Textarea(
            "\n".join(text for _, text in strings.BATCH_MEMBERS[:2]),
            description=strings.MEMBERS_FIELD,
            placeholder=strings.MEMBERS_HINT,
            rows=5,
            layout=wide,
        )
        button = w.Button(description=strings.SEND, button_style="primary")
        self._shown = w.HTML(f"<p>{strings.NO_BATCH_YET}</p>")
        self._add.observe(self.guarded(lambda change: self._append(change.new)), "value")
        button.on_click(self.guarded(lambda _: self.send()))
        super().__init__(self._add, self._members, button, self._shown)
        button.add_class("rpclab-send-batch")
        for name, part in (("add", self._add), ("members", self._members), ("earned", self._shown)):
            part.add_class(f"rpclab-{name}")

    def build(self, *members: str) -> BatchAnswer:
        """Fill the field with these members, each as JSON text, and send them as a batch."""
        self._members.value = "\n".join(members)
        return self.send()

    def send(self) -> BatchAnswer:
        """Do what the button does: send what stands in the field, as one batch."""
        members = [line.strip() for line in self._members.value.splitlines() if line.strip()]
        answer = answer_batch(f"[{','.join(members)}]", self._console)
        self._shown.value = as_html(answer)
        return answer

    def _append(self, member: str) -> None:
        if member:
            self._members.value = f"{self._members.value}\n{member}".strip()
            self._add.value = ""


def as_html(answer: BatchAnswer) -> str:
    """Show each member beside the reply that it earned, then the whole reply."""
    members = [(one.member, one.reply) for one in answer.earned]
    shown = [
        (rows.text(str(number)), rows.code(member), _reply(reply))
        for number, (member, reply) in enumerate(members, start=1)
    ]
    whole = (rows.text(strings.WHOLE_LINE), rows.code(answer.line), _reply(answer.reply))
    return rows.table(strings.BATCH_COLUMNS, [*shown, whole])


def _reply(reply: str | None) -> str:
    shape = name_shape(reply) if reply else SILENCE
    return f"{rows.badge(shape, theme.BADGE[shape])} {rows.code(reply or '')}"
