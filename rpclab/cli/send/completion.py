"""What Tab completes: a method's name, a tool's name, a whole request, an answer.

At the beginning of a line a name becomes a request with an id that was not used.
While the server waits for an answer, the answers are offered there as well.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from rpclab.cli.send.method_names import KnownNames
from rpclab.cli.send.server_requests import CHOICES
from rpclab.codec import encode

_METHOD: Final = re.compile(r'"method"\s*:\s*"([^"\\]*)\Z')
_TOOL: Final = re.compile(r'"tools/call".*"name"\s*:\s*"([^"\\]*)\Z', re.DOTALL)
_WORD: Final = re.compile(r"\s*([\w$./-]*)\Z")


class NameCompleter(Completer):
    """Completes what is before the cursor, by what is known at that moment."""

    def __init__(self, names: KnownNames, asked: Sequence[object]) -> None:
        self._names = names
        self._asked = asked

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        """Yield what the text before the cursor can be completed to."""
        before = document.text_before_cursor
        if found := _METHOD.search(before):
            yield from _complete(found[1], self._names.methods)
        elif found := _TOOL.search(before):
            yield from _complete(found[1], self._names.tools)
        elif found := _WORD.match(before):
            answers = CHOICES if self._asked else ()
            yield from _complete(found[1], answers)
            for name in _begin_with(found[1], self._names.methods):
                line = write_call(name, self._names.next_id)
                yield Completion(line, -len(found[1]), display=name)


def _complete(typed: str, words: Sequence[str]) -> Iterator[Completion]:
    for word in _begin_with(typed, words):
        yield Completion(word, -len(typed))


def _begin_with(typed: str, words: Sequence[str]) -> list[str]:
    """Return the words that begin with what is typed, then those that have it inside."""
    first = [word for word in words if word.startswith(typed)]
    return first + [word for word in words if typed and typed in word[1:] and word not in first]


def write_call(method: str, id: int) -> str:
    """Return the text of a call without params.

    >>> write_call("subtract", 3), write_call("$/setTrace", 4)
    ('{"jsonrpc":"2.0","id":3,"method":"subtract"}', '{"jsonrpc":"2.0","method":"$/setTrace"}')
    """
    begins = ("notifications/", "$/")
    id_member = "" if method.startswith(begins) else f'"id":{id},'
    return f'{{"jsonrpc":"2.0",{id_member}"method":{encode(method)}}}'
