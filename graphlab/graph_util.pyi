# Written by tools/generate_index.py: do not edit.
from graphlab.graph.import_graph import import_graph_def as import_graph_def

__all__ = [
    "import_graph_def",
]
