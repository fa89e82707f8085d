"""``rpclab conform`` for people: what is refused before a run, and what is shown first."""

import io
import re
import sys

import pytest
from rich.console import Console
from typer.testing import CliRunner

from rpclab.cli.commands import app
from rpclab.cli.report_view import MOST_BLOCKS, show_report
from rpclab.conformance.expected import compare_expected
from rpclab.conformance.judging import Report, Verdict

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="programs that their first line starts")

pytestmark = [pytest.mark.timeout(60), POSIX]


def python(code):
    return [sys.executable, "-I", "-S", "-c", code]


def rpclab(*words):
    return CliRunner().invoke(app, words, prog_name="rpclab")


# --- what cannot be judged --------------------------------------------------------


@pytest.mark.parametrize("command", ["conform", "conform-client"])
def test_a_script_without_its_interpreter_is_refused_in_a_sentence(command, tmp_path):
    script = tmp_path / "server"
    script.write_text("#!/no/such/python3\n")
    script.chmod(0o755)
    done = rpclab(command, str(script))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        f"Cannot start {script}. '{script}' is there, but '/no/such/python3',"
        " which its first line asks for, is not there.\n"
    )


def test_a_server_that_ends_before_its_first_reply_is_told_in_one_block(tmp_path):
    json = tmp_path / "report.json"
    server = python("import sys; print('hello'); sys.exit('no config')")
    done = rpclab("conform", "--shrink", "--json", str(json), "--", *server)
    assert (done.exit_code, done.stdout, json.exists()) == (2, "", False)
    first, *rest = done.stderr.splitlines()
    assert first.startswith("Cannot judge ")
    assert first.endswith(": it ended (exit status 1) before it answered a first good request.")
    assert rest[:4] == [
        "The end of its stdout:",
        "  hello",
        "The end of its stderr:",
        "  no config",
    ]
    assert rest[4].startswith("To try it by hand: rpclab send -- ")


def test_only_the_end_of_much_output_is_shown():
    server = python("import sys\nfor n in range(99): print('line', n, file=sys.stderr)")
    shown = rpclab("conform", "--", *server).stderr.splitlines()
    assert [line for line in shown if line.startswith("  line ")] == [
        f"  line {n}" for n in range(87, 99)
    ]


def test_a_client_that_does_nothing_is_told_in_one_block():
    done = rpclab("conform-client", "--", *python("import sys; sys.exit('no such word')"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert ": it ended (exit status 1), and it neither called its server" in done.stderr
    assert done.stderr.endswith("The end of its stderr:\n  no such word\n")


def test_a_client_that_goes_on_and_does_nothing_is_told_so_too():
    client = python("import time; time.sleep(60)")
    done = rpclab("conform-client", "--startup", "0.2", "--deadline", "0.2", "--", *client)
    assert (done.exit_code, ": it goes on, and it neither called" in done.stderr) == (2, True)


def test_in_a_chosen_case_a_client_that_does_nothing_cannot_be_judged_either():
    client = python("import nobody_has_this_module")
    done = rpclab("conform-client", "--case", "client.call.members", "--", *client)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "ModuleNotFoundError: No module named 'nobody_has_this_module'" in done.stderr


@pytest.mark.parametrize("option", ["--json", "--junit", "--html", "--badge"])
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_started(option, tmp_path):
    mark = tmp_path / "started"
    server = python(f"open({str(mark)!r}, 'w')")
    for file, why in ((tmp_path, "it is a folder"), (tmp_path / "no" / "x", "there is no folder")):
        done = rpclab("conform", option, str(file), "--", *server)
        assert (done.exit_code, mark.exists()) == (2, False)
        assert done.stderr.startswith(f"Cannot write {file}: {why}")


# --- what is shown of a run -------------------------------------------------------


CLAUSES = (
    "5.reply",
    "5.jsonrpc-exact",
    "4.object",
    "6.array",
    "6.one-each",
    "5.id-same",
    "4.2.structured",
)


def verdict(case, level="must", clause="5.reply", **more):
    usual = {"found": "broken", "why": f"? {case}", "level": level, "clause": clause}
    return Verdict(case=case, **(usual | more))


def shown(*verdicts, reasons=None, most=MOST_BLOCKS):
    report = Report(target="it", profile="core", framing="newline", verdicts=verdicts)
    screen = Console(file=io.StringIO(), width=100, soft_wrap=True)
    held = compare_expected(report, reasons or {}, [one.case for one in verdicts])
    show_report(screen, report, held, most)
    text = screen.file.getvalue()
    return text, re.findall(r"^broken ([\w.-]+): ", text, re.MULTILINE)


def test_a_must_comes_before_a_should_and_the_examples_before_the_rest():
    _, order = shown(
        verdict("batch.a", "should", "6.array"),
        verdict("id.a", clause="5.id-same"),
        verdict("examples.a", "should", "6.one-each"),
        verdict("examples.b", clause="5.reply"),
        verdict("error.a", clause="5.jsonrpc-exact"),
    )
    assert order == ["5.reply", "5.id-same", "5.jsonrpc-exact", "6.one-each", "6.array"]


def test_what_was_expected_to_be_broken_comes_last():
    text, order = shown(
        verdict("examples.a"), verdict("id.a", clause="4.object"), reasons={"examples.a": "issue 7"}
    )
    assert order == ["4.object", "5.reply"]
    assert "\n  issue 7\n" in text


def test_a_fault_is_told_once_with_the_cases_that_it_blocks():
    blocked = [
        verdict(f"id.{n}", found="not judged", clause="5.id-same", blocked_by="4.object")
        for n in range(7)
    ]
    broken = (verdict("x.a"), verdict("b.a", clause="4.object"), verdict("b.b", clause="4.object"))
    text, order = shown(*broken, *blocked)
    assert order == ["4.object", "5.reply"]
    assert "\n  https" not in text
    assert "JSON-RPC 2.0 Specification, 4: https://www.jsonrpc.org/specification#request_" in text
    assert "  also shown by 1: b.b\n" in text
    assert "  blocks 7: id.0, id.1, id.2, id.3, id.4 and 2 more\n" in text
    assert "2 faults; 7 cases blocked by them. MUST: 0 kept, 3 broken." in text
    assert "(must): ? b.b" not in text
    text, _ = shown(*broken, *blocked, most=None)
    assert "(must): ? b.b" in text
    assert "id.5, id.6\n" in text


def test_five_faults_are_shown_unless_all_are_wanted():
    many = [verdict(f"id.{n}", clause=id) for n, id in enumerate(CLAUSES)]
    text, order = shown(*many)
    assert len(order) == MOST_BLOCKS == 5
    assert "2 more faults. --all shows them." in text
    assert "1 more fault. --all shows it." in shown(*many[:6])[0]
    text, order = shown(*many, most=None)
    assert (len(order), "--all" in text) == (7, False)


def test_the_choices_of_a_target_are_cut_too():
    free = [
        Verdict(case="a", clause="5.reply", level="free", found="free", ruling=id, reading="other")
        for id in ("crlf", "id-null", "blank-line", "last-line", "id-in-flight", "batches")
    ]
    text, _ = shown(*free)
    assert "  \\r\\n: other (ruling crlf)\n" in text
    assert "  and 1 more; --all shows them\n" in text
    assert "`" not in text
