import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Execution, Step, Thread } from '../src/protocol';
import { curve, draw, sentence, shortened, sizes, telling, valuesAt } from '../src/webview/layout';

const threads: Thread[] = [
  { label: 'T0', function: 'main' },
  { label: 'T1', function: 'worker' },
  { label: 'T2', function: 'unused' },
];
const at = (line: number): NonNullable<Step['location']> => ({
  uri: 'file:///a.c',
  range: { start: { line, character: 2 }, end: { line, character: 3 } },
});
const step = (thread: number, kind: string, text: string, object = '', value = ''): Step => ({
  thread,
  kind,
  text,
  object,
  value,
  location: at(thread * 10),
  core: false,
});
const execution: Execution = {
  name: 'failing',
  inputs: [],
  steps: [
    step(0, 'create', 'create T1'),
    step(1, 'lock', 'lock m', 'm'),
    step(0, 'read', 'read y = 0', 'y', '0'),
    step(1, 'write', 'write x = 3', 'x', '3'),
    step(1, 'unlock', 'unlock m', 'm'),
    step(0, 'read', 'read x = 3', 'x', '3'),
    step(0, 'failure', 'assertion fails'),
  ],
  edges: [
    { from: 0, to: 1, kind: 'create', core: false },
    { from: 3, to: 5, kind: 'reads-from', core: false },
  ],
  bars: [{ thread: 1, from: 1, to: 4, object: 'm' }],
};
const width = (text: string): number => text.length * 8;

test('three lanes fit beside an editor, and who waits for ever is never left out', () => {
  const three: Execution = {
    ...execution,
    steps: [0, 1, 2].map((thread) => step(thread, 'blocked', `waits for ever for 'mutex ${thread}'`)),
    edges: [],
    bars: [],
  };
  assert.ok(draw(three, threads, () => true, width, 535).width <= 535);
  assert.deepEqual(
    [...telling({ ...three, steps: [...three.steps, step(0, 'start', 'start')] })].sort(),
    [0, 1, 2, 3],
  );
});

test('one lane for each thread that takes part, one row for each step', () => {
  const drawing = draw(execution, threads, () => true, width);
  assert.deepEqual(
    drawing.lanes.map((lane) => lane.label),
    ['T0 main', 'T1 worker'],
  );
  assert.deepEqual(
    drawing.boxes.map((box) => box.step),
    [0, 1, 2, 3, 4, 5, 6],
  );
  assert.ok(drawing.boxes.every((box, index) => box.y === sizes.head + index * sizes.row));
  const [first, second] = drawing.lanes;
  assert.ok(first && second && first.x + first.width < second.x);
  assert.equal(drawing.lines.length, 2);
});

test('lanes become narrower to fit, but stay wide enough to read', () => {
  const wide = draw(
    execution,
    threads,
    () => true,
    (text) => text.length * 30,
  );
  const narrow = draw(
    execution,
    threads,
    () => true,
    (text) => text.length * 30,
    470,
  );
  assert.ok(wide.width > 470 && narrow.width < wide.width);
  assert.ok(draw(execution, threads, () => true, width, 10).lanes.every((lane) => lane.width >= sizes.least));
});

test('hidden steps leave one counted gap, and edges to them are not drawn', () => {
  const drawing = draw(execution, threads, (index) => index === 0 || index > 4, width);
  assert.deepEqual(
    drawing.gaps.map((gap) => gap.hidden),
    [4],
  );
  assert.equal(drawing.lines.length, 0);
  assert.equal(drawing.boxes[1]?.y, sizes.head + 2 * sizes.row);
});

test('a lock is a bar from its acquisition to its release', () => {
  const bar = draw(execution, threads, () => true, width).bars[0];
  assert.equal(bar?.y, sizes.head + sizes.row);
  assert.equal(bar?.height, 3 * sizes.row + sizes.boxHeight);
  const open = draw({ ...execution, bars: [{ thread: 1, from: 1, object: 'm' }] }, threads, () => true, width)
    .bars[0];
  assert.equal(open?.height, 6 * sizes.row);
});

test('steps that nothing depends on are not telling', () => {
  assert.deepEqual(
    [...telling(execution)].sort((a, b) => a - b),
    [0, 1, 3, 4, 5, 6],
  );
});

test('values after a step, the one just written marked', () => {
  assert.deepEqual(valuesAt(execution, 3), [
    { object: 'y', value: '0', changed: false },
    { object: 'x', value: '3', changed: true },
  ]);
  assert.deepEqual(valuesAt(execution, 0), []);
});

test('a step reads as a sentence', () => {
  assert.equal(
    sentence(execution, threads, 5),
    'Step 6 of 7, thread T0 main, line 1, read x = 3, reads what T1 write x = 3 wrote',
  );
  assert.match(sentence(execution, threads, 3), /holding m$/);
  assert.equal(sentence(execution, threads, 99), '');
});

test('an arrow goes from the facing side to the facing side', () => {
  const a = { step: 0, x: 100, y: 0, width: 50 },
    b = { step: 1, x: 300, y: 34, width: 50 };
  assert.match(curve(a, b), /^M 150 12.5 .* 300 46.5$/);
  assert.match(curve(b, a), /^M 300 46.5 .* 150 12.5$/);
  assert.match(curve(a, { ...a, y: 68 }), /^M 150 12.5 .* 150 80.5$/);
});

test('a text that must be cut keeps both ends of the name, and the value', () => {
  const long = step(1, 'read', 'read checking.balance = -38', 'checking.balance', '-38');
  assert.equal(
    shortened(long, (text) => text.length <= 22),
    'read check…lance = -38',
  );
  assert.equal(
    shortened(long, () => false),
    long.text,
  );
});
