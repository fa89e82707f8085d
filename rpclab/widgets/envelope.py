"""The envelope builder: put a call together, and see what the parser says of it."""

from dataclasses import dataclass
from typing import Final

import ipywidgets as w

from rpclab.codec import decode, encode
from rpclab.errors import InvalidRequest, ParseError
from rpclab.messages import Request
from rpclab.parsing import looks_like_response, parse_request, readable_id
from rpclab.widgets import rows, strings, theme
from rpclab.widgets.base import Widget

_LEFT_OUT: Final = ""


@dataclass(frozen=True, repr=False, slots=True)
class Envelope:
    """A line, the verdict of ``parse_request``, and what an error about it would carry."""

    line: str
    verdict: str
    refused: bool
    carries: str

    def __repr__(self) -> str:
        """Say all three."""
        names = (strings.ENVELOPE_LINE, strings.ENVELOPE_VERDICT, strings.ENVELOPE_ID)
        width = max(map(len, names))
        said = zip(names, (self.line, self.verdict, self.carries), strict=True)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in said)


def judge_envelope(line: str) -> Envelope:
    """Say what ``parse_request`` says of a line, and which id an error would carry.

    >>> judge_envelope('{"jsonrpc":"2.0","method":1,"id":7}').carries
    'id 7'
    """
    try:
        call = parse_request(line)
    except (ParseError, InvalidRequest) as error:
        name = type(error).__name__
        verdict = strings.REFUSED.format(name=name, code=error.code, why=error.data)
        return Envelope(line, verdict, refused=True, carries=_say_id(line, error))
    id = strings.CARRIES.format(id=encode(call.id)) if type(call) is Request else strings.SILENT
    return Envelope(line, repr(call), refused=False, carries=id)


def _say_id(line: str, error: ParseError | InvalidRequest) -> str:
    value = None if isinstance(error, ParseError) else decode(line)
    if looks_like_response(value):
        return strings.SILENT_RESPONSE
    return strings.CARRIES.format(id=encode(readable_id(value)))


class EnvelopeBuilder(Widget):
    """One field for each member of a call. Any of them can be left out."""

    def __init__(self) -> None:
        self._parts = {
            name: w.Dropdown(options=_options(*values), value=values[0], description=name)
            for name, values in strings.ENVELOPE_VALUES.items()
        }
        self._shown = w.HTML()
        for part in self._parts.values():
            part.observe(self.guarded(lambda _: self._show()), "value")
        wrap = w.Layout(flex_flow="row wrap")
        super().__init__(w.HBox([*self._parts.values()], layout=wrap), self._shown)
        for name, part in self._parts.items():
            part.add_class(f"rpclab-envelope-{name}")
        self._shown.add_class("rpclab-envelope")
        self._show()

    def build(self, **members: str | None) -> Envelope:
        """Do what the fields do: choose the JSON text of members. ``None`` leaves one out.

        What is not named stands as it did at first.
        """
        for name, part in self._parts.items():
            text = members.get(name, strings.ENVELOPE_VALUES[name][0]) or _LEFT_OUT
            known = strings.ENVELOPE_VALUES[name]
            part.options = _options(*known, *({text} - {*known, _LEFT_OUT}))
            part.value = text
        return self._show()

    def _show(self) -> Envelope:
        chosen = [f'"{name}":{part.value}' for name, part in self._parts.items() if part.value]
        envelope = judge_envelope(f"{{{','.join(chosen)}}}")
        self._shown.value = as_html(envelope)
        return envelope


def _options(*values: str) -> list[tuple[str, str]]:
    return [*zip(values, values, strict=True), (strings.LEFT_OUT, _LEFT_OUT)]


def as_html(envelope: Envelope) -> str:
    """Show a line, its verdict, and the id of an error about it."""
    word = strings.ENVELOPE_REFUSED if envelope.refused else strings.ENVELOPE_TAKEN
    colour = theme.VERDICT["broken" if envelope.refused else "kept"]
    verdict = f"{rows.badge(word, colour)} {rows.code(envelope.verdict)}"
    return rows.table(
        strings.ENVELOPE_COLUMNS,
        [
            (rows.text(strings.ENVELOPE_LINE), rows.code(envelope.line)),
            (rows.text(strings.ENVELOPE_VERDICT), verdict),
            (rows.text(strings.ENVELOPE_ID), rows.text(envelope.carries)),
        ],
    )
