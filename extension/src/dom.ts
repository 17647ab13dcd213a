/** Small makers of elements. Data only ever becomes text or an attribute's value, never markup. */

const SVG = 'http://www.w3.org/2000/svg';

export type Child = Node | string | null | undefined | false;
export type Attributes = Record<string, string | number | boolean | null | undefined>;

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('aria-') && typeof value === 'boolean') {
      element.setAttribute(name, String(value)); // in ARIA, false says something
    } else if (value === true) {
      element.setAttribute(name, '');
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child);
    }
  }
  return element;
}

/** An HTML element. An attribute that is null or false is left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function button(attributes: Attributes, onClick: (event: MouseEvent) => void, ...children: Child[]) {
  const element = h('button', { type: 'button', ...attributes }, ...children);
  element.addEventListener('click', onClick);
  return element;
}

type Shape = { path: string; fill?: boolean; width?: number };

/** The marks: a diamond is tracing, a disc is the graph running, a cross did not fit. Everywhere the same. */
const MARKS = {
  trace: [{ path: 'M6 0 12 6 6 12 0 6Z', fill: true }],
  graph: [{ path: 'M6 1a5 5 0 1 0 0 10a5 5 0 1 0 0-10Z', fill: true }],
  no: [{ path: 'M3.2 3.2 8.8 8.8M8.8 3.2 3.2 8.8', width: 1.4 }],
  bad: [
    { path: 'M6 .6 11.8 11.4H.2Z', width: 1.3 },
    { path: 'M6 4.2v3.4M6 8.9v1.2', width: 1.4 }
  ],
  cost: [{ path: 'M6 .8a5.2 5.2 0 1 0 0 10.4a5.2 5.2 0 1 0 0-10.4ZM6 2.8V6l2.2 1.6', width: 1.3 }],
  copy: [{ path: 'M3.5 3.5V1h7.5v7.5H8.5M1 3.5h7.5V11H1Z', width: 1.2 }],
  ok: [{ path: 'M1 6.5 4.5 10 11 2.5', width: 1.8 }],
  plus: [{ path: 'M6 1.5v9M1.5 6h9', width: 1.4 }],
  minus: [{ path: 'M1.5 6h9', width: 1.4 }],
  never: [{ path: 'M2.5 6h7', width: 1.4 }],
  fit: [{ path: 'M1 4V1h3M8 1h3v3M11 8v3H8M4 11H1V8', width: 1.3 }],
  wide: [{ path: 'M7 1h4v4M5 11H1V7M11 1 7.2 4.8M1 11l3.8-3.8', width: 1.2 }],
  narrow: [{ path: 'M11.2 4.8H7.2V.8M.8 7.2h4v4M7.2 4.8 11 1M4.8 7.2 1 11', width: 1.2 }],
  close: [{ path: 'M2 2l8 8M10 2l-8 8', width: 1.3 }],
  next: [{ path: 'M2 4l4 4 4-4', width: 1.5 }],
  previous: [{ path: 'M2 8l4-4 4 4', width: 1.5 }],
  open: [{ path: 'M1 1h10v10H1ZM6 3.5v5M3.5 6h5', width: 1.2 }],
  shut: [{ path: 'M1 1h10v10H1ZM3.5 6h5', width: 1.2 }]
} satisfies Record<string, Shape[]>;

export type Mark = keyof typeof MARKS;

/** A mark; with `words` a reader of the screen hears them, without it stays silent (words stand beside it). */
export function mark(name: Mark, words?: string | null): SVGSVGElement {
  const said = words ? { role: 'img', 'aria-label': words } : { 'aria-hidden': 'true' };
  const shapes: Shape[] = MARKS[name];
  return svg(
    'svg',
    { class: `gl-m gl-m-${name}`, viewBox: '0 0 12 12', focusable: 'false', ...said },
    ...shapes.map(s =>
      svg('path', {
        d: s.path,
        fill: s.fill ? 'currentColor' : 'none',
        stroke: s.fill ? null : 'currentColor',
        'stroke-width': s.width ?? null,
        'stroke-linejoin': 'round'
      })
    )
  );
}

/**
 * One tab stop for a group of elements, arrows inside it (turned round from right to left), Home and End to its ends.
 *
 * `pick` is called when an arrow moved the focus. Vertical groups move by the up and down arrows.
 */
export function roving(group: Element, selector: string, pick: (element: HTMLElement) => void, vertical = false): void {
  group.addEventListener('keydown', event => {
    const key = event as KeyboardEvent;
    const from = (key.target as Element).closest<HTMLElement>(selector);
    if (!from || key.altKey || key.ctrlKey || key.metaKey || key.shiftKey) {
      return;
    }
    const all = [...group.querySelectorAll<HTMLElement>(selector)].filter(e => !e.closest('[hidden]') && !folded(e));
    const i = all.indexOf(from);
    const right = getComputedStyle(group).direction === 'rtl' ? -1 : 1;
    const step = vertical
      ? ({ ArrowDown: 1, ArrowUp: -1 } as Record<string, number>)[key.key]
      : ({ ArrowRight: right, ArrowLeft: -right } as Record<string, number>)[key.key];
    let to: number;
    if (step) {
      to = vertical ? Math.min(all.length - 1, Math.max(0, i + step)) : (i + step + all.length) % all.length;
    } else if (key.key === 'Home') {
      to = 0;
    } else if (key.key === 'End') {
      to = all.length - 1;
    } else {
      return;
    }
    key.preventDefault();
    key.stopPropagation();
    all[to].focus({ preventScroll: true });
    reveal(all[to]);
    pick(all[to]);
  });
}

/** Whether an element is inside a closed `details` (its summary is not). */
function folded(element: Element): boolean {
  const closed = element.parentElement?.closest('details:not([open])');
  return !!closed && element !== closed.querySelector(':scope > summary');
}

/** Makes `current` the tab stop of its group. */
export function tabStop(all: Iterable<Element>, current: Element | null): void {
  for (const element of all) {
    element.setAttribute('tabindex', element === current ? '0' : '-1');
  }
}

/** Scrolls inside the panel only: the notebook stays where the reader left it. */
export function reveal(element: Element): void {
  const scroller = element.closest<HTMLElement>('[data-graphlab-panel], [data-graphlab-side]');
  if (!scroller || scroller.scrollHeight <= scroller.clientHeight) {
    return;
  }
  const top = scroller.querySelector('.gl-top')?.getBoundingClientRect().bottom ?? 0;
  const box = element.getBoundingClientRect();
  const frame = scroller.getBoundingClientRect();
  if (box.top < top) {
    scroller.scrollTop -= top - box.top + 4;
  } else if (box.bottom > frame.bottom) {
    scroller.scrollTop += box.bottom - frame.bottom + 4;
  }
}

/** Copies text; works in pages without the clipboard API (plain http) too. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h('textarea', { class: 'gl-vh', 'aria-hidden': 'true', tabindex: -1 });
    area.value = text;
    const focused = document.activeElement as HTMLElement | null;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    focused?.focus({ preventScroll: true });
  }
}
