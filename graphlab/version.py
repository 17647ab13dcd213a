"""The version of graphlab itself, read by the build and by `graphlab --version`.

`tf.__version__` is another matter: it names the TensorFlow release whose behaviour graphlab follows.
"""

__version__ = "0.1.0.dev0"

# What `tf.version` says: the TensorFlow whose programs and graphs this runtime understands.
VERSION = "2.21.0"
GIT_VERSION = f"graphlab {__version__}"
COMPILER_VERSION = "none (NumPy)"
GRAPH_DEF_VERSION = 2474
GRAPH_DEF_VERSION_MIN_CONSUMER = 0
GRAPH_DEF_VERSION_MIN_PRODUCER = 0

PUBLIC = {
    "version.VERSION": "VERSION",
    "version.GIT_VERSION": "GIT_VERSION",
    "version.COMPILER_VERSION": "COMPILER_VERSION",
    "version.GRAPH_DEF_VERSION": "GRAPH_DEF_VERSION",
    "version.GRAPH_DEF_VERSION_MIN_CONSUMER": "GRAPH_DEF_VERSION_MIN_CONSUMER",
    "version.GRAPH_DEF_VERSION_MIN_PRODUCER": "GRAPH_DEF_VERSION_MIN_PRODUCER",
}
