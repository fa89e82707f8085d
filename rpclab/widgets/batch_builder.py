"""The batch builder: see which reply each member of a batch gets."""

from dataclasses import dataclass
from typing import Final, NamedTuple

import ipywidgets as w

from rpclab.codec import decode, encode
from rpclab.demos.console import SILENCE, Console, name_shape
from rpclab.dispatch import unpack
from rpclab.messages import ErrorResponse, Handler, Request
from rpclab.widgets.base_widget import Widget, wide
from rpclab.widgets.html_parts import Html, code, paragraph, table, template

BATCH_MEMBERS: Final = (
    ("a request", '{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":"a"}'),
    ("a notification", '{"jsonrpc":"2.0","method":"update","params":[1]}'),
    ("a method that fails", '{"jsonrpc":"2.0","method":"boom","id":"b"}'),
    ("an unknown method", '{"jsonrpc":"2.0","method":"foobar","id":"c"}'),
    ("a notification that fails", '{"jsonrpc":"2.0","method":"boom"}'),
    ("an object that is not a call", '{"foo":"bar"}'),
    ("a number", "1"),
    ("a batch inside the batch", '[{"jsonrpc":"2.0","method":"get_data","id":"d"}]'),
    ("a response", '{"jsonrpc":"2.0","result":19,"id":1}'),
    ("not JSON", '{"jsonrpc":"2.0","method"'),
)


class Earned(NamedTuple):
    """One member of a batch, and the reply to it, or None if it has no reply."""

    member: str
    reply: str | None


@dataclass(frozen=True, repr=False, slots=True)
class BatchAnswer:
    """A line, the reply to each of its members, and the one line that came back."""

    line: str
    earned: tuple[Earned, ...]
    reply: str | None

    def __repr__(self) -> str:
        """Show each member with its reply, then the whole reply."""
        said = [
            f"{number}  {one.member}\n   {one.reply or SILENCE}"
            for number, one in enumerate(self.earned, start=1)
        ]
        return "\n".join([*said, f"the whole reply: {self.reply or SILENCE}"])


def answer_batch(line: str, console: Console) -> BatchAnswer:
    """Send a line, and find the member that each reply belongs to."""
    received = console.send(line).received
    reply = received[0] if received else None
    members = unpack(line)
    if not isinstance(members, list):
        return BatchAnswer(line, (), reply)
    # The loop answers one member after another, so the replies are in the order of the members.
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
        self.choices = w.Dropdown(
            options=[("a member, good or broken", ""), *BATCH_MEMBERS], description="Add"
        )
        self.members = w.Textarea(
            "\n".join(text for _, text in BATCH_MEMBERS[:2]),
            description="Members",
            placeholder="one member a line",
            rows=5,
            continuous_update=False,  # the whole text comes before the press of Send
            layout=wide(),
        )
        self.send_button = w.Button(description="Send", button_style="primary")
        self.shown = w.HTML(
            paragraph("Nothing was sent yet. Add members, or type them, and press Send.")
        )
        self.choices.observe(self.guarded(lambda change: self.add(change.new)), "value")
        self.send_button.on_click(self.guarded(lambda _: self.send()))
        super().__init__(self.choices, self.members, self.send_button, self.shown)
        self.choices.add_class("rpclab-add")
        self.members.add_class("rpclab-members")
        self.send_button.add_class("rpclab-send-batch")
        self.shown.add_class("rpclab-earned")

    def build(self, *members: str) -> BatchAnswer:
        """Fill the field with these members, each as JSON text, and send them as a batch."""
        self.members.value = "\n".join(members)
        return self.send()

    def send(self) -> BatchAnswer:
        """Do what the button does: send the members in the field as one batch."""
        members = [line.strip() for line in self.members.value.splitlines() if line.strip()]
        answer = answer_batch(f"[{','.join(members)}]", self._console)
        self.shown.value = show_answer(answer)
        return answer

    def add(self, member: str) -> None:
        """Do what the list does: put one more member into the field."""
        if member:
            self.members.value = f"{self.members.value}\n{member}".strip()
            self.choices.value = ""


_REPLY: Final = template("{{ badge(shape, BADGE[shape]) }} {{ code(reply) }}")


def show_answer(answer: BatchAnswer) -> Html:
    """Show each member beside its reply, then the whole reply."""
    rows = [
        (str(number), code(one.member), _show_reply(one.reply))
        for number, one in enumerate(answer.earned, start=1)
    ]
    whole = ("line", code(answer.line), _show_reply(answer.reply))
    return table(("place", "member", "reply"), [*rows, whole])


def _show_reply(reply: str | None) -> Html:
    return _REPLY(shape=name_shape(reply) if reply else SILENCE, reply=reply or "")
