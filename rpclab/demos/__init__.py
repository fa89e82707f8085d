"""Things to try and watch: demo server, console, orderings, deadlocks.

``rpclab serve`` starts from here, so each name is loaded when it is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rpclab.demos.console import Console, Exchange, name_shape, read_codes
    from rpclab.demos.demo_server import demo_handler
    from rpclab.demos.orderings import Ordering, try_order
    from rpclab.demos.two_lanes import LaneEntry, show_call, simulate_call
    from rpclab.demos.virtual_clock import VirtualLoop, run

__all__ = [
    "Console",
    "Exchange",
    "LaneEntry",
    "Ordering",
    "VirtualLoop",
    "demo_handler",
    "name_shape",
    "read_codes",
    "run",
    "show_call",
    "simulate_call",
    "try_order",
]

_MODULES: Final = {
    "Console": "console",
    "Exchange": "console",
    "LaneEntry": "two_lanes",
    "Ordering": "orderings",
    "VirtualLoop": "virtual_clock",
    "demo_handler": "demo_server",
    "name_shape": "console",
    "read_codes": "console",
    "run": "virtual_clock",
    "show_call": "two_lanes",
    "simulate_call": "two_lanes",
    "try_order": "orderings",
}


def __getattr__(name: str) -> Any:
    """Load the module that defines a public name."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    """List the names that are not loaded yet, too."""
    return sorted({*globals(), *__all__})
