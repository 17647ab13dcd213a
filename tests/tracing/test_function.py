"""tf.function: what it accepts, when it traces, what it returns, and what becomes of it."""

from __future__ import annotations

import asyncio
import copy
import functools
import gc
import inspect
import logging
import pickle
import weakref

import numpy as np
import pytest

import graphlab as tf

one, two = tf.constant(1), tf.constant(2)


def values(result):
    return tf.nest.map_structure(lambda t: None if t is None else np.asarray(t).tolist(), result)


# ------------------------------------------------------------------------------------------------------------- results

RESULTS = [
    (lambda x: x, 1),
    (lambda x: None, None),
    (lambda x: (), ()),
    (lambda x: (x, [x + 1, {"b": x, "a": None}]), (1, [2, {"b": 1, "a": None}])),
    (lambda x: [1, 2.5, "s", True, None], [1, 2.5, b"s", True, None]),
    (lambda x: np.arange(2), [0, 1]),
    (lambda x: (x, x), (1, 1)),
    (lambda x: one, 1),
]


@pytest.mark.parametrize(("body", "expected"), RESULTS)
def test_results_keep_their_structure(body, expected):
    f = tf.function(body)
    for _ in range(30):  # the long way first, the guard later
        assert values(f(one)) == expected
    with tf.GradientTape():
        assert values(f(one)) == expected
    assert values(f.get_concrete_function(one)(one)) == expected


def pop_of_first(*items):
    items[0].pop()


CHANGES = [
    (lambda items: items.append(1), ([one],), "'items'"),
    (lambda items: items.sort(), ([3, 1],), "'items'"),
    (lambda d: d.setdefault("k", one), ({},), "'d'"),
    (lambda d: d["inner"].clear(), ({"inner": [one]},), "'d'"),
    (lambda d: d.update(k=d["k"] + 1), ({"k": one},), "'d'"),
    (pop_of_first, ([one], [one]), r"'items\[0\]'"),
]


@pytest.mark.parametrize(("change", "args", "name"), CHANGES)
def test_an_argument_may_not_be_changed(change, args, name):
    before = repr(args)
    with pytest.raises(ValueError, match=f"changed its argument {name}"):
        tf.function(change)(*args)
    assert repr(args) == before


class Refused(Exception):
    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


def test_an_exception_of_ones_own_passes_through():
    @tf.function
    def f(x):
        raise Refused(7, "no")

    with pytest.raises(Refused, match="no") as caught:
        f(one)
    assert caught.value.code == 7


def test_an_error_of_a_py_function_keeps_its_class():
    def refuse(x):
        raise tf.errors.OutOfRangeError(None, None, "the end")

    with pytest.raises(tf.errors.OutOfRangeError, match="the end"):
        tf.function(lambda x: tf.py_function(refuse, [x], tf.int32))(one)


def test_setting_what_is_there_changes_nothing():
    f = tf.function(lambda d: d.update(k=d["k"]))
    assert f({"k": one}) is None


def test_a_mapping_that_is_returned_keeps_its_order():
    assert list(tf.function(lambda x: {"b": x, "a": x})(one)) == ["b", "a"]


NO_RESULTS = [
    (lambda x: object(), "of type object"),
    (lambda x: {1, 2}, "of type set"),
    (lambda x: len, "of type builtin_function_or_method"),
    (lambda x: tf.TensorSpec([]), "of type TensorSpec"),
    (lambda x: (i for i in range(2)), "a generator: a graph cannot pause"),
]


@pytest.mark.parametrize(("body", "message"), NO_RESULTS)
def test_what_cannot_be_returned(body, message):
    f = tf.function(body)
    with pytest.raises(TypeError, match=message):
        f(one)
    assert f.experimental_get_tracing_count() == 0


# ----------------------------------------------------------------------------------------------------------- callables


