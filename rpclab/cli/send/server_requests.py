"""What the requests of a server are answered with: a result, an error, or nothing.

A choice is written as people type it, after ``--answer METHOD=`` or at the prompt:
``result {"roots":[]}``, ``error -32601`` with a text after it if you like, or
``silence``. After ``METHOD=`` the word ``result`` may be left out.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from rpclab.codec import decode
from rpclab.conformance.targets.server_calls import USUAL, count_items
from rpclab.dispatch import pack
from rpclab.errors import (
    ERR_METHOD_NOT_FOUND,
    InternalError,
    InvalidParams,
    InvalidRequest,
    JsonRpcError,
    MethodNotFound,
    ParseError,
)
from rpclab.messages import Json, Request
from rpclab.rendering import render_error, render_result

CHOICES: Final = ("result {}", f"error {ERR_METHOD_NOT_FOUND}", "silence")
"""What a menu offers."""

_ERROR: Final = re.compile(r"error(?:\s+(-?\d{1,9}))?(?:\s+(\S.*))?\s*\Z")
_EVERY: Final = "*"
_TITLES: Final = {
    error.code: error.title
    for error in (ParseError, InvalidRequest, MethodNotFound, InvalidParams, InternalError)
}


class Choice(NamedTuple):
    """A result, an error if there is one, or silence."""

    result: Json = None
    error: JsonRpcError | None = None
    is_silence: bool = False

    def reply(self, requests: Sequence[Request], *, as_batch: bool) -> str | None:
        """Return the line that answers requests, or None if none is to be sent."""
        if self.is_silence:
            return None
        lines = [
            render_error(self.error, call.id) if self.error else render_result(self.result, call.id)
            for call in requests
        ]
        return pack(lines) if as_batch else lines[0]


NOT_FOUND: Final = Choice(error=MethodNotFound())


def read_choice(text: str, *, bare: bool = False) -> Choice:
    """Read a choice, with a ``bare`` result where the word may be left out.

    >>> read_choice('result {"roots":[]}').result
    {'roots': []}
    >>> read_choice("error -32601").error.code
    -32601

    Raises:
        ValueError: it is not a choice; the text says what is.
    """
    word, _, rest = text.strip().partition(" ")
    if word == "silence" and not rest:
        return Choice(is_silence=True)
    if found := _ERROR.match(text.strip()):
        code = int(found[1] or ERR_METHOD_NOT_FOUND)
        return Choice(error=JsonRpcError(found[2] or _TITLES.get(code, "Error"), code=code))
    if word == "result" or bare:
        json = rest if word == "result" else text
        try:
            return Choice(decode(json.encode(errors="surrogatepass")))
        except ParseError as error:
            raise ValueError(f"{json!r} is not JSON: {error.data}") from error
    raise ValueError(f"{text!r} is not one of: result JSON, error CODE TEXT, silence")


class Rules:
    """Which choice holds for which method of the server.

    >>> rules = Rules(["roots/list={}"], "core")
    >>> rules.choose([Request("roots/list", None, 7)])
    Choice(result={}, error=None, is_silence=False)

    Args:
        given: texts such as ``METHOD=JSON``; the method ``*`` is every other one.
        profile: the profile whose usual answers hold where nothing is given.

    Raises:
        ValueError: a text is not a rule; the sentence says what is.
    """

    def __init__(self, given: Sequence[str], profile: str) -> None:
        self._given = dict(map(_read_rule, given))
        self._usual = USUAL.get(profile, {})

    def choose(self, requests: Sequence[Request]) -> Choice | None:
        """Return the choice for requests of one payload, or None if no rule is about all."""
        choices = [self._choose(call) for call in requests]
        return choices[0] if all(choice == choices[0] for choice in choices) else None

    def _choose(self, call: Request) -> Choice | None:
        if call.method in self._given:
            return self._given[call.method]
        if call.method in self._usual:
            return Choice(self._usual[call.method])
        if call.method == "workspace/configuration" and self._usual is USUAL["lsp"]:
            return Choice([None] * count_items(call.params))
        return self._given.get(_EVERY)


def _read_rule(text: str) -> tuple[str, Choice]:
    method, equals, choice = text.partition("=")
    if not (method and equals):
        raise ValueError(f"--answer takes METHOD=JSON, for example roots/list={{}}, not {text!r}")
    try:
        return method, read_choice(choice, bare=True)
    except ValueError as error:
        raise ValueError(f"--answer {method}: {error}") from error
