/** From coordinates to SVG: boxes, lines and labels in our own shapes and classes; colours come from the style alone. */

import { svg } from '../dom';
import { upright } from '../message';
import type { ICluster, IEdge, INode } from '../model';
import { type IPlan, isBox, nodeSize } from './dot';
import type { IBox, ILayout, IPoint, IRoute } from './layout';
import { isExtra, RIGHT_TO_LEFT } from './parts';

export interface IDrawing {
  /** The group that holds everything. */
  group: SVGGElement;
  box: IBox;
  /** Node elements with their data, top to bottom and left to right. */
  nodes: IDrawn[];
  /** The heads of open frames, which close them. */
  heads: { element: SVGGElement; cluster: ICluster; at: IPoint }[];
  /** Squares of a large drawing, each of which can be left out while it is not in sight. */
  tiles: ITile[];
}

export interface ITile {
  element: SVGGElement;
  box: IBox;
}

export interface IDrawn {
  element: SVGGElement;
  data: INode;
  at: IPoint;
}

/** Nodes from which on a drawing is cut into squares. */
const MANY = 300;
const TILE = 700;
/** Milliseconds of work after which the page gets its turn. */
const SLICE = 8;

const round = (n: number): string => n.toFixed(1).replace(/\.0$/, '');
const xy = (p: IPoint): string => `${round(p.x)},${round(p.y)}`;

/** Words that run right to left keep together inside a left-to-right drawing. */
export function isolated(text: string): string {
  const said = upright(text);
  return RIGHT_TO_LEFT.test(said) ? `\u2067${said}\u2069` : said;
}

/** Draws a plan at once. */
export function draw(plan: IPlan, layout: ILayout, shapes: boolean): IDrawing {
  const steps = drawing(plan, layout, shapes);
  for (;;) {
    const step = steps.next();
    if (step.done) {
      return step.value;
    }
  }
}

/** The same, in pieces of a few milliseconds, between which the page can do other things; null when it is given up. */
export async function drawInPieces(
  plan: IPlan,
  layout: ILayout,
  shapes: boolean,
  signal: AbortSignal
): Promise<IDrawing | null> {
  const steps = drawing(plan, layout, shapes);
  let start = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) {
      return step.value;
    }
    if (performance.now() - start > SLICE) {
      await new Promise(resolve => setTimeout(resolve));
      if (signal.aborted) {
        return null;
      }
      start = performance.now();
    }
  }
}

/** The layers of a drawing, cut into squares: what is out of sight is not painted. */
class Layers {
  readonly tiles: ITile[] = [];

  constructor(private _cut: boolean) {}

  /** The place for something of this size in a layer. */
  at(layer: SVGGElement, b: IBox): Element {
    if (!this._cut) {
      return layer;
    }
    const [x0, y0, x1, y1] = [b.x0, b.y0, b.x1, b.y1].map(v => Math.floor(v / TILE));
    if (x1 > x0 + 1 || y1 > y0 + 1) {
      return layer; // too long to be in one square
    }
    let squares = this._squares.get(layer);
    if (!squares) {
      squares = new Map();
      this._squares.set(layer, squares);
    }
    const key = `${x0} ${y0}`;
    let tile = squares.get(key);
    if (!tile) {
      tile = { element: svg('g', { display: 'none' }), box: { ...b } };
      layer.append(tile.element);
      squares.set(key, tile);
      this.tiles.push(tile);
    }
    const { box } = tile;
    box.x0 = Math.min(box.x0, b.x0);
    box.y0 = Math.min(box.y0, b.y0);
    box.x1 = Math.max(box.x1, b.x1);
    box.y1 = Math.max(box.y1, b.y1);
    return tile.element;
  }

  private _squares = new Map<SVGGElement, Map<string, ITile>>();
}

function around(points: IPoint[], room: number): IBox {
  const [xs, ys] = [points.map(p => p.x), points.map(p => p.y)];
  return {
    x0: Math.min(...xs) - room,
    y0: Math.min(...ys) - room,
    x1: Math.max(...xs) + room,
    y1: Math.max(...ys) + room
  };
}

