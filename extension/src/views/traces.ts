/** The first view: the sentence, calls × traces, and one entry for each trace with its reason and the line to write. */

import { button, h, mark, reveal, roving, tabStop } from '../dom';
import { codeBlock, fixBlock, plain, say } from '../message';
import type { Cell, ICause, IFold, IFunction, ITrace } from '../model';
import type { IContext, IView } from '../panel';

/** A row or column of the grid: one trace or call, or a run of them folded into one. */
type Item = { index: number; fold: null } | { index: number; fold: IFold };

/** The indices 0 … n-1 with the folded runs as single items. */
export function folded(n: number, folds: IFold[]): Item[] {
  const items: Item[] = [];
  for (let i = 0; i < n; i++) {
    const fold = folds.find(f => f.from <= i && i <= f.to);
    if (!fold) {
      items.push({ index: i, fold: null });
    } else {
      items.push({ index: fold.from, fold });
      i = fold.to;
    }
  }
  return items;
}

/** What a cell of the grid says where rows or columns are folded: a trace wins over a hit, a hit over "did not fit". */
export function together(fn: IFunction, row: Item, column: Item): { cell: Cell; count: number } {
  const span = (item: Item): [number, number] =>
    item.fold ? [item.fold.from, item.fold.to] : [item.index, item.index];
  const [r0, r1] = span(row);
  const [c0, c1] = span(column);
  const seen = { traced: 0, hit: 0, no: 0 };
  for (let r = r0; r <= r1; r++) {
    for (let c = c0; c <= c1; c++) {
      const cell = fn.matrix[r]?.[c];
      if (cell) {
        seen[cell]++;
      }
    }
  }
  for (const cell of ['traced', 'hit', 'no'] as const) {
    if (seen[cell]) {
      return { cell, count: seen[cell] };
    }
  }
  return { cell: '', count: 0 };
}

/** Whether all that a fold stands for is held; of what is not, nothing can be counted. */
function whole({ fold }: Item): boolean {
  return !fold || fold.count === fold.to - fold.from + 1;
}

const MARK = { traced: 'trace', hit: 'graph', no: 'no' } as const;

export function tracesView(context: IContext): IView {
  const { fn } = context;
  const node = h('div', { class: 'gl-body-of-view' });
  const error = fn.state === 'error';
  const lede = h('p', { class: 'gl-lede', role: error ? 'alert' : null }, ...say(fn.lede));
  // a cell that added a trace to earlier ones says nothing of a signature, which the link would refer to
  const told = fn.lede.id !== 'lede.retraced.earlier';
  if (told && fn.signatures?.merged && fn.views.includes('signatures')) {
    const go = button({ class: 'gl-link' }, () => context.show('signatures'), context.word('goto.signature'));
    lede.append(' ', go);
  }
  node.append(lede);
  if (fn.note) {
    node.append(h('p', { class: 'gl-muted gl-under' }, ...say(fn.note)));
  }
  if (fn.error) {
    node.append(...errorParts(context));
  }
  const table = fn.calls.length && fn.traces.length ? grid(context) : null;
  if (table) {
    node.append(table.node);
  }
  if (hasFolds(fn) && fn.folds.all && !context.chosen.all) {
    node.append(
      h(
        'div',
        { class: 'gl-bar' },
        button(
          { class: 'gl-btn gl-show-all' },
          () => {
            context.chosen.all = true;
            context.rebuild();
          },
          ...say(fn.folds.all)
        ),
        fn.folds.why ? h('span', { class: 'gl-muted' }, ...say(fn.folds.why)) : null
      )
    );
  }
  if (fn.fix && !fn.error) {
    node.append(fixBlock(fn.fix, context));
  }
  const entries = traceList(context);
  if (entries) {
    node.append(entries);
  }
  if (fn.volatile?.cost) {
    node.append(h('p', { class: 'gl-muted', 'data-volatile': true }, ...say(fn.volatile.cost)));
  }
  if (fn.cut) {
    node.append(h('p', { class: 'gl-muted' }, ...say(fn.cut)));
  }
  return { node, select: trace => select(context, node, trace, table?.show) };
}

/** Marks a trace's entry and the call that made it; false when it is folded away. */
function select(context: IContext, node: HTMLElement, trace: number, show?: (call: number) => void): boolean {
  const all = [...node.querySelectorAll<HTMLElement>('[data-trace]')];
  const found = all.filter(e => e.dataset.trace === String(trace));
  for (const element of all) {
    element.classList.toggle('gl-current', found.includes(element));
    element.toggleAttribute('aria-current', false);
  }
  for (const element of found) {
    element.setAttribute('aria-current', 'true');
  }
  const call = context.fn.traces.find(t => t.n === trace)?.call;
  if (call !== null && call !== undefined && context.fn.calls.some(c => c.n === call)) {
    context.chosen.call = call;
    show?.(call);
  }
  const last = found[found.length - 1];
  if (last) {
    reveal(last);
  }
  return found.length > 0;
}

