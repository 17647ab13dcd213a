# Written by tools/generate_index.py: do not edit.
from graphlab.ops.unary import sigmoid as sigmoid
from graphlab.ops.unary import softplus as softplus
from graphlab.ops.unary import softsign as softsign
from graphlab.ops.unary import tanh as tanh

__all__ = [
    "sigmoid",
    "softplus",
    "softsign",
    "tanh",
]
