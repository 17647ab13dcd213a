/**
 * The panel beside a code cell, and the badge at the cell's lower edge.
 *
 * Both are children of the cell's own layout, because notebooks show cells in windows: what is not part of a cell does
 * not scroll, move or vanish with it. What they say is read from the cell's outputs each time these change.
 */

import type { Cell, CodeCell, ICodeCellModel } from '@jupyterlab/cells';
import type { PanelLayout } from '@lumino/widgets';
import { Widget } from '@lumino/widgets';
import { button, h, mark } from './dom';
import { markEditorLine } from './editor';
import { leave } from './keys';
import { say } from './message';
import type { IPanel, State } from './model';
import { type NotebookTraces, panelsOf } from './notebook';
import { type IChoices, PanelView } from './panel';
import type { Preferences } from './settings';
import { match, Words } from './words';

/** When several outputs of a cell have a badge, the one that matters most is shown. */
const WEIGHT: State[] = ['uncalled', 'hit', 'first', 'retraced', 'many', 'error'];

let serial = 0;

const all = new WeakMap<Cell, Beside>();

export class Beside {
  /** What stands beside a cell; undefined for a cell that is not built yet, or holds no code. */
  static of(cell: Cell | null | undefined): Beside | undefined {
    return cell ? all.get(cell) : undefined;
  }

  constructor(
    private _cell: CodeCell,
    private _choices: IChoices,
    private _preferences: Preferences,
    private _notebook: NotebookTraces
  ) {
    this._model = _cell.model;
    all.set(_cell, this);
    this._model.outputs.changed.connect(this._refresh, this);
    this._model.stateChanged.connect(this._onState, this);
    this._model.contentChanged.connect(this._onContent, this);
    this._preferences.changed.connect(this._onPreferences, this);
    this._notebook.kernelEnded.connect(this._refresh, this);
    this._cell.disposed.connect(this._dispose, this);
    this._refresh();
  }

  /** The panel's view; null when the cell's outputs have none. It may be hidden. */
  get view(): PanelView | null {
    return this._view;
  }

  get hidden(): boolean {
    return this._choices.hidden ?? this._preferences.values.place === 'off';
  }

  set hidden(hidden: boolean) {
    this._toggle(hidden);
  }

  get wide(): boolean {
    return this._choices.wide ?? false;
  }

  set wide(wide: boolean) {
    this._choices.wide = wide;
    this._lay();
    this._view?.refresh();
  }

  /** Badge after the input, panel after the output: the order in which the keyboard reaches them. */
  private _insert(): void {
    this._inserted = true;
    this._badge.addClass('gl-badge-row');
    this._badge.addClass('gl-root');
    this._aside.addClass('gl-aside');
    this._aside.id = `gl-aside-${++serial}`;
    for (const part of [this._badge, this._aside]) {
      leave(part.node, () => this._cell.node.focus({ preventScroll: true }));
    }
    const layout = this._cell.layout as PanelLayout;
    const after = (name: string): number => layout.widgets.findIndex(w => w.hasClass(name)) + 1;
    layout.insertWidget(after('jp-Cell-inputWrapper'), this._badge);
    layout.insertWidget(after('jp-Cell-outputWrapper'), this._aside);
  }

  private _refresh(): void {
    const found = panelsOf(this._model);
    if (!found.length && !this._panels.length) {
      this._ends = this._notebook.ends; // nothing to show, nothing to do
      return;
    }
    if (!this._inserted) {
      this._insert();
    }
    if (!found.length) {
      if (this._model.executionState === 'running') {
        this._drawBadge(); // the last picture stays until the new one arrives
        return;
      }
      if (this._notebook.ends !== this._ends) {
        this._ended(); // there will be no new one: the kernel ended on the way
        return;
      }
      if (!this._emptied) {
        // outputs are cleared a moment before the cell says that it runs
        this._emptied = true;
        window.setTimeout(() => {
          if (!this._cell.isDisposed) {
            this._refresh();
          }
          this._emptied = false;
        });
        return;
      }
    }
    this._ends = this._notebook.ends;
    this._view?.setKernelNote(null);
    if (!same(found, this._panels)) {
      if (this._panels.length) {
        for (const chosen of Object.values(this._choices.functions)) {
          chosen.call = undefined;
          chosen.trace = undefined;
          chosen.line = undefined;
          chosen.all = undefined;
          chosen.walk = undefined;
        }
      }
      this._panels = found;
      this._drawPanel();
    }
    this._onContent();
    this._drawBadge();
    this._lay();
  }

  /** The last picture stays, and says that it is not of this run. */
  private _ended(): void {
    const words = new Words(match(this._panels[0]?.lang) ?? 'en');
    this._view?.setKernelNote(words.text('lab.kernel.ended_here'));
    this._drawBadge();
  }

  private _onPreferences(): void {
    if (this._panels.length) {
      this._view?.refresh();
      this._drawBadge();
      this._lay();
    }
  }

