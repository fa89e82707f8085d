"""``expect(function, arguments).gives(wanted)``: what every check is made of.

It knows what was called, what came and what was wanted, so that a learner
never meets a bare traceback.
"""

import re
from collections.abc import Callable
from typing import Any, Final

from rpclab.course import strings
from rpclab.course.time_limit import TooSlow

_SHOWN: Final = 400
_ADDRESS: Final = re.compile(
    r"<(?:function |bound method )?(?:\w+\.<locals>\.)*(<lambda>|[^<>]+?)(?: object)? at 0x\w+>"
)


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
        name = getattr(function, "__name__", "answer")
        # Now, since the function may change what it is given.
        self._called = f"{name}({', '.join(map(show, arguments))})"

    def gives(self, *wanted: Any) -> None:
        """Demand this result; several values stand for a tuple of them.

        Raises:
            Unmet: the function gave something else, or raised.
        """
        whole = wanted[0] if len(wanted) == 1 else wanted
        result = self.result(show(whole))
        demand(same(result, whole), self._called, result, show(whole))

    def raises(self, kind: type[Exception]) -> None:
        """Demand this exception.

        Raises:
            Unmet: the function gave a result, or raised another.
        """
        try:
            got = show(self._function(*self._arguments))
        except kind:
            return
        except NotImplementedError:
            raise
        except (Exception, SystemExit, TooSlow) as error:  # noqa: BLE001  whatever it raises
            got = describe(error)
        raise Unmet(self._called, got, kind.__name__)

    def result(self, wanted: str) -> Any:
        """Give the result, to be judged elsewhere.

        Raises:
            Unmet: the function raised; ``wanted`` says what it was to do instead.
        """
        try:
            return self._function(*self._arguments)
        except NotImplementedError:
            raise
        except (Exception, SystemExit, TooSlow) as error:
            raise Unmet(self._called, describe(error), wanted) from error


def expect(function: Callable[..., Any], *arguments: Any) -> Expectation:
    """Begin one line of a check.

    >>> expect(len, b"four").gives(4)
    """
    return Expectation(function, arguments)


def demand(kept: bool, called: str, got: Any, wanted: str) -> None:
    """Demand anything at all, with the same three lines for the learner.

    Raises:
        Unmet: it is not kept.
    """
    if not kept:
        raise Unmet(called, show(got), wanted)


def same(one: Any, other: Any) -> bool:
    """Tell whether two values are equal, also in type: True is not 1 in JSON.

    >>> same({"id": 1}, {"id": 1}), same([True], [1])
    (True, False)
    """
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def show(value: Any) -> str:
    """Write a value as Python does, without addresses, and cut what is long.

    >>> show([show, 1])
    '[show, 1]'
    >>> show("a" * 9999)[-30:]
    'aaaaaaaaaaaaaaaaaa … 9601 more'
    """
    text = _ADDRESS.sub(r"\1", repr(value))
    more = len(text) - _SHOWN
    return text if more <= 0 else strings.CUT.format(text=text[:_SHOWN], count=more)


def describe(error: BaseException) -> str:
    """Say what was raised, without a traceback."""
    if isinstance(error, TooSlow):
        return strings.TOO_SLOW
    return strings.RAISED.format(kind=type(error).__name__, text=error)
