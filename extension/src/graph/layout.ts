/** Graphviz in the browser: from a plan to coordinates. Its WebAssembly is a chunk of its own, fetched on first use. */

import type { IPlan } from './dot';

export interface IPoint {
  x: number;
  y: number;
}

export interface IBox {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export interface IRoute {
  /** A Bézier spline: a start, then three points for each curve. */
  points: IPoint[];
  /** The arrow's tip; the spline ends where the arrowhead begins. */
  tip: IPoint | null;
  /** The middle of the label. */
  label: IPoint | null;
}

/** Everything in pixels, y downwards. Indices are those of the plan. */
export interface ILayout {
  box: IBox;
  nodes: IPoint[];
  clusters: IBox[];
  edges: IRoute[];
}

interface IGraphvizObject {
  name: string;
  pos?: string;
  bb?: string;
}

interface IGraphvizJSON {
  bb: string;
  objects?: IGraphvizObject[];
  edges?: { tail: number; head: number; pos: string; lp?: string }[];
}

/** Reads Graphviz's `json0`. Edges come back in the order in which they were written. */
export function read(json: IGraphvizJSON, wanted: Pick<IPlan, 'nodes' | 'clusters' | 'edges'>): ILayout {
  const [bx0, by0, bx1, by1] = json.bb.split(',').map(Number);
  const at = (text: string): IPoint => {
    const [x, y] = text.split(',').map(Number);
    return { x: x - bx0, y: by1 - y };
  };
  const objects = new Map((json.objects ?? []).map(o => [o.name, o]));
  const nodes = wanted.nodes.map((_, i) => at(objects.get(`n${i}`)?.pos ?? '0,0'));
  const clusters = wanted.clusters.map((_, i) => {
    const [x0, y0, x1, y1] = (objects.get(`cluster_${i}`)?.bb ?? '0,0,0,0').split(',').map(Number);
    return { x0: x0 - bx0, y0: by1 - y1, x1: x1 - bx0, y1: by1 - y0 };
  });
  const edges = wanted.edges.map((_, i): IRoute => {
    const edge = json.edges?.[i];
    const parts = (edge?.pos ?? '').split(' ').filter(Boolean);
    const tip = parts.find(p => p.startsWith('e,'));
    return {
      points: parts.filter(p => !/^[es],/.test(p)).map(at),
      tip: tip ? at(tip.slice(2)) : null,
      label: edge?.lp ? at(edge.lp) : null
    };
  });
  return { box: { x0: 0, y0: 0, x1: bx1 - bx0, y1: by1 - by0 }, nodes, clusters, edges };
}

let graphviz: Promise<import('@viz-js/viz').Viz> | null = null;
const done = new Map<string, Promise<ILayout>>();

/** Lays a plan out. The last few are kept: going back to a tab draws at once. */
export function layOut(plan: IPlan): Promise<ILayout> {
  const known = done.get(plan.dot);
  if (known) {
    return known;
  }
  graphviz ??= import('@viz-js/viz').then(module => module.instance());
  const layout = graphviz.then(viz => {
    const result = viz.render(plan.dot, { format: 'json0', engine: 'dot' });
    if (result.status !== 'success') {
      throw new Error(result.errors.map(e => e.message).join('\n'));
    }
    return read(JSON.parse(result.output) as IGraphvizJSON, plan);
  });
  layout.catch(() => done.delete(plan.dot));
  done.set(plan.dot, layout);
  if (done.size > 40) {
    done.delete(done.keys().next().value as string);
  }
  return layout;
}
