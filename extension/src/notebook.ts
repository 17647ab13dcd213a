/** What one notebook's cells say of Functions, and how its kernel fares; tells when that changes. */

import type { ICellModel, ICodeCellModel } from '@jupyterlab/cells';
import { isCodeCellModel } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { IOutputModel } from '@jupyterlab/rendermime';
import { type ISignal, Signal } from '@lumino/signaling';
import { asPanel, type IPanel, MIME } from './model';
import type { ICell } from './summary';

export type KernelState = 'well' | 'dead' | 'restarting';

/** What a kernel's status means here; the others (starting, connecting) say nothing new. */
const KERNEL: Record<string, KernelState | undefined> = {
  idle: 'well',
  busy: 'well',
  restarting: 'restarting',
  autorestarting: 'restarting',
  terminating: 'dead',
  dead: 'dead'
};

/** The panels among a cell's outputs. Text that a cell prints is not looked at. */
export function panelsOf(model: ICodeCellModel): IPanel[] {
  const found: IPanel[] = [];
  const { outputs } = model;
  for (let i = 0; i < outputs.length; i++) {
    const panel = panelOf(outputs.get(i));
    if (panel) {
      found.push(panel);
    }
  }
  return found;
}

function panelOf(output: IOutputModel): IPanel | null {
  return output.type === 'stream' || output.type === 'error' ? null : asPanel(output.data[MIME]);
}

export class NotebookTraces {
  constructor(readonly panel: NotebookPanel) {
    panel.content.modelChanged.connect(this._follow, this);
    this._follow();
    panel.sessionContext.statusChanged.connect(this._onStatus, this);
    panel.sessionContext.kernelChanged.connect(this._onKernel, this);
    panel.disposed.connect(() => {
      Signal.clearData(this);
    });
  }

  get changed(): ISignal<this, void> {
    return this._changed;
  }

  /** Emitted when the kernel ends or is replaced while it may have been running a cell. */
  get kernelEnded(): ISignal<this, void> {
    return this._kernelEnded;
  }

  get kernel(): KernelState {
    return this._kernel;
  }

  /** How many kernels have ended since the notebook was opened. */
  get ends(): number {
    return this._ends;
  }

  /** The process that the kernel's Functions are named by; '' for a kernel that has made none; null if not known. */
  get process(): string | null {
    return this._process;
  }

  setProcess(process: string): void {
    this._process = process;
    this._changed.emit();
  }

  /** The cells that say something, in the order of the notebook. */
  cells(): ICell[] {
    const found: ICell[] = [];
    for (const model of this.panel.content.model?.cells ?? []) {
      if (isCodeCellModel(model)) {
        const running = model.executionState === 'running';
        const now = panelsOf(model);
        // while a cell runs its outputs are gone: what it said before stays until it says something new, for ever if the
        // kernel ended on the way
        const unfinished = running || (this._runs.get(model.id) ?? this._ends) !== this._ends;
        const panels = now.length || !unfinished ? now : (this._last.get(model.id) ?? []);
        this._last.set(model.id, panels);
        if (panels.length) {
          found.push({ id: model.id, count: model.executionCount, running, panels });
        }
      }
    }
    return found;
  }

  private _follow(): void {
    const model = this.panel.content.model;
    if (model) {
      model.cells.changed.connect(this._onCells, this);
      this._onCells();
    }
  }

  private _onCells(): void {
    for (const model of this.panel.content.model?.cells ?? []) {
      this._watch(model);
    }
    this._changed.emit();
  }

  private _watch(model: ICellModel): void {
    if (!isCodeCellModel(model) || this._watched.has(model)) {
      return;
    }
    this._watched.add(model);
    let said = false;
    const look = (): void => {
      const says = panelsOf(model).length > 0;
      said ||= says;
      if (said) {
        this._changed.emit();
      }
    };
    model.outputs.changed.connect(look, this);
    model.stateChanged.connect((_, change) => {
      if (change.name === 'executionState') {
        if (model.executionState === 'running') {
          this._runs.set(model.id, this._ends);
        } else if (this._runs.get(model.id) === this._ends) {
          this._runs.delete(model.id); // it ran to its end
        }
      }
      if (said && (change.name === 'executionState' || change.name === 'executionCount')) {
        this._changed.emit();
      }
    }, this);
    look();
  }

  private _onStatus(_: unknown, status: string): void {
    const state = KERNEL[status];
    if (state && state !== this._kernel) {
      if (this._kernel === 'well') {
        this._end();
      }
      this._kernel = state;
      this._changed.emit();
    }
  }

  private _onKernel(_: unknown, change: { oldValue: unknown; newValue: unknown }): void {
    if (change.oldValue) {
      this._end();
      this._kernel = change.newValue ? 'well' : 'dead';
      this._changed.emit();
    }
  }

  private _end(): void {
    this._ends++;
    this._process = '';
    this._kernelEnded.emit();
  }

  private _changed = new Signal<this, void>(this);
  private _kernelEnded = new Signal<this, void>(this);
  private _watched = new WeakSet<ICellModel>();
  private _last = new Map<string, IPanel[]>();
  /** By cell: how many kernels had ended when it last began to run. */
  private _runs = new Map<string, number>();
  private _kernel: KernelState = 'well';
  private _ends = 0;
  private _process: string | null = null;
}
