"""The likely mistakes: what was probably meant, and what to do about it.

``catalogue`` lists them all: a rule that finds one names it by its id. ``broken_json``
names the one behind a fault in JSON's grammar.
"""

from rpclab.explain.mistakes.catalogue import MISTAKES, Advice, likeliest_first, mistake

__all__ = ["MISTAKES", "Advice", "likeliest_first", "mistake"]
