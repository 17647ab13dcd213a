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

test('the slider shows an iteration, its values and the operations that ran in it', () => {
  show('step');
  const step = ran('step').functions[0].step;
  const [loop] = step?.loops ?? [];
  const slider = all(`${pane} input[type=range]`)[0] as HTMLInputElement;
  const text = (): string => all(`${pane} .gl-loop-values`)[0].textContent ?? '';
  const nodes = (): number[] => all(`${pane} tbody tr`).map(tr => Number(tr.dataset.node));
  expect(slider.max).toBe(String(loop.iterations.length - 1));
  expect(slider.getAttribute('aria-valuetext')).toBe('iteration 1 of 3');
  expect(text()).toContain(loop.iterations[0].values[1].text);
  expect(nodes()).toContain(loop.iterations[0].first);
  expect(nodes()).not.toContain(loop.iterations[1].first);
  slider.value = '1';
  slider.dispatchEvent(new Event('input'));
  expect(slider.getAttribute('aria-valuetext')).toBe('iteration 2 of 3');
  expect(text()).toContain(loop.iterations[1].values[1].text);
  expect(nodes()[0]).toBe(loop.iterations[1].first);
  all(`${pane} .gl-loop-bar button`)[1].click();
  expect(slider.value).toBe('2');
  all(`${pane} .gl-loop-bar button`)[1].click();
  expect(slider.value).toBe('2');
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
