"""What pip installs: the wheel, the dependencies and the lock files."""

import ast
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from hatchling.build import build_wheel
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from rpclab.course.layout import course_files

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS = PROJECT["optional-dependencies"]
COURSE = [*PROJECT["dependencies"], *EXTRAS["course"]]
EVERYTHING = [
    *PROJECT["dependencies"],
    *(line for extra in EXTRAS.values() for line in extra),
    *(line for group in PYPROJECT["dependency-groups"].values() for line in group),
]
LOCKS = {"requirements.lock.txt": EVERYTHING, "requirements.course.lock.txt": COURSE}
OF_LOCKS = [pytest.param(name, wanted, id=name) for name, wanted in LOCKS.items()]


def names(requirements):
    return {canonicalize_name(Requirement(text).name) for text in requirements}


# What the project declares


@pytest.mark.parametrize("label", ["Homepage", "Documentation", "Source", "Changelog"])
def test_the_registry_page_links_to_the_project(label):
    assert PROJECT["urls"][label].startswith("https://github.com/rpclab/rpclab")


def test_nobody_gets_the_tools_of_the_project_with_pip_install():
    assert set(EXTRAS) == {"course", "wires", "classroom"}
    assert set(PYPROJECT["dependency-groups"]) == {"dev"}


# What is not imported by our code: a file that uses it otherwise, and the words there.
USED_OTHERWISE = {
    "ipykernel": ("notebooks/00_start_here.ipynb", '"name": "python3"'),
    "mypy": ("lab.py", '"mypy"'),
    "ruff": ("lab.py", '"ruff check ."'),
    "import-linter": ("lab.py", '"lint-imports"'),
    "pre-commit": ("CONTRIBUTING.md", "pre-commit install"),
    "pytest-timeout": ("pyproject.toml", "\ntimeout = "),
    "pytest-xdist": ("lab.py", "pytest -n 2"),
    # The extra `wires` is for a part of the course that is planned.
    "httpx": ("docs/design.md", "web bindings (*planned*)"),
    "starlette": ("docs/design.md", "web bindings (*planned*)"),
    "uvicorn": ("docs/design.md", "web bindings (*planned*)"),
    "websockets": ("docs/design.md", "web bindings (*planned*)"),
}


def imported_by(path):
    """Yield the top names of the modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import(names):
                yield from (alias.name.partition(".")[0] for alias in names)
            case ast.ImportFrom(str(module)):
                yield module.partition(".")[0]


def imported():
    """Return the distributions that our files import."""
    owners = packages_distributions()
    folders = ("rpclab", "tests", "benchmarks", "docs", "exercises")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    tops = {top for path in files for top in imported_by(path)}
    return {canonicalize_name(owner) for top in tops for owner in owners.get(top, ())}


def test_each_dependency_is_imported_or_used_in_a_way_that_is_named():
    assert names(EVERYTHING) - imported() == set(USED_OTHERWISE)


@pytest.mark.parametrize(("name", "place"), USED_OTHERWISE.items(), ids=list(USED_OTHERWISE))
def test_what_is_not_imported_is_used_where_it_says(name, place):
    file, words = place
    assert words in (ROOT / file).read_text("utf-8")


# The lock files

PIN = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ; (.+?))? \\$", re.MULTILINE)
BLOCK = re.compile(r"^([a-z0-9-]+)==.+\n((?:    .*\n)+)", re.MULTILINE)


def read_lock(name):
    return (ROOT / name).read_text("utf-8")


@pytest.mark.parametrize(("name", "wanted"), OF_LOCKS)
def test_a_lock_pins_each_dependency_within_its_bounds(name, wanted):
    pins = {}
    for pinned, version, _ in PIN.findall(read_lock(name)):
        pins.setdefault(pinned, []).append(Version(version))
    for requirement in map(Requirement, wanted):
        versions = pins[canonicalize_name(requirement.name)]
        assert all(version in requirement.specifier for version in versions), requirement


@pytest.mark.parametrize(("name", "wanted"), OF_LOCKS)
def test_a_lock_was_made_from_these_dependencies_and_no_others(name, wanted):
    blocks = BLOCK.findall(read_lock(name))
    assert {pinned for pinned, why in blocks if "rpclab (pyproject.toml" in why} == names(wanted)


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_the_hashes_of_each_pin_and_the_reason_for_it(name):
    blocks = BLOCK.findall(read_lock(name))
    assert len(blocks) == len(PIN.findall(read_lock(name))) > len(COURSE)
    for pinned, block in blocks:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", block), pinned
        assert "# via" in block, pinned


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_says_how_it_is_made_and_holds_no_address(name):
    lock = read_lock(name)
    assert lock.splitlines()[1] == "#    python3 lab.py lock"
    assert "://" not in lock
    assert " @ " not in lock


def test_the_lock_of_the_course_is_a_part_of_the_whole_lock():
    course, whole = (
        {(pinned, version) for pinned, version, _ in PIN.findall(read_lock(name))}
        for name in sorted(LOCKS)
    )
    assert course < whole


@pytest.mark.parametrize(
    ("package", "marker"),
    [("pywinpty", "os_name == 'nt'"), ("appnope", "sys_platform == 'darwin'")],
)
def test_a_lock_serves_other_platforms_too(package, marker):
    pins = {pinned: where for pinned, _, where in PIN.findall(read_lock("requirements.lock.txt"))}
    assert pins[package] == marker


# The wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder, before = tmp_path_factory.mktemp("wheel"), Path.cwd()
    os.chdir(ROOT)  # a build backend builds the project of the current folder
    try:
        return folder / build_wheel(folder)
    finally:
        os.chdir(before)


@pytest.fixture(scope="module")
def installed(wheel):
    """Unpack the wheel, as pip does; a Python that starts there finds it first."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(wheel.parent / "site")
    return wheel.parent / "site"


def run_installed(installed, folder, *words):
    done = subprocess.run(
        [sys.executable, "-m", "rpclab", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_wheel_has_the_package_and_the_course_and_nothing_else(installed):
    there = {
        path.relative_to(installed).as_posix() for path in installed.rglob("*") if path.is_file()
    }
    course = {f"rpclab/course/{name}" for name in course_files()}
    ours = (path for path in (ROOT / "rpclab").rglob("*") if path.is_file())
    package = {
        path.relative_to(ROOT).as_posix() for path in ours if "__pycache__" not in path.parts
    }
    information = {name for name in there if name.startswith("rpclab-")}
    assert there == course | package | information


def test_the_wheel_lays_the_course_out_as_a_checkout_has_it(installed, tmp_path):
    said = run_installed(installed, tmp_path, "course", "--no-open", "mine")
    assert said == f"The course is in {tmp_path / 'mine'}\n"
    for name in course_files():
        assert (tmp_path / "mine" / name).read_bytes() == (ROOT / name).read_bytes()


def test_the_wheel_knows_its_exercises(installed, tmp_path):
    assert "ex01_shapes" in run_installed(installed, tmp_path, "exercises", "list")
