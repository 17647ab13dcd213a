/**
 * The panel: names of functions, tabs, and one view at a time.
 *
 * A pure view: it is given what the cell's outputs say and a bag of transient choices (`IChoices`), and builds itself
 * from nothing else. It knows no JupyterLab; `beside.ts` puts it into a cell, `output.ts` into an output.
 */

import { button, h, mark, roving, tabStop } from './dom';
import { entriesOf, type IEntry } from './entries';
import { linesOf } from './graph/parts';
import { digits, type IWords, plain, say } from './message';
import type { IFunction, IPanel, ITrace, ViewName } from './model';
import { adviceView } from './views/advice';
import { codeView } from './views/code';
import { compareView } from './views/compare';
import { graphView } from './views/graph';
import type { IWalk } from './views/run';
import { signaturesView } from './views/signatures';
import { stepView } from './views/step';
import { tracesView } from './views/traces';

/** What the reader chose in one function's views. Lost on reload, kept when the cell moves or runs again. */
export interface IFunctionChoices {
  view?: ViewName;
  call?: number;
  trace?: number;
  line?: number | null;
  code?: 'lines' | 'generated' | 'yours';
  all?: boolean;
  open?: Record<string, boolean>;
  shapes?: boolean;
  control?: boolean;
  constants?: boolean;
  /** Which of the graphs is shown. */
  graph?: 'traced' | 'difference' | 'runs' | 'gradient';
  /** Bodies that were opened or closed. */
  bodies?: Record<string, boolean>;
  /** All nodes of a graph of which the first are shown. */
  nodes?: boolean;
  /** The node to pick when the graph is shown next. */
  pick?: string;
  /** Lines of the callers of the selected one. */
  also?: number[];
  /** Where the walk through a run stands. */
  walk?: IWalk;
}

/** What the reader chose in one cell's panel. */
export interface IChoices {
  hidden?: boolean;
  wide?: boolean;
  name?: string;
  functions: Record<string, IFunctionChoices>;
}

/** What the panel asks of the place it stands in. */
export interface IPlace {
  /** Marks a line of the cell's editor, or none. */
  markLine?(line: number | null): void;
  hide?(): void;
  hidden?(): boolean;
  setWide?(wide: boolean): void;
  /** The tabs to show of those a function has, in the order in which the reader wants them. */
  order?(views: ViewName[]): ViewName[];
}

/** What a view is given: the data of its function, what was chosen, and the panel's services. */
export interface IContext extends IWords {
  readonly panel: IPanel;
  readonly fn: IFunction;
  readonly chosen: IFunctionChoices;
  /** A bare number in the digits of the panel's language. */
  number(n: number): string;
  /** Selects a source line everywhere: code rows, graph nodes, the cell's editor; `also` are lines of its callers. */
  link(line: number | null, also?: number[]): void;
  /** Marks a line everywhere while the pointer is on something that belongs to it. */
  hover(line: number | null, also?: number[]): void;
  show(view: ViewName): void;
  rebuild(): void;
}

/** A view's element, and what it does when a line is selected anywhere. */
export interface IView {
  node: HTMLElement;
  linked?(line: number | null, also?: number[]): void;
  hovered?(lines: number[]): void;
  /** Selects a trace; false when the view does not show it now. */
  select?(trace: number): boolean;
  /** Shows what it leaves out or folds away. */
  expand?(): void;
  /** Called whenever the view becomes visible. */
  shown?(): void;
  dispose?(): void;
}

const VIEWS: Record<ViewName, (context: IContext) => IView> = {
  retraces: tracesView,
  signatures: signaturesView,
  code: codeView,
  graph: graphView,
  step: stepView,
  compare: compareView,
  advice: adviceView
};

const MARKED = new Set<ViewName>(['code', 'graph', 'step', 'advice']);

let serial = 0;

export class PanelView {
  readonly node: HTMLElement;

  constructor(
    private _panels: IPanel[],
    private _choices: IChoices,
    private _place: IPlace = {}
  ) {
    this._entries = entriesOf(_panels);
    this.node = h('aside', {
      class: 'gl-root gl-panel',
      'data-graphlab-panel': true
    });
    this._status = h('p', { class: 'gl-vh', role: 'status', 'aria-live': 'polite' });
    this._build();
  }

  /** Says that the cell's text is no longer what ran. */
  setEdited(edited: boolean): void {
    if (edited !== this._edited) {
      this._edited = edited;
      this._note.hidden = !edited;
    }
  }

