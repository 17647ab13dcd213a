# Written by tools/generate_index.py: do not edit.
from graphlab.eager.config import LogicalDeviceConfiguration as VirtualDeviceConfiguration
from graphlab.eager.config import enable_op_determinism as enable_op_determinism
from graphlab.eager.config import get_device_details as get_device_details
from graphlab.eager.config import get_memory_growth as get_memory_growth
from graphlab.eager.config import get_synchronous_execution as get_synchronous_execution
from graphlab.eager.config import get_logical_device_configuration as get_virtual_device_configuration
from graphlab.eager.config import get_visible_devices as get_visible_devices
from graphlab.eager.config import list_logical_devices as list_logical_devices
from graphlab.eager.config import list_physical_devices as list_physical_devices
from graphlab.eager.config import set_memory_growth as set_memory_growth
from graphlab.eager.config import set_synchronous_execution as set_synchronous_execution
from graphlab.eager.config import set_visible_devices as set_visible_devices

__all__ = [
    "VirtualDeviceConfiguration",
    "enable_op_determinism",
    "get_device_details",
    "get_memory_growth",
    "get_synchronous_execution",
    "get_virtual_device_configuration",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "set_memory_growth",
    "set_synchronous_execution",
    "set_visible_devices",
]