function* drawing(plan: IPlan, layout: ILayout, shapes: boolean): Generator<void, IDrawing> {
  const group = svg('g');
  const [frames, lines, boxes] = [svg('g'), svg('g'), svg('g')];
  const labels = svg('g', { class: 'gl-labels', 'aria-hidden': 'true' });
  const layers = new Layers(plan.nodes.length > MANY);
  const heads: IDrawing['heads'] = [];
  const box = { ...layout.box };

  const depth = new Map<string, number>();
  for (const c of plan.clusters) {
    depth.set(c.id, c.parent === null ? 0 : (depth.get(c.parent) ?? 0) + 1);
  }
  const nested = plan.clusters
    .map((c, i) => ({ c, b: layout.clusters[i] }))
    .sort((p, q) => (depth.get(p.c.id) ?? 0) - (depth.get(q.c.id) ?? 0));
  for (const { c, b } of nested) {
    frames.append(
      svg(
        'g',
        { class: `gl-cluster gl-is-${c.kind}`, 'data-cluster': c.id, 'data-cluster-line': c.line },
        svg('rect', { x: round(b.x0), y: round(b.y0), width: round(b.x1 - b.x0), height: round(b.y1 - b.y0), rx: 6 })
      )
    );
    const foldable = c.kind !== 'branch';
    labels.append(
      svg(
        'text',
        { class: 'gl-cluster-label', x: round(b.x0 + (foldable ? 22 : 8)), y: round(b.y0 + 15), 'font-size': 11 },
        isolated(c.label)
      )
    );
    if (foldable) {
      heads.push({ element: headElement(c, b), cluster: c, at: { x: b.x0 + 12, y: b.y0 + 11 } });
    }
    yield;
  }

  for (const [i, edge] of plan.edges.entries()) {
    const route = layout.edges[i];
    const room = around([...route.points, ...(route.tip ? [route.tip] : [])], 4);
    layers.at(lines, room).append(edgeElement(edge, route));
    if (shapes && edge.label && route.label) {
      layers.at(labels, around([route.label], 40)).append(
        svg(
          'text',
          {
            class: 'gl-edge-label',
            'text-anchor': 'middle',
            x: round(route.label.x),
            y: round(route.label.y + 4),
            'font-size': 11
          },
          edge.label
        )
      );
    }
    yield;
  }

  for (const { element, x } of waysBack(plan, layout)) {
    lines.append(element);
    box.x0 = Math.min(box.x0, x - 4);
  }

  const order = plan.nodes.map((data, i) => ({ data, at: layout.nodes[i] }));
  order.sort((p, q) => p.at.y - q.at.y || p.at.x - q.at.x);
  const nodes: IDrawn[] = [];
  for (const { data, at } of order) {
    const element = nodeElement(data, at);
    const { w, h } = nodeSize(data);
    layers.at(boxes, around([at], Math.max(w, h) / 2 + 4)).append(element);
    nodes.push({ element, data, at });
    yield;
  }
  heads.sort((p, q) => p.at.y - q.at.y || p.at.x - q.at.x);
  group.append(frames, lines, boxes, ...heads.map(head => head.element), labels);
  return { group, box, nodes, heads, tiles: layers.tiles };
}

/** The corner of a frame that closes it: a minus, as large as a finger. */
function headElement(cluster: ICluster, b: IBox): SVGGElement {
  const [x, y] = [b.x0 + 12, b.y0 + 11];
  return svg(
    'g',
    {
      class: 'gl-head-of-cluster',
      'data-cluster': cluster.id,
      role: 'button',
      tabindex: -1,
      'aria-expanded': true,
      'aria-label': cluster.aria
    },
    svg('rect', { class: 'gl-hit', x: round(x - 12), y: round(y - 11), width: 24, height: 24 }),
    svg('rect', { x: round(x - 5), y: round(y - 5), width: 10, height: 10, rx: 2 }),
    svg('path', { d: `M${round(x - 2.5)},${round(y)}H${round(x + 2.5)}` })
  );
}

function nodeElement(node: INode, at: IPoint): SVGGElement {
  const { w, h } = nodeSize(node);
  const square = isBox(node);
  const shape = square
    ? svg('rect', { x: round(at.x - w / 2), y: round(at.y - h / 2), width: round(w), height: round(h), rx: 6 })
    : svg('ellipse', { cx: round(at.x), cy: round(at.y), rx: round(w / 2), ry: round(h / 2) });
  const line = (text: string, dy: number, size: number): SVGTextElement =>
    svg('text', { 'text-anchor': 'middle', x: round(at.x), y: round(at.y + dy), 'font-size': size }, isolated(text));
  return svg(
    'g',
    {
      class: [
        `gl-node gl-is-${node.kind}`,
        node.change ? `gl-change-${node.change}` : '',
        node.backward ? 'gl-backward' : ''
      ]
        .filter(Boolean)
        .join(' '),
      'data-node': node.id,
      'data-line': node.line,
      role: 'button',
      tabindex: -1,
      'aria-expanded': node.kind === 'body' ? false : null,
      'aria-pressed': node.kind === 'body' ? null : false,
      'aria-label': node.aria
    },
    shape,
    // a closed body: a second sheet below, and a plus
    node.kind === 'body'
      ? svg('path', {
          class: 'gl-sheet',
          d: `M${round(at.x - w / 2 + 5)},${round(at.y + h / 2 + 3)}H${round(at.x + w / 2 + 3)}V${round(at.y - h / 2 + 5)}`
        })
      : null,
    line(node.title, node.label ? -3 : 4, 12),
    node.label ? line(node.label, 11, 11) : null
  );
}

function edgeElement(edge: IEdge, route: IRoute): SVGGElement {
  const [start, ...rest] = route.points;
  const part = edge.in?.length === 1 ? ` gl-only-${edge.in[0]}` : '';
  const element = svg('g', { class: `gl-edge gl-is-${edge.kind}${part}`, 'data-from': edge.from, 'data-to': edge.to });
  if (!start) {
    return element;
  }
  let d = `M${xy(start)}`;
  for (let i = 0; i + 2 < rest.length; i += 3) {
    d += `C${xy(rest[i])} ${xy(rest[i + 1])} ${xy(rest[i + 2])}`;
  }
  const end = rest[rest.length - 1] ?? start;
  if (route.tip && isExtra(edge)) {
    d += `L${xy(route.tip)}`;
  }
  element.append(svg('path', { d }));
  if (route.tip) {
    element.append(arrow(end, route.tip, isExtra(edge)));
  }
  return element;
}

