"""Texts that are public behaviour: repr, str and format of tensors, variables, specs, shapes and functions."""