class Scaled:
    def __init__(self, k):
        self.k = k

    def __call__(self, x):
        return x * self.k

    def method(self, x):
        return x * self.k

    @tf.function
    def traced(self, x):
        return x * self.k

    @classmethod
    @tf.function
    def inner(cls, x):
        return x * 2

    @tf.function
    @classmethod
    def outer(cls, x):
        return x * 2

    @staticmethod
    @tf.function
    def free(x):
        return x * 2

    @tf.function
    @staticmethod
    def freed(x):
        return x * 2


def double(x, k=2):
    return x * k


scaled = Scaled(2)
CALLABLES = [
    (tf.function(double), "double"),
    (tf.function(lambda x: x * 2), "<lambda>"),
    (tf.function(functools.partial(double, k=2)), "double"),
    (tf.function(functools.partial(double)), "double"),
    (tf.function(scaled), "Scaled"),
    (tf.function(scaled.method), "method"),
    (scaled.traced, "traced"),
    (Scaled.inner, "inner"),
    (scaled.inner, "inner"),
    (Scaled.outer, "outer"),
    (scaled.outer, "outer"),
    (Scaled.free, "free"),
    (scaled.freed, "freed"),
    (tf.function(tf.function(double)), "double"),
    (tf.function(autograph=False)(double), "double"),
]


@pytest.mark.parametrize(("function", "name"), CALLABLES)
def test_callables_of_all_kinds(function, name):
    assert function(tf.constant(3)).numpy() == 6
    assert function(x=tf.constant(4)).numpy() == 8
    assert function.name == function.__name__ == name


def test_a_builtin_and_an_op():
    assert tf.function(len)([one]).numpy() == 1
    assert tf.function(tf.add)(1, 2).numpy() == 3


@pytest.mark.parametrize("what", [3, None.__class__(), "f"])
def test_what_is_not_callable_is_refused(what):
    with pytest.raises(TypeError, match="callable"):
        tf.function()(what) if what is None else tf.function(what)


def test_coroutines_and_generators_are_refused_when_called():
    @tf.function
    async def wait(x):
        return x

    @tf.function
    def produce(x):
        yield x

    with pytest.raises(TypeError, match="'wait' is a coroutine function: a graph cannot wait"):
        asyncio.run(wait(one))
    with pytest.raises(TypeError, match="'produce' is a generator function: a graph cannot pause"):
        produce(one)


def test_it_wraps_the_python_function():
    def body(x):
        """Says what it does."""
        return x

    body.mark = 7
    f = tf.function(body)
    assert (f.__doc__, f.__name__, f.__wrapped__, f.python_function) == (body.__doc__, "body", body, body)
    assert f.mark == 7
    f.note = "mine"
    assert f.note == "mine"


# ------------------------------------------------------------------------------------------------------------- methods


def test_each_instance_has_its_own_cache_and_keeps_its_function():
    a, b = Scaled(1), Scaled(2)
    assert a.traced is a.traced
    assert a.traced is not b.traced
    a.traced(one)
    assert (a.traced.experimental_get_tracing_count(), b.traced.experimental_get_tracing_count()) == (1, 0)
    assert vars(a) == {"k": 1}


def test_a_method_called_on_the_class_takes_the_instance_as_an_argument():
    a = Scaled(3)
    assert Scaled.traced(a, one).numpy() == 3
    assert a.traced.experimental_get_tracing_count() == 0


def test_an_instance_is_held_weakly():
    a = Scaled(1)
    a.traced(one)
    instance, function = weakref.ref(a), weakref.ref(a.traced)
    kept = a.traced
    del a
    gc.collect()
    assert instance() is None
    assert kept(one).numpy() == 1  # this trace does not need the instance
    with pytest.raises(ReferenceError, match="Keep it in a variable"):
        kept(tf.constant([1]))
    del kept
    gc.collect()
    assert function() is None


def test_equal_instances_do_not_share_a_cache():
    class Equal(Scaled):
        def __eq__(self, other):
            return True

        __hash__ = None

    assert [Equal(k).traced(one).numpy() if False else call(Equal(k)) for k in (2, 3)] == [2, 3]


