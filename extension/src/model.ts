/**
 * The data of a panel: `application/vnd.graphlab.trace+json`, as `graphlab/inspect/panel.schema.json` describes it.
 *
 * Everything that is said in a panel stands in here, already in the reader's language; the view adds no words of its own.
 */

export const MIME = 'application/vnd.graphlab.trace+json';

export type ViewName = 'retraces' | 'signatures' | 'code' | 'graph' | 'step' | 'compare' | 'advice';

/** A sentence. `text` has two inline marks: `code` in backticks and **strong**. */
export interface IMessage {
  id: string;
  values: Record<string, unknown>;
  text: string;
}

/** Highlighted source: class ('', k, n, s, c, o, b, m, d) and text. */
export type Token = [string, string];

export interface ICode {
  text: string;
  tokens: Token[][];
}

export interface IFix {
  place: IMessage;
  code: ICode;
  wide: boolean;
  line: number | null;
}

export type State = 'uncalled' | 'first' | 'hit' | 'retraced' | 'many' | 'error';

export interface IBadge {
  state: State;
  mark: 'trace' | 'graph' | 'bad' | 'none';
  parts: IMessage[];
}

export interface ICall {
  n: number;
  line: number | null;
  place: string;
  source: string | null;
  trace: number | null;
  kind: 'trace' | 'hit' | 'error';
  text: IMessage;
}

export interface IArgument {
  path: string;
  type: string;
  changed: boolean;
}

export interface IReject {
  trace: number;
  text: IMessage;
}

/** One cause of a trace: why, what changed, what to write. */
export interface ICause {
  reason: IMessage;
  path: string | null;
  before: string | null;
  after: string | null;
  fix: IFix | null;
  keep: IMessage | null;
}

/** A trace; its own cause is the one to tell first. */
export interface ITrace extends ICause {
  n: number;
  signature: string;
  args: IArgument[];
  result: string | null;
  ops: number | null;
  served: number;
  new: boolean;
  call: number | null;
  line: number | null;
  where: IMessage;
  first: boolean;
  also: ICause[];
  more: IMessage | null;
  rejects_title: IMessage | null;
  rejects: IReject[];
  volatile: { ms: number | null; time: string | null };
}

export interface IFold {
  from: number;
  to: number;
  text: IMessage;
  count: number;
}

export interface ISignatureRow {
  trace: number | null;
  label: string;
  args: IArgument[];
  result: string | null;
  calls: number | null;
  ops: number | null;
}

export interface ISignatures {
  lede: IMessage;
  paths: string[];
  rows: ISignatureRow[];
  merged: ISignatureRow | null;
  /** What `reduce_retracing` would merge; old notebooks lack it. */
  reduced?: IMessage | null;
  fix: IFix | null;
}

export interface IGeneratedLine {
  n: number | null;
  line: number | null;
  indent: number;
  tokens: Token[];
}

export interface ICodeRow {
  line: number;
  indent: number;
  tokens: Token[];
  mark: 'trace' | 'graph' | 'both' | 'never' | null;
  count: number | null;
  count_text: string | null;
  mark_text: string | null;
  same: boolean;
  generated: IGeneratedLine[];
}

/** A function of the user's that ran with the traced one. */
export interface IHelper {
  name: string;
  /** Its first line in the cell; null when it stands elsewhere. */
  line: number | null;
  around: boolean;
  where: IMessage;
  rows: ICodeRow[];
}

export interface IOutputLine {
  text: string;
  trace: number | null;
  line: number | null;
  mark: 'trace' | 'graph';
  where: IMessage;
}

export interface ICaptured {
  name: string;
  traced: string;
  now: string;
  line: number | null;
  text: IMessage;
  /** The helper that reads it; absent when the function itself does. */
  reader?: string;
}

export interface ICodeView {
  lede: IMessage;
  rows: ICodeRow[];
  /** Old notebooks lack these two. */
  helpers?: IHelper[];
  more?: IMessage | null;
  generated: IGeneratedLine[];
  map: [number, number][];
  output_lines: IOutputLine[];
  captured: ICaptured[];
}

export type NodeKind = 'arg' | 'op' | 'result' | 'loopvar' | 'capture' | 'const' | 'body';

/** The graph as it was traced, as the optimiser left it, and its gradient. */
export type Part = 'traced' | 'runs' | 'gradient';

/** What the optimiser did to a node. */
export type Change = 'removed' | 'added' | 'changed' | 'moved' | 'kept' | 'fused';

