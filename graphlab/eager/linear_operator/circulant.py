"""Circulant matrices: diagonal in the basis of the discrete Fourier transform."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.export import public
from graphlab.core.shape import TensorShape
from graphlab.eager.linear_operator import arrays
from graphlab.eager.linear_operator.base import LinearOperator
from graphlab.eager.linear_operator.simple import _assert_no_zero
from graphlab.ops import signal_fourier as fourier
from graphlab.ops.array import concat, expand_dims, reshape
from graphlab.ops.array_shape import shape as shape_of
from graphlab.ops.casting import cast
from graphlab.ops.complex import conj, imag, real
from graphlab.ops.creation import ones
from graphlab.ops.debugging import assert_less
from graphlab.ops.debugging_signs import assert_positive
from graphlab.ops.diagonal import matrix_transpose
from graphlab.ops.math import abs as absolute
from graphlab.ops.reduction import reduce_max, reduce_min, reduce_prod, reduce_sum
from graphlab.ops.unary import log

_TRANSFORMS: dict[int, tuple[Any, Any]] = {
    1: (fourier.fft, fourier.ifft),
    2: (fourier.fft2d, fourier.ifft2d),
    3: (fourier.fft3d, fourier.ifft3d),
}


class _Circulant(LinearOperator):
    """A (nested block) circulant matrix; subclasses say how deeply it is nested."""

    _tensor_parameters = ("spectrum",)
    _depth = 1

    def __init__(
        self,
        spectrum: Any,
        input_output_dtype: Any = dtypes.complex64,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        name: str | None = None,
    ) -> None:
        input_output_dtype = dtypes.as_dtype(input_output_dtype)
        parameters = dict(locals())
        self._spectrum = arrays.tensor(spectrum, "spectrum")
        rank = self._spectrum.shape.rank
        if rank is not None and rank < self._depth:
            raise ValueError(f"Argument `spectrum` must have at least {self._depth} dimensions. Received: {spectrum}.")
        if not self._spectrum.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError(
                    "A real spectrum always corresponds to a self-adjoint operator. Expected argument "
                    "`is_self_adjoint` to be True."
                )
            is_self_adjoint = True
        if is_square is False:
            raise ValueError("A [[nested] block] circulant operator is always square.")
        super().__init__(
            input_output_dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, True, name, parameters
        )

    @property
    def spectrum(self) -> Any:
        """The eigenvalues, in the order of the Fourier transform."""
        return self._spectrum

    @property
    def block_depth(self) -> int:
        """How deeply the blocks are nested: 1, 2 or 3."""
        return self._depth

    @property
    def block_shape(self) -> TensorShape:
        """The sizes of the spectrum without the batch."""
        return TensorShape(self._spectrum.shape)[-self._depth :]

    def block_shape_tensor(self) -> Any:
        """The sizes of the spectrum without the batch, as an int32 vector."""
        return shape_of(self._spectrum)[-self._depth :]

    def _shape(self) -> TensorShape:
        known = TensorShape(self._spectrum.shape)
        if known.rank is None:
            return known
        size = self.block_shape.num_elements()
        return known[: -self._depth].concatenate([size, size])

    def _shape_tensor(self) -> Any:
        sizes = shape_of(self._spectrum)
        size = expand_dims(reduce_prod(sizes[-self._depth :]), 0)
        return concat([sizes[: -self._depth], size, size], 0)

    def _complex(self, x: Any) -> Any:
        from graphlab.core.convert import convert_to_tensor

        x = convert_to_tensor(x)
        if x.dtype.is_complex:
            return x
        return cast(x, dtypes.complex128 if x.dtype is dtypes.float64 else dtypes.complex64)

    def _through(self, x: Any, function: Any) -> Any:
        """Transforms columns, does something to them with the spectrum, and transforms them back."""
        forward, back = _TRANSFORMS[self._depth]
        spectrum = self._complex(self._spectrum)
        sizes = shape_of(spectrum)
        blocks = sizes[-self._depth :]
        lying = cast(matrix_transpose(x), spectrum.dtype)
        waves = forward(reshape(lying, concat([shape_of(lying)[:-1], blocks], 0)))
        factors = reshape(spectrum, concat([sizes[: -self._depth], [1], blocks], 0))
        result = back(function(waves, factors))
        result = reshape(result, concat([shape_of(result)[: -self._depth], [-1]], 0))
        result = self._mine(matrix_transpose(result))
        known = TensorShape(x.shape)
        if known.rank is not None and TensorShape(self._spectrum.shape).rank is not None:
            batch = arrays.joined_shape(self.batch_shape, known[:-2])
            result.set_shape(batch.concatenate([self._side(-1), known.as_list()[-1]]))
        return result

    def _mine(self, x: Any) -> Any:
        """In this operator's dtype; the imaginary part of what is real is left out."""
        if x.dtype.is_complex and not self.dtype.is_complex:
            x = real(x)
        return cast(x, self.dtype)

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        return self._through(x, lambda waves, factors: waves * (conj(factors) if adjoint else factors))

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return self._through(rhs, lambda waves, factors: waves / (conj(factors) if adjoint else factors))

    def _again(self, spectrum: Any) -> LinearOperator:
        return type(self)(spectrum, self.dtype, **self._hints())

    def _adjoint(self) -> LinearOperator:
        return self._again(conj(self._spectrum))

    def _inverse(self) -> LinearOperator:
        return self._again(1.0 / self._spectrum)

    def convolution_kernel(self, name: str = "convolution_kernel") -> Any:
        """The first column in the shape of the spectrum: its inverse Fourier transform, in this dtype."""
        with self._scope(name):
            return self._mine(_TRANSFORMS[self._depth][1](self._complex(self._spectrum)))

    def assert_hermitian_spectrum(self, name: str = "assert_hermitian_spectrum") -> Any:
        """Asserts that the matrix is real: that its first column is, up to what rounding does.

        Raises:
          tf.errors.InvalidArgumentError: it is not.
        """
        with self._scope(name):
            kernel = _TRANSFORMS[self._depth][1](self._complex(self._spectrum))
            kind = kernel.dtype.real_dtype
            size = cast(self._rows(), kind)
            limit = arrays.number(5.0 * float(np.finfo(kind.np).eps), kind) * size
            message = "Spectrum was not Hermitian"
            return assert_less(reduce_max(absolute(imag(kernel))), limit * reduce_max(absolute(kernel)) + limit,
                               message=message)  # fmt: skip

    def _flat(self) -> Any:
        sizes = shape_of(self._spectrum)
        flat = reshape(self._spectrum, concat([sizes[: -self._depth], [-1]], 0))
        known = TensorShape(self._spectrum.shape)
        if known.rank is not None:
            flat.set_shape(known[: -self._depth].concatenate([self.block_shape.num_elements()]))
        return flat

    def _eigvals(self) -> Any:
        return self._flat()

    def _trace(self) -> Any:
        return self._mine(reduce_sum(self._flat(), -1))

    def _diag_part(self) -> Any:
        mean = self._trace() / cast(self._rows(), self.dtype)
        return expand_dims(mean, -1) * ones(expand_dims(self._rows(), 0), dtype=self.dtype)

    def _determinant(self) -> Any:
        return self._mine(reduce_prod(self._flat(), -1))

    def _log_abs_determinant(self) -> Any:
        return cast(reduce_sum(log(absolute(self._flat())), -1), self.dtype)

    def _cond(self) -> Any:
        sizes = absolute(self._flat())
        return cast(reduce_max(sizes, -1) / reduce_min(sizes, -1), self.dtype.real_dtype)

    def _assert_non_singular(self) -> Any:
        return _assert_no_zero(self._flat(), "Singular operator:  Spectrum contained zero values.")

    def _assert_positive_definite(self) -> Any:
        message = "Not positive definite:  Real part of spectrum was not all positive."
        return assert_positive(real(self._flat()), message=message)

    def _assert_self_adjoint(self) -> Any:
        flat = self._flat()
        if not flat.dtype.is_complex:
            return None
        message = "Not self-adjoint:  The spectrum contained non-zero imaginary part."
        return assert_less(absolute(imag(flat)), arrays.number(1e-30, flat.dtype.real_dtype), message=message)