  /** Selects a line from outside, for example from the editor. */
  link(line: number | null): void {
    const entry = this._entry;
    if (!entry || entry.fn.line === null) {
      return;
    }
    const chosen = this._chosen(entry);
    if (chosen.line !== line && hasLine(entry.fn, line)) {
      chosen.line = line;
      this._linked(line);
    }
  }

  /** The line that the editor should mark now. */
  get line(): number | null {
    const entry = this._entry;
    if (!entry || entry.fn.line === null || this._place.hidden?.()) {
      return null;
    }
    const chosen = this._chosen(entry);
    return MARKED.has(this._view(entry)) ? (chosen.line ?? null) : null;
  }

  dispose(): void {
    this._clear();
    this.node.remove();
  }

  // ------------------------------------------------------------------------------ what commands and the side panel ask

  /** Says something above the tabs: how the kernel fared; null takes it away. */
  setKernelNote(text: string | null): void {
    this._kernelText = text;
    this._kernelNote.hidden = text === null;
    this._kernelNote.textContent = text ?? '';
  }

  /** Builds itself anew, after a change of what the reader prefers. */
  refresh(): void {
    this._build();
  }

  focus(options?: FocusOptions): void {
    (this.node.querySelector<HTMLElement>('[role=tab][aria-selected=true]') ?? this.node).focus(options);
  }

  /** The tabs there are now. */
  get views(): ViewName[] {
    const entry = this._entry;
    return entry ? this._views(entry) : [];
  }

  /** Shows a tab; false when there is none of that name. */
  showView(name: ViewName): boolean {
    const entry = this._entry;
    if (!entry || !this._views(entry).includes(name)) {
      return false;
    }
    this._show(entry, name);
    return true;
  }

  /** Shows the next tab, or the one before with -1; after the last comes the first. */
  stepView(by: 1 | -1): void {
    const entry = this._entry;
    if (entry) {
      const views = this._views(entry);
      const at = views.indexOf(this._view(entry));
      this.showView(views[(at + by + views.length) % views.length]);
    }
  }

  /** Selects a trace of a function and shows why it was made; false when it does not stand here. */
  showTrace(name: string, trace: number): boolean {
    const entry = this._entries.find(e => e.fn.name === name && e.fn.traces.some(t => t.n === trace));
    if (!entry || !this._views(entry).includes('retraces')) {
      return false;
    }
    this._choices.name = entry.key;
    this._chosen(entry).trace = trace;
    this._chosen(entry).view = 'retraces';
    this._build();
    if (!this._made.get('retraces')?.select?.(trace)) {
      this._chosen(entry).all = true;
      this._build();
      this._made.get('retraces')?.select?.(trace);
    }
    const told = entry.fn.traces.find(t => t.n === trace);
    this._status.textContent = told ? `T${trace}: ${plain(told.reason.text)}` : '';
    return true;
  }

  /** Selects the next trace in this panel, or the one before; false at the end. With `edge`, the first or the last. */
  stepTrace(by: 1 | -1, edge = false): boolean {
    const all = this._entries.flatMap(e => e.fn.traces.map(t => ({ key: e.key, name: e.fn.name, n: t.n })));
    const entry = this._entry;
    const chosen = entry ? this._chosen(entry).trace : undefined;
    const at = edge ? -1 : all.findIndex(t => t.key === entry?.key && t.n === chosen);
    const to = at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by;
    const found = all[to];
    return found ? this.showTrace(found.name, found.n) : false;
  }

  /** The trace that is selected, else the last one made; what it says is copied. */
  get trace(): ITrace | null {
    const entry = this._entry;
    if (!entry) {
      return null;
    }
    const { traces } = entry.fn;
    const chosen = this._chosen(entry).trace;
    return traces.find(t => t.n === chosen) ?? traces.filter(t => t.new).pop() ?? traces[traces.length - 1] ?? null;
  }

  /** Why that trace was made, as a line of plain text. */
  get reason(): string | null {
    const { trace } = this;
    return trace && this._entry
      ? `${this._entry.fn.name} T${trace.n}: ${plain(trace.reason.text)} (${plain(trace.where.text)})`
      : null;
  }

  /** The line to write: that trace's, else the function's. */
  get fix(): string | null {
    return (this.trace?.fix ?? this._entry?.fn.fix)?.code.text ?? null;
  }

  /** The line of the cell that is selected: by a line or a node, else by the selected trace. */
  get selectedLine(): number | null {
    return this.line ?? this.trace?.line ?? this._entry?.fn.line ?? null;
  }

