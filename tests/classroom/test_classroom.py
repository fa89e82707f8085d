"""``rpclab classroom``: hand-ins of every kind, each in a process of its own."""

import csv
import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from rpclab.classroom import runner as sandbox
from rpclab.classroom.assignment import make_assignment
from rpclab.classroom.grading import grade
from rpclab.classroom.handins import LARGEST, find_handins, read_handin
from rpclab.classroom.page import guard, page, table, tell_most_missed
from rpclab.classroom.privileges import Limits, is_root
from rpclab.classroom.runner import Heard, Unable, read_report
from rpclab.course import strings
from rpclab.course.catalogue import course, exercises_folder

EX = "ex04_split"
RIGHT = """def split_lines(rest, chunk):
    *lines, rest = (rest + chunk).split(b"\\n")
    return lines, rest
"""
HALF = """def split_lines(rest, chunk):
    pieces = (rest + chunk).split(b"\\n")
    return pieces[:1] if len(pieces) > 1 else [], pieces[-1]
"""
SHORT = Limits(seconds=6, cell=1)


def write_py(folder, learner, text, exercise=EX):
    path = folder / f"{learner}_{exercise}.py"
    path.write_text(text)
    return path


def write_notebook(path, *sources):
    cells = [{"cell_type": "code", "metadata": {}, "source": source} for source in sources]
    path.write_text(json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5}))


def workers():
    """Give the processes that grade, of whatever user."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if b"rpclab.classroom.worker" in file.read_bytes():
                found.append(file.parent.name)
        except OSError:
            continue
    return found


@pytest.fixture(autouse=True)
def nothing_is_left_running():
    before = set(workers())
    yield
    assert set(workers()) <= before


def grade_text(folder, text, limits=SHORT):
    write_py(folder, "zoe", text)
    (learner,) = grade(folder, limits=limits).learners
    return learner


# --- verdicts ----------------------------------------------------------------------


def test_a_right_answer_keeps_every_clause_of_its_exercise(tmp_path):
    write_py(tmp_path, "ann", RIGHT)
    group = grade(tmp_path)
    (ann,) = group.learners
    assert (ann.name, ann.verdict, ann.earned, group.total) == ("ann", "graded", 6, 6)
    assert {group.word(ann, id) for id in group.clauses} == {"kept"}


def test_half_an_answer_earns_half_and_is_told_what_is_missed_first(tmp_path):
    ann = grade_text(tmp_path, HALF)
    assert str(ann.marks[EX]) == "3/6"
    assert "A chunk may complete several lines, in order." in ann.remarks[0]


@pytest.mark.parametrize("exercise", [EX, "ex16_misfit"])
def test_a_stub_earns_nothing_though_it_may_keep_some_demands(tmp_path, exercise):
    write_py(tmp_path, "ann", (exercises_folder() / exercise / "stub.py").read_text(), exercise)
    assert grade(tmp_path).learners[0].earned == 0


ATTACKS = {
    "judging": "import sys; sys.modules['rpclab.course.expect'].same = lambda *_: True\n",
    "report": "from rpclab.course import Report; Report.kept = property(lambda _: True)\n",
    "words": "from rpclab.course import strings; strings.BROKEN = 'kept'\n",
    "code": "from rpclab.course import demand; demand.__code__ = (lambda *_: None).__code__\n",
    "builtin": "import builtins; builtins.type = lambda _: int\n",
    "hidden": "import sys; sys.modules['rpclab.course.expect'].type = lambda _: int\n",
    "modules": "import sys; sys.modules['json'] = sys\n",
    "library": "import json; json.loads = lambda *_: 1\n",
    "write": "open('/tmp/rpclab-was-here', 'w')\n",
    "remove": "import os; os.remove({handin!r})\n",
    "rmtree": "import shutil; shutil.rmtree({folder!r})\n",
    "others": "open({handin!r}).read()\n",
    "listing": "import os; os.listdir({folder!r})\n",
    "fork": "import os\ntry:\n    os.fork()\nexcept OSError:\n    pass\n",
    "forks": "import os\nwhile True:\n    os.fork()\n",
    "kill": "import os; os.kill(os.getppid(), 9)\n",
    "shell": "import os; os.system('echo')\n",
    "ctypes": "import ctypes; ctypes.string_at(0)\n",
    "frames": "import sys; sys._getframe()\n",
    "inspect": "import inspect; inspect.currentframe()\n",
    "traceback": "try:\n    1 / 0\nexcept Exception as e:\n    e.__traceback__.tb_frame\n",
    "objects": "import gc; gc.get_objects()\n",
    "report line": "import os\nfor number in range(3, 20):\n"
    "    try:\n        os.write(number, b'0 [1, {{}}]\\n')\n    except OSError:\n        pass\n",
}


def write_attacks(folder):
    other = write_py(folder, "ann", RIGHT)
    for name, text in ATTACKS.items():
        write_py(folder, name, text.format(handin=str(other), folder=str(folder)) + RIGHT)
    return other


@pytest.fixture(scope="module")
def attacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("attacked")
    other = write_attacks(folder)
    learners = {one.name: one for one in grade(folder, limits=SHORT).learners}
    assert other.read_text() == RIGHT
    assert not Path("/tmp/rpclab-was-here").exists()
    assert len(list(folder.iterdir())) == len(ATTACKS) + 1
    return learners


@pytest.mark.parametrize("attack", ATTACKS)
def test_tampering_is_told_and_earns_nothing(attacked, attack):
    mallory = attacked[attack]
    assert (mallory.verdict, mallory.earned) == ("tampered", 0), mallory
    assert any(strings.EARNS_NOTHING in remark for remark in mallory.remarks)


def test_the_others_are_unharmed(attacked):
    assert (attacked["ann"].verdict, attacked["ann"].earned) == ("graded", 6)


AS_USER = """
import sys
from pathlib import Path
from rpclab.classroom.grading import grade
from rpclab.classroom.privileges import Limits
for one in grade(Path(sys.argv[1]), limits=Limits(seconds=6, cell=1)).learners:
    print(one.name, one.verdict, one.earned, sep=":")
