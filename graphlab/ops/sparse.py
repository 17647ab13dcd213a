"""``tf.sparse``: making sparse tensors, changing their form, arithmetic of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from graphlab.core import dtypes, nest, static
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.export import public
from graphlab.core.specs import IndexedSlices
from graphlab.core.tensor import Tensor
from graphlab.ops import sparse_arrays as arrays
from graphlab.ops import sparse_elementwise as elementwise
from graphlab.ops.sparse_tensor import SparseTensor, sparse_input


@public("sparse.from_dense")
def from_dense(tensor: Any, name: str | None = None) -> SparseTensor:
    """The elements of a tensor that are not zero (or the empty string).

    >>> import graphlab as tf
    >>> s = tf.sparse.from_dense([[0, 7], [8, 0]])
    >>> s.indices.numpy().tolist(), s.values.numpy().tolist()
    ([[0, 1], [1, 0]], [7, 8])
    """
    from graphlab.ops import array_shape, comparison, creation, gather_scatter, selection

    with name_scope(name, "dense_to_sparse"):
        tensor = convert_to_tensor(tensor)
        indices = selection.where(comparison.not_equal(tensor, creation.zeros([], tensor.dtype)))
        values = gather_scatter.gather_nd(tensor, indices)
        return SparseTensor(indices, values, array_shape.shape(tensor, out_type=dtypes.int64))


@public("sparse.to_dense")
def to_dense(sp_input: Any, default_value: Any = None, validate_indices: bool = True, name: str | None = None) -> Any:
    """The whole tensor.

    Args:
      sp_input: a SparseTensor with its elements in order, each place once.
      default_value: what stands where no element is kept; zero (or the empty string) if None.
      validate_indices: check the order.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: places outside of the shape, out of order, or twice.
      TypeError: ``sp_input`` is no SparseTensor.

    >>> import graphlab as tf
    >>> tf.sparse.to_dense(tf.SparseTensor([[1]], [5], [3]), default_value=-1).numpy()
    array([-1,  5, -1], dtype=int32)
    """
    from graphlab.ops.creation import zeros

    sp_input = sparse_input(sp_input)
    if default_value is None:
        default_value = zeros([], sp_input.dtype)
    parts = (sp_input.indices, sp_input.dense_shape, sp_input.values, default_value)
    return bind(arrays.TO_DENSE, parts, {"validate_indices": validate_indices}, name)


@public("sparse.reorder")
def reorder(sp_input: Any, name: str | None = None) -> SparseTensor:
    """The same tensor with its elements in order: the last axis runs fastest.

    >>> import graphlab as tf
    >>> tf.sparse.reorder(tf.SparseTensor([[1], [0]], [5, 6], [3])).values.numpy()
    array([6, 5], dtype=int32)
    """
    sp_input = sparse_input(sp_input)
    shape = sp_input.dense_shape
    indices, values = bind(arrays.REORDER, (sp_input.indices, sp_input.values, shape), None, name)
    return _shaped(SparseTensor(indices, values, shape), sp_input.shape)


def _shaped(sparse: SparseTensor, shape: Any) -> SparseTensor:
    sparse.set_shape(shape)
    return sparse


@public("sparse.reshape")
def reshape(sp_input: Any, shape: Any, name: str | None = None) -> SparseTensor:
    """The same elements in another shape; one size may be -1.

    Raises:
      tf.errors.InvalidArgumentError: the shapes have different numbers of elements.

    >>> import graphlab as tf
    >>> tf.sparse.reshape(tf.SparseTensor([[1, 0]], [5], [2, 3]), [-1]).indices.numpy()
    array([[3]])
    """
    sp_input = sparse_input(sp_input)
    with name_scope(name, "SparseReshape"):
        shape = convert_to_tensor(shape, dtypes.int64)
        indices, size = bind(arrays.RESHAPE, (sp_input.indices, sp_input.dense_shape, shape))
        result = SparseTensor(indices, sp_input.values, size)
        known = static.partial_value(shape)
        if known is not None:
            sizes = list(known)
            total = sp_input.shape.num_elements()
            if total is not None and sizes.count(None) == 1:
                from math import prod

                rest = prod(n for n in sizes if n is not None)
                if rest and total % rest == 0:
                    sizes[sizes.index(None)] = total // rest
            result.set_shape(sizes)
        return result


@public("sparse.slice")
def slice_(sp_input: Any, start: Any, size: Any, name: str | None = None) -> SparseTensor:
    """The part that begins at ``start``, of ``size`` or up to the end.

    >>> import graphlab as tf
    >>> part = tf.sparse.slice(tf.SparseTensor([[0, 1], [1, 2]], [5, 6], [2, 3]), [0, 1], [2, 2])
    >>> tf.sparse.to_dense(part).numpy()
    array([[5, 0],
           [0, 6]], dtype=int32)
    """
    sp_input = sparse_input(sp_input)
    with name_scope(name, "SparseSlice"):
        start = convert_to_tensor(start, dtypes.int64)
        size = convert_to_tensor(size, dtypes.int64)
        parts = (sp_input.indices, sp_input.values, sp_input.dense_shape, start, size)
        return SparseTensor(*bind(arrays.SLICE, parts))


@public("sparse.add")
def add(a: Any, b: Any, threshold: Any = 0) -> Any:
    """The sum: sparse if both are, else dense.

    Args:
      a, b: tensors of one shape and dtype, one of them sparse at least.
      threshold: in a sparse sum, elements that both have are left out if their sum is of a smaller magnitude.

    Raises:
      TypeError: neither is sparse.
      tf.errors.InvalidArgumentError: the shapes differ.

    >>> import graphlab as tf
    >>> s = tf.SparseTensor([[1]], [5.], [3])
    >>> tf.sparse.add(s, s).values.numpy(), tf.sparse.add(s, [1., 1., 1.]).numpy()
    (array([10.], dtype=float32), array([1., 6., 1.], dtype=float32))
    """
    if not (isinstance(a, SparseTensor) or isinstance(b, SparseTensor)):
        raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if isinstance(a, SparseTensor) and isinstance(b, SparseTensor):
        real = {dtypes.complex64: dtypes.float32, dtypes.complex128: dtypes.float64}.get(a.dtype, a.dtype)
        limit = convert_to_tensor(threshold, real, name="thresh")
        parts = (a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape, limit)
        return _shaped(SparseTensor(*bind(elementwise.ADD, parts)), a.shape.merge_with(b.shape))
    sparse, dense = (a, b) if isinstance(a, SparseTensor) else (b, a)
    return bind(elementwise.DENSE_ADD, (sparse.indices, sparse.values, sparse.dense_shape, dense))


def _extreme(op: Any, a: Any, b: Any, name: str | None) -> SparseTensor:
    a, b = sparse_input(a), sparse_input(b)
    parts = (a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape)
    indices, values = bind(op, parts, None, name)
    return SparseTensor(indices, values, a.dense_shape)


@public("sparse.maximum")
def maximum(sp_a: Any, sp_b: Any, name: str | None = None) -> SparseTensor:
    """The larger of the elements at each place that either keeps, the other being zero there if it has none.

    >>> import graphlab as tf
    >>> a, b = tf.SparseTensor([[0]], [-5], [3]), tf.SparseTensor([[2]], [6], [3])
    >>> tf.sparse.maximum(a, b).values.numpy()
    array([0, 6], dtype=int32)
    """
    return _extreme(elementwise.MAXIMUM, sp_a, sp_b, name)


@public("sparse.minimum")
def minimum(sp_a: Any, sp_b: Any, name: str | None = None) -> SparseTensor:
    """The smaller of the elements at each place that either keeps, the other being zero there if it has none.

    >>> import graphlab as tf
    >>> a, b = tf.SparseTensor([[0]], [-5], [3]), tf.SparseTensor([[2]], [6], [3])
    >>> tf.sparse.minimum(a, b).values.numpy()
    array([-5,  0], dtype=int32)
    """
    return _extreme(elementwise.MINIMUM, sp_a, sp_b, name)


@public("sparse.concat")
def concat(
    axis: int, sp_inputs: Sequence[Any], expand_nonconcat_dims: bool = False, name: str | None = None
) -> SparseTensor:
    """Sparse tensors one behind the other along an axis.

    Args:
      axis: the axis.
      sp_inputs: SparseTensors of one rank.
      expand_nonconcat_dims: other axes may differ in size; the largest counts.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: ranks or other sizes differ.

    >>> import graphlab as tf
    >>> s = tf.SparseTensor([[1]], [5], [3])
    >>> tf.sparse.concat(0, [s, s]).indices.numpy().tolist()
    [[1], [4]]
    """
    from graphlab.ops import array, math, reduction

    inputs = [sparse_input(item) for item in sp_inputs]
    if len(inputs) == 1:
        return inputs[0]
    shapes = [item.dense_shape for item in inputs]
    if expand_nonconcat_dims:
        rank = inputs[0].shape.rank
        largest = reduction.reduce_max(array.stack(shapes), 0)
        if rank is None:
            raise ValueError("expand_nonconcat_dims needs to know the rank of the inputs.")
        own = [int(number == axis % rank) for number in range(rank)]
        chosen = convert_to_tensor(own, dtypes.int64)
        shapes = [math.add(shape * chosen, largest * (1 - chosen)) for shape in shapes]
    parts = ([item.indices for item in inputs], [item.values for item in inputs], shapes)
    return SparseTensor(*bind(arrays.CONCAT, parts, {"concat_dim": axis}, name))


@public("sparse.expand_dims")
def expand_dims(sp_input: Any, axis: Any = None, name: str | None = None) -> SparseTensor:
    """With one more axis of size 1, behind all others or at ``axis``.

    >>> import graphlab as tf
    >>> tf.sparse.expand_dims(tf.SparseTensor([[1]], [5], [3]), 0).shape
    TensorShape([1, 3])
    """
    from graphlab.ops import array, creation

    sp_input = sparse_input(sp_input)
    axis = -1 if axis is None else static.value(axis) if isinstance(axis, Tensor) else axis
    rank = sp_input.shape.rank
    with name_scope(name, "expand_dims"):
        if axis < 0:
            if rank is None:
                raise ValueError("A negative axis needs to know the rank of the input.")
            axis = axis + rank + 1
        shape, indices = sp_input.dense_shape, sp_input.indices
        if rank is not None and not 0 <= axis <= rank:
            from graphlab.core.errors import InvalidArgumentError

            raise InvalidArgumentError(None, None, f"Expected size[1] in [0, {rank}], but got {axis}")
        column = creation.zeros_like(indices[:, :1])
        wider = array.concat([indices[:, :axis], column, indices[:, axis:]], 1)
        size = array.concat([shape[:axis], convert_to_tensor([1], dtypes.int64), shape[axis:]], 0)
        return SparseTensor(wider, sp_input.values, size)


@public("sparse.transpose")
def transpose(sp_input: Any, perm: Any = None, name: str | None = None) -> SparseTensor:
    """With its axes in the order ``perm``, reversed if None.

    >>> import graphlab as tf
    >>> tf.sparse.transpose(tf.SparseTensor([[1, 2]], [5], [2, 3])).indices.numpy()
    array([[2, 1]])
    """
    from graphlab.ops import array, creation, gather_scatter

    sp_input = sparse_input(sp_input)
    with name_scope(name, "SparseTranspose"):
        rank = sp_input.shape.rank
        if perm is None:
            if rank is None:
                raise ValueError("Without perm the rank of the input must be known.")
            perm = creation.range(rank - 1, -1, -1)
        indices = gather_scatter.gather(sp_input.indices, perm, axis=1)
        size = gather_scatter.gather(sp_input.dense_shape, perm)
        size.shape.assert_is_compatible_with([rank])
        order = static.value(convert_to_tensor(perm))
        known = None
        if order is not None and rank is not None:
            dims = sp_input.shape.as_list()
            known = [dims[int(axis)] for axis in order]
        return reorder(_shaped(SparseTensor(indices, array.identity(sp_input.values), size), known))


@public("sparse.retain")
def retain(sp_input: Any, to_retain: Any) -> SparseTensor:
    """The elements for which the bool vector ``to_retain`` is true.  ValueError for another number of them.

    >>> import graphlab as tf
    >>> tf.sparse.retain(tf.SparseTensor([[0], [1]], [5, 6], [3]), [False, True]).values.numpy()
    array([6], dtype=int32)
    """
    from graphlab.ops import array, gather_scatter, selection

    sp_input = sparse_input(sp_input)
    to_retain = convert_to_tensor(to_retain)
    to_retain.shape.with_rank(1).assert_is_compatible_with(sp_input.values.shape)
    at = array.reshape(selection.where(to_retain), [-1])
    indices = gather_scatter.gather(sp_input.indices, at)
    values = gather_scatter.gather(sp_input.values, at)
    return _shaped(SparseTensor(indices, values, array.identity(sp_input.dense_shape)), sp_input.shape)


@public("sparse.mask")
def mask(a: IndexedSlices, mask_indices: Any, name: str | None = None) -> IndexedSlices:
    """``tf.IndexedSlices`` without the rows ``mask_indices``.

    >>> import graphlab as tf
    >>> rows = tf.IndexedSlices(tf.constant([[1.], [2.]]), tf.constant([4, 7]))
    >>> tf.sparse.mask(rows, [4]).values.numpy()
    array([[2.]], dtype=float32)
    """
    from graphlab.ops import gather_scatter, sorting

    with name_scope(name, "sparse_mask"):
        kept, at = sorting.setdiff1d(a.indices, mask_indices)
        return IndexedSlices(gather_scatter.gather(a.values, at), kept, a.dense_shape)


@public("sparse.map_values")
def map_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> SparseTensor:
    """Calls a function with the ``values`` of sparse tensors in place of these, and gives the result their places.

    Args:
      op: a function that returns one tensor with as many elements.
      *args, **kwargs: its arguments; the SparseTensors among them must have the same places.

    Raises:
      ValueError: no argument is sparse, or the result has another size.
      tf.errors.InvalidArgumentError: the places differ.

    >>> import graphlab as tf
    >>> tf.sparse.map_values(tf.add, tf.SparseTensor([[1]], [5], [3]), 100).values.numpy()
    array([105], dtype=int32)
    """
    from graphlab.ops import debugging

    sparse = [item for item in nest.flatten([args, kwargs]) if isinstance(item, SparseTensor)]
    if not sparse:
        raise ValueError("No SparseTensor in argument list of map_values")
    first = sparse[0]
    for other in sparse[1:]:
        if other.indices is not first.indices:
            debugging.assert_equal(other.indices, first.indices, message="The places of the sparse tensors differ.")
        if other.dense_shape is not first.dense_shape:
            debugging.assert_equal(other.dense_shape, first.dense_shape, message="The shapes differ.")
    positional, named = nest.map_structure(
        lambda item: item.values if isinstance(item, SparseTensor) else item, [list(args), kwargs]
    )
    return first.with_values(op(*positional, **named))


@public("sparse.eye")
def eye(num_rows: Any, num_columns: Any = None, dtype: Any = dtypes.float32, name: str | None = None) -> SparseTensor:
    """The identity matrix as a SparseTensor.

    >>> import graphlab as tf
    >>> tf.sparse.to_dense(tf.sparse.eye(2, 3)).numpy()
    array([[1., 0., 0.],
           [0., 1., 0.]], dtype=float32)
    """
    from graphlab.ops import array, creation, math

    with name_scope(name, "eye"):
        rows = convert_to_tensor(num_rows, dtypes.int64)
        columns = rows if num_columns is None else convert_to_tensor(num_columns, dtypes.int64)
        size = math.minimum(rows, columns)
        at = creation.range(size)
        return SparseTensor(
            array.stack([at, at], 1), creation.ones(array.reshape(size, [1]), dtype), array.stack([rows, columns])
        )


@public("sparse.fill_empty_rows")
def fill_empty_rows(sp_input: Any, default_value: Any, name: str | None = None) -> tuple[SparseTensor, Any]:
    """Puts ``default_value`` at the beginning of rows that keep no element.

    Returns:
      the filled SparseTensor, and a bool vector that is true for the rows that were empty.

    >>> import graphlab as tf
    >>> filled, empty = tf.sparse.fill_empty_rows(tf.SparseTensor([[1, 0]], [5], [2, 2]), 9)
    >>> filled.values.numpy(), empty.numpy()
    (array([9, 5], dtype=int32), array([ True, False]))
    """
    sp_input = sparse_input(sp_input)
    with name_scope(name, "SparseFillEmptyRows"):
        default_value = convert_to_tensor(default_value, sp_input.dtype)
        parts = (sp_input.indices, sp_input.values, sp_input.dense_shape, default_value)
        indices, values, empty, _ = bind(arrays.FILL_EMPTY_ROWS, parts)
        return _shaped(SparseTensor(indices, values, sp_input.dense_shape), sp_input.shape), empty


@public("sparse.softmax")
def softmax(sp_input: Any, name: str | None = None) -> SparseTensor:
    """``tf.nn.softmax`` over the elements that are kept, along the last axis.

    >>> import graphlab as tf
    >>> tf.sparse.softmax(tf.SparseTensor([[0, 0], [0, 2]], [1., 1.], [1, 3])).values.numpy()
    array([0.5, 0.5], dtype=float32)
    """
    sp_input = sparse_input(sp_input)
    with name_scope(name, "SparseSoftmax"):
        parts = (sp_input.indices, sp_input.values, sp_input.dense_shape)
        result: SparseTensor = sp_input.with_values(bind(elementwise.SOFTMAX, parts))
        return result


@public("sparse.split")
def split(
    sp_input: Any = None, num_split: int | None = None, axis: Any = None, name: str | None = None
) -> list[SparseTensor]:
    """Parts along an axis; the first ones are longer by one if they can't be equal.

    Raises:
      tf.errors.InvalidArgumentError: more parts than the axis is long.

    >>> import graphlab as tf
    >>> [part.shape for part in tf.sparse.split(tf.SparseTensor([[0]], [5], [5]), 2, 0)]
    [TensorShape([3]), TensorShape([2])]
    """
    if sp_input is None or num_split is None or axis is None:
        raise ValueError("sp_input, num_split and axis are required.")
    sp_input = sparse_input(sp_input)
    axis = convert_to_tensor(axis, dtypes.int64)
    parts = (axis, sp_input.indices, sp_input.values, sp_input.dense_shape)
    found = bind(arrays.SPLIT, parts, {"num_split": num_split}, name)
    return [SparseTensor(*pieces) for pieces in zip(*found, strict=True)]


@public("sparse.to_indicator")
def to_indicator(sp_input: Any, vocab_size: Any, name: str | None = None) -> Any:
    """A bool tensor that is true where the values of the last axis point: ``[..., values[i]]``.

    >>> import graphlab as tf
    >>> tf.sparse.to_indicator(tf.SparseTensor([[0, 0], [0, 1]], [2, 0], [1, 2]), 4).numpy()
    array([[ True, False,  True, False]])
    """
    from graphlab.ops import array, casting, creation

    sp_input = sparse_input(sp_input)
    with name_scope(name, "SparseToIndicator"):
        numbers = array.expand_dims(casting.cast(sp_input.values, dtypes.int64), 1)
        indices = array.concat([sp_input.indices[:, :-1], numbers], 1)
        width = array.reshape(convert_to_tensor(vocab_size, dtypes.int64), [1])
        shape = array.concat([sp_input.dense_shape[:-1], width], 0)
        values = creation.fill(_count(sp_input), True)
        return to_dense(SparseTensor(indices, values, shape), False, validate_indices=False)


def _count(sparse: SparseTensor) -> Any:
    """The number of kept elements, as a vector of one."""
    from graphlab.ops.array_shape import shape

    return shape(sparse.values)


@public("sparse.reset_shape")
def reset_shape(sp_input: Any, new_shape: Any = None) -> SparseTensor:
    """The same elements in a larger shape, or (None) in the smallest that holds them.

    Raises:
      ValueError: the new shape has another rank, or is smaller than the old one.

    >>> import graphlab as tf
    >>> tf.sparse.reset_shape(tf.SparseTensor([[1, 0]], [5], [9, 9])).shape
    TensorShape([2, 1])
    """
    from graphlab.ops import array, debugging, reduction

    sp_input = sparse_input(sp_input)
    indices, shape = array.identity(sp_input.indices), array.identity(sp_input.dense_shape)
    if new_shape is None:
        from graphlab.ops.math import maximum as larger

        return SparseTensor(indices, array.identity(sp_input.values), larger(reduction.reduce_max(indices, 0) + 1, 0))
    new_shape = convert_to_tensor(new_shape, dtypes.int64)
    new_shape.shape.with_rank(1).assert_is_compatible_with(shape.shape)
    wanted, own = static.value(new_shape), sp_input.shape
    if wanted is not None and own.is_fully_defined():
        if any(n < m for n, m in zip(wanted.tolist(), own.as_list(), strict=True)):
            raise ValueError(
                f"Requested new_shape should have dimension sizes >= sp_input.shape.  Found new_shape ({wanted}), "
                f"sp_input.shape ({own})."
            )
    else:
        debugging.assert_less_equal(shape, new_shape, message="The new shape is smaller than the old one.")
    return SparseTensor(indices, array.identity(sp_input.values), new_shape)
