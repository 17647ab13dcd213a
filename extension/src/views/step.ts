/**
 * Stepping: the run operation by operation, forwards and back, with the values at each; for each loop a slider over its
 * iterations; and where to stop.
 */

import { button, type Child, h } from '../dom';
import { say } from '../message';
import type { ILoop, IStep, IStepNode, IValue } from '../model';
import type { IContext, IView } from '../panel';
import { begin, type IStop, Run } from './run';

export function stepView(context: IContext): IView {
  const { word } = context;
  const { step } = context.fn;
  const node = h('div', { class: 'gl-body-of-view' });
  if (!step) {
    return { node };
  }
  const before = context.chosen.walk;
  const kept = before && before.asked === step.stop?.asked;
  context.chosen.walk = kept ? before : begin(step);
  const run = new Run(step, context.chosen.walk);
  if (!kept) {
    run.goTo(run.walk.at);
  }
  const body = h('tbody');
  const moved: (() => void)[] = [];
  const draw = (): void => {
    body.replaceChildren(...rows(run, context, at => go(() => run.goTo(at))));
    for (const show of moved) {
      show();
    }
  };
  const go = (move: () => void): void => {
    move();
    draw();
    context.link(run.node?.line ?? null);
  };

  node.append(h('p', { class: 'gl-lede' }, ...say(step.lede)));
  if (step.stop) {
    node.append(h('p', { class: 'gl-asked' }, ...say(step.stop.text)));
  }
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
              () => go(() => run.goTo(trouble.node)),
              `${word('matrix.line')} ${context.number(trouble.line)}`
            )
      )
    );
  }
  for (const loop of step.loops) {
    const bar = slider(loop, context, run, go);
    moved.push(bar.show);
    node.append(bar.node);
  }
  if (step.nodes.length) {
    const bar = operations(context, run, go);
    moved.push(bar.show);
    node.append(bar.node);
  }
  const head = [word('step.head.node'), word('matrix.line'), word('step.head.value')];
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
  draw();
  return {
    node,
    linked: line => {
      for (const tr of body.querySelectorAll<HTMLElement>('[data-line]')) {
        tr.classList.toggle('is-linked', line !== null && tr.dataset.line === String(line));
      }
    }
  };
}

/** The operations that are seen, with a row before those of an iteration or a branch that says which it is. */
function rows(run: Run, context: IContext, goTo: (at: number) => void): HTMLElement[] {
  const all: HTMLElement[] = [];
  let around = '';
  run.nodes.forEach((node, at) => {
    if (!run.seen(at)) {
      return;
    }
    const where = node.around.map(w => w.text).join('\n');
    const tr = row(node, context);
    if (where !== around) {
      around = where;
      if (where) {
        const said = node.around.flatMap((w, i) => [i ? ' · ' : '', ...say(w)]);
        all.push(h('tr', { class: 'gl-place' }, h('th', { colspan: 3, scope: 'rowgroup' }, ...said)));
      } else {
        tr.classList.add('gl-outside');
      }
    }
    if (at === run.walk.at) {
      tr.setAttribute('aria-current', 'step');
    }
    tr.addEventListener('click', event => {
      if (!(event.target as Element).closest('button')) {
        goTo(at);
      }
    });
    all.push(tr);
  });
  return all;
}

interface IBar {
  node: HTMLElement;
  /** Shows where the run stands now. */
  show(): void;
}

type Go = (move: () => void) => void;

