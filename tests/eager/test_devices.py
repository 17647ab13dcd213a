"""Names of devices, their memory, and what only TensorFlow's binaries can do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import graphlab as tf

NAMES = {  # a name, and how it is written in full
    "/job:w/device:GPU:*": "/job:w/device:GPU:*",
    "/gpu:1": "/device:GPU:1",
    "cpu:0": "/device:CPU:0",
    "/job:ps/replica:1/task:2/cpu:0": "/job:ps/replica:1/task:2/device:CPU:0",
    "/job:a/job:b": "/job:b",
    "/device:XPU:3": "/device:XPU:3",
    "/task:*": "",
    "": "",
}


@pytest.mark.parametrize(("text", "full"), NAMES.items())
def test_device_names(text: str, full: str) -> None:
    spec = tf.DeviceSpec.from_string(text)
    assert spec.to_string() == full
    assert tf.DeviceSpec().parse_from_string(full) == spec
    assert hash(tf.DeviceSpec.from_string(full)) == hash(spec)


@pytest.mark.parametrize("text", ["foo", "/task:x", "/cpu:x", "/device:CPU:0:1"])
def test_names_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"Unknown attribute|invalid literal|is no number"):
        tf.DeviceSpec.from_string(text)


def test_parts_of_a_device_spec() -> None:
    spec = tf.DeviceSpec(job="ps", replica=1, task="2", device_type="cpu", device_index=0)
    assert (spec.job, spec.replica, spec.task, spec.device_type, spec.device_index) == ("ps", 1, 2, "CPU", 0)
    assert spec.replace(task=3).to_string() == "/job:ps/replica:1/task:3/device:CPU:0"
    assert tf.DeviceSpec(job="a", task=7).make_merged_spec(tf.DeviceSpec(job="b")).to_string() == "/job:b/task:7"
    assert repr(spec) == "<DeviceSpec(job=ps, replica=1, task=2, device_type=CPU, device_index=0)>"
    with tf.device(spec):
        assert tf.constant(1) + 1 == 2


def test_memory_of_devices() -> None:
    config = tf.config.experimental
    assert config.get_memory_info("CPU:0") == {"current": 0, "peak": 0}
    assert config.get_memory_usage("CPU:0") == 0
    assert config.reset_memory_stats("CPU:0") is None
    for device, text in (("GPU:0", "No matching devices"), ("x", "Failed parsing")):
        with pytest.raises(ValueError, match=text):
            config.get_memory_info(device)


def test_settings_are_kept() -> None:
    config = tf.config.experimental
    assert config.get_device_policy() == "silent"
    assert config.tensor_float_32_execution_enabled() is True
    try:
        config.set_device_policy("explicit")
        config.enable_tensor_float_32_execution(False)
        assert config.get_device_policy() == "explicit"
        assert config.tensor_float_32_execution_enabled() is False
    finally:
        config.set_device_policy(None)
        config.enable_tensor_float_32_execution(True)
    assert config.get_device_policy() == "silent"
    with pytest.raises(ValueError, match="device_policy"):
        config.set_device_policy("foo")


def test_binaries_are_refused(tmp_path: Path) -> None:
    assert tf.load_library(tmp_path) is None
    (tmp_path / "op.so").write_bytes(b"")
    for load, where in (
        (tf.load_library, tmp_path),
        (tf.load_library, tmp_path / "op.so"),
        (tf.load_op_library, "op.so"),
    ):
        with pytest.raises(tf.errors.NotFoundError, match="binary for TensorFlow"):
            load(where)
    with pytest.raises(FileNotFoundError, match="does not exist"):
        tf.load_library(tmp_path / "none.so")
    with pytest.raises(tf.errors.FailedPreconditionError, match="GPU"):
        tf.check_pinned(tf.constant(1.0))


PROTOS: dict[str, tuple[dict[str, Any], str, Any]] = {  # arguments, the text after the shape, the array
    "bytes": ({"values": [[1.0, 2.0]]}, r'tensor_content: "\000\000\200?\000\000\000@"', [[1, 2]]),
    "scalar": ({"values": 5.0}, "float_val: 5", 5),
    "repeated": ({"values": 5, "shape": [2, 2]}, "int_val: 5", [[5, 5], [5, 5]]),
    "last repeated": ({"values": [1, 2], "shape": [3]}, "int_val: 1\nint_val: 2", [1, 2, 2]),
    "texts": ({"values": ["a", "bc"]}, 'string_val: "a"\nstring_val: "bc"', [b"a", b"bc"]),
    "bools": ({"values": [True, False]}, "bool_val: true\nbool_val: false", [True, False]),
    "complex": ({"values": 1 + 2j}, "dcomplex_val: 1\ndcomplex_val: 2", 1 + 2j),
    "halves": ({"values": [1, 2], "dtype": tf.float16}, r'tensor_content: "\000<\000@"', [1, 2]),
    "one half": ({"values": 1, "dtype": tf.float16}, "half_val: 15360", 1),
    "wide": ({"values": 7, "dtype": tf.int64}, "int64_val: 7", 7),
}


@pytest.mark.parametrize(("given", "text", "array"), PROTOS.values(), ids=PROTOS)
def test_constants_as_messages(given: dict[str, Any], text: str, array: Any) -> None:
    proto = tf.make_tensor_proto(**given)
    assert str(proto).partition("}\n" if proto.tensor_shape.dim else "{\n")[0].startswith("dtype: DT_")
    assert str(proto).endswith(f"}}\n{text}\n")
    found = tf.make_ndarray(proto)
    assert found.tolist() == array
    assert tf.make_tensor_proto(**given) == proto


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"values": [1, 2], "shape": [2, 1], "verify_shape": True}, TypeError),
        ({"values": [1, 2], "shape": [2, 2], "allow_broadcast": True}, TypeError),
        ({"values": [1, 2, 3], "shape": [2]}, ValueError),
        ({"values": None}, ValueError),
    ],
)
def test_constants_that_do_not_fit(given: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        tf.make_tensor_proto(**given)


def test_a_message_is_made_while_tracing() -> None:
    @tf.function
    def traced() -> Any:
        return tf.constant(tf.make_ndarray(tf.make_tensor_proto(tf.constant([1, 2]).shape.as_list())))

    assert traced().numpy().tolist() == [2]
