"""What ``check`` found, and how it is told."""

from dataclasses import dataclass

from rpclab.course import strings


@dataclass(frozen=True, slots=True)
class Outcome:
    """One demand, and whether the answer keeps it."""

    says: str
    verdict: str
    detail: str = ""


@dataclass(frozen=True, repr=False, slots=True)
class Report:
    """What ``check`` found."""

    exercise: str
    outcomes: tuple[Outcome, ...]
    refusal: str = ""
    notices: tuple[str, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether every demand was run and is kept."""
        return not self.refusal and all(one.verdict == strings.KEPT for one in self.outcomes)

    @property
    def failed(self) -> str:
        """The demand that failed, or nothing."""
        return next((one.says for one in self.outcomes if one.verdict == strings.BROKEN), "")

    def __repr__(self) -> str:
        """Say each demand with its verdict, and the details of the first that fails."""
        if self.refusal:
            return self.refusal
        count = sum(outcome.verdict == strings.KEPT for outcome in self.outcomes)
        lines = [
            strings.SUMMARY.format(exercise=self.exercise, kept=count, total=len(self.outcomes))
        ]
        for outcome in self.outcomes:
            lines.append(f"  {outcome.verdict:<{len(strings.NOT_RUN)}}  {outcome.says}")
            lines += [f"      {line}" for line in outcome.detail.splitlines()]
        ending = [strings.ALL_KEPT] if self.kept else []
        return "\n".join([*lines, *ending, *self.notices])
