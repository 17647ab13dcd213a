/** Eager against graph: a row for each thing compared, what differs first with the rule that explains it. */

import { h } from '../dom';
import { say, visible } from '../message';
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
  return { node };
}
