"""Stdout of the commands: what it does when nobody reads it, or when it is full."""

import os
import subprocess
import sys

import pytest

RPCLAB = [sys.executable, "-m", "rpclab"]
GOOD = '{"jsonrpc":"2.0","method":"a"}'
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX pipe")

pytestmark = [pytest.mark.timeout(60), POSIX]


def close_early(*words):
    """Run a command whose stdout is a pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return subprocess.run(
            [*RPCLAB, *words], stdin=subprocess.DEVNULL, stdout=writer,
            stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    finally:
        os.close(writer)


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["--version"],
        ["conform", "-h"],
        ["matrix", "--list"],
        ["specimen"],
        ["specimen", "banner"],
        ["demo"],
        ["exercises"],
        ["exercises", "task", "ex04"],
        ["explain", GOOD],
        ["conform", "--json", "-", "--case", "examples.broken-json", "--", *RPCLAB, "serve"],
        ["classroom", "-h"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_command_ends_well_though_nobody_reads_it(words):
    done = close_early(*words)
    assert (done.returncode, b"Traceback" in done.stderr, b"Error" in done.stderr) == (
        0,
        False,
        False,
    )


def test_the_exit_status_is_what_it_would_have_been():
    assert close_early("explain", "{}").returncode == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device here")  # noqa: PTH110
def test_a_full_disk_is_a_sentence():
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        done = subprocess.run(
            [*RPCLAB, "specimen"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert done.stderr == b"Cannot write to stdout: No space left on device\n"
