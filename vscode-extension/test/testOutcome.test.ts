import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { State, Status } from '../src/protocol';
import { lineOfFunction, outcomeOf } from '../src/testOutcome';

const status = (state: State, more: Partial<Status> = {}): Status => ({
  uri: 'file:///a.c',
  version: 1,
  state,
  text: state,
  entry: 'main',
  paths: 0,
  executions: 0,
  open: 0,
  findings: 0,
  suppressed: 0,
  stale: false,
  bounds: [],
  assumptions: 0,
  commandSource: '',
  commandGuessed: false,
  safeRun: '',
  ...more,
});

test('only what is verified passes', () => {
  const ends = (
    ['verified', 'verified-within-bounds', 'incomplete', 'cancelled', 'unsupported', 'error'] as const
  ).map((state) => outcomeOf(status(state)));
  assert.deepEqual(ends, ['passed', 'passed', 'errored', 'errored', 'errored', 'errored']);
  assert.equal(outcomeOf(status('violated', { findings: 2 })), 'failed');
  assert.equal(outcomeOf(status('violated', { suppressed: 2 })), 'passed');
});

test('a run goes on until its end, which no stale verdict is', () => {
  for (const state of ['idle', 'waiting', 'compiling', 'exploring'] as const)
    assert.equal(outcomeOf(status(state)), undefined);
  assert.equal(outcomeOf(status('verified', { stale: true })), undefined);
});

test('the entry point is where it is defined, not where it is declared or called', () => {
  const text =
    'int run(void);\nint other(void) { return run(); }\nstatic int\nrun(void)\n{\n  return 0;\n}\nint main(int argc,\n         char **argv) {\n}\n';
  assert.equal(lineOfFunction(text, 'run'), 3);
  assert.equal(lineOfFunction(text, 'main'), 7);
  assert.equal(lineOfFunction(text, 'none'), undefined);
});
