"""Names of devices, their memory, and what only TensorFlow's binaries can do."""

from __future__ import annotations

import contextlib
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
    "/job:*": "/job:*",
    "/tpu:0": "/device:TPU:0",
    "/CUSTOM:1": "/device:CUSTOM:1",
    "/device:*:1": "/device:*:1",
    "/CPU:00": "/device:CPU:0",
    "/:0": "",
    "": "",
}


@pytest.mark.parametrize(("text", "full"), NAMES.items())
def test_device_names(text: str, full: str) -> None:
    spec = tf.DeviceSpec.from_string(text)
    assert spec.to_string() == full
    assert tf.DeviceSpec().parse_from_string(full) == spec
    assert hash(tf.DeviceSpec.from_string(full)) == hash(spec)


@pytest.mark.parametrize(
    "text", ["foo", "/task:x", "/cpu:x", "/device:CPU:0:1", "/device:cpu", "/cpu:0/gpu:1", "/foo:1", "/TPU_SYSTEM:0"]
)
def test_names_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"Unknown attribute|invalid literal|is no number|Multiple"):
        tf.DeviceSpec.from_string(text)


def test_parts_of_a_device_spec() -> None:
    spec = tf.DeviceSpec(job="ps", replica=1, task="2", device_type="cpu", device_index=0)
    assert (spec.job, spec.replica, spec.task, spec.device_type, spec.device_index) == ("ps", 1, 2, "CPU", 0)
    assert spec.replace(task=3).to_string() == "/job:ps/replica:1/task:3/device:CPU:0"
    assert tf.DeviceSpec(job="a", task=7).make_merged_spec(tf.DeviceSpec(job="b")).to_string() == "/job:b/task:7"
    assert repr(spec) == "<DeviceSpec(job=ps, replica=1, task=2, device_type=CPU, device_index=0)>"
    with tf.device(tf.DeviceSpec(job="localhost", device_type="CPU")):
        assert tf.constant(1) + 1 == 2


PLACES = {  # what the blocks around say, outermost first, and what an operation inside has
    ("/cpu:0",): "/device:CPU:0",
    ("CPU",): "/device:CPU:*",
    ("/gpu:1", "/cpu:*"): "/device:CPU:1",
    ("/job:a", "/task:2", "/gpu:0"): "/job:a/task:2/device:GPU:0",
    ("/job:a/cpu:0", "/job:b"): "/job:b/device:CPU:0",
    ("/job:a", None): "",
    ("/job:a", None, "/cpu:0"): "/device:CPU:0",
    ("/gpu:1", ""): "/device:GPU:1",
    (tf.DeviceSpec(device_type="GPU", device_index=1),): "/device:GPU:1",
}


@pytest.mark.parametrize(("blocks", "device"), PLACES.items())
def test_operations_of_a_graph_are_where_the_blocks_say(blocks: tuple[Any, ...], device: str) -> None:
    seen: list[Any] = []

    def inside(x: Any) -> Any:
        y = tf.cond(x > 0, lambda: note(x + 1), lambda: note(x * 2))
        z = tf.while_loop(lambda i: i < 3, lambda i: note(i + 1), [y])[0]
        with tf.init_scope():
            assert tf.constant(1).device.endswith("CPU:0")
        return note(z * v)

    def note(t: Any) -> Any:
        seen.extend((t.device, t.op.device, t.op.node_def.device))
        return t

    v = tf.Variable(2)

    @tf.function
    def f(x: Any) -> Any:
        with contextlib.ExitStack() as stack:
            for block in blocks:
                stack.enter_context(tf.device(block))
            y = inside(x)
            own = called(x)
            assert own.device == device
            assert y.op.inputs[1].op.device == ""  # a read is where the variable is
        assert (x + 1).device == ""
        return y

    @tf.function
    def called(x: Any) -> Any:
        y = x + 1
        assert y.device == ""  # a function that is called is not inside
        return y

    f.get_concrete_function(tf.TensorSpec([], tf.int32))
    assert seen == [device] * 12


def test_functions_say_where_operations_are() -> None:
    graph = tf.Graph()
    with graph.as_default(), graph.device("/job:a"):
        x = tf.constant(1.0)
        with graph.device(lambda op: "/gpu:5" if op.type == "Mul" else "/cpu:1"):
            assert (x * 2.0).device == "/job:a/device:GPU:5"
            assert (x + 2.0).device == "/job:a/device:CPU:1"
        with graph.device("/cpu:3"):
            y = x + 1.0
        with graph.device("/gpu:0"), graph.colocate_with(y):
            assert (x + 2.0).device == "/job:a/device:CPU:3"
        with graph.device(lambda op: None), pytest.raises(TypeError, match="gives a string"):  # type: ignore[arg-type, return-value]
            tf.constant(2)
        with pytest.raises(ValueError, match="ignore_existing"), graph.colocate_with(None):
            pass


@pytest.mark.parametrize(
    ("name", "kind"),
    [("bad!", ValueError), (3, TypeError), (lambda op: "/cpu:0", RuntimeError), (b"/cpu:0", TypeError)],
)
def test_what_is_no_device(name: Any, kind: type[Exception]) -> None:
    @tf.function
    def f() -> Any:
        with tf.device(name):
            return tf.constant(1)

    with pytest.raises(kind):
        f()
    with pytest.raises(ValueError if kind is TypeError else kind), tf.device(name):
        pass


@pytest.mark.parametrize("soft", [True, False])
@pytest.mark.parametrize("name", ["/job:w", "/task:1", "/replica:1", "/gpu:0", "/cpu:7", "/device:XPU:0"])
@pytest.mark.parametrize("body", [False, True])
def test_devices_that_are_not_there(name: str, soft: bool, body: bool) -> None:
    @tf.function
    def f(x: Any) -> Any:
        with tf.device(name):
            if body:
                return tf.cond(x > 0, lambda: x + 1, lambda: x)
            return x + 1

    def eagerly() -> Any:
        with tf.device(name):
            return tf.constant(1) + 1

    tf.config.set_soft_device_placement(soft)
    try:
        for call in (lambda: f(tf.constant(1)), eagerly):
            if soft and not name.startswith(("/job", "/task", "/replica")):
                assert call() == 2
            else:
                with pytest.raises(tf.errors.InvalidArgumentError, match="the only device is"):
                    call()
    finally:
        tf.config.set_soft_device_placement(True)


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
