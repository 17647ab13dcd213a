"""What converted functions call at run time: ``ag.if_stmt``, ``ag.for_stmt``, ``ag.and_``, ``ag.len`` and their like.

Each looks at the value that decides.  A Python value, or any value while no graph is being built, gives plain Python;
a tensor
in a graph gives the structured operation (``If``, ``While``).
"""

from __future__ import annotations
