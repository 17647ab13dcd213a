/** The fourth view: the graph as traced, as it runs and its gradient; a node marks its line everywhere. */

import { button, h, mark, roving, svg, tabStop } from '../dom';
import type { IDrawing } from '../graph/draw';
import { FORMATS, type Format, file, save } from '../graph/export';
import { Finder } from '../graph/finder';
import { type IPicture, linesOf, type Mode, SIGNS, search } from '../graph/parts';
import { Scene } from '../graph/scene';
import { highlighted, say } from '../message';
import type { IChange, IGraph, INode } from '../model';
import type { IContext, IView } from '../panel';

const EARLIER: Partial<IGraph> = {
  left: null,
  cut: null,
  part: 'traced',
  parts: ['traced'],
  changes: [],
  memory: [],
  changes_text: ''
};

export function graphView(context: IContext): IView {
  const { fn, word } = context;
  const node = h('div', { class: 'gl-body-of-view' });
  const { graph } = fn;
  if (!graph) {
    return { node };
  }
  // a notebook that was saved by an earlier version holds the graph as it was traced, and no more
  const view = new GraphView(context, { ...EARLIER, ...graph });
  node.append(...view.parts);
  const text = `${graph.text}${graph.changes_text ? `\n\n${graph.changes_text}` : ''}`;
  node.append(
    h('details', {}, h('summary', {}, word('graph.text')), h('pre', { class: 'gl-graph-text', tabindex: 0 }, text))
  );
  return {
    node,
    linked: line => view.scene.linked(line),
    hovered: lines => view.scene.hovered(lines),
    expand: () => view.scene.toggleAll(true),
    shown: () => view.scene.show(),
    dispose: () => view.scene.dispose()
  };
}

class GraphView {
  readonly scene: Scene;
  readonly parts: HTMLElement[];

  constructor(
    private _context: IContext,
    private _graph: IGraph
  ) {
    const { word } = _context;
    this._pick = h('div', { class: 'gl-pick', 'aria-live': 'polite' });
    this._pick.hidden = true;
    this._key = h('p', { class: 'gl-key' });
    this._more = h('p', { class: 'gl-more' });
    this.scene = new Scene(_context, _graph, {
      drawn: (drawing, now) => this._drawn(drawing, now),
      picked: node => this._picked(node),
      find: () => this._finder.focus()
    });
    this._finder = new Finder(_context, {
      find: query => search(this.scene.candidates(), query),
      found: (matches, current) => this.scene.found(matches, current)
    });
    const lede = [_graph.lede, _graph.left].flatMap((m, i) => (m ? [...(i ? [' '] : []), ...say(m)] : []));
    this._changes = this._list();
    this.parts = [
      h('p', { class: 'gl-lede' }, ...lede),
      ...(_graph.cut ? [h('p', { class: 'gl-muted gl-under' }, ...say(_graph.cut))] : []),
      this._bar(),
      h('div', {}, this.scene.stage, this._pick),
      this._more,
      this._key,
      ...(_graph.memory.length
        ? [h('p', { class: 'gl-memory' }, ..._graph.memory.flatMap((m, i) => [...(i ? [' '] : []), ...say(m)]))]
        : []),
      ...(this._changes ? [this._changes] : []),
      h(
        'p',
        { class: 'gl-bar gl-export', role: 'group', 'aria-label': word('graph.export') },
        h('span', { class: 'gl-muted' }, word('graph.export')),
        ...FORMATS.map(format =>
          button({ class: 'gl-small', 'data-format': format }, () => void this._save(format), format.toUpperCase())
        )
      )
    ];
  }

  // ------------------------------------------------------------------------------------------------------- what to show

