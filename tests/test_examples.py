"""The fifteen examples of section 7: in-process, over BytesIO, and over a real pipe."""

import io
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import rpclab
from rpclab.demos.demo_server import demo_handler
from rpclab.dispatch import respond
from rpclab.framing import FRAMINGS
from rpclab.server import serve
from rpclab.transport import FramedTransport, StdioTransport

PACKAGE = Path(rpclab.__file__).parent
CASES = tomllib.loads(
    (PACKAGE / "conformance" / "cases" / "7_examples.toml").read_text(encoding="utf-8")
)["case"]
CLAUSES = tomllib.loads((PACKAGE / "spec" / "clauses.toml").read_text(encoding="utf-8"))["clause"]
NAMES = [case["id"] for case in CASES]


class Drops(io.BytesIO):
    """Returns one byte a read, as a slow pipe does."""

    def read1(self, _, /):
        """Return one byte."""
        return super().read1(1)


def without_data(value):
    """Take `data` off every error, and put the members of a batch in one order."""
    if isinstance(value, list):
        return sorted((without_data(member) for member in value), key=json.dumps)
    if "error" in value:
        value = value | {"error": {k: v for k, v in value["error"].items() if k != "data"}}
    return value


def read(lines):
    return [without_data(json.loads(line)) for line in lines]


# --- the rows ---------------------------------------------------------------------


def test_there_are_fifteen_examples():
    assert len(CASES) == 15


def test_no_id_is_used_twice():
    assert len(set(NAMES)) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_row_has_the_fields_of_a_case(case):
    assert list(case) == ["id", "clause", "level", "about", "send", "expect"]


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_an_id_is_made_of_words(case):
    assert re.fullmatch(r"examples(\.[a-z0-9]+(-[a-z0-9]+)*)", case["id"])


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_clause_of_a_row_exists_and_has_its_level(case):
    levels = {row["id"]: row["level"].split()[0].lower() for row in CLAUSES}
    assert levels[case["clause"]] == case["level"]


# --- the examples -----------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_an_example_is_kept_in_process(case):
    handler = demo_handler(StdioTransport(io.BytesIO(), io.BytesIO()))
    replies = [reply for line in case["send"] if (reply := respond(line, handler))]
    assert read(replies) == read(case["expect"])


@pytest.mark.parametrize("framing", FRAMINGS)
@pytest.mark.parametrize("reader", [io.BytesIO, Drops], ids=["whole", "byte by byte"])
@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_an_example_is_kept_over_bytesio(case, reader, framing):
    marks = FRAMINGS[framing]()
    stream = b"".join(marks.wrap(line.encode()) for line in case["send"])
    out = io.BytesIO()
    wire = FramedTransport(reader(stream), out, marks)
    serve(demo_handler(wire), wire)
    replies = FRAMINGS[framing]().feed(out.getvalue())
    assert read(replies) == read(case["expect"])


@pytest.mark.parametrize("framing", FRAMINGS)
@pytest.mark.parametrize("size", [100_000, 1], ids=["whole", "byte by byte"])
def test_the_examples_are_kept_over_a_real_pipe(size, framing):
    marks = FRAMINGS[framing]()
    stream = b"".join(marks.wrap(line.encode()) for case in CASES for line in case["send"])
    command = [sys.executable, "-m", "rpclab", "serve", "--framing", framing]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as run:
        for start in range(0, len(stream), size):
            run.stdin.write(stream[start : start + size])
        run.stdin.close()
        replies = marks.feed(run.stdout.read())
    wanted = [line for case in CASES for line in case["expect"]]
    assert (read(replies), run.returncode) == (read(wanted), 0)
