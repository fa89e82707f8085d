"""The envelope builder: put a call together, and see what the parser says of it."""

from dataclasses import dataclass
from typing import Final

import ipywidgets as w

from rpclab.codec import decode, encode
from rpclab.errors import InvalidRequest, ParseError
from rpclab.messages import Request
from rpclab.parsing import looks_like_response, parse_request, readable_id
from rpclab.widgets.base_widget import Widget
from rpclab.widgets.html_parts import Html, code, table, template

VALUES: Final = {
    "jsonrpc": ('"2.0"', "2.0", '"1.0"', '"2.00"', "null"),
    "method": ('"sum"', '""', "1", "null", '["sum"]', '"rpc.sum"'),
    "params": ("[1,2]", '{"a":1}', "[]", "null", '"hi"', "5", "true"),
    "id": ("7", "0", '""', '"7"', "null", "1.5", "9007199254740993", "true", "[]", "{}"),
}
"""The JSON texts to choose from, for each member; the first one is chosen at first."""

_LEFT_OUT: Final = ""


@dataclass(frozen=True, repr=False, slots=True)
class Envelope:
    """A line, the verdict of ``parse_request``, and the id of an error about it."""

    line: str
    verdict: str
    refused: bool
    carries: str

    def __repr__(self) -> str:
        """Show all three."""
        names = ("the line", "parse_request", "an error carries")
        width = max(map(len, names))
        said = zip(names, (self.line, self.verdict, self.carries), strict=True)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in said)


def judge_envelope(line: str) -> Envelope:
    """Return the verdict of ``parse_request`` on a line, and the id of an error about it.

    >>> judge_envelope('{"jsonrpc":"2.0","method":1,"id":7}').carries
    'id 7'
    """
    try:
        call = parse_request(line)
    except (ParseError, InvalidRequest) as error:
        verdict = f"{type(error).__name__} {error.code}: {error.data}"
        return Envelope(line, verdict, refused=True, carries=_say_id(line, error))
    silent = "nothing: a notification is never answered"
    carries = f"id {encode(call.id)}" if type(call) is Request else silent
    return Envelope(line, repr(call), refused=False, carries=carries)


def _say_id(line: str, error: ParseError | InvalidRequest) -> str:
    value = None if isinstance(error, ParseError) else decode(line)
    if looks_like_response(value):
        return "nothing: a response is never answered"
    return f"id {encode(readable_id(value))}"


class EnvelopeBuilder(Widget):
    """One field for each member of a call. Any of them can be left out."""

    def __init__(self) -> None:
        self.members = {
            name: w.Dropdown(options=_options(*values), value=values[0], description=name)
            for name, values in VALUES.items()
        }
        self.shown = w.HTML()
        for part in self.members.values():
            part.observe(self.guarded(lambda _: self._show()), "value")
        wrap = w.Layout(flex_flow="row wrap")
        super().__init__(w.HBox([*self.members.values()], layout=wrap), self.shown)
        for name, part in self.members.items():
            part.add_class(f"rpclab-envelope-{name}")
        self.shown.add_class("rpclab-envelope")
        self._show()

    def build(self, **members: str | None) -> Envelope:
        """Do what the fields do: choose the JSON text of members. ``None`` leaves one out.

        A member that is not named is as it was at first.
        """
        for name, part in self.members.items():
            text = members.get(name, VALUES[name][0]) or _LEFT_OUT
            known = VALUES[name]
            part.options = _options(*known, *({text} - {*known, _LEFT_OUT}))
            part.value = text
        return self._show()

    def _show(self) -> Envelope:
        chosen = [f'"{name}":{part.value}' for name, part in self.members.items() if part.value]
        envelope = judge_envelope(f"{{{','.join(chosen)}}}")
        self.shown.value = show_envelope(envelope)
        return envelope


def _options(*values: str) -> list[tuple[str, str]]:
    return [*zip(values, values, strict=True), ("left out", _LEFT_OUT)]


_VERDICT: Final = template("{{ badge(word, VERDICT[verdict]) }} {{ code(says) }}")


def show_envelope(envelope: Envelope) -> Html:
    """Show a line, its verdict, and the id of an error about it."""
    word, verdict = ("refused", "broken") if envelope.refused else ("taken", "kept")
    return table(
        ("", "what it is"),
        [
            ("the line", code(envelope.line)),
            ("parse_request", _VERDICT(word=word, verdict=verdict, says=envelope.verdict)),
            ("an error carries", envelope.carries),
        ],
    )
