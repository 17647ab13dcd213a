/**
 * The traces of a notebook as a list: every Function with its calls × traces in small, the last reason, its traces.
 *
 * A pure view, like the panel: it is given a summary and says what was chosen; `side.ts` puts it into JupyterLab.
 */

import { button, h, mark, roving, tabStop } from './dom';
import { inline, say } from './message';
import { strip } from './strip';
import { type IGroup, type ISummary, type ITraceRef, lastRetrace } from './summary';
import type { Words } from './words';

export interface ISideState {
  /** Null when no notebook is open. */
  summary: ISummary | null;
  /** What there is to say of the kernel; null when it is well. */
  kernel: string | null;
  /** The id of the cell that is active in the notebook. */
  active: string | null;
  words: Words;
}

export interface ISideActions {
  goToCell(cell: string): void;
  goToTrace(cell: string, name: string, trace: number): void;
}

export class SideView {
  readonly node: HTMLElement;

  constructor(private _actions: ISideActions) {
    this._lede = h('p', { class: 'gl-lede', role: 'status' });
    this._filter = h('input', { type: 'search' });
    this._only = h('input', { type: 'checkbox' });
    this._onlyWord = h('span');
    this._title = h('h2', { class: 'gl-side-title' });
    this._kernel = h('p', { class: 'gl-side-kernel', role: 'status' });
    this._list = h('ul', { class: 'gl-side-list' });
    this._none = h('p', { class: 'gl-side-none gl-muted' });
    this._tools = h(
      'div',
      { class: 'gl-side-tools' },
      this._lede,
      this._filter,
      h('label', { class: 'gl-check' }, this._only, this._onlyWord)
    );
    this.node = h(
      'section',
      { class: 'gl-root gl-side', 'data-graphlab-side': true },
      this._title,
      this._kernel,
      this._tools,
      this._none,
      this._list
    );
    this._filter.addEventListener('input', () => this._narrow());
    this._only.addEventListener('change', () => this._narrow());
    const all = 'button, summary';
    roving(this._list, all, e => tabStop(this._list.querySelectorAll(all), e), true);
    this._list.addEventListener('focusin', event => {
      const at = (event.target as Element).closest(all);
      tabStop(this._list.querySelectorAll(all), at);
    });
  }

  focus(): void {
    (this._tools.hidden ? this.node : this._filter).focus();
  }

  update(state: ISideState): void {
    const { words, summary } = state;
    const text = (id: string): string => words.text(id);
    this.node.lang = words.lang;
    this.node.dir = words.dir;
    this._title.textContent = text('lab.side.title');
    this.node.setAttribute('aria-label', text('lab.side.title'));
    this._filter.placeholder = text('lab.side.filter');
    this._filter.setAttribute('aria-label', text('lab.side.filter'));
    this._onlyWord.textContent = text('lab.side.only_retraced');
    this._list.setAttribute('aria-label', text('lab.side.functions'));
    this._kernel.hidden = state.kernel === null;
    replaceIfOther(this._kernel, state.kernel === null ? [] : [mark('bad'), ' ', ...inline(state.kernel)]);

    const groups = summary?.groups ?? [];
    this._tools.hidden = !groups.length;
    this._words = words;
    this._summary = summary;
    if (summary && groups.length) {
      replaceIfOther(this._lede, this._sentence(summary, words));
    }
    this._draw(groups, state);
    this._narrow();
  }

  private _sentence(summary: ISummary, words: Words): Node[] {
    const { groups, traces, retraced } = summary;
    const functions = { said: words.say('lede.functions.count', { n: groups.length }) };
    const lede = words.say('lab.side.lede', { functions, traces: { said: words.say('count.traces', { n: traces }) } });
    const rest = retraced.length
      ? words.say('lab.side.retraced', { n: retraced.length, names: retraced.slice(0, 5) })
      : words.say('lab.side.calm');
    return inline(`${lede} ${rest}`);
  }

