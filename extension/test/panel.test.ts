import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { plain } from '../src/message';
import { asPanel, type ICodeView, type IPanel } from '../src/model';
import { type IChoices, type IPlace, PanelView } from '../src/panel';
import { effects, walk } from './fixtures';

let marked: (number | null)[];
const shown: PanelView[] = [];

beforeEach(() => {
  document.body.replaceChildren();
  marked = [];
});

// A drawing that is still being laid out must not outlive its test.
afterEach(() => {
  for (const view of shown.splice(0)) {
    view.dispose();
  }
});

function show(panels: IPanel | IPanel[], choices: IChoices = { functions: {} }, place: IPlace = {}): PanelView {
  const view = new PanelView(Array.isArray(panels) ? panels : [panels], choices, {
    markLine: line => marked.push(line),
    ...place
  });
  document.body.append(view.node);
  shown.push(view);
  return view;
}

function $(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) {
    throw new Error(`nothing matches ${selector}`);
  }
  return found;
}

const tab = (name: string): HTMLElement => $(`[role=tab][data-view=${name}]`);
const pane = (name: string): HTMLElement => $(`[role=tabpanel][data-view=${name}]`);

function press(element: Element, key: string): void {
  element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}

test('data of another version is left alone', () => {
  expect(asPanel({ schema: 2, functions: [] })).toBeNull();
  expect(asPanel(undefined)).toBeNull();
  expect(asPanel(walk())?.functions).toHaveLength(1);
});

describe('tabs', () => {
  test('one is selected, and each rules its panel', () => {
    show(walk());
    expect($('[data-graphlab-panel]').lang).toBe('en');
    expect([...document.querySelectorAll('[role=tab]')].map(t => t.textContent)).toEqual([
      'Traces4',
      'Signatures4',
      'Code',
      'Graph',
      'Advice1'
    ]);
    for (const name of ['retraces', 'signatures', 'code', 'graph', 'advice']) {
      expect(tab(name).getAttribute('aria-controls')).toBe(pane(name).id);
      expect(pane(name).getAttribute('aria-labelledby')).toBe(tab(name).id);
    }
    expect(pane('retraces').hidden).toBe(false);
    expect(pane('code').hidden).toBe(true);
  });

  test('arrows, Home and End move the selection and the only tab stop', () => {
    show(walk());
    tab('retraces').focus();
    press(tab('retraces'), 'ArrowLeft');
    expect(tab('advice').getAttribute('aria-selected')).toBe('true');
    press(tab('advice'), 'Home');
    press(tab('retraces'), 'ArrowRight');
    expect(tab('signatures').getAttribute('aria-selected')).toBe('true');
    expect(document.querySelectorAll('[role=tab][tabindex="0"]')).toHaveLength(1);
    press(tab('signatures'), 'End');
    expect(document.activeElement).toBe(tab('advice'));
  });
});

describe('advice', () => {
  test('says what happens with the line as it is and the line to write', () => {
    show(walk());
    tab('advice').click();
    const item = $('[data-rule="effect.print"]');
    expect(item.querySelector('p')?.textContent).toBe(
      'print runs while tracing only. tf.print prints at every call. It ran 4 times for 6 calls.'
    );
    expect([...item.querySelectorAll('.gl-adv-line')].map(line => line.textContent)).toEqual([
      '−print("tracing walk:", x.shape, steps)',
      '+tf.print("tracing walk:", x.shape, steps)'
    ]);
  });
});

describe('advice about a helper', () => {
  const where = { id: 'code.helper', text: '`Net.noise` · `net.py:7`', values: {} };

  test.each([
    [null, 0],
    [5, 1]
  ])('names it with its place, which can be followed when it is line %s', (line, buttons) => {
    const panel = walk();
    Object.assign(panel.functions[0].advice[0], { where, line });
    show(panel);
    tab('advice').click();
    const place = $('[data-rule="effect.print"] .gl-muted');
    expect(place.textContent).toBe('Net.noise · net.py:7 · effect.print');
    expect(place.querySelectorAll('button')).toHaveLength(buttons);
  });

  test('what it alone reads from outside has its name', () => {
    const panel = walk();
    const text = { id: 'captured.number', text: 'frozen number', values: {} };
    const number = { name: 'k', traced: '2', now: '3', line: null, text };
    Object.assign(panel.functions[0].code ?? {}, { captured: [number, { ...number, reader: 'scaled' }] });
    show(panel);
    tab('code').click();
    const names = [...pane('code').querySelectorAll('.gl-t tbody td:first-child')].map(cell => cell.textContent);
    expect(names.slice(-2)).toEqual(['k', 'k · scaled']);
  });
});

