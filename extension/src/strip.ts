/** Calls × traces in small: a row for each trace, a mark for each call. */

import { svg } from './dom';
import type { IMark } from './summary';

const STEP = 9;
const COLUMNS = 24;
const ROWS = 6;

/** The picture of the last calls; the traces that served them, the last few when there are many. */
export function strip(all: IMark[]): SVGSVGElement | null {
  const marks = all.slice(-COLUMNS);
  const rows = [...new Set(marks.map(m => m.trace))].sort((a, b) => a - b).slice(-ROWS);
  if (!rows.length) {
    return null;
  }
  const width = Math.max(12, marks.length) * STEP;
  const height = rows.length * STEP;
  const picture = svg('svg', {
    class: 'gl-strip',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    'aria-hidden': 'true', // the sentence below says it
    focusable: 'false'
  });
  rows.forEach((_, row) => {
    const y = (row + 1) * STEP - 0.5;
    picture.append(svg('line', { x1: 0, x2: width, y1: y, y2: y }));
  });
  marks.forEach(({ trace, made }, column) => {
    const row = rows.indexOf(trace);
    if (row < 0) {
      return;
    }
    const x = column * STEP + 4.5;
    const y = row * STEP + 4;
    picture.append(
      made
        ? svg('path', { class: 'gl-made', d: `M${x} ${y - 3.4}l3.4 3.4-3.4 3.4-3.4-3.4Z` })
        : svg('circle', { class: 'gl-reused', cx: x, cy: y, r: 2.3 })
    );
  });
  return picture;
}
