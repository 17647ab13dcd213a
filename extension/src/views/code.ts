/** The third view: each of the user's lines with what became of it. Lines are linked to the editor and to the graph. */

import { button, h, mark, reveal, roving, tabStop } from '../dom';
import { linesOf } from '../graph/parts';
import { fixBlock, highlighted, say, visible } from '../message';
import type { ICodeRow, ICodeView, IGeneratedLine } from '../model';
import type { IContext, IView } from '../panel';

const MODES = ['lines', 'generated', 'yours'] as const;

/** For each mark of a line, the words for it. */
const WORDS = { trace: 'key.trace_only', graph: 'key.graph', both: 'key.both', never: 'key.never' } as const;

export function codeView(context: IContext): IView {
  const { fn, chosen, word } = context;
  const node = h('div', { class: 'gl-body-of-view' });
  const { code } = fn;
  if (!code) {
    return { node };
  }
  // a function that was not called has this view alone: its sentence and the call to write stand here
  const alone = fn.state === 'uncalled';
  if (alone) {
    node.append(h('p', { class: 'gl-lede' }, ...say(fn.lede)));
    if (fn.note) {
      node.append(h('p', { class: 'gl-muted gl-under' }, ...say(fn.note)));
    }
  } else {
    node.append(h('p', { class: 'gl-lede' }, ...say(code.lede)));
  }
  if (alone && fn.fix) {
    node.append(fixBlock(fn.fix, context));
  }

  const holder = h('div');
  const modes = h('div', { class: 'gl-seg', role: 'group', 'aria-label': word('tab.code') });
  const setMode = (element: HTMLElement): void => {
    chosen.code = element.dataset.mode as (typeof MODES)[number];
    draw();
    linked(chosen.line ?? null, chosen.also);
  };
  for (const name of MODES) {
    modes.append(button({ 'data-mode': name }, e => setMode(e.currentTarget as HTMLElement), word(`code.${name}`)));
  }
  roving(modes, 'button', setMode);

  // what the selected line is in the graph: the third end of the link
  const nodes = h('p', { class: 'gl-pick gl-chips', role: 'group', 'aria-label': word('code.nodes') });
  nodes.hidden = true;
  let drawn: (typeof MODES)[number] = 'lines';
  const draw = (): void => {
    const mode = chosen.code ?? 'lines';
    drawn = mode;
    for (const b of modes.querySelectorAll<HTMLElement>('button')) {
      b.setAttribute('aria-pressed', String(b.dataset.mode === mode));
    }
    tabStop(modes.children, modes.querySelector('[aria-pressed=true]'));
    const list = listing(context, code, mode);
    holder.replaceChildren(list, ...helpers(context, code, mode), legend(context, code, mode));
  };
  const linked = (line: number | null, also: number[] = []): void => {
    const lines = line === null ? [] : [line, ...also];
    const wanted: HTMLElement[] = [];
    for (const list of holder.querySelectorAll('.gl-code')) {
      const rows = [...list.querySelectorAll<HTMLElement>('[data-line]')];
      const found = rows.filter(r => lines.includes(lineOf(r)));
      for (const row of rows) {
        const on = found.includes(row);
        row.classList.toggle('gl-linked', on);
        row.setAttribute('aria-current', String(on));
      }
      tabStop(rows, found[0] ?? rows[0] ?? null);
      wanted.push(...found);
    }
    if (wanted.length && !wanted.some(r => r.contains(document.activeElement))) {
      reveal(wanted[0]);
    }
    nodes.replaceChildren(...chips(context, line));
    nodes.hidden = !nodes.childElementCount;
  };
  const hovered = (lines: number[]): void => {
    for (const row of holder.querySelectorAll<HTMLElement>('[data-line]')) {
      row.classList.toggle('gl-hovered', lines.includes(lineOf(row)));
    }
  };
  draw();
  const generated = code.generated.length > 0;
  if (generated) {
    node.append(h('div', { class: 'gl-bar' }, modes));
  }
  node.append(holder, nodes, ...tables(context, code));
  // the graph asks for one of the forms
  const shown = (): void => {
    if (drawn !== (chosen.code ?? 'lines')) {
      draw();
      linked(chosen.line ?? null, chosen.also);
    }
  };
  return { node, linked, hovered, shown };
}