describe('traces', () => {
  test('the grid says in words what its marks mean', () => {
    show(walk());
    const rows = [...document.querySelectorAll('.gl-mx tbody tr')];
    expect(rows).toHaveLength(4);
    const words = [...rows[1].querySelectorAll('td.gl-c')].map(
      c => c.querySelector('[aria-label]')?.getAttribute('aria-label') ?? c.textContent
    );
    expect(words).toEqual([
      'no such trace yet',
      'traced, then ran',
      'did not fit',
      'reused this trace',
      'did not fit',
      'did not fit'
    ]);
  });

  test('a call is selected by arrows, and what became of it is said', () => {
    show(walk());
    expect($('.gl-now').textContent).toBe('Call 4, line 17: reused T2.');
    press($('.gl-mx button[aria-pressed=true]'), 'ArrowRight');
    expect($('.gl-now').textContent).toBe('Call 5, line 18: no trace fitted, so T4 was made.');
    expect([...document.querySelectorAll('.gl-mx td.gl-sel')]).toHaveLength(4);
  });

  test('each retrace gives its reason, what changed, and the line to write', () => {
    show(walk());
    const entry = $('.gl-trace[data-trace="2"]');
    expect(entry.querySelector('.gl-why')?.textContent).toBe(
      'steps is a Python number, and every new number makes a new trace.'
    );
    expect(entry.querySelector('.gl-delta')?.textContent).toBe('stepsint 3→int 4');
    expect(entry.querySelector('.gl-fix')?.textContent).toBe('Write in line 15walk(tf.zeros(2), tf.constant(4))');
    const rejects = walk().functions[0].traces[2].rejects;
    expect([...document.querySelectorAll('.gl-trace[data-trace="3"] li')].map(e => e.textContent)).toEqual(
      rejects.map(r => `T${r.trace} ${plain(r.text.text)}`)
    );
  });

  test('every cause of a trace is told, each with its own line to write', () => {
    const panel = walk();
    const [, second, third] = panel.functions[0].traces;
    const { reason, path, before, after, fix, keep } = third;
    second.also = [{ reason, path, before, after, fix, keep }];
    second.more = { id: 'causes.more', values: { n: 2 }, text: 'It differs in 2 more places.' };
    show(panel);
    const entry = $('.gl-trace[data-trace="2"]');
    expect([...entry.querySelectorAll('.gl-why')].map(e => e.textContent)).toEqual([
      'steps is a Python number, and every new number makes a new trace.',
      'x has another shape: axis 0 went from 2 to 3.'
    ]);
    expect(entry.querySelector('.gl-also .gl-delta')?.textContent).toBe('x.shape(2,)→(3,)');
    expect(entry.querySelector('.gl-also .gl-fix')?.textContent).toContain('reduce_retracing=True');
    expect(entry.textContent).toContain('It differs in 2 more places.');
  });

  test('an error is an alert, with the line and the way to the graph', () => {
    const panel = walk();
    const fn = panel.functions[0];
    fn.state = 'error';
    fn.lede = { id: 'lede.error', values: {}, text: '**Tracing stopped at line 9:** `x` changes its shape.' };
    fn.error = {
      line: 9,
      code: { text: 'x = 1', tokens: [[['', 'x = 1']]] },
      after: { id: 'error.after', values: {}, text: '7 operations were recorded.' }
    };
    show(panel);
    expect($('[role=alert]').textContent).toContain('Tracing stopped at line 9');
    expect($('.gl-stopped').textContent).toBe('x = 1');
    [...document.querySelectorAll<HTMLElement>('.gl-btn')]
      .find(b => b.textContent === 'Show the graph up to there')
      ?.click();
    expect(pane('graph').hidden).toBe(false);
  });

  test('many traces fold, and one button shows them all', () => {
    const panel = walk();
    const fn = panel.functions[0];
    const say = (text: string) => ({ id: '', values: {}, text });
    fn.folds = {
      calls: [{ from: 1, to: 3, count: 3, text: say('3 more') }],
      traces: [{ from: 1, to: 2, count: 2, text: say('2 more, all for `steps`') }],
      all: say('Show all 4'),
      why: say('same reason, so grouped')
    };
    fn.selected = 6;
    show(panel);
    expect(document.querySelectorAll('.gl-mx tbody tr')).toHaveLength(3);
    expect(document.querySelectorAll('.gl-mx thead button')).toHaveLength(3);
    expect($('.gl-mx tbody tr:nth-child(2)').textContent).toContain('2 more, all for steps');
    expect(document.querySelectorAll('.gl-trace:not(.gl-run)')).toHaveLength(2); // T1 and T4; the run is one line
    $('.gl-show-all').click();
    expect(document.querySelectorAll('.gl-mx tbody tr')).toHaveLength(4);
    expect(document.querySelectorAll('.gl-mx thead button')).toHaveLength(6);
  });

  test.each([
    ['held', 3, 2, true],
    ['partly left out', 240, 239, false]
  ])('a fold whose traces are %s: how often it traced is said only of all of it', (_, calls, traces, said) => {
    const panel = walk();
    const fn = panel.functions[0];
    const say = (text: string) => ({ id: '', values: {}, text });
    fn.folds = {
      calls: [{ from: 1, to: 3, count: calls, text: say(`${calls} more`) }],
      traces: [{ from: 1, to: 2, count: traces, text: say(`${traces} more`) }],
      all: say('Show'),
      why: null
    };
    fn.selected = 6;
    show(panel);
    const cells = [...document.querySelectorAll('.gl-mx tbody tr:nth-child(2) td.gl-c')].map(e =>
      e.textContent?.trim()
    );
    expect(cells.some(text => /\d/.test(text ?? ''))).toBe(said);
  });
});

