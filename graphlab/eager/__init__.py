"""Running now: gradient tapes, variables, modules."""
