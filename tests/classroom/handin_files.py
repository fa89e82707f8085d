"""Hand-ins to test with, and how to write and grade them."""

import json

from rpclab.classroom import Limits, grade

EX = "ex04_split"
RIGHT = """def split_lines(rest, chunk):
    *lines, rest = (rest + chunk).split(b"\\n")
    return lines, rest
"""
HALF = """def split_lines(rest, chunk):
    pieces = (rest + chunk).split(b"\\n")
    return pieces[:1] if len(pieces) > 1 else [], pieces[-1]
"""
CHECK = f'check("{EX}", split_lines)'


def write_py(folder, learner, text, exercise=EX):
    path = folder / f"{learner}_{exercise}.py"
    path.write_text(text)
    return path


def write_notebook(path, *sources):
    cells = [{"cell_type": "code", "metadata": {}, "source": source} for source in sources]
    path.write_text(json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5}))


def grade_text(folder, text, limits=None):
    """Grade one Python file, and return its learner."""
    write_py(folder, "zoe", text)
    (learner,) = grade(folder, limits=limits or Limits(cell=1)).learners
    return learner