  private _onState(_: unknown, change: { name: string }): void {
    if (change.name === 'executionState') {
      if (this._model.executionState === 'running') {
        this._ends = this._notebook.ends; // a run of the kernel there is now
      }
      this._refresh();
    }
  }

  private _onContent(): void {
    const source = this._panels.map(p => p.cell.source).find(s => s !== null);
    const edited =
      source !== undefined && source !== null && source.trimEnd() !== this._model.sharedModel.getSource().trimEnd();
    this._view?.setEdited(edited);
    if (edited !== this._edited) {
      this._edited = edited;
      this._drawBadge();
    }
  }

  private _drawPanel(): void {
    const had = this._aside.node.contains(document.activeElement);
    this._view?.dispose();
    this._view = null;
    this._markLine(null);
    if (this._panels.length) {
      this._view = new PanelView(this._panels, this._choices, {
        markLine: line => this._markLine(line),
        hide: () => this._toggle(true),
        hidden: () => this.hidden,
        setWide: () => this._lay(),
        order: views => this._preferences.order(views)
      });
      this._view.setEdited(this._edited);
      this._aside.node.append(this._view.node);
      if (had) {
        this._view.focus({ preventScroll: true });
      }
    }
  }

  private _markLine(line: number | null): void {
    markEditorLine(this._cell, this._edited ? null : line, at => {
      if (!this._edited && !this.hidden) {
        this._view?.link(at);
        this._markLine(this._view?.line ?? null);
      }
    });
  }

  private _drawBadge(): void {
    const first = this._panels[0];
    const wanted = !!first && this._preferences.values.badge;
    this._badge.setHidden(!wanted);
    if (!wanted) {
      this._badge.node.replaceChildren();
      return;
    }
    const { badge, words } = this._panels.reduce((a, b) =>
      WEIGHT.indexOf(b.badge.state) > WEIGHT.indexOf(a.badge.state) ? b : a
    );
    const tracing = this._model.executionState === 'running';
    const parts: Node[] = [];
    if (tracing) {
      parts.push(h('b', {}, words['badge.tracing']));
    } else {
      if (badge.mark !== 'none') {
        parts.push(mark(badge.mark));
      }
      const said = this._edited ? badge.parts.slice(0, 1) : badge.parts;
      said.forEach((part, i) => {
        if (i) {
          parts.push(dot());
        }
        parts.push(h(i ? 'span' : 'b', {}, ...say(part)));
      });
      if (this._edited) {
        parts.push(dot(), h('span', {}, words['badge.edited']));
      }
    }
    const { hidden } = this;
    const had = this._badge.node.contains(document.activeElement);
    const toggle = button(
      {
        class: `gl-badge gl-state-${badge.state}`,
        'aria-expanded': !hidden,
        'aria-controls': this._aside.id
      },
      () => this._toggle(!hidden),
      ...parts,
      h('span', { class: 'gl-toggle-word' }, words[hidden ? 'panel.show' : 'panel.hide'])
    );
    this._badge.node.lang = first.lang;
    this._badge.node.dir = first.dir;
    this._badge.node.replaceChildren(toggle);
    if (had) {
      toggle.focus({ preventScroll: true });
    }
  }

  private _toggle(hide: boolean): void {
    const inside = this._aside.node.contains(document.activeElement);
    this._choices.hidden = hide;
    this._lay();
    this._drawBadge();
    this._markLine(this._view?.line ?? null);
    if (inside && hide) {
      this._badge.node.querySelector('button')?.focus({ preventScroll: true });
    }
  }

  private _lay(): void {
    const has = this._panels.length > 0;
    const open = has && !this.hidden;
    const below = this._preferences.values.place === 'below';
    this._cell.toggleClass('gl-has-data', has);
    this._cell.toggleClass('gl-has-panel', open);
    this._cell.toggleClass('gl-below', open && below);
    this._cell.toggleClass('gl-wide', open && !below && this.wide);
    this._aside.setHidden(!open);
  }

  private _dispose(): void {
    this._view?.dispose();
    this._preferences.changed.disconnect(this._onPreferences, this);
    this._notebook.kernelEnded.disconnect(this._refresh, this);
    if (!this._model.isDisposed) {
      this._model.outputs.changed.disconnect(this._refresh, this);
      this._model.stateChanged.disconnect(this._onState, this);
      this._model.contentChanged.disconnect(this._onContent, this);
    }
  }

  private _model: ICodeCellModel;
  private _badge = new Widget();
  private _aside = new Widget();
  private _inserted = false;
  private _view: PanelView | null = null;
  private _panels: IPanel[] = [];
  private _ends = 0;
  private _edited = false;
  private _emptied = false;
}

/** Whether these are the panels shown already; text that a cell prints changes its outputs, not its panels. */
function same(a: IPanel[], b: IPanel[]): boolean {
  return (
    a.length === b.length && a.every((panel, i) => panel === b[i] || JSON.stringify(panel) === JSON.stringify(b[i]))
  );
}

function dot(): HTMLElement {
  return h('span', { class: 'gl-sep', 'aria-hidden': 'true' }, '·');
}
