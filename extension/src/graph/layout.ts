/**
 * From a plan to coordinates, in a worker of its own, so that the page stays fluid meanwhile.
 *
 * Graphviz is WebAssembly, a chunk that is fetched on first use. Where a page may have no worker (or the browser refuses
 * the one that is ours) the same is done in the page.
 */

import type { IPlan } from './dot';
import { type IQuick, quickLayout } from './quick';

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

/** What a worker is given: DOT for Graphviz, or a graph that is too large for it, and how much of everything there is. */
export interface IJob {
  dot: string;
  quick: IQuick | null;
  counts: { nodes: number; clusters: number; edges: number };
}

const each = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** Reads Graphviz's `json0`. Edges come back in the order in which they were written. */
export function read(json: IGraphvizJSON, { counts }: Pick<IJob, 'counts'>): ILayout {
  const [bx0, by0, bx1, by1] = json.bb.split(',').map(Number);
  const at = (text: string): IPoint => {
    const [x, y] = text.split(',').map(Number);
    return { x: x - bx0, y: by1 - y };
  };
  const objects = new Map((json.objects ?? []).map(o => [o.name, o]));
  const nodes = each(counts.nodes, i => at(objects.get(`n${i}`)?.pos ?? '0,0'));
  const clusters = each(counts.clusters, i => {
    const [x0, y0, x1, y1] = (objects.get(`cluster_${i}`)?.bb ?? '0,0,0,0').split(',').map(Number);
    return { x0: x0 - bx0, y0: by1 - y1, x1: x1 - bx0, y1: by1 - y0 };
  });
  const edges = each(counts.edges, (i): IRoute => {
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

interface IWaiting {
  job: IJob;
  done(layout: ILayout): void;
  failed(error: Error): void;
}

let worker: Worker | null | undefined; // null: there can be none
let running: IWaiting | null = null;
const queue: IWaiting[] = [];
const known = new Map<string, Promise<ILayout>>();

/** Lays a plan out. The last few are kept: going back to a tab draws at once. `signal` gives a long one up. */
export function layOut(plan: IPlan, signal?: AbortSignal): Promise<ILayout> {
  const found = known.get(plan.key);
  if (found) {
    return found;
  }
  const { dot, quick } = plan;
  const counts = { nodes: plan.nodes.length, clusters: plan.clusters.length, edges: plan.edges.length };
  const layout = new Promise<ILayout>((done, failed) => {
    const waiting = { job: { dot, quick, counts }, done, failed };
    queue.push(waiting);
    signal?.addEventListener('abort', () => giveUp(waiting), { once: true });
    next();
  });
  layout.catch(() => known.delete(plan.key));
  known.set(plan.key, layout);
  if (known.size > 40) {
    known.delete(known.keys().next().value as string);
  }
  return layout;
}

function next(): void {
  if (running) {
    return;
  }
  running = queue.shift() ?? null;
  if (!running) {
    return;
  }
  const { job } = running;
  worker = worker === undefined ? start() : worker;
  if (worker) {
    worker.postMessage(job);
  } else {
    inPage(job).then(
      layout => finish({ layout }),
      error => finish({ error: String(error) })
    );
  }
}

function finish({ layout, error }: { layout?: ILayout; error?: string }): void {
  const waiting = running;
  running = null;
  if (layout) {
    waiting?.done(layout);
  } else {
    waiting?.failed(new Error(error));
  }
  next();
}

function giveUp(waiting: IWaiting): void {
  const error = new DOMException('Another picture is wanted.', 'AbortError');
  if (running === waiting && worker) {
    worker.terminate(); // Graphviz cannot be asked to stop
    worker = undefined;
    running = null;
    waiting.failed(error);
    next();
  } else if (queue.includes(waiting)) {
    queue.splice(queue.indexOf(waiting), 1);
    waiting.failed(error);
  }
}

function start(): Worker | null {
  if (typeof Worker === 'undefined') {
    return null;
  }
  try {
    const made = new Worker(new URL('./worker.js', import.meta.url));
    made.addEventListener('message', event => finish(event.data));
    made.addEventListener('error', event => {
      event.preventDefault();
      made.terminate();
      if (worker === made) {
        worker = null; // refused, or not found: in the page, then
        if (running) {
          queue.unshift(running);
          running = null;
        }
        next();
      }
    });
    return made;
  } catch {
    return null; // from another origin
  }
}

let graphviz: Promise<import('@viz-js/viz').Viz> | null = null;

async function inPage(job: IJob): Promise<ILayout> {
  if (job.quick) {
    return quickLayout(job.quick);
  }
  graphviz ??= import('@viz-js/viz').then(module => module.instance());
  const result = (await graphviz).render(job.dot, { format: 'json0', engine: 'dot' });
  if (result.status !== 'success') {
    throw new Error(result.errors.map(e => e.message).join('\n'));
  }
  return read(JSON.parse(result.output) as IGraphvizJSON, job);
}
