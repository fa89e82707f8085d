"""Signs: what a case takes for granted, seen in what it sends and expects.

One rule: a sign reads the case alone. It knows no target and no verdict.
``premises`` says which fact each sign stands for.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, Final

from rpclab.conformance.cases import DEMO_METHODS, Case
from rpclab.conformance.comparison import NotJson, is_call, read_payload

BIG: Final = 3_000
"""From how many bytes on a payload tests how a server reads, besides what it answers."""


class Exchange:
    """The messages of a case: what it sends, and what may come back."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.texts = [text for item in case.send for text in _texts(item)]

    @cached_property
    def sent(self) -> list[Any]:
        """Every value that is sent, or a ``NotJson`` in its place."""
        return [read_payload(text) for text in self.texts if text.strip()]

    @cached_property
    def members(self) -> list[Any]:
        """The values, with the members of each batch in its place."""
        return _flat(self.sent)

    @cached_property
    def calls(self) -> list[dict[str, Any]]:
        """Requests and notifications that name a method."""
        return [value for value in self.members if is_call(value)]

    @cached_property
    def replies(self) -> list[dict[str, Any]]:
        """Every reply that would keep the clause."""
        lines = [line for outcome in self.case.outcomes if outcome.keeps for line in outcome.lines]
        return [one for one in _flat(map(read_payload, lines)) if isinstance(one, dict)]

    def wants(self, member: str) -> bool:
        """Tell whether some reply has this member."""
        return any(member in reply for reply in self.replies)


def _texts(item: str | Mapping[str, Any]) -> list[str]:
    """Return the payloads of an item of ``send``; a big one is shortened."""
    match item:
        case str():
            return [item]
        case {"raw": str(text)}:
            return text.removesuffix("\n").split("\n")
        case {"repeat": str(part), "times": int(times)}:
            few = part * min(times, 2)
            return f"{item.get('before', '')}{few}{item.get('after', '')}".split("\n")
        case {"hex": str(text)}:
            return [bytes.fromhex(text).decode(errors="surrogateescape")]
    return []


def _flat(values: Iterable[Any]) -> list[Any]:
    return [m for value in values for m in (value if isinstance(value, list) else [value])]


# --- signs ------------------------------------------------------------------------


def always(_: Exchange) -> bool:
    """Return True: nothing can be read without it."""
    return True


def ends(case: Exchange) -> bool:
    """Tell whether the session of the case ends, or begins, with it."""
    return bool(case.case.end) or case.case.isolated


def ends_at_eof(case: Exchange) -> bool:
    """Tell whether the server must end when its input does."""
    return case.case.end == "eof"


def needs_flush(case: Exchange) -> bool:
    """Tell whether a reply must be written before more is sent, or nobody reads it."""
    return case.case.end == "gone" or any("pause" in item for item in case.case.send)


def wants_work_at_eof(case: Exchange) -> bool:
    """Tell whether replies must come after the input has ended."""
    return case.case.end == "eof" and bool(case.replies)


def works_slowly(case: Exchange) -> bool:
    """Tell whether a method that sends progress is called."""
    return "slow" in case.case.needs


def comes_in_pieces(case: Exchange) -> bool:
    """Tell whether a message may reach the server in several reads."""
    is_raw = any(isinstance(item, Mapping) and "raw" in item for item in case.case.send)
    return case.case.delivery != ("whole",) or (case.case.framing == "content-length" and is_raw)


def sends_hostile_name(case: Exchange) -> bool:
    """Tell whether a method's name must be escaped if it is written in a reply."""
    return any(json.dumps(call["method"]).count("\\") for call in case.calls)


def tries_refusal(case: Exchange) -> bool:
    """Tell whether the server has to refuse something, aloud or not."""
    return wants_error(case) or sends_failing_notification(case)


def wants_replies(case: Exchange) -> bool:
    """Tell whether two replies or more may come."""
    return len(case.replies) > 1


def wants_error(case: Exchange) -> bool:
    """Tell whether an error response may come."""
    return case.wants("error")


def wants_result(case: Exchange) -> bool:
    """Tell whether a success response may come."""
    return case.wants("result")


def wants_null_result(case: Exchange) -> bool:
    """Tell whether a result may be null, which some servers leave out."""
    return any(call["method"] == "update" and "id" in call for call in case.calls)


def wants_number_id(case: Exchange) -> bool:
    """Tell whether a reply must have an id that is a number."""
    return any(type(reply.get("id")) in (int, float) for reply in case.replies)


def wants_null(case: Exchange) -> bool:
    """Tell whether the id of a reply is null."""
    return any(reply.get("id", 0) is None for reply in case.replies)


def wants_null_id(case: Exchange) -> bool:
    """Tell whether it is null because the id of the request is not known."""
    return wants_null(case) and not asks_with_null_id(case)


def asks_with_null_id(case: Exchange) -> bool:
    """Tell whether a request has null as its id."""
    return any("id" in call and call["id"] is None for call in case.calls)


def asks_with_falsy_id(case: Exchange) -> bool:
    """Tell whether an id is 0 or an empty text."""
    return any(call.get("id") in (0, "") for call in case.calls)


