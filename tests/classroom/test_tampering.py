"""What a hand-in does to its grader: it is stopped or undone, reported, and earns nothing."""

import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from rpclab.classroom import Limits, find_handins, grade
from rpclab.classroom.grading import grade_handin
from rpclab.classroom.privileges import is_root
from tests.classroom.handin_files import EX, RIGHT, grade_text, write_py

ATTACKS = {
    "judging": "import sys; sys.modules['rpclab.course.expect'].same = lambda *_: True\n",
    "report": "from rpclab.course import CheckReport; CheckReport.kept = property(lambda _: 1)\n",
    "slots": "from rpclab.course import CheckReport; CheckReport.outcomes = ()\n",
    "words": "from rpclab.course import exercises; exercises.BROKEN = 'kept'\n",
    "worker": "from rpclab.classroom import worker; worker.judge = lambda *_: {{}}\n",
    "snapshot": "from rpclab.classroom import snapshot; snapshot.vars = lambda _: {{}}\n",
    "hook": "from rpclab.classroom import audit_hook; audit_hook.TAMPERED = ''\n",
    "code": "from rpclab.course import demand; demand.__code__ = (lambda *_: None).__code__\n",
    "builtin": "import builtins; builtins.type = lambda _: int\n",
    "hidden": "import sys; sys.modules['rpclab.course.expect'].type = lambda _: int\n",
    "modules": "import sys; sys.modules['json'] = sys\n",
    "module class": "import sys, types\nclass Lie(types.ModuleType):\n    pass\n"
    "sys.modules['rpclab.course'].__class__ = Lie\n",
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
    "psutil": "import psutil; psutil.Process().parent().kill()\n",
    "frames": "import sys; sys._getframe()\n",
    "inspect": "import inspect; inspect.currentframe()\n",
    "traceback": "try:\n    1 / 0\nexcept Exception as e:\n    e.__traceback__.tb_frame\n",
    "objects": "import gc; gc.get_objects()\n",
    "report line": "import os\nfor number in range(3, 20):\n"
    "    try:\n        os.write(number, b'0 [1, {{}}]\\n')\n    except OSError:\n        pass\n",
}


def write_attack(folder, name, other):
    write_py(folder, name, ATTACKS[name].format(handin=str(other), folder=str(folder)) + RIGHT)


@pytest.mark.parametrize("attack", ATTACKS)
def test_tampering_is_reported_and_earns_nothing(tmp_path, attack):
    other = write_py(tmp_path, "ann", RIGHT)
    write_attack(tmp_path, attack, other)
    (handin,) = (one for one in find_handins(tmp_path) if one.learner == attack)
    result = grade_handin(handin, tmp_path, (), Limits())
    assert result.verdict == "tampered", result
    assert [mark.earned for mark in result.marks.values()] == [0]
    assert "so it earns nothing" in result.remarks
    assert other.read_text() == RIGHT
    assert len(list(tmp_path.iterdir())) == 2
    assert not Path("/tmp/rpclab-was-here").exists()


def test_the_others_are_unharmed(tmp_path):
    other = write_py(tmp_path, "bob", RIGHT)
    write_attack(tmp_path, "rmtree", other)
    write_py(tmp_path, "ann", RIGHT)
    verdicts = [(one.name, one.verdict, one.earned) for one in grade(tmp_path).learners]
    assert verdicts == [("ann", "graded", 6), ("bob", "graded", 6), ("rmtree", "tampered", 0)]


AS_USER = """
import sys
from pathlib import Path
from rpclab.classroom import grade
for one in grade(Path(sys.argv[1])).learners:
    print(one.name, one.verdict, one.earned, sep=":")
"""


def find_python(uid):
    """Return a Python that another user can run: root's own may be in a closed home."""
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        with suppress(OSError):
            code = "import sys; sys.exit(sys.version_info < (3, 11))"
            if not subprocess.run([python, "-c", code], user=uid, check=False).returncode:
                return python
    return pytest.skip("no other user can run a Python here")


@pytest.mark.skipif(not is_root(), reason="the tests above ran without the rights of root")
@pytest.mark.parametrize("part", [0, 1, 2])
def test_without_the_rights_of_root_the_verdicts_are_the_same(part):
    uid = 60123 + part
    python = find_python(uid)
    root = str(Path(__file__).parents[2])
    attacks = list(ATTACKS)[part::3]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        other = write_py(folder, "ann", RIGHT)
        for attack in attacks:
            write_attack(folder, attack, other)
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
            timeout=200,
            check=False,
        )
        assert other.read_text() == RIGHT
    found = dict(line.split(":", 1) for line in done.stdout.splitlines())
    assert found == {"ann": "graded:6", **dict.fromkeys(attacks, "tampered:0")}, done.stderr


def test_tampering_while_the_answer_is_judged_is_seen(tmp_path):
    text = "import sys\ndef split_lines(rest, chunk):\n"
    text += "    sys.modules['rpclab.course.expect'].same = lambda *_: True\n    return [], b''\n"
    assert grade_text(tmp_path, text).verdict == "tampered"


FORGERIES = {
    "main": """import __main__
__main__.judge = lambda trial, *_: {
    "exercise": trial.row.name, "kept": 6, "slow": False, "sound": True, "changed": []
}
""",
    "encoder": """import json
class Forger:
    def encode(self, said):
        if "kept" in said[1]:
            said[1]["kept"] = 6
        return json.JSONEncoder().encode(said)
json._default_encoder = Forger()
""",
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_wrong_answer_that_forges_its_report_earns_nothing(tmp_path, forgery):
    wrong = "def split_lines(rest, chunk):\n    return [], b''\n"
    zoe = grade_text(tmp_path, FORGERIES[forgery] + wrong)
    assert (zoe.verdict, zoe.earned) == ("graded", 0), zoe


def test_the_solution_cannot_be_borrowed(tmp_path):
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