"""


def find_python(uid):
    """Give a Python that another user can run: root's own may lie in a closed home."""
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        with suppress(OSError):
            code = "import sys; sys.exit(sys.version_info < (3, 11))"
            if not subprocess.run([python, "-c", code], user=uid, check=False).returncode:
                return python
    return pytest.skip("no other user can run a Python here")


@pytest.mark.skipif(not is_root(), reason="who is no root has just tested it")
def test_who_is_no_root_gets_the_same_verdicts():
    uid = 60123
    python = find_python(uid)
    root = str(Path(__file__).parents[2])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_attacks(folder)
        for path in (folder, *folder.iterdir()):
            os.chown(path, uid, uid)
        done = subprocess.run(
            [python, "-c", AS_USER, name],
            env={"PYTHONPATH": root, "PYTHONDONTWRITEBYTECODE": "1", "PATH": os.defpath},
            user=uid,
            group=uid,
            extra_groups=[],
            cwd="/",
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert (folder / f"ann_{EX}.py").read_text() == RIGHT
    found = dict(line.split(":", 1) for line in done.stdout.splitlines())
    assert found == {"ann": "graded:6", **dict.fromkeys(ATTACKS, "tampered:0")}, done.stderr


def test_tampering_while_the_answer_is_judged_is_seen(tmp_path):
    text = "import sys\ndef split_lines(rest, chunk):\n"
    text += "    sys.modules['rpclab.course.expect'].same = lambda *_: True\n    return [], b''\n"
    assert grade_text(tmp_path, text).verdict == "tampered"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (
            "while True:\n    try:\n        while True: pass\n    except BaseException: pass\n",
            "hanging",
        ),
        ("while True: pass\n", "hanging"),
        ("def split_lines(rest, chunk):\n    while True: pass\n", "hanging"),
        ("import os; os._exit(0)\n", "crashed"),
        ("import os; os.closerange(0, 99)\n", "crashed"),
        ("print('[1, {}]'); import os; os._exit(0)\n", "crashed"),
        ("import signal; signal.raise_signal(9)\n", "crashed"),
        ("import sys; sys.exit()\n", "graded"),
        ("x = b'x' * 10**10\n", "graded"),
        ("open('large', 'wb').write(b'x' * 10**8)\n", "graded"),
        ("import subprocess; subprocess.run(['echo'])\n", "graded"),
        ("def (\n", "unreadable"),
    ],
)
def test_each_end_has_its_verdict_and_earns_nothing(tmp_path, text, verdict):
    limits = Limits(seconds=3, cell=1)
    zoe = grade_text(tmp_path, text, limits)
    assert (zoe.verdict, zoe.earned) == (verdict, 0), zoe
    assert zoe.remarks


