"""Sums of products over named axes: ``tf.einsum`` and ``tf.tensordot``."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, misfit, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import REQUIRED, Arg, define
from graphlab.core.state import state
from graphlab.core.tensor import EagerTensor, Tensor
from graphlab.ops import gradients_written_out as gradients
from graphlab.ops import inference
from graphlab.ops.inference import Attrs, Shape

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _parse(equation: str) -> tuple[list[str], str]:
    """``"ij,jk->ik"`` → the labels of each input and of the output."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    inputs = left.split(",")
    for part in [*inputs, right]:
        rest = part.replace("...", "", 1)
        bad = [c for c in rest if c not in _LETTERS]
        if bad:
            raise ValueError(f"Invalid character {bad[0]!r} in the einsum equation {equation!r}.")
    if not arrow:
        counted = "".join(inputs).replace(".", "")
        right = "".join(sorted(c for c in set(counted) if counted.count(c) == 1))
        if any("..." in part for part in inputs):
            right = "..." + right
    return inputs, right


def _check_output(equation: str, inputs: Sequence[str], output: str) -> None:
    for label in output.replace("...", ""):
        if output.count(label) > 1:
            raise ValueError(f"The label {label!r} is twice in the output of the einsum equation {equation!r}.")
        if not any(label in part for part in inputs):
            raise ValueError(f"The label {label!r} of the output is in no input of the einsum equation {equation!r}.")


def _once(labels: str) -> str:
    """Labels without repetition, in their order."""
    return "".join(dict.fromkeys(labels.replace(".", "")))


# -------------------------------------------------------------------------------------------------------------- kernel


def _einsum(inputs: Sequence[Any], equation: str) -> Any:
    terms, output = _parse(equation)
    if len(terms) != len(inputs):
        raise InvalidArgumentError(
            None, None, f"Expected {len(terms)} inputs for equation {equation}, got {len(inputs)}"
        )
    dtype = inputs[0].dtype
    arrays = [x.astype(np.float32) for x in inputs] if dtype.itemsize == 2 and dtype.kind in "fV" else list(inputs)
    unique = ("..." if "..." in output else "") + _once(output)
    head = output.replace("...", "", 1)
    if len(_once(head)) == len(head):  # no label twice in the result: NumPy can do it
        result = np.einsum(",".join(terms) + "->" + output, *arrays, optimize=len(arrays) > 1)
        return np.asarray(result).astype(dtype, copy=False)
    spread = np.einsum(",".join(terms) + "->" + unique, *arrays, optimize=len(arrays) > 1)
    return _inflate(np.asarray(spread), unique, output).astype(dtype, copy=False)


def _inflate(x: Any, labels: str, output: str) -> Any:
    """Puts ``x`` on the diagonal of axes whose label is in ``output`` more than once, zeros elsewhere."""
    names = labels.replace("...", "")
    batch = x.ndim - len(names)
    sizes = dict(zip(names, x.shape[batch:], strict=True))
    head, dots, tail = output.partition("...")
    order = [*head, *(["..."] if dots else []), *tail]
    shape: list[int] = []
    index: list[Any] = []
    grids = dict(zip(names, np.ogrid[tuple(slice(n) for n in x.shape[batch:])], strict=True))
    for label in order:
        if label == "...":
            shape += x.shape[:batch]
            index += [slice(None)] * batch
        else:
            shape.append(sizes[label])
            index.append(grids[label])
    result = np.zeros(shape, x.dtype)
    # Advanced indices that are apart put their axes first.
    view = np.moveaxis(x, range(batch), range(x.ndim - batch, x.ndim)) if not _together(index) else x
    if _together(index) and dots and head:
        at = next(i for i, item in enumerate(index) if not isinstance(item, slice))
        view = (
            np.moveaxis(x, range(batch), range(batch))
            if at
            else np.moveaxis(x, range(batch), range(x.ndim - batch, x.ndim))
        )
    result[tuple(index)] = view
    return result


def _together(index: Sequence[Any]) -> bool:
    arrays = [i for i, item in enumerate(index) if not isinstance(item, slice)]
    return not arrays or arrays[-1] - arrays[0] == len(arrays) - 1


# ----------------------------------------------------------------------------------------------------------- inference


