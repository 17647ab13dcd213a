/** Eager against graph: a row for each thing compared, what differs first with the rule that explains it. */

import { h } from '../dom';
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
  const code = (text: string): HTMLElement => h('code', { dir: 'ltr', class: 'gl-out' }, visible(text));
  const rows = compare.rows.map(row =>
    h(
      'tr',
      { class: row.equal ? null : 'gl-differs', 'data-equal': String(row.equal) },
      h('th', { scope: 'row' }, number(row.call)),
      h('td', {}, row.label),
      h('td', {}, code(row.eager)),
      h('td', {}, code(row.graph)),
      h('td', {}, `${row.equal ? '=' : '≠'} ${word(row.equal ? 'compare.equal' : 'compare.different')}`)
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
        { class: 'gl-t gl-both' },
        h('thead', {}, h('tr', {}, ...head.map(text => h(text ? 'th' : 'td', text ? { scope: 'col' } : {}, text)))),
        h('tbody', {}, ...rows)
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