def test_a_broken_cell_does_not_lose_the_rest(tmp_path):
    check = f'check("{EX}", split_lines)'
    write_notebook(
        tmp_path / "ann.ipynb", "1 / 0", f'task("{EX}")', RIGHT, check, "raise SystemExit"
    )
    (ann,) = grade(tmp_path).learners
    assert (ann.verdict, ann.earned) == ("graded", 6)
    assert "ann.ipynb: cell 1 raised ZeroDivisionError" in ann.remarks


def test_what_was_judged_before_it_hung_counts(tmp_path):
    check = f'check("{EX}", split_lines)'
    stuck = "while True:\n    try:\n        while True: pass\n    except BaseException: pass\n"
    write_notebook(tmp_path / "ann.ipynb", RIGHT, check, stuck)
    (ann,) = grade(tmp_path, limits=Limits(seconds=3, cell=1)).learners
    assert (ann.verdict, ann.earned) == ("hanging", 6)


def test_the_solution_is_not_lent(tmp_path):
    text = "from rpclab.course.catalogue import load\n"
    text += f"split_lines = load('{EX}', 'solution').split_lines\n"
    zoe = grade_text(tmp_path, text)
    assert (zoe.verdict, zoe.earned) == ("graded", 0)
    assert any("solution.py" in remark for remark in zoe.remarks)


def test_ordinary_code_is_not_taken_for_tampering(tmp_path):
    text = """import asyncio, collections, dataclasses, enum, logging
import random, traceback, typing, warnings
Point = collections.namedtuple("Point", "x y")
@dataclasses.dataclass
class Box:
    size: int = 1
class Kind(enum.Enum):
    ONE = 1
class Pair(typing.NamedTuple):
    one: int
try:
    1 / 0
except ZeroDivisionError:
    traceback.print_exc()
logging.getLogger().warning("x")
warnings.warn("x")
open("mine.txt", "w").write("x")
asyncio.run(asyncio.sleep(0))
print(Box(), Kind.ONE, Pair(1), random.random())
id = type = 1
"""
    zoe = grade_text(tmp_path, text + RIGHT)
    assert (zoe.verdict, zoe.earned, zoe.remarks) == ("graded", 6, [])


def test_every_solution_is_graded_right(tmp_path):
    judged = [row for row in course().values() if row.kind != "server"]
    for row in judged:
        text = (exercises_folder() / row.name / "solution.py").read_text()
        (tmp_path / f"{row.name}.py").write_text(text)
    sources = [(tmp_path / f"{row.name}.py").read_text() for row in judged]
    folder = tmp_path / "hand-ins"
    folder.mkdir()
    cells = [
        cell
        for row, text in zip(judged, sources, strict=True)
        for cell in (text, f'check("{row.name}", {row.answer})')
    ]
    write_notebook(folder / "ann.ipynb", *cells)
    group = grade(folder)
    assert group.learners[0].verdict == "graded"
    assert group.learners[0].earned == group.total, group.learners[0].remarks
    assert len(group.exercises) == len(judged)


