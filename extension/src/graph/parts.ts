/**
 * What of a graph is drawn: one of its parts, closed bodies as one node each, what the optimiser did as marks.
 *
 * The data holds the graph as it was traced, as it runs and its gradient as one picture; each node, edge and frame says
 * which of them it is in. `graphlab/inspect/graph_fold.py` does the same for drawings without script.
 */

import type { Change, ICluster, IEdge, IGraph, INode, Part } from '../model';

export type Mode = 'traced' | 'difference' | 'runs' | 'gradient';

export interface IShown {
  mode: Mode;
  shapes: boolean;
  control: boolean;
  constants: boolean;
  /** Frames that the reader opened or closed; the others are as the data says. */
  open: Readonly<Record<string, boolean>>;
  /** Nodes that are drawn at most. */
  most: number;
}

/** A picture that can be laid out: bodies that are closed are nodes in it. */
export interface IPicture {
  nodes: INode[];
  edges: IEdge[];
  clusters: ICluster[];
  /** How many nodes there would be without `most`. */
  total: number;
}

/** What stands before the title of a node that the optimiser touched: colour is never the only sign. */
export const SIGNS: Record<Change, string> = {
  removed: '−',
  added: '+',
  changed: '≠',
  moved: '→',
  kept: '=',
  fused: '≡'
};

/** Letters of scripts that run from right to left. */
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

const BOTH: readonly Part[] = ['traced', 'runs'];

export function isExtra(edge: IEdge): boolean {
  return edge.kind === 'control' || edge.kind === 'effect';
}

function within(item: { in?: readonly Part[] }, mode: Mode): boolean {
  const parts = item.in ?? BOTH;
  return mode === 'difference' ? parts.includes('traced') || parts.includes('runs') : parts.includes(mode);
}

function frame<T extends { runs_in?: string | null }>(item: T, here: string | null, mode: Mode): string | null {
  return mode === 'runs' && item.runs_in !== undefined ? item.runs_in : here;
}

/** The nodes of a mode, closed or not: what can be searched. */
export function nodesOf(graph: IGraph, mode: Mode, constants = false): INode[] {
  return graph.nodes.filter(
    n => within(n, mode) && (constants || n.kind !== 'const') && (mode !== 'traced' || !n.unneeded)
  );
}

/** The frames around a node in a mode, innermost first. */
export function framesAround(graph: IGraph, node: INode, mode: Mode): string[] {
  const clusters = new Map(graph.clusters.map(c => [c.id, c]));
  const found: string[] = [];
  for (let id = frame(node, node.cluster, mode); id; ) {
    found.push(id);
    const cluster = clusters.get(id);
    id = cluster ? frame(cluster, cluster.parent, mode) : null;
  }
  return found;
}

export function isOpen(cluster: ICluster, shown: Pick<IShown, 'open'>): boolean {
  // branches open and close with their condition
  return cluster.kind === 'branch' || (shown.open[cluster.id] ?? cluster.open);
}

export function picture(graph: IGraph, shown: IShown): IPicture {
  const { mode } = shown;
  const clusters = graph.clusters
    .filter(c => within(c, mode))
    .map(c => ({ ...c, parent: frame(c, c.parent, mode), open: isOpen(c, shown) }));
  const byId = new Map(clusters.map(c => [c.id, c]));
  const outer = new Map<string, string | null>();
  /** The outermost closed frame around a frame, itself included. */
  const closed = (id: string | null): string | null => {
    const cluster = id === null ? undefined : byId.get(id);
    if (!cluster) {
      return null;
    }
    let found = outer.get(cluster.id);
    if (found === undefined) {
      found = closed(cluster.parent) ?? (cluster.open ? null : cluster.id);
      outer.set(cluster.id, found);
    }
    return found;
  };

  const name = new Map<string, string>();
  const nodes: INode[] = [];
  const bodies = new Set<string>();
  for (const node of nodesOf(graph, mode, shown.constants)) {
    const cluster = frame(node, node.cluster, mode);
    const body = closed(cluster);
    name.set(node.id, body ?? node.id);
    if (body === null) {
      nodes.push(marked(graph, { ...node, cluster }, mode));
    } else if (!bodies.has(body)) {
      bodies.add(body);
      nodes.push(bodyNode(byId.get(body) as ICluster));
    }
  }
  const total = nodes.length;
  nodes.length = Math.min(total, shown.most);
  const drawn = new Set(nodes.map(n => n.id));

  const edges: IEdge[] = [];
  const known = new Set<string>();
  for (const edge of graph.edges) {
    const [from, to] = [name.get(edge.from), name.get(edge.to)];
    if (!within(edge, mode) || !from || !to || from === to || !drawn.has(from) || !drawn.has(to)) {
      continue;
    }
    const moved = from !== edge.from || to !== edge.to;
    const key = `${from} ${to} ${edge.kind}`;
    if ((isExtra(edge) && !shown.control) || (moved && known.has(key))) {
      continue;
    }
    known.add(key);
    edges.push(moved ? { ...edge, from, to } : edge);
  }
  const used = new Set<string>();
  for (const node of nodes) {
    for (let c = node.cluster; c && !used.has(c); c = byId.get(c)?.parent ?? null) {
      used.add(c);
    }
  }
  return { nodes, edges, clusters: clusters.filter(c => used.has(c.id)), total };
}

/** A node with what the optimiser did to it in its title and label. */
function marked(graph: IGraph, node: INode, mode: Mode): INode {
  if (!node.change || (mode !== 'difference' && mode !== 'runs')) {
    return { ...node, change: undefined };
  }
  const rules = (node.rules ?? []).flatMap(i => graph.changes[i]?.pass ?? []);
  // an expression keeps its direction beside a word that is read from right to left
  const own = node.label && rules.some(rule => RIGHT_TO_LEFT.test(rule)) ? `\u2066${node.label}\u2069` : node.label;
  const label = [own, ...new Set(rules)].filter(Boolean).join(' · ');
  return { ...node, title: `${SIGNS[node.change]} ${node.title}`, label: label || null };
}

export function bodyNode(cluster: ICluster): INode {
  return {
    id: cluster.id,
    op: null,
    name: '',
    title: cluster.label,
    label: cluster.size,
    kind: 'body',
    line: cluster.line,
    cluster: cluster.parent,
    spec: null,
    text: cluster.text,
    aria: cluster.aria
  };
}

/** The user's lines that a node belongs to. */
export function linesOf(node: INode): number[] {
  return node.lines ?? (node.line === null ? [] : [node.line]);
}

/** The nodes that a search finds, in order: by op, name, label, type, or `line 8`, `:8`, `8`. */
export function search(nodes: INode[], query: string): INode[] {
  const text = query.trim().toLowerCase();
  if (!text) {
    return [];
  }
  const line = /^(?:\p{L}*\s*|:)(\d+)$/u.exec(text);
  const digits = line && !/^[\d.]*\.\d*$/.test(text) ? Number(line[1]) : null;
  const named = /^\p{L}/u.test(text);
  return nodes.filter(n => {
    const words = [n.op, n.name, n.title, n.label, n.spec].some(w => w?.toLowerCase().includes(text));
    if (digits === null) {
      return words;
    }
    // `mul2` is a name, `line 2` a place, `2` either
    return linesOf(n).includes(digits) || (named && words);
  });
}
