"""``expect(function, arguments).gives(wanted)``: what every check is made of.

It knows what was called, what was returned and what was wanted, so that a
learner never sees a bare traceback.
"""

import re
from collections.abc import Callable
from typing import Any, Final

from rpclab.course.time_limit import TooSlow

SILENCE: Final = "silence"
TOO_SLOW: Final = "nothing, in all the time that it had: does it end?"

_SHOWN: Final = 400
_ADDRESS: Final = re.compile(
    r"<(?:function |bound method )?(?:\w+\.<locals>\.)*(<lambda>|[^<>]+?)(?: object)? at 0x\w+>"
)


class Unmet(Exception):
    """A demand is not met. The text says called, got and wanted."""

    def __init__(self, called: str, got: str, wanted: str) -> None:
        super().__init__(f"called  {called}\ngot     {got}\nwanted  {wanted}")


class Expectation:
    """A call whose result is about to be checked."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._function = function
        self._arguments = arguments
        name = getattr(function, "__name__", "answer")
        # Written now, because the function may change its arguments.
        self._called = f"{name}({', '.join(map(show, arguments))})"

    def gives(self, *wanted: Any) -> None:
        """Demand this result; several values mean a tuple of them.

        Raises:
            Unmet: the function returned something else, or raised.
        """
        whole = wanted[0] if len(wanted) == 1 else wanted
        result = self.result(show(whole))
        demand(same(result, whole), self._called, result, show(whole))

    def raises(self, kind: type[Exception]) -> None:
        """Demand this exception.

        Raises:
            Unmet: the function returned, or raised another exception.
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
        """Return the result, to be checked by the caller.

        Raises:
            Unmet: the function raised; ``wanted`` says what it should have done.
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
    """Demand any condition, with the same three lines for the learner.

    Raises:
        Unmet: the condition is false.
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


class Unquoted(str):
    """Text that ``show`` writes without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def show(value: Any) -> str:
    """Write a value as Python does, without addresses, and cut it if it is long.

    >>> show([show, 1])
    '[show, 1]'
    >>> show("a" * 9999)[-30:]
    'aaaaaaaaaaaaaaaaaa … 9601 more'
    """
    text = _ADDRESS.sub(r"\1", repr(value))
    more = len(text) - _SHOWN
    return text if more <= 0 else f"{text[:_SHOWN]} … {more} more"


def describe(error: BaseException) -> str:
    """Say what was raised, without a traceback."""
    if isinstance(error, TooSlow):
        return TOO_SLOW
    return f"{type(error).__name__}: {error}"