function hasFolds(fn: IFunction): boolean {
  return fn.folds.calls.length + fn.folds.traces.length > 0;
}

function errorParts(context: IContext): HTMLElement[] {
  const { fn } = context;
  const parts: HTMLElement[] = [];
  if (fn.error?.code) {
    parts.push(h('div', { class: 'gl-stopped' }, mark('no'), codeBlock(fn.error.code)));
  }
  if (fn.fix) {
    parts.push(fixBlock(fn.fix, context));
  }
  if (fn.error) {
    parts.push(h('p', { class: 'gl-muted' }, ...say(fn.error.after)));
  }
  if (fn.graph && fn.views.includes('graph')) {
    parts.push(
      h(
        'div',
        {},
        button({ class: 'gl-btn' }, () => context.show('graph'), context.word('error.show_graph'))
      )
    );
  }
  return parts;
}

/** Calls × traces. A call's heading selects its column; ← and → move the selection. */
function grid(context: IContext): { node: HTMLElement; show: (call: number) => void } {
  const { fn, chosen, number, word } = context;
  const columns = folded(fn.calls.length, chosen.all ? [] : fn.folds.calls);
  const rows = folded(fn.traces.length, chosen.all ? [] : fn.folds.traces);
  const timed = fn.traces.some(t => t.volatile.time);
  const words = { traced: word('key.traced'), hit: word('key.hit'), no: word('key.no'), '': word('key.blank_cell') };
  const now = h('p', { class: 'gl-now', 'aria-live': 'polite' });

  const head = h('tr', {}, h('th', { scope: 'col' }, word('matrix.call'), h('br'), word('matrix.line')));
  for (const column of columns) {
    if (column.fold) {
      head.append(h('th', { scope: 'col', class: 'gl-c gl-folded' }, ...say(column.fold.text)));
      continue;
    }
    const call = fn.calls[column.index];
    head.append(
      h(
        'th',
        { scope: 'col', class: 'gl-c', 'data-call': call.n },
        button(
          { 'aria-pressed': 'false', tabindex: -1, 'data-call': call.n, title: call.source },
          event => select(event.currentTarget as HTMLElement),
          h('span', { class: 'gl-vh' }, `${word('matrix.call')} `),
          number(call.n),
          h('br'),
          h('span', { class: 'gl-vh' }, `, ${word('matrix.line')} `),
          h('span', { class: 'gl-place' }, call.place)
        )
      )
    );
  }
  if (timed) {
    head.append(h('th', { scope: 'col', class: 'gl-num' }, word('matrix.tracing')));
  }

  const body = h('tbody');
  for (const row of rows) {
    const trace = fn.traces[row.index];
    const line = h(
      'tr',
      { 'data-trace': row.fold ? null : trace.n },
      row.fold
        ? h('th', { scope: 'row', class: 'gl-folded' }, ...say(row.fold.text))
        : h('th', { scope: 'row' }, h('b', {}, `T${trace.n}`), ' ', h('code', { dir: 'ltr' }, trace.signature))
    );
    for (const column of columns) {
      const { cell, count } = together(fn, row, column);
      const call = column.fold ? null : fn.calls[column.index].n;
      const many = (row.fold || column.fold) && count > 1 && cell !== 'no' && whole(row) && whole(column);
      line.append(
        h(
          'td',
          { class: 'gl-c', 'data-call': call },
          // a folded run says how often it traced or reused; that its calls did not fit elsewhere goes without saying
          cell && !((row.fold || column.fold) && cell === 'no') ? mark(MARK[cell], words[cell]) : null,
          cell ? null : h('span', { class: 'gl-vh' }, words['']),
          many ? ` ${number(count)}` : null
        )
      );
    }
    if (timed) {
      line.append(
        h(
          'td',
          { class: 'gl-num' },
          h('span', { dir: 'ltr', 'data-volatile': true }, row.fold ? '' : trace.volatile.time)
        )
      );
    }
    body.append(line);
  }

  const table = h(
    'table',
    { class: 'gl-mx' },
    h('caption', { class: 'gl-vh' }, word('matrix.caption')),
    h('thead', {}, head),
    body
  );

  const show = (n: number): void => {
    const call = fn.calls.find(c => c.n === n);
    if (!call) {
      return;
    }
    for (const cell of table.querySelectorAll<HTMLElement>('.gl-c')) {
      cell.classList.toggle('gl-sel', cell.dataset.call === String(n));
    }
    const buttons = [...head.querySelectorAll<HTMLElement>('button')];
    for (const b of buttons) {
      b.setAttribute('aria-pressed', String(b.dataset.call === String(n)));
    }
    tabStop(buttons, buttons.find(b => b.dataset.call === String(n)) ?? null);
    now.replaceChildren(...say(call.text));
  };
  const select = (heading: HTMLElement): void => {
    chosen.call = Number(heading.dataset.call);
    show(chosen.call);
    heading.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  };
  roving(head, 'button', select);
  const wanted = [chosen.call, fn.selected, fn.calls[fn.calls.length - 1].n];
  const shown = columns.flatMap(c => (c.fold ? [] : [fn.calls[c.index].n]));
  show(wanted.find(n => n !== null && n !== undefined && shown.includes(n)) ?? shown[0]);

  const legend = (['traced', 'hit', 'no'] as const).filter(k => fn.matrix.some(r => r.includes(k)));
  const blank = fn.matrix.some(r => r.includes(''));
  const calm = legend.length === 1 && !blank;
  const node = h(
    'div',
    {},
    h('div', { class: 'gl-grid' }, table),
    calm
      ? null
      : h(
          'p',
          { class: 'gl-key' },
          ...legend.map(k => h('span', {}, mark(MARK[k]), words[k])),
          blank ? h('span', {}, word('key.blank')) : null
        ),
    calm && fn.calls.length === 1 ? null : now
  );
  return { node, show };
}