test('without recorded calls every trace is listed; with calls, only those made in this cell', () => {
  const panel = walk();
  const fn = panel.functions[0];
  fn.traces[0].new = false;
  show(panel);
  expect(document.querySelectorAll('.gl-trace')).toHaveLength(3);
  document.body.replaceChildren();
  fn.calls = [];
  fn.matrix = [];
  show(panel);
  expect(document.querySelector('.gl-mx')).toBeNull();
  expect(document.querySelectorAll('.gl-trace')).toHaveLength(4);
});

test('signatures: what differs is marked, the last row serves all', () => {
  show(walk(), { functions: { walk: { view: 'signatures' } } });
  expect([...document.querySelectorAll('[data-changed]')].map(e => e.textContent)).toEqual([
    'int 4',
    'float32[3]',
    'int32[]'
  ]);
  expect($('tfoot').textContent).toContain('float32[None]');
  expect($('.gl-wide-fix code').textContent).toContain('tf.TensorSpec([None], tf.float32)');
});

describe('code', () => {
  test('a line is its text, with the spaces before it apart', () => {
    show(walk());
    tab('code').click();
    const { rows } = walk().functions[0].code as ICodeView;
    const shown = [...pane('code').querySelectorAll('.gl-s .gl-tx')];
    expect(shown.map(e => e.textContent)).toEqual(rows.map(r => r.tokens.map(([, text]) => text).join('')));
    expect(shown.map(e => e.querySelector('.gl-in')?.textContent?.length)).toEqual(rows.map(r => r.indent));
  });

  test('every line of the source, with what was generated from it', () => {
    show(walk(), { functions: { walk: { view: 'code' } } });
    expect([...document.querySelectorAll('.gl-code .gl-r')].map(r => (r as HTMLElement).dataset.line)).toEqual([
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
      '10',
      '11',
      '12'
    ]);
    expect($('.gl-r[data-line="6"] .gl-gg').textContent).toContain('def loop_6(');
  });

  test('a line is linked to the editor and to the other forms of the code', () => {
    const view = show(walk(), { functions: { walk: { view: 'code' } } });
    $('.gl-r[data-line="8"]').click();
    expect(marked[marked.length - 1]).toBe(8);
    $('[data-mode=generated]').click();
    const made = [...document.querySelectorAll('.gl-code-generated .gl-r.gl-linked')].map(e => e.textContent);
    expect(made.some(text => text?.includes('ag.if_stmt'))).toBe(true);
    view.link(11); // from the editor
    const linked = [...document.querySelectorAll<HTMLElement>('.gl-linked')].map(e => e.dataset.line);
    expect(new Set(linked)).toEqual(new Set(['11']));
    view.link(2); // a line that the function does not have
    expect(view.line).toBe(11);
    tab('retraces').click();
    expect(view.line).toBeNull(); // the first view links no lines
  });
});

