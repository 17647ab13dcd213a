/**
 * A notebook's Functions, put together from what the outputs of its cells say.
 *
 * Panels about one Function share its identity, in whichever cells they stand: where it was defined, where it was
 * called, where its traces were asked for. A cell's outputs are those of its last run, so what is put together here is
 * right whatever the order in which cells were run, moved or deleted.
 */

import type { ICall, IFunction, IPanel, ITrace, State } from './model';

/** What one cell says. */
export interface ICell {
  id: string;
  /** Its number in brackets; null before its first run. */
  count: number | null;
  running: boolean;
  panels: IPanel[];
}

export interface ITraceRef {
  trace: ITrace;
  /** The cell to go to: where it was made, as far as the notebook tells; else where it is listed. */
  cell: string;
  panel: IPanel;
}

/** A call, or several alike, in the small picture: which trace served it and whether that trace was made for it. */
export interface IMark {
  trace: number;
  made: boolean;
}

export interface IGroup {
  key: string;
  name: string;
  /** The cells that tell of it, in the order of the notebook. */
  cells: ICell[];
  traces: ITraceRef[];
  /** How many traces it has; `traces` may hold fewer, when panels were cut. */
  count: number;
  retraces: number;
  calls: number;
  state: State;
  marks: IMark[];
  /** The panel and function that were last told of. */
  panel: IPanel;
  fn: IFunction;
  running: boolean;
  /** Another function of this name was made since. */
  replaced: boolean;
  /** It was told of by a kernel that is gone. */
  before: boolean;
}

export interface ISummary {
  groups: IGroup[];
  traces: number;
  retraced: string[];
}

interface ITold {
  cell: ICell;
  position: number;
  panel: IPanel;
  fn: IFunction;
  order: number;
}

/** Puts together what cells say, given in the order of the notebook; `process` names the kernel's process if known. */
export function summarize(cells: ICell[], process: string | null = null): ISummary {
  const told = new Map<string, ITold[]>();
  cells.forEach((cell, position) => {
    for (const panel of cell.panels) {
      for (const fn of panel.functions) {
        const key = fn.volatile?.identity ?? `${cell.id}/${fn.name}`;
        const order = panel.volatile?.execution_count ?? cell.count ?? 0;
        const before = told.get(key) ?? [];
        told.set(key, before);
        before.push({ cell, position, panel, fn, order });
      }
    }
  });
  const groups = [...told].map(([key, all]) => together(key, all, process));
  for (const group of groups) {
    const from = processOf(group.key);
    group.replaced = groups.some(
      g => g !== group && g.name === group.name && processOf(g.key) === from && from !== null && made(g) > made(group)
    );
  }
  return {
    groups,
    traces: groups.reduce((sum, g) => sum + g.count, 0),
    retraced: [...new Set(groups.filter(g => g.count > 1).map(g => g.name))]
  };
}

/** The process in an identity `PROCESS.NUMBER`; null for the key of a panel without one. */
function processOf(key: string): string | null {
  const found = /^([0-9a-f]+)\.\d+$/.exec(key);
  return found ? found[1] : null;
}

/** In which order the Functions of a process were first told of. */
function made(group: IGroup): number {
  return Number(group.key.split('.')[1]);
}

/** What tells of calls, once for each run of a cell: a copied cell, and a second output, tell of the same ones. */
function runs(byTime: ITold[]): ITold[] {
  const found = new Map<number | ITold, ITold>();
  for (const told of byTime.filter(t => t.fn.calls.length)) {
    const run = told.panel.volatile?.execution_count ?? told;
    const known = found.get(run);
    if (!known || known.fn.counts.calls < told.fn.counts.calls) {
      found.set(run, told);
    }
  }
  return [...found.values()];
}

function together(key: string, all: ITold[], process: string | null): IGroup {
  const byTime = [...all].sort((a, b) => a.order - b.order);
  const last = byTime[byTime.length - 1];
  const traces = new Map<number, ITraceRef>();
  const marks: IMark[] = [];
  let calls = 0;
  for (const { cell, panel, fn } of byTime) {
    for (const trace of fn.traces) {
      const known = traces.get(trace.n);
      // a later panel knows more of a trace (how many calls it serves); where it was made, only that cell's panel says
      const here = trace.new || !known;
      traces.set(trace.n, { trace, panel, cell: here ? cell.id : known.cell });
    }
  }
  for (const { fn } of runs(byTime)) {
    calls += fn.counts.calls;
    marks.push(...fn.calls.flatMap(markOf));
  }
  const distinct = new Map(all.map(t => [t.cell.id, t]));
  const { fn, panel } = last;
  const from = processOf(key);
  return {
    key,
    name: fn.name,
    cells: [...distinct.values()].sort((a, b) => a.position - b.position).map(t => t.cell),
    traces: [...traces.values()].sort((a, b) => a.trace.n - b.trace.n),
    count: Math.max(...all.map(t => t.fn.counts.traces)),
    retraces: Math.max(...all.map(t => t.fn.counts.retraces)),
    calls,
    state: fn.state,
    marks,
    panel,
    fn,
    running: all.some(t => t.cell.running),
    replaced: false,
    before: process !== null && from !== null && from !== process
  };
}

function markOf(call: ICall): IMark[] {
  return call.trace === null ? [] : [{ trace: call.trace, made: call.kind === 'trace' }];
}

/** The trace that is told of first: the last one that came after another, with its reason. */
export function lastRetrace(group: IGroup): ITraceRef | null {
  return [...group.traces].reverse().find(t => t.trace.reason.id !== 'retrace.first') ?? null;
}
