"""Reports: faults, JSON, JUnit, a page, a badge; and the two commands."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from typer.testing import CliRunner

from rpclab.cli.commands import app
from rpclab.cli.conform import choose_framing, read_names
from rpclab.conformance.judging import Report, Verdict
from rpclab.conformance.reports import (
    MOST_BYTES,
    again,
    badge,
    count_faults,
    details,
    find_source,
    junit,
    readable,
    report_data,
    report_page,
)

NASTY = b'<script>alert("x")</script>\x1b[2J\x00&'


def verdict(case="a", found="broken", **more):
    usual = {"clause": "5.reply", "level": "must", "sent": b"[]", "came": (NASTY,)}
    return Verdict(case=case, found=found, **(usual | {"wanted": (("{}",),)} | more))


def report(*verdicts, **more):
    usual = {"target": "./my server", "profile": "core", "framing": "newline"}
    return Report(verdicts=verdicts, **(usual | more))


# --- bytes that people read -------------------------------------------------------


def test_bytes_are_shown_without_steering_a_terminal():
    assert readable(NASTY) == '<script>alert("x")</script>\\x1b[2J\\x00&'
    assert readable(b"\xff\xc3\xa9") == "\\xffé"


def test_the_middle_of_much_is_left_out():
    text = readable(b"a" * 100_000)
    assert len(text) < MOST_BYTES + 100
    assert f"{100_000 - MOST_BYTES} bytes left out" in text


def test_the_command_that_shows_a_case_again():
    assert again(report(), "x.y") == "rpclab conform --case x.y -- ./my server"
    other = report(profile="mcp", framing="content-length", names={"echo": "a b"})
    assert again(other, "x.y") == (
        "rpclab conform --profile mcp --framing content-length --methods 'echo=a b'"
        " --case x.y -- ./my server"
    )
    assert again(report(command="conform-client"), "x").startswith("rpclab conform-client")


def test_the_details_of_a_verdict():
    found = dict(details(verdict(came=(), wanted=((), ("{}",)), stderr="bad\x1b", wrote=(b"7",))))
    assert found["came"] == "(nothing)"
    assert found["wanted"] == "(nothing)\nor\n{}"
    assert found["stderr"] == "bad\\x1b"
    assert found["wrote"] == "7"


# --- faults -----------------------------------------------------------------------


def blocked(case, by="5.reply"):
    return verdict(case, "not judged", clause="4.1.no-reply", why="blocked", blocked_by=by)


def test_faults_are_counted_in_a_sentence():
    assert count_faults(report(verdict("a", "kept"))) == "No fault."
    assert count_faults(report(verdict("a"), verdict("b"))) == "1 fault."
    assert count_faults(report(verdict(), blocked("b"))) == "1 fault; 1 case blocked by it."
    two = (verdict(), verdict("c", clause="5.jsonrpc-exact"))
    assert count_faults(report(*two, blocked("d"), blocked("e"))) == (
        "2 faults; 2 cases blocked by them."
    )


def test_a_clause_of_our_own_has_a_source_without_an_address():
    assert find_source("newline.blank-skipped") == "Newline stdio: this course's own binding, 1"


# --- the forms --------------------------------------------------------------------


def test_the_report_as_json():
    whole = report(
        verdict(), verdict("b", "kept"), verdict("c", "free", ruling="crlf", reading="x")
    )
    data = json.loads(json.dumps(report_data(whole, {"a": "issue 1"})))
    assert data["counts"]["must"] == {"kept": 1, "broken": 1}
    assert data["votes"] == {"crlf": "x"}
    assert data["keeps_every_must"] is False
    broken, kept, free = data["cases"]
    assert broken["expected"] == "issue 1"
    assert broken["again"].endswith("--case a -- ./my server")
    assert "sent" not in kept
    assert free["reading"] == "x"


def test_json_has_the_faults_and_what_blocks_a_case():
    data = report_data(report(verdict(), verdict("b"), blocked("c"), verdict("d", "kept")))
    assert data["faults"] == [
        {
            "clause": "5.reply",
            "link": "https://www.jsonrpc.org/specification#response_object",
            "cases": ["a", "b"],
            "blocked": ["c"],
        }
    ]
    assert [case.get("blocked_by") for case in data["cases"]] == [None, None, "5.reply", None]


def test_the_docs_list_each_member_of_the_json():
    page = (Path(__file__).parents[2] / "docs" / "conformance.md").read_text("utf-8")
    section = page.partition("### The report in JSON\n")[2].partition("\n### ")[0]
    listed = set(re.findall(r"^\| `([\w.]+)` \|", section, re.MULTILINE))
    everything = verdict(why="x", delivery="bytes", ruling="crlf", reading="lf", blocked_by="a")
    everything = replace(everything, carrier="ping")
    data = report_data(report(everything, unfinished=2), {"a": "issue 7"})
    lists = {name: data[name][0] for name in ("faults", "cases")}
    members = {f"{name}.{member}" for name, first in lists.items() for member in first}
    assert listed == set(data) | members


def test_junit_tells_a_fault_once_and_skips_what_it_blocks():
    whole = report(verdict(), verdict("b", why="other"), blocked("c"))
    cases = {case.get("name"): case for case in Xml.fromstring(junit(whole)).iter("testcase")}
    text = cases["a"].find("failure").text
    assert "shown too by: b\n\nblocks: c\n\nrpclab conform --case a" in text
    assert "https://www.jsonrpc.org/specification#response_object" in text
    assert cases["b"].find("skipped").get("message") == "the same fault as a: other"
    assert cases["c"].find("skipped").get("message") == "blocked by 5.reply"


def test_a_fault_with_a_case_that_was_expected_fails_by_another():
    suite = Xml.fromstring(junit(report(verdict(), verdict("b")), {"a": ""}))
    assert [case.get("name") for case in suite.findall("testcase[failure]")] == ["b"]


def test_junit_has_a_failure_only_for_a_must_that_nobody_expected():
    whole = report(
        verdict(why="\x00<bad>"),
        verdict("b", level="should"),
        verdict("c", "not judged"),
        verdict("d", "kept"),
        verdict("e"),
    )
    suite = Xml.fromstring(junit(whole, {"e": "issue 7"}))
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("5", "1", "3")
    [failure] = suite.findall("testcase/failure")
    assert failure.get("message") == "\\x00<bad>"
    assert "rpclab conform --case a" in failure.text
    assert "issue 7" in suite.findall("testcase/skipped")[2].get("message")


class Page(HTMLParser):
    """What a page asks for and what it opens."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.asks = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Keep a tag, and what it would fetch."""
        self.tags.append(tag)
        fetched = ("src", "onclick") if tag == "a" else ("src", "href", "onclick")
        self.asks += [value for name, value in attrs if name in fetched]


