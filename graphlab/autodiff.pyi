# Written by tools/generate_index.py: do not edit.
from graphlab.eager.forward import ForwardAccumulator as ForwardAccumulator
from graphlab.eager.tape import GradientTape as GradientTape

__all__ = [
    "ForwardAccumulator",
    "GradientTape",
]
