import { afterEach, beforeEach, expect, test } from 'vitest';
import { PanelView } from '../src/panel';
import { ran } from './fixtures';

const shown: PanelView[] = [];
let marked: (number | null)[];

beforeEach(() => {
  document.body.replaceChildren();
  marked = [];
});

afterEach(() => {
  for (const view of shown.splice(0)) {
    view.dispose();
  }
});

function show(what: 'step' | 'compare', panel = ran(what)): void {
  const view = new PanelView([panel], { functions: {} }, { markLine: line => marked.push(line) });
  document.body.append(view.node);
  shown.push(view);
}

function all(selector: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(selector)];
}

const pane = '[role=tabpanel][data-view=step]';

test('a run opens on its own tab, with code and graph beside it', () => {
  show('step');
  expect(all('[role=tab]').map(tab => tab.textContent)).toEqual(['Step', 'Code', 'Graph']);
  expect(all('[role=tab]')[0].getAttribute('aria-selected')).toBe('true');
  expect(all('.gl-trouble').map(p => p.getAttribute('role'))).toContain('alert');
});

const slider = (): HTMLInputElement => all(`${pane} [data-loop] input[type=range]`)[0] as HTMLInputElement;
const walk = (): HTMLInputElement => all(`${pane} .gl-walk input[type=range]`)[0] as HTMLInputElement;
const nodes = (): number[] => all(`${pane} tbody tr[data-node]`).map(tr => Number(tr.dataset.node));
const current = (): number[] => all(`${pane} tbody tr[aria-current=step]`).map(tr => Number(tr.dataset.node));
const slide = (input: HTMLInputElement, to: number): void => {
  input.value = String(to);
  input.dispatchEvent(new Event('input'));
};

test('the slider shows an iteration, its values and the operations that ran in it', () => {
  show('step');
  const step = ran('step').functions[0].step;
  const [loop] = step?.loops ?? [];
  const text = (): string => all(`${pane} .gl-loop-values`)[0].textContent ?? '';
  expect(slider().max).toBe(String(loop.iterations.length - 1));
  expect(slider().getAttribute('aria-valuetext')).toBe('iteration 1 of 3');
  expect(text()).toContain(loop.iterations[0].values[1].text);
  expect(nodes()).toContain(loop.iterations[0].first);
  expect(nodes()).not.toContain(loop.iterations[1].first);
  slide(slider(), 1);
  expect(slider().getAttribute('aria-valuetext')).toBe('iteration 2 of 3');
  expect(text()).toContain(loop.iterations[1].values[1].text);
  expect(nodes()[0]).toBe(loop.iterations[1].first - 1); // the condition is asked before the body runs
  expect(current()).toEqual([loop.iterations[1].first]);
  all(`${pane} [data-loop] .gl-loop-bar button`)[1].click();
  expect(slider().value).toBe('2');
  all(`${pane} [data-loop] .gl-loop-bar button`)[1].click();
  expect(slider().value).toBe('2');
});

test('what ran outside of the loop is seen with every iteration', () => {
  show('step');
  const outside =
    ran('step')
      .functions[0].step?.nodes.filter(n => !n.around.length)
      .map(n => n.n) ?? [];
  expect(outside.length).toBeGreaterThan(0);
  for (const iteration of [0, 1, 2]) {
    slide(slider(), iteration);
    expect(nodes()).toEqual(expect.arrayContaining(outside));
  }
});

test('the walk goes operation by operation, and takes the iterations along', () => {
  show('step');
  const step = ran('step').functions[0].step;
  const total = step?.nodes.length ?? 0;
  for (let at = 0; at < total; at++) {
    slide(walk(), at);
    expect(current()).toEqual([at]);
    expect(all(`${pane} .gl-at`)[0].textContent).toContain(step?.nodes[at].op);
  }
  expect(slider().value).toBe('2');
  all(`${pane} .gl-walk .gl-loop-bar button`)[0].click();
  expect(current()).toEqual([total - 2]);
  slide(walk(), 0);
  expect(slider().value).toBe('0');
});

test('the walk stops at a line, at a value, or at both, forwards and back', () => {
  show('step');
  const step = ran('step').functions[0].step;
  const [line, when] = all(`${pane} .gl-walk select`) as HTMLSelectElement[];
  const [than] = all(`${pane} .gl-walk input[type=number]`) as HTMLInputElement[];
  const [, , back, on] = all(`${pane} .gl-walk button`);
  const choose = (field: HTMLInputElement | HTMLSelectElement, value: string): void => {
    field.value = value;
    field.dispatchEvent(new Event('input'));
  };
  const visited = (button: HTMLElement): number[] => {
    const seen: number[] = [];
    for (button.click(); !all(`${pane} .gl-walk [role=status]`)[0].textContent; button.click()) {
      seen.push(current()[0]);
    }
    return seen;
  };
  const among = (test: (n: NonNullable<typeof step>['nodes'][number]) => boolean): number[] =>
    step?.nodes.filter(test).map(n => n.n) ?? [];
  slide(walk(), 0);
  choose(line, '6');
  const sixes = among(n => n.line === 6);
  expect(sixes.length).toBeGreaterThan(1);
  expect(visited(on)).toEqual(sixes);
  expect(visited(back)).toEqual(sixes.slice(0, -1).reverse());
  choose(line, '');
  choose(when, 'odd');
  expect(than.hidden).toBe(true);
  slide(walk(), 0);
  expect(visited(on)).toEqual(among(n => n.values.some(v => (v.stats?.inf ?? 0) + (v.stats?.nan ?? 0) > 0)));
  choose(when, 'above');
  expect(than.hidden).toBe(false);
  choose(than, '1.5');
  slide(walk(), 0);
  const above = visited(on);
  expect(above.length).toBeGreaterThan(0);
  expect(above).not.toContain(sixes[0] - 1);
  choose(line, '6');
  slide(walk(), 0);
  expect(visited(on)).toEqual(above.filter(n => sixes.includes(n)));
});

