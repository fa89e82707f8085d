"""The widgets of notebooks 02 to 06 without a browser: what they say, and that it is safe."""

import json
import logging

import pytest
from jinja2 import UndefinedError

from rpclab.codec import decode
from rpclab.demos.console import Console
from rpclab.dispatch import respond
from rpclab.errors import ABSENT
from rpclab.methods import Methods
from rpclab.parsing import parse_request
from rpclab.widgets import (
    BatchBuilder,
    ChunkSlider,
    EnvelopeBuilder,
    ErrorDesigner,
    MethodCaller,
    cut_stream,
)
from rpclab.widgets.batch_builder import BATCH_MEMBERS, answer_batch
from rpclab.widgets.chunk_slider import STREAMS, say_place
from rpclab.widgets.envelope_builder import VALUES, judge_envelope
from rpclab.widgets.error_designer import REMARK_WORDS, judge_design
from rpclab.widgets.html_parts import VERDICT, badge, code, paragraph, table, template
from rpclab.widgets.method_caller import NO_SUCH_METHOD

HOSTILE = "<script>window.owned=1</script>"


def test_whatever_a_part_of_a_page_is_made_of_it_is_escaped():
    made = table(
        ["<i>"],
        [[HOSTILE, code(HOSTILE), badge(HOSTILE, '"><i>'), paragraph(HOSTILE)]],
    )
    assert "<script>" not in made
    assert "<i>" not in made
    assert made.count("&lt;script&gt;") == 4


def test_a_template_cuts_very_long_text_but_not_html_that_is_made():
    show = template("{{ value }}")
    assert show(value="x" * 2003) == "x" * 2000 + " … and 3 characters more"
    assert len(show(value=show(value="<" * 2000))) == 8000


def test_a_template_without_one_of_its_values_is_an_error():
    with pytest.raises(UndefinedError):
        template("{{ value }}")()


# the chunk slider


@pytest.mark.parametrize(("name", "text"), STREAMS, ids=[s[0] for s in STREAMS])
def test_every_cut_of_every_stream_gives_the_same_payloads(name, text):
    stream = text.encode()
    whole = cut_stream(stream).payloads
    assert whole
    for place in range(len(stream) + 1):
        assert cut_stream(stream, place).payloads == whole
    assert cut_stream(stream, *range(len(stream))).payloads == whole


def test_a_cut_says_what_each_chunk_completes_and_what_waits():
    said = repr(cut_stream(b'{"id":1}\n{"id"', 4)).splitlines()
    assert said == [
        "chunk 1: b'{\"id'",
        "   completes nothing; 4 bytes wait",
        'chunk 2: b\'":1}\\n{"id"\'',
        "   completes b'{\"id\":1}'; 5 bytes wait",
        "end of the stream",
        "   completes b'{\"id\"'; 0 bytes wait",
    ]


@pytest.mark.parametrize(("place", "inside"), [(0, False), (1, False), (2, True), (4, False)])
def test_a_cut_inside_a_character_is_said(place, inside):
    assert ("inside" in say_place("a€".encode(), place)) == inside


def test_the_slider_cuts_the_stream_that_is_chosen():
    slider = ChunkSlider()
    assert "chunk 1" in slider.shown.value
    slider.streams.value = dict(slider.streams.options)["a price in euro"]
    assert slider.place.max == len(slider.stream)
    slider.place.value = slider.stream.index("€".encode()) + 1
    assert "The cut is inside a character" in slider.shown.value
    assert slider.fault.value == ""


def test_a_shorter_stream_moves_the_cut_into_it():
    slider = ChunkSlider()
    slider.cut(len(slider.stream))
    shorter = min((data for _, data in slider.streams.options), key=len)
    slider.streams.value = shorter
    assert slider.place.value <= len(shorter)
    assert slider.fault.value == ""


# the envelope builder


@pytest.mark.parametrize("name", VALUES)
def test_every_choice_of_every_member_has_the_verdict_of_the_parser_and_the_servers_id(name):
    builder = EnvelopeBuilder()
    for text in (*VALUES[name], None):
        envelope = builder.build(**{name: text})
        reply = respond(envelope.line, lambda method, params: 0)
        if envelope.refused:
            assert envelope.carries == f"id {json.dumps(json.loads(reply)['id'])}"
        else:
            assert envelope.verdict == repr(parse_request(envelope.line))
            assert (reply is None) == (
                envelope.carries == "nothing: a notification is never answered"
            )