  /** Unfolds everything in the tab that is shown. */
  expandAll(): void {
    const entry = this._entry;
    if (!entry) {
      return;
    }
    const name = this._view(entry);
    if (name === 'retraces' && !this._chosen(entry).all) {
      this._chosen(entry).all = true;
      this._build();
    }
    this._made.get(name)?.expand?.();
    for (const details of this._panes.get(name)?.pane.querySelectorAll('details') ?? []) {
      details.open = true;
    }
  }

  announce(text: string): void {
    this._status.textContent = text;
  }

  word(key: string): string {
    return this._panels[0].words[key] ?? '';
  }

  // ----------------------------------------------------------------------------------------------------------- building

  private get _entry(): IEntry | undefined {
    return this._entries.find(e => e.key === this._choices.name) ?? this._entries[0];
  }

  private _chosen(entry: IEntry): IFunctionChoices {
    this._choices.functions[entry.key] ??= {};
    return this._choices.functions[entry.key];
  }

  private _views(entry: IEntry): ViewName[] {
    return this._place.order?.(entry.fn.views) ?? entry.fn.views;
  }

  private _view(entry: IEntry): ViewName {
    const views = this._views(entry);
    const wanted = this._chosen(entry).view;
    return wanted && views.includes(wanted) ? wanted : (entry.fn.views.find(v => views.includes(v)) ?? 'retraces');
  }

  private _clear(): void {
    for (const view of this._made.values()) {
      view.dispose?.();
    }
    this._made.clear();
  }

  private _build(): void {
    const had = this.node.contains(document.activeElement);
    this._clear();
    const first = this._panels[0];
    const entry = this._entry;
    const panel = entry?.panel ?? first;
    const { words } = panel;
    this.node.lang = panel.lang;
    this.node.dir = panel.dir;
    this.node.setAttribute('aria-label', entry ? `${words['panel.label']}: ${entry.fn.name}` : words['panel.label']);

    this._note = h('p', { class: 'gl-muted gl-edited' }, words['state.edited']);
    this._note.hidden = !this._edited;
    this._kernelNote = h('p', { class: 'gl-edited gl-kernel-note', 'aria-live': 'polite' });
    this.setKernelNote(this._kernelText);

    const top = h('div', { class: 'gl-top' }, this._head(panel, entry));
    const notes = this._panels.flatMap(p => p.notes).map(note => h('p', { class: 'gl-muted' }, ...say(note)));
    this.node.replaceChildren(top);
    if (entry) {
      top.append(...this._tabs(entry));
    }
    if (notes.length) {
      this.node.append(h('div', { class: 'gl-notes' }, ...notes));
    }
    this.node.append(this._status);
    if (entry) {
      this._show(entry, this._view(entry));
    }
    if (had) {
      this.focus({ preventScroll: true }); // who knows a better place goes there next
    }
  }

  private _head(panel: IPanel, entry: IEntry | undefined): HTMLElement {
    const { words } = panel;
    const head = h('div', { class: 'gl-head' });
    if (this._entries.length > 1) {
      head.append(this._names(panel, entry));
    } else if (entry) {
      head.append(h('h3', {}, entry.key));
    }
    head.append(h('span', { class: 'gl-spacer' }));
    const place = this._place;
    if (place.setWide) {
      const wide = this._choices.wide ?? false;
      const label = wide ? words['panel.narrow'] : words['panel.wide'];
      head.append(
        button(
          { class: 'gl-icon gl-open-wide', 'aria-label': label, title: label },
          () => {
            this._choices.wide = !wide;
            place.setWide?.(!wide);
            this._build();
            this.node.querySelector<HTMLElement>('.gl-open-wide')?.focus({ preventScroll: true });
          },
          mark(wide ? 'narrow' : 'wide')
        )
      );
    }
    if (place.hide) {
      head.append(
        button(
          { class: 'gl-icon', 'aria-label': words['panel.hide'], title: words['panel.hide'] },
          () => place.hide?.(),
          mark('close')
        )
      );
    }
    const ledes = this._panels.flatMap(p => (p.lede ? [p.lede] : []));
    return h(
      'div',
      {},
      head,
      ...ledes.map(lede => h('p', { class: 'gl-overall' }, ...say(lede))),
      this._note,
      this._kernelNote
    );
  }

  private _names(panel: IPanel, entry: IEntry | undefined): HTMLElement {
    const number = digits(panel.digits);
    const select = (target: HTMLElement): void => {
      this._choices.name = target.dataset.function;
      this._build();
      this.node.querySelector<HTMLElement>('.gl-fn [aria-pressed=true]')?.focus({ preventScroll: true });
      this._place.markLine?.(this.line);
    };
    const group = h('div', { class: 'gl-fn', role: 'group', 'aria-label': panel.words['panel.functions'] });
    for (const { fn, key } of this._entries) {
      const on = key === entry?.key;
      const count = fn.counts.traces ? h('span', { class: 'gl-fn-n' }, ` ${number(fn.counts.traces)}`) : null;
      group.append(
        button(
          { 'data-function': key, 'aria-pressed': on, tabindex: on ? 0 : -1 },
          event => select(event.currentTarget as HTMLElement),
          h('span', { dir: 'ltr' }, key),
          count
        )
      );
    }
    roving(group, 'button', select);
    return group;
  }

