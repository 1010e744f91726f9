// What a verdict is as the outcome of a test, and where in a text the entry point stands. Uses nothing of VS Code.
import type { State, Status } from './protocol';

export type Outcome = 'passed' | 'failed' | 'errored';

const ends: Partial<Record<State, Outcome>> = {
  verified: 'passed',
  'verified-within-bounds': 'passed',
  violated: 'failed',
  // What was not explored in full is no success.
  incomplete: 'errored',
  cancelled: 'errored',
  unsupported: 'errored',
  error: 'errored',
};

/** undefined: the run has not ended. */
export function outcomeOf(status: Status): Outcome | undefined {
  if (status.stale) return undefined;
  // Suppressed findings count for nothing, as in the exit code of heddle check.
  if (status.state === 'violated' && status.findings === 0) return 'passed';
  return ends[status.state];
}

/** The line (from 0) where a function of that name is defined; undefined: none is. */
export function lineOfFunction(text: string, name: string): number | undefined {
  const escaped = name.replace(/[^\w]/g, '\\$&');
  const found = new RegExp(`^[A-Za-z_][^;{}()=]*\\b${escaped}\\s*\\([^;{}]*\\)\\s*\\{`, 'm').exec(text);
  if (!found) return undefined;
  const name_ = found.index + found[0].lastIndexOf(name, found[0].indexOf('('));
  return text.slice(0, name_).split('\n').length - 1;
}
