/**
 * What the names at the top of a panel stand for.
 *
 * Several outputs of a cell may be about one Function (`%tf_traces f` and `%tf_code f`): their tabs stand together under
 * its name. Two runs of it (`%tf_step` twice) stay apart, and so do two Functions of one name.
 */

import type { IFunction, IPanel, ViewName } from './model';

export interface IEntry {
  /** Its name, with a number when there are several of that name. */
  key: string;
  panel: IPanel;
  fn: IFunction;
}

const ORDER: ViewName[] = ['retraces', 'signatures', 'step', 'compare', 'code', 'graph', 'advice'];

/** Views about one run: a second of them is another entry, where of the others the later one holds. */
const RUNS: ViewName[] = ['step', 'compare'];

export function entriesOf(panels: IPanel[]): IEntry[] {
  const entries: IEntry[] = [];
  for (const panel of panels) {
    const before = [...entries]; // what one panel tells apart stays apart
    for (const fn of panel.functions) {
      const same = before.find(e => mayJoin(e, panel, fn));
      if (same) {
        same.fn = joined(same.fn, fn);
      } else {
        entries.push({ key: fn.name, panel, fn });
      }
    }
  }
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const n = (counts.get(entry.fn.name) ?? 0) + 1;
    counts.set(entry.fn.name, n);
    entry.key = n > 1 ? `${entry.fn.name} (${n})` : entry.fn.name;
  }
  return entries;
}

function mayJoin(entry: IEntry, panel: IPanel, fn: IFunction): boolean {
  const [a, b] = [entry.fn.volatile?.identity, fn.volatile?.identity];
  return (
    entry.fn.name === fn.name &&
    entry.panel.lang === panel.lang &&
    (!a || !b || a === b) &&
    !RUNS.some(view => entry.fn.views.includes(view) && fn.views.includes(view))
  );
}

function joined(a: IFunction, b: IFunction): IFunction {
  const has = (view: ViewName): boolean => b.views.includes(view);
  const told = has('retraces') || !a.views.includes('retraces') ? b : a; // whose sentence and traces are shown
  return {
    ...told,
    line: a.line ?? b.line,
    views: ORDER.filter(view => has(view) || a.views.includes(view)),
    tabs: { ...a.tabs, ...b.tabs },
    signatures: has('signatures') ? b.signatures : a.signatures,
    code: has('code') ? b.code : a.code,
    graph: has('graph') ? b.graph : a.graph,
    advice: has('advice') ? b.advice : a.advice,
    step: b.step ?? a.step,
    compare: b.compare ?? a.compare
  };
}
