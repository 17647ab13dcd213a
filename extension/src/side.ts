/** The side panel in JupyterLab: it follows the notebook that is looked at, and takes the reader to a cell or a trace. */

import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { LabIcon } from '@jupyterlab/ui-components';
import type { Message } from '@lumino/messaging';
import { Widget } from '@lumino/widgets';
import { Beside } from './beside';
import { leave } from './keys';
import type { NotebookTraces } from './notebook';
import type { Preferences } from './settings';
import { SideView } from './sideview';
import { type ISummary, summarize } from './summary';
import { match, Words } from './words';

const icon = new LabIcon({
  name: 'graphlab:traces',
  svgstr:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="16"><g class="jp-icon3" fill="#616161">' +
    '<path d="M7 2.5 12.5 8 7 13.5 1.5 8Z"/><circle cx="17" cy="16.5" r="4.5"/><path d="M15 7.2h7v1.6h-7zM2 15.7h8v1.6H2z"/></g></svg>'
});

export const SIDE_ID = 'graphlab-side-panel';

export class SidePanel extends Widget {
  constructor(
    private _tracker: INotebookTracker,
    private _traces: (panel: NotebookPanel) => NotebookTraces | undefined,
    private _preferences: Preferences
  ) {
    super();
    this.id = SIDE_ID;
    this.addClass('gl-side-widget');
    this.title.icon = icon;
    this._view = new SideView({
      goToCell: cell => void this._goTo(cell),
      goToTrace: (cell, name, trace) => void this._goTo(cell, name, trace)
    });
    this.node.append(this._view.node);
    leave(this.node, () => this._current?.panel.content.activate());
    _tracker.currentChanged.connect(this._follow, this);
    _tracker.activeCellChanged.connect(this._look, this);
    _preferences.changed.connect(this._look, this);
    this._name();
    this._follow();
  }

  protected override onAfterShow(message: Message): void {
    super.onAfterShow(message);
    this.update();
  }

  protected override onActivateRequest(): void {
    this.update();
    this._view.focus();
  }

  protected override onUpdateRequest(): void {
    this._name();
    if (!this.isVisible) {
      return; // put together when it is looked at
    }
    const traces = this._current;
    const summary = traces ? summarize(traces.cells(), traces.process) : null;
    const words = this._words(summary);
    this._view.update({
      summary,
      words,
      kernel: !traces || traces.kernel === 'well' ? null : words.say(`lab.kernel.${traces.kernel}`),
      active: traces?.panel.content.activeCell?.model.id ?? null
    });
  }

  /** Whether a cell of the notebook has something to say, be it built or not. */
  says(id: string): boolean {
    return this._current?.cells().some(c => c.id === id) ?? false;
  }

  /** The reader's language; when none was chosen, that of the panels. */
  private _words(summary: ISummary | null): Words {
    const lang = this._preferences.chosenLanguage ?? match(summary?.groups[0]?.panel.lang) ?? 'en';
    return new Words(lang);
  }

  private _name(): void {
    this.title.caption = this._preferences.words.text('lab.side.title');
  }

  private _follow(): void {
    this._current?.changed.disconnect(this._look, this);
    const panel = this._tracker.currentWidget;
    this._current = panel ? (this._traces(panel) ?? null) : null;
    this._current?.changed.connect(this._look, this);
    this._look();
  }

  private _look(): void {
    this.update();
  }

  /** Brings a cell into view and makes it the active one; then shows a trace in its panel. */
  private async _goTo(id: string, name?: string, trace?: number): Promise<void> {
    const notebook = this._current?.panel.content;
    const index = notebook?.widgets.findIndex(w => w.model.id === id) ?? -1;
    if (!notebook || index < 0) {
      return;
    }
    const cell = notebook.widgets[index];
    notebook.deselectAll();
    notebook.activeCellIndex = index;
    await notebook.scrollToItem(index, 'smart');
    await cell.ready;
    const beside = Beside.of(cell);
    if (name !== undefined && trace !== undefined && beside?.view) {
      beside.hidden = false;
      beside.view.showTrace(name, trace);
    }
  }

  private _view: SideView;
  private _current: NotebookTraces | null = null;
}

/** Shows the side panel, or puts it away; in JupyterLab and in Notebook 7, on whichever side it stands. */
export function toggleSide(shell: JupyterFrontEnd.IShell, side: SidePanel): void {
  const sides = shell as JupyterFrontEnd.IShell & { collapseLeft?(): void; collapseRight?(): void };
  if (!side.isVisible) {
    shell.activateById(side.id);
  } else if (side.node.closest('#jp-left-stack')) {
    sides.collapseLeft?.();
  } else {
    sides.collapseRight?.();
  }
}
