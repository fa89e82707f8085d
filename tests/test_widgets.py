"""Widgets without a browser: what they show, and that they show it safely."""

import pytest

from rpclab.console import Console
from rpclab.widgets import Prediction, ShapeTree, WireConsole, draw_tree, render, strings, theme
from rpclab.widgets.tree import TREE, walk

REQUEST = '{"jsonrpc":"2.0","method":"get_data","id":1}'


def press(widget, label):
    """Click the button with this label, as a learner would."""
    buttons = [b for row in widget.children for b in getattr(row, "children", ())]
    next(b for b in buttons if b.description == label).click()


def test_sending_a_line_shows_it_and_its_reply_in_time_order():
    wire = WireConsole()
    wire.send(REQUEST)
    shown = wire._log.value
    assert shown.index("1 → to the server") < shown.index("2 ← from the server")
    assert "success response" in shown


def test_the_button_sends_what_stands_in_the_line():
    wire = WireConsole(line=REQUEST)
    press(wire, strings.SEND)
    assert [exchange.sent for exchange in wire.console.transcript] == [REQUEST]


def test_a_line_of_the_gallery_fills_the_field_and_is_not_sent_yet():
    wire = WireConsole()
    wire._gallery.value = REQUEST_OF_THE_GALLERY
    assert wire._line.value == REQUEST_OF_THE_GALLERY
    assert wire.console.transcript == []


REQUEST_OF_THE_GALLERY = strings.GALLERY_LINES[0][1]


def test_clear_forgets_the_transcript():
    wire = WireConsole()
    wire.send(REQUEST)
    press(wire, strings.CLEAR)
    assert wire._log.value == render.transcript([])


def test_silence_is_shown_in_words():
    wire = WireConsole()
    wire.send('{"jsonrpc":"2.0","method":"update"}')
    assert "no reply" in wire._log.value


@pytest.mark.parametrize("hostile", ["<script>x</script>", "<img onerror=x>", "&lt;", "\x1b[2J"])
def test_what_came_from_the_wire_is_escaped(hostile):
    wire = WireConsole()
    wire.send(hostile)
    assert "<script>" not in wire._log.value
    assert "<img" not in wire._log.value


def test_a_very_long_line_is_cut_and_the_cut_is_said():
    wire = WireConsole()
    wire.send("x" * 1_000_000)
    assert len(wire._log.value) < 20_000
    assert strings.CUT.format(more=998_000) in wire._log.value


def test_only_the_newest_exchanges_are_drawn_and_the_rest_is_counted():
    wire = WireConsole()
    for _ in range(render.MOST_EXCHANGES + 3):
        wire.send(REQUEST)
    assert strings.EARLIER.format(count=3) in wire._log.value


def test_a_fault_in_a_widget_is_shown_and_the_next_click_works():
    wire = WireConsole(line=REQUEST)
    wire.console = None
    press(wire, strings.SEND)
    assert "The widget failed" in wire._fault.value
    wire.console = Console()
    press(wire, strings.SEND)
    assert wire._fault.value == ""


def test_every_shape_has_a_colour_and_no_shape_only_a_colour():
    for _, line in strings.GALLERY_LINES:
        wire = WireConsole()
        exchange = wire.send(line)
        assert exchange.shape in theme.BADGE
        assert exchange.shape in wire._log.value


def test_a_widget_has_a_twin_in_words():
    assert repr(WireConsole()) == "WireConsole: run this cell in JupyterLab to use it"


def test_a_prediction_says_whether_it_came_true_and_why():
    question = Prediction(["yes", "no"], right="no", because="It was <b>never</b> so.")
    assert question.choose("yes") == "Not quite. It was <b>never</b> so."
    assert question.choose("no").startswith("Right.")
    assert "<b>" not in question._verdict.value


def test_a_prediction_lists_its_answers_for_a_reader_without_a_kernel():
    assert repr(Prediction(["yes", "no"], right="no", because="")) == "( ) yes\n( ) no"


def test_the_right_answer_must_be_one_of_the_answers():
    with pytest.raises(ValueError, match="none of the answers"):
        Prediction(["yes", "no"], right="perhaps", because="")


@pytest.mark.parametrize("leaf", [name for name, node in TREE.items() if not node.yes])
def test_every_leaf_of_the_tree_can_be_reached(leaf):
    members = {
        "request": ["method", "id"],
        "notification": ["method"],
        "success response": ["result"],
        "error response": ["error"],
        "no message": [],
    }[leaf]
    assert walk(dict.fromkeys(members))[-1] == leaf


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"method":"a","id":null}', "Path: method? yes, id? yes: request"),
        ("[{}]", strings.TREE_BATCH),
        ("1", strings.TREE_NOT_OBJECT),
    ],
)
def test_the_tree_says_its_path_in_words(line, words):
    assert repr(draw_tree(line)) == words


def test_the_picture_has_a_text_for_those_who_cannot_see_it():
    picture = draw_tree('{"method":"<b>"}')._repr_html_()
    assert 'role="img" aria-label="Decision tree' in picture
    assert "<b>" not in picture


def test_typing_into_the_tree_draws_the_path():
    tree = ShapeTree()
    tree._line.value = '{"jsonrpc":"2.0","result":1,"id":1}'
    assert "success response" in tree._picture.value
    assert "method? no, result? yes" in tree._picture.value


def test_a_line_that_is_no_json_is_said_in_the_tree():
    assert repr(draw_tree("{")).startswith(strings.TREE_NOT_OBJECT)
