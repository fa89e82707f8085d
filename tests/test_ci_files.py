"""What puts rpclab into somebody's CI: the action, the hooks for pre-commit, the container."""

import fnmatch
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
import yaml
from typer.testing import CliRunner

from rpclab.cli.commands import app

ROOT = Path(__file__).resolve().parents[1]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
HOOKS = {
    hook["id"]: hook
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
}
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
DOCS = (ROOT / "docs" / "conformance.md").read_text("utf-8").partition("\n## In CI\n")[2]
EXAMPLES = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.+?)```", DOCS, re.DOTALL)]
COPIED = [
    path
    for line in re.findall(r"^COPY (?!--)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    for path in line.split()
]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="the lab judges over POSIX pipes")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from what the Dockerfile copies and from nothing else."""
    source, built = tmp_path_factory.mktemp("src"), tmp_path_factory.mktemp("wheels")
    for name in COPIED:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(path, source)
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(built)]
    subprocess.run(build, cwd=source, check=True, capture_output=True)
    [file] = built.iterdir()
    return file


# --- the action -------------------------------------------------------------------


INSTALL, JUDGE = ACTION["runs"]["steps"]
COMMAND = 'python3 "my server.py"'
EXPRESSION = re.compile(r"\$\{\{ (?:inputs|steps\.install\.outputs)\.(\w+) \}\}")


def run_step(step, folder, env, **values):
    """Run a step of the action as a runner does, with inputs and outputs as values."""
    values = {name: about.get("default") for name, about in ACTION["inputs"].items()} | values
    own = {name: values[EXPRESSION.fullmatch(text)[1]] for name, text in step["env"].items()}
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env=os.environ | {"PATH": path} | env | own,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A folder with a server; the names of both have a space."""
    folder = tmp_path_factory.mktemp("a project")
    shutil.copy(ROOT / "exercises" / "starters" / "python" / "server.py", folder / "my server.py")
    text = '[[expected]]\nclause = "5.1.invalid-request"\nwhy = "known"\n'
    (folder / "expected.toml").write_text(text)
    return folder


@pytest.fixture(scope="module")
def installed(project, wheel):
    """The command that the first step of the action installs."""
    env = {
        "RUNNER_TEMP": str(project / "temp"),
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_OUTPUT": str(project / "output"),
        # No network: the wheel is here, and what it needs is found by the next step.
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_FIND_LINKS": str(wheel.parent),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    done = run_step(INSTALL, project, env, command=COMMAND, version=VERSION)
    assert done.returncode == 0, done.stderr
    return (project / "output").read_text("utf-8").strip().removeprefix("rpclab=")


def judge(project, rpclab, **inputs):
    inputs = {"command": COMMAND, "options": "--case params.string", "rpclab": rpclab} | inputs
    return run_step(JUDGE, project, {"PYTHONPATH": sysconfig.get_path("purelib")}, **inputs)


@POSIX
def test_the_action_installs_rpclab_in_an_environment_of_its_own(project, installed):
    assert Path(installed).is_relative_to(project / "temp")
    found = list((project / "temp" / "rpclab").rglob("rpclab-*.dist-info"))
    assert [path.name for path in found] == [f"rpclab-{VERSION}.dist-info"]


@POSIX
def test_the_action_judges_a_command_and_fails_at_a_broken_must(project, installed):
    done = judge(
        project, installed, options="--case params.string --case 'examples.notification-1'"
    )
    assert done.returncode == 1, done.stderr
    assert "1 fault. MUST: 1 kept, 1 broken." in done.stdout
    suite = Xml.parse(project / "rpclab-junit.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")


@POSIX
@pytest.mark.parametrize(
    ("inputs", "status", "said"),
    [
        ({"expected": "expected.toml"}, 0, "MUST: 0 kept, 1 broken."),
        ({"framing": "content-length", "options": "--deadline 1"}, 2, "Cannot judge"),
        ({"profile": "nobody"}, 2, "there is no profile 'nobody'"),
        ({"kind": "client", "options": ""}, 2, "Cannot judge python3 'my server.py'"),
        ({"junit": "no/such/folder.xml"}, 2, "Cannot write no/such/folder.xml"),
    ],
    ids=["expected", "framing", "profile", "kind", "junit"],
)
def test_each_input_of_the_action_reaches_the_command(project, installed, inputs, status, said):
    done = judge(project, installed, **inputs)
    assert (done.returncode, said in done.stdout + done.stderr) == (status, True), done


def test_no_input_is_put_into_the_text_of_a_script():
    assert "${{" not in INSTALL["run"] + JUDGE["run"]
    passed = {EXPRESSION.fullmatch(text)[1] for text in (INSTALL["env"] | JUDGE["env"]).values()}
    assert passed == {*ACTION["inputs"], "rpclab"}


def test_the_docs_list_each_input_of_the_action_and_their_example_uses_them():
    table = DOCS.partition("### Hooks")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(ACTION["inputs"])
    [step] = [step for step in EXAMPLES[0]["steps"] if step["uses"].startswith("rpclab/")]
    assert set(step["with"]) <= set(ACTION["inputs"])


# --- the hooks --------------------------------------------------------------------


def run_hook(id, *args):
    program, *words = shlex.split(HOOKS[id]["entry"])
    assert program == "rpclab"
    return CliRunner().invoke(app, [*words, *args], prog_name=program)


def test_pre_commit_takes_the_hooks():
    check = [str(Path(sys.executable).with_name("pre-commit")), "validate-manifest"]
    subprocess.run([*check, str(ROOT / ".pre-commit-hooks.yaml")], check=True)


@POSIX
def test_the_hook_for_a_server_judges_it():
    case = ("--case", "examples.empty-array")
    done = run_hook("rpclab-conform", *case, "--", sys.executable, "-m", "rpclab", "serve")
    assert (done.exit_code, "MUST: 1 kept" in done.output) == (0, True)


@POSIX
def test_the_hook_for_a_client_judges_it():
    client = ROOT / "tests" / "conformance" / "plain_client.py"
    case = ("--case", "client.read.foreign-line")
    done = run_hook("rpclab-conform-client", *case, "--", sys.executable, str(client))
    assert (done.exit_code, "MUST: 1 kept" in done.output) == (0, True)


@pytest.mark.parametrize(("method", "status"), [('"a"', 0), ("7", 1)])
def test_the_hook_for_messages_fails_if_one_breaks_a_rule(tmp_path, method, status):
    file = tmp_path / "messages.jsonl"
    good = '{"jsonrpc":"2.0","method":"b"}'
    file.write_text(f'{good}\n{{"jsonrpc":"2.0","method":{method},"id":1}}\n')
    assert run_hook("rpclab-explain", "--file", str(file)).exit_code == status


def test_the_example_in_the_docs_uses_hooks_that_are_there():
    [repo] = EXAMPLES[1]["repos"]
    assert {hook["id"] for hook in repo["hooks"]} <= set(HOOKS)


# --- the container ----------------------------------------------------------------


def test_the_container_is_built_from_what_is_enough_for_the_wheel(wheel):
    assert wheel.name.startswith(f"rpclab-{VERSION}-")


def test_docker_sees_what_the_dockerfile_copies():
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert lines[1] == "*"
    assert {line.removeprefix("!") for line in lines if line.startswith("!")} == set(COPIED)
    assert not any(fnmatch.fnmatch(name, "__pycache__") for name in COPIED)


def test_the_container_runs_rpclab_as_a_user_without_rights():
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    [user] = re.findall(r"^USER (\d+)$", last, re.MULTILINE)
    assert int(user) > 0
    assert 'ENTRYPOINT ["rpclab"]' in last
