"""Write the conformance cases of each clause into clauses.toml, from the cases.

    python tests/conformance/clause_cases.py

A case names its clause, and a clause lists its cases: this makes the lists from the
cases. A clause that has a case is not untestable, so its reason is removed. A test fails
if the file is out of date.
"""

import re
from collections import defaultdict
from pathlib import Path

from rpclab.conformance.cases import load_cases, load_client_cases

CLAUSES = Path(__file__).parents[2] / "rpclab" / "spec" / "clauses.toml"
_WIDTH = 88
_ROW = re.compile(
    r'^id = "(?P<id>[^"]+)"$(?P<between>.*?)^cases = \[.*?\]$\n^untestable = (?P<why>.*?)$',
    re.MULTILINE | re.DOTALL,
)


def cases_by_clause() -> dict[str, list[str]]:
    """Return the ids of the cases of each clause: servers first, then clients."""
    found: dict[str, list[str]] = defaultdict(list)
    for case in (*load_cases(), *load_client_cases()):
        found[case.clause].append(case.id)
    return found


def renewed(text: str) -> str:
    """Return the text of clauses.toml with the cases that name each clause."""
    cases = cases_by_clause()
    head, mark, rows = text.partition("[[clause]]")

    def row(found: re.Match[str]) -> str:
        ids = cases.get(found["id"], [])
        listed = ", ".join(f'"{id}"' for id in ids)
        if len(listed) > _WIDTH:
            listed = "".join(f'\n  "{id}",' for id in ids) + "\n"
        why = '""' if ids else found["why"]
        return f'id = "{found["id"]}"{found["between"]}cases = [{listed}]\nuntestable = {why}'

    return head + mark + _ROW.sub(row, rows)


if __name__ == "__main__":
    CLAUSES.write_text(renewed(CLAUSES.read_text("utf-8")), "utf-8")
