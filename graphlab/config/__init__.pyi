# Written by tools/generate_index.py: do not edit.
from graphlab.config import experimental as experimental
from graphlab.config import optimizer as optimizer
from graphlab.config import threading as threading
from graphlab.eager.config import LogicalDevice as LogicalDevice
from graphlab.eager.config import LogicalDeviceConfiguration as LogicalDeviceConfiguration
from graphlab.eager.config import PhysicalDevice as PhysicalDevice
from graphlab.tracing.function import functions_run_eagerly as experimental_functions_run_eagerly
from graphlab.tracing.function import run_functions_eagerly as experimental_run_functions_eagerly
from graphlab.tracing.function import functions_run_eagerly as functions_run_eagerly
from graphlab.eager.config import get_logical_device_configuration as get_logical_device_configuration
from graphlab.eager.config import get_soft_device_placement as get_soft_device_placement
from graphlab.eager.config import get_visible_devices as get_visible_devices
from graphlab.eager.config import list_logical_devices as list_logical_devices
from graphlab.eager.config import list_physical_devices as list_physical_devices
from graphlab.tracing.function import run_functions_eagerly as run_functions_eagerly
from graphlab.eager.config import set_soft_device_placement as set_soft_device_placement
from graphlab.eager.config import set_visible_devices as set_visible_devices

__all__ = [
    "LogicalDevice",
    "LogicalDeviceConfiguration",
    "PhysicalDevice",
    "experimental",
    "experimental_functions_run_eagerly",
    "experimental_run_functions_eagerly",
    "functions_run_eagerly",
    "get_logical_device_configuration",
    "get_soft_device_placement",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "optimizer",
    "run_functions_eagerly",
    "set_soft_device_placement",
    "set_visible_devices",
    "threading",
]
