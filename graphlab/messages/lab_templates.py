"""What the JupyterLab extension says by itself, in English, by message id: side panel, commands, settings, kernels.

The extension carries these and the ids of `LAB_SHARED` in all languages (`tools/extension_words.py` writes them into
`extension/src/words.json`): it speaks before any cell has run, and without a kernel.
"""

from typing import Final

from graphlab.messages.plural import Plural

LAB: Final[dict[str, str | Plural]] = {
    # the side panel
    "lab.side.title": "Traces in this notebook",
    "lab.side.no_notebook": "Open a notebook to see its traces.",
    "lab.side.empty": (
        "Nothing is traced in this notebook yet. Run `{load}` in one cell, "
        "then write `{magic}` in the first line of another."
    ),
    "lab.side.lede": "**{functions}, {traces}.**",
    "lab.side.retraced": Plural(
        "{names} was traced more than once.",
        "{names} were traced more than once.",
    ),
    "lab.side.calm": "None was traced more than once.",
    "lab.side.filter": "Filter by name",
    "lab.side.only_retraced": "only with retraces",
    "lab.side.no_match": "No function is like that.",
    "lab.side.functions": "Functions",
    "lab.side.go_to_cell": "Go to cell {n}",
    "lab.side.go_to_unnumbered": "Go to the cell",
    "lab.side.its_traces": "Its traces",
    "lab.side.count": "{traces} {calls}",
    "lab.side.one_is_enough": "nothing to change",
    "lab.side.another": "another function of this name was made since",
    "lab.side.before_restart": "from before the kernel started again",
    # kernels
    "lab.kernel.dead": "The kernel has ended. What stands here is kept in the notebook.",
    "lab.kernel.restarting": "The kernel is starting again. What stands here is from before.",
    "lab.kernel.ended_here": (
        "The kernel ended while this cell ran. This is from the run before; it is lost when the page is left."
    ),
    # commands
    "lab.command.toggle_panel": "Show or hide the panel of this cell",
    "lab.command.toggle_all": "Show or hide all panels",
    "lab.command.toggle_side": "Show or hide the traces in this notebook",
    "lab.command.toggle_wide": "Open the panel wide, or put it back",
    "lab.command.focus": "Go to the panel",
    "lab.command.next_trace": "Next trace",
    "lab.command.previous_trace": "Previous trace",
    "lab.command.next_tab": "Next tab",
    "lab.command.previous_tab": "Previous tab",
    "lab.command.next_cell": "Next cell that traced",
    "lab.command.previous_cell": "Previous cell that traced",
    "lab.command.view": "Show the tab {view}",
    "lab.command.go_to_line": "Go to the selected line",
    "lab.command.copy_reason": "Copy the reason of the trace",
    "lab.command.copy_fix": "Copy the line to write",
    "lab.command.expand_all": "Expand everything in the tab",
    "lab.command.settings": "Settings of the panel",
    # settings
    "lab.settings.about": "The panel that shows beside a cell what it traced, and why.",
    "lab.settings.place": "Place of the panel",
    "lab.settings.place.about": "Where the panel of a cell stands. A closed one opens when its badge is pressed.",
    "lab.settings.place.beside": "beside the cell",
    "lab.settings.place.below": "below the cell",
    "lab.settings.place.off": "closed",
    "lab.settings.width": "Width of the panel",
    "lab.settings.width.about": "In percent of the notebook. Beside a cell it is never narrower than 380 pixels.",
    "lab.settings.views": "Tabs",
    "lab.settings.views.about": "The tabs to show, in this order. A tab with nothing to say stays away.",
    "lab.settings.view": "Tab",
    "lab.settings.language": "Language",
    "lab.settings.language.about": (
        "Of panels, messages and commands. A panel that stands there changes when its cell runs again."
    ),
    "lab.settings.language.auto": "JupyterLab's language",
    "lab.settings.badge": "Badge",
    "lab.settings.badge.about": "Show at the lower edge of a cell how often it traced.",
}

LAB_SHARED: Final = (
    "list.comma",
    "list.and",
    "count.traces",
    "count.calls",
    "count.for_calls",
    "lede.functions.count",
    "badge.uncalled",
    "badge.tracing",
    "tab.retraces",
    "tab.signatures",
    "tab.code",
    "tab.graph",
    "tab.step",
    "tab.compare",
    "tab.advice",
    "copied",
)
"""Ids of other templates that the extension needs too."""
