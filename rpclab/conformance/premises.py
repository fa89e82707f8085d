"""What a case takes for granted: clauses that must be kept before it can be judged.

A case that sends a broken line and wants -32700 says nothing about a server that
never answers with an error of the right form. So the cases with a basic fact come
first, and a case that shows a sign of the fact (in what it sends or expects) rests
on them. If one of them is broken, the case is "not judged", and the fault is told
once.

One rule: a premise rests on earlier premises alone, so nothing goes in a circle,
and a case never rests on its own clause.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple

from rpclab.conformance import signs
from rpclab.conformance.cases import AnyCase, Case
from rpclab.conformance.cases.shared import AnyCaseT
from rpclab.conformance.judging import Verdict
from rpclab.conformance.signs import Exchange


class Premise(NamedTuple):
    """Cases that show a basic fact, and the sign that another case rests on it."""

    cases: tuple[str, ...]
    sign: Callable[[Exchange], bool]


PREMISES: Final = (
    Premise(("lsp.reply-header-is-ascii",), signs.always),
    Premise(("mcp.stdout-clean", "acp.stdout-clean", "process.no-banner"), signs.ends),
    Premise(("process.ends-at-once",), signs.ends_at_eof),
    # --- the form of what comes
    Premise(("lsp.reply-has-a-length", "newline.no-raw-newline-in-a-refusal"), signs.wants_error),
    Premise(("newline.stdout-of-a-refusal",), signs.tries_refusal),
    Premise(("newline.one-reply-a-line",), signs.wants_replies),
    Premise(("reply.error-is-an-object", "reply.version-of-an-error"), signs.wants_error),
    Premise(("reply.no-result-of-an-unknown-method",), signs.wants_error),
    Premise(
        ("reply.version-of-a-result", "reply.result-that-looks-like-an-error"), signs.wants_result
    ),
    Premise(("reply.id-of-a-broken-line",), signs.wants_null),
    Premise(("reply.null-id-where-text-shows-one",), signs.wants_null_id),
    # --- requests, and what they are answered with
    Premise(("error.of-an-unknown-method",), signs.calls_an_unknown_method),
    Premise(("reply.to-each-request",), signs.wants_reply_without_params),
    Premise(("newline.flushed",), signs.needs_flush),
    Premise(("process.finishes-slow-work",), signs.wants_work_at_eof),
    Premise(("reply.numbers-as-ids",), signs.wants_number_id),
    Premise(("params.array-as-it-came",), signs.wants_array_params),
    Premise(("id.zero", "id.empty-string"), signs.asks_with_falsy_id),
    Premise(("id.null",), signs.asks_with_null_id),
    Premise(("reply.null-result",), signs.wants_null_result),
    Premise(("reply.result-without-params",), signs.wants_not_found),
    Premise(("lsp.error-range", "examples.unknown-method"), signs.wants_not_found),
    Premise(("error.code-is-whole",), signs.wants_code),
    Premise(("conventions.hostile-method-name",), signs.sends_hostile_name),
    Premise(("newline.writers-do-not-mix",), signs.works_slowly),
    # --- notifications
    Premise(("notification.unknown-method",), signs.sends_failing_notification),
    Premise(("notification.known-method", "notification.no-result"), signs.sends_notification),
    # --- how bytes are read
    Premise(("acp.utf8", "lsp.length-in-bytes"), signs.wants_other_alphabets),
    Premise(("json.writes-utf8-in-errors",), signs.wants_other_alphabets),
    Premise(("lsp.any-chunks", "newline.any-chunks"), signs.comes_in_pieces),
    Premise(("lsp.large-content", "newline.sixty-four-kib", "newline.one-mib"), signs.sends_much),
    Premise(("json.writes-utf8",), signs.wants_other_alphabets),
    # --- lines that are refused
    Premise(("newline.goes-on-after-a-broken-line",), signs.sends_bad_json),
    Premise(("error.parse-truncated",), signs.wants_parse_error),
    Premise(("newline.error-flushed",), signs.needs_flush),
    Premise(("lsp.content-is-utf8", "newline.not-utf8"), signs.sends_bad_text),
    Premise(("newline.crlf",), signs.sends_crlf),
    Premise(("newline.blank-lines",), signs.sends_blank_line),
    Premise(("method.number",), signs.wants_refusal),
    # --- batches
    Premise(("examples.empty-array",), signs.sends_empty_batch),
    Premise(("batch.two-requests",), signs.wants_array),
    Premise(("batch.of-one-error",), signs.wants_array_of_one),
    Premise(("batch.no-null-for-a-notification",), signs.sends_batch_of_notifications),
    Premise(("batch.failing-notification",), signs.sends_batch_of_notifications),
    Premise(("batch.bad-among-good", "examples.batch-of-three-bad"), signs.wants_member_refused),
)
"""The basic facts, in the order in which they are judged."""


@dataclass(frozen=True, slots=True)
class Plan(Generic[AnyCaseT]):
    """The order in which cases are judged, and what each of them rests on."""

    cases: tuple[AnyCaseT, ...]
    premises: Mapping[str, tuple[str, ...]]


def plan(cases: Iterable[Case]) -> Plan[Case]:
    """Return the cases with premises in front, and what each rests on.

    >>> from rpclab.conformance.cases import load_cases
    >>> plan(load_cases()).premises["error.parse-truncated"][-1]
    'newline.goes-on-after-a-broken-line'
    """
    known = {case.id: case for case in cases}
    return arrange(known, {id: _rests_on(case, known) for id, case in known.items()}, _RANKS)


def arrange(
    known: Mapping[str, AnyCaseT], rests_on: Mapping[str, tuple[str, ...]], ranks: Iterable[str]
) -> Plan[AnyCaseT]:
    """Return the cases in the order of ``ranks``, each after those that it rests on."""
    order: dict[str, AnyCaseT] = {}

    def add(id: str) -> None:
        for premise in rests_on[id]:
            if premise not in order:
                add(premise)
        order[id] = known[id]

    for id in [*(id for id in ranks if id in known), *known]:
        if id not in order:
            add(id)
    return Plan(tuple(order.values()), rests_on)


_SIGNS: Final = tuple((id, one.sign) for one in PREMISES for id in one.cases)
_RANKS: Final = {id: rank for rank, (id, _) in enumerate(_SIGNS)}


def _rests_on(case: Case, known: Mapping[str, Case]) -> tuple[str, ...]:
    """Return the cases that a case rests on: by their signs, and those that it names."""
    exchange = Exchange(case)
    rank = _RANKS.get(case.id, len(_SIGNS))
    shown = [id for id, sign in _SIGNS[:rank] if sign(exchange)]
    named = [*shown, *case.presumes]
    return tuple(
        dict.fromkeys(
            id
            for id in named
            if id in known and known[id].clause != case.clause and id not in case.presumes_not
        )
    )


def find_blocker(
    case: AnyCase, premises: Iterable[str], found: Mapping[str, Verdict]
) -> Verdict | None:
    """Return the verdict on a premise that keeps a case from being judged, if there is one.

    A premise that was not judged only because the target lacks a method, or because
    nothing came, says nothing against it.
    """
    for id in premises:
        verdict = found.get(id)
        if verdict is None or not (verdict.found == "broken" or verdict.blocked_by):
            continue
        if case.clause != (verdict.blocked_by or verdict.clause):
            return verdict
    return None
