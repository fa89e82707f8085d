"""The specimens: each is a base with a change, and is caught by the cases that it names.

All cases against all specimens are tests/long/test_kill_matrix.py.
"""

import ast
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from rpclab.conformance.cases import Choice, load_cases, load_client_cases
from rpclab.conformance.greetings import greeting as greeting_of
from rpclab.conformance.run import judge_client, judge_server
from rpclab.conformance.specimens import (
    ROLES,
    base_names,
    base_source,
    change_lines,
    difference,
    find_specimen,
    read_change,
    read_specimen,
    source,
    specimens,
)
from rpclab.conformance.targets.command import ClientCommand, CommandTarget
from rpclab.spec import clauses

SPECIMENS = specimens()
CASES = {"server": load_cases(), "client": load_client_cases()}
REPORT = re.compile(r"[JN]\d{2,3}")
HARMLESS = {"threading.Lock", "threading.Event", "len"}  # what a value at the top may call
MOST_LINES = {"server": 100, "client": 140}  # a client has the contract to keep as well
AT_ONCE = 12  # a specimen mostly waits
DEADLINE = 2.5
STARTUP = 10.0  # one specimen never answers in a way that can be read

each_specimen = pytest.mark.parametrize(
    "specimen", SPECIMENS, ids=[f"{one.role}-{one.id}" for one in SPECIMENS]
)
each_base = pytest.mark.parametrize("base", base_names())


# --- rows -------------------------------------------------------------------------

ROW = {
    "id": "answers-all",
    "about": "Answers a notification.",
    "breaks": "4.1.no-reply",
    "caught_by": ["examples.notification-1", "id.null"],
    "report": "J012",
    "base": "table_server",
    "change": '-    if "id" not in call:\n+    if call.get("id") == 0:\n',
}


def test_a_row_says_what_it_breaks():
    found = read_specimen("server", ROW)
    assert (found.id, found.role, found.breaks) == ("answers-all", "server", "4.1.no-reply")
    assert found.caught_by == ("examples.notification-1", "id.null")
    assert (found.framing, found.profile) == ("newline", "core")


@pytest.mark.parametrize("name", list(ROW))
def test_a_row_without_one_of_its_fields_is_refused(name):
    with pytest.raises(ValueError, match=f"{name} is missing"):
        read_specimen("server", {key: value for key, value in ROW.items() if key != name})


@pytest.mark.parametrize("name", ["about", "caught_by", "report", "base"])
def test_a_field_that_is_empty_is_refused(name):
    with pytest.raises(ValueError, match="not empty"):
        read_specimen("server", ROW | {name: ROW[name][:0]})


def test_an_unknown_field_is_refused():
    with pytest.raises(ValueError, match="answers-all: unknown field rumour"):
        read_specimen("server", ROW | {"rumour": "J012"})


def test_a_clause_and_a_base_must_exist():
    with pytest.raises(LookupError):
        read_specimen("server", ROW | {"breaks": "9.no-reply"})
    with pytest.raises(ValueError, match="no base 'nope'"):
        read_specimen("server", ROW | {"base": "nope"})


def test_a_change_that_does_not_fit_its_base_is_refused_by_name():
    with pytest.raises(ValueError, match="answers-all: the base has these lines 0 times"):
        read_specimen("server", ROW | {"change": "-no such line\n+another\n"})


def test_a_change_is_read_part_by_part():
    assert read_change(" a\n-b\n+c\n\n@@\n d\n+\n+e\n") == [
        (("a", "b", ""), ("a", "c", "")),
        (("d",), ("d", "", "e")),
    ]


def test_a_line_of_a_change_without_a_mark_is_refused():
    with pytest.raises(ValueError, match="begins with a space"):
        read_change("return 1\n")


def test_each_part_of_a_change_is_made_in_its_place():
    change = read_change("-c\n+C\n@@\n a\n+A\n")
    assert change_lines(["a", "b", "c", "d"], change) == ["a", "A", "b", "C", "d"]