def test_the_page_escapes_everything_and_needs_nothing_else():
    nasty = verdict(why=NASTY.decode(), stderr=NASTY.decode(), ruling="crlf", reading="<b>")
    text = report_page(report(nasty, verdict("b", "kept"), target=NASTY.decode()), {"a": "<i>"})
    found = Page(text)
    assert "script" not in found.tags
    assert not {"b", "i", "img", "link"} & set(found.tags)
    assert found.asks == []
    assert "\x1b" not in text
    assert text.count("<details") == text.count("<summary>") == 2


def test_the_page_shows_a_fault_first_and_folds_what_it_blocks():
    text = report_page(report(verdict(), verdict("b"), blocked("c")), {"a": "issue 7"})
    assert text.index("1 fault; 1 case blocked by it.") < text.index("<h2>Clauses</h2>")
    fault = text.partition('<section class="fault">')[2].partition("</section>")[0]
    assert "5.reply" in fault
    assert '<a href="https://www.jsonrpc.org/specification#response_object">' in fault
    assert "Expected: issue 7" in fault
    folded = re.findall(r"<details><summary>(.+?)</summary>\s*<p>(.+?)</p>", fault, re.DOTALL)
    assert [words for words, _ in folded] == ["shown by 2 cases", "blocks 1 case"]
    assert 'href="#b"' in folded[0][1]
    assert 'href="#c"' in folded[1][1]
    own = report_page(report(verdict(clause="newline.blank-skipped")))
    assert "Newline stdio: this course&#39;s own binding, 1" in own
    assert "<h2>Faults</h2>" not in report_page(report(verdict("a", "kept")))


