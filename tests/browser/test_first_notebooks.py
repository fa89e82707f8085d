"""The first two notebooks in a real JupyterLab: run, type, click, read."""

import pytest
from playwright.sync_api import expect


def console_of(page):
    """Return the first wire console of a notebook, in view, once its cell has run."""
    line = page.locator(".rpclab-line input").first
    line.wait_for(timeout=60_000)
    line.scroll_into_view_if_needed()
    return line


@pytest.mark.notebook("00_start_here")
def test_a_learner_types_a_line_and_reads_the_reply(page, keep_picture):
    line = console_of(page)
    line.fill('{"jsonrpc":"2.0","method":"sum","params":[20,22],"id":"typed"}')
    line.press("Enter")
    log = page.locator(".rpclab-log").first
    expect(log).to_contain_text('{"jsonrpc":"2.0","result":42,"id":"typed"}')
    expect(log).to_contain_text("success response")
    page.set_viewport_size({"width": 1280, "height": 720})
    log.scroll_into_view_if_needed()
    keep_picture(page.locator(".jp-Notebook"), "notebook.png")


@pytest.mark.notebook("00_start_here")
def test_a_click_sends_a_line_of_the_gallery(page):
    console_of(page)
    page.locator(".rpclab-gallery select").first.select_option(label="broken: single quotes")
    expect(page.locator(".rpclab-line input").first).to_have_value(
        "{'jsonrpc':'2.0','method':'get_data','id':4}"
    )
    page.locator(".rpclab-send").first.click()
    log = page.locator(".rpclab-log").first
    expect(log).to_contain_text("error response -32700")
    expect(log).to_contain_text("not JSON")


@pytest.mark.notebook("00_start_here")
def test_silence_is_shown_as_silence(page):
    line = console_of(page)
    log = page.locator(".rpclab-log").first
    expect(log).not_to_contain_text("no reply")
    line.fill('{"jsonrpc":"2.0","method":"update"}')
    line.press("Enter")
    expect(log).to_contain_text("no reply")


@pytest.mark.notebook("00_start_here")
def test_what_came_from_the_wire_runs_no_script(page):
    line = console_of(page)
    line.fill(
        '{"jsonrpc":"2.0","method":"echo","params":["<img src=x onerror=window.owned=1>"],"id":1}'
    )
    line.press("Enter")
    expect(page.locator(".rpclab-log").first).to_contain_text("<img src=x onerror")
    assert page.evaluate("window.owned") is None


@pytest.mark.notebook("00_start_here")
def test_a_prediction_answers_to_a_click(page):
    answers = page.locator(".rpclab-answers").first
    answers.wait_for(timeout=60_000)
    answers.get_by_text("the bare number 19").click()
    expect(page.locator(".rpclab-verdict").first).to_contain_text("Not quite.")
    answers.get_by_text("an object with 19").click()
    expect(page.locator(".rpclab-verdict").first).to_contain_text("Right.")


@pytest.mark.notebook("01_messages")
def test_the_tree_follows_the_line_that_is_typed(page):
    tree = page.locator(".rpclab-tree").first
    tree.wait_for(timeout=60_000)
    tree.scroll_into_view_if_needed()
    page.locator(".rpclab-line input").first.fill('{"error":{}}')
    expect(tree).to_contain_text("method? no, result? no, error? yes: error response")


@pytest.mark.notebook("01_messages")
def test_a_notebook_runs_whole_without_a_fault_in_the_page(page):
    page.get_by_text("A response is never answered.").last.scroll_into_view_if_needed()
    expect(page.get_by_text("ex01_shapes: 0 of 6 kept").first).to_be_attached(timeout=60_000)
    assert (
        page.locator(
            ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']"
        ).count()
        == 0
    )
    assert page.faults == []
