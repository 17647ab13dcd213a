/**
 * A layout for graphs that are too large for Graphviz to be quick: ranks by the longest way, rows by where their inputs
 * stand, frames inside one another. Its time grows with the number of nodes and edges, not faster.
 */

import type { IBox, ILayout, IPoint, IRoute } from './layout';

export interface IQuickNode {
  w: number;
  h: number;
  /** Index of the frame around it, or -1. */
  frame: number;
}

export interface IQuick {
  nodes: IQuickNode[];
  /** For each frame, the one around it, or -1, and the width of its label. */
  frames: { parent: number; label: number }[];
  edges: [number, number][];
}

const GAP = 18;
const RANK = 34;
const PAD = 12;
const HEAD = 20;

/** A node, or a frame with everything in it, as it is placed in the frame around it. */
interface IItem {
  node: number;
  frame: number;
  w: number;
  h: number;
  x: number;
  y: number;
  rank: number;
  into: number[];
  out: number[];
}

export function quickLayout(graph: IQuick): ILayout {
  const nodes: IPoint[] = graph.nodes.map(() => ({ x: 0, y: 0 }));
  const clusters: IBox[] = graph.frames.map(() => ({ x0: 0, y0: 0, x1: 0, y1: 0 }));
  const inside: number[][] = graph.frames.map(() => []);
  const top: number[] = [];
  graph.nodes.forEach((n, i) => {
    (inside[n.frame] ?? top).push(i);
  });
  const children: number[][] = graph.frames.map(() => []);
  const outermost: number[] = [];
  graph.frames.forEach((f, i) => {
    (children[f.parent] ?? outermost).push(i);
  });
  // the edges of each frame are those between two of its items, however deep their ends are
  const around = (node: number): number[] => {
    const found = [-1];
    const up: number[] = [];
    for (let f = graph.nodes[node].frame; f >= 0; f = graph.frames[f].parent) {
      up.push(f);
    }
    return found.concat(up.reverse());
  };
  const own = new Map<number, [string, string][]>();
  for (const [from, to] of graph.edges) {
    const [a, b] = [around(from), around(to)];
    let depth = 0;
    while (depth + 1 < a.length && depth + 1 < b.length && a[depth + 1] === b[depth + 1]) {
      depth++;
    }
    const key = (path: number[], node: number): string =>
      depth + 1 < path.length ? `f${path[depth + 1]}` : `n${node}`;
    const list = own.get(a[depth]) ?? [];
    list.push([key(a, from), key(b, to)]);
    own.set(a[depth], list);
  }

  const placed = new Map<number, IItem[]>();
  const sized = (frame: number): { w: number; h: number } => {
    const items: IItem[] = [];
    const add = (node: number, of: number, w: number, h: number): void => {
      items.push({ node, frame: of, w, h, x: 0, y: 0, rank: 0, into: [], out: [] });
    };
    for (const i of frame < 0 ? top : inside[frame]) {
      add(i, -1, graph.nodes[i].w, graph.nodes[i].h);
    }
    for (const f of frame < 0 ? outermost : children[frame]) {
      const { w, h } = sized(f);
      add(-1, f, w, h);
    }
    const index = new Map(items.map((item, i) => [item.frame >= 0 ? `f${item.frame}` : `n${item.node}`, i]));
    for (const [from, to] of own.get(frame) ?? []) {
      const [a, b] = [index.get(from), index.get(to)];
      if (a !== undefined && b !== undefined && a !== b) {
        items[a].out.push(b);
        items[b].into.push(a);
      }
    }
    placed.set(frame, items);
    const size = arrange(items);
    const label = frame < 0 ? 0 : graph.frames[frame].label + 16;
    return frame < 0 ? size : { w: Math.max(size.w + 2 * PAD, label), h: size.h + 2 * PAD + HEAD };
  };
  const size = sized(-1);
  const put = (frame: number, x: number, y: number): void => {
    for (const item of placed.get(frame) ?? []) {
      const [left, upper] = [x + item.x, y + item.y];
      if (item.frame >= 0) {
        clusters[item.frame] = { x0: left, y0: upper, x1: left + item.w, y1: upper + item.h };
        put(item.frame, left + PAD, upper + PAD + HEAD);
      } else {
        nodes[item.node] = { x: left + item.w / 2, y: upper + item.h / 2 };
      }
    }
  };
  put(-1, 0, 0);
  const edges = graph.edges.map(
    ([from, to]): IRoute => route(nodes[from], nodes[to], graph.nodes[from], graph.nodes[to])
  );
  return { box: { x0: 0, y0: 0, x1: size.w, y1: size.h }, nodes, clusters, edges };
}

/** Places the items of one frame in rows; returns how much room they take. */
function arrange(items: IItem[]): { w: number; h: number } {
  // Kahn's order; what is left over is a circle and goes below what leads into it
  const waiting = items.map(item => item.into.length);
  const turn = items.flatMap((_, i) => (waiting[i] ? [] : [i]));
  const done = new Set(turn);
  for (let at = 0; at < items.length; at++) {
    if (at >= turn.length) {
      const next = items.findIndex((_, i) => !done.has(i));
      turn.push(next);
      done.add(next);
    }
    const item = items[turn[at]];
    for (const to of item.out) {
      if (!done.has(to)) {
        items[to].rank = Math.max(items[to].rank, item.rank + 1);
        if (--waiting[to] === 0) {
          turn.push(to);
          done.add(to);
        }
      }
    }
  }
  const rows: IItem[][] = [];
  for (const i of turn) {
    rows[items[i].rank] ??= [];
    rows[items[i].rank].push(items[i]);
  }
  let y = 0;
  const middle = (item: IItem): number =>
    item.into.length ? item.into.reduce((sum, i) => sum + items[i].x + items[i].w / 2, 0) / item.into.length : 0;
  for (const row of rows.filter(Boolean)) {
    const wanted = new Map(row.map(item => [item, middle(item)]));
    row.sort((p, q) => (wanted.get(p) ?? 0) - (wanted.get(q) ?? 0));
    let edge = Number.NEGATIVE_INFINITY;
    for (const item of row) {
      item.x = Math.max((wanted.get(item) ?? 0) - item.w / 2, edge);
      edge = item.x + item.w + GAP;
    }
    // what was pushed to the right moves back by half
    const push = row.reduce((sum, item) => sum + item.x + item.w / 2 - (wanted.get(item) ?? 0), 0) / row.length;
    const height = Math.max(...row.map(item => item.h));
    for (const item of row) {
      item.x -= push;
      item.y = y + (height - item.h) / 2;
    }
    y += height + RANK;
  }
  const left = items.reduce((x, item) => Math.min(x, item.x), Number.POSITIVE_INFINITY);
  let right = 0;
  for (const item of items) {
    item.x -= left;
    right = Math.max(right, item.x + item.w);
  }
  return { w: right, h: Math.max(0, y - RANK) };
}

/** A curve from below one node to above another. */
function route(a: IPoint, b: IPoint, from: IQuickNode, to: IQuickNode): IRoute {
  const down = b.y >= a.y;
  const start = { x: a.x, y: a.y + (down ? from.h / 2 : -from.h / 2) };
  const tip = { x: b.x, y: b.y + (down ? -to.h / 2 : to.h / 2) };
  const end = { x: tip.x, y: tip.y + (down ? -6 : 6) };
  const bend = Math.min(40, Math.abs(end.y - start.y) / 2) * (down ? 1 : -1);
  return {
    points: [start, { x: start.x, y: start.y + bend }, { x: end.x, y: end.y - bend }, end],
    tip,
    label: { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }
  };
}
