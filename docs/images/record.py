"""Record a terminal session of the real commands as the picture session.svg.

    python docs/images/record.py

The commands run in a terminal of their own (a pty), and Rich draws what they print. The
picture asks for no font or file from elsewhere. A test fails if it is out of date.
"""

import io
import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.text import Text

PICTURE = Path(__file__).with_name("session.svg")
WIDTH = 80
COMMANDS = (
    """rpclab explain '{"jsonrpc":"2.0","method":"get_data"}'""",
    """echo '{"jsonrpc":"2.0","method":"get_data","id":1}' | rpclab send""",
)
# Rich names a font that is fetched from the web, which a picture in a README may not do.
FONT_FACE = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
FONTS = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def run(command: str) -> str:
    """Run one line of a shell in a terminal, and return what it shows, colours included."""
    place = str(Path(sys.executable).parent)
    env = {
        **{name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ},
        "PATH": os.pathsep.join((place, os.environ["PATH"])),
        "COLUMNS": str(WIDTH),
        "TERM": "xterm-256color",
        "PYTHONUTF8": "1",
    }
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        ["sh", "-c", command], env=env, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs
    ):
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # Linux says so when the last program has closed the terminal
            while chunk := os.read(ours, 65536):
                shown += chunk
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")


def session() -> Text:
    """Return the session: each command after a prompt, and what it shows."""
    text = Text()
    for command in COMMANDS:
        text.append("$ ", "bold green").append(f"{command}\n", "bold")
        text.append_text(Text.from_ansi(run(command).rstrip())).append("\n\n")
    text.rstrip()
    return text


def picture() -> str:
    """Return the session as an SVG that needs no other file."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), color_system="truecolor")
    console.print(session(), soft_wrap=False)
    console.print()  # the last line of a picture is cut below its letters
    svg = console.export_svg(title="rpclab", unique_id="rpclab")
    return FONT_FACE.sub("", svg).replace("Fira Code, monospace", FONTS)


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8", newline="\n")
