/**
 * The panel beside a code cell, and the badge at the cell's lower edge.
 *
 * Both are children of the cell's own layout, because notebooks show cells in windows: what is not part of a cell does
 * not scroll, move or vanish with it. What they say is read from the cell's outputs each time these change.
 */

import type { CodeCell, ICodeCellModel } from '@jupyterlab/cells';
import type { PanelLayout } from '@lumino/widgets';
import { Widget } from '@lumino/widgets';
import { button, h, mark } from './dom';
import { markEditorLine } from './editor';
import { say } from './message';
import { asPanel, type IPanel, MIME, type State } from './model';
import { type IChoices, PanelView } from './panel';

/** When several outputs of a cell have a badge, the one that matters most is shown. */
const WEIGHT: State[] = ['uncalled', 'hit', 'first', 'retraced', 'many', 'error'];

let serial = 0;

export class Beside {
  constructor(
    private _cell: CodeCell,
    private _choices: IChoices
  ) {
    this._model = _cell.model;
    this._badge.addClass('gl-badge-row');
    this._badge.addClass('gl-root');
    this._aside.addClass('gl-aside');
    this._aside.id = `gl-aside-${++serial}`;
    this._insert();
    this._model.outputs.changed.connect(this._refresh, this);
    this._model.stateChanged.connect(this._onState, this);
    this._model.contentChanged.connect(this._onContent, this);
    this._badge.disposed.connect(this._dispose, this);
    this._refresh();
  }

  /** Badge after the input, panel after the output: the order in which the keyboard reaches them. */
  private _insert(): void {
    const layout = this._cell.layout as PanelLayout;
    const after = (name: string): number => layout.widgets.findIndex(w => w.hasClass(name)) + 1;
    layout.insertWidget(after('jp-Cell-inputWrapper'), this._badge);
    layout.insertWidget(after('jp-Cell-outputWrapper'), this._aside);
  }

  private _read(): IPanel[] {
    const { outputs } = this._model;
    const found: IPanel[] = [];
    for (let i = 0; i < outputs.length; i++) {
      const panel = asPanel(outputs.get(i).data[MIME]);
      if (panel) {
        found.push(panel);
      }
    }
    return found;
  }

  private _refresh(): void {
    const found = this._read();
    if (!found.length && this._panels.length) {
      if (this._model.executionState === 'running') {
        this._drawBadge(); // the last picture stays until the new one arrives
        return;
      }
      if (!this._emptied) {
        // outputs are cleared a moment before the cell says that it runs
        this._emptied = true;
        window.setTimeout(() => {
          if (!this._badge.isDisposed) {
            this._refresh();
          }
          this._emptied = false;
        });
        return;
      }
    }
    const key = JSON.stringify(found);
    if (key !== this._key) {
      if (this._key) {
        for (const chosen of Object.values(this._choices.functions)) {
          chosen.call = undefined;
          chosen.line = undefined;
          chosen.all = undefined;
        }
      }
      this._key = key;
      this._panels = found;
      this._drawPanel();
    }
    this._onContent();
    this._drawBadge();
    this._lay();
  }

  private _onState(_: unknown, change: { name: string }): void {
    if (change.name === 'executionState') {
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
    this._view?.dispose();
    this._view = null;
    this._markLine(null);
    if (this._panels.length) {
      this._view = new PanelView(this._panels, this._choices, {
        markLine: line => this._markLine(line),
        hide: () => this._toggle(true),
        setWide: () => this._lay()
      });
      this._aside.node.append(this._view.node);
    }
  }

  private _markLine(line: number | null): void {
    markEditorLine(this._cell, this._edited ? null : line, at => {
      if (!this._edited && !this._choices.hidden) {
        this._view?.link(at);
        this._markLine(this._view?.line ?? null);
      }
    });
  }

  private _drawBadge(): void {
    const first = this._panels[0];
    this._badge.setHidden(!first);
    if (!first) {
      this._badge.node.replaceChildren();
      return;
    }
    const { badge, words } = this._panels.reduce((a, b) =>
      WEIGHT.indexOf(b.badge.state) > WEIGHT.indexOf(a.badge.state) ? b : a
    );
    const tracing = this._model.executionState === 'running';
    const parts: Node[] = [];
    if (tracing) {
      parts.push(mark('trace'), h('b', {}, words['badge.tracing']));
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
    const hidden = this._choices.hidden ?? false;
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
    if (inside) {
      this._badge.node.querySelector('button')?.focus({ preventScroll: true });
    }
  }

  private _lay(): void {
    const has = this._panels.length > 0;
    const open = has && !this._choices.hidden;
    this._cell.toggleClass('gl-has-data', has);
    this._cell.toggleClass('gl-has-panel', open);
    this._cell.toggleClass('gl-wide', open && (this._choices.wide ?? false));
    this._aside.setHidden(!open);
  }

  private _dispose(): void {
    this._view?.dispose();
    if (!this._model.isDisposed) {
      this._model.outputs.changed.disconnect(this._refresh, this);
      this._model.stateChanged.disconnect(this._onState, this);
      this._model.contentChanged.disconnect(this._onContent, this);
    }
  }

  private _model: ICodeCellModel;
  private _badge = new Widget();
  private _aside = new Widget();
  private _view: PanelView | null = null;
  private _panels: IPanel[] = [];
  private _key = '';
  private _edited = false;
  private _emptied = false;
}

function dot(): HTMLElement {
  return h('span', { class: 'gl-sep', 'aria-hidden': 'true' }, '·');
}
