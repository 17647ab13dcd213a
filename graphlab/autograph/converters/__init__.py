"""From the tree of a function to one whose control flow asks at run time whether it becomes part of a graph.

One module per construct: ``conditionals`` (``if``), ``loops`` (``for``, ``while``), ``logic`` (``and``, ``or``,
``not``, chained
comparison, conditional expressions, ``assert``), ``calls``; ``functions`` walks the statements of a function and its
nested ones.
"""

from __future__ import annotations
