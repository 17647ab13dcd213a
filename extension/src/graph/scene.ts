/** The stage of a graph: what is drawn now, and what a reader does to it with pointer and keys. */

import { h, reveal, svg, tabStop } from '../dom';
import type { IGraph, INode } from '../model';
import type { IContext } from '../panel';
import { plan } from './dot';
import { draw, drawInPieces, type IDrawing, type IDrawn } from './draw';
import { layOut } from './layout';
import { framesAround, type IPicture, type IShown, linesOf, type Mode, nodesOf, picture } from './parts';
import { Viewport } from './viewport';

/** Nodes of a graph without bodies that are drawn before the reader asks for all. */
export const FIRST = 200;

export interface ISceneOf {
  /** Another picture stands there. */
  drawn(drawing: IDrawing, picture: IPicture): void;
  /** A node was picked, or none. */
  picked(node: INode | null): void;
  /** The search is wanted. */
  find(): void;
}

export class Scene {
  readonly stage: HTMLElement;
  readonly port: Viewport;

  constructor(
    private _context: IContext,
    private _graph: IGraph,
    private _of: ISceneOf
  ) {
    const { word } = _context;
    this._svg = svg('svg', { class: 'gl-svg', role: 'group', 'aria-label': _graph.aria, width: '100%' });
    this._waiting = h('p', { class: 'gl-muted gl-waiting', role: 'status' }, word('graph.drawing'));
    this.stage = h('div', { class: 'gl-stage' }, this._waiting);
    this.port = new Viewport(this.stage, this._svg);
    this._listen();
  }

  get mode(): Mode {
    const wanted = this._context.chosen.graph ?? this._graph.part;
    const part = wanted === 'difference' ? 'runs' : wanted;
    return this._graph.parts.includes(part) ? wanted : 'traced';
  }

  get shown(): IShown {
    const { chosen } = this._context;
    return {
      mode: this.mode,
      shapes: chosen.shapes ?? true,
      constants: chosen.constants ?? false,
      control: chosen.control ?? false,
      open: chosen.bodies ?? {},
      most: chosen.nodes ? Number.POSITIVE_INFINITY : FIRST
    };
  }

  /** What a file of the picture is made from. */
  get picture(): { picture: IPicture; drawing: IDrawing } | null {
    return this._picture && this._drawing ? { picture: this._picture, drawing: this._drawing } : null;
  }

  /** Draws when the stage has a width; again only when something changed. */
  show(): void {
    const { chosen } = this._context;
    const pick = chosen.pick;
    chosen.pick = undefined;
    if (!this._started) {
      this._started = true;
      void this.redraw(pick);
    } else if (pick) {
      this.goTo(pick);
    } else if (!this.port.touched) {
      this.port.start();
    }
  }

  /** Draws anew, and picks a node in the new picture. */
  async redraw(pick?: string, focus = false): Promise<void> {
    const { word } = this._context;
    const shown = this.shown;
    const now = picture(this._graph, shown);
    const wanted = plan(now, shown.shapes);
    this._abort.abort();
    this._abort = new AbortController();
    const { signal } = this._abort;
    this.stage.setAttribute('aria-busy', 'true');
    // the picture that stands there stays, under a word that another one is on its way
    const slow = setTimeout(() => this.stage.append(this._waiting), 150);
    let drawing: IDrawing;
    try {
      const layout = await layOut(wanted, signal);
      const made = wanted.quick
        ? await drawInPieces(wanted, layout, shown.shapes, signal)
        : draw(wanted, layout, shown.shapes);
      if (!made) {
        return;
      }
      drawing = made;
    } catch (error) {
      if (!signal.aborted) {
        console.warn('graphlab: the graph could not be laid out.', error);
        this.stage.replaceChildren(
          h('p', { class: 'gl-muted gl-waiting', role: 'alert' }, word('graph.failed')),
          h('pre', { class: 'gl-graph-text', tabindex: 0 }, this._graph.text)
        );
      }
      return;
    } finally {
      clearTimeout(slow);
    }
    if (signal.aborted) {
      return;
    }
    const again = this._drawing !== null;
    this._drawing = drawing;
    this._picture = now;
    this._by = new Map(drawing.nodes.map(n => [n.data.id, n]));
    this._svg.replaceChildren(drawing.group);
    this.stage.replaceChildren(this._svg);
    this.port.set(drawing, again && this.port.touched);
    this._items = [
      ...drawing.nodes.map(n => ({ element: n.element, at: n.at })),
      ...drawing.heads.map(head => ({ element: head.element, at: head.at }))
    ].sort((p, q) => p.at.y - q.at.y || p.at.x - q.at.x);
    tabStop(
      this._items.map(item => item.element),
      drawing.nodes[0]?.element ?? null
    );
    this._mark();
    this._found();
    this._of.drawn(drawing, now);
    this.linked(this._line);
    this.stage.removeAttribute('aria-busy');
    this.stage.setAttribute('data-drawn', shown.mode);
    if (pick) {
      const target = this._by.get(pick);
      if (target) {
        this._pick(target, focus);
      }
    }
  }

