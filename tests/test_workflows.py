"""The files that other people's machines read: workflows, the devcontainer, CITATION.cff."""

import importlib.util
import json
import os
import re
import shlex
import shutil
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text("utf-8"))
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))
}
JOBS = {name: workflow["jobs"] for name, workflow in WORKFLOWS.items()}
STEPS = [step for jobs in JOBS.values() for job in jobs.values() for step in job["steps"]]
COMMANDS = [shlex.split(step["run"]) for step in STEPS if "run" in step]
LABEL = "Programming Language :: Python :: 3."


@pytest.fixture(scope="module")
def lab():
    spec = importlib.util.spec_from_file_location("lab", ROOT / "lab.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def words_for_lab(text):
    """Yield what follows lab.py in each command of a text; a gap or a mark ends it."""
    for rest in re.findall(r"python3? lab\.py((?: [\w-]+)*)", text):
        yield rest.split()


def test_there_is_a_workflow_for_tests_and_one_for_releases():
    assert set(WORKFLOWS) == {"ci", "publish"}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_may_only_read(name):
    assert WORKFLOWS[name]["permissions"] == {"contents": "read"}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_each_action_is_pinned_by_its_commit_with_the_version_beside_it(name):
    text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text("utf-8")
    used = [action for action in re.findall(r"uses: (.+)", text) if action != "./"]
    assert used != []
    for action in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


def test_one_action_is_pinned_in_one_way_alone():
    used = {step["uses"] for step in STEPS if "uses" in step}
    assert len(used) == len({action.partition("@")[0] for action in used})


@pytest.mark.parametrize(
    "file",
    [
        *(f".github/workflows/{name}.yml" for name in WORKFLOWS),
        ".devcontainer/devcontainer.json",
        ".ci/run",
        "README.md",
        "CONTRIBUTING.md",
        "docs/testing.md",
    ],
)
def test_lab_understands_each_command_that_a_file_gives_it(file, lab):
    found = list(words_for_lab((ROOT / file).read_text("utf-8")))
    assert found != []
    for words in found:
        lab.read_options(words)


def test_ci_runs_every_kind_of_system_with_every_python_that_the_project_names():
    matrix = JOBS["ci"]["unit"]["strategy"]["matrix"]
    assert {system.partition("-")[0] for system in matrix["os"]} == {"ubuntu", "macos", "windows"}
    named = {text.removeprefix(LABEL) for text in PROJECT["classifiers"] if text.startswith(LABEL)}
    assert {f"3.{minor}" for minor in named} <= set(matrix["python"])
    assert PROJECT["requires-python"] == f">={matrix['python'][0]}"
    assert ["python", "lab.py", "test", "unit"] in COMMANDS


def test_ci_runs_everything_on_the_oldest_python():
    steps = JOBS["ci"]["everything"]["steps"]
    assert steps[-1] == {"run": ".ci/run"}
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert PROJECT["requires-python"] == f">={steps[1]['with']['python-version']}"


def test_programs_of_the_venv_that_a_workflow_calls_are_installed():
    called = {
        path for words in COMMANDS for path in re.findall(r"\.venv/bin/(\w+)", " ".join(words))
    }
    assert called == {"hatchling"}
    assert all(shutil.which(program, path=str(Path(sys.executable).parent)) for program in called)


def test_a_release_is_built_once_and_what_was_tried_is_published():
    jobs = JOBS["publish"]
    builds = [name for name in jobs if "hatchling build" in str(jobs[name]["steps"])]
    assert builds == ["build"]
    assert jobs["try"]["needs"] == "build"
    assert set(jobs["publish"]["needs"]) == {"build", "try"}


def test_only_the_job_that_publishes_may_prove_who_it_is():
    jobs = JOBS["publish"]
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert jobs["publish"]["environment"] == "pypi"
    assert [name for name in jobs if "permissions" in jobs[name]] == ["publish"]
    assert jobs["publish"]["steps"][-1]["with"]["attestations"] is True
    assert "secrets." not in str(WORKFLOWS["publish"])


def test_the_citation_names_this_project():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == PROJECT["version"]
    assert citation["license"] == PROJECT["license"]
    assert citation["repository-code"] == PROJECT["urls"]["Source"]
    assert citation["keywords"]
    assert {"message", "title", "authors"} <= set(citation)


def test_the_devcontainer_opens_the_course_on_the_port_that_it_forwards(lab):
    settings = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8"))
    options = lab.read_options(settings["postAttachCommand"].split()[2:])
    assert settings["forwardPorts"] == [options.port]
    version = re.match(r"python:(3\.\d+)", settings["image"])[1]
    assert version in JOBS["ci"]["unit"]["strategy"]["matrix"]["python"]


@pytest.mark.parametrize("file", ["CONTRIBUTING.md", "README.md"])
def test_each_link_to_a_file_leads_somewhere(file):
    links = re.findall(r"\]\(([^)#:]+)(?:#[\w-]*)?\)", (ROOT / file).read_text("utf-8"))
    assert links != []
    assert [link for link in links if not (ROOT / link).exists()] == []
