"""One table: what a message costs against a bare loop.

    python benchmarks/run.py            half a minute
    python benchmarks/run.py --quick    the same rows in a few seconds, less exact
    python benchmarks/run.py --json     for programs

Do not use the machine meanwhile. Ratios of two runs can be compared;
microseconds cannot.
"""

import gc
import json
import platform
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Annotated, Any

import typer
from growth import measure_growth
from measure import Measurement, measure_in_memory
from over_pipe import measure_ping_pong, measure_pipelined
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table
from start import measure_import
from workloads import IN_MEMORY


def list_steps(quick: bool) -> list[Callable[[], Measurement | list[Measurement]]]:
    """Return what there is to measure, in the order of the table."""
    rounds, many = (20, 100_000) if quick else (300, 1_000_000)
    return [
        *(partial(measure_in_memory, workload, rounds) for workload in IN_MEMORY),
        partial(measure_pipelined, rounds),
        partial(measure_ping_pong, rounds),
        partial(measure_growth, many),
        partial(measure_import, rounds // 10),
    ]


def measure_all(quick: bool) -> Iterator[Measurement]:
    """Yield each measurement, with progress on stderr."""
    gc.freeze()  # so that the objects of Rich and Typer do not count as a cost of messages
    steps = list_steps(quick)
    for step in track(steps, "Measuring", console=Console(stderr=True), transient=True):
        rows = step()
        yield from rows if isinstance(rows, list) else [rows]


def as_table(rows: list[Measurement]) -> Table:
    """Return the table for people. A figure with a sign is a difference."""
    title = f"A bare loop and rpclab, on Python {platform.python_version()}"
    table = Table(title=title, box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("what", min_width=13)
    for name in ("bare loop", "rpclab", "ratio", "at most"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("verdict")
    for row in rows:
        form = "+.1f" if row.by_difference else ".2f"
        table.add_row(
            row.name,
            f"{median(row.floors):.1f} {row.unit}",
            f"{median(row.ours):.1f} {row.unit}",
            format(row.figure, form),
            "" if row.most is None else format(row.most, form),
            row.verdict,
            style="bold red" if row.verdict == "missed" else None,
        )
    return table


def as_json(rows: list[Measurement]) -> str:
    """Return the table as JSON."""
    values: list[dict[str, Any]] = [
        {
            "name": row.name,
            "unit": row.unit,
            "floor": median(row.floors),
            "ours": median(row.ours),
            "figure": row.figure,
            "most": row.most,
            "verdict": row.verdict,
        }
        for row in rows
    ]
    return json.dumps(values, indent=2)


def main(
    quick: Annotated[bool, typer.Option("--quick", help="Fewer rounds, fewer messages.")] = False,
    as_data: Annotated[bool, typer.Option("--json", help="Print JSON, not a table.")] = False,
) -> None:
    """Measure what a message costs against a bare loop."""
    rows = list(measure_all(quick))
    if as_data:
        print(as_json(rows))
    else:
        Console().print(as_table(rows))


if __name__ == "__main__":
    typer.run(main)
