"""What all widgets share: words for readers without a kernel, and errors that are shown."""

import functools
from collections.abc import Callable
from typing import Any

import ipywidgets as w

from rpclab.widgets.html_parts import escape


class Widget(w.VBox):
    """A box of parts, with a text that stands for it where it cannot be drawn.

    ``fault`` is the part that shows what went wrong at the last click.
    """

    def __init__(self, *children: w.Widget) -> None:
        self.fault = w.HTML()
        super().__init__([*children, self.fault])

    def __repr__(self) -> str:
        """Say what is here and how to use it."""
        return describe(self)

    def guarded(self, act: Callable[..., Any]) -> Callable[..., None]:
        """Wrap what a click calls, so that its exception is shown: a kernel would hide it."""

        @functools.wraps(act)
        def callback(*arguments: Any) -> None:
            try:
                act(*arguments)
                self.fault.value = ""
            except Exception as error:  # noqa: BLE001  whatever it is, the learner must see it
                self.fault.value = escape(f"The widget failed ({error!r}). Run the cell again.")

        return callback


def describe(widget: object) -> str:
    """Return the text that stands for a widget where it cannot be drawn."""
    return f"{type(widget).__name__}: run this cell in JupyterLab to use it"


def wide() -> w.Layout:
    """Return the layout of a part that is as wide as the notebook."""
    return w.Layout(width="98%")
