# Written by tools/generate_index.py: do not edit.
from graphlab.ops.signal_frames import dct as dct
from graphlab.ops.signal_fourier import fft as fft
from graphlab.ops.signal_fourier import fft2d as fft2d
from graphlab.ops.signal_fourier import fft3d as fft3d
from graphlab.ops.signal_fourier import fftshift as fftshift
from graphlab.ops.signal_frames import frame as frame
from graphlab.ops.signal_frames import hamming_window as hamming_window
from graphlab.ops.signal_frames import hann_window as hann_window
from graphlab.ops.signal_frames import idct as idct
from graphlab.ops.signal_fourier import ifft as ifft
from graphlab.ops.signal_fourier import ifft2d as ifft2d
from graphlab.ops.signal_fourier import ifft3d as ifft3d
from graphlab.ops.signal_fourier import ifftshift as ifftshift
from graphlab.ops.signal_mel import inverse_mdct as inverse_mdct
from graphlab.ops.signal_frames import inverse_stft as inverse_stft
from graphlab.ops.signal_frames import inverse_stft_window_fn as inverse_stft_window_fn
from graphlab.ops.signal_fourier import irfft as irfft
from graphlab.ops.signal_fourier import irfft2d as irfft2d
from graphlab.ops.signal_fourier import irfft3d as irfft3d
from graphlab.ops.signal_frames import kaiser_bessel_derived_window as kaiser_bessel_derived_window
from graphlab.ops.signal_frames import kaiser_window as kaiser_window
from graphlab.ops.signal_mel import linear_to_mel_weight_matrix as linear_to_mel_weight_matrix
from graphlab.ops.signal_mel import mdct as mdct
from graphlab.ops.signal_mel import mfccs_from_log_mel_spectrograms as mfccs_from_log_mel_spectrograms
from graphlab.ops.signal_frames import overlap_and_add as overlap_and_add
from graphlab.ops.signal_fourier import rfft as rfft
from graphlab.ops.signal_fourier import rfft2d as rfft2d
from graphlab.ops.signal_fourier import rfft3d as rfft3d
from graphlab.ops.signal_frames import stft as stft
from graphlab.ops.signal_frames import vorbis_window as vorbis_window

__all__ = [
    "dct",
    "fft",
    "fft2d",
    "fft3d",
    "fftshift",
    "frame",
    "hamming_window",
    "hann_window",
    "idct",
    "ifft",
    "ifft2d",
    "ifft3d",
    "ifftshift",
    "inverse_mdct",
    "inverse_stft",
    "inverse_stft_window_fn",
    "irfft",
    "irfft2d",
    "irfft3d",
    "kaiser_bessel_derived_window",
    "kaiser_window",
    "linear_to_mel_weight_matrix",
    "mdct",
    "mfccs_from_log_mel_spectrograms",
    "overlap_and_add",
    "rfft",
    "rfft2d",
    "rfft3d",
    "stft",
    "vorbis_window",
]
