"""AutoGraph: Python control flow that becomes part of a graph when tensors decide.

``convert`` takes a function and gives it back with ``if``, ``while``, ``for`` and so on replaced by operators that
look at
their values at run time.  The way: source → tree (``parsing``) → jumps out of constructs become values (``jumps``) →
what is
wanted where (``analysis``) → the converted tree (``converters``) → code under the user's file and lines
(``conversion``).
"""

from __future__ import annotations

from graphlab.autograph.api import note_off, status, why_not
from graphlab.autograph.conversion import convert
from graphlab.autograph.listing import CodeListing, code_listing
from graphlab.autograph.records import ConversionRecord, conversions
from graphlab.autograph.tracebacks import filtered
from graphlab.core.export import namespace as _namespace

__getattr__, __dir__ = _namespace(__name__)  # tf.autograph.to_code and the like

__all__ = [
    "CodeListing",
    "ConversionRecord",
    "code_listing",
    "conversions",
    "convert",
    "filtered",
    "note_off",
    "status",
    "why_not",
]