def test_the_fields_do_what_build_does():
    builder = EnvelopeBuilder()
    builder.members["id"].value = "true"
    assert "refused" in builder.shown.value
    assert "id null" in builder.shown.value
    builder.members["id"].value = ""
    assert "nothing: a notification is never answered" in builder.shown.value


def test_a_value_that_is_not_among_the_choices_can_be_built():
    builder = EnvelopeBuilder()
    assert builder.build(method=json.dumps(HOSTILE)).line.count(HOSTILE) == 1
    assert "<script>" not in builder.shown.value


@pytest.mark.parametrize(
    ("line", "carries"),
    [
        ("{", "id null"),
        ("[7]", "id null"),
        ('{"jsonrpc":"2.0","result":1,"id":7}', "nothing: a response is never answered"),
        ('{"id":7}', "id 7"),
    ],
)
def test_a_line_that_is_no_call_says_what_an_error_would_carry(line, carries):
    assert judge_envelope(line).carries == carries


# the error designer


@pytest.mark.parametrize(
    ("code", "word", "clause"),
    [
        (-32769, "fine", "5.1.application-space"),
        (-32768, "not allowed", "5.1.future"),
        (-32700, "fine", "5.1.code-integer"),
        (-32100, "not allowed", "5.1.future"),
        (-32099, "fine", "5.1.server-range"),
        (-32000, "fine", "5.1.server-range"),
        (-31999, "fine", "5.1.application-space"),
        (1.5, "not allowed", "5.1.code-integer"),
        ("E1", "not allowed", "5.1.code-integer"),
    ],
)
def test_a_code_is_judged_by_its_range(code, word, clause):
    first = judge_design(code, "Out of stock").remarks[0]
    assert (REMARK_WORDS[first.verdict], first.clause) == (word, clause)


INSIDE = "message shows the inside of the server. That belongs in its log."


@pytest.mark.parametrize(
    ("message", "says"),
    [
        (" ", "message is empty. People read it, so say what went wrong."),
        ("x" * 81, "message has 81 characters. One short sentence is enough."),
        ("Traceback (most recent call last)", INSIDE),
        ("no such file: /srv/shop.db", INSIDE),
        (r"no such file: C:\shop.db", INSIDE),
    ],
)
def test_a_message_that_helps_nobody_is_warned_of(message, says):
    assert says in [remark.says for remark in judge_design(1001, message).remarks]


def test_a_good_error_has_no_warning():
    verdicts = {r.verdict for r in judge_design(1001, "Out of stock", {"left": 0}).remarks}
    assert verdicts == {"kept"}


def test_the_designer_shows_what_stands_in_its_fields():
    designer = ErrorDesigner()
    designer.code.value, designer.message.value, designer.data.value = "7", HOSTILE, "[1]"
    assert '"data":[1]' in designer.design(7, HOSTILE, [1]).line
    assert '"data"' not in designer.design(7, HOSTILE).line
    assert "<script>" not in designer.shown.value
    designer.data.value = "{"
    assert "this is not JSON yet" in designer.shown.value


def test_every_idea_of_the_designer_can_be_chosen():
    designer = ErrorDesigner()
    for _, values in designer.idea.options:
        designer.idea.value = values
        assert designer.code.value == values[0]
        assert designer.fault.value == ""


def test_data_that_was_not_given_is_no_member():
    assert judge_design(1, "x", ABSENT).line == judge_design(1, "x").line


# the method caller


def subtract(minuend, subtrahend=0):
    return minuend - subtrahend


@pytest.mark.parametrize(
    ("params", "bound", "comes"),
    [
        ("[42,23]", "minuend=42, subtrahend=23", '"result":19'),
        ('{"subtrahend":23,"minuend":42}', "minuend=42, subtrahend=23", '"result":19'),
        ("[42]", "minuend=42", '"result":42'),
        ("", "does not fit: missing a required argument: 'minuend'", "-32602"),
        ('{"Minuend":1}', "does not fit: missing a required argument: 'minuend'", "-32602"),
        ('"hi"', "not asked: params must be an array or an object", "-32600"),
        ("[", "does not fit: Expecting value at character 1", "-32700"),
    ],
)
def test_a_call_says_how_its_params_were_bound(params, bound, comes):
    called = MethodCaller(subtract).call("subtract", params)
    assert called.bound == bound
    assert comes in called.exchange.received[0]


