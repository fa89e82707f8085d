"""Any bytes, said member by member.

``explain`` says what some bytes are, which byte belongs to what, which clause
each part keeps or breaks, what a server must answer, and what was probably
meant. It never raises, and agrees with the transport.
"""

from rpclab.explain.model import Answer, Explanation, Finding, Mistake, Span
from rpclab.explain.whole import explain

__all__ = ["Answer", "Explanation", "Finding", "Mistake", "Span", "explain"]
