"""The house: one configuration file, and others that say the same."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from rattler import MatchSpec

ROOT = Path(__file__).resolve().parents[1]
LAB = ROOT / "lab.py"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))["dependencies"]
CONDA_LINES = [line for line in CONDA if isinstance(line, str)]
LOCK = (ROOT / "requirements.lock.txt").read_text("utf-8")

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


@pytest.fixture
def copy(tmp_path):
    for name in ("lab.py", "pyproject.toml", "requirements.lock.txt"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


# environment.yml


@pytest.mark.parametrize("line", CONDA_LINES)
def test_conda_can_read_each_line_of_the_environment(line):
    bounds = MatchSpec(line, strict=True).version or ""
    assert set(bounds.split(",")) == set(str(Requirement(line).specifier).split(","))


def test_the_environment_names_the_base_and_the_course_with_the_same_bounds():
    conda = by_name(CONDA_LINES)
    conda.pop("pip")
    assert conda.pop("python") == bounds(f"python{PROJECT['requires-python']}")
    assert conda == by_name(PROJECT["dependencies"] + EXTRAS["course"])


def test_the_environment_installs_the_package_itself():
    assert [line for line in CONDA if not isinstance(line, str)] == [{"pip": ["-e ."]}]


# requirements.lock.txt


@pytest.mark.parametrize(
    "wanted", [*PROJECT["dependencies"], *(line for extra in EXTRAS.values() for line in extra)]
)
def test_the_lock_pins_each_dependency_within_its_bounds(wanted):
    requirement = Requirement(wanted)
    name = re.escape(canonicalize_name(requirement.name))
    pinned = re.findall(rf"^{name}==(\S+)", LOCK, re.MULTILINE)
    assert pinned
    assert all(Version(version) in requirement.specifier for version in pinned)


def test_the_lock_holds_no_address():
    assert "://" not in LOCK
    assert " @ " not in LOCK


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


def test_lab_test_installs_every_extra():
    listed = re.search(r"^EVERYTHING = frozenset\((.+)\)$", LAB.read_text("utf-8"), re.MULTILINE)
    assert ast.literal_eval(listed[1]) == set(EXTRAS)


def test_lab_help_says_what_it_does():
    done = run_lab(ROOT, "--help")
    assert done.returncode == 0
    assert all(word in done.stdout for word in ("--port", "--no-browser", "test [NAME ...]"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--prot", "8888"], "unrecognized arguments: --prot"),
        (["--port", "none"], "a port is a number from 1 to 65535, not 'none'"),
        (["--port", "0"], "a port is a number from 1 to 65535, not '0'"),
        (["tset"], "the only command is 'test', not 'tset'"),
        (["test", "lnt"], "there is no step 'lnt'; the steps are lint types"),
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


def test_a_checkout_without_its_pins_gets_a_sentence(copy):
    (copy / "requirements.lock.txt").unlink()
    done = run_lab(copy, "--no-browser")
    assert done.returncode == 1
    assert "requirements.lock.txt" in done.stdout
    assert "Traceback" not in done.stderr
