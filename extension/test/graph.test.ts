import { describe, expect, test } from 'vitest';
import { type IPlan, nodeSize, plan as planOf, width } from '../src/graph/dot';
import { draw, isolated } from '../src/graph/draw';
import { layOut, read } from '../src/graph/layout';
import { framesAround, type IShown, linesOf, nodesOf, picture, search } from '../src/graph/parts';
import { quickLayout } from '../src/graph/quick';
import type { ICluster, IEdge, IGraph, INode, Part } from '../src/model';
import { walk } from './fixtures';

const SHOWN: IShown = { mode: 'traced', shapes: true, control: false, constants: false, open: {}, most: 500 };

function plan(g: IGraph, shown: IShown): IPlan {
  return planOf(picture(g, shown), shown.shapes);
}

function graph(): IGraph {
  const g = walk().functions[0].graph;
  if (!g) {
    throw new Error('the example has a graph');
  }
  return g;
}

function op(id: string, more: Partial<INode> = {}): INode {
  const text = { id: 'graph.pick', values: {}, text: id };
  return {
    id,
    op: id,
    name: id,
    title: id,
    label: null,
    kind: 'op',
    line: 1,
    cluster: null,
    spec: null,
    text,
    aria: id,
    ...more
  };
}

function frame(id: string, more: Partial<ICluster> = {}): ICluster {
  const text = { id: 'graph.pick.collapsed', values: {}, text: id };
  return { id, parent: null, kind: 'loop', label: id, line: 1, size: '3 ops', text, aria: id, open: true, ...more };
}

function edge(from: string, to: string, more: Partial<IEdge> = {}): IEdge {
  return { from, to, kind: 'data', label: null, ...more };
}

function small(more: Partial<IGraph>): IGraph {
  return { ...graph(), nodes: [], edges: [], clusters: [], changes: [], parts: ['traced'], ...more };
}

describe('what Graphviz is asked', () => {
  test('no word of the data is part of the DOT', () => {
    const bad = 'a"]; evil [label="x';
    const g = small({
      nodes: [op(bad, { title: bad, label: bad, cluster: bad })],
      clusters: [frame(bad)]
    });
    expect(plan(g, SHOWN).dot).not.toContain('evil');
  });

  test('constants and the order of effects are drawn on demand', () => {
    const g = small({
      nodes: [op('a'), op('b'), op('c', { kind: 'const' })],
      edges: [
        { from: 'a', to: 'b', kind: 'data', label: null },
        { from: 'a', to: 'b', kind: 'control', label: null },
        { from: 'c', to: 'b', kind: 'data', label: null },
        { from: 'b', to: 'a', kind: 'back', label: null }
      ]
    });
    expect(plan(g, SHOWN).edges.map(e => e.kind)).toEqual(['data']);
    expect(plan(g, { ...SHOWN, control: true }).edges.map(e => e.kind)).toEqual(['data', 'control']);
    expect(plan(g, { ...SHOWN, constants: true }).nodes.map(n => n.id)).toEqual(['a', 'b', 'c']);
    expect(plan(g, SHOWN).back).toHaveLength(1);
  });

  test('widths follow the characters', () => {
    expect(width('abcd', 7)).toBe(28);
    expect(width('循环', 8)).toBe(28);
    expect(nodeSize(op('StatelessRandomNormalV2')).w).toBeGreaterThan(160);
    expect(nodeSize(op('x', { label: 'y' })).h).toBeGreaterThan(nodeSize(op('x')).h);
  });
});

test("Graphviz's coordinates, y up, become pixels, y down", () => {
  const wanted = plan(
    small({ nodes: [op('a'), op('b')], edges: [{ from: 'a', to: 'b', kind: 'data', label: 'f' }] }),
    SHOWN
  );
  const layout = read(
    {
      bb: '0,0,50,100',
      objects: [
        { name: 'n0', pos: '25,90' },
        { name: 'n1', pos: '25,10' }
      ],
      edges: [{ tail: 0, head: 1, pos: 'e,25,20 25,80 25,60 25,40 25,26', lp: '30,50' }]
    },
    { counts: { nodes: 2, clusters: wanted.clusters.length, edges: wanted.edges.length } }
  );
  expect(layout.nodes).toEqual([
    { x: 25, y: 10 },
    { x: 25, y: 90 }
  ]);
  expect(layout.edges[0].tip).toEqual({ x: 25, y: 80 });
  expect(layout.edges[0].points).toHaveLength(4);
  expect(layout.edges[0].label).toEqual({ x: 30, y: 50 });
});

