"""The command ``rpclab specimen``: what it prints, and its exit status."""

import subprocess
import sys

from rpclab.conformance.specimens import difference, find_specimen, source, specimens


def run(*words):
    return subprocess.run(
        [sys.executable, "-m", "rpclab", "specimen", *words],
        capture_output=True, check=False, text=True, encoding="utf-8",
    )  # fmt: skip


def test_without_a_name_each_specimen_has_a_line():
    done = run()
    assert done.returncode == 0
    cells = [line.split("\t") for line in done.stdout.splitlines()]
    assert [row[1] for row in cells] == [one.id for one in specimens()]
    assert ["server", "banner", "newline.stdout-clean", find_specimen("banner").about] in cells


def test_a_name_prints_the_whole_program_as_it_is():
    done = run("banner")
    assert (done.returncode, done.stdout) == (0, source(find_specimen("banner")))


def test_diff_prints_the_change_to_its_base():
    done = run("one-id-for-all", "--diff")
    assert (done.returncode, done.stdout) == (0, difference(find_specimen("one-id-for-all")))


def test_a_name_that_does_not_exist_is_wrong_usage_and_near_names_are_given():
    done = run("baner")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "There is no specimen baner. Did you mean banner? rpclab specimen lists them all.\n"
    )


def test_in_a_terminal_the_code_is_in_colours(monkeypatch, capsys):
    from rpclab.cli.specimen import show_specimen

    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    assert show_specimen("banner", diff=False) == 0
    assert show_specimen("", diff=False) == 0
    text = capsys.readouterr().out
    assert "\x1b[" in text
    assert "server is starting" in text
    assert "breaks newline.stdout-clean" in text
