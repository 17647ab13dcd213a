"""``tf.DeviceSpec``: the parts of a device's name, and which devices there are."""

from __future__ import annotations

from typing import Any

from graphlab.core.export import public

_TYPES = ("CPU", "GPU", "TPU", "CUSTOM")
_FIELDS = ("job", "replica", "task", "device_type", "device_index")


@public("DeviceSpec")
class DeviceSpec:
    """Which device is meant, in whole or in part.

    Args:
      job: the name of a job, or None for any.
      replica: the number of a replica.
      task: the number of a task.
      device_type: ``"CPU"`` or ``"GPU"``.
      device_index: the number of the device.

    >>> import graphlab as tf
    >>> tf.DeviceSpec(job="worker", device_type="CPU", device_index=0).to_string()
    '/job:worker/device:CPU:0'
    """

    __slots__ = ("_device_index", "_device_type", "_job", "_replica", "_task")

    def __init__(
        self,
        job: str | None = None,
        replica: int | None = None,
        task: int | None = None,
        device_type: str | None = None,
        device_index: int | None = None,
    ) -> None:
        self._job = None if job is None else str(job)
        self._replica = None if replica is None else int(replica)
        self._task = None if task is None else int(task)
        kind = None if device_type is None else str(device_type)
        self._device_type = kind.upper() if kind in ("cpu", "gpu") else kind
        self._device_index = None if device_index is None else int(device_index)

    @property
    def job(self) -> str | None:
        """The name of the job."""
        return self._job

    @property
    def replica(self) -> int | None:
        """The number of the replica."""
        return self._replica

    @property
    def task(self) -> int | None:
        """The number of the task."""
        return self._task

    @property
    def device_type(self) -> str | None:
        """The type: ``"CPU"`` or ``"GPU"``."""
        return self._device_type

    @property
    def device_index(self) -> int | None:
        """The number of the device among those of its type."""
        return self._device_index

    @classmethod
    def from_string(cls, spec: str) -> DeviceSpec:
        """The spec that a name says.

        Args:
          spec: for instance ``"/job:worker/replica:0/task:1/device:CPU:0"`` or ``"/gpu:0"``; a ``*`` is for any.

        Raises:
          ValueError: for an unknown part, or a number that is none.
        """
        found: dict[str, Any] = {}
        placed = False
        for part in spec.split("/"):
            words = part.split(":")
            name, rest = words[0], words[1:]
            if name in ("job", "replica", "task") and len(words) == 2:
                if name == "job":
                    found[name] = rest[0]
                elif rest[0] != "*":
                    found[name] = int(rest[0])
            elif not name and len(words) <= 2:
                continue
            elif (name.upper() in _TYPES and len(words) <= 2) or (name == "device" and len(words) == 3):
                if placed:
                    raise ValueError(f"Multiple device types are not allowed while parsing the device spec: '{spec}'.")
                placed = True
                if name == "device":
                    found |= _device(rest[0], rest[1:], spec)
                else:
                    found |= _device(name.upper(), rest, spec)
            else:
                raise ValueError(f"Unknown attribute '{name}' is encountered while parsing the device spec: '{spec}'.")
        return cls(**found)

    def parse_from_string(self, spec: str) -> DeviceSpec:
        """As ``from_string``."""
        return self.from_string(spec)

    def to_string(self) -> str:
        """The name, with those parts that are known."""
        parts = [(name, getattr(self, name)) for name in ("job", "replica", "task")]
        text = "".join(f"/{name}:{value}" for name, value in parts if value is not None)
        if self._device_type is not None:
            text += f"/device:{self._device_type}:{'*' if self._device_index is None else self._device_index}"
        return text

    def replace(self, **kwargs: Any) -> DeviceSpec:
        """The same spec with other parts."""
        return type(self)(**{name: kwargs.get(name, getattr(self, name)) for name in _FIELDS})

    def make_merged_spec(self, dev: DeviceSpec) -> DeviceSpec:
        """The parts of ``dev``, and where it has none those of this spec."""
        other = {name: getattr(dev, name) for name in _FIELDS}
        return self.replace(**{name: value for name, value in other.items() if value is not None})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeviceSpec) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())

    def __repr__(self) -> str:
        return f"<DeviceSpec({', '.join(f'{name}={getattr(self, name)}' for name in _FIELDS)})>"


def _device(kind: str, index: list[str], spec: str) -> dict[str, Any]:
    found: dict[str, Any] = {"device_type": kind}
    if index and index[0] != "*":
        try:
            found["device_index"] = int(index[0])
        except ValueError:
            raise ValueError(f"The device {index[0]!r} is no number: '{spec}'.") from None
    return found


class Placement:
    """Whether ops go to the CPU when another device is asked for, and whether any graph ever asked for one."""

    soft = True
    asked = False


def absent(spec: DeviceSpec) -> bool:
    """Whether there is no such device: another process, or (without soft placement) another one than the first CPU."""
    if spec.job not in (None, "localhost") or spec.replica not in (None, 0) or spec.task not in (None, 0):
        return True
    if spec.device_index is not None and spec.device_index < 0:
        return True
    return not Placement.soft and (spec.device_type not in (None, "CPU") or spec.device_index not in (None, 0))


def refusal(name: str) -> str:
    """What is wrong with a device that is not there."""
    here = "/job:localhost/replica:0/task:0/device:CPU:0"
    return f"Could not satisfy device specification {name!r}: the only device is {here}."
