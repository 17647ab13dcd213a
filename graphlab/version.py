"""The version of graphlab itself, read by the build and by `graphlab --version`.

`tf.__version__` is another matter: it names the TensorFlow release whose behaviour graphlab follows.
"""

__version__ = "0.1.0.dev0"