@pytest.mark.parametrize(
    ("change", "why"),
    [("-x\n", "2 times"), ("+x\n", "names no line"), ("-a\n b\n@@\n b\n-c\n", "overlap")],
)
def test_a_part_that_fits_nowhere_or_twice_is_refused(change, why):
    with pytest.raises(ValueError, match=why):
        change_lines(["a", "b", "c", "x", "x"], read_change(change))


def test_no_two_have_one_id():
    assert [id for id, count in Counter(one.id for one in SPECIMENS).items() if count > 1] == []


def test_servers_come_first_and_each_file_is_in_alphabetical_order():
    assert list(SPECIMENS) == sorted(SPECIMENS, key=lambda one: (ROLES.index(one.role), one.id))
    assert {one.role for one in SPECIMENS} == set(ROLES)


def test_a_specimen_is_found_by_its_id_and_near_ids_are_named_if_there_is_none():
    assert find_specimen("banner").about == "Says on stdout that it is ready."
    with pytest.raises(LookupError, match="no specimen 'code_pages': did you mean code-page"):
        find_specimen("code_pages")


@each_specimen
def test_it_is_caught_by_cases_of_the_clause_it_breaks_that_fit_it(specimen):
    fitting = Choice(specimen.profile).of(CASES[specimen.role], specimen.framing)
    clause_of = {case.id: case.clause for case in fitting if case.level != "free"}
    assert {clause_of.get(case) for case in specimen.caught_by} == {specimen.breaks}


@each_specimen
def test_it_is_modelled_on_field_reports_or_says_why_not(specimen):
    if specimen.report.startswith("none: "):
        assert specimen.report.removeprefix("none: ")
    else:
        assert all(map(REPORT.fullmatch, specimen.report.split(", ")))


@each_specimen
def test_it_says_what_is_wrong_in_one_sentence(specimen):
    assert specimen.about.endswith(".")
    assert "\n" not in specimen.about


@each_specimen
def test_its_base_is_changed_unless_another_profile_makes_the_difference(specimen):
    changed = [line for line in specimen.change.splitlines() if line[:1] in ("-", "+")]
    assert changed or specimen.profile != "core"


def test_a_clause_names_a_specimen_that_breaks_it_where_there_is_one():
    broken_by = {}
    for one in SPECIMENS:
        broken_by.setdefault(one.breaks, set()).add(one.id)
    named = {clause.id: clause.specimen for clause in clauses() if clause.specimen}
    assert named.keys() == broken_by.keys()
    assert [id for id, specimen in named.items() if specimen not in broken_by[id]] == []


# --- programs ---------------------------------------------------------------------


def test_every_base_is_used():
    assert {one.base for one in SPECIMENS} == set(base_names())


@each_base
def test_a_base_says_what_it_is(base):
    docstring = ast.get_docstring(ast.parse(base_source(base)))
    assert re.match(r"[A-Z][^.]*\.", docstring)


PROGRAMS = {f"{one.role}-{one.id}": (one.role, source(one)) for one in SPECIMENS}
PROGRAMS |= {name: (name.rpartition("_")[2], base_source(name)) for name in base_names()}
each_program = pytest.mark.parametrize("role, program", PROGRAMS.values(), ids=list(PROGRAMS))  # noqa: PT006


@each_program
def test_it_imports_the_standard_library_alone(role, program):
    names = set()
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module)
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


@each_program
def test_it_does_nothing_when_it_is_imported(role, program):
    _, *rest, last = ast.parse(program).body
    assert ast.unparse(last).startswith("if __name__ == '__main__':")
    kinds = (
        ast.Import,
        ast.ImportFrom,
        ast.FunctionDef,
        ast.AsyncFunctionDef,
        ast.ClassDef,
        ast.Assign,
    )
    assert all(isinstance(node, kinds) for node in rest)
    made = [node.value for node in rest if isinstance(node, ast.Assign)]
    calls = [node for value in made for node in ast.walk(value) if isinstance(node, ast.Call)]
    assert {ast.unparse(call.func) for call in calls} <= HARMLESS


