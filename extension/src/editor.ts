/** The marked line in a cell's editor, and the way back: the line on which the reader puts the cursor. */

import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { CodeCell } from '@jupyterlab/cells';

const setLine = StateEffect.define<number | null>();

const marked = Decoration.line({ class: 'gl-editor-line' });

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lines, transaction) {
    let next = lines.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setLine)) {
        const { doc } = transaction.state;
        next =
          effect.value !== null && effect.value >= 1 && effect.value <= doc.lines
            ? Decoration.set([marked.range(doc.line(effect.value).from)])
            : Decoration.none;
      }
    }
    return next;
  },
  provide: f => EditorView.decorations.from(f)
});

/** The cell's CodeMirror view; null while JupyterLab has not built the editor, or has built another kind. */
function viewOf(cell: CodeCell): EditorView | null {
  const editor = cell.editor as { editor?: unknown } | null;
  return editor?.editor instanceof EditorView ? editor.editor : null;
}

/** Marks a line (from 1) of the cell, or none; `onLine` hears where the reader puts the cursor. */
export function markEditorLine(cell: CodeCell, line: number | null, onLine: (line: number) => void): void {
  const view = viewOf(cell);
  if (!view) {
    return;
  }
  if (view.state.field(field, false) === undefined) {
    if (line === null) {
      return;
    }
    const listener = EditorView.updateListener.of(update => {
      if (update.selectionSet && update.transactions.some(t => t.isUserEvent('select'))) {
        const { main } = update.state.selection;
        if (main.empty) {
          onLine(update.state.doc.lineAt(main.head).number);
        }
      }
    });
    view.dispatch({ effects: StateEffect.appendConfig.of([field, listener]) });
  }
  view.dispatch({ effects: setLine.of(line) });
}
