"""The properties of the transport with 50,000 examples each, in place of a hundred.

Each runs in fifty rounds of a thousand, with a seed of its own: hypothesis
remembers every example of a round, so one long round would fill the memory.
"""

import pytest
from hypothesis import seed

from tests import test_hostile as hostile

ROUNDS = 50
PROPERTIES = {
    "a batch": hostile.test_a_batch_has_one_reply_for_each_member_that_is_due_one,
    "a notification": hostile.test_a_notification_is_never_answered_whatever_its_handler_does,
    "any cutting": hostile.test_any_cutting_of_a_stream_gives_the_same_replies,
    "no message": hostile.test_bytes_that_are_no_message_are_answered_with_a_null_id,
    "respond": hostile.test_respond_never_raises_and_what_it_returns_is_one_valid_line,
}
quiet = hostile.quiet


@pytest.mark.timeout(600)
@pytest.mark.parametrize("number", range(ROUNDS))
@pytest.mark.parametrize("name", PROPERTIES)
def test_a_property_holds_in_every_round(name, number):
    seed(number)(PROPERTIES[name])()
