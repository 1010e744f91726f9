import assert from 'node:assert/strict';
import { test } from 'node:test';
import { threadsOf } from '../src/findingTree';
import type { Interleaving, Step } from '../src/protocol';

const step = (thread: number, text: string, core = false): Step => ({
  thread,
  kind: 'read',
  text,
  object: '',
  value: '',
  core,
});

const interleaving = (steps: Step[]): Interleaving => ({
  finding: 'a',
  kind: 'race',
  message: '',
  uri: 'file:///a.c',
  version: 1,
  stale: false,
  schedule: '',
  replay: '',
  arguments: [],
  files: [],
  options: [],
  text: '',
  threads: [
    { label: 'T0', function: 'main' },
    { label: 'T1', function: 'put' },
    { label: 'T2', function: 'get' },
  ],
  executions: [{ name: 'failing', steps, edges: [], bars: [], inputs: [] }],
});

test('steps stand under their threads, numbered as they are in the whole', () => {
  const threads = threadsOf(interleaving([step(0, 'create T1'), step(2, 'read x', true), step(0, 'read x')]));
  assert.deepEqual(
    threads.map((thread) => [thread.label, thread.description]),
    [
      ['T0', 'main, 2 steps'],
      ['T2', 'get, 1 step'],
    ],
  );
  assert.deepEqual(
    threads[0]?.steps.map((each) => each.description),
    ['1', '3'],
  );
  assert.equal(threads[1]?.steps[0]?.core, true);
});

test('without an execution there are no threads', () => {
  assert.deepEqual(threadsOf({ ...interleaving([]), executions: [] }), []);
});