def _einsum_shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    terms, output = _parse(attrs["equation"])
    if len(terms) != len(args):
        raise ValueError(f"Expected {len(terms)} inputs for equation {attrs['equation']}, got {len(args)}.")
    sizes: dict[str, int | None] = {}
    batch: Shape = ()
    for term, arg in zip(terms, args, strict=True):
        shape = arg.shape
        names = term.replace("...", "")
        if shape is None:
            if "..." in term:
                batch = None
            continue
        if "..." not in term:
            inference.with_rank(shape, len(names), f"The input {term!r}")
        elif len(shape) < len(names):
            raise ValueError(f"The input {term!r} needs at least rank {len(names)}, but has {inference.show(shape)}.")
        head, dots, tail = term.partition("...")
        middle = shape[len(head) : len(shape) - len(tail)]
        if dots:
            batch = inference.broadcast(batch, middle)
        for label, size in [*zip(head, shape, strict=False), *zip(tail, shape[len(shape) - len(tail) :], strict=True)]:
            sizes[label] = inference.merge_dim(sizes.get(label), size, f"The sizes of axis {label!r}")
    head, dots, tail = output.partition("...")
    if dots and batch is None:
        return None
    middle = batch if dots and batch is not None else ()
    return (*[sizes.get(c) for c in head], *middle, *[sizes.get(c) for c in tail])


# ------------------------------------------------------------------------------------------------------------ gradient


def _einsum_grad(op: Any, dy: Any) -> list[Any]:
    terms, output = _parse(op.attrs["equation"])
    if state.graph is not None and len(terms) <= 2 and all(x._raw_shape() is not None for x in op.inputs):
        found = gradients.einsum(op, dy, terms, output)
        if found is not None:
            return found
    return [_by_input(op, dy, terms, output, i) if op.needs(i) else None for i in range(len(terms))]


def _by_input(op: Any, dy: Any, terms: list[str], output: str, i: int) -> Any:
    """The gradient by input i: the product of ``dy`` with the other inputs, summed to the labels of input i.

    Labels that are in input i alone were summed away: along them the gradient is repeated.
    """
    from graphlab.ops import array, array_shape
    from graphlab.ops.broadcasting import BROADCAST_GRADIENT_ARGS, known, sum_to
    from graphlab.ops.complex import conj
    from graphlab.ops.reduction import reduce_sum

    x = op.inputs[i]
    others = [conj(t) if t.dtype.is_complex else t for j, t in enumerate(op.inputs) if j != i]
    other_terms = [term for j, term in enumerate(terms) if j != i]
    term = terms[i]
    available = set(output.replace(".", "")) | set("".join(other_terms).replace(".", ""))
    names = _once(term)
    reached = "".join(c for c in names if c in available)
    lonely = "".join(c for c in names if c not in available)
    dots = "..." if "..." in term and ("..." in output or any("..." in t for t in other_terms)) else ""
    g = einsum(",".join([output, *other_terms]) + "->" + dots + reached, dy, *others)
    batch = "..." if "..." in term else ""
    # From here on axes stand in one order: the batch, the labels that got a gradient, the others; each label once.
    plain = term.replace("...", "")
    target = batch + reached + lonely
    like = x
    if target != term:
        like = einsum(f"{term}->{target}", x)
    if lonely or (batch and not dots):
        sizes = like._raw_shape()
        for _ in lonely:
            g = array.expand_dims(g, -1)
        if batch and not dots:
            raise_rank = len(sizes) - len(plain if not lonely else names)
            for _ in range(max(raise_rank, 0)):
                g = array.expand_dims(g, 0)
        if lonely or not dots:
            g = array_shape.broadcast_to(g, _target_shape(g, like, len(lonely)))
    if batch and dots:
        if known(g._raw_shape()) and known(like._raw_shape()):
            g = sum_to(g, like._raw_shape())
        else:
            mine = array_shape.shape(like)
            axes, _ = bind(BROADCAST_GRADIENT_ARGS, (mine, array_shape.shape(g)))
            g = array.reshape(reduce_sum(g, axes), mine)
    return g if target == term else _bound([target], term, [g])


def _target_shape(g: Any, like: Any, lonely: int) -> Any:
    """The shape to repeat a gradient to: that of ``like`` on its last axes, that of ``g`` on a (broadcast) batch."""
    from graphlab.ops import array, array_shape
    from graphlab.ops.broadcasting import known

    have, wanted = g._raw_shape(), like._raw_shape()
    if known(have) and known(wanted):
        return [*have[: len(have) - lonely], *wanted[len(wanted) - lonely :]] if lonely else list(wanted)
    if not lonely:
        return array_shape.shape(like)
    front = array_shape.shape(g)[:-lonely]
    return array.concat([front, array_shape.shape(like)[-lonely:]], 0)


EINSUM = define("Einsum", "inputs: N*T -> output: T", kernel=_einsum, infer=_einsum_shape, gradient=_einsum_grad,
                attrs={"equation": REQUIRED}, can_fail=True)  # fmt: skip


