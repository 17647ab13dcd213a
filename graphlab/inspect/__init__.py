"""What happened while functions were traced, computed from the records they leave: reasons, signatures, code, graphs.

`traces(f)`, `explain(f)` and `explain_call(f, *args)` work anywhere; what they return prints as text, shows as HTML
in a notebook, and has the same as
plain data under `.data`.
"""

from graphlab.inspect.compare import Comparison, compare
from graphlab.inspect.explain import Report, code, explain, explain_call, graph, signatures, traces
from graphlab.inspect.explain_gradients import GradientReport, explain_gradient
from graphlab.inspect.graph_export import export_graph
from graphlab.inspect.lint import Advice, lint, lint_code
from graphlab.inspect.memory import MemoryReport, memory
from graphlab.inspect.panel import bundle, panel
from graphlab.inspect.predict import Prediction, predict
from graphlab.inspect.step import Steps, step
from graphlab.inspect.subject import Cell, Subject

__all__ = [
    "Advice",
    "Cell",
    "Comparison",
    "GradientReport",
    "MemoryReport",
    "Prediction",
    "Report",
    "Steps",
    "Subject",
    "bundle",
    "code",
    "compare",
    "explain",
    "explain_call",
    "explain_gradient",
    "export_graph",
    "graph",
    "lint",
    "lint_code",
    "memory",
    "panel",
    "predict",
    "signatures",
    "step",
    "traces",
]