describe('the drawing of the example', () => {
  test('bodies stand inside one another, nodes inside their bodies, the way back left of the loop', async () => {
    const wanted = plan(graph(), SHOWN);
    const layout = await layOut(wanted);
    const box = (id: string) => layout.clusters[wanted.clusters.findIndex(c => c.id === id)];
    for (const cluster of wanted.clusters) {
      if (cluster.parent) {
        const [inner, outer] = [box(cluster.id), box(cluster.parent)];
        expect(inner.x0).toBeGreaterThan(outer.x0);
        expect(inner.y1).toBeLessThan(outer.y1);
      }
    }
    wanted.nodes.forEach((node, i) => {
      if (node.cluster) {
        const b = box(node.cluster);
        expect(layout.nodes[i].x).toBeGreaterThan(b.x0);
        expect(layout.nodes[i].x).toBeLessThan(b.x1);
      }
    });
    const drawing = draw(wanted, layout, true);
    expect(drawing.nodes.map(n => n.at.y)).toEqual(drawing.nodes.map(n => n.at.y).sort((a, b) => a - b));
    expect(drawing.group.querySelectorAll('.gl-node')).toHaveLength(wanted.nodes.length);
    expect(drawing.group.querySelector('.gl-edge.gl-is-back')).not.toBeNull();
    expect(drawing.box.x0).toBeLessThan(box('c1').x0);
    expect(drawing.group.lastElementChild?.getAttribute('class')).toBe('gl-labels'); // over everything
  });
});

test('words from right to left keep together', () => {
  expect(isolated('x + d')).toBe('x + d');
  expect(isolated('حلقه · سطر ۶')).toBe('\u2067حلقه · سطر ۶\u2069');
});

test('a loop of several values has them in rows, and one way back for all', async () => {
  const value = (id: string, more: Partial<INode> = {}) => op(id, { kind: 'loopvar', cluster: 'c', ...more });
  const g = small({
    nodes: [value('a'), value('b'), value('c0'), op('f', { cluster: 'c' }), value('a2'), value('b2'), value('c2')],
    clusters: [frame('c')],
    edges: [
      { from: 'a', to: 'f', kind: 'data', label: null },
      { from: 'f', to: 'a2', kind: 'data', label: null },
      { from: 'b', to: 'b2', kind: 'data', label: null },
      { from: 'c0', to: 'c2', kind: 'data', label: null },
      { from: 'a2', to: 'a', kind: 'back', label: null },
      { from: 'b2', to: 'b', kind: 'back', label: null },
      { from: 'c2', to: 'c0', kind: 'back', label: null }
    ]
  });
  const wanted = plan(g, SHOWN);
  const layout = await layOut(wanted);
  const y = (id: string) => layout.nodes[wanted.nodes.findIndex(n => n.id === id)].y;
  expect(y('b')).toBe(y('a'));
  expect(y('c2')).toBe(y('a2'));
  const back = draw(wanted, layout, true).group.querySelectorAll('.gl-edge.gl-is-back');
  expect(back).toHaveLength(1);
  expect(back[0].querySelectorAll('.gl-arrowhead')).toHaveLength(3);
  const paths = [...back[0].querySelectorAll('path:not(.gl-arrowhead)')].map(p => p.getAttribute('d'));
  expect(new Set(paths).size).toBe(paths.length); // dashes drawn twice would look solid
});

const only = (...parts: Part[]) => ({ in: parts });

/** A loop with a branch inside; the optimiser took `twice` out, moved `same` before the loop and made `new`. */
const CHANGED = (): IGraph =>
  small({
    parts: ['traced', 'runs', 'gradient'],
    nodes: [
      op('x', { kind: 'arg', op: null }),
      op('dead', { ...only('traced'), change: 'removed', unneeded: true, rules: [0] }),
      op('twice', { ...only('traced'), cluster: 'loop', change: 'removed', rules: [1], label: 'a * 2' }),
      op('same', { cluster: 'loop', runs_in: null, change: 'moved', rules: [1] }),
      op('kept', { cluster: 'branch', line: 7, lines: [7, 3] }),
      op('new', { ...only('runs'), change: 'added' }),
      op('grad', { ...only('gradient'), backward: true })
    ],
    edges: [
      edge('x', 'twice', only('traced')),
      edge('x', 'kept'),
      edge('x', 'same'),
      edge('same', 'kept'),
      edge('kept', 'grad', { kind: 'saved', ...only('gradient') })
    ],
    clusters: [
      frame('loop', { open: false }),
      frame('cond', { parent: 'loop', kind: 'cond' }),
      frame('branch', { parent: 'cond', kind: 'branch', open: false })
    ],
    changes: ['pruning', 'loop invariants'].map(pass => ({
      pass,
      text: { id: 'optimizer.other', values: {}, text: pass },
      lines: [1],
      where: null,
      count: 1,
      nodes: [],
      kept: false
    }))
  });

