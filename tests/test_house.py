"""The project's own files: one configuration file, and others that agree with it."""

import ast
import importlib.util
import logging
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LAB = ROOT / "lab.py"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS = PROJECT["optional-dependencies"]
GROUPS = PYPROJECT["dependency-groups"]
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))["dependencies"]
CONDA_LINES = [line for line in CONDA if isinstance(line, str)]

# Public registries, and the places where people keep checkouts.
ADDRESS = re.compile(r"pypi\.org|python-?hosted|npmjs\.|deb(ian)?\.org|anaconda\.")
MACHINE_PATH = re.compile(r"(?<![\w./~-])/(root|work|home/\w+|Users/\w+)/")


def bounds(requirement):
    return {(part.operator, part.version) for part in Requirement(requirement).specifier}


def by_name(requirements):
    return {canonicalize_name(Requirement(text).name): bounds(text) for text in requirements}


def tracked_files():
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout: nothing is tracked here")
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name]


def run_lab(folder, *words, **environment):
    return subprocess.run(
        [sys.executable, "lab.py", *words],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.fixture(scope="module")
def lab():
    """Return lab.py as a module: what it does with the steps, without a .venv of its own."""
    spec = importlib.util.spec_from_file_location("lab", LAB)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def run_steps(lab, monkeypatch, capfd):
    """Run a group of steps made of Python code, and return what was printed and the failure."""

    def run(**codes):
        steps = [
            lab.Step(name, name, "rpclab", (shlex.join(["python", "-c", code]),))
            for name, code in codes.items()
        ]
        monkeypatch.setattr(lab, "GROUPS", (tuple(steps),))
        monkeypatch.setattr(lab, "STEPS", tuple(steps))
        monkeypatch.setattr(lab, "tool", lambda name: sys.executable)
        try:
            lab.test(list(codes), everything=False)
        except lab.Failed as failed:
            return capfd.readouterr().out, failed
        return capfd.readouterr().out, None

    return run


@pytest.fixture
def copy(tmp_path):
    for name in ("lab.py", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    for path in ROOT.glob("requirements*.lock.txt"):
        shutil.copy(path, tmp_path)
    return tmp_path


# environment.yml


# What conda and pip read in the same way: a name, then bounds with commas between.
CONDA_LINE = re.compile(r"[a-z0-9_.-]+((>=|<=|==|!=|>|<)\d+(\.\d+)*(,(?!$)|$))*")


@pytest.mark.parametrize("line", CONDA_LINES)
def test_conda_and_pip_read_each_line_of_the_environment_alike(line):
    assert CONDA_LINE.fullmatch(line)


@pytest.mark.parametrize(
    "line", ["rich >=14", "Rich", "rich~=14.1", "rich>=14,", "rich[all]", "rich=14", "rich>=14;x"]
)
def test_a_line_that_conda_and_pip_might_read_differently_would_be_seen(line):
    assert not CONDA_LINE.fullmatch(line)


def test_the_environment_names_the_base_and_the_course_with_the_same_bounds():
    conda = by_name(CONDA_LINES)
    conda.pop("pip")
    assert conda.pop("python") == bounds(f"python{PROJECT['requires-python']}")
    assert conda == by_name(PROJECT["dependencies"] + EXTRAS["course"])


def test_the_environment_installs_the_package_itself():
    assert [line for line in CONDA if not isinstance(line, str)] == [{"pip": ["-e ."]}]


# Every file


def test_no_file_names_a_registry_or_a_path_of_some_machine():
    found = [
        (path.name, match.group())
        for path in tracked_files()
        if path.is_file()
        for pattern in (ADDRESS, MACHINE_PATH)
        for match in pattern.finditer(path.read_bytes().decode("utf-8", "replace"))
    ]
    assert found == []


@pytest.mark.parametrize("folder", ["root", "work", "home/ada", "Users/ada"])
def test_a_path_of_some_machine_would_be_seen(folder):
    assert MACHINE_PATH.search(f"File '/{folder}/rpclab/lab.py', line 1")
    assert not MACHINE_PATH.search(f"tests/{folder}/")


HOME_MADE = re.compile(r"Path\.home\(|expanduser\(|XDG_|APPDATA|Library/")


def test_folders_of_a_user_are_found_by_platformdirs_alone():
    files = [path for path in (ROOT / "rpclab").rglob("*.py") if "adapters" not in path.parts]
    assert [path.name for path in files if HOME_MADE.search(path.read_text("utf-8"))] == []
    assert HOME_MADE.search('Path.home() / ".local"')


def test_files_that_record_addresses_are_never_committed():
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert {"uv.lock", "pylock.toml", ".venv/"} <= set(ignored)


# lab.py


def test_lab_imports_the_standard_library_alone():
    names = set()
    for node in ast.walk(ast.parse(LAB.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            names.add(node.module.partition(".")[0])
    assert names <= sys.stdlib_module_names


def test_an_old_python_can_read_lab_to_the_line_that_refuses_it():
    ast.parse(LAB.read_text("utf-8"), feature_version=(3, 7))


def test_lab_asks_for_the_python_that_the_project_asks_for():
    oldest = re.search(r"^OLDEST = \((\d+), (\d+)\)$", LAB.read_text("utf-8"), re.MULTILINE)
    assert PROJECT["requires-python"] == f">={oldest[1]}.{oldest[2]}"


def test_lab_locks_every_extra_and_group_for_the_tests_and_the_course_for_a_learner(lab):
    assert lab.LOCKS[lab.EVERYTHING] == ("--all-extras", "--group", "dev")
    assert set(GROUPS) == {"dev"}
    assert lab.LOCKS[lab.COURSE] == ("--extra", "course")


def test_lab_help_says_what_it_does():
    done = run_lab(ROOT, "--help")
    assert done.returncode == 0
    shown = ("--port", "--no-browser", "test [--all | NAME ...]", "lab.py lock")
    assert all(words in done.stdout for words in shown)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--prot", "8888"], "unrecognized arguments: --prot"),
        (["--port", "none"], "a port is a number from 1 to 65535, not 'none'"),
        (["--port", "0"], "a port is a number from 1 to 65535, not '0'"),
        (["tset"], "the commands are 'test' and 'lock', not 'tset'"),
        (["lock", "lint"], "'lock' takes no other word"),
        (["lock", "--all"], "--all goes with 'test' and without the name of a step"),
        (["test", "lnt"], "there is no step 'lnt'; the steps are lint types"),
        (["--all"], "--all goes with 'test' and without the name of a step"),
        (["test", "--all", "lint"], "--all goes with 'test' and without the name of a step"),
    ],
)
def test_a_wrong_word_gets_a_sentence(words, sentence):
    done = run_lab(ROOT, *words)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_failing_step_says_which_and_its_command_and_what_to_do(copy):
    # What Debian ships without python3-venv: a module that refuses.
    (copy / "venv.py").write_text("raise SystemExit('ensurepip is not available')")
    done = run_lab(copy, "--no-browser", PYTHONPATH=str(copy))
    assert done.returncode == 1
    assert "Failed at step 1 of 4: Making .venv" in done.stdout
    assert f"-m venv {copy / '.venv'}" in done.stdout
    assert "sudo apt install python3-venv" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_venv_that_cannot_be_removed_gets_a_sentence(copy):
    (copy / ".venv").write_text("a file where a folder should be")
    done = run_lab(copy, "--no-browser")
    assert done.returncode == 1
    assert "Failed at step 1 of 4: Making .venv" in done.stdout
    assert "delete .venv" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["requirements.lock.txt", "requirements.course.lock.txt"])
def test_a_checkout_without_its_pins_gets_a_sentence(name, copy):
    (copy / name).unlink()
    done = run_lab(copy, "--no-browser")
    assert done.returncode == 1
    assert name in done.stdout
    assert "Traceback" not in done.stderr


# The steps of the tests


def test_steps_that_run_at_the_same_time_print_one_after_the_other(run_steps):
    code = "for n in range(3): print('{0}', n, flush=True)"
    out, failed = run_steps(one=code.format("one"), two=code.format("two"))
    assert failed is None
    for name in ("one", "two"):
        assert f"{name} 0\n{name} 1\n{name} 2\n" in out
    assert "Passed: 2 of 2 steps" in out


def test_a_step_that_fails_ends_the_one_beside_it_and_says_what_to_run(run_steps):
    began = time.monotonic()
    out, failed = run_steps(
        bad="print('why', flush=True); exit(3)", slow="import time; time.sleep(600)"
    )
    assert time.monotonic() - began < 60
    assert "why" in out
    assert (failed.place, failed.code) == ("step 1 of 2: bad: bad", 3)
    assert failed.fix.endswith("python3 lab.py test bad")


def test_a_step_that_runs_long_is_named_with_its_progress(run_steps, lab, monkeypatch, tmp_path):
    monkeypatch.setattr(lab, "HEARTBEAT", 0.1)
    go_on = tmp_path / "go_on"
    wait = f"""if True:
        import pathlib, time
        print("... [ 42%]", flush=True)
        while not pathlib.Path({str(go_on)!r}).exists(): time.sleep(0.01)"""

    def say(text):
        lines.append(text)
        if "slow 42 %" in text:
            go_on.touch()

    lines = []
    monkeypatch.setattr(lab, "say", say)
    run_steps(slow=wait, quick="")
    assert any(re.search(r"\d+ s, still running: slow 42 %", line) for line in lines)


def test_ci_runs_the_short_steps_alone():
    assert "exec python3 lab.py test\n" in (ROOT / ".ci" / "run").read_text("utf-8")


def test_the_long_tests_run_only_when_asked_for(lab):
    assert [step.name for step in lab.STEPS if step not in lab.SHORT_STEPS] == ["long"]


# The test run itself


def test_half_a_surrogate_pair_in_a_log_does_not_end_a_worker():
    # Under pytest-xdist the captured log of this test is sent to another process.
    logging.getLogger("tests").error("half a pair: \udf54")
