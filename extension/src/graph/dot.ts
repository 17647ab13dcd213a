/**
 * What Graphviz is asked to lay out.
 *
 * Only sizes go in: the drawing is ours, and names are indices, so nothing that the data says can be read as DOT.
 * Widths are fixed from the number of characters, because the layout cannot know the reader's fonts.
 */

import type { ICluster, IEdge, IGraph, INode } from '../model';

export interface IShown {
  shapes: boolean;
  control: boolean;
  constants: boolean;
}

/** What of the graph is drawn, in the order of the DOT's `n0, n1, …` and edges; `back` are drawn by hand. */
export interface IPlan {
  dot: string;
  nodes: INode[];
  edges: IEdge[];
  back: IEdge[];
  clusters: ICluster[];
}

const TITLE = 7.3; // pixels a character at 12 px, bold
const SMALL = 6.7; // at 11 px

/** Estimated width in pixels: wide characters (Chinese, Japanese, Korean) count nearly twice. */
export function width(text: string, per: number): number {
  let total = 0;
  for (const c of text) {
    total += (c.codePointAt(0) ?? 0) >= 0x2e80 ? per * 1.75 : per;
  }
  return total;
}

export function nodeSize(node: INode): { w: number; h: number } {
  const title = width(node.title, TITLE);
  if (node.kind === 'op' || node.kind === 'const') {
    const w = Math.max(44, Math.max(title, node.label ? width(node.label, SMALL) : 0) + 20);
    return { w, h: node.label ? 36 : 25 };
  }
  return { w: Math.max(54, title + 26), h: node.label ? 40 : 29 };
}

export function isExtra(edge: IEdge): boolean {
  return edge.kind === 'control' || edge.kind === 'effect';
}

const inches = (pixels: number): string => (pixels / 72).toFixed(3);

export function plan(graph: IGraph, shown: IShown): IPlan {
  const nodes = graph.nodes.filter(n => n.kind !== 'const' || shown.constants);
  const index = new Map(nodes.map((n, i) => [n.id, i]));
  const all = graph.edges.filter(e => index.has(e.from) && index.has(e.to));
  const edges = all.filter(e => e.kind !== 'back' && (shown.control || !isExtra(e)));
  const used = new Set<string>();
  const parents = new Map(graph.clusters.map(c => [c.id, c.parent]));
  for (const node of nodes) {
    for (let c = node.cluster; c && !used.has(c); c = parents.get(c) ?? null) {
      used.add(c);
    }
  }
  const clusters = graph.clusters.filter(c => used.has(c.id));

  const lines = [
    'digraph {',
    'rankdir=TB; nodesep=0.25; ranksep=0.3; newrank=false;',
    'node [label="" fixedsize=true];',
    'edge [fontname="Courier" fontsize=11 arrowsize=0.55];'
  ];
  const node = (n: INode): void => {
    const { w, h } = nodeSize(n);
    const shape = n.kind === 'op' || n.kind === 'const' ? 'box' : 'ellipse';
    lines.push(`n${index.get(n.id)} [shape=${shape} width=${inches(w)} height=${inches(h)}];`);
  };
  // the values of a loop stand in a row where they enter and, if there is room, where they leave
  const back = all.filter(e => e.kind === 'back');
  const row = (cluster: string, ends: string[], most: number): void => {
    const ids = [...new Set(ends)].filter(id => graph.nodes.find(n => n.id === id)?.cluster === cluster);
    if (ids.length > 1 && ids.length <= most) {
      lines.push(`{ rank=same; ${ids.map(id => `n${index.get(id)}`).join('; ')}; }`);
    }
  };
  const inside = (cluster: string | null): void => {
    for (const n of nodes) {
      if (n.cluster === cluster || (cluster === null && n.cluster !== null && !used.has(n.cluster))) {
        node(n);
      }
    }
    clusters.forEach((c, i) => {
      if (c.parent === cluster) {
        // the label's room: its text is drawn by us, at the left
        const room = 'x'.repeat(Math.ceil(width(c.label, SMALL) / 6.6));
        lines.push(`subgraph cluster_${i} { margin=12; fontname="Courier"; fontsize=11; labeljust=l; label="${room}";`);
        inside(c.id);
        row(
          c.id,
          back.map(e => e.to),
          6
        );
        row(
          c.id,
          back.map(e => e.from),
          3
        );
        lines.push('}');
      }
    });
  };
  const first = nodes.filter(n => n.kind === 'arg' && n.cluster === null);
  if (first.length) {
    lines.push(`{ rank=same; ${first.map(n => `n${index.get(n.id)}`).join('; ')}; }`);
  }
  inside(null);
  for (const e of edges) {
    const label = shown.shapes && e.label ? ` label="${'x'.repeat(Math.ceil(width(e.label, 6.6) / 6.6) + 1)}"` : '';
    lines.push(`n${index.get(e.from)} -> n${index.get(e.to)} [weight=${isExtra(e) ? 0 : 1}${label}];`);
  }
  lines.push('}');
  return { dot: lines.join('\n'), nodes, edges, back, clusters };
}
