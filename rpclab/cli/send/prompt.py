"""The prompt of ``rpclab send``, for a person at a terminal.

What the server says is shown above the prompt while the person types. Only this
module and its two neighbours ``history`` and ``completion`` import prompt_toolkit,
which takes longer to load than the rest of the command.
"""

from collections.abc import AsyncIterator, Sequence
from typing import Final

from prompt_toolkit import PromptSession
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.patch_stdout import patch_stdout

from rpclab.cli import terminal
from rpclab.cli.send.completion import NameCompleter
from rpclab.cli.send.history import open_history
from rpclab.cli.send.method_names import KnownNames
from rpclab.cli.send.paste import lines_to_send, question, split_lines
from rpclab.cli.send.server_requests import CHOICES

HELP: Final = """Type a line of JSON and press Enter. Ctrl-D ends it.
Tab completes a name, the arrows bring back earlier lines."""


async def typed_lines(names: KnownNames, asked: Sequence[object]) -> AsyncIterator[bytes]:
    """Yield the lines that a person types, until Ctrl-D.

    Args:
        names: what is completed.
        asked: the server's requests that wait for an answer, while there are any.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed where nothing was typed.
    """
    prompt: PromptSession[str] = PromptSession(
        lambda: prompt_text(asked),
        history=open_history(),
        completer=NameCompleter(names, asked),
        complete_while_typing=False,
        key_bindings=_keys(),
        erase_when_done=True,  # the line is shown again, with its shape
    )
    terminal.show_note(HELP)
    # Raw all the time, also between two prompts and while something is shown. If not,
    # the terminal itself would take a Ctrl-D or Ctrl-C that is typed at that moment.
    prompt.input.cooked_mode = prompt.input.raw_mode  # type: ignore[method-assign]
    with prompt.input.raw_mode(), patch_stdout(raw=True):
        while True:
            try:
                lines = split_lines(await prompt.prompt_async())
                if len(lines) > 1:
                    answer = await _ask(question(lines))
                    lines = lines_to_send(lines, answer)
            except EOFError:
                return
            for line in lines:
                yield line.encode(errors="surrogatepass")


async def _ask(text: str) -> str:
    """Ask a question that a letter or Enter answers."""
    answer: str = await PromptSession(text, key_bindings=_keys()).prompt_async()
    return answer


def prompt_text(asked: Sequence[object]) -> str:
    """Return the prompt, with the answers above it while the server waits for one.

    >>> print(prompt_text(["roots/list"]))
    roots/list waits for one of: result {}, error -32601, silence (Tab)
    ->
    """
    if not asked:
        return "-> "
    return f"{terminal.printable(str(asked[0]))} waits for one of: {', '.join(CHOICES)} (Tab)\n-> "


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("c-c")
    def clear(event: KeyPressEvent) -> None:
        """Clear what is typed, or end the session if nothing is."""
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt)

    return keys