def test_the_page_says_each_verdict_in_a_word():
    text = report_page(report(verdict(), verdict("b", "kept"), verdict("c", "not judged")))
    for word in ("broken", "kept", "not judged"):
        assert f">{word}</span>" in text


def test_the_badge_says_the_numbers_and_is_xml():
    text = badge(report(verdict(), verdict("b", "kept"), profile="mcp"))
    assert Xml.fromstring(text).find("{http://www.w3.org/2000/svg}title").text == (
        "JSON-RPC 2.0 (mcp): 1 of 2 MUST kept, 1 fault"
    )
    assert "MUST kept, 1 fault, 2 blocked<" in badge(report(verdict(), *map(blocked, "bc")))
    assert "#2a7d3f" in badge(report(verdict("b", "kept")))


def test_code_in_a_rule_is_marked_and_no_report_shows_backticks():
    whole = report(
        verdict(clause="4.jsonrpc-present"),
        verdict("b", "free", ruling="id-null", reading="request"),
    )
    page = report_page(whole)
    assert "A call has the member <code>jsonrpc</code>." in page
    assert "<code>id: null</code> in a request" in page
    assert "`" not in page + junit(whole)


# --- the commands -----------------------------------------------------------------

SERVER = [sys.executable, "-m", "rpclab", "serve"]
NAIVE = [
    sys.executable,
    "-I",
    "-S",
    "-c",
    "import sys\nfor line in sys.stdin: print('?', flush=True)",
]
ECHO = [
    sys.executable,
    "-I",
    "-S",
    "-c",
    "import json, sys\nfor line in sys.stdin:\n try: call = json.loads(line)\n"
    " except ValueError: call = {}\n"
    " call = call if isinstance(call, dict) else {}\n"
    " print(json.dumps({'jsonrpc': '2.0', 'result': call.get('params'),"
    " 'id': call.get('id')}), flush=True)",
]
CLIENT = [sys.executable, "-I", "-S", str(Path(__file__).parent / "plain_client.py")]


def rpclab(*words):
    return CliRunner().invoke(app, list(words))


def test_a_good_server_has_exit_status_0_and_its_files(tmp_path):
    files = {name: str(tmp_path / name) for name in ("json", "junit", "html", "badge")}
    options = [word for name, file in files.items() for word in (f"--{name}", file)]
    done = rpclab(
        "conform",
        *options,
        "--case",
        "examples.empty-array",
        "--case",
        "id.null",
        "--",
        *SERVER,
    )
    assert done.exit_code == 0, done.output
    assert "MUST: 2 kept, 0 broken." in done.output
    assert json.loads((tmp_path / "json").read_text())["counts"]["must"]["kept"] == 2
    assert Xml.parse(files["junit"]).getroot().get("failures") == "0"
    assert "</html>" in (tmp_path / "html").read_text()
    assert "2 of 2 MUST kept" in (tmp_path / "badge").read_text()


def test_json_alone_may_go_to_stdout():
    done = rpclab("conform", "--json", "-", "--case", "examples.empty-array", "--", *SERVER)
    assert json.loads(done.stdout)["keeps_every_must"] is True
    assert "MUST: 1 kept" in done.stderr