/** An arrowhead from `base` to `tip`; open ones belong to the order of effects. */
function arrow(base: IPoint, tip: IPoint, open: boolean): SVGPathElement {
  const [dx, dy] = [tip.x - base.x, tip.y - base.y];
  const [nx, ny] = [-dy * 0.4, dx * 0.4];
  const left = { x: base.x + nx, y: base.y + ny };
  const right = { x: base.x - nx, y: base.y - ny };
  return svg('path', {
    class: open ? 'gl-arrowhead gl-open' : 'gl-arrowhead',
    d: `M${xy(left)}L${xy(tip)}L${xy(right)}${open ? '' : 'Z'}`
  });
}

interface IPlaced {
  node: INode;
  at: IPoint;
  size: { w: number; h: number };
}

/**
 * The ways back of loops, which Graphviz would draw across everything: from the end of an iteration out to a gutter left
 * of the loop's frame, up, and in to the loop's value. All values of one loop share the gutter.
 */
function waysBack(plan: IPlan, layout: ILayout): { element: SVGGElement; x: number }[] {
  const place = new Map<string, IPlaced>(
    plan.nodes.map((n, i) => [n.id, { node: n, at: layout.nodes[i], size: nodeSize(n) }])
  );
  const byCluster = new Map<number, IEdge[]>();
  for (const edge of plan.back) {
    const cluster = plan.clusters.findIndex(c => c.id === place.get(edge.to)?.node.cluster);
    byCluster.set(cluster, [...(byCluster.get(cluster) ?? []), edge]);
  }
  const free = (y: number, from: number, to: number): boolean =>
    ![...place.values()].some(({ at, size }) => at.x < to - 1 && at.x > from && Math.abs(at.y - y) < size.h / 2 + 3);
  return [...byCluster].map(([cluster, edges]) => {
    const frame = layout.clusters[cluster] ?? layout.box;
    const x = frame.x0 - 8;
    const element = svg('g', { class: 'gl-edge gl-is-back' });
    const ys: number[] = [];
    // lines that run out under a row of nodes, or in above one, share one way: height → how far right it reaches
    const shared = new Map<number, number>();
    const along = (y: number, right: number): void => {
      shared.set(y, Math.max(right, shared.get(y) ?? x));
    };
    const ends = (pick: (edge: IEdge) => string): IPlaced[] =>
      [...new Set(edges.map(pick))].flatMap(id => place.get(id) ?? []);
    const rows = (placed: IPlaced[], edge: (p: IPlaced) => number, outermost: (...of: number[]) => number) =>
      placed.map(p => ({ ...p, y: outermost(...placed.filter(q => Math.abs(q.at.y - p.at.y) < 12).map(edge)) }));

    const leaving = ends(e => e.from);
    const below = leaving.filter(p => !free(p.at.y, x, p.at.x));
    for (const { at, size } of leaving.filter(p => !below.includes(p))) {
      element.append(svg('path', { d: `M${round(at.x - size.w / 2)},${round(at.y)}H${round(x)}` }));
      ys.push(at.y);
    }
    for (const { at, size, y } of rows(below, p => p.at.y + p.size.h / 2 + 7, Math.max)) {
      element.append(svg('path', { d: `M${round(at.x)},${round(at.y + size.h / 2)}V${round(y)}` }));
      along(y, at.x);
    }

    const entering = ends(e => e.to);
    const above = entering.filter(p => !free(p.at.y, x, p.at.x));
    for (const { at, size } of entering.filter(p => !above.includes(p))) {
      const left = at.x - size.w / 2;
      element.append(svg('path', { d: `M${round(x)},${round(at.y)}H${round(left - 6)}` }));
      element.append(arrow({ x: left - 6, y: at.y }, { x: left - 0.5, y: at.y }, false));
      ys.push(at.y);
    }
    for (const { at, size, y } of rows(above, p => p.at.y - p.size.h / 2 - 9, Math.min)) {
      const px = at.x - size.w / 4; // beside the line that comes from above
      const py = at.y - (size.h / 2) * 0.86;
      element.append(svg('path', { d: `M${round(px)},${round(y)}V${round(py - 6)}` }));
      element.append(arrow({ x: px, y: py - 6 }, { x: px, y: py - 0.5 }, false));
      along(y, px);
    }

    for (const [y, right] of shared) {
      element.append(svg('path', { d: `M${round(right)},${round(y)}H${round(x)}` }));
      ys.push(y);
    }
    if (ys.length) {
      element.prepend(svg('path', { d: `M${round(x)},${round(Math.max(...ys))}V${round(Math.min(...ys))}` }));
    }
    return { element, x };
  });
}