  private _tabs(entry: IEntry): HTMLElement[] {
    const { fn, panel } = entry;
    const number = digits(panel.digits);
    const id = `gl-${++serial}`;
    const list = h('div', { class: 'gl-tabs', role: 'tablist', 'aria-label': panel.words['panel.views'] });
    const current = this._view(entry);
    this._panes.clear();
    for (const name of this._views(entry)) {
      const count = fn.tabs[name];
      const tab = button(
        {
          role: 'tab',
          id: `${id}-tab-${name}`,
          'data-view': name,
          'aria-controls': `${id}-${name}`,
          'aria-selected': name === current,
          tabindex: name === current ? 0 : -1
        },
        () => this._show(entry, name),
        panel.words[`tab.${name}`],
        count === null || count === undefined ? null : h('span', { class: 'gl-n' }, number(count))
      );
      const pane = h('section', {
        class: 'gl-view',
        role: 'tabpanel',
        id: `${id}-${name}`,
        'data-view': name,
        'aria-labelledby': `${id}-tab-${name}`,
        tabindex: 0,
        hidden: name !== current
      });
      this._panes.set(name, { tab, pane });
      list.append(tab);
      this.node.append(pane);
    }
    roving(list, '[role=tab]', tab => this._show(entry, tab.dataset.view as ViewName));
    return [list];
  }

  /** Builds the view of a tab when it is first looked at, and shows it. */
  private _show(entry: IEntry, name: ViewName): void {
    this._chosen(entry).view = name;
    const had = [...this._panes].some(([other, p]) => other !== name && p.pane.contains(document.activeElement));
    tabStop(
      [...this._panes.values()].map(p => p.tab),
      this._panes.get(name)?.tab ?? null
    );
    for (const [other, { tab, pane }] of this._panes) {
      tab.setAttribute('aria-selected', String(other === name));
      pane.hidden = other !== name;
    }
    if (had) {
      this._panes.get(name)?.tab.focus({ preventScroll: true });
    }
    const pane = this._panes.get(name)?.pane;
    if (!pane) {
      return;
    }
    let view = this._made.get(name);
    if (!view) {
      view = VIEWS[name](this._context(entry));
      this._made.set(name, view);
      pane.append(view.node);
      const { line, also } = this._chosen(entry);
      if (line !== undefined) {
        view.linked?.(line, also);
      }
    }
    view.shown?.();
    this._place.markLine?.(this.line);
  }

  private _context(entry: IEntry): IContext {
    const { panel, fn } = entry;
    return {
      panel,
      fn,
      chosen: this._chosen(entry),
      number: digits(panel.digits),
      word: key => panel.words[key] ?? '',
      announce: text => {
        this._status.textContent = text;
      },
      hover: (line, also = []) => {
        for (const view of this._made.values()) {
          view.hovered?.(line === null ? [] : [line, ...also]);
        }
        this._place.markLine?.(line !== null && fn.line !== null ? line : this.line);
      },
      link: (line, also = []) => {
        this._chosen(entry).line = line;
        this._chosen(entry).also = also;
        this._linked(line, also);
        this._place.markLine?.(this.line);
      },
      show: name => {
        this._show(entry, name);
        this._panes.get(name)?.tab.focus({ preventScroll: true });
      },
      rebuild: () => this._build()
    };
  }

  private _linked(line: number | null, also: number[] = []): void {
    for (const view of this._made.values()) {
      view.linked?.(line, also);
    }
  }

  private _entries: IEntry[];
  private _status: HTMLElement;
  private _kernelNote: HTMLElement = h('p');
  private _kernelText: string | null = null;
  private _note: HTMLElement = h('p');
  private _edited = false;
  private _panes = new Map<ViewName, { tab: HTMLElement; pane: HTMLElement }>();
  private _made = new Map<ViewName, IView>();
}

/** Whether the function has code or a node at this line. */
function hasLine(fn: IFunction, line: number | null): boolean {
  return (
    line === null ||
    (fn.code?.rows.some(r => r.line === line) ?? false) ||
    (fn.graph?.nodes.some(n => linesOf(n).includes(line)) ?? false)
  );
}
