"""A question before the code runs. A prediction that fails is remembered."""

import ipywidgets as w

from rpclab.widgets.base_widget import Widget
from rpclab.widgets.html_parts import escape


class Prediction(Widget):
    """One question with two or three answers, all of about one length.

    Args:
        answers: what can be chosen.
        right: the answer that the next cell will show.
        because: one sentence, shown after an answer is chosen.
    """

    def __init__(self, answers: list[str], right: str, because: str) -> None:
        if right not in answers:
            raise ValueError(f"{right!r} is not one of the answers")
        self._right = right
        self._because = because
        self.answers = w.RadioButtons(options=answers, value=None, description="Your prediction")
        self.answers.style.description_width = "initial"
        self.answers.layout.width = "max-content"
        self.verdict = w.HTML(escape("Choose an answer, then run the next cell."))
        self.answers.observe(self.guarded(lambda change: self.choose(change.new)), "value")
        super().__init__(self.answers, self.verdict)
        self.answers.add_class("rpclab-answers")
        self.verdict.add_class("rpclab-verdict")

    def choose(self, answer: str) -> str:
        """Do what a click on an answer does, and return the verdict."""
        opening = "Right." if answer == self._right else "Not quite."
        verdict = f"{opening} {self._because}"
        self.answers.value = answer
        self.verdict.value = escape(verdict)
        return verdict

    def __repr__(self) -> str:
        """List the answers, for a reader without a kernel."""
        return "\n".join(f"( ) {answer}" for answer in self.answers.options)
