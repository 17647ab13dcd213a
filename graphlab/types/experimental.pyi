# Written by tools/generate_index.py: do not edit.
from graphlab.tracing.public_types import AtomicFunction as AtomicFunction
from graphlab.tracing.public_types import Callable as Callable
from graphlab.tracing.concrete import ConcreteFunction as ConcreteFunction
from graphlab.tracing.function_type import FunctionType as FunctionType
from graphlab.tracing.function import Function as GenericFunction
from graphlab.tracing.function import Function as PolymorphicFunction
from graphlab.tracing.trace_types import SupportsTracingProtocol as SupportsTracingProtocol
from graphlab.tracing.public_types import TensorLike as TensorLike
from graphlab.tracing.trace_types import TraceType as TraceType
from graphlab.tracing.trace_types import TracingContext as TracingContext

__all__ = [
    "AtomicFunction",
    "Callable",
    "ConcreteFunction",
    "FunctionType",
    "GenericFunction",
    "PolymorphicFunction",
    "SupportsTracingProtocol",
    "TensorLike",
    "TraceType",
    "TracingContext",
]
