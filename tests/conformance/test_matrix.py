"""The matrix: its adapters, its rows, its pages. Nothing here asks a registry."""

import json
import os
import re
import sys
import time
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import psutil
import pytest
from typer.testing import CliRunner

from rpclab.cli.commands import app
from rpclab.cli.matrix import MatrixOptions, command_of, run_matrix
from rpclab.conformance import matrix
from rpclab.conformance.cases import load_cases
from rpclab.conformance.matrix import (
    MatrixRow,
    alone,
    environments,
    judge_adapter,
    matrix_data,
    section_of,
)
from rpclab.conformance.matrix.environments import (
    ADAPTERS,
    Adapter,
    CannotInstall,
    folder_of,
    load_adapters,
    prepare,
)
from rpclab.conformance.matrix.pages import cell, matrix_markdown, matrix_page
from rpclab.conformance.targets.command import CommandTarget
from rpclab.spec import clauses, profile

DOCS = Path(__file__).resolve().parents[2] / "docs"
OTHERS = load_adapters()[1:]
CASES = load_cases()
SOME = tuple(case.id for case in CASES if case.id.startswith("examples."))
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="programs that their first line starts")

pytestmark = [pytest.mark.timeout(120), POSIX]

# One server of each kind. They answer nothing but what their name says.
SILENT = """
import os, time
print(os.getpid(), file=open(__file__ + ".pid", "w"), flush=True)
time.sleep(99)
"""
LEAVING = "raise SystemExit(3)\n"
ECHOING = """
import json, sys
for line in sys.stdin:
    call = json.loads(line)
    if "id" in call:
        reply = {"jsonrpc": "2.0", "id": call["id"]}
        known = {"result": call.get("params", [])}
        unknown = {"error": {"code": -32601, "message": "<script>alert(1)</script>"}}
        print(json.dumps(reply | (known if call["method"] == "echo" else unknown)), flush=True)
"""


def adapter(**fields):
    usual = {"id": "fake", "ecosystem": "python", "install": ("fake==1",), "program": "fake.py"}
    usual |= {"framing": "newline", "kind": "server", "note": "a fake", "home": ""}
    return Adapter(**usual | fields)


def put(source, cache, monkeypatch, **fields):
    """Put a program where an installed adapter would be."""
    one = adapter(**fields)
    programs, folder = cache / "adapters", folder_of(one, cache)
    programs.mkdir(exist_ok=True)
    (programs / one.program).write_text(source)
    monkeypatch.setattr(environments, "ADAPTERS", programs)
    (folder / "venv" / "bin").mkdir(parents=True)
    (folder / "venv" / "bin" / "python").symlink_to(sys.executable)
    (folder / "installed").touch()
    return one


@pytest.fixture
def install(tmp_path, monkeypatch):
    return partial(put, cache=tmp_path, monkeypatch=monkeypatch)


def has_ended(file):
    """Wait until the process has ended whose id is in a file, and tell whether it has."""
    pid, until = int(file.read_text()), time.monotonic() + 10
    while time.monotonic() < until:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.01)
    return False


def rows_of(*pairs):
    return matrix_data(
        [MatrixRow(adapter=one, report=report) for one, report in pairs], "2026-01-01", ""
    )


# --- adapters ---------------------------------------------------------------------


def test_our_own_server_comes_first_and_no_id_is_used_twice():
    assert load_adapters()[0].id == "rpclab"
    assert len({one.id for one in load_adapters()}) == len(load_adapters())


@pytest.mark.parametrize("one", OTHERS, ids=[one.id for one in OTHERS])
def test_an_adapter_is_whole(one):
    assert (ADAPTERS / one.program).is_file()
    assert one.ecosystem in ("python", "node")
    assert one.framing in ("newline", "content-length")
    assert (one.kind, one.profile) == ("server", "core") or one.kind == "layer"
    assert profile(one.profile)
    assert one.note.endswith(".")
    assert one.home.startswith("https://")