  private _bar(): HTMLElement {
    const { word, chosen, number } = this._context;
    const { clusters, edges, nodes, parts, ops, runs } = this._graph;
    const bar = h('div', { class: 'gl-bar gl-graph-bar' });
    const modes: [Mode, number | null][] = [['traced', ops]];
    if (parts.includes('runs')) {
      modes.push(['difference', null], ['runs', runs]);
    }
    if (parts.includes('gradient')) {
      modes.push(['gradient', null]);
    }
    if (modes.length > 1) {
      const group = h('div', { class: 'gl-seg', role: 'group', 'aria-label': word('graph.part') });
      const choose = (element: HTMLElement): void => {
        chosen.graph = element.dataset.mode as Mode;
        press();
        void this.scene.redraw();
        this._finder.again();
      };
      const press = (): void => {
        for (const b of group.querySelectorAll<HTMLElement>('button')) {
          b.setAttribute('aria-pressed', String(b.dataset.mode === this.scene.mode));
        }
        tabStop(group.children, group.querySelector('[aria-pressed=true]'));
      };
      for (const [mode, count] of modes) {
        const n = count === null ? null : h('span', { class: 'gl-n' }, number(count));
        group.append(
          button(
            { 'data-mode': mode },
            e => choose(e.currentTarget as HTMLElement),
            word(`graph.part.${mode}`),
            n && ' ',
            n
          )
        );
      }
      press();
      roving(group, 'button', choose);
      bar.append(group);
    }
    const check = (name: 'shapes' | 'constants' | 'control', offered: boolean, on: boolean): void => {
      if (offered) {
        const box = h('input', { type: 'checkbox', 'data-toggle': name });
        box.checked = on;
        box.addEventListener('change', () => {
          chosen[name] = box.checked;
          void this.scene.redraw();
        });
        bar.append(h('label', { class: 'gl-check' }, box, word(`graph.${name}`)));
      }
    };
    const { shapes, constants, control } = this.scene.shown;
    check(
      'shapes',
      edges.some(e => e.label),
      shapes
    );
    check(
      'constants',
      nodes.some(n => n.kind === 'const'),
      constants
    );
    check(
      'control',
      edges.some(e => e.kind === 'control' || e.kind === 'effect'),
      control
    );
    const icon = (key: string, name: Parameters<typeof mark>[0], act: () => void): HTMLElement =>
      button({ class: 'gl-icon', 'aria-label': word(key), title: word(key) }, act, mark(name));
    const bodies = clusters.some(c => c.kind !== 'branch')
      ? [
          icon('graph.open_all', 'open', () => this.scene.toggleAll(true)),
          icon('graph.close_all', 'shut', () => this.scene.toggleAll(false))
        ]
      : [];
    bar.append(
      this._finder.node,
      h(
        'span',
        { class: 'gl-zoom' },
        ...bodies,
        icon('graph.zoom_in', 'plus', () => this.scene.port.zoom(1.25)),
        icon('graph.zoom_out', 'minus', () => this.scene.port.zoom(0.8)),
        icon('graph.fit', 'fit', () => this.scene.port.fit())
      )
    );
    return bar;
  }

  private _drawn(drawing: IDrawing, now: IPicture): void {
    const { word, chosen, number } = this._context;
    const left = now.total - now.nodes.length;
    this._more.replaceChildren(
      ...(left > 0
        ? [
            button(
              { class: 'gl-link gl-show-all' },
              () => {
                chosen.nodes = true;
                void this.scene.redraw();
              },
              `${word('graph.show_all')} (${number(now.total)})`
            )
          ]
        : [])
    );
    this._more.hidden = left <= 0;
    const { mode } = this.scene;
    if (this._changes) {
      this._changes.hidden = mode === 'gradient';
    }
    this._legend(drawing, now, mode);
  }

  // ------------------------------------------------------------------------------------------------------- what it says

  private _picked(node: INode | null): void {
    const { word, fn } = this._context;
    this._pick.hidden = !node;
    if (!node) {
      this._pick.replaceChildren();
      return;
    }
    const rules = (node.rules ?? []).flatMap(i => this._graph.changes[i] ?? []);
    const change =
      node.change && this.scene.mode !== 'traced' && this.scene.mode !== 'gradient'
        ? [h('p', {}, h('b', {}, `${SIGNS[node.change]} ${word(`graph.change.${node.change}`)}`), ' ', ...said(rules))]
        : [];
    // the other two ends of the link: the user's line, and what AutoGraph made of it
    const lines = linesOf(node);
    const row = fn.code?.rows.find(r => lines.includes(r.line));
    const show = (key: string, number: number | null, tokens: [string, string][]): HTMLElement =>
      button(
        { class: 'gl-linkline', 'data-link': key },
        () => {
          this._context.chosen.code = key === 'graph.link.source' ? 'lines' : 'generated';
          this._context.show('code');
        },
        h('span', { class: 'gl-muted' }, `${word(key)} ${number ?? ''}`),
        h('code', { dir: 'ltr' }, ...highlighted(trimmed(tokens)))
      );
    const code = row
      ? [
          show('graph.link.source', row.line, row.tokens),
          ...(row.same ? [] : row.generated.slice(0, 2)).map(g => show('graph.link.generated', g.n, g.tokens))
        ]
      : [];
    this._pick.replaceChildren(h('p', {}, ...say(node.text)), ...change, ...code);
  }