def call(instance):
    return int(instance.traced(one))


def test_slots_without_weak_references_are_refused():
    class Slotted:
        __slots__ = ()

        @tf.function
        def f(self, x):
            return x

    with pytest.raises(TypeError, match=r"'Slotted' object.*__weakref__"):
        Slotted().f(one)


# ------------------------------------------------------------------------------------------------------------- tracing


def test_objects_are_keys_by_identity():
    class Thing:
        pass

    f = tf.function(lambda o: 1)
    a = Thing()
    for value in (a, a, Thing(), Thing()):
        f(value)
    assert f.experimental_get_tracing_count() == 3


def test_calls_inside_a_trace_stay_calls():
    inner = tf.function(lambda x: x + 1)
    outer = tf.function(lambda x: inner(x) * inner(x))
    assert outer(two).numpy() == 9
    kinds = [op.type for op in outer.get_concrete_function(two).graph.get_operations()]
    assert kinds == ["Placeholder", "PartitionedCall", "PartitionedCall", "Mul", "Identity"]
    assert inner.experimental_get_tracing_count() == 1


def test_reduce_retracing_generalises_step_by_step():
    f = tf.function(lambda x, n: x, reduce_retracing=True)
    counts = []
    for shape in ([1], [2], [3], [1, 1], [1, 1, 1], [5]):
        f(tf.ones(shape), 0)
        counts.append(f.experimental_get_tracing_count())
    assert counts == [1, 2, 2, 3, 3, 3]
    assert f.concrete_functions()[1].inputs[0].shape == tf.TensorShape([None])
    assert f.concrete_functions()[2].inputs[0].shape.rank is None


def test_the_most_specific_trace_runs():
    f = tf.function(lambda x: x)
    some = f.get_concrete_function(tf.TensorSpec([None, 2]))
    general = f.get_concrete_function(tf.TensorSpec(None))
    assert f.get_concrete_function(tf.ones([3, 2])) is some
    assert f.get_concrete_function(tf.ones([3])) is general
    assert f.get_concrete_function(tf.TensorSpec([None, None])) is general
    assert f.experimental_get_tracing_count() == 2


@pytest.mark.parametrize("option", ["reduce_retracing", "experimental_relax_shapes"])
def test_the_older_name_of_reduce_retracing(option):
    f = tf.function(lambda x: x, **{option: True})
    for n in (1, 2, 3):
        f(tf.ones([n]))
    assert f.experimental_get_tracing_count() == 2


def test_unknown_attributes_are_refused():
    with pytest.raises(ValueError, match="'nonsense'"):
        tf.function(double, experimental_attributes={"nonsense": 1})
    f = tf.function(double, experimental_implements="double")
    assert f(one).numpy() == 2
    assert f.get_concrete_function(one).graph.attrs["implements"] == "double"


def test_a_record_says_that_xla_was_asked_for():
    for wanted in (True, False):
        f = tf.function(double, jit_compile=wanted)
        assert f(one).numpy() == 2
        assert f.log.traces[0].jit_compile is wanted


def test_running_eagerly():
    f = tf.function(lambda x: x)
    tf.config.run_functions_eagerly(True)
    try:
        assert tf.config.functions_run_eagerly()
        assert f(3) == 3
        assert f(3).__class__ is int
    finally:
        tf.config.run_functions_eagerly(False)
    assert not tf.config.functions_run_eagerly()
    assert f(3).numpy() == 3
    assert f.experimental_get_tracing_count() == 1


def test_an_exception_leaves_everything_usable():
    @tf.function
    def f(x, fail):
        if fail:
            raise fail("stop")
        return x

    for error in (ValueError, KeyboardInterrupt, SystemExit):
        with pytest.raises(error, match="stop"):
            f(one, error)
    assert tf.executing_eagerly()
    assert f(one, None).numpy() == 1
    assert f.experimental_get_tracing_count() == 1