@pytest.mark.parametrize("one", OTHERS, ids=[one.id for one in OTHERS])
def test_every_version_is_pinned(one):
    mark = {"python": "==", "node": "@"}[one.ecosystem]
    assert all(re.fullmatch(rf"[\w.-]+{mark}\d[\w.]*", pin) for pin in one.install)


@pytest.mark.parametrize("one", OTHERS, ids=[one.id for one in OTHERS])
def test_what_is_not_put_to_a_library_is_a_clause_or_a_case(one):
    names = [rule.id for rule in clauses()] + [case.id for case in CASES]
    for pattern in one.ours:
        assert adapter(ours=(pattern,)).why_not(names) == environments.OURS


def test_the_loop_over_lines_is_never_held_against_a_library_that_has_none():
    for one in OTHERS:
        uses_ours = re.search(r"lines|eachLine|for line in|CallbackServer", read(one))
        assert bool(uses_ours) == ("newline.*" in one.ours)


def test_every_program_has_its_row():
    programs = {path.name for path in ADAPTERS.glob("serve_*")}
    assert programs == {one.program for one in OTHERS}


def read(one):
    return (ADAPTERS / one.program).read_text("utf-8")


# --- environments -----------------------------------------------------------------


def test_without_node_a_row_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    row = judge_adapter(adapter(ecosystem="node", install=("fake@1",)), CASES, tmp_path)
    assert (row.report, row.why) == (None, "there is no node or no npm on this machine")


@pytest.fixture
def fake_npm(tmp_path, monkeypatch):
    """Put a shell script where npm and node are found."""

    def write(script):
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        for name in ("npm", "node"):
            tool = tmp_path / name
            tool.write_text(f"#!/bin/sh\n{script}\n")
            tool.chmod(0o755)
        return adapter(ecosystem="node", install=("fake@1",))

    return write


def test_an_installer_that_fails_is_a_row_that_says_so(tmp_path, fake_npm):
    row = judge_adapter(fake_npm("echo no such package; exit 7"), CASES, tmp_path / "cache")
    assert row.report is None
    found = re.fullmatch(r"npm ended with status 7; see (fake-\w+\.log) in the cache", row.why)
    assert (tmp_path / "cache" / found[1]).read_text() == "no such package\n"


def test_an_installer_that_hangs_is_ended_with_what_it_started(tmp_path, monkeypatch, fake_npm):
    monkeypatch.setattr(environments, "DEADLINE", 1.0)
    one = fake_npm("sleep 98 & echo $! >$0.pid; wait")
    with pytest.raises(CannotInstall, match="took more than 1 s"):
        prepare(one, tmp_path / "cache")
    assert has_ended(tmp_path / "npm.pid")


def test_a_cache_that_cannot_be_written_is_a_row_that_says_so(tmp_path):
    (tmp_path / "file").touch()
    row = judge_adapter(adapter(), CASES, tmp_path / "file")
    assert row.why == "its environment cannot be made: Not a directory"


