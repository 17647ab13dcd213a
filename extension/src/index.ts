/** The JupyterLab extension: shows beside each code cell the traces that its outputs describe. */

import { ILayoutRestorer, type JupyterFrontEnd, type JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { type Cell, CodeCell } from '@jupyterlab/cells';
import { INotebookTracker, type NotebookPanel } from '@jupyterlab/notebook';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { ITranslator } from '@jupyterlab/translation';
import { Beside } from './beside';
import { addCommands } from './commands';
import { keepKeys } from './keys';
import { Conversation } from './language';
import { NotebookTraces } from './notebook';
import { rendererFactory } from './output';
import type { IChoices } from './panel';
import { follow, PLUGIN, Preferences } from './settings';
import { SidePanel } from './side';

/** Puts a panel into every code cell of a notebook, now and whenever cells are made. */
function watch(panel: NotebookPanel, traces: NotebookTraces, preferences: Preferences): void {
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
        new Beside(cell, chosen, preferences, traces);
      }
    });
  };
  const all = (): void => notebook.widgets.forEach(decorate);
  const start = (): void => {
    all();
    notebook.model?.cells.changed.connect(all);
  };
  notebook.modelChanged.connect(start);
  start();
  void panel.context.ready.then(all);
}

const plugin: JupyterFrontEndPlugin<void> = {
  id: PLUGIN,
  description: 'Shows beside a notebook cell every trace that it caused.',
  autoStart: true,
  requires: [INotebookTracker, IRenderMimeRegistry],
  optional: [ITranslator, ISettingRegistry, ICommandPalette, ILayoutRestorer],
  activate: (
    app: JupyterFrontEnd,
    tracker: INotebookTracker,
    registry: IRenderMimeRegistry,
    translator: ITranslator | null,
    settings: ISettingRegistry | null,
    palette: ICommandPalette | null,
    restorer: ILayoutRestorer | null
  ) => {
    registry.addFactory(rendererFactory);
    keepKeys(document);
    const own = translator?.languageCode;
    const preferences = new Preferences(own && own !== 'default' ? own : null);
    const known = new WeakMap<NotebookPanel, NotebookTraces>();
    const conversations = new Set<Conversation>();

    const add = (panel: NotebookPanel): NotebookTraces => {
      const traces = new NotebookTraces(panel);
      known.set(panel, traces);
      watch(panel, traces, preferences);
      const conversation = new Conversation(
        panel.sessionContext,
        () => preferences.forKernel,
        process => traces.setProcess(process)
      );
      conversations.add(conversation);
      panel.disposed.connect(() => conversations.delete(conversation));
      return traces;
    };
    const tracesOf = (panel: NotebookPanel): NotebookTraces => known.get(panel) ?? add(panel);
    tracker.forEach(tracesOf);
    tracker.widgetAdded.connect((_, panel) => tracesOf(panel));

    const side = new SidePanel(tracker, tracesOf, preferences);
    app.shell.add(side, 'right', { rank: 850, type: 'graphlab' });
    restorer?.add(side, side.id);
    addCommands(app, tracker, preferences, side, palette);

    let language = preferences.forKernel;
    preferences.changed.connect(() => {
      document.body.style.setProperty('--gl-panel-width', `${preferences.values.width}%`);
      if (preferences.forKernel !== language) {
        language = preferences.forKernel;
        for (const conversation of conversations) {
          conversation.say();
        }
      }
    });
    if (settings) {
      follow(preferences, settings).catch(reason => console.error('graphlab: its settings cannot be read', reason));
    }
  }
};

export default plugin;
