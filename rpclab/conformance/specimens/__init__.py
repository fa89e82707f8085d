"""The specimens: servers and clients with one defect each, made to be caught.

docs/conformance.md has the form of their header.
"""

import ast
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rpclab.spec import clause

FOLDER: Final = Path(__file__).parent
_FIELDS: Final = frozenset({"breaks", "caught by", "report", "framing", "profile"})


@dataclass(frozen=True, slots=True)
class Specimen:
    """A program with one defect.

    ``role`` is ``server`` or ``client``. ``caught_by`` are cases of the clause
    that it ``breaks``.
    """

    id: str
    role: str
    path: Path
    says: str
    breaks: str
    caught_by: tuple[str, ...]
    report: str
    framing: str = "newline"
    profile: str = "core"

    @property
    def command(self) -> list[str]:
        """The command that runs it."""
        return [sys.executable, "-I", "-S", str(self.path)]


def read_specimen(path: Path) -> Specimen:
    """Read one file's header.

    Raises:
        ValueError: the header is not complete; the text says why.
        LookupError: the clause is not there.
    """
    says, _, rest = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").partition("\n\n")
    pairs = (line.partition(": ") for line in rest.splitlines() if line)
    fields = {name.strip(): value.strip() for name, _, value in pairs}
    if (
        not says
        or fields.keys() - _FIELDS
        or not fields.keys() >= {"breaks", "caught by", "report"}
    ):
        raise ValueError(f"{path.name}: a sentence, and then breaks, caught by and report")
    return Specimen(
        id=path.stem.replace("_", "-"),
        role=path.parent.name.removesuffix("s"),
        path=path,
        says=says,
        breaks=clause(fields["breaks"]).id,
        caught_by=tuple(fields["caught by"].replace(",", " ").split()),
        report=fields["report"],
        framing=fields.get("framing", "newline"),
        profile=fields.get("profile", "core"),
    )


def specimens(folder: Path = FOLDER) -> tuple[Specimen, ...]:
    """Give every specimen, servers first."""
    paths = [*sorted(folder.glob("servers/*.py")), *sorted(folder.glob("clients/*.py"))]
    return tuple(read_specimen(path) for path in paths if path.stem != "__init__")
