import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marksOf, moved, type Mark } from '../src/coverageMarks';
import type { Coverage, CoverageBranch, CoverageState } from '../src/protocol';

const branch = (
  line: number,
  column: number,
  state: CoverageState,
  text: string,
  uri = 'file:///a.c',
): CoverageBranch => ({
  location: { uri, range: { start: { line, character: column }, end: { line, character: column + 1 } } },
  function: 'f',
  state,
  text,
  sides: [],
});
const coverage = (branches: CoverageBranch[]): Coverage => ({
  uri: 'file:///a.c',
  version: 1,
  covered: 0,
  cannotBe: 0,
  open: 0,
  text: '',
  limits: [],
  branches,
  functions: [],
  suite: [],
});
const edit = (
  startLine: number,
  startCharacter: number,
  endLine: number,
  endCharacter: number,
  text: string,
) => ({
  range: {
    start: { line: startLine, character: startCharacter },
    end: { line: endLine, character: endCharacter },
  },
  text,
});

test('one mark a line, with the state of the branch that has most to do', () => {
  const marks = marksOf(
    coverage([
      branch(7, 4, 'covered', 'true side: covered by schedule 1\nfalse side: covered by schedule 2'),
      branch(
        3,
        6,
        'cannot be',
        'true side: no input and no schedule reaches it\nfalse side: covered by schedule 1',
      ),
      branch(3, 15, 'open', 'true side: open\nfalse side: open\nopen because: the time budget is spent'),
      branch(1, 0, 'open', 'true side: open', 'file:///b.c'),
    ]),
    'file:///a.c',
  );
  assert.deepEqual(
    marks.map(({ line, state }) => [line, state]),
    [
      [3, 'open'],
      [7, 'covered'],
    ],
  );
  assert.equal(
    marks[0]?.missing,
    'column 7, true side: no input and no schedule reaches it; column 16, true side: open; column 16, false side: open',
  );
  assert.equal(marks[1]?.missing, '');
  assert.equal(marks[1]?.text, 'true side: covered by schedule 1\nfalse side: covered by schedule 2');
});

test('an assertion whose failure is not reached is not missing', () => {
  const [mark] = marksOf(
    coverage([
      branch(
        2,
        0,
        'covered',
        'true side: covered by schedule 1\nassertion: no input and no schedule makes it fail',
      ),
    ]),
    'file:///a.c',
  );
  assert.equal(mark?.missing, '');
});

test('marks move with edits', () => {
  const at = (...lines: number[]): Mark[] =>
    lines.map((line) => ({ line, state: 'open', text: '', missing: '' }));
  const lines = (marks: Mark[]): number[] => marks.map((mark) => mark.line);
  assert.deepEqual(lines(moved(at(2, 5), edit(3, 0, 3, 0, 'x = 1;\n'))), [2, 6], 'a line above');
  assert.deepEqual(lines(moved(at(2, 5), edit(5, 4, 5, 6, 'abc'))), [2, 5], 'in the line');
  assert.deepEqual(lines(moved(at(2, 5), edit(5, 0, 5, 0, '\n'))), [2, 6], 'pushed down');
  assert.deepEqual(lines(moved(at(2, 5, 8), edit(4, 2, 6, 3, ''))), [2, 6], 'its line is gone');
  assert.deepEqual(
    lines(moved(at(2, 5, 8), edit(3, 0, 5, 0, ''))),
    [2, 3, 6],
    'whole lines before it are gone',
  );
});
