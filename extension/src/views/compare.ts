/** Eager against graph: a row for each thing compared, what differs first with the rule that explains it. */

import { type Attributes, type Child, h } from '../dom';
import { say, visible } from '../message';
import type { ICompare } from '../model';
import type { IContext, IView } from '../panel';
import { adviceList } from './advice';

export function compareView(context: IContext): IView {
  const { word, number } = context;
  const { compare } = context.fn;
  const node = h('div', { class: 'gl-body-of-view' });
  if (!compare) {
    return { node };
  }
  // a narrow panel sets a row's cells below each other: what they are is said by roles, whatever `display` they have
  const cell = (attributes: Attributes, ...inside: Child[]): HTMLElement =>
    h('td', { role: 'cell', ...attributes }, ...inside);
  const side = (name: 'eager' | 'graph', text: string, colspan: number | null = null): HTMLElement =>
    cell(
      { colspan, 'aria-colspan': colspan, class: 'gl-side-of-call' },
      colspan ? null : h('span', { class: 'gl-whose', 'aria-hidden': 'true' }, word(`compare.${name}`)),
      text ? h('code', { dir: 'ltr', class: 'gl-out' }, visible(text)) : h('span', { class: 'gl-muted' }, '–')
    );
  const rows = compare.rows.map(row =>
    h(
      'tr',
      { role: 'row', class: row.equal ? null : 'gl-differs', 'data-equal': String(row.equal) },
      h('th', { role: 'rowheader', scope: 'row' }, number(row.call)),
      cell({}, row.label),
      ...(row.equal && row.eager === row.graph
        ? [side('eager', row.eager, 2)]
        : [side('eager', row.eager), side('graph', row.graph)]),
      cell(
        {},
        h('span', { class: 'gl-verdict' }, h('span', {}, row.equal ? '=' : '≠'), ' '),
        h('span', {}, word(row.equal ? 'compare.equal' : 'compare.different'))
      )
    )
  );
  const head = [word('matrix.call'), '', word('compare.eager'), word('compare.graph'), ''];
  node.append(
    h('p', { class: 'gl-lede' }, ...say(compare.lede)),
    adviceList(compare.because, context),
    h(
      'div',
      { class: 'gl-grid', tabindex: 0 },
      h(
        'table',
        { role: 'table', class: 'gl-t gl-both' },
        h(
          'thead',
          { role: 'rowgroup' },
          h(
            'tr',
            { role: 'row' },
            ...head.map(text => (text ? h('th', { role: 'columnheader', scope: 'col' }, text) : cell({})))
          )
        ),
        h('tbody', { role: 'rowgroup' }, ...rows)
      )
    )
  );
  const timed = times(compare, word);
  if (timed) {
    node.append(timed);
  }
  return { node };
}

/** What a call takes each way and what tracing takes, as bars of one scale, and from when the graph is ahead. */
function times({ volatile }: ICompare, word: (key: string) => string): HTMLElement | null {
  const bars = volatile?.bars ?? [];
  if (!bars.length || !volatile?.said) {
    return null;
  }
  const longest = Math.max(...bars.map(bar => bar.ms));
  const row = (bar: (typeof bars)[number]): HTMLElement =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, bar.label),
      h('td', { class: 'gl-num' }, h('span', { dir: 'ltr' }, bar.text)),
      h(
        'td',
        { class: 'gl-amount', 'aria-hidden': 'true' },
        h('span', { style: `inline-size: ${((100 * bar.ms) / longest).toFixed(1)}%` })
      )
    );
  return h(
    'section',
    { class: 'gl-sect', 'data-volatile': true },
    h('h4', {}, word('compare.time')),
    h('table', { class: 'gl-t gl-times' }, h('tbody', {}, ...bars.map(row))),
    h('p', {}, ...say(volatile.said))
  );
}
