"""What all widgets share: a text twin, and faults that are shown."""

import functools
import html
from collections.abc import Callable
from typing import Any

import ipywidgets as w

from rpclab.widgets import strings


class Widget(w.VBox):
    """A box with a text twin, for readers without a kernel."""

    def __init__(self, *children: w.Widget) -> None:
        self._fault = w.HTML()
        super().__init__([*children, self._fault])

    def __repr__(self) -> str:
        """Say what stands here, where nothing can draw it."""
        return strings.WIDGET_TWIN.format(name=type(self).__name__)

    def guarded(self, act: Callable[..., Any]) -> Callable[..., None]:
        """Wrap what a click calls: a kernel would swallow its exception."""

        @functools.wraps(act)
        def callback(*arguments: Any) -> None:
            try:
                act(*arguments)
                self._fault.value = ""
            except Exception as error:  # noqa: BLE001  whatever it is, the learner must see it
                self._fault.value = html.escape(strings.WENT_WRONG.format(error=repr(error)))

        return callback
