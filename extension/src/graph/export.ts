/** A drawn graph as a file: SVG and PNG with their own style, DOT, and the data as JSON. */

import { h } from '../dom';
import type { IGraph } from '../model';
import type { IPicture } from './parts';

export const FORMATS = ['svg', 'png', 'dot', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** What a style sheet gives to the drawing; a file has to carry it along. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'font-family',
  'font-weight',
  'paint-order',
  'opacity'
];

/** The whole drawing as SVG text that stands alone: without the zoom, in the colours it has now. */
export function standalone(group: SVGGElement, box: { x0: number; y0: number; x1: number; y1: number }): string {
  const copy = group.cloneNode(true) as SVGGElement;
  const all = [group, ...group.querySelectorAll('*')];
  const copies = [copy, ...copy.querySelectorAll('*')];
  all.forEach((element, i) => {
    const style = getComputedStyle(element);
    const text = STYLES.map(name => `${name}:${style.getPropertyValue(name)}`).filter(
      s => !/:(none)?$/.test(s) || s === 'fill:none'
    );
    copies[i].setAttribute('style', text.join(';'));
    for (const name of ['tabindex', 'role', 'aria-pressed', 'aria-expanded', 'class']) {
      copies[i].removeAttribute(name);
    }
  });
  copy.removeAttribute('transform');
  const pad = 10;
  const [w, height] = [Math.ceil(box.x1 - box.x0 + 2 * pad), Math.ceil(box.y1 - box.y0 + 2 * pad)];
  const ground =
    getComputedStyle(group.closest('.gl-stage') ?? group)
      .getPropertyValue('--gl-bg')
      .trim() || 'white';
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${height}" ` +
    `viewBox="${box.x0 - pad} ${box.y0 - pad} ${w} ${height}">` +
    `<rect x="${box.x0 - pad}" y="${box.y0 - pad}" width="${w}" height="${height}" style="fill:${ground}"/>` +
    `${new XMLSerializer().serializeToString(copy)}</svg>`
  );
}

/** The drawing as pixels, twice as fine as on the screen, as far as a canvas can be large. */
export async function pixels(text: string, width: number, height: number): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    await new Promise((done, failed) => {
      image.onload = done;
      image.onerror = () => failed(new Error('The drawing could not be read.'));
      image.src = url;
    });
    const scale = Math.min(2, 16_000 / Math.max(width, height));
    const canvas = h('canvas', { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, failed) => {
      canvas.toBlob(blob => (blob ? done(blob) : failed(new Error('The picture is too large.'))), 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

const quote = (text: string): string => `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, ' ')}"`;

/** What is shown, as DOT with its words. Names are indices, and every text of the user's is quoted. */
export function dotText(name: string, picture: IPicture): string {
  const index = new Map(picture.nodes.map((n, i) => [n.id, `n${i}`]));
  const lines = [`digraph ${quote(name)} {`, '  rankdir=TB;', '  node [fontname="Courier" fontsize=12];'];
  const inside = (frame: string | null, indent: string): void => {
    for (const n of picture.nodes.filter(node => node.cluster === frame)) {
      const box = n.kind === 'op' || n.kind === 'const' || n.kind === 'body';
      const text = n.label ? `${n.title}\n${n.label}` : n.title;
      const label = text
        .split('\n')
        .map(line => quote(line).slice(1, -1))
        .join('\\n');
      const dashed = n.change === 'removed' ? ' style=dashed' : n.change ? ' penwidth=2' : '';
      lines.push(`${indent}${index.get(n.id)} [label="${label}" shape=${box ? 'box' : 'ellipse'}${dashed}];`);
    }
    picture.clusters.forEach((c, i) => {
      if (c.parent === frame) {
        lines.push(`${indent}subgraph cluster_${i} {`, `${indent}  label=${quote(c.label)};`);
        inside(c.id, `${indent}  `);
        lines.push(`${indent}}`);
      }
    });
  };
  inside(null, '  ');
  const styles: Record<string, string> = {
    predicate: ' style=dotted',
    saved: ' style=dotted',
    back: ' style=dashed constraint=false',
    control: ' arrowhead=open',
    effect: ' arrowhead=open'
  };
  for (const e of picture.edges) {
    const label = e.label ? ` label=${quote(e.label)}` : '';
    lines.push(`  ${index.get(e.from)} -> ${index.get(e.to)} [class=${quote(e.kind)}${label}${styles[e.kind] ?? ''}];`);
  }
  return `${[...lines, '}'].join('\n')}\n`;
}

/** Gives a file to the reader. No request is made: the file is made here. */
export function save(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = h('a', { href: url, download: name });
  link.style.display = 'none';
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The graph of a function in one format. */
export async function file(
  format: Format,
  of: {
    name: string;
    graph: IGraph;
    picture: IPicture;
    group: SVGGElement;
    box: { x0: number; y0: number; x1: number; y1: number };
  }
): Promise<Blob> {
  const { name, graph, picture, group, box } = of;
  if (format === 'json') {
    return new Blob([JSON.stringify(graph, null, 1)], { type: 'application/json' });
  }
  if (format === 'dot') {
    return new Blob([dotText(name, picture)], { type: 'text/vnd.graphviz' });
  }
  const text = standalone(group, box);
  return format === 'svg'
    ? new Blob([text], { type: 'image/svg+xml' })
    : pixels(text, box.x1 - box.x0 + 20, box.y1 - box.y0 + 20);
}