  /** Opens or closes a body; the focus stays with it. */
  toggle(cluster: string, open: boolean): void {
    const { chosen } = this._context;
    chosen.bodies = { ...chosen.bodies, [cluster]: open };
    const inside = this._graph.nodes.find(n => n.cluster === cluster)?.id;
    void this.redraw(open ? inside : cluster, true);
  }

  /** Opens or closes all bodies. */
  toggleAll(open: boolean): void {
    const { chosen } = this._context;
    chosen.bodies = Object.fromEntries(this._graph.clusters.map(c => [c.id, open]));
    void this.redraw();
  }

  /** Goes to a node wherever it is: opens what is closed around it. */
  goTo(id: string): void {
    const target = this._by.get(id);
    if (target) {
      this._pick(target, false);
      return;
    }
    const { chosen } = this._context;
    const node = this._graph.nodes.find(n => n.id === id);
    if (!node) {
      return;
    }
    const around = framesAround(this._graph, node, this.mode);
    chosen.bodies = { ...chosen.bodies, ...Object.fromEntries(around.map(c => [c, true])) };
    const now = picture(this._graph, this.shown);
    if (!now.nodes.some(n => n.id === id)) {
      chosen.nodes = true; // beyond the first
    }
    void this.redraw(id);
  }

  /** Marks what a search found. */
  found(matches: INode[], current: INode | null): void {
    this._matches = new Set(matches.map(n => n.id));
    this._found();
    if (current) {
      this.goTo(current.id);
    }
  }

  candidates(): INode[] {
    return nodesOf(this._graph, this.mode, this.shown.constants);
  }

  linked(line: number | null): void {
    this._line = line;
    for (const element of this._linked) {
      element.classList.remove('gl-linked');
      element.setAttribute('aria-pressed', 'false');
    }
    const drawn = line === null ? [] : (this._drawing?.nodes ?? []);
    this._linked = drawn.filter(n => linesOf(n.data).includes(line as number)).map(n => n.element);
    for (const element of this._linked) {
      element.classList.add('gl-linked');
      element.setAttribute('aria-pressed', 'true');
    }
    const picked = this._picked === null ? undefined : this._by.get(this._picked);
    if (!picked || (line !== null ? !linesOf(picked.data).includes(line) : picked.data.line !== null)) {
      const all = this._drawing?.nodes ?? [];
      const first =
        line === null
          ? undefined
          : (all.find(n => n.data.line === line && n.data.kind === 'op') ??
            all.find(n => linesOf(n.data).includes(line) && n.data.kind === 'op'));
      this._say(first?.data ?? null);
    }
  }

  hovered(lines: number[]): void {
    for (const { element, data } of this._drawing?.nodes ?? []) {
      element.classList.toggle('gl-hovered', data.line !== null && lines.includes(data.line));
    }
  }

  dispose(): void {
    this._abort.abort();
    this.port.dispose();
  }

