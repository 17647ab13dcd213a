import { describe, expect, test } from 'vitest';
import type { Cell, IFold, IFunction } from '../src/model';
import { folded, together } from '../src/views/traces';
import { walk } from './fixtures';

const fold = (from: number, to: number): IFold => ({
  from,
  to,
  count: to - from + 1,
  text: { id: '', values: {}, text: '' }
});

describe('folding', () => {
  test.each<[number, IFold[], number[]]>([
    [3, [], [0, 1, 2]],
    [6, [fold(2, 4)], [0, 1, 2, 5]],
    [4, [fold(0, 1), fold(2, 3)], [0, 2]],
    [0, [], []]
  ])('%i items', (n, folds, expected) => {
    expect(folded(n, folds).map(i => i.index)).toEqual(expected);
  });

  test('a folded run says what matters most in it, and how often', () => {
    const matrix: Cell[][] = [
      ['traced', 'no', 'hit', 'hit'],
      ['', 'traced', 'no', 'no'],
      ['', '', '', '']
    ];
    const fn: IFunction = { ...walk().functions[0], matrix };
    const all = { index: 0, fold: fold(0, 3) };
    const at = (index: number) => ({ index, fold: null });
    expect(together(fn, at(0), at(1))).toEqual({ cell: 'no', count: 1 });
    expect(together(fn, at(0), { index: 2, fold: fold(2, 3) })).toEqual({ cell: 'hit', count: 2 });
    expect(together(fn, { index: 0, fold: fold(0, 1) }, all)).toEqual({ cell: 'traced', count: 2 });
    expect(together(fn, at(2), all)).toEqual({ cell: '', count: 0 });
  });
});