test('where the walk stands is kept when the panel is built anew', () => {
  const choices = { functions: {} };
  for (const step of [0, 1]) {
    const view = new PanelView([ran('step')], choices, {});
    document.body.replaceChildren(view.node);
    shown.push(view);
    if (!step) {
      slide(walk(), 8);
    }
    expect(current()).toEqual([8]);
    expect(slider().value).toBe('1');
  }
});

test('a line of an operation links to the code', () => {
  show('step');
  const go = all(`${pane} tbody .gl-go`)[0];
  const line = Number(go.closest('tr')?.dataset.line);
  go.click();
  expect(marked).toContain(line);
  expect(all(`${pane} tr.is-linked`).every(tr => tr.dataset.line === String(line))).toBe(true);
});

test('a comparison shows what a call takes, and from when the graph is ahead', () => {
  const panel = ran('compare');
  const compare = panel.functions[0].compare;
  if (compare) {
    compare.volatile = {
      bars: [
        { label: 'Eager', ms: 4, text: '4.0 ms' },
        { label: 'Graph, running', ms: 1, text: '1.0 ms' },
        { label: 'Graph, tracing once', ms: 8, text: '8.0 ms' }
      ],
      said: { id: 'compare.ahead', values: { n: 3 }, text: 'The graph is ahead from call 3 on.' }
    };
  }
  show('compare', panel);
  const rows = all('.gl-times tr');
  expect(rows.map(row => row.textContent)).toEqual([
    'Eager4.0 ms',
    'Graph, running1.0 ms',
    'Graph, tracing once8.0 ms'
  ]);
  expect(rows.map(row => row.querySelector<HTMLElement>('.gl-amount span')?.style.inlineSize)).toEqual([
    '50.0%',
    '12.5%',
    '100.0%'
  ]);
  expect(all('[role=tabpanel][data-view=compare] section')[0].textContent).toContain('ahead from call 3 on.');
});

test('a comparison marks what differs in words too, and names the rule', () => {
  show('compare');
  const rows = all('[role=tabpanel][data-view=compare] tbody tr');
  expect(rows.map(row => row.dataset.equal)).toContain('false');
  expect(rows.find(row => row.dataset.equal === 'false')?.textContent).toContain('≠ different');
  expect(all('[role=tabpanel][data-view=compare] [data-rule]').map(item => item.dataset.rule)).toEqual([
    'effect.print'
  ]);
});

test('what is equal is said once; what differs stands side by side, each with its name', () => {
  show('compare');
  const compare = ran('compare').functions[0].compare;
  const rows = all('[role=tabpanel][data-view=compare] .gl-both tbody tr');
  const values = rows.map(row => [...row.querySelectorAll('.gl-side-of-call')].map(cell => cell.textContent));
  expect(values).toEqual(
    compare?.rows.map(({ equal, eager, graph }) =>
      equal && eager === graph ? [eager] : [`Eager${eager || '–'}`, `Graph${graph || '–'}`]
    )
  );
  expect(new Set(values.map(found => found.length))).toEqual(new Set([1, 2]));
  // a narrow panel sets cells below each other: a row is as wide as the others, and roles say what is what
  const width = (row: Element): number =>
    [...row.children].reduce((sum, c) => sum + (c as HTMLTableCellElement).colSpan, 0);
  expect(new Set(all('.gl-both tr').map(width))).toEqual(new Set([5]));
  expect(all('.gl-both :is(table, thead, tbody, tr, th, td):not([role])')).toEqual([]);
});

test('a long name of an operation may be broken between its words only', () => {
  show('step');
  const names = all(`${pane} tbody tr[data-node] th code`);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const parts = name.innerHTML.split('<wbr>');
    expect(parts.join('')).toBe(name.textContent);
    expect(parts.slice(1).every(part => /^[A-Z]/.test(part))).toBe(true);
  }
});

test('a run that was asked to stop begins there, and goes on to the next such operation', () => {
  const panel = ran('step');
  const { step } = panel.functions[0];
  const held = step?.nodes.filter(n => n.op === 'AddV2').map(n => n.n) ?? [];
  const [first, second] = held.slice(-2);
  const text = { id: 'step.stopped', values: {}, text: '**Stopped at step 9 of 20:** `op == "AddV2"`' };
  Object.assign(step ?? {}, { stop: { asked: 'op == "AddV2"', text, fits: [first, second] } });
  show('step', panel);
  expect(all('.gl-asked')[0].textContent).toBe('Stopped at step 9 of 20: op == "AddV2"');
  expect(current()).toEqual([first]);
  expect(all(`${pane} .gl-walk select`).map(s => (s as HTMLSelectElement).value)).toEqual(['asked', '']);
  all(`${pane} .gl-walk [aria-label="On to a stop"]`)[0].click();
  expect(current()).toEqual([second]);
});

test('a run that never stopped begins as any other and offers no such place', () => {
  const panel = ran('step');
  const text = { id: 'step.stopped.never', values: {}, text: '**Not stopped:** `x > 9` held nowhere.' };
  Object.assign(panel.functions[0].step ?? {}, { stop: { asked: 'x > 9', text, fits: [] } });
  show('step', panel);
  expect(all('.gl-asked')[0].textContent).toContain('held nowhere');
  expect(all(`${pane} .gl-walk option[value=asked]`)).toEqual([]);
});
