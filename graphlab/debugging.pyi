# Written by tools/generate_index.py: do not edit.
from graphlab.ops.array import check_numerics as check_numerics
from graphlab.autograph.tracebacks import disable_traceback_filtering as disable_traceback_filtering
from graphlab.autograph.tracebacks import enable_traceback_filtering as enable_traceback_filtering
from graphlab.autograph.tracebacks import is_traceback_filtering_enabled as is_traceback_filtering_enabled

__all__ = [
    "check_numerics",
    "disable_traceback_filtering",
    "enable_traceback_filtering",
    "is_traceback_filtering_enabled",
]
