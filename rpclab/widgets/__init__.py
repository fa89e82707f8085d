"""What people see and touch in a notebook: thin views over public methods.

Each widget has a method that does what its button does. Notebooks and tests
call that, and a reader without a kernel sees the text that it returns. The parts
of a widget (its fields, its buttons, what it shows) are public attributes.
"""

from rpclab.widgets.batch_builder import BatchBuilder
from rpclab.widgets.byte_ruler import ByteRuler
from rpclab.widgets.chunk_slider import ChunkSlider, cut_stream
from rpclab.widgets.clause_browser import ClauseBrowser
from rpclab.widgets.dashboard import Dashboard
from rpclab.widgets.envelope_builder import EnvelopeBuilder
from rpclab.widgets.error_designer import ErrorDesigner
from rpclab.widgets.explorer import Explorer, LineExplorer
from rpclab.widgets.method_caller import MethodCaller
from rpclab.widgets.prediction import Prediction
from rpclab.widgets.report_grid import ReportGrid
from rpclab.widgets.shape_tree import ShapeTree, draw_tree
from rpclab.widgets.theatre import Theatre
from rpclab.widgets.wire_console import WireConsole

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