@public("linalg.LinearOperatorCirculant")
class LinearOperatorCirculant(_Circulant):
    """A circulant matrix: each column is the one before moved down, the last element coming in at the top.

    The spectrum has shape ``[..., n]``.

    Args:
      spectrum: the eigenvalues, of a floating-point or complex dtype: the Fourier transform of the first column.
      input_output_dtype: the type of the elements of the matrix; if it is real, the imaginary parts of products are
        left out.
      is_non_singular: a promise, see ``tf.linalg.LinearOperator``.
      is_self_adjoint: a promise; with a real spectrum it always is.
      is_positive_definite: a promise.
      is_square: True.
      name: a name.

    Raises:
      ValueError: a hint can't be, or the spectrum has too few axes.

    >>> import graphlab as tf
    >>> a = tf.linalg.LinearOperatorCirculant(tf.signal.fft(tf.constant([1., 2., 3.], tf.complex64)), tf.float32)
    >>> a.to_dense().numpy().round(3)
    array([[1., 3., 2.],
           [2., 1., 3.],
           [3., 2., 1.]], dtype=float32)
    """

    _depth = 1


@public("linalg.LinearOperatorCirculant2D")
class LinearOperatorCirculant2D(_Circulant):
    """A matrix whose blocks are circulant, in a circulant pattern.

    The spectrum has shape ``[..., n0, n1]``; the matrix has ``n0 * n1`` rows.

    Args:
      spectrum: the eigenvalues, of a floating-point or complex dtype: the Fourier transform of the first column.
      input_output_dtype: the type of the elements of the matrix; if it is real, the imaginary parts of products are
        left out.
      is_non_singular: a promise, see ``tf.linalg.LinearOperator``.
      is_self_adjoint: a promise; with a real spectrum it always is.
      is_positive_definite: a promise.
      is_square: True.
      name: a name.

    Raises:
      ValueError: a hint can't be, or the spectrum has too few axes.

    >>> import graphlab as tf
    >>> tf.linalg.LinearOperatorCirculant2D(tf.ones([2, 3])).shape
    TensorShape([6, 6])
    """

    _depth = 2


@public("linalg.LinearOperatorCirculant3D")
class LinearOperatorCirculant3D(_Circulant):
    """A matrix whose blocks are those of ``LinearOperatorCirculant2D``, in a circulant pattern.

    The spectrum has shape ``[..., n0, n1, n2]``; the matrix has ``n0 * n1 * n2`` rows.

    Args:
      spectrum: the eigenvalues, of a floating-point or complex dtype: the Fourier transform of the first column.
      input_output_dtype: the type of the elements of the matrix; if it is real, the imaginary parts of products are
        left out.
      is_non_singular: a promise, see ``tf.linalg.LinearOperator``.
      is_self_adjoint: a promise; with a real spectrum it always is.
      is_positive_definite: a promise.
      is_square: True.
      name: a name.

    Raises:
      ValueError: a hint can't be, or the spectrum has too few axes.

    >>> import graphlab as tf
    >>> tf.linalg.LinearOperatorCirculant3D(tf.ones([2, 2, 2])).shape
    TensorShape([8, 8])
    """

    _depth = 3
