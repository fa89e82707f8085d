"""Notebooks 07 to 09 in a real JupyterLab: a call is watched, and stopped while it runs."""

import pytest
from playwright.sync_api import expect

# Playwright looks now and then, and late on a busy machine; the page itself sees each change.
# What the lanes showed before the click is of an earlier call, and is not kept.
CHANGES = "{ childList: true, subtree: true, characterData: true }"
KEEP_EACH_STATE = f"""lanes => {{
    window.seen = [];
    new MutationObserver(() => window.seen.push(lanes.textContent)).observe(lanes, {CHANGES});
}}"""
CANCEL_AT_PROGRESS = f"""lanes => {{
    const button = document.querySelector(".rpclab-cancel");
    const cancel = new MutationObserver(() => {{
        if (!lanes.textContent.includes("$/progress")) return;
        cancel.disconnect();
        button.click();
    }});
    cancel.observe(lanes, {CHANGES});
}}"""


def theatre_of(page):
    """Return the first theatre of a notebook, in view, once its cell has run."""
    call = page.locator(".rpclab-call").first
    call.wait_for(timeout=60_000)
    call.scroll_into_view_if_needed()
    return call, page.locator(".rpclab-lanes").first


def states_of_a_call(page, call, end):
    """Press the call button; return all that the lanes showed until ``end`` stood there."""
    call.click()
    page.wait_for_function("end => window.seen.at(-1)?.includes(end)", arg=end)
    return page.evaluate("window.seen")


@pytest.mark.notebook("07_notifications")
def test_progress_arrives_while_the_call_is_in_flight(page):
    call, lanes = theatre_of(page)
    expect(page.get_by_text("Two lines were looked at").last).to_be_attached(timeout=60_000)
    lanes.evaluate(KEEP_EACH_STATE)
    in_flight = [text for text in states_of_a_call(page, call, "a result") if "result" not in text]
    assert any('"method":"work"' in text and "$/progress" not in text for text in in_flight)
    assert any("$/progress" in text for text in in_flight)
    assert page.faults == []


@pytest.mark.notebook("08_cancel")
def test_the_cancel_button_stops_a_call_that_runs(page):
    call, lanes = theatre_of(page)
    expect(page.get_by_text("late: its call was given up").first).to_be_attached(timeout=60_000)
    lanes.evaluate(KEEP_EACH_STATE)
    lanes.evaluate(CANCEL_AT_PROGRESS)
    last = states_of_a_call(page, call, "-32800")[-1]
    assert "$/progress" in last
    assert "$/cancelRequest" in last
    assert "result" not in last
    assert page.faults == []


@pytest.mark.notebook("09_processes")
def test_processes_are_started_and_ended_from_a_notebook(page):
    expect(page.get_by_text("a reply: ['hi']").first).to_be_attached(timeout=60_000)
    assert page.faults == []
