"""Find a program as a shell does, start it, or say why it cannot be started.

For the operating system there is "No such file or directory" in all of these
cases: no such program, a script whose interpreter is missing, a folder to start
in that does not exist. Here each cause has a sentence of its own.

Interface:
  - ``env`` is added to our own variables; a variable that is None is taken away
  - a program without a slash is looked for on the PATH that it will have itself,
    and a path is relative to the folder that it starts in
  - paths are looked at by ``os.path``, which never raises: a place on the PATH may
    be closed to us
"""

import errno
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

Environment: TypeAlias = Mapping[str, str | None]
"""Variables that are added to our own. None takes one away."""

Folder: TypeAlias = str | os.PathLike[str]

_HEAD: Final = 4096  # bytes: the part of a file that says how it is started
_FIRST_LINE: Final = re.compile(rb"#![ \t]*([^ \t\n]+)(?:[ \t]+([^\n]*?))?[ \t]*(?:\n|$)")
_LOADER: Final = re.compile(rb"\x7fELF.*?(/[\w./-]*/ld[\w.-]*)", re.DOTALL)


def start_program(
    command: Sequence[str], env: Environment | None, cwd: Folder | None, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a program.

    Args:
        command: the program and its arguments.
        env: variables for it.
        cwd: the folder that it starts in; ours, unless told otherwise.
        options: what else ``Popen`` takes.

    Raises:
        OSError: it cannot be started; the text is a sentence that says why.
        TypeError, ValueError: the command is not a list, or empty; a variable is not
            a string.
    """
    if isinstance(command, str):
        raise TypeError('a command is a list such as ["python", "server.py"], not one string')
    if not command or not command[0]:
        raise ValueError("the first item of a command is its program")
    variables = add_to_environment(env or {})
    program = find_program(command[0], variables, cwd)
    try:
        return subprocess.Popen([program, *command[1:]], env=variables, cwd=cwd, **options)
    except OSError as error:
        raise _explain_refusal(Path(program), error) from None


def add_to_environment(env: Environment) -> dict[str, str]:
    """Return our own variables with some added, changed or taken away.

    >>> add_to_environment({"LANG": "C"})["LANG"]
    'C'

    Raises:
        TypeError: a value is not a string.
    """
    variables = {**os.environ}
    for name, value in env.items():
        if sys.platform == "win32":
            name = name.upper()  # two names that differ only in case are one
        if value is None:
            variables.pop(name, None)
        elif isinstance(value, str):
            variables[name] = value
        else:
            raise TypeError(f"the variable {name} must be a string or None, not {value!r}")
    return variables


def find_program(name: str, variables: Mapping[str, str], cwd: Folder | None = None) -> str:
    """Return the path of the file that a command names, as ``shutil.which`` finds it.

    Raises:
        OSError: there is none that can be started; the text is a sentence.
    """
    name = os.fspath(name)
    folder = Path(cwd or "").absolute()
    if not os.path.isdir(folder):
        kind = NotADirectoryError if os.path.exists(folder) else FileNotFoundError
        raise kind(f"{name!r} cannot be started in {str(folder)!r}, which is not a folder.")
    places = [folder / place for place in os.get_exec_path(variables)]
    path = os.pathsep.join(map(str, places))
    if Path(name).name == name:
        found = shutil.which(name, path=path)
    else:
        places = [folder]
        found = _find_at(folder / name)
    if found is None:
        raise _explain_absence(name, folder, places)
    program = Path(found).absolute()  # on Windows, one in our own folder is found as .\name
    _demand_interpreter(program, folder, path)
    return str(program)


def _find_at(file: Path) -> str | None:
    """Return the path of a program, with the ending that Windows lets people leave out."""
    endings = [""]
    if sys.platform == "win32":
        endings = [*os.environ.get("PATHEXT", "").split(os.pathsep), ""]
    return next(filter(None, (shutil.which(f"{file}{ending}") for ending in endings)), None)


def _explain_absence(name: str, folder: Path, places: Sequence[Path]) -> OSError:
    """Return why no program was found: not executable, a folder, or not there."""
    for file in (place / name for place in places):
        if os.path.isfile(file):
            return PermissionError(
                f"{str(file)!r} is there, but it is not executable: change that with chmod +x,"
                " or, if it is a script, put its interpreter in front of it."
            )
    file = folder / name
    is_path = Path(name).name != name
    if is_path and os.path.isdir(file):
        return IsADirectoryError(f"{str(file)!r} is a folder, not a program.")
    what = f"file {str(file)!r}" if is_path else f"program {name!r} on the PATH"
    hint = ""
    if len(name.split()) > 1:
        hint = "; in a command, each argument is an item of its own"
    elif is_path and os.path.isfile(name):
        hint = "; a path is relative to the folder that the program starts in"
    elif os.path.isfile(file):
        hint = f"; if you mean the file in {str(folder)!r}, write './{name}'"
    return FileNotFoundError(f"There is no {what}{hint}.")


def _demand_interpreter(script: Path, folder: Path, path: str) -> None:
    """Raise an error if the first line of a script asks for what is not there."""
    line = _FIRST_LINE.match(_read_head(script))
    if sys.platform == "win32" or line is None:
        return  # Windows does not look at the first line
    wanted, argument = map(os.fsdecode, line.groups(b""))
    found = shutil.which(folder / wanted)
    if found and Path(wanted).name == "env" and re.fullmatch("[^-=][^ =]*", argument):
        wanted = argument
        found = shutil.which(wanted, path=path)
    if found:
        return
    if wanted.endswith("\r"):
        raise FileNotFoundError(
            f"{str(script)!r} is there, but its first line ends as lines do on Windows, so it asks"
            f" for {wanted!r}, which is not there: save it with Unix line ends."
        )
    how = "executable" if os.path.exists(folder / wanted) else "there"
    raise FileNotFoundError(
        f"{str(script)!r} is there, but {wanted!r}, which its first line asks for, is not {how}."
    )


def _explain_refusal(program: Path, error: OSError) -> OSError:
    """Return a sentence for what the system refused although the file is there."""
    loader = _LOADER.match(_read_head(program))
    if error.errno == errno.ENOENT and loader:
        why = (
            f"is there, but it was built for a system with {os.fsdecode(loader[1])!r},"
            " which is not here."
        )
    elif error.errno == errno.ENOEXEC:
        why = (
            "is there, but it is not a program for this system: put the interpreter of a script"
            f" in front of it, as in 'python {program.name}'."
        )
    else:
        why = f"cannot be started: {error.strerror}."
    return type(error)(f"{str(program)!r} {why}")


def _read_head(file: Path) -> bytes:
    """Return how a file begins. One that may only be executed reads as an empty one."""
    file = file if os.access(file, os.R_OK) else Path(os.devnull)
    with file.open("rb") as opened:
        return opened.read(_HEAD)
