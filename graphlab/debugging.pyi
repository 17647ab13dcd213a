# Written by tools/generate_index.py: do not edit.
from graphlab.ops.debugging import Assert as Assert
from graphlab.ops.debugging_signs import assert_all_finite as assert_all_finite
from graphlab.ops.debugging import assert_equal as assert_equal
from graphlab.ops.debugging import assert_greater as assert_greater
from graphlab.ops.debugging import assert_greater_equal as assert_greater_equal
from graphlab.ops.debugging_shapes import assert_integer as assert_integer
from graphlab.ops.debugging import assert_less as assert_less
from graphlab.ops.debugging import assert_less_equal as assert_less_equal
from graphlab.ops.debugging import assert_near as assert_near
from graphlab.ops.debugging_signs import assert_negative as assert_negative
from graphlab.ops.debugging_signs import assert_non_negative as assert_non_negative
from graphlab.ops.debugging_signs import assert_non_positive as assert_non_positive
from graphlab.ops.debugging import assert_none_equal as assert_none_equal
from graphlab.ops.debugging_signs import assert_positive as assert_positive
from graphlab.ops.debugging_shapes import assert_proper_iterable as assert_proper_iterable
from graphlab.ops.debugging_shapes import assert_rank as assert_rank
from graphlab.ops.debugging_shapes import assert_rank_at_least as assert_rank_at_least
from graphlab.ops.debugging_shapes import assert_rank_in as assert_rank_in
from graphlab.ops.debugging_shapes import assert_same_float_dtype as assert_same_float_dtype
from graphlab.ops.debugging_shapes import assert_scalar as assert_scalar
from graphlab.ops.debugging_shapes import assert_shapes as assert_shapes
from graphlab.ops.debugging_shapes import assert_type as assert_type
from graphlab.ops.array import check_numerics as check_numerics
from graphlab.ops.debugging_numerics import disable_check_numerics as disable_check_numerics
from graphlab.autograph.tracebacks import disable_traceback_filtering as disable_traceback_filtering
from graphlab.ops.debugging_numerics import enable_check_numerics as enable_check_numerics
from graphlab.autograph.tracebacks import enable_traceback_filtering as enable_traceback_filtering
from graphlab.ops.debugging_numerics import get_log_device_placement as get_log_device_placement
from graphlab.ops.debugging_signs import is_numeric_tensor as is_numeric_tensor
from graphlab.autograph.tracebacks import is_traceback_filtering_enabled as is_traceback_filtering_enabled
from graphlab.ops.debugging_numerics import set_log_device_placement as set_log_device_placement

__all__ = [
    "Assert",
    "assert_all_finite",
    "assert_equal",
    "assert_greater",
    "assert_greater_equal",
    "assert_integer",
    "assert_less",
    "assert_less_equal",
    "assert_near",
    "assert_negative",
    "assert_non_negative",
    "assert_non_positive",
    "assert_none_equal",
    "assert_positive",
    "assert_proper_iterable",
    "assert_rank",
    "assert_rank_at_least",
    "assert_rank_in",
    "assert_same_float_dtype",
    "assert_scalar",
    "assert_shapes",
    "assert_type",
    "check_numerics",
    "disable_check_numerics",
    "disable_traceback_filtering",
    "enable_check_numerics",
    "enable_traceback_filtering",
    "get_log_device_placement",
    "is_numeric_tensor",
    "is_traceback_filtering_enabled",
    "set_log_device_placement",
]
