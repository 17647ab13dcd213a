"""Structured ops: calls, branches and loops whose bodies are graphs, with their gradients, and what is composed of them."""
