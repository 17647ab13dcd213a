/** The advice: what happens, the line as it is and the line to write; a line links to the code and the graph. */

import { button, h, mark } from '../dom';
import { codeBlock, say } from '../message';
import type { IAdvice, ICode } from '../model';
import type { IContext, IView } from '../panel';

export function adviceView(context: IContext): IView {
  const list = adviceList(context.fn.advice, context);
  return {
    node: h('div', { class: 'gl-body-of-view' }, list),
    linked: line => {
      for (const row of list.querySelectorAll<HTMLElement>('[data-line]')) {
        row.classList.toggle('is-linked', line !== null && row.dataset.line === String(line));
      }
    }
  };
}

/** The items, one below the other. */
export function adviceList(items: IAdvice[], context: IContext): HTMLElement {
  const { word } = context;
  const changed = (sign: string, code: ICode, kind: 'm' | 'p'): HTMLElement =>
    h('div', { class: `gl-adv-line gl-adv-${kind}` }, h('span', { 'aria-hidden': 'true' }, sign), codeBlock(code));
  const item = (advice: IAdvice): HTMLElement =>
    h(
      'li',
      { class: 'gl-adv', 'data-rule': advice.id, 'data-line': advice.line },
      mark(advice.note ? 'graph' : advice.cost ? 'cost' : 'bad'),
      h(
        'div',
        {},
        h('p', {}, ...say(advice.text), ...(advice.evidence ? [' ', ...say(advice.evidence)] : [])),
        advice.before || advice.after
          ? h(
              'div',
              { class: 'gl-adv-lines', dir: 'ltr' },
              advice.before && changed('−', advice.before, 'm'),
              advice.after && changed('+', advice.after, 'p')
            )
          : null,
        h(
          'p',
          { class: 'gl-muted' },
          ...place(advice, context),
          advice.note ? `${word('advice.note')} · ` : null,
          h('code', { dir: 'ltr' }, advice.id)
        )
      )
    );
  return h('ul', { class: 'gl-advs' }, ...items.map(item));
}

/** Where it is: a line of the cell or the function's file can be followed; a helper's place says whose it is. */
function place(advice: IAdvice, context: IContext): Array<Node | string> {
  const { line, where } = advice;
  if (line === null) {
    return where === undefined ? [] : [...say(where), ' · '];
  }
  const said = where === undefined ? [`${context.word('matrix.line')} ${context.number(line)}`] : say(where);
  return [button({}, () => context.link(line), ...said), ' · '];
}
