"""What people see and touch in a notebook: thin views over public methods.

Each widget has a method that does what its button does. Notebooks and tests
call that, and a reader without a kernel sees the text that it gives.
"""

from rpclab.widgets.prediction import Prediction
from rpclab.widgets.tree import ShapeTree, draw_tree
from rpclab.widgets.wire import WireConsole

__all__ = ["Prediction", "ShapeTree", "WireConsole", "draw_tree"]