def test_a_broken_case_is_shown_with_its_bytes_and_the_command_to_see_it_again():
    done = rpclab("conform", "--shrink", "--case", "examples.notification-1", "--", *ECHO)
    assert done.exit_code == 1
    assert "broken 4.1.no-reply: A notification is never answered." in done.output
    assert "  JSON-RPC 2.0 Specification, 4.1: https://www.jsonrpc.org/" in done.output
    assert "  examples.notification-1 (must): something came" in done.output
    assert '  sent   {"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}' in done.output
    assert "rpclab conform --case examples.notification-1 -- " in done.output
    assert "by no more than:\n{" in done.output


def test_a_target_that_never_worked_is_told_once():
    done = rpclab("conform", "--startup", "0.5", "--", *NAIVE)
    assert done.exit_code == 2
    assert done.output.count("no reply came to a first good request within 0.5 s") == 1
    assert "say so with --startup SECONDS" in done.output
    assert "broken" not in done.output


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--"], "Give a command after two dashes: rpclab conform -- ./my-server"),
        (
            ["--", "./there-is-no-such-program"],
            "Cannot start ./there-is-no-such-program. There is no file",
        ),
        (["--", ""], "Give a command after two dashes: rpclab conform -- ./my-server"),
        (["--case", "id.nul", "--", "true"], "There is no case id.nul. Did you mean id.null?"),
        (["--case", "nobody", "--", "true"], "There is no case nobody."),
        (["--profile", "nobody", "--", "true"], "there is no profile 'nobody'"),
        (["--methods", "echo", "--", "true"], "--methods takes a demo method and its other name"),
        (["--expected", "./nobody.toml", "--", "true"], "Cannot use ./nobody.toml"),
        (
            ["--profile", "mcp", "--case", "examples.empty-array", "--", "true"],
            "No case was judged: examples.empty-array does not hold under the profile mcp",
        ),
    ],
)
def test_a_run_that_judges_nothing_has_exit_status_2(words, sentence):
    done = rpclab("conform", *words)
    assert done.exit_code == 2
    assert sentence in done.output


def test_a_file_that_cannot_be_written_gets_a_sentence(tmp_path):
    file = str(tmp_path / "no" / "x")
    done = rpclab("conform", "--html", file, "--case", "examples.empty-array", "--", *SERVER)
    assert done.exit_code == 2
    assert f"Cannot write {file}" in done.output


def test_expected_failures_pass_and_stale_ones_fail(tmp_path):
    file = tmp_path / "expected.toml"
    file.write_text('[[expected]]\ncase = "examples.empty-array"\nwhy = "issue 12"\n')
    words = ["conform", "--expected", str(file), "--case", "examples.empty-array", "--"]
    assert rpclab(*words, *ECHO).exit_code == 0
    stale = rpclab(*words, *SERVER)
    assert stale.exit_code == 1
    assert "examples.empty-array was expected to be broken, and is not" in stale.output


def test_what_is_expected_is_written_once_and_added_to(tmp_path):
    file = tmp_path / "expected.toml"
    case = ["--case", "examples.empty-array"]
    words = ["conform", "--save-expected", str(file), *case]
    done = rpclab(*words, "--", *ECHO)
    assert (done.exit_code, "New entries in " in done.output) == (0, True)
    first = file.read_text("utf-8")
    assert 'clause = "6.empty-array"' in first
    own = first.replace("to be filled in", "issue 12").replace("\n", "\r\n").encode()
    file.write_bytes(own)
    done = rpclab(*words, "--case", "examples.notification-1", "--", *ECHO)
    assert done.exit_code == 0
    assert file.read_bytes().startswith(own)
    assert re.findall(r'why = "(issue 12|to be filled in) ', file.read_text("utf-8")) == [
        "issue 12",
        "to be filled in",
    ]
    assert rpclab("conform", "--expected", str(file), *case, "--", *ECHO).exit_code == 0


