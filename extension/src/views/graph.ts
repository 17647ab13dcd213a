/** The fourth view: the graph, laid out in the browser, with zoom and pan; a node marks its line everywhere. */

import { button, h, mark, reveal, svg, tabStop } from '../dom';
import { plan } from '../graph/dot';
import { draw, type IDrawing } from '../graph/draw';
import { layOut } from '../graph/layout';
import { Viewport } from '../graph/viewport';
import { say } from '../message';
import type { IGraph, INode } from '../model';
import type { IContext, IView } from '../panel';

export function graphView(context: IContext): IView {
  const { fn, word } = context;
  const node = h('div', { class: 'gl-body-of-view' });
  const { graph } = fn;
  if (!graph) {
    return { node };
  }
  const scene = new Scene(context, graph);
  const text = h(
    'details',
    {},
    h('summary', {}, word('graph.text')),
    h('pre', { class: 'gl-graph-text', tabindex: 0 }, graph.text)
  );
  node.append(
    h('p', { class: 'gl-lede' }, ...say(graph.lede)),
    scene.bar,
    h('div', {}, scene.stage, scene.pick),
    scene.key,
    text
  );
  return {
    node,
    linked: line => scene.linked(line),
    shown: () => scene.shown(),
    dispose: () => scene.dispose()
  };
}

class Scene {
  readonly bar: HTMLElement;
  readonly stage: HTMLElement;
  readonly pick: HTMLElement;
  readonly key: HTMLElement;

  constructor(
    private _context: IContext,
    private _graph: IGraph
  ) {
    const { word, chosen } = _context;
    this._svg = svg('svg', { class: 'gl-svg', role: 'group', 'aria-label': _graph.aria, width: '100%' });
    this._waiting = h('p', { class: 'gl-muted gl-waiting', role: 'status' }, word('graph.drawing'));
    this.stage = h('div', { class: 'gl-stage' }, this._waiting);
    this.pick = h('p', { class: 'gl-pick', 'aria-live': 'polite' });
    this.pick.hidden = true;
    this._port = new Viewport(this.stage, this._svg);

    const icon = (key: string, name: 'plus' | 'minus' | 'fit', act: () => void): HTMLElement =>
      button({ class: 'gl-icon', 'aria-label': word(key), title: word(key) }, act, mark(name));
    this.bar = h('div', { class: 'gl-bar' });
    const { edges, nodes } = _graph;
    this._check(
      'shapes',
      edges.some(e => e.label),
      word('graph.shapes'),
      chosen.shapes ?? true
    );
    this._check(
      'constants',
      nodes.some(n => n.kind === 'const'),
      word('graph.constants'),
      chosen.constants ?? false
    );
    this._check(
      'control',
      edges.some(e => e.kind === 'control' || e.kind === 'effect'),
      word('graph.control'),
      chosen.control ?? false
    );
    this.bar.append(
      h(
        'span',
        { class: 'gl-zoom' },
        icon('graph.zoom_in', 'plus', () => this._port.zoom(1.25)),
        icon('graph.zoom_out', 'minus', () => this._port.zoom(0.8)),
        icon('graph.fit', 'fit', () => this._port.fit())
      )
    );
    this.key = h('p', { class: 'gl-key' });
    this._listen();
  }

  /** Draws when the stage has a width; again only when something changed. */
  shown(): void {
    if (!this._drawn) {
      this._drawn = true;
      void this._draw();
    } else {
      this._port.fit();
    }
  }

  linked(line: number | null): void {
    this._line = line;
    for (const { element, data } of this._drawing?.nodes ?? []) {
      const on = line !== null && data.line === line;
      element.classList.toggle('gl-linked', on);
      element.setAttribute('aria-pressed', String(on));
    }
    const picked = this._nodes().find(n => n.id === this._picked);
    if (!picked || picked.line !== line) {
      const first = line === null ? undefined : this._nodes().find(n => n.line === line && n.kind === 'op');
      this._say(first ?? null);
    }
  }

  dispose(): void {
    this._disposed = true;
    this._port.dispose();
  }

  private _nodes(): INode[] {
    return this._drawing?.nodes.map(n => n.data) ?? [];
  }

  private _check(name: 'shapes' | 'constants' | 'control', offered: boolean, label: string, on: boolean): void {
    if (!offered || !label) {
      return;
    }
    const box = h('input', { type: 'checkbox', 'data-toggle': name });
    box.checked = on;
    box.addEventListener('change', () => {
      this._context.chosen[name] = box.checked;
      void this._draw();
    });
    this.bar.append(h('label', { class: 'gl-check' }, box, label));
  }