/**
 * One entry per trace made in this cell: why, what changed, what to write. Without recorded calls, one per trace there is.
 * Where many are folded, the same reason is not said again.
 */
function traceList(context: IContext): HTMLElement | null {
  const { fn, chosen } = context;
  const few = hasFolds(fn) && !chosen.all;
  const list = h('ol', { class: 'gl-traces' });
  let said = '';
  for (const item of folded(fn.traces.length, few ? fn.folds.traces : [])) {
    const trace = fn.traces[item.index];
    if (item.fold) {
      list.append(
        h('li', { class: 'gl-trace gl-run' }, h('span'), h('p', { class: 'gl-muted' }, ...say(item.fold.text)))
      );
    } else if ((trace.new || !fn.calls.length) && !(few && trace.reason.text === said)) {
      said = trace.reason.text;
      list.append(entry(context, trace));
    }
  }
  // a first trace alone needs no list: the sentence and the grid have said it all
  const all = fn.state === 'first' && fn.calls.length > 0;
  return all || !list.childElementCount ? null : list;
}

function entry(context: IContext, trace: ITrace): HTMLElement {
  const where = h('p', { class: 'gl-muted' }, ...say(trace.where));
  const body = h('div', { class: 'gl-body' }, ...cause(context, trace, where));
  if (trace.also?.length) {
    // each of them alone would have made this trace: who mends the first only meets the next
    body.append(h('ul', { class: 'gl-also' }, ...trace.also.map(c => h('li', {}, ...cause(context, c)))));
  }
  if (trace.more) {
    body.append(h('p', { class: 'gl-muted' }, ...say(trace.more)));
  }
  if (trace.rejects.length && trace.rejects_title) {
    body.append(rejects(context, trace, plain(trace.rejects_title.text)));
  }
  return h(
    'li',
    { class: trace.first ? 'gl-trace gl-first' : 'gl-trace', 'data-trace': trace.n },
    h('span', { class: 'gl-tid' }, mark('trace'), `T${trace.n}`),
    body
  );
}

/** Why, what changed, what to write or that nothing is to be changed. */
function cause(context: IContext, { reason, path, before, after, fix, keep }: ICause, where?: HTMLElement): Node[] {
  const about = h('div', { class: 'gl-dm' });
  if (path !== null && after !== null) {
    about.append(
      h(
        'div',
        { class: 'gl-delta' },
        h('span', {}, path),
        h('span', { class: 'gl-before' }, before ?? ''),
        h('span', { class: 'gl-arrow', 'aria-hidden': 'true' }, '→'),
        h('span', { class: 'gl-after' }, after)
      )
    );
  }
  if (where) {
    about.append(where);
  }
  const parts: Node[] = [h('p', { class: 'gl-why' }, ...say(reason))];
  if (about.childElementCount) {
    parts.push(about);
  }
  if (fix) {
    parts.push(fixBlock(fix, context));
  }
  if (keep) {
    parts.push(h('p', { class: 'gl-keep' }, mark('ok'), h('span', {}, ...say(keep))));
  }
  return parts;
}

function rejects(context: IContext, trace: ITrace, title: string): HTMLElement {
  const { chosen } = context;
  const details = h(
    'details',
    { open: chosen.open?.[`T${trace.n}`] ?? false },
    h('summary', {}, title),
    h(
      'ul',
      { class: 'gl-rejects' },
      ...trace.rejects.map(r => h('li', {}, mark('no'), h('span', {}, h('b', {}, `T${r.trace}`), ' ', ...say(r.text))))
    )
  );
  details.addEventListener('toggle', () => {
    chosen.open ??= {};
    chosen.open[`T${trace.n}`] = details.open;
  });
  return details;
}
