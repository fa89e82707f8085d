"""What a server must answer, taken from the transport itself.

``unpack`` says what a line asks for, and ``answer`` writes the reply if it is
known already. If a method has to run first there is no line: then the kind of
reply is described.
"""

from typing import Final

from rpclab.codec import encode
from rpclab.dispatch import Member, Received, answer, pack, unpack
from rpclab.errors import ERR_PARSE, InvalidRequest
from rpclab.explain.frame_rules import Framed
from rpclab.explain.model import BROKEN, MANY, Answer, Explanation, Finding
from rpclab.explain.rules import refusal
from rpclab.framing import ContentLengthFraming, Framing, NewlineFraming
from rpclab.messages import ErrorResponse, Json, Notification, Params, Request
from rpclab.parsing import readable_id
from rpclab.rendering import render_error
from rpclab.spec import Profile

_SHOWN: Final = 10  # parts of an answer
_LONG: Final = 40  # characters of an id
_NULLED: Final = {"id-null", "id-fraction", "id-large", "batches"}  # refused without an id


def answer_to(members: Member | list[Member]) -> Answer:
    """Return the answer to a line, given what ``unpack`` made of it."""
    if isinstance(members, list):
        return _answer_batch(members)
    match members:
        case ErrorResponse(error, _):
            not_json = "It is not JSON, so its id cannot be read."
            says = not_json if error.code == ERR_PARSE else "It is JSON, but not a call."
            return Answer("error", _line(members), says)
        case Received():
            says = "A response is never answered: two servers would answer for ever."
            return Answer("silence", "", says)
        case Notification():
            says = "A notification is never answered, not even with an error."
            return Answer("silence", "", says)
        case _:
            id = _short(members.id)
            says = f"A response with the id {id}. The method decides what is in it."
            return Answer("response", "", says)


def _answer_batch(members: list[Member]) -> Answer:
    due = [member for member in members if isinstance(member, Request | ErrorResponse)]
    if not due:
        says = "Nothing in the batch may be answered, so nothing is sent at all."
        return Answer("silence", "", says)
    errors = [member for member in due if isinstance(member, ErrorResponse)]
    if len(errors) == len(due):
        line = pack([_line(member) for member in errors]) or ""
        says = f"One array of {len(due)}: every member that is not a call gets an error."
        return Answer("error", line, says)
    parts = _listed([_part(member) for member in due[:_SHOWN]], len(due))
    return Answer("several", "", f"One array of {len(due)}, in any order: {parts}.")


def _part(member: Request | ErrorResponse) -> str:
    if isinstance(member, Request):
        return f"a response with the id {_short(member.id)}"
    return f"the error {member.error.code} with the id {_short(member.id)}"


def _listed(parts: list[str], count: int, between: str = ", ") -> str:
    more = [f"and {count - _SHOWN} more"] if count > _SHOWN else []
    return between.join(parts[:_SHOWN] + more)


def _short(id: Json) -> str:
    text = encode(id)
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"


def _line(member: ErrorResponse) -> str:
    return answer(member, _never) or ""


def _never(method: str, params: Params) -> Json:
    """Take the place of a handler that is never called."""
    raise AssertionError(method, params)


def answer_by_profile(
    earned: Answer, value: Json, findings: list[Finding], profile: Profile
) -> Answer:
    """Return the answer of a server that follows the profile's readings."""
    broken = [f.ruling for f in findings if f.verdict == BROKEN and refusal(profile, f.ruling)]
    if not broken or earned.kind not in {"response", "several"}:
        return earned
    ruling = broken[0]
    id = None if ruling in _NULLED else readable_id(value)
    reason = refusal(profile, ruling).replace("refused with", "it answers with")
    says = f"{profile.title} refuses it: {reason}."
    return Answer("error", render_error(InvalidRequest(), id), says)


def answer_to_all(framed: Framed, parts: list[Explanation]) -> Answer:
    """Return the answer to all of the data.

    If the profile uses this form, each payload has its own answer. If not, the
    server cuts the data by its own framing, and answers what it gets from that.
    """
    if framed.is_foreign or framed.has_length:
        framing: Framing = ContentLengthFraming() if framed.has_length else NewlineFraming()
        payloads = framing.feed(framed.data) + framing.feed(b"")
        if framed.has_length and len(payloads) == len(parts) == 1:
            return parts[0].answer
        answers = [answer_to(unpack(payload)) for payload in payloads[:MANY]]
    else:
        answers = [part.answer for part in parts]
    return answers[0] if len(answers) == 1 else _answer_several(answers)


def _answer_several(answers: list[Answer]) -> Answer:
    """Return the answers to several messages, one after another."""
    due = [answer for answer in answers if answer.kind != "silence"]
    if not due:
        says = f"None of the {len(answers)} messages may be answered."
        return Answer("silence", "", says)
    shown = [answer.line or answer.says.rstrip(".") for answer in due[:_SHOWN]]
    parts = _listed(shown, len(due), between="; ")
    count = f"{len(due)} answer{'' if len(due) == 1 else 's'}"
    says = f"{count} to {len(answers)} messages: {parts}."
    return Answer("several", "", says)
