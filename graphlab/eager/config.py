"""``tf.config``, ``tf.device``: the devices there are (one CPU), and switches."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple

from graphlab.compile import threads
from graphlab.core import errors
from graphlab.core.device_spec import DeviceSpec, Placement, absent, refusal
from graphlab.core.export import public
from graphlab.core.state import state


@public("config.PhysicalDevice")
class PhysicalDevice(NamedTuple):
    """A device of this machine."""

    name: str
    device_type: str


@public("config.LogicalDevice")
class LogicalDevice(NamedTuple):
    """A device as programs address it."""

    name: str
    device_type: str


@public("config.LogicalDeviceConfiguration", "config.experimental.VirtualDeviceConfiguration")
class LogicalDeviceConfiguration(NamedTuple):
    """How a physical device is divided; the CPU is not."""

    memory_limit: int | None = None
    experimental_priority: int | None = None
    experimental_device_ordinal: int | None = None


_CPU = PhysicalDevice("/physical_device:CPU:0", "CPU")


@public("config.list_physical_devices", "config.experimental.list_physical_devices")
def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices of a type, or all: one CPU.

    >>> import graphlab as tf
    >>> tf.config.list_physical_devices("GPU")
    []
    """
    return [_CPU] if device_type in (None, "CPU") else []


@public("config.list_logical_devices", "config.experimental.list_logical_devices")
def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The devices of a type, or all, as programs address them."""
    return [LogicalDevice("/device:CPU:0", "CPU")] if device_type in (None, "CPU") else []


@public("config.get_visible_devices", "config.experimental.get_visible_devices")
def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices that programs see."""
    return list_physical_devices(device_type)


@public("config.set_visible_devices", "config.experimental.set_visible_devices")
def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Chooses the devices that programs see.  ValueError for a device that is not there."""
    for device_ in devices if isinstance(devices, (list, tuple)) else [devices]:
        if device_ not in list_physical_devices():
            raise ValueError(f"Unrecognized device: {device_!r}.")


@public("config.get_logical_device_configuration", "config.experimental.get_virtual_device_configuration")
def get_logical_device_configuration(device: PhysicalDevice) -> Any:
    """None: the CPU is not divided."""
    if device != _CPU:
        raise ValueError(f"Unrecognized device: {device!r}.")
    return None


@public("config.experimental.get_device_details")
def get_device_details(device: PhysicalDevice) -> dict[str, Any]:
    """Details of a GPU; empty for the CPU."""
    return {}


@public("config.experimental.get_memory_growth")
def get_memory_growth(device: PhysicalDevice) -> Any:
    """Memory growth is a setting of GPUs: ValueError."""
    raise ValueError(f"Cannot get memory growth of {device!r}: it is no GPU.")


@public("config.experimental.set_memory_growth")
def set_memory_growth(device: PhysicalDevice, enable: bool) -> None:
    """Memory growth is a setting of GPUs: ValueError."""
    raise ValueError(f"Cannot set memory growth of {device!r}: it is no GPU.")


@public("config.experimental.get_synchronous_execution")
def get_synchronous_execution() -> bool:
    """True: an op has run when its function returns."""
    return True


@public("config.experimental.set_synchronous_execution")
def set_synchronous_execution(enable: bool) -> None:
    """Execution is synchronous whatever is asked for; the results are the same."""


@public("config.experimental.enable_op_determinism")
def enable_op_determinism() -> None:
    """Every op is deterministic already, random ones given their seeds."""


@public("config.get_soft_device_placement")
def get_soft_device_placement() -> bool:
    """True if ops for a device that is not there run on the CPU."""
    return Placement.soft


@public("config.set_soft_device_placement")
def set_soft_device_placement(enabled: bool) -> None:
    """Chooses whether ops for a device that is not there run on the CPU (True) or fail."""
    Placement.soft = bool(enabled)


def _threads(num_threads: int) -> int:
    if num_threads < 0:
        raise ValueError(f"The number of threads cannot be negative: {num_threads}.")
    return int(num_threads)


@public("config.threading.get_inter_op_parallelism_threads")
def get_inter_op_parallelism_threads() -> int:
    """Threads for independent parts of a graph; 0 lets the runtime choose."""
    return threads.Settings.inter_op


@public("config.threading.set_inter_op_parallelism_threads")
def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Sets how many independent parts of a graph may run at once, for graphs that are compiled from now on.

    With 0 that is the number of processors if the linear algebra library uses one thread, else one.  Parts run at once
    only where the sizes known while tracing promise that it pays.  Results and the order of effects stay the same.

    Args:
      num_threads: the number, 1 for one after the other, 0 for the runtime's choice.

    Raises:
      ValueError: a negative number.

    >>> import graphlab as tf
    >>> tf.config.threading.set_inter_op_parallelism_threads(2)
    >>> tf.config.threading.get_inter_op_parallelism_threads()
    2
    >>> tf.config.threading.set_inter_op_parallelism_threads(0)
    """
    threads.Settings.inter_op = _threads(num_threads)


