import { describe, expect, test } from 'vitest';
import schema from '../schema/panel.json';
import { entriesOf } from '../src/entries';
import type { IFunction, IPanel, ViewName } from '../src/model';
import { Preferences, translated, VIEW_NAMES } from '../src/settings';
import { SideView } from '../src/sideview';
import { type ICell, lastRetrace, summarize } from '../src/summary';
import { LANGUAGES, match, Words } from '../src/words';
import { walk } from './fixtures';

/** The walk under another name, with another identity, said in the run of this number. */
function told(count: number, change: Partial<IFunction> = {}): IPanel {
  const panel = walk();
  panel.volatile = { execution_count: count };
  Object.assign(panel.functions[0], change);
  return panel;
}

function cell(id: string, count: number | null, ...panels: IPanel[]): ICell {
  return { id, count, running: false, panels };
}

const is = (identity: string): Partial<IFunction> => ({ volatile: { identity } });

describe('the summary of a notebook', () => {
  test.each<[string, ICell[], string | null, unknown[]]>([
    ['nothing', [], null, []],
    ['one function', [cell('a', 2, told(2, is('aa.1')))], null, [['walk', ['a'], 6, false, false]]],
    [
      'one in two cells: calls are added, cells stand in the order of the notebook',
      [cell('b', 7, told(7, is('aa.1'))), cell('a', 2, told(2, is('aa.1')))],
      null,
      [['walk', ['b', 'a'], 12, false, false]]
    ],
    [
      'a copied cell, and a second output, tell of the same run: its calls are counted once',
      [cell('a', 2, told(2, is('aa.1')), told(2, is('aa.1'))), cell('c', 2, told(2, is('aa.1')))],
      null,
      [['walk', ['a', 'c'], 6, false, false]]
    ],
    [
      'the definition ran again: the older one is replaced, wherever it stands',
      [cell('a', 5, told(5, is('aa.4'))), cell('b', 3, told(3, is('aa.1')))],
      null,
      [
        ['walk', ['a'], 6, false, false],
        ['walk', ['b'], 6, true, false]
      ]
    ],
    [
      'another kernel: neither replaces the other; the one that is gone is told by its name',
      [cell('a', 5, told(5, is('aa.4'))), cell('b', 3, told(3, is('bb.9')))],
      'bb',
      [
        ['walk', ['a'], 6, false, true],
        ['walk', ['b'], 6, false, false]
      ]
    ],
    [
      'an old notebook has no identities: a function for each cell',
      [cell('a', 1, told(1, { volatile: {} })), cell('b', 2, told(2, { volatile: undefined }))],
      'bb',
      [
        ['walk', ['a'], 6, false, false],
        ['walk', ['b'], 6, false, false]
      ]
    ]
  ])('%s', (_, cells, process, expected) => {
    const { groups } = summarize(cells, process);
    expect(groups.map(g => [g.name, g.cells.map(c => c.id), g.calls, g.replaced, g.before])).toEqual(expected);
  });

  test('a trace leads to the cell that made it, whatever ran later', () => {
    const later = told(9, is('aa.1'));
    later.functions[0].traces = later.functions[0].traces.map(t => ({ ...t, new: false, served: 99 }));
    const [group] = summarize([cell('b', 9, later), cell('a', 2, told(2, is('aa.1')))]).groups;
    expect(group.traces.map(t => [t.trace.n, t.cell, t.trace.served])).toEqual([1, 2, 3, 4].map(n => [n, 'a', 99]));
    expect(lastRetrace(group)?.trace.n).toBe(4);
  });
});

describe('several outputs of a cell', () => {
  const only = (views: ViewName[], more: Partial<IFunction> = {}): IPanel => told(1, { views, ...is('aa.1'), ...more });
  test.each<[string, IPanel[], [string, ViewName[]][]]>([
    ['tabs stand together', [only(['retraces']), only(['code'])], [['walk', ['retraces', 'code']]]],
    ['in the usual order', [only(['code', 'graph']), only(['retraces'])], [['walk', ['retraces', 'code', 'graph']]]],
    [
      'two runs stay apart',
      [only(['step', 'code']), only(['step'])],
      [
        ['walk', ['step', 'code']],
        ['walk (2)', ['step']]
      ]
    ],
    [
      'two functions of one name stay apart',
      [only(['code']), only(['code'], is('aa.2'))],
      [
        ['walk', ['code']],
        ['walk (2)', ['code']]
      ]
    ]
  ])('%s', (_, panels, expected) => {
    expect(entriesOf(panels).map(e => [e.key, e.fn.views])).toEqual(expected);
  });
});

