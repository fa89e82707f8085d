"""What exercise 25 must do."""

from collections.abc import Callable, Iterator

from rpclab.course import demand, expect
from rpclab.peer.call_context import RequestCancelled

AddUp = Callable[[Iterator[int], Callable[[], bool]], int]


def never() -> bool:
    """Say that the call was not cancelled."""
    return False


def always() -> bool:
    """Say that it was cancelled before it began."""
    return True


def stop_after(add_up: AddUp, count: int) -> list[int]:
    """Cancel once so many numbers were taken, and return those that were."""
    taken: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(1, 100):
            taken.append(number)
            yield number

    def cancelled() -> bool:
        return len(taken) >= count

    expect(add_up, numbers(), cancelled).raises(RequestCancelled)
    return taken


def check_the_sum(add_up: AddUp) -> None:
    """Nobody cancels: it returns the sum."""
    expect(add_up, iter([1, 2, 3]), never).gives(6)


def check_numbers_may_be_nought(add_up: AddUp) -> None:
    """A zero ends nothing, and no numbers make a sum of 0."""
    expect(add_up, iter([0, 0, 5]), never).gives(5)
    expect(add_up, iter([]), never).gives(0)


def check_it_says_that_it_was_cancelled(add_up: AddUp) -> None:
    """It raises RequestCancelled, and no sum comes."""
    expect(add_up, iter([1, 2, 3]), always).raises(RequestCancelled)


def check_it_takes_no_more(add_up: AddUp) -> None:
    """Cancelled after three numbers, it has taken three."""
    taken = stop_after(add_up, 3)
    demand(len(taken) == 3, "add_up, cancelled after the third number", taken, "[1, 2, 3]")


def check_it_asks_first(add_up: AddUp) -> None:
    """Cancelled before it begins, it takes none."""
    taken = stop_after(add_up, 0)
    demand(not taken, "add_up, cancelled before it began", taken, "[]")
