"""The spec explorer in a real JupyterLab: type, move by keyboard, load a clause's example."""

import pytest
from playwright.sync_api import expect

HOSTILE = (
    '{"jsonrpc":"2.0","method":"<script>window.owned=1</script>",'
    '"<img src=x onerror=window.owned=1>":"```mermaid","params":["[a](javascript:window.owned=1)"]}'
)


def explorer_of(page):
    """Return the field of the first line explorer, in view, once its cell has run."""
    field = page.locator(".rpclab-line textarea").first
    field.wait_for(timeout=60_000)
    field.scroll_into_view_if_needed()
    return field


def ruler_of(page, line):
    """Return the first byte ruler, once it has the bytes of ``line``: the kernel has answered."""
    ruler = page.locator(".rpclab-ruler").first
    expect(ruler.locator(".rpclab-byte")).to_have_count(len(line))
    return ruler


@pytest.mark.notebook("12_spec_explorer")
def test_a_typed_line_is_explained_and_a_byte_says_its_clause(page, keep_picture):
    line = '{"jsonrpc":"2.0","method":"sum","id":true}'
    explorer_of(page).fill(line)
    ruler = ruler_of(page, line)
    said = page.locator(".rpclab-said").first
    expect(said).to_contain_text("broken")
    expect(said).to_contain_text("4.id-type")
    ruler.locator(".rpclab-byte").nth(37).hover()
    note = page.locator(".rpclab-ruler-note").first
    expect(note).to_contain_text("byte 37: 74")
    expect(note).to_contain_text("4.id-type")
    widgets = page.locator(".jp-OutputArea-output .jupyter-widgets.lm-Panel")
    keep_picture(widgets.filter(has=page.locator(".rpclab-ruler")).first, "ruler.png")


@pytest.mark.notebook("12_spec_explorer")
def test_the_ruler_answers_to_the_keyboard(page):
    line = '{"jsonrpc":"2.0","method":"sum","id":1}'
    explorer_of(page).fill(line)
    ruler = ruler_of(page, line)
    ruler.focus()
    for _ in range(2):
        ruler.press("ArrowRight")
    expect(page.locator(".rpclab-ruler-note").first).to_contain_text("byte 2: 6a")
    ruler.press("End")
    expect(page.locator(".rpclab-ruler-note").first).to_contain_text("byte 38: 7d")


@pytest.mark.notebook("12_spec_explorer")
def test_a_pointer_at_rest_leaves_the_byte_in_focus(page):
    field = explorer_of(page)
    line = '{"jsonrpc":"2.0","method":"sum","id":1}'
    field.fill(line)
    ruler = ruler_of(page, line)
    ruler.locator(".rpclab-byte").nth(20).hover()
    expect(page.locator(".rpclab-ruler-note").first).to_contain_text("byte 20:")
    longer = line.replace("sum", "echo")
    field.fill(longer)  # now bytes are drawn under the pointer
    ruler_of(page, longer).focus()
    ruler.press("ArrowRight")
    expect(page.locator(".rpclab-ruler-note").first).to_contain_text("byte 1:")


@pytest.mark.notebook("12_spec_explorer")
def test_the_fault_is_marked_at_its_byte(page):
    explorer_of(page).fill('{"jsonrpc":"2.0","method":"sum","params":[1,],"id":1}')
    ruler = page.locator(".rpclab-ruler").first
    expect(ruler.locator(".rpclab-fault")).to_have_text("]")
    expect(page.locator(".rpclab-mistake").first).to_contain_text("comma")


@pytest.mark.notebook("12_spec_explorer")
def test_what_came_from_the_wire_runs_no_script_in_the_explorer(page):
    explorer_of(page).fill(HOSTILE)
    ruler_of(page, HOSTILE).focus()
    expect(page.locator(".rpclab-said").first).to_contain_text("notification")
    page.locator(".rpclab-byte").nth(70).hover()
    assert page.locator(".rpclab-said img, .rpclab-said script, .rpclab-ruler img").count() == 0
    assert page.evaluate("window.owned") is None


@pytest.mark.notebook("12_spec_explorer")
def test_a_long_line_is_shown_a_window_at_a_time(page):
    field = explorer_of(page)
    field.fill('{"jsonrpc":"2.0","method":"' + "x" * 100_000)
    page.locator(".rpclab-explain").first.click()
    turn = page.locator(".rpclab-ruler-turn").first
    expect(turn).to_contain_text("bytes 0 to 511 of 100027", timeout=20_000)
    assert page.locator(".rpclab-ruler").first.locator(".rpclab-byte").count() == 512
    turn.get_by_text("To the fault").click()
    expect(turn).to_contain_text("of 100027")
    turn.get_by_text("Earlier bytes").click()
    expect(turn).to_contain_text("bytes 99")


@pytest.mark.notebook("12_spec_explorer")
def test_a_press_of_the_button_right_behind_the_text_explains_that_text(page, type_and_press):
    explorer_of(page).fill("[]")
    ruler_of(page, "[]")
    type_and_press(page, ".rpclab-line textarea", ".rpclab-explain", "[1]", "x" * 3000)
    expect(page.locator(".rpclab-ruler-turn").first).to_contain_text("of 3000")


@pytest.mark.notebook("12_spec_explorer")
def test_a_clause_loads_what_breaks_it_into_the_line(page):
    text = page.locator(".rpclab-clause-text input").first
    text.wait_for(timeout=60_000)
    text.scroll_into_view_if_needed()
    text.fill("inside a batch")
    expect(page.locator(".rpclab-clause").first).to_contain_text("4.1.no-reply-in-batch")
    page.locator(".rpclab-load-breaks").first.click()
    expect(page.locator(".rpclab-line textarea").nth(1)).not_to_have_value("")


@pytest.mark.notebook("12_spec_explorer")
def test_the_explorer_runs_whole_without_a_fault_in_the_page(page):
    page.get_by_text("Every rule has an id").last.scroll_into_view_if_needed()
    expect(page.get_by_text("6.never-empty").last).to_be_attached(timeout=60_000)
    assert page.faults == []
