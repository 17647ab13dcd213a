/** The JupyterLab extension: shows beside each code cell the traces that its outputs describe. */

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { type Cell, CodeCell } from '@jupyterlab/cells';
import { INotebookTracker, type NotebookPanel } from '@jupyterlab/notebook';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { ITranslator } from '@jupyterlab/translation';
import { Beside } from './beside';
import { keepKeys } from './keys';
import { answerLanguage } from './language';
import { rendererFactory } from './output';
import type { IChoices } from './panel';

/** Puts a panel into every code cell of a notebook, now and whenever cells are made. */
function watch(panel: NotebookPanel): void {
  const notebook = panel.content;
  const decorated = new WeakSet<Cell>();
  const choices = new Map<string, IChoices>(); // by the cell's id, which outlives a move or an undo

  const decorate = (cell: Cell): void => {
    if (!(cell instanceof CodeCell) || decorated.has(cell)) {
      return;
    }
    decorated.add(cell);
    // a cell's parts are built late, when it comes near the window
    void cell.ready.then(() => {
      if (!cell.isDisposed) {
        const { id } = cell.model;
        const chosen = choices.get(id) ?? { functions: {} };
        choices.set(id, chosen);
        new Beside(cell, chosen);
      }
    });
  };
  const all = (): void => notebook.widgets.forEach(decorate);
  const follow = (): void => {
    all();
    notebook.model?.cells.changed.connect(all);
  };
  notebook.modelChanged.connect(follow);
  follow();
  void panel.context.ready.then(all);
}

const plugin: JupyterFrontEndPlugin<void> = {
  id: 'graphlab:panel',
  description: 'Shows beside a notebook cell every trace that it caused.',
  autoStart: true,
  requires: [INotebookTracker, IRenderMimeRegistry],
  optional: [ITranslator],
  activate: (
    _app: JupyterFrontEnd,
    tracker: INotebookTracker,
    registry: IRenderMimeRegistry,
    translator: ITranslator | null
  ) => {
    registry.addFactory(rendererFactory);
    keepKeys(document);
    const add = (panel: NotebookPanel): void => {
      watch(panel);
      if (translator && translator.languageCode !== 'default') {
        answerLanguage(panel.sessionContext, translator.languageCode);
      }
    };
    tracker.forEach(add);
    tracker.widgetAdded.connect((_, panel) => add(panel));
  }
};

export default plugin;