def test_printed_signatures():
    f = tf.function(double)
    f(one)
    f(tf.constant(1.0), 3)
    assert f.pretty_printed_concrete_signatures() == PRINTED


PRINTED = """\
Input Parameters:
  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(), dtype=tf.int32, name=None)
  k (POSITIONAL_OR_KEYWORD): Literal[2]
Output Type:
  TensorSpec(shape=(), dtype=tf.int32, name=None)
Captures:
  None

Input Parameters:
  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(), dtype=tf.float32, name=None)
  k (POSITIONAL_OR_KEYWORD): Literal[3]
Output Type:
  TensorSpec(shape=(), dtype=tf.float32, name=None)
Captures:
  None"""


# ----------------------------------------------------------------------------------------------------------- recursion


def test_recursion_with_python_numbers_ends():
    @tf.function
    def factorial(n):
        return n * factorial(n - 1) if n > 1 else 1

    assert factorial(5).numpy() == 120
    assert factorial.experimental_get_tracing_count() == 5
    assert sorted(record.number for record in factorial.log.traces) == [1, 2, 3, 4, 5]


def test_recursion_under_a_tensor_condition_is_told_at_once():
    traced = []

    @tf.function
    def endless(n):
        traced.append(n)
        if n > 1:
            return n * endless(n - 1)
        return 1

    with pytest.raises(RecursionError, match="'endless' calls itself"):
        endless(tf.constant(5))
    assert len(traced) == 1


def test_recursion_that_python_state_ends_is_allowed():
    depth = []

    @tf.function
    def f(x):
        depth.append(1)
        return x + 1 if len(depth) == 3 else f(x) + 1

    assert [f(one).numpy(), f(one).numpy()] == [4, 4]
    assert (len(depth), f.experimental_get_tracing_count(), len(f.log.traces)) == (3, 1, 1)


def test_recursion_without_end_is_an_error():
    @tf.function
    def f(x):
        return f(x)

    with pytest.raises(RecursionError, match="'f' calls itself"):
        f(one)


# ----------------------------------------------------------------------------------------------------------- variables


class Lazy:
    def __init__(self):
        self.v = None
        self.runs = 0

    @tf.function
    def add(self, x):
        self.runs += 1
        if self.v is None:
            self.v = tf.Variable(x * 2)
        return self.v + x


def test_a_variable_may_be_made_on_the_first_call():
    lazy = Lazy()
    assert lazy.add(tf.constant(2.0)).numpy() == 6.0
    assert (lazy.runs, lazy.add.experimental_get_tracing_count()) == (2, 2)
    assert lazy.v.numpy() == 4.0
    assert lazy.add(tf.constant(1.0)).numpy() == 5.0
    assert lazy.runs == 2
    assert lazy.add(tf.constant([1.0])).numpy().tolist() == [5.0]
    assert (lazy.runs, lazy.add.experimental_get_tracing_count()) == (3, 3)


def test_a_variable_made_on_each_call_is_refused():
    made = {}

    @tf.function
    def always(x):
        return tf.Variable(1.0) + x

    @tf.function
    def by_key(x, key):
        if key not in made:
            made[key] = tf.Variable(1.0)
        return made[key] + x

    @tf.function
    def outside(x):
        with tf.init_scope():
            v = tf.Variable(1.0)
        return v + x

    for function in (always, always, outside):
        with pytest.raises(ValueError, match=r"tf\.Variable.*each tf\.Variable once"):
            function(tf.constant(1.0))
    by_key(tf.constant(1.0), "a")
    with pytest.raises(ValueError, match="not its first"):
        by_key(tf.constant(1.0), "b")
    assert by_key(tf.constant(2.0), "a").numpy() == 3.0


def test_an_initial_value_that_needs_arguments_cannot_be_made_for_specs():
    with pytest.raises(ValueError, match="depends on the function's arguments"):
        Lazy().__class__.add.get_concrete_function(Lazy(), tf.TensorSpec([]))


