"""Widgets without a browser: what they show, and that they show it safely."""

import asyncio

import pytest

from rpclab.demos.console import Console
from rpclab.demos.virtual_clock import run
from rpclab.explain import explain
from rpclab.spec import clause, clauses
from rpclab.widgets import (
    ByteRuler,
    ClauseBrowser,
    Explorer,
    LineExplorer,
    Prediction,
    ShapeTree,
    Theatre,
    WireConsole,
    draw_tree,
)
from rpclab.widgets.gallery import GALLERY_LINES
from rpclab.widgets.html_parts import BADGE
from rpclab.widgets.shape_tree import NOT_AN_OBJECT, TREE, walk
from rpclab.widgets.wire_console import MOST_EXCHANGES

REQUEST = '{"jsonrpc":"2.0","method":"get_data","id":1}'


def test_sending_a_line_shows_it_and_its_reply_in_time_order():
    wire = WireConsole()
    wire.send(REQUEST)
    shown = wire.shown.value
    assert shown.index("1 → to the server") < shown.index("2 ← from the server")
    assert "success response" in shown


def test_the_button_sends_the_line_in_the_field():
    wire = WireConsole(line=REQUEST)
    wire.send_button.click()
    assert [exchange.sent for exchange in wire.console.transcript] == [REQUEST]


def test_a_line_of_the_gallery_fills_the_field_and_is_not_sent_yet():
    wire = WireConsole()
    wire.gallery.value = REQUEST_OF_THE_GALLERY
    assert wire.line.value == REQUEST_OF_THE_GALLERY
    assert wire.console.transcript == []


REQUEST_OF_THE_GALLERY = GALLERY_LINES[0][1]


def test_clear_forgets_the_transcript():
    wire = WireConsole()
    wire.send(REQUEST)
    wire.clear_button.click()
    assert wire.console.transcript == []
    assert "Nothing was sent yet." in wire.shown.value


def test_silence_is_shown_in_words():
    wire = WireConsole()
    wire.send('{"jsonrpc":"2.0","method":"update"}')
    assert "no reply" in wire.shown.value


@pytest.mark.parametrize("hostile", ["<script>x</script>", "<img onerror=x>", "&lt;", "\x1b[2J"])
def test_what_came_from_the_wire_is_escaped(hostile):
    wire = WireConsole()
    wire.send(hostile)
    assert "<script>" not in wire.shown.value
    assert "<img" not in wire.shown.value


def test_a_very_long_line_is_cut_and_the_cut_is_said():
    wire = WireConsole()
    wire.send("x" * 1_000_000)
    assert len(wire.shown.value) < 20_000
    assert "… and 998000 characters more" in wire.shown.value


def test_only_the_newest_exchanges_are_drawn_and_the_rest_is_counted():
    wire = WireConsole()
    for _ in range(MOST_EXCHANGES + 3):
        wire.send(REQUEST)
    assert "3 earlier lines are not shown" in wire.shown.value


def test_a_fault_in_a_widget_is_shown_and_the_next_click_works():
    wire = WireConsole(line=REQUEST)
    wire.console = None
    wire.send_button.click()
    assert "The widget failed" in wire.fault.value
    wire.console = Console()
    wire.send_button.click()
    assert wire.fault.value == ""


def test_every_shape_has_a_colour_and_no_shape_only_a_colour():
    for _, line in GALLERY_LINES:
        wire = WireConsole()
        exchange = wire.send(line)
        assert exchange.shape in BADGE
        assert exchange.shape in wire.shown.value


def test_a_widget_has_a_twin_in_words():
    assert repr(WireConsole()) == "WireConsole: run this cell in JupyterLab to use it"


def test_a_prediction_says_whether_it_came_true_and_why():
    question = Prediction(["yes", "no"], right="no", because="It was <b>never</b> so.")
    assert question.choose("yes") == "Not quite. It was <b>never</b> so."
    assert question.choose("no").startswith("Right.")
    assert "<b>" not in question.verdict.value


def test_a_prediction_lists_its_answers_for_a_reader_without_a_kernel():
    assert repr(Prediction(["yes", "no"], right="no", because="")) == "( ) yes\n( ) no"


