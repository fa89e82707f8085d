"""A question before the code runs. A prediction that fails is remembered."""

import html

import ipywidgets as w

from rpclab.widgets import strings
from rpclab.widgets.base import Widget


class Prediction(Widget):
    """One question with two or three answers, all of about one length.

    Args:
        answers: what can be chosen.
        right: the answer that the next cell will show.
        because: one sentence, shown once something was chosen.
    """

    def __init__(self, answers: list[str], right: str, because: str) -> None:
        if right not in answers:
            raise ValueError(f"{right!r} is none of the answers")
        self._right = right
        self._because = because
        self._choice = w.RadioButtons(options=answers, value=None, description=strings.GUESS)
        self._choice.style.description_width = "initial"
        self._choice.layout.width = "max-content"
        self._verdict = w.HTML(strings.NOT_CHOSEN)
        self._choice.observe(self.guarded(lambda change: self.choose(change.new)), "value")
        super().__init__(self._choice, self._verdict)
        self._choice.add_class("rpclab-answers")
        self._verdict.add_class("rpclab-verdict")

    def choose(self, answer: str) -> str:
        """Do what a click on an answer does, and give the verdict."""
        opening = strings.RIGHT if answer == self._right else strings.NOT_QUITE
        verdict = f"{opening} {self._because}"
        self._choice.value = answer
        self._verdict.value = html.escape(verdict)
        return verdict

    def __repr__(self) -> str:
        """List the answers, for a reader without a kernel."""
        return "\n".join(f"( ) {answer}" for answer in self._choice.options)
