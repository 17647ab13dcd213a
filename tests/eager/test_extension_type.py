"""Extension types: what is refused when the class is made, and what a class and its specs are."""

from typing import Any

import pytest

import graphlab as tf


def made(**annotations: Any) -> Any:
    return type("Made", (tf.experimental.ExtensionType,), {"__annotations__": annotations, "__module__": __name__})


@pytest.mark.parametrize("kind", [list, list[int], dict[str, int], set, object, "tf.Tensor | list"])
def test_annotations_that_are_no_fields(kind: Any) -> None:
    with pytest.raises(TypeError, match="unsupported type annotation"):
        made(x=kind)


def test_names_that_are_taken() -> None:
    for name in ("Spec", "self", "_type_spec", "__len__"):
        with pytest.raises(ValueError, match="reserved name"):
            made(**{name: int})
    assert made(_hidden=int)(3)._hidden == 3


def test_keys_of_mappings_are_texts() -> None:
    from collections.abc import Mapping

    with pytest.raises(TypeError, match="keys of a mapping"):
        made(x=Mapping[int, int])
    with pytest.raises(TypeError, match="expected 'str', got 'int'"):
        made(x=Mapping[str, int])({1: 2})


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        (float, 1, "x: expected 'float', got 'int'"),
        (tuple[int, str], (1, 2), r"x\[1\]: expected 'str', got 'int'"),
        (tuple[int, str], (1,), "length 2, got 1"),
        (tuple[int, ...], 1, "expected tuple, got 'int'"),
        (int | None, "a", "expected one of int, NoneType, got 'str'"),
        (tf.DType, 1.5, "expected 'DType', got 'float'"),
        (tf.Tensor, tf.ragged.constant([[1]]), "expected a Tensor, got 'RaggedTensor'"),
        (tf.Tensor, object(), "expected a Tensor, got 'object'"),
    ],
)
def test_values_that_are_not_as_annotated(kind: Any, value: Any, text: str) -> None:
    with pytest.raises(TypeError, match=text):
        made(x=kind)(value)


def test_a_constructor_sets_all_fields_and_no_others() -> None:
    class Short(tf.experimental.ExtensionType):
        x: tf.Tensor
        y: int

        def __init__(self) -> None:
            self.x = tf.constant(1)

    class Long(tf.experimental.ExtensionType):
        x: tf.Tensor

        def __init__(self) -> None:
            self.x, self.z = tf.constant(1), 2

    with pytest.raises(AttributeError, match="has not set the field 'y'"):
        Short()
    with pytest.raises(AttributeError, match="sets 'z', which is no field"):
        Long()


def test_subclasses_have_the_fields_of_their_bases_first() -> None:
    class Base(tf.experimental.ExtensionType):
        x: tf.Tensor

    class Derived(Base):
        n: int = 1

    derived = Derived([1.0])
    assert tf.experimental.extension_type.as_dict(derived).keys() == {"x", "n"}
    assert repr(derived._type_spec) == "Derived.Spec(x=TensorSpec(shape=(1,), dtype=tf.float32, name=None), n=1)"
    assert derived._type_spec.value_type is Derived
    with pytest.raises(TypeError, match="missing a required argument: 'n'"):
        Derived.Spec(tf.TensorSpec([1]))
    with pytest.raises(TypeError, match="expected a TensorSpec"):
        Derived.Spec([1.0], 2)
