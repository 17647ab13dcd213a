/**
 * What Graphviz is asked to lay out.
 *
 * Only sizes go in: the drawing is ours, and names are indices, so nothing that the data says can be read as DOT.
 * Widths are fixed from the number of characters, because the layout cannot know the reader's fonts.
 */

import type { ICluster, IEdge, INode } from '../model';
import { type IPicture, isExtra } from './parts';
import type { IQuick } from './quick';

/** Nodes up to which Graphviz lays out; beyond, it may take many seconds. */
const LARGE = 300;

/** What of the graph is drawn, in the order of the DOT's `n0, n1, …` and edges; `back` are drawn by hand. */
export interface IPlan {
  /** Names the layout: equal for plans that are laid out alike. */
  key: string;
  dot: string;
  /** The same for the quick layout, when there is too much for Graphviz. */
  quick: IQuick | null;
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
  if (isBox(node)) {
    const w = Math.max(44, Math.max(title, node.label ? width(node.label, SMALL) : 0) + 20);
    return { w, h: node.label ? 36 : 25 };
  }
  return { w: Math.max(54, title + 26), h: node.label ? 40 : 29 };
}

/** Operations, constants and closed bodies are boxes; arguments, results and values of loops are ovals. */
export function isBox(node: INode): boolean {
  return node.kind === 'op' || node.kind === 'const' || node.kind === 'body';
}

const inches = (pixels: number): string => (pixels / 72).toFixed(3);

export function plan(picture: IPicture, shapes: boolean): IPlan {
  const { nodes, clusters } = picture;
  const index = new Map(nodes.map((n, i) => [n.id, i]));
  const edges = picture.edges.filter(e => e.kind !== 'back');
  const used = new Set(clusters.map(c => c.id));
  const back = picture.edges.filter(e => e.kind === 'back');
  if (nodes.length > LARGE) {
    const frames = new Map(clusters.map((c, i) => [c.id, i]));
    const at = (id: string | null): number => (id === null ? -1 : (frames.get(id) ?? -1));
    const quick: IQuick = {
      nodes: nodes.map(n => ({ ...nodeSize(n), frame: at(n.cluster) })),
      frames: clusters.map(c => ({ parent: at(c.parent), label: width(c.label, SMALL) })),
      edges: edges.map(e => [index.get(e.from) as number, index.get(e.to) as number])
    };
    return { key: JSON.stringify(quick), dot: '', quick, nodes, edges, back, clusters };
  }

  const lines = [
    'digraph {',
    'rankdir=TB; nodesep=0.25; ranksep=0.3; newrank=false;',
    'node [label="" fixedsize=true];',
    'edge [fontname="Courier" fontsize=11 arrowsize=0.55];'
  ];
  const node = (n: INode): void => {
    const { w, h } = nodeSize(n);
    const shape = isBox(n) ? 'box' : 'ellipse';
    lines.push(`n${index.get(n.id)} [shape=${shape} width=${inches(w)} height=${inches(h)}];`);
  };
  // the values of a loop stand in a row where they enter and, if there is room, where they leave
  const row = (cluster: string, ends: string[], most: number): void => {
    const ids = [...new Set(ends)].filter(id => nodes[index.get(id) ?? -1]?.cluster === cluster);
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
    const label = shapes && e.label ? ` label="${'x'.repeat(Math.ceil(width(e.label, 6.6) / 6.6) + 1)}"` : '';
    lines.push(`n${index.get(e.from)} -> n${index.get(e.to)} [weight=${isExtra(e) ? 0 : 1}${label}];`);
  }
  lines.push('}');
  const dot = lines.join('\n');
  return { key: dot, dot, quick: null, nodes, edges, back, clusters };
}