@each_program
def test_it_can_be_read_in_a_minute(role, program):
    lines = program.splitlines()
    assert len(lines) <= MOST_LINES.get(role, MOST_LINES["server"])
    assert max(map(len, lines)) <= 100


def test_its_docstring_says_what_it_breaks():
    one = find_specimen("newline-after-content")
    docstring = ast.get_docstring(ast.parse(source(one)))
    assert docstring.splitlines() == [
        one.about,
        "",
        "breaks: lsp.length-exact",
        f"caught by: {', '.join(one.caught_by)}",
        "report: J133",
        "framing: content-length",
    ]
    assert "\nprofile: mcp\n" in source(find_specimen("mcp-batch-served"))


def test_the_difference_is_the_change_and_no_more():
    text = difference(find_specimen("banner"))
    changed = [line for line in text.splitlines() if re.match(r"[-+] ", line)]
    assert changed == ['+        print("server is starting", flush=True)']


def test_the_file_that_is_run_holds_the_program():
    one = find_specimen("banner")
    assert one.command[-1] == str(one.path)
    assert one.path.read_text("utf-8") == source(one)


def test_the_files_go_with_the_process_that_made_them():
    code = "from rpclab.conformance.specimens import find_specimen as f; print(f('banner').path)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    path = done.stdout.strip()
    assert path.endswith("banner.py")
    with pytest.raises(FileNotFoundError):
        open(path)  # noqa: PTH123, SIM115


# --- caught, and spared -----------------------------------------------------------


def find_broken(role, command, framing, profile, cases):
    """Return which of some cases a program breaks."""
    choice = Choice(profile, tuple(cases))
    if role == "client":
        report = judge_client(ClientCommand(command, framing, DEADLINE), choice=choice)
    else:
        greeting = greeting_of(profile)
        report = judge_server(
            CommandTarget(command, framing, DEADLINE, greeting, startup=STARTUP), choice=choice
        )
    return {verdict.case for verdict in report.verdicts if verdict.found == "broken"}


@pytest.mark.parametrize("role", ROLES)
def test_each_is_caught_by_every_case_that_it_names(role):
    def spared_by(one):
        broken = find_broken(role, one.command, one.framing, one.profile, one.caught_by)
        return set(one.caught_by) - broken

    chosen = [one for one in SPECIMENS if one.role == role]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        spared = zip(chosen, pool.map(spared_by, chosen), strict=True)
        assert {one.id: cases for one, cases in spared if cases} == {}


def test_each_base_is_spared_by_the_cases_that_catch_its_specimens(tmp_path):
    wanted = {}
    for one in SPECIMENS:
        if one.change:
            key = one.role, one.base, one.framing, one.profile
            wanted.setdefault(key, set()).update(one.caught_by)

    def broken_by(role, base, framing, profile):
        file = tmp_path / f"{base}.py"
        file.write_text(base_source(base))
        command = [sys.executable, "-I", "-S", str(file)]
        return find_broken(role, command, framing, profile, wanted[role, base, framing, profile])

    with ThreadPoolExecutor(AT_ONCE) as pool:
        broken = zip(wanted, pool.map(lambda key: broken_by(*key), wanted), strict=True)
        assert {key: cases for key, cases in broken if cases} == {}


CASCADES = [
    "silent-on-parse-error",
    "ends-at-parse-error",
    "unknown-method-as-bad-params",
    "every-method-echoes",
    "errors-without-header",
    "version-left-out",
    "lsp-code-for-another-use",
    "params-by-position-refused",
    "ids-as-names-of-calls",
]
"""Servers whose one fault shows in many cases. tests/long has all of them."""


def test_a_server_whose_fault_shows_everywhere_is_accused_of_its_clause_alone():
    def accused(id):
        one = find_specimen(id)
        greeting = greeting_of(one.profile)
        target = CommandTarget(one.command, one.framing, DEADLINE, greeting, startup=STARTUP)
        report = judge_server(target, choice=Choice(one.profile))
        return one.breaks, [fault.clause for fault in report.faults()]

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for clause, found in pool.map(accused, CASCADES):
            assert found == [clause]
