/**
 * A run as something to walk in: which iteration each operation belongs to, where the walk stands, and where it stops.
 *
 * One iteration of each loop is looked at, and what ran in it is what is seen, with all that ran outside of loops.
 */

import type { IStep, IStepNode, IValue } from '../model';

/** Where to stop: at a line, at a kind of value, or at both; `asked`: where the call was asked to. */
export interface IStop {
  asked?: boolean;
  line?: number;
  when?: 'odd' | 'above' | 'below';
  than?: number;
}

/** What is kept of a walk when its view is built anew. */
export interface IWalk {
  at: number;
  loops: Record<string, number>;
  stop: IStop;
  /** The breakpoint that the run was asked for when the walk began; another one begins another walk. */
  asked?: string;
}

/** A walk at its beginning: where the run was asked to stop, else in the first iteration of the first loop. */
export function begin({ loops, stop }: IStep): IWalk {
  const at = stop?.fits[0] ?? loops[0]?.iterations[0]?.first ?? 0;
  return { at, loops: {}, stop: stop?.fits.length ? { asked: true } : {}, asked: stop?.asked };
}

/** A loop around an operation, and the place of its iteration in the loop's list; null when that holds none. */
interface IAround {
  loop: string;
  iteration: number | null;
}

export class Run {
  constructor(
    private _step: IStep,
    readonly walk: IWalk
  ) {
    this._around = arounds(_step);
    for (const { name } of _step.loops) {
      walk.loops[name] ??= 0;
    }
    this._settle([]);
  }

  get nodes(): IStepNode[] {
    return this._step.nodes;
  }

  /** The operation the walk stands at. */
  get node(): IStepNode | undefined {
    return this.nodes[this.walk.at];
  }

  /** Whether an operation ran in the iterations that are looked at. */
  seen(at: number): boolean {
    return this._around[at].every(a => a.iteration === null || this.walk.loops[a.loop] === a.iteration);
  }

  /** Stands at an operation, and looks at the iterations around it. */
  goTo(at: number): void {
    this.walk.at = Math.max(0, Math.min(at, this.nodes.length - 1));
    const fixed: string[] = [];
    for (const { loop, iteration } of this._around[this.walk.at] ?? []) {
      if (iteration !== null) {
        this.walk.loops[loop] = iteration;
        fixed.push(loop);
      }
    }
    this._settle(fixed);
  }

  /** Looks at an iteration, and stands at its first operation when that is one of those that are held. */
  goToIteration(loop: string, iteration: number): void {
    const all = this._step.loops.find(l => l.name === loop)?.iterations ?? [];
    const to = Math.max(0, Math.min(iteration, all.length - 1));
    const start = this._start(loop, to);
    if (start < 0) {
      this.walk.loops[loop] = to;
    } else {
      this.goTo(Math.max(start, Math.min(all[to].first, this.nodes.length - 1)));
    }
  }

  /** Goes on to the next operation at which to stop, or back with -1; false when there is none. */
  toStop(by: 1 | -1): boolean {
    for (let at = this.walk.at + by; at >= 0 && at < this.nodes.length; at += by) {
      if (stops(this.nodes[at], this.walk.stop, this._step.stop?.fits)) {
        this.goTo(at);
        return true;
      }
    }
    return false;
  }

  /** Loops that the walk is not in show an iteration that ran within those it is in. */
  private _settle(fixed: string[]): void {
    for (const { name, iterations } of this._step.loops) {
      const fits = (iteration: number): boolean => {
        const start = this._start(name, iteration);
        return start < 0 || this._around[start].every(a => a.loop === name || this._chosen(a));
      };
      if (!fixed.includes(name) && !fits(this.walk.loops[name])) {
        const to = iterations.findIndex((_, i) => fits(i));
        this.walk.loops[name] = to < 0 ? this.walk.loops[name] : to;
      }
    }
  }

  private _chosen(around: IAround): boolean {
    return around.iteration === null || this.walk.loops[around.loop] === around.iteration;
  }

  /** The first operation of an iteration; -1 when it is beyond what is held. */
  private _start(loop: string, iteration: number): number {
    this._starts ??= starts(this._around);
    return this._starts.get(`${iteration} ${loop}`) ?? -1;
  }

  private _around: IAround[][];
  private _starts: Map<string, number> | undefined;
}

function starts(all: IAround[][]): Map<string, number> {
  const found = new Map<string, number>();
  all.forEach((around, at) => {
    for (const { loop, iteration } of around) {
      const key = `${iteration} ${loop}`;
      if (iteration !== null && !found.has(key)) {
        found.set(key, at);
      }
    }
  });
  return found;
}

/** For each operation the loops it ran in, outermost first. */
function arounds(step: IStep): IAround[][] {
  const loops = new Map(step.loops.map(l => [l.name, l.iterations]));
  const paths = step.nodes.map(node =>
    node.around.flatMap(({ values: { name, n } }) =>
      typeof name === 'string' && typeof n === 'number' ? [{ name, n }] : []
    )
  );
  const found: IAround[][] = paths.map(() => []);
  const deepest = Math.max(0, ...paths.map(path => path.length));
  for (let depth = 0; depth < deepest; depth++) {
    const key = (at: number): string =>
      paths[at]
        .slice(0, depth + 1)
        .map(p => `${p.n} ${p.name}`)
        .join('\n');
    const before: { loop?: string; iteration: number | null } = { iteration: null };
    for (let from = 0; from < paths.length; ) {
      let to = from + 1;
      while (to < paths.length && key(to) === key(from)) {
        to++;
      }
      const place = paths[from][depth];
      if (place) {
        // the condition is asked once more than the body runs: that asking belongs to the last iteration
        const at = loops.get(place.name)?.findIndex(i => i.n === place.n && i.first >= from && i.first < to) ?? -1;
        const last = place.n > 1 && before.loop === place.name ? before.iteration : null;
        const here = { loop: place.name, iteration: at < 0 ? last : at };
        for (let node = from; node < to; node++) {
          found[node].push(here);
        }
        Object.assign(before, here);
      }
      from = to;
    }
  }
  return found;
}

function stops(node: IStepNode, { asked, line, when, than }: IStop, fits: number[] = []): boolean {
  return (
    (!asked || fits.includes(node.n)) &&
    (line === undefined || node.line === line) &&
    (when === undefined || node.values.some(v => is(v, when, than)))
  );
}

function is(value: IValue, when: 'odd' | 'above' | 'below', than: number | undefined): boolean {
  const { stats, text } = value;
  if (when === 'odd') {
    return stats ? stats.nan + stats.inf > 0 : /\b(nan|inf)\b/i.test(text);
  }
  const limit = number(when === 'above' ? (stats?.max ?? text) : (stats?.min ?? text));
  return than !== undefined && (when === 'above' ? limit > than : limit < than);
}

/** A number as the values' texts write it; NaN for anything else. */
function number(text: string): number {
  const infinite = /^([-+]?)inf(inity)?$/i.exec(text);
  return infinite ? Number(`${infinite[1]}Infinity`) : text.trim() ? Number(text) : Number.NaN;
}
