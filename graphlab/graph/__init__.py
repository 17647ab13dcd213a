"""Graphs: operations with names, positions and an order of effects, built by tracing."""