describe('what is drawn of a graph', () => {
  const drawn = (more: Partial<IShown>) => picture(CHANGED(), { ...SHOWN, ...more });
  const open = { loop: true };

  test('closed bodies are one node each, and their edges go with them', () => {
    const { nodes, edges, clusters } = drawn({});
    expect(nodes.map(n => [n.id, n.kind])).toEqual([
      ['x', 'arg'],
      ['loop', 'body']
    ]);
    expect(edges.map(e => `${e.from}>${e.to}`)).toEqual(['x>loop']);
    expect(clusters).toEqual([]);
  });

  test('branches open with their condition', () => {
    const { nodes, clusters } = drawn({ open });
    expect(nodes.map(n => n.id)).toEqual(['x', 'twice', 'same', 'kept']);
    expect(clusters.map(c => c.id)).toEqual(['loop', 'cond', 'branch']);
  });

  test.each([
    ['traced', ['x', 'twice', 'same', 'kept']],
    ['difference', ['x', '− dead', '− twice', '→ same', 'kept', '+ new']],
    ['runs', ['x', '→ same', 'kept', '+ new']],
    ['gradient', ['grad']]
  ] as const)('%s', (mode, titles) => {
    expect(drawn({ mode, open }).nodes.map(n => n.title)).toEqual(titles);
  });

  test('a change names its rule, and what moved stands where it runs', () => {
    const { nodes } = drawn({ mode: 'difference', open });
    expect(nodes.find(n => n.id === 'twice')?.label).toBe('a * 2 · loop invariants');
    expect(nodes.find(n => n.id === 'same')?.cluster).toBe('loop');
    expect(drawn({ mode: 'runs', open }).nodes.find(n => n.id === 'same')?.cluster).toBeNull();
  });

  test('a large graph is cut, and says how much there is', () => {
    const { nodes, edges, total } = drawn({ open, most: 2 });
    expect(nodes.map(n => n.id)).toEqual(['x', 'twice']);
    expect(edges.map(e => e.to)).toEqual(['twice']);
    expect(total).toBe(4);
  });

  test('the frames around a node, for a search to open', () => {
    const g = CHANGED();
    const node = (id: string) => g.nodes.find(n => n.id === id) as INode;
    expect(framesAround(g, node('kept'), 'traced')).toEqual(['branch', 'cond', 'loop']);
    expect(framesAround(g, node('same'), 'runs')).toEqual([]);
    expect(linesOf(node('kept'))).toEqual([7, 3]);
    expect(linesOf(op('a', { line: null }))).toEqual([]);
  });

  test.each([
    ['KEP', ['kept']],
    ['line 3', ['kept']],
    [':7', ['kept']],
    ['7', ['kept']],
    ['a * 2', ['twice']],
    ['  ', []],
    ['nothing', []]
  ])('search for %j', (query, found) => {
    expect(search(nodesOf(CHANGED(), 'traced'), query).map(n => n.id)).toEqual(found);
  });
});

describe('the quick layout', () => {
  const box = { w: 60, h: 30, frame: -1 };

  test('what uses a value stands below it, and no two boxes overlap', () => {
    const nodes = Array.from({ length: 40 }, () => box);
    const edges = Array.from({ length: 39 }, (_, i): [number, number] => [Math.floor(i / 3), i + 1]);
    const layout = quickLayout({ nodes, frames: [], edges });
    for (const [a, b] of edges) {
      expect(layout.nodes[b].y).toBeGreaterThan(layout.nodes[a].y);
    }
    for (const [i, p] of layout.nodes.entries()) {
      for (const q of layout.nodes.slice(i + 1)) {
        expect(Math.abs(p.x - q.x) >= box.w || Math.abs(p.y - q.y) >= box.h).toBe(true);
      }
      expect(p.x).toBeGreaterThanOrEqual(0);
      expect(p.x).toBeLessThanOrEqual(layout.box.x1);
    }
  });

  test('frames hold what is theirs, and nothing else', () => {
    const nodes = [box, { ...box, frame: 0 }, { ...box, frame: 1 }, box];
    const frames = [
      { parent: -1, label: 40 },
      { parent: 0, label: 40 }
    ];
    const layout = quickLayout({
      nodes,
      frames,
      edges: [
        [0, 1],
        [1, 2],
        [2, 3]
      ]
    });
    const [outer, inner] = layout.clusters;
    const within = (i: number, b: typeof outer) => {
      const { x, y } = layout.nodes[i];
      return x > b.x0 && x < b.x1 && y > b.y0 && y < b.y1;
    };
    expect([0, 1, 2, 3].map(i => within(i, outer))).toEqual([false, true, true, false]);
    expect([0, 1, 2, 3].map(i => within(i, inner))).toEqual([false, false, true, false]);
    expect(inner.x0).toBeGreaterThan(outer.x0);
    expect(inner.y1).toBeLessThan(outer.y1);
    expect(layout.nodes[3].y).toBeGreaterThan(outer.y1);
  });

  test('a circle is laid out too', () => {
    const layout = quickLayout({
      nodes: [box, box, box],
      frames: [],
      edges: [
        [0, 1],
        [1, 2],
        [2, 1]
      ]
    });
    expect(layout.nodes.every(p => Number.isFinite(p.x) && Number.isFinite(p.y))).toBe(true);
  });

  test('it is for graphs that Graphviz would be slow with', () => {
    const many = Array.from({ length: 400 }, (_, i) => op(`m${i}`));
    expect(plan(small({ nodes: many }), SHOWN).quick?.nodes).toHaveLength(400);
    expect(plan(graph(), SHOWN).quick).toBeNull();
  });
});