@public("config.threading.get_intra_op_parallelism_threads")
def get_intra_op_parallelism_threads() -> int:
    """Threads within an operation; 0 lets the linear algebra library choose."""
    return threads.Settings.intra_op


@public("config.threading.set_intra_op_parallelism_threads")
def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Sets how many threads a matrix product and what is made of it (convolutions, decompositions) may use.

    The linear algebra library that comes with NumPy's wheels (OpenBLAS) is told at once; another reads
    ``OMP_NUM_THREADS`` and the like before its first use, which are set where they are not set yet.  Everything else
    runs in one thread.

    Args:
      num_threads: the number; 0 leaves the library as it is.

    Raises:
      ValueError: a negative number.
    """
    count = threads.Settings.intra_op = _threads(num_threads)
    if count and not threads.set_algebra_threads(count):
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            os.environ.setdefault(name, str(count))


@public("device")
def device(device_name: Any) -> AbstractContextManager[None]:
    """Places the ops made inside on a device.  There is one, the CPU; other names go to it while soft placement is on.

    In a graph the name is kept: it is the ``device`` of the operations and of their results, merged with the names
    of ``with`` blocks around.  Bodies of branches and loops are inside too, traced functions that are called are not.

    Args:
      device_name: a name (``"/cpu:0"``, ``"/job:localhost/device:CPU:0"``), a ``tf.DeviceSpec``, or None, which ends
        what the blocks around say.

    Raises:
      ValueError: a name that is none.
      TypeError: in a graph, something else than a name.
      RuntimeError: a function; ``tf.Graph.device`` takes one.
      InvalidArgumentError: eagerly, a device that is not there: of another process, or none with soft placement off.
        In a graph, it is raised when that runs.

    >>> import graphlab as tf
    >>> with tf.device("/cpu:0"), tf.Graph().as_default():
    ...     print(repr(tf.constant(1).device))
    ''
    >>> with tf.Graph().as_default(), tf.device("/cpu:0"):
    ...     print(repr(tf.constant(1).device))
    '/device:CPU:0'
    """
    if callable(device_name):
        raise RuntimeError("tf.device does not take functions; tf.Graph.device does.")
    name = device_name.to_string() if isinstance(device_name, DeviceSpec) else device_name
    if state.graph is not None:
        return state.graph.device(name)  # type: ignore[no-any-return]
    return _eagerly(name.name if isinstance(name, LogicalDevice) else name)


@contextmanager
def _eagerly(name: Any) -> Iterator[None]:
    if name is not None and not isinstance(name, str):
        raise ValueError(f"A device is named by a string, not {name!r:.100}.")
    if name and absent(DeviceSpec.from_string(name)):
        raise errors.InvalidArgumentError(None, None, refusal(name))
    yield


@public("test.is_gpu_available")
def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: Any = None) -> bool:
    """False: graphlab computes on the CPU."""
    return False


@public("test.is_built_with_cuda")
def is_built_with_cuda() -> bool:
    """False."""
    return False


@public("test.gpu_device_name")
def gpu_device_name() -> str:
    """Empty: there is no GPU."""
    return ""