def test_expectations_may_be_written_to_stdout():
    done = rpclab("conform", "--save-expected", "-", "--case", "examples.empty-array", "--", *ECHO)
    assert done.stdout.count("[[expected]]") == 1
    assert "MUST: 0 kept, 1 broken" in done.stderr


def test_a_file_that_is_added_to_must_be_one_of_expectations(tmp_path):
    file = tmp_path / "expected.toml"
    file.write_text("expected = 1\n")
    done = rpclab("conform", "--save-expected", str(file), "--", *ECHO)
    assert (done.exit_code, file.read_text()) == (2, "expected = 1\n")
    assert f"Cannot use {file}: each [[expected]] has a case or a clause" in done.output


def test_a_client_is_judged_by_its_command():
    done = rpclab("conform-client", "--case", "client.read.foreign-line", "--", *CLIENT)
    assert done.exit_code == 0, done.output
    assert "MUST: 1 kept, 0 broken." in done.output


@pytest.mark.parametrize("command", ["conform", "conform-client"])
def test_x_stops_at_the_first_broken_must(command):
    program = ECHO if command == "conform" else [sys.executable, "-c", "print('[]')"]
    done = rpclab(command, "-x", "--", *program)
    assert done.exit_code == 1
    assert re.search(r"MUST: \d+ kept, 1 broken\. SHOULD: \d+ kept, 0 broken\.", done.output)
    assert "Stopped at the first broken MUST: " in done.output


def test_the_smallest_lines_do_not_mix_with_json_on_stdout():
    case = ["--case", "examples.notification-1"]
    done = rpclab("conform", "--json", "-", "--shrink", *case, "--", *ECHO)
    assert json.loads(done.stdout)["keeps_every_must"] is False
    assert "by no more than:" in done.stderr


def test_x_goes_past_what_was_expected_to_be_broken(tmp_path):
    file = tmp_path / "expected.toml"
    file.write_text('[[expected]]\ncase = "error.of-an-unknown-method"\nwhy = "issue 12"\n')
    done = rpclab("conform", "-x", "--expected", str(file), "--", *ECHO)
    assert done.exit_code == 1
    assert re.search(r"MUST: \d+ kept, 2 broken\.", done.output)


def test_the_environment_and_the_folder_of_a_program_are_chosen(tmp_path):
    (tmp_path / "it.py").write_text(
        "import os\nfrom rpclab.cli import main\nassert os.environ['TOKEN'] == 'secret'\nmain()\n"
    )
    place = ["--env", "TOKEN=secret", "--cwd", str(tmp_path)]
    case = ["--case", "examples.broken-json"]
    done = rpclab("conform", *place, *case, "--", sys.executable, "it.py", "serve")
    assert done.exit_code == 0, done.output
    done = rpclab("conform", "--cwd", str(tmp_path), *case, "--", sys.executable, "it.py", "serve")
    assert (done.exit_code, "KeyError: 'TOKEN'" in done.stderr) == (2, True)


def test_the_command_to_see_a_case_again_has_no_secret(tmp_path):
    place = ["--env", "TOKEN=secret", "--cwd", str(tmp_path)]
    done = rpclab("conform", *place, "--case", "examples.notification-1", "--", *ECHO)
    assert f"--env TOKEN=... --cwd {tmp_path} --case examples.notification-1 -- " in done.output
    assert "secret" not in done.output


def test_the_profile_brings_its_framing():
    assert choose_framing("lsp", "newline") == "newline"
    assert choose_framing("a2a", "") == "newline"
    assert read_names([]) == {}


def test_an_interrupt_is_quiet():
    code = (
        "import rpclab.cli.conform as c, rpclab.cli as r, sys\n"
        "def stop(*_): raise KeyboardInterrupt\n"
        "c.conform = stop\n"
        "sys.argv[1:] = ['conform', '--', 'true']\nr.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "")
    assert done.stdout.strip() == "Stopped."
