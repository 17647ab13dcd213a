"""Structured ops: calls, branches and loops whose bodies are graphs, their gradients, and what is made of them."""
