"""From the arguments of a call to its canonical form: the same for every way of writing the same call.

A ``Signature`` is the Python signature of a traced function, with the types that ``input_signature`` demands.  It binds
a call: defaults filled in, keywords put in their places, ``*args`` numbered, ``**kwargs`` sorted.  The trace types of
the values, with the ``Layout``, are the ``Key`` under which the cache finds a trace.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from graphlab.core.errors import SignatureMismatchError
from graphlab.core.nest import flatten, pack_sequence_as
from graphlab.core.specs import TypeSpec, VariableSpec
from graphlab.tracing.from_value import from_value
from graphlab.tracing.reasons import Leaf
from graphlab.tracing.trace_types import CastContext, PlaceholderContext, TracingContext, describe, node_name, shown

_POSITIONAL_ONLY: Final = inspect.Parameter.POSITIONAL_ONLY
_POSITIONAL: Final = inspect.Parameter.POSITIONAL_OR_KEYWORD
_KEYWORD_ONLY: Final = inspect.Parameter.KEYWORD_ONLY
_VAR_POSITIONAL: Final = inspect.Parameter.VAR_POSITIONAL
_VAR_KEYWORD: Final = inspect.Parameter.VAR_KEYWORD
_EMPTY: Final = inspect.Parameter.empty


class Layout:
    """Which values a bound call has: names and kinds, in canonical order.

    Attributes:
      names: ``("x", "args_0", "scale")``.
      kinds: a kind of ``inspect.Parameter`` for each.
      positional: how many are given by position.
      count: how many values ``*args`` took.
      keywords: the names in ``**kwargs``, sorted.
      varargs: the name of ``*args``, or None.
    """

    __slots__ = ("count", "keywords", "kinds", "names", "positional", "varargs")

    def __init__(self, signature: Signature, count: int, keywords: tuple[str, ...]) -> None:
        self.count, self.keywords, self.varargs = count, keywords, signature.varargs
        names = [p.name for p in signature.positional]
        kinds = [p.kind for p in signature.positional]
        if signature.varargs:  # as TensorFlow prints it: those before *args are given by position
            kinds = [_POSITIONAL_ONLY] * len(kinds)
            names += [f"{signature.varargs}_{i}" for i in range(count)]
            kinds += [_POSITIONAL_ONLY] * count
        self.positional = len(names)
        names += [p.name for p in signature.keyword_only]
        names += keywords
        self.names = tuple(names)
        self.kinds = (*kinds, *[_KEYWORD_ONLY] * (len(names) - len(kinds)))


class Key:
    """What the cache looks calls up by: the layout and the trace type of each value."""

    __slots__ = ("_hash", "layout", "types")

    def __init__(self, layout: Layout, types: tuple[Any, ...]) -> None:
        self.layout, self.types = layout, types
        self._hash = hash((layout.count, layout.keywords, types))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Key)
            and self._hash == other._hash
            and (self.layout is other.layout or self._same_layout(other))
            and self.types == other.types
        )

    def _same_layout(self, other: Key) -> bool:
        return self.layout.count == other.layout.count and self.layout.keywords == other.layout.keywords

    def is_subtype_of(self, other: Key) -> bool:
        """True if a trace made for ``other`` takes every call of this key."""
        return (self.layout is other.layout or self._same_layout(other)) and all(
            a == b or a.is_subtype_of(b) for a, b in zip(self.types, other.types, strict=True)
        )

    def common_supertype(self, other: Key) -> Key | None:
        """The most specific key that both are subtypes of, or None."""
        if not self._same_layout(other):
            return None
        types = []
        for mine, theirs in zip(self.types, other.types, strict=True):
            common = mine.most_specific_common_supertype([theirs])
            if common is None:
                return None
            types.append(common)
        return Key(self.layout, tuple(types))

    def describe(self, defaulted: Sequence[str] = ()) -> tuple[Leaf, ...]:
        """The key as plain data; arguments in ``defaulted`` were left at their defaults."""
        layout = self.layout
        data = {"varargs": layout.varargs, "count": layout.count, "keywords": layout.keywords}
        leaves = [Leaf("", "call", data)]
        aliases: dict[int, str] = {}
        for name, type_ in zip(layout.names, self.types, strict=True):
            start = len(leaves)
            describe(type_, self.path(name), leaves, aliases)
            if name in defaulted:
                leaves[start] = Leaf(leaves[start].path, leaves[start].kind, leaves[start].data, default=True)
        return tuple(leaves)

    def path(self, name: str) -> str:
        layout = self.layout
        if layout.count and name.startswith(f"{layout.varargs}_"):
            index = name.removeprefix(f"{layout.varargs}_")
            if index.isdigit() and name in layout.names[layout.positional - layout.count : layout.positional]:
                return f"{layout.varargs}[{index}]"
        return name

    def placeholders(self, graph: Any) -> list[Any]:
        """What stands for each value while tracing; sets ``graph.inputs``."""
        values = []
        variables: dict[int, Any] = {}
        graph.inputs = []
        for name, type_ in zip(self.layout.names, self.types, strict=True):
            value = type_.placeholder_value(PlaceholderContext(graph, name, variables))
            for tensor in type_.to_tensors(value):
                if any(tensor is other for other in graph.inputs):  # a variable that came before
                    handle = tensor.__dict__["handle_data"]
                    tensor = graph.placeholder(tensor.dtype, (), node_name(name))
                    tensor.__dict__["handle_data"] = handle
                graph.inputs.append(tensor)
            values.append(value)
        return values

    def to_tensors(self, values: Sequence[Any]) -> list[Any]:
        """The tensors in the values of a call, in the order of the graph's inputs."""
        tensors: list[Any] = []
        for type_, value in zip(self.types, values, strict=True):
            tensors += type_.to_tensors(value)
        return tensors

    def structured(self, name: Callable[[str], str]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """``structured_input_signature``: specs for tensors, values of Python arguments; ``name`` names the specs."""
        items = [shown(type_, name(n)) for n, type_ in zip(self.layout.names, self.types, strict=True)]
        cut = self.layout.positional
        return tuple(items[:cut]), dict(zip(self.layout.names[cut:], items[cut:], strict=True))

    def __repr__(self) -> str:
        return f"Key({', '.join(f'{n}: {t!r}' for n, t in zip(self.layout.names, self.types, strict=True))})"


class Bound:
    """A call, bound: its layout, its values in canonical order, and which of them are defaults."""

    __slots__ = ("defaulted", "layout", "values")

    def __init__(self, layout: Layout, values: list[Any], defaulted: tuple[str, ...]) -> None:
        self.layout, self.values, self.defaulted = layout, values, defaulted

    def split(self, values: Sequence[Any]) -> tuple[Sequence[Any], dict[str, Any]]:
        """Values in canonical order → positional arguments and keywords for the Python function."""
        cut = self.layout.positional
        return values[:cut], dict(zip(self.layout.names[cut:], values[cut:], strict=True))


class Signature:
    """The Python signature of a traced function.

    Args:
      python_function: any callable.
      skip_first: its first parameter is ``self``, which is not an argument of calls.
      input_signature: specs (in structures) for the first positional parameters, or None.
      name: how messages call the function.

    Raises:
      TypeError: if ``input_signature`` is no sequence of specs, has too many, or lacks one for a parameter.
    """

    def __str__(self) -> str:
        """As TensorFlow prints a function's type: ``(x, scale=<captured_default_value>, *rest)``."""
        specs: tuple[Any, ...] = self.input_signature or ()
        if self.of_method:
            specs = ()
        parts = []
        for index, p in enumerate(self.parameters):
            text = ("*" if p.kind is _VAR_POSITIONAL else "**" if p.kind is _VAR_KEYWORD else "") + p.name
            if index < len(specs):
                text += f": {specs[index]!r}"
            elif p.default is not _EMPTY:
                text += "=<captured_default_value>"
            parts.append(text)
        return f"({', '.join(parts)})"

    __repr__ = __str__

    def __init__(self, python_function: Callable[..., Any], skip_first: bool, input_signature: Any, name: str) -> None:
        self.name = name
        parameters = _parameters(python_function)
        # In a class body: the specs are those of the arguments behind `self`, for the Functions of the instances.
        self.of_method = (
            input_signature is not None and not skip_first and bool(parameters) and parameters[0].name == "self"
        )
        if skip_first and parameters and parameters[0].kind is not _VAR_POSITIONAL:
            parameters = parameters[1:]
        self.parameters = parameters
        self.positional = [p for p in parameters if p.kind in (_POSITIONAL_ONLY, _POSITIONAL)]
        self.keyword_only = [p for p in parameters if p.kind is _KEYWORD_ONLY]
        self.varargs = next((p.name for p in parameters if p.kind is _VAR_POSITIONAL), None)
        self.varkw = next((p.name for p in parameters if p.kind is _VAR_KEYWORD), None)
        self._required = sum(p.default is _EMPTY for p in self.positional)
        self._layouts: dict[tuple[int, tuple[str, ...]], Layout] = {}
        self._plain = self.layout(0, ())
        self._defaults = [p.default for p in self.positional + self.keyword_only]
        self._simple = not self.keyword_only
        self.input_signature: tuple[Any, ...] | None = None
        self._wanted: Key | None = None
        if self.of_method:
            self.input_signature = Signature(python_function, True, input_signature, name).input_signature
        elif input_signature is not None:
            self._demand(input_signature)

    def layout(self, count: int, keywords: tuple[str, ...]) -> Layout:
        """The layout for so many ``*args`` and these ``**kwargs``."""
        found = self._layouts.get((count, keywords))
        if found is None:
            found = self._layouts[count, keywords] = Layout(self, count, keywords)
        return found

    # -- input_signature -----------------------------------------------------------------------------------------------

    def _demand(self, input_signature: Any) -> None:
        if not isinstance(input_signature, (tuple, list)):
            raise TypeError(
                f"input_signature must be a list or tuple of specs, one for each argument, not {input_signature!r}."
            )
        wrong = [spec for spec in flatten(input_signature) if not isinstance(spec, TypeSpec)]
        if wrong:
            raise TypeError(
                f"input_signature must be made of tf.TensorSpec and other specs, but it contains {wrong[0]!r} of type "
                f"{type(wrong[0]).__name__}."
            )
        specs = tuple(input_signature)
        extra = max(0, len(specs) - len(self.positional))
        if extra and self.varargs is None:
            raise TypeError(
                f"input_signature has {len(specs)} entries, but {self.name} takes {len(self.positional)} positional "
                f"arguments."
            )
        for parameter in self.positional[len(specs) :]:
            if parameter.default is _EMPTY:
                raise TypeError(
                    f"input_signature lacks the argument {parameter.name!r} of {self.name}, which has no default."
                )
        for parameter in self.keyword_only:
            if parameter.default is _EMPTY:
                raise TypeError(
                    f"With input_signature, the keyword-only argument {parameter.name!r} must have a default."
                )
        self.input_signature = specs
        context = TracingContext()
        unnamed = [_numbered(spec, context) for spec in specs]
        types = [from_value(spec, context) for spec in unnamed]
        rest = self.positional[len(specs) :] + self.keyword_only
        types += [from_value(p.default, context) for p in rest]
        self._wanted = Key(self.layout(extra, ()), tuple(types))

    @property
    def demanded(self) -> Key | None:
        """The only key there is when there is an ``input_signature``, else None."""
        return self._wanted

    def bind_demanded(self) -> Bound:
        """A call of just the types that ``input_signature`` demands; its values are not used."""
        assert self._wanted is not None
        layout = self._wanted.layout
        return Bound(layout, list(self._wanted.types), ())

    def plain(self, count: int) -> bool:
        """True if a call with so many positional arguments, and no keywords, is bound by filling in defaults alone."""
        return self._simple and self._required <= count <= len(self.positional) and self._wanted is None

    # -- binding -------------------------------------------------------------------------------------------------------

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Bound:
        """The canonical form of a call.

        Raises:
          TypeError: an argument is missing, unknown or given twice.
        """
        count = len(args)
        if not kwargs and self._simple and self._required <= count <= len(self.positional):
            if count == len(self.positional):
                return Bound(self._plain, list(args), ())
            rest = self.positional[count:]
            return Bound(self._plain, [*args, *[p.default for p in rest]], tuple([p.name for p in rest]))
        return self._bind(args, dict(kwargs))

    def _bind(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Bound:
        values: list[Any] = []
        defaulted = []
        missing = []
        for index, parameter in enumerate(self.positional):
            name = parameter.name
            if index < len(args):
                if name in kwargs and parameter.kind is not _POSITIONAL_ONLY:
                    raise self._wrong(f"multiple values for argument {name!r}")
                values.append(args[index])
            elif name in kwargs and parameter.kind is not _POSITIONAL_ONLY:
                values.append(kwargs.pop(name))
            elif parameter.default is not _EMPTY:
                values.append(parameter.default)
                defaulted.append(name)
            else:
                missing.append(name)
        extra = args[len(self.positional) :]
        if extra and self.varargs is None:
            raise self._wrong(
                f"too many positional arguments: {len(args)} were given, {len(self.positional)} are taken"
            )
        values += extra
        for parameter in self.keyword_only:
            if parameter.name in kwargs:
                values.append(kwargs.pop(parameter.name))
            elif parameter.default is not _EMPTY:
                values.append(parameter.default)
                defaulted.append(parameter.name)
            else:
                missing.append(parameter.name)
        if missing:
            names = ", ".join(map(repr, missing))
            raise self._wrong(
                f"missing a required argument: {names}" if len(missing) == 1 else f"missing the arguments {names}"
            )
        if kwargs and self.varkw is None:
            raise self._wrong(f"got an unexpected keyword argument {next(iter(kwargs))!r}")
        keywords = tuple(sorted(kwargs))
        values += [kwargs[name] for name in keywords]
        return Bound(self.layout(len(extra), keywords), values, tuple(defaulted))

    def _wrong(self, what: str) -> TypeError:
        shown_parameters = ", ".join(str(p.replace(annotation=_EMPTY)) for p in self.parameters)
        return TypeError(f"{self.name}({shown_parameters}): {what}.")

    def key(self, bound: Bound) -> Key:
        """The key of a bound call; with ``input_signature``, its values are cast in place.

        Raises:
          SignatureMismatchError: a value does not fit ``input_signature``.
          TypeError: a value has no trace type.
        """
        wanted = self._wanted
        if wanted is not None:
            self._cast(bound, wanted)
            return wanted
        context = TracingContext()
        return Key(bound.layout, tuple([from_value(value, context) for value in bound.values]))

    def _cast(self, bound: Bound, wanted: Key) -> None:
        layout = bound.layout
        if layout is not wanted.layout:
            if layout.keywords:
                raise self._misfit(
                    f"got an unexpected keyword argument {layout.keywords[0]!r}: it is not in input_signature"
                )
            raise self._misfit(f"*{self.varargs} takes {wanted.layout.count} arguments, but got {layout.count}")
        for index, (type_, name) in enumerate(zip(wanted.types, layout.names, strict=True)):
            if name in bound.defaulted:
                continue
            try:
                bound.values[index] = type_.cast(bound.values[index], CastContext(name))
            except SignatureMismatchError as error:
                frozen = index >= len(self.input_signature or ())
                hint = f" {name!r} is not in input_signature, so it is frozen at its default." if frozen else ""
                raise self._misfit(f"{error}{hint}") from None

    def _misfit(self, what: str) -> SignatureMismatchError:
        return SignatureMismatchError(f"A call of {self.name} does not fit its input_signature. {what}")


def _numbered(spec: Any, context: TracingContext) -> Any:
    """Gives variables in a signature their numbers, so that two of them mean two different variables."""

    def number(leaf: Any) -> Any:
        if isinstance(leaf, VariableSpec) and leaf.alias_id is None:
            return VariableSpec(leaf.shape, leaf.dtype, leaf.trainable, context.alias_id(object()))
        return leaf

    return pack_sequence_as(spec, [number(leaf) for leaf in flatten(spec)])


def _parameters(python_function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters of any callable; those of a builtin without a signature are ``*args, **kwargs``."""
    try:
        return list(inspect.signature(python_function).parameters.values())
    except (TypeError, ValueError):
        return [inspect.Parameter("args", _VAR_POSITIONAL), inspect.Parameter("kwargs", _VAR_KEYWORD)]
