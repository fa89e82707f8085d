"""Notebooks 02 to 06 and 13 in a real JupyterLab: each runs whole, and its main widget answers."""

import os

import pytest
from playwright.sync_api import expect


def show(page, widget):
    """Bring the main widget of a notebook into view."""
    page.locator(widget).first.wait_for()
    page.locator(widget).first.scroll_into_view_if_needed()


def keep_picture(page, name):
    """Save what the page looks like, if pictures are asked for."""
    if folder := os.environ.get("RPCLAB_PICTURES_OF_WIDGETS"):
        page.screenshot(path=f"{folder}/{name}.png")


@pytest.mark.notebook("02_lines")
def test_the_chunk_slider_cuts_inside_a_character_by_keyboard(page):
    show(page, ".rpclab-cut-shown")
    page.locator(".rpclab-stream select").first.select_option(label="a price in euro")
    handle = page.locator(".rpclab-cut .noUi-handle").first
    shown = page.locator(".rpclab-cut-shown").first
    expect(shown).to_contain_text('"method":"pay"')  # the slider has the new stream's length
    handle.press("End")
    for _ in range(5):  # the newline, the end of the line, and one byte of three
        handle.press("ArrowLeft")
    expect(shown).to_contain_text("inside a character")
    expect(shown).to_contain_text("completes")
    keep_picture(page, "02_lines")
    assert page.faults == []


@pytest.mark.notebook("03_requests")
def test_the_envelope_builder_says_the_verdict_and_the_id(page):
    show(page, ".rpclab-envelope")
    shown = page.locator(".rpclab-envelope").first
    page.locator(".rpclab-envelope-method select").first.select_option(label="1")
    expect(shown).to_contain_text("method must be a string")
    page.locator(".rpclab-envelope-id select").first.select_option(label="7")
    expect(shown).to_contain_text("id 7")
    page.locator(".rpclab-envelope-id select").first.select_option(label="true")
    expect(shown).to_contain_text("id null")
    keep_picture(page, "03_requests")
    assert page.faults == []


@pytest.mark.notebook("04_errors")
def test_the_error_designer_warns_of_a_code_that_is_kept_for_later(page):
    show(page, ".rpclab-error")
    shown = page.locator(".rpclab-error").first
    page.locator(".rpclab-error-code input").first.fill("-32500")
    expect(shown).to_contain_text("not allowed")
    page.locator(".rpclab-error-message input").first.fill("<img src=x onerror=window.owned=1>")
    expect(shown).to_contain_text("<img src=x onerror")
    assert page.evaluate("window.owned") is None
    keep_picture(page, "04_errors")
    assert page.faults == []


@pytest.mark.notebook("05_dispatch")
def test_the_method_caller_binds_by_name(page, type_and_press):
    show(page, ".rpclab-params input")
    params = '{"subtrahend":2,"minuend":9}'
    type_and_press(page, ".rpclab-params input", ".rpclab-call", "{", params)
    shown = page.locator(".rpclab-called").first
    expect(shown).to_contain_text("minuend=9, subtrahend=2")
    expect(shown).to_contain_text('"result":7')
    keep_picture(page, "05_dispatch")
    assert page.faults == []


@pytest.mark.notebook("06_batches")
def test_the_batch_builder_shows_which_member_earns_which_reply(page, type_and_press):
    show(page, ".rpclab-members textarea")
    members = '{"jsonrpc":"2.0","method":"update"}\n1'
    type_and_press(page, ".rpclab-members textarea", ".rpclab-send-batch", "1", members)
    shown = page.locator(".rpclab-earned").first
    expect(shown).to_contain_text("no reply")
    expect(shown).to_contain_text("a call must be an object")
    page.locator(".rpclab-add select").first.select_option(label="a response")
    expect(page.locator(".rpclab-members textarea").first).to_have_value(
        '{"jsonrpc":"2.0","method":"update"}\n1\n{"jsonrpc":"2.0","result":19,"id":1}'
    )
    keep_picture(page, "06_batches")
    assert page.faults == []


@pytest.mark.notebook("13_your_server")
def test_the_report_grid_shows_the_bytes_of_a_clause_by_keyboard(page):
    show(page, ".rpclab-report button")
    page.locator(".rpclab-report button").filter(has_text="5.id-same").first.press("Enter")
    shown = page.locator(".rpclab-report-detail").first
    expect(shown).to_contain_text("kept")
    expect(shown).to_contain_text("sent")
    expect(shown).to_contain_text("wanted")
    keep_picture(page, "13_your_server")
    assert page.faults == []