def wants_other_alphabets(case: Exchange) -> bool:
    """Tell whether text outside ASCII comes back."""
    return any(not text.isascii() for reply in case.replies for text in _strings(reply))


def _strings(value: Any) -> Iterable[str]:
    match value:
        case str():
            yield value
        case dict():
            for name in value:
                yield from (name, *_strings(value[name]))
        case list():
            for member in value:
                yield from _strings(member)


def wants_reply_without_params(case: Exchange) -> bool:
    """Tell whether a request that has no params must be answered."""
    return bool(case.replies) and any("id" in c and "params" not in c for c in case.calls)


def wants_array_params(case: Exchange) -> bool:
    """Tell whether a request with params by position must have a result."""
    by_position = (c for c in case.calls if "id" in c and isinstance(c.get("params"), list))
    return wants_result(case) and any(call["params"] for call in by_position)


def calls_an_unknown_method(case: Exchange) -> bool:
    """Tell whether an error must come because a method does not exist."""
    known = (*DEMO_METHODS, case.case.carrier)  # a carrier is answered, whatever its code is
    return wants_error(case) and any("id" in c and c["method"] not in known for c in case.calls)


def wants_not_found(case: Exchange) -> bool:
    """Tell whether a reply must say -32601."""
    return _wants_code(case, -32601)


def wants_code(case: Exchange) -> bool:
    """Tell whether the code of a failing method must be a whole number."""
    return _wants_code(case, "<integer>") and "boom" in case.case.needs


def _wants_code(case: Exchange, code: int | str) -> bool:
    errors = [reply.get("error") for reply in case.replies]
    return any(isinstance(error, dict) and error.get("code") == code for error in errors)


def sends_bad_text(case: Exchange) -> bool:
    """Tell whether bytes are sent that are not UTF-8."""
    return any("\udc80" <= char <= "\udcff" for text in case.texts for char in text)


def sends_bad_json(case: Exchange) -> bool:
    """Tell whether a line is sent that is not JSON."""
    return sends_bad_text(case) or any(isinstance(value, NotJson) for value in case.sent)


def wants_parse_error(case: Exchange) -> bool:
    """Tell whether such a line must be answered."""
    return sends_bad_json(case) and wants_error(case)


def wants_refusal(case: Exchange) -> bool:
    """Tell whether JSON that is not a request must be answered, or a request may be refused."""
    may_be_refused = _wants_code(case, -32600)
    return may_be_refused or (wants_error(case) and any(map(_is_no_request, case.members)))


def wants_member_refused(case: Exchange) -> bool:
    """Tell whether a member of a batch must be refused."""
    batches = [value for value in case.sent if isinstance(value, list)]
    return wants_error(case) and any(_is_no_request(member) for one in batches for member in one)


def _is_no_request(value: Any) -> bool:
    if not isinstance(value, dict):
        return not isinstance(value, list | NotJson)
    if is_call(value):
        return isinstance(value.get("id"), bool | list | dict)
    return not ("result" in value or "error" in value)


def sends_empty_batch(case: Exchange) -> bool:
    """Tell whether an empty array is sent."""
    return [] in case.sent


def sends_blank_line(case: Exchange) -> bool:
    """Tell whether a line without a message is sent."""
    return any(not text.strip() for text in case.texts)


def sends_crlf(case: Exchange) -> bool:
    """Tell whether a line that ends with CR LF is sent."""
    return any(text.endswith("\r") for text in case.texts)


def sends_much(case: Exchange) -> bool:
    """Tell whether a payload is larger than a pipe takes at once."""
    repeats = [item for item in case.case.send if isinstance(item, Mapping) and "repeat" in item]
    return any(len(item["repeat"]) * item["times"] > BIG for item in repeats)


def sends_failing_notification(case: Exchange) -> bool:
    """Tell whether a notification is sent that the server may not know."""
    names = [call["method"] for call in case.calls if "id" not in call]
    is_flooded = "stderr-flood" in case.case.delivery  # by notifications of a failing method
    return is_flooded or any(name not in case.case.needs for name in names)


def sends_notification(case: Exchange) -> bool:
    """Tell whether a notification is sent."""
    return any("id" not in call for call in case.calls)


def sends_batch_of_notifications(case: Exchange) -> bool:
    """Tell whether a batch has a notification in it."""
    batches = [value for value in case.sent if isinstance(value, list)]
    return any(is_call(one) and "id" not in one for batch in batches for one in batch)


def wants_array(case: Exchange) -> bool:
    """Tell whether an array must come back."""
    found = [read_payload(line) for line in _lines(case)]
    return any(isinstance(value, list) or value == "<array>" for value in found)


def wants_array_of_one(case: Exchange) -> bool:
    """Tell whether an array of one reply must come back."""
    found = [read_payload(line) for line in _lines(case)]
    return any(isinstance(value, list) and len(value) == 1 for value in found)


def _lines(case: Exchange) -> list[str]:
    return [line for o in case.case.outcomes if o.keeps for line in o.lines]
