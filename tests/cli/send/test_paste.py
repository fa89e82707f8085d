"""Several lines that were pasted at once."""

import pytest

from rpclab.cli.send.paste import lines_to_send, question, split_lines

PRETTY = ["{", '"jsonrpc": "2.0",', '"method": "up"', "}"]
EACH = ['{"id":1}', '{"id":2}']
WORDS = ["hello", "there"]


def test_blank_lines_and_the_spaces_around_lines_are_left_out():
    assert split_lines('  {\r\n\n  "a": "\u2028" }\n') == ["{", '"a": "\u2028" }']


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (PRETTY, "These 4 lines are one message. Send it as one line?"),
        (EACH, "These 2 lines are a message each. Send each?"),
        (WORDS, "These 2 lines are not JSON. Send them as one line?"),
        (["\ud800", "{"], "These 2 lines are not JSON. Send them as one line?"),
    ],
    ids=["pretty", "each", "words", "surrogate"],
)
def test_the_question_says_what_the_lines_are(lines, words):
    assert question(lines).startswith(words)


@pytest.mark.parametrize(
    ("lines", "answer", "sent"),
    [
        (PRETTY, "", [" ".join(PRETTY)]),
        (PRETTY, "y", [" ".join(PRETTY)]),
        (PRETTY, "e", PRETTY),
        (PRETTY, "N", []),
        (PRETTY, "what?", []),
        (EACH, "", EACH),
        (EACH, "yes", EACH),
        (EACH, " O ", [" ".join(EACH)]),
    ],
)
def test_the_answer_decides_what_is_sent(lines, answer, sent):
    assert lines_to_send(lines, answer) == sent
