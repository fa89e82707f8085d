"""What people see and touch in a notebook: thin views over public methods.

Each widget has a method that does what its button does. Notebooks and tests
call that, and a reader without a kernel sees the text that it gives.
"""

from rpclab.widgets.batches import BatchBuilder
from rpclab.widgets.caller import MethodCaller
from rpclab.widgets.chunks import ChunkSlider, cut_stream
from rpclab.widgets.clauses import ClauseBrowser
from rpclab.widgets.dashboard import Dashboard
from rpclab.widgets.designer import ErrorDesigner
from rpclab.widgets.envelope import EnvelopeBuilder
from rpclab.widgets.explorer import Explorer, LineExplorer
from rpclab.widgets.prediction import Prediction
from rpclab.widgets.report import ReportGrid
from rpclab.widgets.ruler import ByteRuler
from rpclab.widgets.theatre import Theatre
from rpclab.widgets.tree import ShapeTree, draw_tree
from rpclab.widgets.wire import WireConsole

__all__ = [
    "BatchBuilder",
    "ByteRuler",
    "ChunkSlider",
    "ClauseBrowser",
    "Dashboard",
    "EnvelopeBuilder",
    "ErrorDesigner",
    "Explorer",
    "LineExplorer",
    "MethodCaller",
    "Prediction",
    "ReportGrid",
    "ShapeTree",
    "Theatre",
    "WireConsole",
    "cut_stream",
    "draw_tree",
]
