# Written by tools/generate_index.py: do not edit.
from graphlab.core.shape import Dimension as Dimension
from graphlab.graph.graphdef import GraphDef as GraphDef
from graphlab.ops.sorting import setdiff1d as setdiff1d

__all__ = [
    "Dimension",
    "GraphDef",
    "setdiff1d",
]