@public("einsum", "linalg.einsum")
def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Any:
    """Sums products of elements over named axes.

    Args:
      equation: the names of each input's axes and, after ``->``, of the result's: ``"ij,jk->ik"`` is the product of
        matrices.  Axes that are not in the result are summed over.  ``...`` stands for axes that broadcast.  Without
        ``->`` the result has the names that occur once, in alphabetical order.
      *inputs: a tensor for each.
      **kwargs: ``optimize``, the order of the products: ``"greedy"`` (the default), ``"optimal"``, or another one that
        NumPy's ``einsum_path`` knows; ``name``, a name for the nodes' scope.

    Raises:
      ValueError: if the equation is malformed, or (while tracing) shapes don't fit.
      tf.errors.InvalidArgumentError: if shapes don't fit.
      TypeError: for another keyword.

    >>> import graphlab as tf
    >>> tf.einsum("ij,jk->ik", [[1, 2], [3, 4]], [[5], [6]]).numpy()
    array([[17],
           [39]], dtype=int32)
    >>> tf.einsum("ii", [[1, 2], [3, 4]]).numpy()
    np.int32(5)
    """
    name = kwargs.pop("name", None)
    optimize = kwargs.pop("optimize", "greedy")
    if kwargs:
        raise TypeError(
            f"Invalid keyword arguments for einsum: {', '.join(kwargs)}. Valid ones: name, optimize, greedy."
        )
    terms, output = _parse(equation)
    _check_output(equation, terms, output)
    if len(terms) != len(inputs):
        raise ValueError(f"Expected {len(terms)} inputs for equation {equation}, got {len(inputs)}.")
    for label in output.replace("...", ""):  # the op takes it: the gradient of a trace has it
        if output.count(label) > 1:
            raise ValueError(f"The label {label!r} is twice in the output of the einsum equation {equation!r}.")
    with name_scope(name, "einsum"):
        tensors = [convert_to_tensor(x) for x in inputs]
        if len(tensors) <= 2:
            return _bound(terms, output, tensors)
        for chosen in _path(terms, output, tensors, optimize):
            picked = sorted(chosen, reverse=True)
            parts = [(terms.pop(i), tensors.pop(i)) for i in picked]
            rest = set("".join([*terms, output]).replace(".", ""))
            kept = "".join(c for c in _once("".join(term for term, _ in parts)) if c in rest)
            dots = "..." if any("..." in term for term, _ in parts) and (not terms or "..." in output) else ""
            between = output if not terms else dots + kept
            tensors.append(_bound([term for term, _ in parts], between, [t for _, t in parts]))
            terms.append(between)
        return tensors[0]


def _bound(terms: list[str], output: str, tensors: list[Any]) -> Any:
    return bind(EINSUM, (tensors,), {"equation": ",".join(terms) + "->" + output})


def _path(terms: list[str], output: str, tensors: list[Any], optimize: Any) -> list[tuple[int, ...]]:
    """The order in which more than two tensors are multiplied."""
    shapes = [t._raw_shape() for t in tensors]
    count = len(tensors)
    if any(shape is None for shape in shapes) or any("..." in term for term in terms):
        return [(0, 1) for _ in range(count - 1)]
    stand_ins = [np.broadcast_to(np.float32(0), [1 if n is None else n for n in shape]) for shape in shapes]
    path, _ = np.einsum_path(",".join(terms) + "->" + output, *stand_ins, optimize=optimize or "greedy")
    steps = [tuple(step) for step in path[1:]]
    return steps if all(len(step) <= 2 for step in steps) else [(0, 1) for _ in range(count - 1)]


# ---------------------------------------------------------------------------------------------------------- tensordot


def _axes_of(a: Any, axes: Any) -> tuple[Any, Any]:
    """The contracted axes of both arguments: lists, or tensors of a graph."""
    if isinstance(axes, np.ndarray):
        axes = axes.tolist()
    if isinstance(axes, (int, np.integer)):
        count = int(axes)
        if count < 0:
            raise ValueError(f"`axes` must be at least 0. Received: {axes}.")
        shape = a._raw_shape()
        if shape is not None and count > len(shape):
            raise ValueError(
                f"`axes` must not be larger than the number of dimensions of tensor {a}. Received {axes}, rank "
                f"{len(shape)}."
            )
        return list(range(-count, 0)), list(range(count))
    if not isinstance(axes, (list, tuple)):
        axes = convert_to_tensor(axes, dtypes.int32, name="axes")
        shape = axes._raw_shape()
        if shape is not None and (len(shape) != 2 or shape[0] not in (2, None)):
            raise misfit(
                f"`axes` must be an integer or have length 2, not be a tensor of shape {inference.show(shape)}."
            )
        if not isinstance(axes, EagerTensor):
            return axes[0], axes[1]
        axes = axes._a.tolist()
    if len(axes) != 2:
        raise ValueError(f"`axes` must be an integer or have length 2, not {axes!r:.100}.")
    pair = [_numbers(part) for part in axes]
    if len(pair[0]) != len(pair[1]):
        raise ValueError(f"Different number of contraction axes `a` and `b`, {len(pair[0])} != {len(pair[1])}.")
    return pair[0], pair[1]