@pytest.mark.skipif(not is_root(), reason="only root has rights to give up")
def test_nothing_is_run_with_the_rights_of_root(tmp_path, monkeypatch):
    write_py(tmp_path, "ann", f"open({str(tmp_path / 'ran')!r}, 'w')")
    monkeypatch.setattr(sandbox, "choose_user", lambda: 0)
    with pytest.raises(Unable, match="cannot be given up here"):
        grade(tmp_path)
    assert not (tmp_path / "ran").exists()


def test_a_report_is_believed_line_by_line():
    key, heard = b"k" * 32, Heard()
    body = b'[0, {"ready": true}]'
    seal = hashlib.blake2b(body, key=key).hexdigest().encode()
    read_report(seal + b" " + body + b"\n![1]\n", key, heard)
    assert (heard.said, heard.accused, heard.forged) == ([{"ready": True}], [], False)
    read_report(seal + b" " + body + b"\n", key, heard)  # the same once more
    assert heard.forged


# --- what is handed in -------------------------------------------------------------


def test_a_folder_is_one_learner_and_the_better_mark_counts(tmp_path):
    (tmp_path / "ann").mkdir()
    write_py(tmp_path / "ann", "a", HALF)
    write_py(tmp_path / "ann", "b", RIGHT)
    (ann,) = grade(tmp_path).learners
    assert (ann.name, ann.earned) == ("ann", 6)


def test_marks_in_a_progress_file_are_told_and_judged_ones_count_before_them(tmp_path):
    book = {"version": 1, "seed": "", "exercises": {EX: {"tries": 2, "kept": True}}}
    (tmp_path / "ann.json").write_text(json.dumps(book))
    (tmp_path / "bob.json").write_text(json.dumps(book))
    write_py(tmp_path, "bob", HALF)
    ann, bob = grade(tmp_path).learners
    assert ann.verdict == strings.TOLD
    assert str(ann.marks[EX]) == f"6/6 ({strings.TOLD})"
    assert str(bob.marks[EX]) == "3/6"


def test_locked_cells_are_the_teachers_and_are_not_run(tmp_path):
    path = tmp_path / "ann.ipynb"
    locked = {"cell_type": "code", "source": "x = 1", "metadata": {"nbgrader": {"locked": True}}}
    path.write_text(json.dumps({"cells": [locked, {"cell_type": "code", "source": 7}, 3]}))
    assert read_handin("ann", path).cells == ()


def test_the_last_check_of_an_exercise_counts(tmp_path):
    check = f'check("{EX}", split_lines)'
    write_notebook(tmp_path / "ann.ipynb", HALF, check, RIGHT, check)
    assert grade(tmp_path).learners[0].earned == 6


def test_a_program_that_calls_check_is_judged_there(tmp_path):
    (tmp_path / "ann.py").write_text(f'{RIGHT}check("{EX}", split_lines)\nsplit_lines = None\n')
    assert grade(tmp_path).learners[0].earned == 6


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("ann.ipynb", b"["),
        ("ann.ipynb", b"[]"),
        ("ann.ipynb", b"[" * 100_000),
        ("ann.ipynb", b"\xff"),
        ("ann.json", b"{}"),
        ("ann.json", b'{"version":1,"seed":"","exercises":{"a":{"b":1}}}'),
        ("ann.py", b"x = \0"),
        ("ann.py", b" " * (LARGEST + 1)),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    (ann,) = grade(tmp_path).learners
    assert ann.verdict == "unreadable"


def test_links_are_not_followed_and_hidden_files_are_left_out(tmp_path):
    (tmp_path / "ann.py").symlink_to("/etc/passwd")
    (tmp_path / ".bob.py").write_text("")
    (tmp_path / "notes.txt").write_text("")
    (found,) = find_handins(tmp_path)
    assert found.fault == strings.NO_FILE


def test_servers_are_left_to_the_lab_and_nothing_is_nothing(tmp_path):
    write_py(tmp_path, "ann", "command = []", "ex31_your_server")
    (tmp_path / "bob.py").write_text("x = 1")
    ann, bob = grade(tmp_path).learners
    assert (ann.verdict, bob.verdict) == ("not judged", "not judged")
    assert "rpclab conform" in ann.remarks[0]


# --- what is shown -----------------------------------------------------------------


