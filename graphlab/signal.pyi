# Written by tools/generate_index.py: do not edit.
from graphlab.ops.signal_fourier import fft as fft
from graphlab.ops.signal_fourier import fft2d as fft2d
from graphlab.ops.signal_fourier import fft3d as fft3d
from graphlab.ops.signal_fourier import fftshift as fftshift
from graphlab.ops.signal_fourier import ifft as ifft
from graphlab.ops.signal_fourier import ifft2d as ifft2d
from graphlab.ops.signal_fourier import ifft3d as ifft3d
from graphlab.ops.signal_fourier import ifftshift as ifftshift
from graphlab.ops.signal_fourier import irfft as irfft
from graphlab.ops.signal_fourier import irfft2d as irfft2d
from graphlab.ops.signal_fourier import irfft3d as irfft3d
from graphlab.ops.signal_fourier import rfft as rfft
from graphlab.ops.signal_fourier import rfft2d as rfft2d
from graphlab.ops.signal_fourier import rfft3d as rfft3d

__all__ = [
    "fft",
    "fft2d",
    "fft3d",
    "fftshift",
    "ifft",
    "ifft2d",
    "ifft3d",
    "ifftshift",
    "irfft",
    "irfft2d",
    "irfft3d",
    "rfft",
    "rfft2d",
    "rfft3d",
]