  /** Draws the entries anew; those that are as they were keep their place, their focus and what is unfolded. */
  private _draw(groups: IGroup[], state: ISideState): void {
    const old = new Map(this._entries);
    this._entries.clear();
    const nodes: HTMLElement[] = [];
    for (const group of groups) {
      const known = old.get(group.key);
      const node = entry(group, state, this._actions);
      const html = node.outerHTML;
      const made = known?.html === html ? known : { node, html };
      if (known && made !== known) {
        keep(known.node, node);
      }
      // Set on what stands there: an entry that is only walked to must not be replaced under a click.
      const here = group.cells.some(c => c.id === state.active);
      made.node.classList.toggle('gl-sel', here);
      made.node.toggleAttribute('aria-current', here);
      if (here) {
        made.node.setAttribute('aria-current', 'true');
      }
      this._entries.set(group.key, made);
      nodes.push(made.node);
    }
    const there = this._list.children;
    if (nodes.length !== there.length || nodes.some((node, i) => node !== there[i])) {
      // taken out and put in again, an element loses the focus, and a click that has begun on it
      const focused = this._list.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
      this._list.replaceChildren(...nodes);
      if (focused && this._list.contains(focused)) {
        focused.focus({ preventScroll: true });
      }
    }
    const all = [...this._list.querySelectorAll<HTMLElement>('button, summary')];
    tabStop(all, all.find(e => e === document.activeElement) ?? all[0] ?? null);
  }

  /** Hides what the reader filtered out, and says so when nothing is left. */
  private _narrow(): void {
    const groups = this._summary?.groups ?? [];
    const part = this._filter.value.trim().toLowerCase();
    let shown = 0;
    for (const group of groups) {
      const fits = group.name.toLowerCase().includes(part) && (!this._only.checked || group.count > 1 || group.running);
      const known = this._entries.get(group.key);
      if (known) {
        known.node.hidden = !fits;
      }
      shown += fits ? 1 : 0;
    }
    const words = this._words;
    if (!words) {
      return;
    }
    this._none.hidden = shown > 0;
    const said = !this._summary
      ? words.say('lab.side.no_notebook')
      : groups.length
        ? words.say('lab.side.no_match')
        : words.say('lab.side.empty', { load: '%load_ext graphlab', magic: '%%tf_function' });
    replaceIfOther(this._none, inline(said));
  }

  private _entries = new Map<string, { node: HTMLElement; html: string }>();
  private _summary: ISummary | null = null;
  private _words: Words | null = null;
  private _title: HTMLElement;
  private _kernel: HTMLElement;
  private _tools: HTMLElement;
  private _lede: HTMLElement;
  private _filter: HTMLInputElement;
  private _only: HTMLInputElement;
  private _onlyWord: HTMLElement;
  private _none: HTMLElement;
  private _list: HTMLElement;
}

/** What is unfolded, and where the focus is, goes over to an entry that takes another's place. */
function keep(from: HTMLElement, to: HTMLElement): void {
  const details = to.querySelector('details');
  if (details) {
    details.open = from.querySelector('details')?.open ?? false;
  }
  const at = [...from.querySelectorAll('button, summary')].indexOf(document.activeElement as Element);
  if (at >= 0) {
    queueMicrotask(() => to.querySelectorAll<HTMLElement>('button, summary')[at]?.focus({ preventScroll: true }));
  }
}

/** Sets what a node holds unless it holds it: a live region speaks only of what is new. */
function replaceIfOther(node: HTMLElement, children: (Node | string)[]): void {
  const made = h('p', {}, ...children);
  if (made.innerHTML !== node.innerHTML) {
    node.replaceChildren(...made.childNodes);
  }
}