  private async _draw(): Promise<void> {
    const { chosen, word } = this._context;
    const shown = {
      shapes: chosen.shapes ?? true,
      constants: chosen.constants ?? false,
      control: chosen.control ?? false
    };
    const wanted = plan(this._graph, shown);
    const turn = ++this._turn;
    try {
      const layout = await layOut(wanted);
      if (turn !== this._turn || this._disposed) {
        return;
      }
      this._drawing = draw(wanted, layout, shown.shapes);
    } catch (error) {
      if (turn !== this._turn || this._disposed) {
        return;
      }
      console.warn('graphlab: the graph could not be laid out.', error);
      this.stage.replaceChildren(
        h('p', { class: 'gl-muted gl-waiting', role: 'alert' }, word('graph.failed')),
        h('pre', { class: 'gl-graph-text', tabindex: 0 }, this._graph.text)
      );
      return;
    }
    this._svg.replaceChildren(this._drawing.group);
    this.stage.replaceChildren(this._svg);
    this._port.set(this._drawing.group, this._drawing.box);
    const elements = this._drawing.nodes.map(n => n.element);
    tabStop(elements, elements[0] ?? null);
    this._legend(wanted.back.length > 0);
    this.linked(this._line);
    this.stage.setAttribute('data-drawn', '');
  }

  private _legend(back: boolean): void {
    const { word } = this._context;
    const edges = this._drawing?.group;
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
    this.key.replaceChildren(
      ...(back ? [h('span', {}, line('back'), word('graph.key.back'))] : []),
      ...(edges?.querySelector('.gl-is-predicate')
        ? [h('span', {}, line('predicate'), word('graph.key.predicate'))]
        : []),
      ...(edges?.querySelector('.gl-is-control, .gl-is-effect')
        ? [h('span', {}, line('control'), word('graph.key.control'))]
        : []),
      h('span', {}, oval, word('graph.key.oval'))
    );
  }

  private _listen(): void {
    const find = (target: EventTarget | null): IDrawing['nodes'][number] | undefined => {
      const element = (target as Element | null)?.closest('.gl-node');
      return this._drawing?.nodes.find(n => n.element === element);
    };
    this._svg.addEventListener('click', event => {
      const hit = find(event.target);
      if (hit) {
        this._select(hit);
      }
    });
    this._svg.addEventListener('keydown', event => {
      const from = find(event.target);
      if (!from || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
        return;
      }
      const all = this._drawing?.nodes ?? [];
      const step = ({ ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 } as Record<string, number>)[event.key];
      let to: IDrawing['nodes'][number] | undefined;
      if (step) {
        to = all[all.indexOf(from) + step];
      } else if (event.key === 'Home') {
        to = all[0];
      } else if (event.key === 'End') {
        to = all[all.length - 1];
      } else if (event.key === 'Enter' || event.key === ' ') {
        this._select(from);
      } else if (event.key === 'Escape') {
        this._context.link(null);
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      if (to) {
        tabStop(
          all.map(n => n.element),
          to.element
        );
        to.element.focus({ preventScroll: true });
        this._port.keep(to.at);
        reveal(to.element);
      }
    });
  }

  private _select({ element, data }: IDrawing['nodes'][number]): void {
    this._picked = data.id;
    tabStop(this._drawing?.nodes.map(n => n.element) ?? [], element);
    element.focus({ preventScroll: true });
    this._say(data);
    this._context.link(data.line);
  }

  /** Says what a node is, and lifts it and its lines out of the rest. */
  private _say(node: INode | null): void {
    this._picked = node?.id ?? null;
    this.pick.hidden = !node;
    this.pick.replaceChildren(...(node ? say(node.text) : []));
    for (const edge of this._svg.querySelectorAll<SVGElement>('.gl-edge[data-from]')) {
      const near = node && (edge.dataset.from === node.id || edge.dataset.to === node.id);
      edge.classList.toggle('gl-near', Boolean(near));
    }
    for (const { element, data } of this._drawing?.nodes ?? []) {
      element.classList.toggle('gl-picked', data.id === node?.id);
    }
  }

  private _svg: SVGSVGElement;
  private _waiting: HTMLElement;
  private _port: Viewport;
  private _drawing: IDrawing | null = null;
  private _picked: string | null = null;
  private _line: number | null = null;
  private _drawn = false;
  private _disposed = false;
  private _turn = 0;
}