@pytest.fixture
def group(tmp_path):
    write_py(tmp_path, "=1+1<b>", RIGHT)
    write_py(tmp_path, "half", HALF)
    return grade(tmp_path)


def test_the_page_escapes_names_and_says_what_was_missed_most(group):
    text = page(group, "limits")
    assert "<b>" not in text
    assert "=1+1&lt;b&gt;" in text
    caption = text[text.index("<caption>") : text.index("</caption>")]
    assert caption.count("<li>") == 3
    assert "Missed by 1 of 2. Return to ex04_split, in 02_lines." in caption
    assert 'class="missed">missed</td>' in text
    assert "http" not in text


def test_the_table_has_a_row_for_each_learner_and_no_formula(group):
    first, *rest = csv.reader(io.StringIO(table(group)))
    assert first[:4] == ["Learner", "Verdict", "Marks", EX]
    assert [row[0] for row in rest] == ["'=1+1<b>", "half"]
    assert [row[4] for row in rest] == ["kept", "missed"]


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", " =1"])
def test_no_text_is_a_formula(text):
    assert guard(text) == f"'{text}"


def test_the_most_missed_clauses_are_the_first_three(group):
    assert [row.missed for row in group.most_missed()] == [1, 1, 1]
    assert len(list(tell_most_missed(group))) == 3


# --- the command -------------------------------------------------------------------


def run_rpclab(*words, **options):
    return subprocess.run(
        [sys.executable, "-m", "rpclab", "classroom", *map(str, words)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **options,
    )


def test_a_folder_is_graded_and_written(tmp_path):
    handins = tmp_path / "hand-ins"
    handins.mkdir()
    write_py(handins, "ann\x1b", RIGHT)
    html, rows = tmp_path / "c.html", tmp_path / "c.csv"
    done = run_rpclab(handins, "--html", html, "--csv", rows, "--exercise", "ex04")
    assert done.returncode == 0, done
    assert "6/6" in done.stdout
    assert "\x1b" not in done.stdout
    assert "Each hand-in ran in a process of its own" in done.stdout
    assert html.read_text().startswith("<!DOCTYPE html>")
    assert rows.read_text().startswith("Learner,")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["grade", "nowhere"], "Cannot use nowhere: No such file"),
        (["grade", "."], "There is no hand-in in ."),
        (["grade", ".", "--exercise", "nope"], "There is no exercise nope."),
        (["make", "week1", "nope", "--to", "x"], "There is no exercise nope."),
        (["make", "../week1", "ex04", "--to", "x"], strings.ASSIGNMENT_NO_NAME),
    ],
)
def test_bad_words_are_a_sentence_and_exit_2(tmp_path, words, says):
    done = run_rpclab(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert says in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_make_writes_a_course_folder_and_replaces_nothing_unasked(tmp_path):
    words = ("make", "week1", "ex04", "ex05", "--to", tmp_path)
    assert run_rpclab(*words).returncode == 0
    path = tmp_path / "source" / "week1" / "week1.ipynb"
    assert path.read_text().count('"nbgrader"') == 6
    assert (tmp_path / "nbgrader_config.py").exists()
    path.write_text("mine")
    done = run_rpclab(*words)
    assert (done.returncode, path.read_text()) == (2, "mine")
    assert strings.ASSIGNMENT_EXISTS in done.stdout
    assert run_rpclab(*words, "--force").returncode == 0
    assert path.read_text() != "mine"


def test_a_made_notebook_as_it_is_handed_out_earns_nothing(tmp_path):
    path, _ = make_assignment("week1", [EX, "ex02_replies"], tmp_path)
    (one,) = grade(path.parent).learners
    assert (one.verdict, one.earned, len(one.marks)) == ("graded", 0, 2)


def test_making_and_reading_need_neither_nbformat_nor_nbgrader():
    code = "import sys, rpclab.classroom.assignment, rpclab.classroom.grading\n"
    code += "print([n for n in sys.modules if n in ('nbformat', 'nbgrader', 'rich', 'typer')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
