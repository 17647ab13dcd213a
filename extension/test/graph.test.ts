import { describe, expect, test } from 'vitest';
import { nodeSize, plan, width } from '../src/graph/dot';
import { draw, isolated } from '../src/graph/draw';
import { layOut, read } from '../src/graph/layout';
import type { IGraph, INode } from '../src/model';
import { walk } from './fixtures';

const SHOWN = { shapes: true, control: false, constants: false };

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

function small(more: Partial<IGraph>): IGraph {
  return { ...graph(), nodes: [], edges: [], clusters: [], ...more };
}

describe('what Graphviz is asked', () => {
  test('no word of the data is part of the DOT', () => {
    const bad = 'a"]; evil [label="x';
    const g = small({
      nodes: [op(bad, { title: bad, label: bad, cluster: bad })],
      clusters: [{ id: bad, parent: null, kind: 'loop', label: bad, line: 1 }]
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
    wanted
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
    clusters: [{ id: 'c', parent: null, kind: 'loop', label: 'while', line: 1 }],
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
