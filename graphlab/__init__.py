"""TensorFlow 2 programs on a NumPy runtime that shows its work: ``import graphlab as tf``.

This module is the public namespace and nothing else.  A name's module is imported when the name is first used; where
each name lives is in ``_index.py``, which ``tools/generate_index.py`` writes.
"""

from graphlab.core.export import namespace as _namespace
from graphlab.core.export import register_namespaces as _register_namespaces

__version__ = "2.21.0"  # the TensorFlow release whose behaviour this is; graphlab's own version is in graphlab.version

__getattr__, __dir__ = _namespace(__name__)
_register_namespaces()
