# Written by tools/generate_index.py: do not edit.
from graphlab.tracing.trace_types import SupportsTracingProtocol as SupportsTracingProtocol
from graphlab.tracing.trace_types import TraceType as TraceType
from graphlab.tracing.trace_types import TracingContext as TracingContext

__all__ = [
    "SupportsTracingProtocol",
    "TraceType",
    "TracingContext",
]