def test_a_function_called_while_another_is_traced_may_make_its_variables():
    lazy = Lazy.__new__(Lazy)
    lazy.v, lazy.runs = None, 0

    @tf.function
    def inner(x):
        if lazy.v is None:
            lazy.v = tf.Variable(5.0)
        return lazy.v + x

    outer = tf.function(lambda x: inner(x))
    assert outer(tf.constant(1.0)).numpy() == 6.0
    assert (inner.experimental_get_tracing_count(), outer.experimental_get_tracing_count()) == (2, 1)


def test_variables_as_arguments_are_passed_by_reference():
    f = tf.function(lambda v, x: v.assign_add(x))
    u, w = tf.Variable(1.0), tf.Variable(10.0)
    f(u, 2.0)
    f(w, 2.0)
    assert (u.numpy(), w.numpy()) == (3.0, 12.0)
    assert f.experimental_get_tracing_count() == 1


def test_the_gradient_of_a_variable_argument():
    f = tf.function(lambda v: v * v)
    u = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = f(u)
    assert tape.gradient(y, u).numpy() == 6.0


# -------------------------------------------------------------------------------------------------------------- warning


def test_frequent_traces_are_warned_of_with_the_argument(caplog):
    f = tf.function(lambda x, n: x)
    with caplog.at_level(logging.WARNING, logger="graphlab"):
        for n in range(4):
            f(one, n)
        assert caplog.records == []
        f(one, 4)
    (record,) = caplog.records
    text = record.getMessage()
    assert "in 5 of its last 5 calls" in text
    assert "n is a Python number, and every new number makes a new trace" in text


def test_traces_among_many_calls_are_no_reason_to_warn(caplog):
    f = tf.function(lambda x: x)
    with caplog.at_level(logging.WARNING, logger="graphlab"):
        for n in range(8):
            for _ in range(12):
                f(tf.ones([n]))
    assert caplog.records == []


def test_functions_made_in_a_loop_are_warned_of(caplog):
    with caplog.at_level(logging.WARNING, logger="graphlab"):
        for _ in range(6):
            tf.function(lambda x: x)(one)
    (record,) = caplog.records
    assert "made <lambda> 5 times" in record.getMessage()


# ------------------------------------------------------------------------------------------------------ copies and ends


@tf.function
def at_module_level(x):
    return x + 1


def test_copies_trace_for_themselves():
    f = tf.function(double)
    f(one)
    for new in (copy.copy(f), copy.deepcopy(f)):
        assert new.experimental_get_tracing_count() == 0
        assert new(one).numpy() == 2
        assert new.name == "double"
    holder = copy.deepcopy({"f": f, "x": [1]})
    assert holder["f"](one).numpy() == 2


def test_a_function_is_pickled_by_name(monkeypatch):
    import sys
    import types

    module = types.ModuleType("some_module")
    module.at_module_level = at_module_level
    monkeypatch.setitem(sys.modules, "some_module", module)
    monkeypatch.setattr(at_module_level.python_function, "__module__", "some_module")
    assert pickle.loads(pickle.dumps(at_module_level)) is at_module_level
    with pytest.raises(pickle.PicklingError, match="python_function"):
        pickle.dumps(tf.function(lambda x: x))


def test_a_dropped_function_frees_its_graphs():
    f = tf.function(double)
    f(one)
    graph = weakref.ref(f.concrete_functions()[0].graph)
    concrete = f.concrete_functions()[0]
    del f
    gc.collect()
    assert graph() is not None
    assert concrete(one).numpy() == 2  # a concrete function lives on its own
    del concrete
    gc.collect()
    assert graph() is None


# --------------------------------------------------------------------------------------------------------------- guards

