"""``expect(function, arguments).gives(wanted)``: what every check is made of.

It knows what was called, what came and what was wanted, so that a learner
never meets a bare traceback.
"""

from collections.abc import Callable
from typing import Any

from rpclab.course import strings


class Unmet(Exception):
    """A check is not kept. The text says called, got and wanted."""

    def __init__(self, called: str, got: str, wanted: str) -> None:
        width = max(map(len, (strings.CALLED, strings.GOT, strings.WANTED)))
        rows = ((strings.CALLED, called), (strings.GOT, got), (strings.WANTED, wanted))
        super().__init__("\n".join(f"{name:<{width}}  {value}" for name, value in rows))


class Expectation:
    """A call that is about to be judged."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._function = function
        self._arguments = arguments

    def gives(self, *wanted: Any) -> None:
        """Demand this result; several values stand for a tuple of them.

        Raises:
            Unmet: the function gave something else, or raised.
        """
        self._judge(wanted[0] if len(wanted) == 1 else wanted)

    def raises(self, kind: type[Exception]) -> None:
        """Demand this exception.

        Raises:
            Unmet: the function gave a result, or raised another.
        """
        try:
            got = repr(self._function(*self._arguments))
        except kind:
            return
        except Exception as error:  # noqa: BLE001  whatever a learner's function raises
            got = _describe(error)
        raise Unmet(self._called(), got, kind.__name__)

    def _judge(self, wanted: Any) -> None:
        try:
            result = self._function(*self._arguments)
        except NotImplementedError:
            raise
        except Exception as error:
            raise Unmet(self._called(), _describe(error), repr(wanted)) from error
        # True == 1 in Python, but not in JSON.
        if result != wanted or type(result) is not type(wanted):
            raise Unmet(self._called(), repr(result), repr(wanted))

    def _called(self) -> str:
        name = getattr(self._function, "__name__", "answer")
        return f"{name}({', '.join(map(repr, self._arguments))})"


def expect(function: Callable[..., Any], *arguments: Any) -> Expectation:
    """Begin one line of a check.

    >>> expect(len, b"four").gives(4)
    """
    return Expectation(function, arguments)


def _describe(error: Exception) -> str:
    return strings.RAISED.format(kind=type(error).__name__, text=error)