def test_a_method_that_takes_nothing_is_bound_to_nothing():
    def now():
        return 0

    assert MethodCaller(now).call("now").bound == "no arguments"


def test_a_name_that_is_not_in_the_table_is_said():
    called = MethodCaller(subtract).call(NO_SUCH_METHOD)
    assert called.bound == "not asked: the table has no such name"
    assert "-32601" in called.exchange.received[0]


def test_the_button_calls_what_is_chosen_and_shows_it_safely():
    caller = MethodCaller(subtract)
    caller.params.value = json.dumps([HOSTILE])
    caller.call_button.click()
    assert len(caller.console.transcript) == 1
    assert "<script>" not in caller.shown.value
    assert "-32603" in caller.shown.value
    assert repr(caller.call("subtract", "[1]")).startswith("bound: minuend=1\n-> ")


# the batch builder

REQUEST = '{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":"a"}'
NOTIFICATION = '{"jsonrpc":"2.0","method":"update"}'
RESPONSE = '{"jsonrpc":"2.0","result":19,"id":1}'


def test_each_member_stands_beside_the_reply_that_it_earned():
    answer = BatchBuilder().build(REQUEST, NOTIFICATION, "1", f"[{REQUEST}]", RESPONSE)
    codes = [reply and decode(reply).get("error", {}).get("code") for _, reply in answer.earned]
    assert codes == [None, None, -32600, -32600, None]
    assert [reply is None for _, reply in answer.earned] == [False, True, False, False, True]
    assert len(decode(answer.reply)) == 3


@pytest.mark.parametrize("line", ["[]", "[1,", '[{"a"]'])
def test_a_line_that_is_no_batch_earns_one_error(line):
    answer = answer_batch(line, Console())
    assert answer.earned == ()
    assert isinstance(decode(answer.reply), dict)


def test_notifications_alone_earn_silence_and_it_is_said():
    builder = BatchBuilder()
    answer = builder.build(NOTIFICATION, NOTIFICATION)
    assert answer.reply is None
    assert repr(answer).endswith("the whole reply: no reply")
    assert "no reply" in builder.shown.value


def test_a_batch_is_sent_once_for_each_press_and_not_while_it_is_typed():
    seen = []
    methods = Methods()
    methods.add(seen.append, "note")
    builder = BatchBuilder(methods)
    builder.build('{"jsonrpc":"2.0","method":"note","params":[1],"id":1}')
    builder.members.value += '\n{"jsonrpc":"2.0","method":"note","params":[2]}'
    assert seen == [1]
    builder.send_button.click()
    assert seen == [1, 1, 2]


def test_a_member_of_the_list_is_added_and_can_be_added_again():
    builder = BatchBuilder()
    builder.members.value = ""
    for _ in range(2):
        builder.choices.value = "1"
    assert builder.members.value == "1\n1"


def test_all_members_of_the_list_in_one_batch_are_shown_safely():
    builder = BatchBuilder()
    *members, not_json = (text for _, text in BATCH_MEMBERS)
    assert len(builder.build(*members, json.dumps(HOSTILE)).earned) == len(members) + 1
    assert "<script>" not in builder.shown.value
    assert "-32700" in builder.build(*members, not_json).reply


# all of them


@pytest.mark.parametrize(
    "widget",
    [ChunkSlider(), EnvelopeBuilder(), ErrorDesigner(), MethodCaller(subtract), BatchBuilder()],
    ids=lambda widget: type(widget).__name__,
)
def test_a_course_widget_has_a_twin_in_words_and_no_fault(widget):
    assert repr(widget) == f"{type(widget).__name__}: run this cell in JupyterLab to use it"
    assert widget.fault.value == ""


def test_every_word_of_the_designer_has_a_colour():
    assert set(REMARK_WORDS) <= set(VERDICT)


def test_no_widget_lets_a_traceback_out(capfd):
    MethodCaller(subtract).call("subtract", '["a","b"]')
    BatchBuilder().build('{"jsonrpc":"2.0","method":"boom","id":1}')
    logging.shutdown()
    assert "Traceback" not in capfd.readouterr().err
