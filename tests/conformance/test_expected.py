"""What is expected to be broken: by case, by clause and by pattern."""

import tomllib

import pytest

from rpclab.conformance import Report, Verdict
from rpclab.conformance.expected import compare_expected, load_expected, write_expected


def verdict(case, found="broken", clause="5.reply", level="must", **more):
    return Verdict(case=case, clause=clause, level=level, found=found, **more)


def report(*verdicts):
    return Report(target="it", profile="core", framing="newline", verdicts=verdicts)


def compare(entries, *verdicts, **more):
    return compare_expected(report(*verdicts), entries, [one.case for one in verdicts], **more)


def test_what_is_expected_by_case():
    held = compare(
        {"a": "1", "d": "2", "nobody": "3"},
        verdict("a"),
        verdict("b"),
        verdict("c", level="should"),
        verdict("d", "kept"),
    )
    assert [one.case for one in held.surprises] == ["b"]
    assert (held.stale, held.unknown, held.hold) == (("d",), ("nobody",), False)
    assert held.reasons == {"a": "1"}
    assert compare({"a": "1"}, verdict("a")).hold


def test_an_empty_reason_is_a_reason():
    assert compare({"a": ""}, verdict("a")).hold


def test_what_is_expected_by_clause():
    held = compare({"clause 5.reply": "1"}, verdict("a"), verdict("b"), verdict("c", "kept"))
    assert held.hold
    assert held.reasons == {"a": "1", "b": "1"}
    other = compare({"clause 5.reply": "1"}, verdict("a", clause="5.jsonrpc-exact"))
    assert [one.case for one in other.surprises] == ["a"]


@pytest.mark.parametrize("pattern", ["lsp.*", "clause 5.*", "*", "lsp.error-rang?", "clause *"])
def test_what_is_expected_by_a_pattern(pattern):
    assert compare({pattern: "1"}, verdict("lsp.error-range")).hold


@pytest.mark.parametrize("entry", ["lsp.*", "clause 9.*", "clause 5.repl", "5.reply"])
def test_an_entry_that_covers_no_case_is_unknown(entry):
    assert compare({entry: "1"}, verdict("a", "kept")).unknown == (entry,)


@pytest.mark.parametrize("entry", ["id.*", "clause 5.reply"])
def test_an_entry_is_stale_when_nothing_that_it_covers_is_broken(entry):
    kept = (verdict("id.zero", "kept"), verdict("id.null", "not judged"))
    assert compare({entry: "1"}, *kept).stale == (entry,)
    assert compare({entry: "1"}, *kept, verdict("id.one", level="should")).stale == ()
    assert compare({entry: "1"}, kept[1]).stale == ()
    assert compare({entry: "1"}, *kept, whole=False).stale == ()


def test_a_case_that_was_run_alone_is_stale_all_the_same():
    assert compare({"id.zero": "1"}, verdict("id.zero", "kept"), whole=False).stale == ("id.zero",)


def test_a_case_that_did_not_run_is_not_stale():
    assert compare_expected(report(verdict("a", "not judged")), {"a": "1", "b": "2"}, "ab").hold


# --- the file ---------------------------------------------------------------------


def test_the_file_is_read(tmp_path):
    file = tmp_path / "expected.toml"
    file.write_text(
        '[[expected]]\ncase = "a"\nwhy = "issue 12"\n'
        '[[expected]]\nclause = "5.reply"\nwhy = "issue 13"\n'
    )
    assert load_expected(file) == {"a": "issue 12", "clause 5.reply": "issue 13"}


@pytest.mark.parametrize(
    "text",
    [
        '[[expected]]\ncase = "a"',
        '[[expected]]\nclause = "a"',
        '[[expected]]\ncase = 1\nwhy = "x"',
        '[[expected]]\ncase = "a"\nclause = "b"\nwhy = "x"',
        '[[expected]]\nclause = "b"\nwhy = "x"\nmore = 1',
        '[expected]\ncase = "a"\nwhy = "x"',
        "expected = [1]",
    ],
)
def test_a_file_of_another_form_is_refused(tmp_path, text):
    file = tmp_path / "expected.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match="a case or a clause, and a why"):
        load_expected(file)


def test_an_entry_is_written_for_each_broken_must_clause():
    text = write_expected(
        report(
            verdict("a", why='it said "\x1b" \U0001f600'),
            verdict("b"),
            verdict("c", clause="5.jsonrpc-exact"),
            verdict("d", clause="4.object", level="should"),
            verdict("e", "kept", clause="6.array"),
        )
    )
    rows = tomllib.loads(text)["expected"]
    assert [row["clause"] for row in rows] == ["5.reply", "5.jsonrpc-exact"]
    assert rows[0]["why"] == ('to be filled in (2 cases, such as a): it said "\\x1b" \U0001f600')
    assert rows[1]["why"].startswith("to be filled in (c): ")
    assert text.startswith("# What is known to be broken, and why.\n\n[[expected]]\n")


def test_a_file_that_is_there_keeps_what_it_has_and_gets_what_it_lacks():
    before = '# ours\n[[expected]]\ncase = "a"\nwhy = "issue 1"  # for now'
    assert write_expected(report(verdict("a")), before) == before
    after = write_expected(report(verdict("a"), verdict("b")), before)
    assert after.startswith(before + "\n")
    assert tomllib.loads(after)["expected"][1] == {
        "clause": "5.reply",
        "why": "to be filled in (b): ",
    }
