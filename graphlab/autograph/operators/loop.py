"""``for`` and ``while`` at run time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, Final

from graphlab.autograph import staging
from graphlab.autograph.names import is_internal
from graphlab.autograph.operators.lines import assigned_at, at_line, shown
from graphlab.autograph.operators.sequences import Elements, elements_of
from graphlab.autograph.operators.unrolled import Watch, watched
from graphlab.autograph.operators.values import ANY_SHAPE, Opaque, Side, Value, check_agree, check_shapes, subject
from graphlab.autograph.operators.variables import UNSET, Variables, slot
from graphlab.core.shape import TensorShape, is_subtype, raw

Options = Callable[[], dict[str, Any]] | None
_OPTIONS: Final = frozenset(("parallel_iterations", "swap_memory", "maximum_iterations", "shape_invariants"))
_BEFORE: Final = Side("before the loop", lambda _: None)


def for_stmt(
    iterable: Any,
    body: Any,
    names: Sequence[str] = (),
    target: str | None = None,
    until: str | None = None,
    options: Options = None,
) -> None:
    """``for target in iterable: ...``.

    Args:
      iterable: what it goes over.
      body: its body, a function of the element that assigns the variables around it.
      names: its state: the variables that it assigns and that are wanted by the next iteration or afterwards.
      target: the variable that the element is assigned to, if it is wanted afterwards.
      until: a variable that the body sets to leave the loop.
      options: what ``set_loop_options`` was given.
    """
    if iterable.__class__ is Elements or staging.is_staged(iterable) or staging.is_ragged(iterable):
        elements = elements_of(iterable)
        _Loop(body, names, until, options, target).build_for(elements)
        return
    if until is None:
        for item in watched(iterable, body):
            body(item)
        return
    stop = slot(until, (body,))
    for item in watched(iterable, body):
        body(item)
        if _stops(stop.get(), names, body):
            break


def while_stmt(
    test: Any, body: Any, names: Sequence[str] = (), until: str | None = None, options: Options = None
) -> None:
    """``while test(): ...``; the arguments are those of ``for_stmt``."""
    stop = None if until is None else slot(until, (body,))
    if staging.building():
        # Whether it is a loop of the graph is for the first test to say. A graph evaluates its test again, in the loop.
        with staging.scratch():
            first = test()
        if staging.is_staged(first):
            _Loop(body, names, until, options, None).build_while(test)
            return
        if not first:
            return
        body()
        if stop is not None and _stops(stop.get(), names, body):
            return
    step = Watch(body).step if staging.building() else None
    while _continues(test()):
        body()
        if step is not None:
            step()
        if stop is not None and _stops(stop.get(), names, body):
            return


def _continues(answer: Any) -> Any:
    if answer.__class__ is not bool and staging.is_staged(answer):
        raise NotImplementedError(
            "The condition of this while loop was a Python value at first and is a tensor now: it is neither a Python "
            "loop nor one of the graph. Make what it tests a tensor before the loop, as in i = tf.constant(i)."
        )
    return answer


def _stops(stop: Any, names: Sequence[str], body: FunctionType) -> Any:
    if stop.__class__ is bool or not staging.is_staged(stop):
        return stop
    for name in names:
        if name.startswith("returned") and is_internal(name) and staging.is_staged(slot(name, (body,)).get()):
            raise ValueError(
                "Whether this Python loop returns depends on a tensor: the loop would have to stop while it is traced. "
                "The else branch must also have a return statement, or the loop must be one of the graph: "
                "for ... in tf.range(n)."
            )
    raise NotImplementedError(
        "Whether this Python loop stops (a break or return) depends on a tensor, which has no value during tracing. "
        "Make it a loop of the graph: for i in tf.range(n), or while tf.constant(True)."
    )


class _Loop:
    """A loop of the graph in the making."""

    def __init__(
        self, body: FunctionType, names: Sequence[str], until: str | None, options: Options, target: str | None
    ) -> None:
        self.body, self.until, self.target = body, until, target
        self.names = list(names)
        self.options = options() if options is not None else {}
        unknown = self.options.keys() - _OPTIONS
        if unknown:
            raise TypeError(f"set_loop_options() got an unexpected keyword argument {min(unknown)!r}.")
        self.after = Side("after one iteration", lambda name: assigned_at(body, name) if name else None)

    def build_for(self, elements: Elements) -> None:
        """A loop over the elements of a tensor or range."""

        def step(counter: Any) -> None:
            self.body(elements.at(counter))

        self._prepare((self.body,), lambda: step(elements.start()), elements)
        start = elements.start()

        def test(counter: Any) -> Any:
            more = elements.more(counter)
            if self.until is not None:
                more = staging.op("logical_and")(more, staging.op("logical_not")(slot(self.until, (self.body,)).get()))
            return more

        self._run(test, step, counter=start, advance=elements.next)
        self._assert_iterated(lambda: elements.more(start))

    def build_while(self, test: Callable[[], Any]) -> None:
        """A loop with a condition."""
        functions = (self.body, test) if isinstance(test, FunctionType) else (self.body,)
        self._prepare(functions, self.body, None)

        def staged_test(_: Any) -> Any:
            if self.until is None:
                return staging.bool_scalar(test(), "while loop")
            stopped = slot(self.until, (self.body,)).get()
            # The test must not be evaluated any more once the loop was left.
            return staging.cond(
                stopped, lambda: staging.tensor(False), lambda: staging.bool_scalar(test(), "while loop")
            )

        first = None
        if self.missing:
            first = staging.bool_scalar(test(), "while loop")
        self._run(staged_test, lambda _: self.body(), counter=None, advance=None)
        if first is not None:
            self._assert_iterated(lambda: first)

    def _prepare(self, functions: Sequence[Any], try_body: Callable[[], None], elements: Elements | None) -> None:
        """Reads the state, and finds out what variables without a value will be."""
        self.variables = Variables(self.names, functions)
        self.before = self.variables.snapshot()
        values = self.variables.read()
        self.invariants = self._given_invariants(values)
        self.missing: list[str] = []
        unknown = [n for n, v in zip(self.names, values, strict=True) if v is UNSET or v is None]
        if unknown and elements is not None and self.target in unknown:
            # What the loop variable will be is known without a try.
            index = self.names.index(self.target)
            if values[index] is UNSET:
                values[index] = elements.placeholder()
                if values[index] is not UNSET:
                    unknown.remove(self.target)
        if unknown:
            values = self._discover(values, unknown, try_body)
        self.initial = [Value(v) for v in values]
        for name, value in zip(self.names, self.initial, strict=True):
            if value.structure is None:
                raise ValueError(
                    f"{subject(name)} is not allowed to be None before the loop. "
                    "Give it a value of the kind it has in the loop."
                )

    def _discover(self, values: list[Any], unknown: list[str], try_body: Callable[[], None]) -> list[Any]:
        """Runs the body once in a graph that is thrown away, to see what variables without a value will be."""
        self.variables.write(values)
        try:
            with staging.scratch():
                self._try(try_body, unknown)
                found = [Value(v) for v in self.variables.read()]
        finally:
            self.variables.restore(self.before)
        kept_names, kept = [], []
        for name, value, after in zip(self.names, values, found, strict=True):
            if name not in unknown:
                kept_names.append(name)
                kept.append(value)
                continue
            if after.structure is UNSET:
                continue  # it has no value after an iteration either
            if value is None and after.structure is None:
                kept_names.append(name)
                kept.append(None)
                continue
            if value is UNSET and not is_internal(name) and name != self.target:
                self.missing.append(name)
            kept_names.append(name)
            kept.append(self._stand_in(name, after))
        self.names = kept_names
        self.variables.keep(kept_names)
        return kept

    def _try(self, body: Callable[[], None], unknown: Sequence[str]) -> None:
        """Runs the body; if it reads a variable that has no value, that is what is wrong."""
        try:
            body()
        except NameError as error:
            name = next((n for n in unknown if not is_internal(n) and repr(n) in str(error)), None)
            if name is None:
                raise
            raise ValueError(
                f"{shown(name)} must be defined before the loop: its body reads it before it gives it a value"
                f"{at_line(assigned_at(self.body, name))}."
            ) from error

    def _stand_in(self, name: str, like: Value) -> Any:
        """Zeros of the kind a variable will have."""
        tensors, shapes = [], []
        for leaf in like.leaves:
            if leaf.__class__ is Opaque:
                continue
            if not staging.is_tensor(leaf):
                raise ValueError(
                    f"{subject(name)} must be given a value before the loop: a {type(leaf).__name__} cannot be made up."
                )
            tensors.append(staging.zeros(leaf.dtype, leaf._raw_shape()))
            shapes.append(leaf._raw_shape())
        if any(s is None or None in s for s in shapes):
            self.invariants.setdefault(name, shapes)
        return like.rebuilt(tensors)

    def _given_invariants(self, values: list[Any]) -> dict[str, list[Any]]:
        """The shapes from ``set_loop_options``, per variable one per leaf."""
        found: dict[str, list[Any]] = {}
        self.given: set[str] = set()
        for who, shape in self.options.get("shape_invariants") or ():
            name = who if isinstance(who, str) and who in self.names else None
            if name is None and not isinstance(who, str):
                name = next((n for n, v in zip(self.names, values, strict=True) if v is who), None)
            if name is None:
                continue
            found[name] = [raw(getattr(s, "shape", s)) for s in _flat_shapes(shape)]
            self.given.add(name)
            _check_fits(name, values[self.names.index(name)], found[name])
        return found

    def _run(
        self,
        test: Callable[[Any], Any],
        step: Callable[[Any], None],
        counter: Any,
        advance: Callable[[Any], Any] | None,
    ) -> None:
        initial = [leaf for value in self.initial for leaf in value.tensors]
        shapes = self._shapes()
        padded = not initial and counter is None
        lead = [counter] if counter is not None else ([staging.tensor(0)] if padded else [])
        flat_shapes = [s for per in shapes for s in per]
        last: list[Value] = []

        def enter(leaves: Sequence[Any]) -> Any:
            self.variables.restore(self.before)
            rest = list(leaves)
            first = rest.pop(0) if lead else None
            self.variables.write([value.rebuilt(rest) for value in self.initial])
            return first

        def staged_test(*leaves: Any) -> Any:
            return test(enter(leaves))

        def staged_body(*leaves: Any) -> list[Any]:
            first = enter(leaves)
            step(first)
            last[:] = [Value(v) for v in self.variables.read()]
            for name, a, b, allowed in zip(self.names, self.initial, last, shapes, strict=True):
                if b.structure is UNSET:
                    raise ValueError(f"{subject(name)} has no value any more after one iteration.")
                check_agree(name, a, b, _BEFORE, self.after)
                check_shapes(name, a, b, allowed, name in self.given, self.after)
            new_lead = [advance(first)] if advance is not None else lead and [first]
            return [*new_lead, *(leaf for value in last for leaf in value.tensors)]

        limit = self.options.get("maximum_iterations")
        try:
            # A composite keeps its own shapes.
            invariants = [
                _invariant(s, v) for s, v in zip([*([()] * len(lead)), *flat_shapes], [*lead, *initial], strict=True)
            ]
            results = list(staging.while_loop(staged_test, staged_body, [*lead, *initial], invariants, limit))
        finally:
            self.variables.restore(self.before)
        if lead:
            results.pop(0)
        self.variables.write([value.rebuilt(results) for value in self.initial])

    def _shapes(self) -> list[list[Any]]:
        """Per variable, the shape that each of its tensors may have."""
        result = []
        for name, value in zip(self.names, self.initial, strict=True):
            own = [leaf._raw_shape() if staging.is_tensor(leaf) else ANY_SHAPE for leaf in value.tensors]
            given = self.invariants.get(name)
            if given is not None:
                if len(given) != len(own):
                    raise ValueError(
                        f"shape_invariants has {len(given)} shapes for {subject(name)}, which has {len(own)} tensors."
                    )
                own = [o if o is ANY_SHAPE else g for o, g in zip(own, given, strict=True)]
            result.append(own)
        return result

    def _assert_iterated(self, first: Callable[[], Any]) -> None:
        if self.missing:
            names = ", ".join(self.missing)
            staging.op("debugging.Assert")(first(), [f"loop must iterate at least once to initialize {names}"])


def _check_fits(name: str, value: Any, shapes: list[Any]) -> None:
    """Checks that a variable has the shape before the loop that ``set_loop_options`` gives it.

    Raises:
      ValueError: it has another.
    """
    for leaf, allowed in zip(Value(value).tensors, shapes, strict=False):
        if staging.is_tensor(leaf) and not is_subtype(leaf._raw_shape(), allowed):
            raise ValueError(
                f"The shape invariant {TensorShape(allowed)} of {subject(name)} is not compatible with its shape "
                f"before the loop, {leaf.shape}."
            )


def _invariant(shape: Any, value: Any) -> Any:
    if shape is ANY_SHAPE:
        return value._type_spec
    return TensorShape(shape)


def _flat_shapes(shape: Any) -> list[Any]:
    """A shape, or a structure of shapes, as a list of shapes."""
    if shape is None or isinstance(shape, TensorShape) or hasattr(shape, "shape"):
        return [shape]
    if isinstance(shape, (list, tuple)) and all(n is None or isinstance(n, int) for n in shape):
        return [TensorShape(shape)]
    if isinstance(shape, dict):
        return [s for key in sorted(shape) for s in _flat_shapes(shape[key])]
    return [s for part in shape for s in _flat_shapes(part)]
