"""What a server must answer, asked of the transport itself.

``unpack`` says what a line asks for, and ``answer`` gives the reply that is
earned already. Only where a method would have to run is there no line: then
it is said what kind of reply comes.
"""

from typing import Final

from rpclab.codec import encode
from rpclab.dispatch import Member, Received, answer, pack
from rpclab.errors import ERR_PARSE, InvalidRequest
from rpclab.explain import strings
from rpclab.explain.judgement import refusal
from rpclab.explain.model import BROKEN, Answer, Finding
from rpclab.messages import ErrorResponse, Json, Notification, Params, Request
from rpclab.parsing import readable_id
from rpclab.rendering import render_error
from rpclab.spec import Profile

_MANY: Final = 10  # parts of an answer are told, and no more
_LONG: Final = 40  # characters of an id
_NULLED: Final = {"id-null", "id-fraction", "id-large", "batches"}  # refusals that echo no id


def answer_to(members: Member | list[Member]) -> Answer:
    """Say what a line earns, given what ``unpack`` made of it."""
    if isinstance(members, list):
        return _answer_batch(members)
    match members:
        case ErrorResponse(error, _):
            parse = error.code == ERR_PARSE
            says = strings.ANSWER_NOT_JSON if parse else strings.ANSWER_INVALID
            return Answer("error", _line(members), says)
        case Received():
            return Answer("silence", "", strings.ANSWER_RECEIVED)
        case Notification():
            return Answer("silence", "", strings.ANSWER_NOTIFICATION)
        case _:
            return Answer("response", "", strings.ANSWER_RESPONSE.format(id=_short(members.id)))


def _answer_batch(members: list[Member]) -> Answer:
    due = [member for member in members if isinstance(member, Request | ErrorResponse)]
    if not due:
        return Answer("silence", "", strings.ANSWER_BATCH_SILENT)
    errors = [member for member in due if isinstance(member, ErrorResponse)]
    if len(errors) == len(due):
        line = pack([_line(member) for member in errors]) or ""
        return Answer("error", line, strings.ANSWER_BATCH_ERRORS.format(count=len(due)))
    parts = _listed([_part(member) for member in due[:_MANY]], len(due))
    return Answer("several", "", strings.ANSWER_BATCH.format(count=len(due), parts=parts))


def _part(member: Request | ErrorResponse) -> str:
    if isinstance(member, Request):
        return strings.PART_RESPONSE.format(id=_short(member.id))
    return strings.PART_ERROR.format(code=member.error.code, id=_short(member.id))


def _listed(parts: list[str], count: int) -> str:
    more = [strings.PART_MORE.format(count=count - _MANY)] if count > _MANY else []
    return ", ".join(parts[:_MANY] + more)


def _short(id: Json) -> str:
    text = encode(id)
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"


def _line(member: ErrorResponse) -> str:
    return answer(member, _never) or ""


def _never(method: str, params: Params) -> Json:
    """Stand for a handler where none is called."""
    raise AssertionError(method, params)


def answer_by_profile(
    earned: Answer, value: Json, findings: list[Finding], profile: Profile
) -> Answer:
    """Give the answer of a server that keeps to the profile's readings."""
    broken = [f.ruling for f in findings if f.verdict == BROKEN and refusal(profile, f.ruling)]
    if not broken or earned.kind not in {"response", "several"}:
        return earned
    ruling = broken[0]
    id = None if ruling in _NULLED else readable_id(value)
    says = strings.ANSWER_PROFILE.format(profile=profile.title, does=refusal(profile, ruling))
    return Answer("error", render_error(InvalidRequest(), id), says)


def answer_several(answers: list[Answer]) -> Answer:
    """Say what several messages earn, one after another."""
    due = [answer for answer in answers if answer.kind != "silence"]
    if not due:
        return Answer("silence", "", strings.ANSWER_LINES_SILENT.format(lines=len(answers)))
    parts = _listed([answer.line or answer.says.rstrip(".") for answer in due[:_MANY]], len(due))
    says = strings.ANSWER_LINES.format(count=len(due), lines=len(answers), parts=parts)
    return Answer("several", "", says)