export interface INode {
  id: string;
  op: string | null;
  name: string;
  title: string;
  label: string | null;
  kind: NodeKind;
  line: number | null;
  cluster: string | null;
  spec: string | null;
  text: IMessage;
  aria: string;
  /** The parts it is in; absent: as traced and as it runs. */
  in?: Part[];
  /** The frame around it as it runs, where that is another one. */
  runs_in?: string | null;
  change?: Change;
  /** Indices of `changes`. */
  rules?: number[];
  /** All the user's lines that led to it, innermost first; absent: `line` alone. */
  lines?: number[];
  unneeded?: boolean;
  backward?: boolean;
}

export interface IEdge {
  from: string;
  to: string;
  kind: 'data' | 'predicate' | 'control' | 'effect' | 'back' | 'saved';
  label: string | null;
  in?: Part[];
}

export interface ICluster {
  id: string;
  parent: string | null;
  kind: 'loop' | 'cond' | 'branch' | 'call';
  label: string;
  line: number | null;
  size: string;
  text: IMessage;
  aria: string;
  open: boolean;
  in?: Part[];
  runs_in?: string | null;
  rules?: number[];
}

/** One rule of the optimiser at work. */
export interface IChange {
  pass: string;
  text: IMessage;
  lines: number[];
  where: IMessage | null;
  count: number;
  nodes: string[];
  kept: boolean;
}

export interface IGraph {
  lede: IMessage;
  aria: string;
  trace: number | null;
  ops: number;
  nodes: INode[];
  edges: IEdge[];
  clusters: ICluster[];
  left: IMessage | null;
  runs: number;
  part: Part;
  parts: Part[];
  changes: IChange[];
  /** What a call takes at most, when that is worth telling. */
  memory: IMessage[];
  cut: IMessage | null;
  text: string;
  changes_text: string;
}

export interface IAdvice {
  id: string;
  text: IMessage;
  evidence: IMessage | null;
  line: number | null;
  cost: boolean;
  note: boolean;
  before: ICode | null;
  after: ICode | null;
  /** The helper that it is in, with its place; absent for the function's own lines. */
  where?: IMessage;
}

export interface IValue {
  spec: string;
  text: string;
  stats: { min: string | null; max: string | null; mean: string | null; nan: number; inf: number } | null;
  map: (number | null)[][] | null;
}

export interface IStepNode {
  n: number;
  op: string;
  name: string;
  line: number | null;
  around: IMessage[];
  values: IValue[];
  error: string | null;
}

export interface ILoop {
  name: string;
  line: number | null;
  label: IMessage;
  names: string[];
  iterations: { n: number; label: IMessage; values: IValue[]; branches: string[]; first: number }[];
}

export interface IStep {
  /** A breakpoint that was asked for: as it was written, what it found, and the numbers of the operations it fits. */
  stop?: { asked: string; text: IMessage; fits: number[] };
  lede: IMessage;
  troubles: { kind: 'nan' | 'inf' | 'error'; text: IMessage; line: number | null; node: number; around: IMessage[] }[];
  nodes: IStepNode[];
  loops: ILoop[];
  lines: [number, number][];
  cut: IMessage | null;
}

export interface ICompare {
  same: boolean;
  lede: IMessage;
  rows: { what: string; call: number; label: string; eager: string; graph: string; equal: boolean }[];
  because: IAdvice[];
  volatile?: { bars?: { label: string; ms: number; text: string }[]; said?: IMessage | null };
}

export type Cell = 'traced' | 'hit' | 'no' | '';

export interface IFunction {
  name: string;
  line: number | null;
  state: State;
  lede: IMessage;
  note: IMessage | null;
  counts: { traces: number; retraces: number; calls: number; new: number };
  views: ViewName[];
  tabs: Partial<Record<ViewName, number | null>>;
  fix: IFix | null;
  error: { line: number | null; code: ICode | null; after: IMessage } | null;
  selected: number | null;
  calls: ICall[];
  traces: ITrace[];
  matrix: Cell[][];
  folds: { calls: IFold[]; traces: IFold[]; all: IMessage | null; why: IMessage | null };
  signatures: ISignatures | null;
  code: ICodeView | null;
  graph: IGraph | null;
  advice: IAdvice[];
  step?: IStep;
  compare?: ICompare;
  cut: IMessage | null;
  /** `identity` is shared by all panels about one Function; old notebooks lack it. */
  volatile?: { identity?: string | null; cost?: IMessage | null };
}

/** What one output says. */
export interface IPanel {
  schema: 1;
  lang: string;
  dir: 'ltr' | 'rtl';
  digits: string;
  cell: { source: string | null; first_line: number };
  lede: IMessage | null;
  badge: IBadge;
  notes: IMessage[];
  words: Record<string, string>;
  functions: IFunction[];
  volatile?: { execution_count?: number | null };
}

/** The data, if this version of the extension understands it. */
export function asPanel(data: unknown): IPanel | null {
  const panel = data as IPanel | null;
  return panel && typeof panel === 'object' && panel.schema === 1 && Array.isArray(panel.functions) ? panel : null;
}