  /** What the optimiser did: rule, change, place, operations. A row goes to its first node. */
  private _list(): HTMLElement | null {
    const { word, number } = this._context;
    const { changes } = this._graph;
    if (!changes.length) {
      return null;
    }
    const row = (change: IChange): HTMLElement => {
      const where = change.where ? say(change.where) : [];
      const place = change.nodes.length
        ? button(
            { class: 'gl-link' },
            () => {
              const { scene, _context } = this;
              if (scene.mode !== 'difference') {
                _context.chosen.graph = 'difference';
                _context.chosen.pick = undefined;
                for (const b of this.parts.flatMap(p => [...p.querySelectorAll<HTMLElement>('.gl-seg [data-mode]')])) {
                  b.setAttribute('aria-pressed', String(b.dataset.mode === 'difference'));
                }
                void scene.redraw().then(() => scene.goTo(change.nodes[0]));
              } else {
                scene.goTo(change.nodes[0]);
              }
            },
            ...(where.length ? where : [this._graph.nodes.find(n => n.id === change.nodes[0])?.title ?? ''])
          )
        : h('span', {}, ...where);
      return h(
        'tr',
        {},
        h('th', { scope: 'row' }, change.pass),
        h('td', {}, ...say(change.text)),
        h('td', {}, place),
        h('td', { class: 'gl-num' }, fewer(change, number))
      );
    };
    const heads = ['rule', 'change', 'place', 'ops'].map(name => h('th', { scope: 'col' }, word(`optimizer.${name}`)));
    return h(
      'div',
      { class: 'gl-sect gl-changes' },
      h('h4', {}, word('optimizer.title')),
      h(
        'div',
        { class: 'gl-grid' },
        h('table', { class: 'gl-t' }, h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, ...changes.map(row)))
      )
    );
  }

  private _legend({ group }: IDrawing, now: IPicture, mode: Mode): void {
    const { word } = this._context;
    const line = (kind: string): SVGSVGElement =>
      svg(
        'svg',
        { class: `gl-line gl-edge gl-is-${kind}`, viewBox: '0 0 22 8', 'aria-hidden': 'true' },
        svg('path', { d: 'M0 4H22' })
      );
    const oval = svg(
      'svg',
      { class: 'gl-line', viewBox: '0 0 16 10', 'aria-hidden': 'true' },
      svg('ellipse', { cx: 8, cy: 5, rx: 7, ry: 4 })
    );
    const entry = (on: boolean, sign: SVGSVGElement | string, key: string): HTMLElement | null =>
      on ? h('span', {}, sign, typeof sign === 'string' ? ' ' : null, word(key)) : null;
    const has = (kind: string): boolean => now.edges.some(e => e.kind === kind);
    const changes = new Set(mode === 'difference' || mode === 'runs' ? now.nodes.flatMap(n => n.change ?? []) : []);
    this._key.replaceChildren(
      ...[
        ...[...changes].map(c =>
          h('span', { class: `gl-sign gl-change-${c}` }, h('b', {}, SIGNS[c]), ' ', word(`graph.change.${c}`))
        ),
        entry(group.querySelector('.gl-is-back') !== null, line('back'), 'graph.key.back'),
        entry(has('predicate'), line('predicate'), 'graph.key.predicate'),
        entry(has('saved'), line('saved'), 'graph.key.saved'),
        entry(has('control') || has('effect'), line('control'), 'graph.key.control'),
        entry(
          now.nodes.some(n => n.kind === 'body'),
          '⧉',
          'graph.key.body'
        ),
        entry(true, oval, 'graph.key.oval')
      ].filter(e => e !== null)
    );
  }

  private async _save(format: Format): Promise<void> {
    const now = this.scene.picture;
    if (now) {
      const { fn } = this._context;
      const name = `${fn.name.replace(/[^\p{L}\p{N}_.-]+/gu, '_')}-graph.${format}`;
      const { group, box } = now.drawing;
      save(name, await file(format, { name: fn.name, graph: this._graph, picture: now.picture, group, box }));
    }
  }

  private _finder: Finder;
  private _pick: HTMLElement;
  private _key: HTMLElement;
  private _more: HTMLElement;
  private _changes: HTMLElement | null;
}

/** How many operations fewer there are by a rule, or more; how many, when it only runs them together. */
function fewer({ kept, count }: IChange, number: IContext['number']): string {
  const sign = kept || !count ? '' : count > 0 ? '−' : '+';
  return `${sign}${number(Math.abs(count))}`;
}

function said(changes: IChange[]): (Node | string)[] {
  return changes.flatMap((c, i) => [...(i ? [' '] : []), ...say(c.text)]);
}

/** A line's tokens without the blanks it starts with. */
function trimmed(tokens: [string, string][]): [string, string][] {
  const [first, ...rest] = tokens;
  return first ? [[first[0], first[1].trimStart()], ...rest] : [];
}
