"""What exercise 14 must do."""

from collections.abc import Callable

from rpclab.course import expect

Owner = Callable[[int], str]


def check_five_codes_are_defined(name_owner: Owner) -> None:
    """Five codes have a meaning."""
    for code in (-32700, -32600, -32601, -32602, -32603):
        expect(name_owner, code).gives("defined")


def check_a_server_has_a_hundred(name_owner: Owner) -> None:
    """The range of servers has both its ends."""
    for code in (-32099, -32050, -32000):
        expect(name_owner, code).gives("server")


def check_the_rest_is_kept_for_later(name_owner: Owner) -> None:
    """What else is in the reserved range has no meaning yet."""
    for code in (-32768, -32604, -32599, -32100):
        expect(name_owner, code).gives("reserved")


def check_positive_codes_are_the_applications(name_owner: Owner) -> None:
    """Zero and positive codes belong to applications."""
    for code in (0, 1, 1001, 32700):
        expect(name_owner, code).gives("application")


def check_so_are_other_negative_ones(name_owner: Owner) -> None:
    """So do negative codes on either side of the range."""
    for code in (-1, -31999, -32769, -99999):
        expect(name_owner, code).gives("application")
