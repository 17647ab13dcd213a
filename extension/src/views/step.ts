/** Stepping: for each loop a slider over its iterations with their values; below, the operations that ran, with values. */

import { button, type Child, h } from '../dom';
import { say } from '../message';
import type { ILoop, IStepNode, IValue } from '../model';
import type { IContext, IView } from '../panel';

export function stepView(context: IContext): IView {
  const { word } = context;
  const { step } = context.fn;
  const node = h('div', { class: 'gl-body-of-view' });
  if (!step) {
    return { node };
  }
  node.append(h('p', { class: 'gl-lede' }, ...say(step.lede)));
  for (const trouble of step.troubles) {
    node.append(
      h(
        'p',
        { class: 'gl-trouble', role: 'alert' },
        ...say(trouble.text),
        ...trouble.around.flatMap(where => [' ', ...say(where)]),
        ' ',
        trouble.line === null
          ? null
          : button(
              { class: 'gl-go' },
              () => context.link(trouble.line),
              `${word('matrix.line')} ${context.number(trouble.line)}`
            )
      )
    );
  }
  const body = h('tbody');
  const head = [word('step.head.node'), word('matrix.line'), word('step.head.value')];
  const fill = (from: number, to: number): void => {
    body.replaceChildren(...step.nodes.filter(n => n.n >= from && n.n < to).map(n => row(n, context)));
  };
  const [first] = step.loops;
  for (const loop of step.loops) {
    node.append(
      slider(loop, context, index => {
        const start = loop.iterations[index].first;
        fill(start, loop.iterations[index + 1]?.first ?? Number.POSITIVE_INFINITY);
      })
    );
  }
  if (first === undefined) {
    fill(0, Number.POSITIVE_INFINITY);
  } else {
    fill(first.iterations[0].first, first.iterations[1]?.first ?? Number.POSITIVE_INFINITY);
  }
  node.append(
    h(
      'div',
      { class: 'gl-grid', tabindex: 0 },
      h(
        'table',
        { class: 'gl-t gl-steps', 'aria-label': word('step.nodes') },
        h('thead', {}, h('tr', {}, ...head.map(text => h('th', { scope: 'col' }, text)))),
        body
      )
    )
  );
  if (step.cut) {
    node.append(h('p', { class: 'gl-muted' }, ...say(step.cut)));
  }
  return {
    node,
    linked: line => {
      for (const tr of body.querySelectorAll<HTMLElement>('[data-line]')) {
        tr.classList.toggle('is-linked', line !== null && tr.dataset.line === String(line));
      }
    }
  };
}

function slider(loop: ILoop, context: IContext, moved: (index: number) => void): HTMLElement {
  const { word } = context;
  const label = h('span', { class: 'gl-muted' });
  const shown = h('dl', { class: 'gl-loop-values' });
  const input = h('input', {
    type: 'range',
    min: 0,
    max: loop.iterations.length - 1,
    value: 0,
    'aria-label': `${loop.name}: ${word('step.head.iteration')}`
  });
  const show = (): void => {
    const item = loop.iterations[Number(input.value)];
    label.replaceChildren(...say(item.label));
    input.setAttribute('aria-valuetext', label.textContent ?? '');
    shown.replaceChildren(
      ...loop.names.flatMap((name, i) => [
        h('dt', {}, h('code', { dir: 'ltr' }, name)),
        h('dd', {}, ...value(item.values[i]))
      ]),
      ...(item.branches.length
        ? [h('dt', {}, word('step.head.branches')), h('dd', {}, h('code', { dir: 'ltr' }, item.branches.join(', ')))]
        : [])
    );
  };
  const move = (by: number): void => {
    input.value = String(Number(input.value) + by);
    show();
    moved(Number(input.value));
  };
  input.addEventListener('input', () => move(0));
  show();
  return h(
    'div',
    { class: 'gl-loop', 'data-loop': loop.name },
    h(
      'div',
      { class: 'gl-loop-bar' },
      h('code', { dir: 'ltr' }, loop.name),
      button({ 'aria-label': word('step.backward'), title: word('step.backward') }, () => move(-1), '−'),
      input,
      button({ 'aria-label': word('step.forward'), title: word('step.forward') }, () => move(1), '+'),
      label
    ),
    shown
  );
}

function row(node: IStepNode, context: IContext): HTMLElement {
  return h(
    'tr',
    { 'data-line': node.line, 'data-node': node.n },
    h('th', { scope: 'row' }, h('code', { dir: 'ltr', title: node.name }, ...humps(node.op))),
    h(
      'td',
      { class: 'gl-num' },
      node.line === null ? null : button({ class: 'gl-go' }, () => context.link(node.line), context.number(node.line))
    ),
    h(
      'td',
      {},
      ...node.values.map(found => h('div', {}, ...value(found))),
      node.error && h('span', { class: 'gl-bad' }, node.error)
    )
  );
}

/** A name of several words, which may be broken between them. */
function humps(name: string): Child[] {
  return name.split(/(?<=[a-z0-9])(?=[A-Z])/).flatMap((part, i) => (i ? [h('wbr'), part] : [part]));
}

/** A value: its type, its numbers, and when not all of them are shown least and greatest with a small map. */
function value(found: IValue): HTMLElement[] {
  const parts = [h('code', { dir: 'ltr', class: 'gl-out' }, `${found.spec} ${found.text}`.trim())];
  if (found.map) {
    parts.push(heat(found.map));
  }
  if (found.stats && found.stats.min !== null) {
    const { min, max, nan, inf } = found.stats;
    const said = [found.text.includes('…') && `${min} … ${max}`, nan && `${nan} NaN`, inf && `${inf} Inf`];
    const text = said.filter(Boolean).join(' · ');
    if (text) {
      parts.push(h('small', { dir: 'ltr' }, text));
    }
  }
  return parts;
}

function heat(map: (number | null)[][]): HTMLElement {
  return h(
    'span',
    { class: 'gl-heat', 'aria-hidden': 'true', style: `--gl-heat-columns: ${map[0]?.length ?? 1}` },
    ...map.flat().map(level => h('i', { 'data-level': level === null ? 'x' : level }))
  );
}
