"""What ``import rpclab`` adds to the start of Python."""

import os
import subprocess
import sys
from time import perf_counter

from measure import Measurement, take_turns


def time_python(program: str) -> float:
    """Return the milliseconds that a Python program takes from start to end."""
    # If bytecode is not kept, every start also pays for the compiler.
    keeping = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}
    start = perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True, env=keeping)
    return (perf_counter() - start) * 1e3


def measure_import(rounds: int) -> Measurement:
    """Measure Python's start with the import and without."""
    time_python("import rpclab")  # compiles it, if that was not done yet
    taken = take_turns(lambda: time_python("pass"), lambda: time_python("import rpclab"), rounds)
    return Measurement("Python, with import rpclab", "ms", *taken, 25.0, by_difference=True)
