"""Nodes of graphs: the names, ops and inputs that `as_graph_def()` shows for small functions."""
