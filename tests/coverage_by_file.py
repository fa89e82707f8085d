"""Check that each module of the lesson and of the peer is covered by its own tests.

    RPCLAB_COVERAGE=on pytest tests rpclab ...
    python tests/coverage_by_file.py

The first command measures, and ``conftest.py`` notes for every line which test file
ran it. The second command reads these notes. Every statement and every branch of
``rpclab/codec.py`` must be run by ``tests/test_codec.py`` alone, and every one of
``rpclab/peer/`` by the tests in ``tests/peer/``. What a module runs on import counts
whoever imports it.
"""

import ast
import functools
import json
import os
import sys
import tempfile
from pathlib import Path

import coverage

ROOT = Path(__file__).resolve().parents[1]
CONFIG = ROOT / "pyproject.toml"
IMPORT = "^$"  # the context of lines that run while tests are collected


@functools.cache
def owners() -> dict[Path, str]:
    """Return each module that must be covered, with the tests that must do it."""
    lesson = sorted((ROOT / "rpclab").glob("[!_]*.py"))
    peer = sorted((ROOT / "rpclab" / "peer").glob("*.py"))
    return {
        **{path: f"tests/test_{path.stem}.py" for path in lesson},
        **dict.fromkeys(peer, "tests/peer/"),
        ROOT / "rpclab" / "demos" / "virtual_clock.py": "tests/demos/test_orderings.py",
    }


def is_measured(test_file: str) -> bool:
    """Tell whether a test file is one of those that must cover a module."""
    return any(test_file.startswith(owner) for owner in owners().values())


def start() -> coverage.Coverage:
    """Begin to measure in this process; the data goes into a file of its own."""
    measured = [str(path) for path in owners()]
    watch = coverage.Coverage(config_file=str(CONFIG), include=measured, data_suffix=True)
    watch.start()
    return watch


def lines_in_functions(path: Path) -> set[int]:
    """Return the lines that run when a function is called, not when it is defined."""
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    return {
        line
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, functions)
        for line in range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)
    }


def missing(
    watch: coverage.Coverage, path: Path, contexts: list[str]
) -> tuple[set[int], set[tuple[int, int]]]:
    """Return the lines and the branches of a module that ran in none of the contexts."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        try:
            watch.json_report([str(path)], outfile=str(report), contexts=contexts)
        except coverage.exceptions.NoDataError:
            return set(range(1, len(path.read_text("utf-8").splitlines()) + 1)), set()
        (found,) = json.loads(report.read_text("utf-8"))["files"].values()
    branches = found.get("missing_branches", [])  # left out when nothing was measured
    return set(found["missing_lines"]), {(start, to) for start, to in branches}


def left_out(watch: coverage.Coverage, path: Path, owner: str) -> list[str]:
    """Return the lines, then the branches, that the module's own tests do not run."""
    inside = lines_in_functions(path)
    lines, branches = missing(watch, path, [f"^{owner}"])
    import_lines, import_branches = missing(watch, path, [f"^{owner}", IMPORT])
    gaps = {line for line in lines if line in inside}
    gaps |= {line for line in import_lines if line not in inside}
    jumps = {pair for pair in branches if pair[0] in inside}
    jumps |= {pair for pair in import_branches if pair[0] not in inside}
    return [
        *(str(line) for line in sorted(gaps)),
        *(f"{start}->{to}" for start, to in sorted(jumps) if start not in gaps),
    ]


def main() -> int:
    """Print the lines and branches that are not covered; return 1 if there are any."""
    os.chdir(ROOT)
    watch = coverage.Coverage(config_file=str(CONFIG))
    watch.combine()
    found = {path: left_out(watch, path, owner) for path, owner in owners().items()}
    faults = {path: gaps for path, gaps in found.items() if gaps}
    for path, gaps in faults.items():
        name = path.relative_to(ROOT).as_posix()
        print(f"{name}: {owners()[path]} leaves out {' '.join(gaps)}")  # noqa: T201
    if not faults:
        print(f"{len(found)} modules: each is covered by its own tests.")  # noqa: T201
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
