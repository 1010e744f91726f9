// Heddle's own messages, as docs/editors/protocol.md and protocol/heddle_extensions.h have them (tests/tidy compares). Types only.

export interface Position {
  line: number;
  character: number;
}

export interface Location {
  uri: string;
  range: { start: Position; end: Position };
}

export type State =
  | 'idle'
  | 'waiting'
  | 'compiling'
  | 'exploring'
  | 'verified'
  | 'verified-within-bounds'
  | 'violated'
  | 'incomplete'
  | 'cancelled'
  | 'unsupported'
  | 'error'
  | 'closed';

/** heddle/status */
export interface Status {
  uri: string;
  version: number;
  state: State;
  text: string;
  entry: string;
  paths: number;
  executions: number;
  open: number;
  findings: number;
  suppressed: number;
  stale: boolean;
  bounds: string[];
  assumptions: number;
  commandSource: string;
  commandGuessed: boolean;
  /** "safe to run under 2 constraints", where the user asked for them; else empty. */
  safeRun: string;
}

export type CoverageState = 'covered' | 'cannot be' | 'open';

export interface CoverageBranch {
  location: Location;
  function: string;
  /** The state of its sides: open if any is open, else "cannot be" if any cannot be, else covered. */
  state: CoverageState;
  /** For people, a line for each side. */
  text: string;
  sides: { side: string; state: CoverageState; schedules: number[]; failure: boolean }[];
}

/** What heddle.server.cover answers. */
export interface Coverage {
  uri: string;
  version: number;
  covered: number;
  cannotBe: number;
  open: number;
  text: string;
  limits: string[];
  branches: CoverageBranch[];
  functions: { location: Location; name: string; schedules: number }[];
  suite: { schedule: string; replay: string; fails: string }[];
}

export interface Thread {
  label: string;
  function: string;
}

export interface Step {
  thread: number;
  kind: string;
  text: string;
  object: string;
  value: string;
  location?: Location;
  core: boolean;
}

export interface Edge {
  from: number;
  to: number;
  kind: string;
  core: boolean;
}

export interface Bar {
  thread: number;
  from: number;
  to?: number;
  object: string;
}

export interface Execution {
  name: string;
  steps: Step[];
  edges: Edge[];
  bars: Bar[];
  inputs: string[];
}

/** The answer to heddle/interleaving */
export interface Interleaving {
  finding: string;
  kind: string;
  message: string;
  uri: string;
  version: number;
  stale: boolean;
  threads: Thread[];
  executions: Execution[];
  schedule: string;
  replay: string;
  /** The same, as words after the binary. */
  arguments: string[];
  files: string[];
  options: string[];
  text: string;
}

/** From the extension to the panel's page. */
export type ToPage =
  | { type: 'show'; interleaving: Interleaving }
  | { type: 'gone' }
  | { type: 'line'; uri: string; line: number }
  | {
      type: 'debugged';
      thread: string;
      line: number;
      share: number;
      next: { thread: string; text: string; occurrence: number }[];
    };

/** From the panel's page to the extension. */
export type FromPage =
  | { type: 'ready' }
  | { type: 'reveal'; location: Location; focus: boolean }
  | { type: 'replay' }
  | { type: 'debug' }
  | { type: 'walked'; step: { thread: string; text: string; occurrence: number } }
  | { type: 'copy'; text: string };
