// Coverage as marks on lines: what the gutter shows, and how it moves with edits. No editor in here.
import type { Coverage, CoverageBranch, CoverageState } from './protocol';

export interface Mark {
  line: number;
  state: CoverageState;
  /** A line for each side. */
  text: string;
  /** The sides that no schedule covers, for the end of the line; empty: all are covered. */
  missing: string;
}

/** What the text of a range is replaced with, as the editor tells it. */
export interface Change {
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  text: string;
}

const urgency: readonly CoverageState[] = ['covered', 'cannot be', 'open'];

const column = (branch: CoverageBranch): number => branch.location.range.start.character + 1;
const lines = (branch: CoverageBranch): string[] => branch.text.split('\n');
const isMissing = (line: string): boolean => !/: covered by |^assertion|^open because/.test(line);

/** One mark per line of a file. A line with several branches has the state of the branch that needs most work. */
export function marksOf(coverage: Coverage, uri: string): Mark[] {
  const byLine = new Map<number, CoverageBranch[]>();
  for (const branch of coverage.branches) {
    if (branch.location.uri !== uri) continue;
    const line = branch.location.range.start.line;
    byLine.set(line, [...(byLine.get(line) ?? []), branch]);
  }
  return [...byLine]
    .sort(([a], [b]) => a - b)
    .map(([line, branches]) => {
      const named = (branch: CoverageBranch, text: string): string =>
        branches.length === 1 ? text : `column ${column(branch)}, ${text}`;
      const texts = branches.map((branch) => lines(branch).map((text) => named(branch, text)));
      const missing = branches.flatMap((branch) =>
        lines(branch)
          .filter(isMissing)
          .map((text) => named(branch, text)),
      );
      const state = branches.reduce<CoverageState>(
        (most, branch) => (urgency.indexOf(branch.state) > urgency.indexOf(most) ? branch.state : most),
        'covered',
      );
      return { line, state, text: texts.flat().join('\n'), missing: missing.join('; ') };
    });
}

/** The marks after an edit. Marks on deleted lines are dropped. */
export function moved(marks: Mark[], change: Change): Mark[] {
  const { start, end } = change.range;
  const added = change.text.split('\n').length - 1 - (end.line - start.line);
  const pushed =
    start.character === 0 && start.line === end.line && change.text.endsWith('\n')
      ? start.line
      : start.line + 1;
  return marks
    .filter(
      (mark) =>
        mark.line <= start.line || mark.line > end.line || (mark.line >= end.line && end.character === 0),
    )
    .map((mark) => (mark.line >= pushed ? { ...mark, line: mark.line + added } : mark));
}
