"""Whether a client can be judged: it is told to make one plain call.

One rule: a client that neither calls its server nor says anything breaks no clause.
It was not started as it should be, and that is said instead.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from rpclab.conformance.cases import load_client_cases
from rpclab.conformance.cases.client_dialects import spoken
from rpclab.conformance.client_premises import PLAIN
from rpclab.conformance.comparison import is_call, read_payload
from rpclab.conformance.targets import PATIENT, ClientObservation, Observation
from rpclab.conformance.targets.scripted_server import is_own

if TYPE_CHECKING:
    from rpclab.conformance.targets.command import ClientCommand


def find_dead(client: "ClientCommand", profile: str) -> Observation | None:
    """Return what is seen of a client that cannot be judged, because it never calls."""
    [plain] = [case for case in load_client_cases() if case.id == PLAIN]
    seen = client.run(spoken(plain, profile))
    if _is_silent(seen, profile) and seen.said.state == "hangs":
        seen = client.run(spoken(plain, profile), PATIENT)
    if seen.said.state == "absent":
        return seen.said
    if not _is_silent(seen, profile):
        return None
    status = seen.said.status
    end = "it goes on" if seen.said.state == "hangs" else f"it ended (exit status {status})"
    why = f"{end}, and it neither called its server nor said anything"
    return replace(seen.said, state="mute", note=why)


def _is_silent(seen: ClientObservation, profile: str) -> bool:
    """Tell whether a client said nothing, and wrote nothing but its handshake."""
    wrote = [read_payload(payload) for payload in seen.wrote]
    return not seen.said.came and all(is_call(m) and is_own(m, profile) for m in wrote)