  private _listen(): void {
    const hit = (target: EventTarget | null): IDrawn | undefined => {
      const id = (target as Element | null)?.closest<SVGElement>('.gl-node')?.dataset.node;
      return id === undefined ? undefined : this._by.get(id);
    };
    const head = (target: EventTarget | null): string | undefined =>
      (target as Element | null)?.closest<SVGElement>('.gl-head-of-cluster')?.dataset.cluster;
    this._svg.addEventListener('click', event => {
      const [node, cluster] = [hit(event.target), head(event.target)];
      if (cluster) {
        this.toggle(cluster, false);
      } else if (node) {
        this._act(node);
      }
    });
    let over: string | null = null;
    this._svg.addEventListener('pointerover', event => {
      const node = hit(event.target);
      if ((node?.data.id ?? null) !== over) {
        over = node?.data.id ?? null;
        this._context.hover(node?.data.line ?? null, node ? linesOf(node.data) : []);
      }
    });
    this._svg.addEventListener('pointerleave', () => {
      over = null;
      this._context.hover(null);
    });
    this._svg.addEventListener('keydown', event => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
        return;
      }
      const all = this._items;
      const item = (event.target as Element).closest('.gl-node, .gl-head-of-cluster');
      const at = all.findIndex(i => i.element === item);
      const step = ({ ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 } as Record<string, number>)[event.key];
      let to: (typeof all)[number] | undefined;
      if (at < 0) {
        return;
      }
      if (step) {
        to = all[at + step];
      } else if (event.key === 'Home') {
        to = all[0];
      } else if (event.key === 'End') {
        to = all[all.length - 1];
      } else if (event.key === 'Enter' || event.key === ' ') {
        const [node, cluster] = [hit(item), head(item)];
        if (cluster) {
          this.toggle(cluster, false);
        } else if (node) {
          this._act(node);
        }
      } else if (event.key === 'Escape' && (this._context.chosen.line || this._picked !== null)) {
        this._context.link(null);
        this._say(null);
      } else if (event.key === '/') {
        this._of.find();
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      if (to) {
        tabStop(
          all.map(i => i.element),
          to.element
        );
        to.element.focus({ preventScroll: true });
        this.port.keep(to.at);
        reveal(to.element);
      }
    });
  }

  /** A click or Enter: a closed body opens, anything else is picked. */
  private _act(node: IDrawn): void {
    if (node.data.kind === 'body') {
      this.toggle(node.data.id, true);
    } else {
      this._pick(node, true);
    }
  }

  private _pick({ element, data, at }: IDrawn, focus: boolean): void {
    tabStop(
      this._items.map(i => i.element),
      element
    );
    this._picked = data.id;
    if (focus) {
      element.focus({ preventScroll: true });
    }
    this.port.keep(at);
    this._say(data);
    const lines = linesOf(data);
    this._context.link(data.line, lines.slice(1));
    if (!focus) {
      reveal(element);
    }
    this._uncover(element);
  }

  /** What is said about a node stands over the stage's lower edge: not over the node itself. */
  private _uncover(element: Element): void {
    const scroller = element.closest<HTMLElement>('[data-graphlab-panel]');
    const foot = scroller?.querySelector('.gl-view:not([hidden]) .gl-pick:not([hidden])');
    if (scroller && foot) {
      const over = element.getBoundingClientRect().bottom + 12 - foot.getBoundingClientRect().top;
      if (over > 0) {
        scroller.scrollTop += over;
      }
    }
  }

  /** Lifts a node and its lines out of the rest. */
  private _say(node: INode | null): void {
    this._picked = node?.id ?? null;
    this._mark();
    this._of.picked(node);
  }

  private _mark(): void {
    const id = this._picked;
    for (const element of this._lifted) {
      element.classList.remove('gl-near', 'gl-picked');
    }
    this._lifted = [];
    if (id === null) {
      return;
    }
    for (const edge of this._svg.querySelectorAll<SVGElement>('.gl-edge[data-from]')) {
      if (edge.dataset.from === id || edge.dataset.to === id) {
        edge.classList.add('gl-near');
        this._lifted.push(edge);
      }
    }
    const node = this._by.get(id)?.element;
    if (node) {
      node.classList.add('gl-picked');
      this._lifted.push(node);
    }
  }

  private _found(): void {
    if (this._matches.size || this._svg.querySelector('.gl-found')) {
      for (const { element, data } of this._drawing?.nodes ?? []) {
        element.classList.toggle('gl-found', this._matches.has(data.id));
      }
    }
  }

  private _svg: SVGSVGElement;
  private _waiting: HTMLElement;
  private _drawing: IDrawing | null = null;
  private _picture: IPicture | null = null;
  private _by = new Map<string, IDrawn>();
  private _items: { element: SVGGElement; at: { x: number; y: number } }[] = [];
  private _lifted: Element[] = [];
  private _linked: Element[] = [];
  private _matches = new Set<string>();
  private _picked: string | null = null;
  private _line: number | null = null;
  private _started = false;
  private _abort = new AbortController();
}
