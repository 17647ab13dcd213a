/** The second view: one row per concrete signature, what differs underlined, and the one that would serve them all. */

import { h } from '../dom';
import { fixBlock, say } from '../message';
import type { ISignatureRow } from '../model';
import type { IContext, IView } from '../panel';

/** The characters of a value that stand in one line. */
const LONG = 24;

const length = (text: string): string | null => (text.length > LONG ? 'gl-long' : null);

export function signaturesView(context: IContext): IView {
  const { word, number } = context;
  const { signatures } = context.fn;
  const node = h('div', { class: 'gl-body-of-view' });
  if (!signatures) {
    return { node };
  }
  const row = (r: ISignatureRow): HTMLElement =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, h('b', {}, r.label)),
      ...r.args.map(a =>
        h(
          'td',
          { class: length(a.type) },
          h('code', { dir: 'ltr', class: a.changed ? 'gl-ne' : null, 'data-changed': a.changed }, a.type)
        )
      ),
      h('td', { class: length(r.result ?? '') }, r.result === null ? null : h('code', { dir: 'ltr' }, r.result)),
      h('td', { class: 'gl-num' }, r.calls === null ? null : number(r.calls)),
      h('td', { class: 'gl-num' }, r.ops === null ? null : number(r.ops))
    );
  const table = h(
    'table',
    { class: 'gl-t gl-sigs' },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col' }, h('span', { class: 'gl-vh' }, word('signatures.trace'))),
        ...signatures.paths.map(path => h('th', { scope: 'col' }, h('code', { dir: 'ltr' }, path))),
        h('th', { scope: 'col' }, word('signatures.result')),
        h('th', { scope: 'col', class: 'gl-num' }, word('signatures.calls')),
        h('th', { scope: 'col', class: 'gl-num' }, word('signatures.ops'))
      )
    ),
    h('tbody', {}, ...signatures.rows.map(row)),
    signatures.merged ? h('tfoot', {}, row(signatures.merged)) : null
  );
  node.append(h('p', { class: 'gl-lede' }, ...say(signatures.lede)), h('div', { class: 'gl-grid' }, table));
  if (signatures.reduced) {
    node.append(h('p', {}, ...say(signatures.reduced)));
  }
  if (signatures.fix) {
    node.append(fixBlock(signatures.fix, context));
  }
  return { node };
}