def test_half_an_environment_is_made_anew(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    one = adapter(ecosystem="node", install=("fake@1",))
    left = folder_of(one, tmp_path) / "node_modules"
    left.mkdir(parents=True)
    with pytest.raises(CannotInstall):
        prepare(one, tmp_path)
    assert not left.exists()
    assert not environments.is_installed(one, tmp_path)


# --- rows -------------------------------------------------------------------------


def test_an_implementation_that_answers_nothing_never_worked_and_is_ended(
    tmp_path, install, monkeypatch
):
    monkeypatch.setattr(matrix, "CommandTarget", partial(CommandTarget, startup=1.5))
    row = judge_adapter(install(SILENT), CASES, tmp_path, SOME)
    assert row.report is None
    assert row.why.startswith("it never worked: no reply came to a first good request within 1.5 s")
    assert all(map(has_ended, tmp_path.rglob("fake.py.pid")))


def test_an_implementation_that_leaves_never_worked(tmp_path, install):
    row = judge_adapter(install(LEAVING), CASES, tmp_path, SOME)
    assert row.why == (
        "it never worked: it ended (exit status 3) before it answered a first good request"
    )


def test_a_broken_case_has_the_command_that_shows_it(tmp_path, install):
    one = install(ECHOING)
    row = judge_adapter(one, CASES, tmp_path, ("examples.broken-json",))
    (broken,) = rows_of((one, row.report))["rows"][0]["broken"]
    assert broken["command"] == "rpclab matrix fake --case examples.broken-json"


def test_what_the_adapter_answers_for_is_not_judged(tmp_path, install):
    one = install(ECHOING, ours=("5.1.parse-error",))
    row = judge_adapter(one, CASES, tmp_path, ("examples.broken-json",))
    assert [(v.found, v.why) for v in row.report.verdicts] == [("not judged", environments.OURS)]


def test_an_implementation_that_takes_too_long_keeps_what_was_judged(
    tmp_path, install, monkeypatch
):
    monkeypatch.setattr(matrix, "MOST_SECONDS", 0.0)
    row = judge_adapter(install(ECHOING), CASES, tmp_path, SOME)
    assert row.why == f"it hung, or took too long: 1 of {len(SOME)} cases were put to it"
    assert row.report.verdicts


@pytest.mark.parametrize(
    ("readings", "who"),
    [
        ({"a": ["x", "y"], "b": ["z"]}, ["z"]),
        ({"a": ["x", "y"], "other": ["z"]}, []),
        ({"a": ["x", "y"], "a, other": ["z"]}, []),
        ({"a": ["x", "y"], "a, b": ["z"]}, []),
        ({"a": ["x"], "b": ["z"]}, []),
        ({"a": ["x", "y"]}, []),
    ],
    ids=["alone", "no reading", "in part", "wavers", "one each", "together"],
)
def test_who_is_alone_differs_from_others_who_agree(readings, who):
    assert alone(readings) == who


@pytest.mark.parametrize(
    ("counts", "word"),
    [
        ((3, 0, 1, 1), "3 kept"),
        ((3, 1, 1, 1), "1 broken of 4"),
        ((0, 0, 2, 1), "2 free"),
        ((0, 0, 0, 2), "not judged"),
    ],
)
def test_a_cell_says_in_words_what_was_found(counts, word):
    assert cell(dict(zip(("kept", "broken", "free", "not judged"), counts, strict=True))) == word


def test_every_clause_has_a_column():
    assert all(section_of(rule.id) for rule in clauses())


# --- pages ------------------------------------------------------------------------


class Links(HTMLParser):
    """The ids of a page, and what its links and loads name."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.hrefs, self.tags = set(), set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        """Note what a tag names."""
        self.tags.append(tag)
        found = dict(attributes)
        self.ids.add(found.get("id"))
        self.hrefs |= {found[name] for name in ("href", "src") if name in found}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    cache = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as monkeypatch:
        one = put(ECHOING, cache, monkeypatch, note="a <b>fake</b> | of ours")
        report = judge_adapter(one, CASES, cache, SOME).report
    missing = MatrixRow(adapter=adapter(id="gone", note="gone"), why="there is no <npm>")
    rows = [MatrixRow(adapter=one, report=report), missing]
    return matrix_data(rows, "2026-01-01", "rpclab matrix")


def test_the_page_needs_nothing_else_and_its_links_lead_somewhere(data):
    links = Links(matrix_page(data))
    assert links.hrefs == {"#fake"}
    assert "fake" in links.ids
    assert not {"script", "link", "img", "iframe"} & set(links.tags)


def test_whatever_came_from_elsewhere_is_escaped(data):
    assert "<b>" not in matrix_page(data)
    assert "<npm>" not in matrix_page(data) + matrix_markdown(data)
    assert "a &lt;b>fake&lt;/b> \\| of ours" in matrix_markdown(data)


def test_both_pages_say_who_could_not_be_judged(data):
    assert "there is no &lt;npm&gt;" in matrix_page(data)
    assert "| gone (there is no &lt;npm>) | 1 | server | core |  |  |  |" in matrix_markdown(data)


def test_each_row_of_a_markdown_table_has_as_many_cells_as_its_head(data):
    for table in re.findall(r"(?:^\|.*\n)+", matrix_markdown(data), re.MULTILINE):
        counts = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(counts) == 1


def test_a_wide_table_is_reached_by_the_keyboard(data):
    text = matrix_page(data)
    assert text.count('tabindex="0" role="region" aria-label="') == text.count("<table") > 3


# --- docs -------------------------------------------------------------------------


def printed():
    return json.loads((DOCS / "matrix.json").read_text("utf-8"))


def test_the_printed_matrix_has_every_implementation_in_its_pinned_version():
    found = [(row["id"], row["version"]) for row in printed()["rows"]]
    assert found == [(one.id, one.version) for one in load_adapters()]


def test_the_printed_matrix_names_cases_that_there_are():
    known = {case.id for case in CASES}
    assert {one["case"] for row in printed()["rows"] for one in row["broken"]} <= known


def test_the_printed_pages_are_those_of_the_printed_data():
    assert (DOCS / "matrix.md").read_text("utf-8") == matrix_markdown(printed())
    assert (DOCS / "matrix.html").read_text("utf-8") == matrix_page(printed())
    assert "`" not in matrix_page(printed())


def test_the_printed_matrix_says_when_and_how_it_was_made():
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", printed()["made"])
    files = {"json": "docs/matrix.json", "markdown": "docs/matrix.md", "html": "docs/matrix.html"}
    assert printed()["command"] == command_of(MatrixOptions(**files))


# --- the command ------------------------------------------------------------------


def rpclab(*arguments):
    return CliRunner().invoke(app, ["matrix", *arguments], env={"COLUMNS": "200"})


def test_list_shows_everyone_and_judges_none(tmp_path):
    done = rpclab("--list", "--cache", str(tmp_path))
    assert done.exit_code == 0
    assert all(one.id in done.stdout for one in OTHERS)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nobody"], "There is no implementation nobody. rpclab matrix --list shows all."),
        (["rpclab", "--case", "nothing"], "There is no case nothing."),
        (
            ["jason"],
            "There is no implementation jason. Did you mean jayson?"
            " rpclab matrix --list shows all.",
        ),
        (["rpclab", "--html", "no/x"], "Cannot write no/x: there is no folder no."),
    ],
)
def test_a_wrong_word_gets_a_sentence(words, sentence):
    done = rpclab(*words)
    assert (done.exit_code, done.stderr) == (2, f"{sentence}\n")


def test_a_case_is_shown_in_full():
    done = rpclab("rpclab", "--case", "examples.broken-json")
    assert done.exit_code == 0
    assert "MUST: 1 kept, 0 broken." in done.stdout


def test_json_on_stdout_is_json_alone():
    data = json.loads(rpclab("rpclab", "--case", "examples.broken-json", "--json", "-").stdout)
    assert data["rows"][0]["clauses"] == {"5.1.parse-error": "kept"}


def test_a_file_that_cannot_be_written_gets_a_sentence(tmp_path):
    done = rpclab("rpclab", "--case", "examples.broken-json", "--html", str(tmp_path))
    assert done.exit_code == 2
    assert f"Cannot write {tmp_path}: it is a folder." in done.stderr


@pytest.mark.parametrize(("names", "status"), [(("jayson",), 2), (("rpclab", "jayson"), 0)])
def test_the_exit_status_tells_whether_the_matrix_could_run(tmp_path, monkeypatch, names, status):
    monkeypatch.setenv("PATH", "")  # no npm, so jayson cannot be installed
    wanted = MatrixOptions(names=names, cases=SOME[:1], cache=str(tmp_path))
    assert run_matrix(wanted) == status
