"""The real source, shown in a notebook. It is read from the file, never pasted."""

import inspect
import textwrap
from typing import Any


class Listing:
    """The source of a module, class or function."""

    def __init__(self, name: str, source: str) -> None:
        self._name = name
        self._source = source

    def __repr__(self) -> str:
        """Return the source as it is in the file, under the name of the thing."""
        return f"# {self._name}\n{self._source}"

    def _repr_markdown_(self) -> str:
        return f"```python\n{self!r}\n```"


def show_source(thing: Any) -> Listing:
    """Show the source of a module, class or function of rpclab.

    >>> from rpclab.dispatch import pack
    >>> show_source(pack)  # doctest: +ELLIPSIS
    # rpclab.dispatch.pack
    def pack(replies: list[str]) -> str | None:
    ...
    """
    where = thing.__name__ if inspect.ismodule(thing) else f"{thing.__module__}.{thing.__name__}"
    return Listing(where, textwrap.dedent(inspect.getsource(thing)).rstrip())
