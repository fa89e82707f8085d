"""What several commands share: two dashes, names that the shell completes, -h and --version."""

import os
import re
import shutil
import subprocess
import sys
from importlib import metadata

import pytest
from typer.testing import CliRunner

from rpclab.cli.commands import LazyCommands, app
from rpclab.cli.options import ask_for_dashes, read_env
from rpclab.conformance.cases import load_cases
from rpclab.conformance.matrix.environments import load_adapters
from rpclab.conformance.specimens import specimens
from rpclab.course.catalogue import course
from rpclab.spec import profiles

COMMANDS = list(LazyCommands().commands)

pytestmark = pytest.mark.timeout(60)


def rpclab(*words):
    return CliRunner().invoke(app, words, prog_name="rpclab", env={"COLUMNS": "100"})


# --- two dashes -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["./my-server", "--flag"], "conform -- ./my-server --flag"),
        (["python", "srv.py"], "conform -- python srv.py"),
        (["--case", "id.null", "./it", "-v"], "conform --case id.null -- ./it -v"),
        (["./it", "my file"], "conform -- ./it 'my file'"),
    ],
    ids=["option", "interpreter", "ours first", "quotes"],
)
def test_forgotten_dashes_are_explained_in_the_words_that_were_typed(words, line):
    done = rpclab("conform", *words)
    first, second = done.stderr.splitlines()
    assert (done.exit_code, done.stdout) == (2, "")
    assert first == "Put two dashes before the command that rpclab is to start:"
    assert second == f"  rpclab {line}"


def test_our_own_options_behind_the_command_are_offered_in_front_of_it():
    done = rpclab("conform", "python", "srv.py", "--profile=mcp", "-x", "--case", "id.null", "-q")
    assert done.stderr.splitlines()[2:] == [
        "Or, if --profile and -x and --case are meant for rpclab:",
        "  rpclab conform --profile=mcp -x --case id.null -- python srv.py -q",
    ]


def test_one_word_needs_no_dashes():
    done = rpclab("conform", "./there-is-no-such-program")
    assert (done.exit_code, "two dashes" in done.stderr) == (2, False)
    assert "there-is-no-such-program" in done.stderr


def test_an_option_that_does_not_exist_is_refused_and_not_started():
    done = rpclab("conform", "--verbose", "./it")
    assert (done.exit_code, "No such option: --verbose" in done.stderr) == (2, True)


def test_the_last_word_of_ours_may_lack_its_value():
    said = ask_for_dashes(["rpclab conform"], ["./it", "--case"], {"--case": True})
    assert said.endswith("rpclab conform --case -- ./it")


def test_a_variable_has_a_name_and_a_value():
    for pair in ("TOKEN", "=x"):
        with pytest.raises(ValueError, match=f"--env takes NAME=VALUE, not {pair!r}"):
            read_env([pair])
    done = rpclab("conform", "--env", "TOKEN", "--", "true")
    assert (done.exit_code, done.stderr) == (
        2,
        "--env takes NAME=VALUE, not 'TOKEN'\n",
    )


# --- help and version -------------------------------------------------------------


@pytest.mark.parametrize("words", [[], *([command] for command in COMMANDS)], ids=str)
def test_h_is_help_everywhere(words):
    done = rpclab(*words, "-h")
    assert (done.exit_code, "Usage: " in done.stdout) == (0, True)


def test_the_version_is_printed():
    done = rpclab("--version")
    assert (done.exit_code, done.stdout.split(",")[0]) == (
        0,
        f"rpclab {metadata.version('rpclab')}",
    )


@pytest.mark.parametrize(
    "words",
    [["conform"], ["conform-client"], ["matrix"], ["exercises"], ["classroom", "grade"]],
    ids=" ".join,
)
def test_the_help_says_what_the_exit_status_means(words):
    assert "Exit status: 0 if" in rpclab(*words, "-h").stdout


@pytest.mark.parametrize("command", ["conform", "conform-client"])
def test_the_help_lists_every_profile(command):
    shown = " ".join(re.sub("[│\n]", " ", rpclab(command, "-h").stdout).split())
    assert ", ".join(one.id for one in profiles()) in shown


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_names_only_what_exists(command):
    shown = " ".join(re.sub("[│\n]", " ", rpclab(command, "-h").stdout).split())
    assert set(re.findall(r"--case ([\w.-]+\.[\w.-]+)", shown)) <= {one.id for one in load_cases()}
    assert "docs/" not in shown  # who installed with pip has no such folder
    assert "`" not in shown


# --- completion -------------------------------------------------------------------

COMPLETE = """
source "$0"
COMP_WORDS=({words}) COMP_CWORD={place}
_rpclab_completion rpclab
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


PATH = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])  # noqa: PTH120


@pytest.fixture(scope="module")
def completion(tmp_path_factory):
    """Return the file that a shell reads to complete our words."""
    if not shutil.which("bash"):
        pytest.skip("there is no bash here")
    file = tmp_path_factory.mktemp("bash") / "completion"
    command = ["bash", "-c", 'rpclab --show-completion bash > "$0"', str(file)]
    subprocess.run(command, check=True, env={**os.environ, "PATH": PATH})
    return file


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("conf", ["conform", "conform-client"]),
        ("conform --profile mcp@2025-0", ["mcp@2025-03-26", "mcp@2025-06-18"]),
        ("conform --framing c", ["content-length"]),
        ("conform --case id.n", [one.id for one in load_cases() if one.id.startswith("id.n")]),
        ("specimen ba", [one.id for one in specimens() if one.id.startswith("ba")]),
        ("exercises ", ["list", "task", "run", "watch", "hint", "solution", "skip", "reset"]),
        ("exercises run ex3", [name for name in course() if name.startswith("ex3")]),
        ("matrix j", [one.id for one in load_adapters() if one.id.startswith("j")]),
        ("classroom make week1 ex04", ["ex04_split"]),
        ("serve --framing ", ["newline", "content-length"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bash_completes(typed, names, completion):
    command, *words = ["rpclab", *typed.split(" ")]
    quoted = " ".join(f"'{word}'" for word in [command, *words])
    script = COMPLETE.format(words=quoted, place=len(words))
    done = subprocess.run(
        ["bash", "-c", script, str(completion)], capture_output=True, check=True, text=True,
        env={**os.environ, "PATH": PATH},
    )  # fmt: skip
    assert done.stdout.splitlines() == names
