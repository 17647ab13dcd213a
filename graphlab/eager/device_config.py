"""``tf.config.experimental`` of memory and precision: what one CPU has of it."""

from __future__ import annotations

import re
from typing import Any

from graphlab.core.export import public

_POLICIES = ("default", "warn", "explicit", "silent", "silent_for_int32")


class _Settings:
    policy = "silent"
    tensor_float_32 = True


def _check_device(device: Any) -> None:
    text = str(device)
    if not re.fullmatch(r"(/device:)?[A-Za-z_]+:\d+", text):
        raise ValueError(
            f"Failed parsing device name: '{text}'. Note a valid device string should at least contain a device type "
            'and a device index, like "GPU:0".'
        )
    if text.removeprefix("/device:").upper() != "CPU:0":
        raise ValueError(f"No matching devices found for '{text}': there is only CPU:0.")


@public("config.experimental.get_memory_info")
def get_memory_info(device: str) -> dict[str, int]:
    """The memory that a device's allocator has given out, which counts nothing on a CPU.

    Args:
      device: the device's name, ``"CPU:0"``.

    Returns:
      A dict with ``"current"`` and ``"peak"``, both 0 as in TensorFlow.

    Raises:
      ValueError: no such device.

    >>> import graphlab as tf
    >>> tf.config.experimental.get_memory_info("CPU:0")
    {'current': 0, 'peak': 0}
    """
    _check_device(device)
    return {"current": 0, "peak": 0}


@public("config.experimental.get_memory_usage")
def get_memory_usage(device: str) -> int:
    """The memory that a device's allocator has given out: 0 for the CPU.

    Raises:
      ValueError: no such device.
    """
    _check_device(device)
    return 0


@public("config.experimental.reset_memory_stats")
def reset_memory_stats(device: str) -> None:
    """Begins to look for the peak anew: on the CPU there is none.

    Raises:
      ValueError: no such device.
    """
    _check_device(device)


@public("config.experimental.get_device_policy")
def get_device_policy() -> str:
    """What is done when an op's inputs are on another device: ``"silent"``, they are copied."""
    return _Settings.policy


@public("config.experimental.set_device_policy")
def set_device_policy(device_policy: str | None) -> None:
    """Chooses what is done when an op's inputs are on another device, which never happens with one.

    Args:
      device_policy: ``"warn"``, ``"explicit"``, ``"silent"``, ``"silent_for_int32"`` or None for the default.

    Raises:
      ValueError: for another word.
    """
    if device_policy not in (None, *_POLICIES):
        raise ValueError(f"Invalid argument `device_policy`: {device_policy!r}. It is one of {', '.join(_POLICIES)}.")
    _Settings.policy = "silent" if device_policy in (None, "default") else device_policy


@public("config.experimental.tensor_float_32_execution_enabled")
def tensor_float_32_execution_enabled() -> bool:
    """Whether GPUs may multiply float32 with fewer bits; the CPU never does."""
    return _Settings.tensor_float_32


@public("config.experimental.enable_tensor_float_32_execution")
def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Chooses whether GPUs may multiply float32 with fewer bits; the CPU never does."""
    _Settings.tensor_float_32 = bool(enabled)


@public("config.experimental.enable_mlir_bridge")
def enable_mlir_bridge() -> None:
    """Does nothing: it chooses between two ways of TensorFlow's compiler for accelerators."""


@public("config.experimental.disable_mlir_bridge")
def disable_mlir_bridge() -> None:
    """Does nothing: it chooses between two ways of TensorFlow's compiler for accelerators."""