function entry(group: IGroup, state: ISideState, actions: ISideActions): HTMLElement {
  const { words } = state;
  const [home] = group.cells;
  const links = group.cells.map(cell => {
    const n = cell.count;
    const label = n === null ? words.text('lab.side.go_to_unnumbered') : words.text('lab.side.go_to_cell', { n });
    return button(
      { class: 'gl-link gl-side-cell', 'aria-label': label, title: label, 'data-cell': cell.id },
      () => actions.goToCell(cell.id),
      `[${cell.running ? '*' : (n ?? ' ')}]`
    );
  });
  const name = button(
    { class: 'gl-side-name', 'data-cell': home.id },
    () => actions.goToCell(home.id),
    h('b', { dir: 'ltr' }, group.name)
  );
  return h(
    'li',
    { class: 'gl-side-entry', 'data-key': group.key },
    h('div', { class: 'gl-side-row' }, name, h('span', { class: 'gl-spacer' }), h('span', { dir: 'ltr' }, ...links)),
    strip(group.marks),
    h('p', { class: 'gl-side-count' }, ...count(group, words)),
    why(group, words),
    note(group, words),
    traces(group, words, actions)
  );
}

function count(group: IGroup, words: Words): Node[] {
  const sign = group.state === 'error' ? 'bad' : group.count > 1 ? 'cost' : 'ok';
  const traced = words.say('count.traces', { n: group.count });
  const said =
    group.state === 'uncalled'
      ? words.say('badge.uncalled')
      : group.calls
        ? words.say('lab.side.count', {
            traces: { said: traced },
            calls: { said: words.say('count.for_calls', { n: group.calls }) }
          })
        : traced;
  // what it told last stands while a cell of it runs: whether that traces is known at its end
  const running = group.running ? ` · ${words.say('badge.tracing')}` : '';
  return [...(group.state === 'uncalled' ? [] : [mark(sign)]), ...inline(` ${said}${running}`)];
}

/** The last reason, in the words and the language of the panel that gave it. */
function why(group: IGroup, words: Words): HTMLElement | null {
  if (group.state === 'uncalled') {
    return null;
  }
  if (group.state === 'error') {
    return quoted(group.panel.lang, group.panel.dir, say(group.fn.lede));
  }
  const last = lastRetrace(group);
  if (last) {
    const id = h('b', {}, `T${last.trace.n}`);
    return quoted(last.panel.lang, last.panel.dir, [id, new Text(' '), ...say(last.trace.reason)]);
  }
  if (group.count > 1) {
    return quoted(group.panel.lang, group.panel.dir, say(group.fn.lede)); // the same code made it again and again
  }
  return h('p', { class: 'gl-muted' }, words.text('lab.side.one_is_enough'));
}

function quoted(lang: string, dir: string, children: Node[]): HTMLElement {
  return h('p', { class: 'gl-muted gl-side-why', lang, dir }, ...children);
}

function note(group: IGroup, words: Words): HTMLElement | null {
  const id = group.before ? 'lab.side.before_restart' : group.replaced ? 'lab.side.another' : null;
  return id ? h('p', { class: 'gl-muted gl-side-note' }, words.text(id)) : null;
}

function traces(group: IGroup, words: Words, actions: ISideActions): HTMLElement | null {
  if (!group.traces.length) {
    return null;
  }
  const go = ({ trace, cell }: ITraceRef): void => actions.goToTrace(cell, group.name, trace.n);
  return h(
    'details',
    { class: 'gl-side-traces' },
    h('summary', {}, words.text('lab.side.its_traces')),
    h(
      'ol',
      {},
      ...group.traces.map(ref =>
        h(
          'li',
          {},
          button(
            { class: 'gl-side-trace', 'data-trace': ref.trace.n, 'data-cell': ref.cell },
            () => go(ref),
            h(
              'span',
              { class: 'gl-side-sig' },
              h('b', {}, `T${ref.trace.n}`),
              ' ',
              h('code', { dir: 'ltr' }, ref.trace.signature)
            ),
            h('span', { class: 'gl-muted', lang: ref.panel.lang, dir: ref.panel.dir }, ...say(ref.trace.reason))
          )
        )
      )
    )
  );
}