GUARDED = [
    ((tf.ones([2]), 3, True), [(tf.ones([3]), 3, True), (tf.ones([2], tf.int32), 3, True)]),
    ((tf.ones([2]), 3, True), [(tf.ones([2]), 4, True), (tf.ones([2]), 3.0, True), (tf.ones([2]), True, True)]),
    ((tf.ones([2]), 0.0, None), [(tf.ones([2]), -0.0, None), (tf.ones([2]), 0, None), (tf.ones([2]), 0.0, 0)]),
    ((tf.ones([2]), "a", False), [(tf.ones([2]), "b", False), (tf.ones([2]), b"a", False), (tf.ones([2]), "a", 0)]),
    ((tf.ones([2]), 2.5, False), [(tf.ones([2]), 2.5, True), (tf.ones([2]), tf.constant(2.5), False)]),
    ((tf.ones([2]), float("nan"), 1), [(tf.ones([2]), 1.0, 1)]),
    ((tf.constant("s"), 1, 2), [(tf.constant(["s"]), 1, 2), (tf.ones([]), 1, 2)]),
    ((tf.Variable(1.0), 1, 2), [(tf.ones([]), 1, 2)]),
    ((tf.Variable(1.0).handle, 1, 2), [(tf.ones([]), 1, 2)]),
    (([tf.ones([2])], 1, 2), [((tf.ones([2]),), 1, 2)]),
]


@pytest.mark.parametrize(("first", "others"), GUARDED)
def test_a_guard_lets_no_other_call_through(first, others):
    traced = []

    @tf.function
    def f(x, n=3, flag=True):
        traced.append((n, flag))
        return 1

    for _ in range(30):
        f(*first)
    assert len(traced) == 1
    for count, other in enumerate(others, 2):
        f(*other)
        assert len(traced) == count
        for _ in range(30):
            f(*first)
    assert len(traced) == len(others) + 1


def test_a_guard_respects_defaults_and_the_number_of_arguments():
    f = tf.function(lambda x, k=2: x * k)
    for _ in range(30):
        assert f(one).numpy() == 2
    assert f(one, 5).numpy() == 5
    assert f(one, 2).numpy() == 2
    assert f(one, k=7).numpy() == 7
    with pytest.raises(TypeError):
        f()
    with pytest.raises(TypeError):
        f(one, 2, 3)
    for _ in range(30):
        assert f(one, 5).numpy() == 5


def test_a_guard_sees_tapes_and_variables():
    v = tf.Variable(2.0)
    f = tf.function(lambda x: x * v)
    x = tf.constant(3.0)
    for _ in range(30):
        f(x)
    v.assign(5.0)
    assert f(x).numpy() == 15.0
    with tf.GradientTape() as tape:
        y = f(x)
    assert tape.gradient(y, v).numpy() == 3.0
    outer = tf.function(lambda x: f(x))
    assert [op.type for op in outer.get_concrete_function(x).graph.get_operations()][1:2] != ["Mul"]
    assert outer(x).numpy() == 15.0


def test_a_name_outside_whose_value_cannot_be_shown_is_no_error():
    class Shy(int):
        def __repr__(self):
            raise RuntimeError("not now")

    shy, long = Shy(3), "x" * 10_000_000
    f = tf.function(lambda x: x + shy * len(long[:2]))
    assert f(tf.constant(1)).numpy() == 7


def test_the_signature_keeps_annotations():
    @tf.function
    def f(x: int, y: float = 1.0) -> tf.Tensor:
        return x * y

    assert str(inspect.signature(f)) == str(inspect.signature(f.python_function))


def test_what_a_symbolic_tensor_cannot_do_says_what_to_write():
    for body, message in (
        (lambda x: f"{x:.2f}", "tf.strings.format"),
        (lambda x: pow(x, 2, 5), r"\(x \*\* y\) % z"),
    ):
        with pytest.raises(TypeError, match=message):
            tf.function(body)(tf.constant([2.0]))
    with pytest.raises(TypeError, match=r"% z"):
        pow(tf.constant(2), 2, 5)
    with pytest.raises(ValueError, match="Multiple ellipses"):
        tf.function(lambda x: x[..., ...])(tf.constant([2.0]))