def test_the_right_answer_must_be_one_of_the_answers():
    with pytest.raises(ValueError, match="not one of the answers"):
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
        ("[{}]", "This is a batch: walk the tree once for each of its members."),
        ("1", NOT_AN_OBJECT),
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
    tree.line.value = '{"jsonrpc":"2.0","result":1,"id":1}'
    assert "success response" in tree.shown.value
    assert "method? no, result? yes" in tree.shown.value


def test_a_line_that_is_no_json_is_said_in_the_tree():
    assert repr(draw_tree("{")).startswith(NOT_AN_OBJECT)


def test_the_explorer_says_what_explain_says():
    lines = LineExplorer('{"jsonrpc":"2.0","method":1,"id":1}')
    assert lines.explain(b"\xff{}") == explain(b"\xff{}")
    assert lines.line.value == "\\xff{}"
    assert "broken" in lines.shown.value


def test_the_explorer_shows_the_message_inside_a_log_line():
    lines = LineExplorer('INFO sent {"jsonrpc":"2.0","method":"<b>"}')
    assert "The message inside, from byte 10 on" in lines.shown.value
    assert "&#34;method&#34;:&#34;&lt;b&gt;&#34;" in lines.shown.value


def test_typing_explains_a_short_line_and_a_long_one_waits_for_the_button():
    lines = LineExplorer()
    lines.line.value = "[]"
    assert "6.empty-array" in lines.shown.value
    lines.line.value = "x" * 5000
    assert "6.empty-array" in lines.shown.value
    lines.explain_button.click()
    assert "5000 bytes" in lines.shown.value


def test_a_press_of_the_button_that_overtakes_the_text_is_kept_for_it():
    lines = LineExplorer("[]")
    lines.explain_button.click()
    assert "6.empty-array" in lines.shown.value
    lines.line.value = "x" * 5000
    assert "5000 bytes" in lines.shown.value
    lines.line.value = "y" * 6000
    assert "5000 bytes" in lines.shown.value, "one press, one explanation"


def test_another_profile_explains_the_same_bytes_again():
    lines = LineExplorer('{"jsonrpc":"2.0","method":"ping","id":null}')
    assert "bent" in lines.shown.value
    lines.profile.value = "mcp"
    assert "broken" in lines.shown.value


def test_the_ruler_holds_a_window_of_the_bytes_and_not_all():
    ruler = ByteRuler()
    ruler.show(explain(b'"' + b"x" * 100_000))
    assert len(ruler.window) == 512
    assert all(span["start"] < 512 for span in ruler.spans)
    ruler.offset = 100_000 - 256
    assert bytes(ruler.window).endswith(b"xxx")
    assert repr(ruler) == "ByteRuler: run this cell in JupyterLab to use it"


def test_clauses_are_filtered_by_level_profile_and_text():
    browser = ClauseBrowser()
    found = browser.filter(level="MUST NOT", profile="core", text="notification")
    assert "4.1.no-reply" in found
    assert all(clause(id).level == "MUST NOT" for id in found)
    assert browser.filter(text="no clause says this") == []
    assert "No clause fits." in browser.shown.value


def test_a_clause_is_shown_whatever_the_filters_say():
    browser = ClauseBrowser()
    browser.filter(text="no clause says this")
    browser.choose("4.1.no-reply")
    assert "4.1.no-reply" in browser.shown.value


@pytest.fixture(scope="module")
def page():
    return Explorer()


@pytest.mark.parametrize("row", clauses(), ids=lambda row: row.id)
def test_every_example_of_every_clause_loads_into_the_explorer(page, row):
    page.show_clause(row.id)
    for which in ("keeps", "breaks"):
        if getattr(row, which) or getattr(row, f"{which}_bytes"):
            page.clauses.load(which)
            assert page.lines.shown.value


def test_the_theatre_shows_both_lanes_and_a_cancel():
    theatre = Theatre()
    moments = theatre.rehearse(cancel_after=1.5)
    assert "$/cancelRequest" in str(moments)
    assert "the server" in theatre.shown.value
    assert "-32800" in theatre.shown.value


def test_the_cancel_button_works_while_the_call_runs():
    async def whole():
        theatre = Theatre()
        theatre.call_button.click()
        await asyncio.sleep(1.5)
        assert theatre.call_button.disabled
        theatre.cancel_button.click()
        while theatre.call_button.disabled:
            await asyncio.sleep(0.1)
        return theatre.moments

    moments = run(whole())
    assert [moment.note for moment in moments if moment.note] == ["the caller gave the call up"]
    assert '"code":-32800' in moments[-1].message