/** The nodes of a line, each a way to it in the graph. */
function chips(context: IContext, line: number | null): HTMLElement[] {
  const { chosen, fn, word } = context;
  const { graph } = fn;
  if (line === null || !graph || !fn.views.includes('graph')) {
    return [];
  }
  const found = graph.nodes.filter(n => n.kind === 'op' && !n.backward && !n.unneeded && linesOf(n).includes(line));
  if (!found.length) {
    return [];
  }
  return [
    h('span', { class: 'gl-muted' }, word('code.nodes')),
    ...found.slice(0, 12).map(n =>
      button(
        { class: 'gl-small gl-chip', 'data-node': n.id, 'aria-label': n.aria },
        () => {
          const own = n.in?.includes('traced') ?? true;
          chosen.graph = own ? 'traced' : 'runs';
          chosen.pick = n.id;
          context.show('graph');
        },
        h('span', { dir: 'ltr' }, n.title)
      )
    ),
    ...(found.length > 12 ? [h('span', { class: 'gl-muted' }, '…')] : [])
  ];
}

/** The listing in one of its three forms. Rows hold `data-line`, the source line they belong to. */
function listing(context: IContext, code: ICodeView, mode: (typeof MODES)[number]): HTMLElement {
  const list = h('div', { class: `gl-code gl-code-${mode}`, role: 'list', 'aria-label': context.word(`code.${mode}`) });
  if (mode === 'generated') {
    for (const line of code.generated) {
      list.append(row(line.line, h('div', { class: 'gl-gg' }, generatedLine(line))));
    }
  } else {
    for (const r of code.rows) {
      const own = h('div', { class: 'gl-ss' }, sourceLine(context, r, mode === 'lines'));
      const made = mode === 'lines' ? h('div', { class: 'gl-gg' }, ...r.generated.map(generatedLine)) : null;
      const element = row(r.line, own, made);
      element.classList.toggle('gl-same', r.same);
      list.append(element);
    }
  }
  linking(context, list);
  return list;
}

/** The user's other functions that ran with this one. Where they stand outside of the cell, their rows link to nothing. */
function helpers(context: IContext, code: ICodeView, mode: (typeof MODES)[number]): HTMLElement[] {
  const found = mode === 'generated' ? [] : (code.helpers ?? []);
  if (!found.length) {
    return [];
  }
  const sections = found.map(helper => {
    const list = h('div', { class: 'gl-code gl-code-yours', role: 'list', 'aria-label': helper.name });
    for (const r of helper.rows) {
      const own = h('div', { class: 'gl-ss' }, sourceLine(context, r, false));
      list.append(row(helper.line === null ? null : r.line, own));
    }
    linking(context, list);
    const open = helper.around || helper.rows.some(r => r.mark === 'trace' || r.mark === 'both');
    return h('details', { class: 'gl-helper', open }, h('summary', {}, ...say(helper.where)), list);
  });
  const more = code.more ? h('p', { class: 'gl-muted' }, ...say(code.more)) : null;
  return [h('div', { class: 'gl-sect gl-helpers' }, h('h4', {}, context.word('code.helpers')), ...sections, more)];
}

/** Lets the rows of a list be picked, by pointer and keys. */
function linking(context: IContext, list: HTMLElement): void {
  list.addEventListener('click', event => {
    const element = (event.target as Element).closest<HTMLElement>('[data-line]');
    if (element && !String(window.getSelection() ?? '')) {
      context.link(context.chosen.line === lineOf(element) ? null : lineOf(element));
      element.focus({ preventScroll: true });
    }
  });
  list.addEventListener('pointerover', event => {
    const element = (event.target as Element).closest<HTMLElement>('[data-line]');
    context.hover(element ? lineOf(element) : null);
  });
  list.addEventListener('pointerleave', () => context.hover(null));
  list.addEventListener('keydown', event => {
    const element = (event.target as Element).closest<HTMLElement>('[data-line]');
    if (element && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      context.link(lineOf(element));
    } else if (element && event.key === 'Escape' && context.chosen.line) {
      event.stopPropagation();
      context.link(null);
    }
  });
  roving(list, '[data-line]', element => context.link(lineOf(element)), true);
}

function lineOf(element: HTMLElement): number {
  return Number(element.dataset.line);
}

function row(line: number | null, ...parts: (HTMLElement | null)[]): HTMLElement {
  return h('div', { class: 'gl-r', role: 'listitem', tabindex: -1, 'data-line': line }, ...parts);
}

function sourceLine(context: IContext, r: ICodeRow, compared: boolean): HTMLElement {
  const shown = h('span', { class: 'gl-mk' });
  if (r.mark) {
    const words = r.mark_text ?? context.word(WORDS[r.mark]);
    const count = r.count_text
      ? h(
          'span',
          {},
          h('span', { 'aria-hidden': 'true' }, r.count_text),
          h('span', { class: 'gl-vh' }, `${r.count_text} ${counts(context)}`)
        )
      : null;
    const title = r.count_text ? `${words} · ${r.count_text} ${counts(context)}` : words;
    const marks = r.mark === 'both' ? [mark('trace', words), mark('graph')] : [mark(r.mark, words)];
    shown.append(h('span', { title }, ...marks, count));
  }
  const same = compared && r.same;
  return h(
    'div',
    { class: r.mark === 'never' ? 'gl-l gl-s gl-never' : 'gl-l gl-s' },
    h('span', { class: 'gl-no' }, String(r.line)),
    shown,
    text(r.indent, r.tokens),
    same ? h('span', { class: 'gl-eq', role: 'img', 'aria-label': context.word('key.same') }, '=') : null
  );
}