describe('effects', () => {
  const code = () => ({ functions: { step: { view: 'code' as const } } });
  const view = (panel: IPanel): ICodeView => panel.functions[0].code as ICodeView;

  test('helpers stand below the function, with their marks and how often they ran', () => {
    show(effects(), code());
    expect($('.gl-helpers h4').textContent).toBe('Functions that ran with it');
    expect($('.gl-helper summary').textContent).toBe('Memory.keep · line 6 · ran 2 times while tracing');
    const rows = [...document.querySelectorAll<HTMLElement>('.gl-helper .gl-r')];
    expect(rows.map(r => r.dataset.line)).toEqual(['6', '7', '8', '9']);
    expect(rows.map(r => r.querySelectorAll('.gl-m-trace').length)).toEqual([0, 1, 1, 0]);
    expect(rows[1].querySelector('.gl-mk')?.textContent).toContain('2×');
    const legend = $('.gl-key');
    expect(legend.textContent).toContain('ran while tracing, and runs in the graph');
    $('[data-mode=generated]').click();
    expect(document.querySelector('.gl-helpers')).toBeNull();
  });

  test('a line that ran while tracing and runs in the graph has both signs and one name', () => {
    show(effects(), code());
    const marks = $('.gl-r[data-line="21"] .gl-mk');
    expect([...marks.querySelectorAll('.gl-m')].map(m => m.getAttribute('class'))).toEqual([
      'gl-m gl-m-trace',
      'gl-m gl-m-graph'
    ]);
    expect(marks.querySelectorAll('[role=img]')).toHaveLength(1);
  });

  test("a helper's line is linked to the editor", () => {
    show(effects(), code());
    $('.gl-helper .gl-r[data-line="9"]').click();
    expect(marked[marked.length - 1]).toBe(9);
    expect([...document.querySelectorAll<HTMLElement>('.gl-linked')].map(e => e.dataset.line)).toEqual(['9']);
  });

  test('the lines of a helper that stands elsewhere link to nothing', () => {
    const elsewhere = effects();
    view(elsewhere).helpers?.forEach(helper => {
      helper.line = null;
    });
    show(elsewhere, code());
    expect(document.querySelectorAll('.gl-helper .gl-r[data-line]')).toHaveLength(0);
    expect(document.querySelectorAll('.gl-helper .gl-r')).toHaveLength(4);
  });

  test('notebooks that were saved without helpers are shown as before', () => {
    const old = effects();
    delete view(old).helpers;
    delete view(old).more;
    show(old, code());
    expect(document.querySelector('.gl-helpers')).toBeNull();
    expect(document.querySelectorAll('.gl-code .gl-r')).toHaveLength(11);
  });
});

describe('several functions', () => {
  function two(): IPanel {
    const panel = walk();
    const other = structuredClone(panel.functions[0]);
    other.name = 'd_dt';
    other.counts.traces = 1;
    other.views = ['retraces', 'code'];
    panel.functions.push(other);
    panel.lede = { id: 'lede.several', values: {}, text: '**2 functions, 5 traces.**' };
    return panel;
  }

  test('their names move with the arrows, and each keeps its own tab', () => {
    show(two());
    expect($('.gl-overall').textContent).toBe('2 functions, 5 traces.');
    tab('signatures').click();
    press($('.gl-fn [aria-pressed=true]'), 'ArrowRight');
    expect($('.gl-fn [aria-pressed=true]').textContent).toBe('d_dt 1');
    expect(document.querySelectorAll('[role=tab]')).toHaveLength(2);
    expect(tab('retraces').getAttribute('aria-selected')).toBe('true');
    press($('.gl-fn [aria-pressed=true]'), 'ArrowLeft');
    expect(tab('signatures').getAttribute('aria-selected')).toBe('true');
  });
});

describe('Persian', () => {
  test('runs right to left, with its own digits; code does not', () => {
    show(walk('fa'));
    expect($('[data-graphlab-panel]').dir).toBe('rtl');
    expect($('.gl-mx thead button').textContent).toContain('۱');
    expect($('.gl-mx tbody code').dir).toBe('ltr');
  });
});

test('a function that was not called has its sentence and a call to write beside its code', () => {
  const panel = walk();
  const fn = panel.functions[0];
  fn.state = 'uncalled';
  fn.views = ['code'];
  fn.tabs = { code: null };
  fn.lede = { id: 'lede.uncalled', values: {}, text: '**`walk` is defined, not called yet.**' };
  fn.fix = { ...(fn.traces[1].fix as NonNullable<(typeof fn.traces)[number]['fix']>) };
  fn.calls = [];
  fn.traces = [];
  show(panel);
  expect(pane('code').textContent).toContain('walk is defined, not called yet.');
  expect($('.gl-fix').textContent).toContain('tf.constant(4)');
});

test('edited since: the panel says so, and stops saying so', () => {
  const view = show(walk());
  expect($('.gl-edited').hidden).toBe(true);
  view.setEdited(true);
  expect($('.gl-edited').hidden).toBe(false);
  view.setEdited(false);
  expect($('.gl-edited').hidden).toBe(true);
});
