"""The properties of the transport with 50,000 examples each, in place of a hundred.

The number comes from RPCLAB_EXAMPLES=long, which lab.py sets for this step.
"""

import pytest

from tests.test_hostile import (
    _quiet,
    test_a_batch_has_one_reply_for_each_member_that_is_due_one,
    test_a_notification_is_never_answered_whatever_its_handler_does,
    test_any_cutting_of_a_stream_gives_the_same_replies,
    test_bytes_that_are_no_message_are_answered_with_a_null_id,
    test_respond_never_raises_and_what_it_returns_is_one_valid_line,
)

__all__ = [
    "_quiet",
    "test_a_batch_has_one_reply_for_each_member_that_is_due_one",
    "test_a_notification_is_never_answered_whatever_its_handler_does",
    "test_any_cutting_of_a_stream_gives_the_same_replies",
    "test_bytes_that_are_no_message_are_answered_with_a_null_id",
    "test_respond_never_raises_and_what_it_returns_is_one_valid_line",
]

pytestmark = pytest.mark.timeout(3_600)
