# Written by tools/generate_index.py: do not edit.
from graphlab.eager.config import gpu_device_name as gpu_device_name
from graphlab.eager.config import is_built_with_cuda as is_built_with_cuda
from graphlab.eager.config import is_gpu_available as is_gpu_available

__all__ = [
    "gpu_device_name",
    "is_built_with_cuda",
    "is_gpu_available",
]