describe('words', () => {
  test.each([
    ['en', 1, '1 trace'],
    ['en', 0, '0 traces'],
    ['ru', 1, '1 трассировка'],
    ['ru', 3, '3 трассировки'],
    ['ru', 11, '11 трассировок'],
    ['ru', 321, '321 трассировка'],
    ['fa', 4, '۴ ردیابی'],
    ['zh', 2, '2 次跟踪']
  ] as const)('%s: a count of %i', (lang, n, expected) => {
    expect(new Words(lang).text('count.traces', { n })).toBe(expected);
  });

  test('names are code, and mean nothing else', () => {
    const words = new Words('en');
    expect(words.text('lab.side.retraced', { n: 3, names: ['a', '<lambda>', '`**b**'] })).toBe(
      'a, <lambda> and `**b** were traced more than once.'
    );
  });

  test.each([
    ['fa_IR', 'fa'],
    ['zh-Hans-CN', 'zh'],
    ['default', null],
    [null, null]
  ])('the language of %s is %s', (name, expected) => {
    expect(match(name)).toBe(expected);
  });

  test('every language has every word', () => {
    for (const lang of LANGUAGES) {
      const words = new Words(lang);
      for (const view of VIEW_NAMES) {
        expect(words.tab(view)).not.toBe('');
      }
      const made = translated(schema as never, words);
      for (const property of Object.values(made.properties ?? {})) {
        expect(property.title).not.toBe('');
      }
    }
  });
});

describe('preferences', () => {
  test.each<[ViewName[], ViewName[], ViewName[]]>([
    [VIEW_NAMES, ['step', 'code'], ['step', 'code']],
    [
      ['graph', 'code'],
      ['retraces', 'code', 'graph'],
      ['graph', 'code']
    ],
    [['advice'], ['retraces', 'code'], ['retraces', 'code']],
    [[], ['retraces'], ['retraces']]
  ])('of %j wanted, %j there: %j', (wanted, there, expected) => {
    const preferences = new Preferences();
    preferences.set({ views: wanted });
    expect(preferences.order(there)).toEqual(expected);
  });

  test('what the kernel is told', () => {
    const preferences = new Preferences('fa_IR');
    let told = 0;
    preferences.changed.connect(() => told++);
    expect([preferences.forKernel, preferences.words.lang]).toEqual(['fa_IR', 'fa']);
    preferences.set({ language: 'it' });
    preferences.set({ language: 'it' });
    expect([preferences.forKernel, preferences.words.lang, told]).toEqual(['it', 'it', 1]);
    expect([new Preferences().forKernel, new Preferences().words.lang]).toEqual([null, 'en']);
  });
});

describe('the list beside the notebook', () => {
  const state = (cells: ICell[]) => ({
    summary: summarize(cells),
    kernel: null,
    active: 'a',
    words: new Words('en')
  });

  test('an update that changes nothing leaves the focus where it is, and one that adds an entry too', () => {
    const view = new SideView({ goToCell: () => {}, goToTrace: () => {} });
    document.body.append(view.node);
    view.update(state([cell('a', 2, told(2, is('aa.1')))]));
    const name = view.node.querySelector<HTMLElement>('.gl-side-name');
    name?.focus();
    view.update(state([cell('a', 2, told(2, is('aa.1')))]));
    expect(document.activeElement).toBe(name);
    view.update(state([cell('a', 2, told(2, is('aa.1'))), cell('b', 3, told(3, { name: 'calm', ...is('aa.2') }))]));
    expect(document.activeElement).toBe(name);
    expect(view.node.querySelectorAll('.gl-side-entry')).toHaveLength(2);
    view.node.remove();
  });

  test('what is unfolded stays so, while it is told anew', () => {
    const went: string[] = [];
    const view = new SideView({
      goToCell: id => went.push(id),
      goToTrace: (id, name, n) => went.push(`${id} ${name} ${n}`)
    });
    document.body.append(view.node);
    view.update(state([cell('a', 2, told(2, is('aa.1')))]));
    view.node.querySelector('details')?.setAttribute('open', '');
    view.update(
      state([cell('a', 3, told(3, is('aa.1'))), cell('b', 4, told(4, { name: 'hostile<img src=x>', ...is('aa.2') }))])
    );
    expect([...view.node.querySelectorAll('details')].map(d => d.open)).toEqual([true, false]);
    expect(view.node.querySelector('img')).toBeNull();
    expect(view.node.querySelector('[aria-current]')?.textContent).toContain('walk');
    view.node.querySelector<HTMLElement>('.gl-side-trace[data-trace="3"]')?.click();
    view.node.querySelectorAll<HTMLElement>('.gl-side-cell')[1].click();
    expect(went).toEqual(['a walk 3', 'b']);
    expect(view.node.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
    view.update({ ...state([]), summary: null });
    expect(view.node.querySelector('.gl-side-none')?.textContent).toBe('Open a notebook to see its traces.');
    view.node.remove();
  });
});
