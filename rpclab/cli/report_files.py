"""The files that a command writes its reports to: tried before the work, written after it.

A run takes a minute; that its report cannot be written is said before it begins.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

STDOUT: Final = "-"


def find_unwritable(files: Mapping[str, str]) -> str:
    """Say why a report could not be written, or return "" if all can be.

    Args:
        files: the path for each option; "" if the option was left out, - for stdout.

    >>> find_unwritable({"--json": "-", "--html": "there/is/no/such/folder/x.html"})
    'Cannot write there/is/no/such/folder/x.html: there is no folder there/is/no/such/folder.'
    >>> find_unwritable({"--json": "x", "--html": "x"})
    '--json and --html would both write x.'
    """
    asked: dict[str, str] = {}
    for option, file in files.items():
        if file in asked:
            return f"{asked[file]} and {option} would both write {file}."
        if file:
            asked[file] = option
    faults = ((file, find_fault(Path(file))) for file in asked if file != STDOUT)
    return next((f"Cannot write {file}: {fault}." for file, fault in faults if fault), "")


def find_fault(path: Path) -> str:
    """Say why a file cannot be written. Whether it can is tried, and leaves no trace."""
    try:
        if path.is_dir():
            return "it is a folder"
        if not path.parent.is_dir():
            return f"there is no folder {path.parent}"
        there = path.exists()
        if there and not path.is_file():  # a pipe, which ends when it is opened and closed
            return ""
        path.open("ab").close()
        if not there:
            path.unlink()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def write_reports(texts: Iterable[tuple[str, Callable[[], str]]]) -> str:
    """Write the reports that have a path. Say why one cannot be written, or return ""."""
    for file, make_text in texts:
        try:
            if file == STDOUT:
                sys.stdout.write(make_text())
            elif file:
                Path(file).write_text(make_text(), encoding="utf-8", newline="")
        except OSError as error:
            return f"Cannot write {file}: {error.strerror}."
    return ""