function generatedLine(line: IGeneratedLine): HTMLElement {
  return h(
    'div',
    { class: 'gl-l gl-g' },
    h('span', { class: 'gl-no' }, line.n === null ? '' : String(line.n)),
    h('span'),
    text(line.indent, line.tokens)
  );
}

/** A line's text: wraps with a hanging indent; its first word stays behind the spaces before it. */
function text(indent: number, tokens: ICodeRow['tokens']): HTMLElement {
  const [[kind, first], ...rest] = tokens.length ? tokens : [['', ''] as ICodeRow['tokens'][number]];
  const start = first.trimStart();
  const element = h(
    'span',
    { class: 'gl-tx' },
    h('span', { class: 'gl-in' }, first.slice(0, first.length - start.length)),
    ...highlighted([[kind, start], ...rest])
  );
  element.style.setProperty('--gl-ind', String(indent));
  return element;
}

/** What a count beside a line counts. */
function counts(context: IContext): string {
  return context.word(context.fn.step ? 'key.count.step' : 'key.count');
}

function legend(context: IContext, code: ICodeView, mode: (typeof MODES)[number]): HTMLElement {
  const { word } = context;
  const rows = mode === 'generated' ? [] : [...code.rows, ...(code.helpers ?? []).flatMap(helper => helper.rows)];
  const has = (m: string): boolean => rows.some(r => r.mark === m);
  return h(
    'p',
    { class: 'gl-key' },
    has('trace') ? h('span', {}, mark('trace'), word('key.trace_only')) : null,
    has('graph') ? h('span', {}, mark('graph'), word('key.graph')) : null,
    has('both') ? h('span', {}, mark('trace'), mark('graph'), word('key.both')) : null,
    has('never') ? h('span', {}, mark('never'), word('key.never')) : null,
    rows.some(r => r.count_text) ? h('span', {}, h('b', {}, `${context.number(2)}×`), ' ', counts(context)) : null,
    mode === 'lines' && code.rows.some(r => r.same) ? h('span', { class: 'gl-eq-key' }, `= ${word('key.same')}`) : null
  );
}

/** What was printed, and what was read from outside. */
function tables(context: IContext, code: ICodeView): HTMLElement[] {
  const { word } = context;
  const parts: HTMLElement[] = [];
  if (code.output_lines.length) {
    parts.push(
      h(
        'div',
        { class: 'gl-sect' },
        h('h4', {}, word('code.output')),
        h(
          'table',
          { class: 'gl-t gl-out-lines' },
          h(
            'tbody',
            {},
            ...code.output_lines.map(o =>
              h(
                'tr',
                {},
                h('td', { class: 'gl-tiny' }, mark(o.mark, word(o.mark === 'trace' ? 'key.trace_only' : 'key.graph'))),
                h('td', { class: 'gl-cut' }, h('code', { dir: 'ltr', title: o.text }, visible(o.text))),
                h('td', { class: 'gl-num' }, ...say(o.where))
              )
            )
          )
        )
      )
    );
  }
  if (code.captured.length) {
    parts.push(
      h(
        'div',
        { class: 'gl-sect' },
        h('h4', {}, word('code.captured')),
        h(
          'div',
          { class: 'gl-grid' },
          h(
            'table',
            { class: 'gl-t' },
            h(
              'thead',
              {},
              h(
                'tr',
                {},
                h('th', { scope: 'col' }, word('code.name')),
                h('th', { scope: 'col' }, word('code.when_traced')),
                h('th', { scope: 'col' }, word('code.now')),
                h('td')
              )
            ),
            h(
              'tbody',
              {},
              ...code.captured.map(c =>
                h(
                  'tr',
                  {},
                  h(
                    'td',
                    {},
                    h('code', { dir: 'ltr' }, c.name),
                    c.reader === undefined ? null : ' · ',
                    c.reader === undefined ? null : h('code', { dir: 'ltr' }, c.reader)
                  ),
                  h('td', {}, h('code', { dir: 'ltr' }, c.traced)),
                  h('td', {}, h('code', { dir: 'ltr', class: c.now === c.traced ? null : 'gl-ne' }, c.now)),
                  h('td', {}, ...say(c.text))
                )
              )
            )
          )
        )
      )
    );
  }
  return parts;
}