function slider(loop: ILoop, context: IContext, run: Run, go: Go): IBar {
  const { word } = context;
  const label = h('span', { class: 'gl-muted' });
  const shown = h('dl', { class: 'gl-loop-values' });
  const input = h('input', {
    type: 'range',
    min: 0,
    max: loop.iterations.length - 1,
    'aria-label': `${loop.name}: ${word('step.head.iteration')}`
  });
  const show = (): void => {
    const at = run.walk.loops[loop.name];
    const item = loop.iterations[at];
    input.value = String(at);
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
  const move = (by: number): void => go(() => run.goToIteration(loop.name, Number(input.value) + by));
  input.addEventListener('input', () => move(0));
  return {
    show,
    node: h(
      'div',
      { class: 'gl-loop', 'data-loop': loop.name },
      h('div', { class: 'gl-loop-bar' }, h('code', { dir: 'ltr' }, loop.name), ...moves(word, move, input), label),
      shown
    )
  };
}

/** The slider over all operations, and where to stop. */
function operations(context: IContext, run: Run, go: Go): IBar {
  const { word, number } = context;
  const label = h('span', { class: 'gl-muted' });
  const here = h('p', { class: 'gl-at' });
  const said = h('span', { class: 'gl-muted', role: 'status', 'aria-live': 'polite' });
  const last = run.nodes.length - 1;
  const input = h('input', { type: 'range', min: 0, max: last, 'aria-label': word('step.head.node') });
  const show = (): void => {
    const { node } = run;
    input.value = String(run.walk.at);
    label.textContent = `${number(run.walk.at + 1)} / ${number(last + 1)}`;
    input.setAttribute('aria-valuetext', `${label.textContent} ${node?.op ?? ''}`);
    here.replaceChildren(h('span', {}, ...(node ? standing(node, context) : [])));
    said.textContent = '';
  };
  const move = (by: number): void => go(() => run.goTo(Number(input.value) + by));
  input.addEventListener('input', () => move(0));
  const toStop = (by: 1 | -1): void => {
    let found = false;
    go(() => {
      found = run.toStop(by);
    });
    said.textContent = found ? '' : word('step.stop.none');
  };
  const jump = (by: 1 | -1, key: string, sign: string): HTMLElement =>
    button(
      { class: 'gl-jump', 'aria-label': word(key), title: word(key) },
      () => toStop(by),
      h('span', { 'aria-hidden': 'true' }, sign)
    );
  return {
    show,
    node: h(
      'div',
      { class: 'gl-loop gl-walk' },
      h('div', { class: 'gl-loop-bar' }, h('span', {}, word('step.head.node')), ...moves(word, move, input), label),
      h(
        'div',
        { class: 'gl-loop-bar', role: 'group', 'aria-label': word('step.stop') },
        h('span', { class: 'gl-muted' }, word('step.stop')),
        ...stopFields(context, run, context.fn.step?.stop),
        jump(-1, 'step.stop.previous', '⇤'),
        jump(1, 'step.stop.next', '⇥'),
        said
      ),
      here
    )
  };
}

/** The operation the run stands at, in a line: the table may be out of sight. */
function standing(node: IStepNode, { word, number }: IContext): Child[] {
  return [
    h('code', { dir: 'ltr' }, node.op),
    ...node.around.flatMap(where => [' · ', ...say(where)]),
    node.line === null ? null : ` · ${word('matrix.line')} ${number(node.line)}`,
    ...node.values.flatMap(found => [h('br'), ...value(found)]),
    node.error && h('span', { class: 'gl-bad' }, ` ${node.error}`)
  ];
}

function stopFields(context: IContext, run: Run, asked: IStep['stop']): HTMLElement[] {
  const { word, number } = context;
  const { stop } = run.walk;
  const lines = [...new Set(run.nodes.flatMap(n => (n.line === null ? [] : [n.line])))].sort((a, b) => a - b);
  const line = h(
    'select',
    { 'aria-label': `${word('step.stop')}: ${word('matrix.line')}` },
    h('option', { value: '' }, word('step.stop.any')),
    ...(asked?.fits.length ? [h('option', { value: 'asked', dir: 'ltr' }, asked.asked)] : []),
    ...lines.map(n => h('option', { value: n }, `${word('matrix.line')} ${number(n)}`))
  );
  const kinds = ['odd', 'above', 'below'] as const;
  const when = h(
    'select',
    { 'aria-label': `${word('step.stop')}: ${word('step.head.value')}` },
    h('option', { value: '' }, word('step.when.any')),
    ...kinds.map(kind => h('option', { value: kind }, word(`step.when.${kind}`)))
  );
  const than = h('input', { type: 'number', step: 'any', 'aria-label': word('step.head.value'), dir: 'ltr' });
  line.value = stop.asked ? 'asked' : String(stop.line ?? '');
  when.value = stop.when ?? '';
  than.value = String(stop.than ?? 0);
  const read = (): void => {
    const kind = kinds.find(k => k === when.value);
    const place: IStop =
      line.value === 'asked' ? { asked: true } : { line: line.value ? Number(line.value) : undefined };
    run.walk.stop = { ...place, when: kind, than: Number(than.value) };
    than.hidden = kind !== 'above' && kind !== 'below';
  };
  for (const field of [line, when, than]) {
    field.addEventListener('input', read);
  }
  read();
  return [line, when, than];
}

/** The buttons around a slider, and the slider. */
function moves(word: IContext['word'], move: (by: number) => void, input: HTMLElement): HTMLElement[] {
  return [
    button({ 'aria-label': word('step.backward'), title: word('step.backward') }, () => move(-1), '−'),
    input,
    button({ 'aria-label': word('step.forward'), title: word('step.forward') }, () => move(1), '+')
  ];
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
