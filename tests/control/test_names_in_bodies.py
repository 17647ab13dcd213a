"""Tensors inside of branches and loops show the names that TensorFlow gives them."""

from collections.abc import Callable
from typing import Any

import pytest

import graphlab as tf

Say = Callable[[Any], Any]


def branches(x: Any, say: Say) -> Any:
    if x > 0.0:
        y = say(x * 2.0)
    else:
        y = say(x - 1.0)
    return y


def loop(x: Any, say: Say) -> Any:
    while x < 10.0:
        say(x)
        x = say(x * 2.0)
        if x > 5.0:
            x = say(x + 1.0)
    return x


def scopes(x: Any, say: Say) -> Any:
    with tf.name_scope("part"):
        return tf.cond(x > 1.0, lambda: say(x * 3.0), lambda: say(x / 3.0))


def named_loop(x: Any, say: Say) -> Any:
    def body(i: Any, total: Any) -> Any:
        say(i)
        say(total)
        return i + 1, say(total * 2.0)

    return tf.while_loop(lambda i, _: i < 3, body, [0, x], name="doubling")[1]


def cases(x: Any, say: Say) -> Any:
    return tf.case([(x > 1.0, lambda: say(x * 1.0))], default=lambda: say(x + 1.0))


def switch(x: Any, say: Say) -> Any:
    return tf.switch_case(tf.cast(x, tf.int32), [lambda: say(x * 1.0), lambda: say(x + 1.0)])


def mapped(x: Any, say: Say) -> Any:
    return tf.map_fn(lambda e: say(e * 2.0), tf.stack([x, x]))


def folded(x: Any, say: Say) -> Any:
    return tf.foldl(lambda a, e: say(a + e), tf.stack([x, x]))


CASES: dict[Callable[[Any, Say], Any], list[str]] = {
    branches: ["cond/mul", "cond/sub"],
    loop: ["while/Placeholder", "while/mul", "while/cond/add"],
    scopes: ["part/cond/mul", "part/cond/truediv"],
    named_loop: ["doubling/Placeholder", "doubling/Placeholder_1", "doubling/mul"],
    cases: ["case/cond/mul", "case/cond/add"],
    switch: ["switch_case/indexed_case/mul", "switch_case/indexed_case/add"],
    mapped: ["map/while/mul"],
    folded: ["foldl/while/add"],
}


@pytest.mark.parametrize(("program", "names"), CASES.items(), ids=lambda case: getattr(case, "__name__", ""))
def test_names(program: Callable[[Any, Say], Any], names: list[str]) -> None:
    said: list[Any] = []

    def say(tensor: Any) -> Any:
        said.append(tensor)
        return tensor

    tf.function(lambda x: program(x, say)).get_concrete_function(tf.TensorSpec([], tf.float32))
    assert [tensor.name for tensor in said] == [f"{name}:0" for name in names]
    for tensor in said:
        assert f"'{tensor.name}'" in repr(tensor)
        assert f'Tensor("{tensor.name}"' in str(tensor)
        assert tensor.graph.get_tensor_by_name(tensor.name) is tensor