def _numbers(part: Any) -> list[int]:
    """The axes of one argument, of which there may be one only."""
    if isinstance(part, EagerTensor):
        part = part._a
    found = list(part) if isinstance(part, (list, tuple, np.ndarray)) and np.ndim(part) else [part]
    for axis in found:
        if not isinstance(axis, (int, np.integer)):
            raise TypeError(f"`axes` must be integers, not {axis!r:.100}.")
    return [int(axis) for axis in found]


def _as_matrix_of_any_rank(t: Any, axes: Any, last: bool) -> tuple[Any, None, Any]:
    """As ``_as_matrix``, computed at run time; instead of the other axes it returns their sizes."""
    from graphlab.ops import array, array_shape, comparison, creation, division, reduction
    from graphlab.ops.gather_scatter import gather
    from graphlab.ops.slicing import boolean_mask

    sizes, rank = array_shape.shape(t), array_shape.rank(t)
    at = division.floormod(axes if isinstance(axes, Tensor) else np.array(axes, np.int32), rank)
    every = creation.range(rank)
    gone = reduction.reduce_any(comparison.equal(array.expand_dims(every, 1), at), 1)
    free = boolean_mask(every, comparison.logical_not(gone))
    free_sizes = gather(sizes, free)
    rows, inner = reduction.reduce_prod(free_sizes), reduction.reduce_prod(gather(sizes, at))
    moved = array.transpose(t, array.concat([free, at] if last else [at, free], 0))
    return array.reshape(moved, array.stack([rows, inner] if last else [inner, rows])), None, free_sizes


def _as_matrix(t: Any, axes: Any, last: bool) -> tuple[Any, list[int | None] | None, Any]:
    """``t`` as a matrix: its other axes, and the contracted ones (last, or first)."""
    from graphlab.ops import array, array_shape, reduction

    shape = t._raw_shape()
    if shape is None or isinstance(axes, Tensor):
        return _as_matrix_of_any_rank(t, axes, last)
    at = [inference.axis_in(axis, len(shape)) for axis in axes]
    free = [i for i in range(len(shape)) if i not in at]
    order = free + at if last else at + free
    if order != list(range(len(shape))):
        t = array.transpose(t, order)
    sizes = [shape[i] for i in free]
    inner = [shape[i] for i in at]
    if None not in shape:
        flat = [prod(sizes), prod(inner)]
        matrix = [flat[0], flat[1]] if last else [flat[1], flat[0]]
        if len(shape) == 2 and list(t._raw_shape()) == matrix:
            return t, sizes, free
        return array.reshape(t, matrix), sizes, free
    every = array_shape.shape(t)
    count = len(free) if last else len(at)
    both = [reduction.reduce_prod(every[:count]), reduction.reduce_prod(every[count:])]
    return array.reshape(t, array.stack(both)), sizes, free


@public("tensordot", "linalg.tensordot")
def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Any:
    """Sums products over pairs of axes of two tensors.

    Args:
      a: a tensor.
      b: a tensor of the dtype of ``a``.
      axes: how many of the last axes of ``a`` and the first of ``b``; or two lists of as many axes each, or an int32
        tensor of shape ``[2, n]``.
      name: a name for the nodes' scope.

    Returns:
      A tensor with the other axes of ``a``, then those of ``b``.

    Raises:
      ValueError: if ``axes`` don't fit.
      TypeError: if they are no integers.

    >>> import graphlab as tf
    >>> tf.tensordot([[1, 2], [3, 4]], [5, 6], 1).numpy()
    array([17, 39], dtype=int32)
    """
    from graphlab.ops import array, array_shape
    from graphlab.ops.matmul import matmul

    with name_scope(name, "Tensordot") as scope:
        a = convert_to_tensor(a, name="a")
        b = convert_to_tensor(b, name="b")
        a_axes, b_axes = _axes_of(a, axes)
        left, rows, a_free = _as_matrix(a, a_axes, True)
        right, columns, b_free = _as_matrix(b, b_axes, False)
        product = matmul(left, right)
        if rows is None or columns is None:
            whole = [
                free if sizes is None else [array_shape.shape(t)[i] for i in free]
                for t, sizes, free in ((a, rows, a_free), (b, columns, b_free))
            ]
            return array.reshape(product, array.concat(whole, 0), name=scope or None)
        if len(rows) == len(columns) == 1:
            return product
        if None not in rows and None not in columns:
            return array.reshape(product, [*rows, *columns], name=scope or None)
        parts = [array_shape.shape(a)[i] for i in a_free] + [array_shape.shape(b)[i] for i in b_free]
        result = array.reshape(product, array.stack(parts), name=scope or None)
        result.set_shape([*rows, *columns])
        return result
