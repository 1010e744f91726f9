// Where everything of an execution is drawn: one lane per thread, one row per step, time running down. Pure.
import type { Edge, Execution, Step, Thread } from '../protocol';

export const sizes = {
  row: 32,
  head: 8,
  gutter: 52,
  laneGap: 20,
  boxHeight: 25,
  least: 118,
  most: 215,
  pad: 9,
};

export interface Box {
  step: number; // index into the execution's steps
  x: number;
  y: number;
  width: number;
}

export interface Lane {
  thread: number;
  x: number;
  width: number;
  label: string;
}

export interface Gap {
  y: number;
  hidden: number;
}

export interface Line {
  edge: Edge;
  path: string;
}

export interface HeldBar {
  x: number;
  y: number;
  height: number;
  object: string;
}

export interface Drawing {
  width: number;
  height: number;
  lanes: Lane[];
  boxes: Box[];
  gaps: Gap[];
  lines: Line[];
  bars: HeldBar[];
}

/** Steps that the failure depends on: those at the ends of edges between threads, at locks of other threads, in the core, and the last. */
export function telling(execution: Execution): Set<number> {
  const kept = new Set<number>();
  for (const edge of execution.edges) {
    kept.add(edge.from);
    kept.add(edge.to);
  }
  execution.steps.forEach((step, index) => {
    if (
      step.core ||
      step.kind === 'failure' ||
      step.kind === 'blocked' ||
      step.kind === 'lock' ||
      step.kind === 'unlock' ||
      step.kind === 'write' ||
      step.kind === 'update'
    )
      kept.add(index);
  });
  if (execution.steps.length > 0) kept.add(execution.steps.length - 1);
  return kept;
}

/**
 * `textWidth` measures a box's text in pixels; `show`: which steps have a row; `available`: the width to fit into, as far as
 * that leaves a lane wide enough to read.
 */
export function draw(
  execution: Execution,
  threads: Thread[],
  show: (step: number) => boolean,
  textWidth: (text: string) => number,
  available = Infinity,
): Drawing {
  const used = new Set(execution.steps.map((step) => step.thread));
  const each = (available - sizes.gutter) / Math.max(1, used.size) - sizes.laneGap - 14;
  const most = Math.max(sizes.least, Math.min(sizes.most, each));
  const lanes: Lane[] = [];
  const laneOf = new Map<number, Lane>();
  let x = sizes.gutter;
  threads.forEach((thread, index) => {
    if (!used.has(index)) return;
    const label = thread.function === '' ? thread.label : `${thread.label} ${thread.function}`;
    const widths = execution.steps
      .filter((step, at) => step.thread === index && show(at))
      .map((step) => textWidth(step.text));
    const width = Math.min(
      most,
      Math.max(sizes.least, textWidth(label) + 2 * sizes.pad, ...widths.map((w) => w + 2 * sizes.pad)),
    );
    const bars = execution.bars.some((bar) => bar.thread === index) ? 14 : 0;
    const lane = { thread: index, x: x + bars, width, label };
    lanes.push(lane);
    laneOf.set(index, lane);
    x += bars + width + sizes.laneGap;
  });

  const boxes: Box[] = [],
    gaps: Gap[] = [];
  const boxOf = new Map<number, Box>();
  const rowOf: number[] = []; // the row of a step, or of the gap that it is in
  let row = 0;
  execution.steps.forEach((step, index) => {
    if (!show(index)) {
      const last = gaps.at(-1);
      const open = index > 0 && !show(index - 1) && last;
      if (open) last.hidden++;
      else gaps.push({ y: sizes.head + row++ * sizes.row, hidden: 1 });
      rowOf.push(row - 1);
      return;
    }
    const lane = laneOf.get(step.thread);
    rowOf.push(row);
    const left = lane?.x ?? sizes.gutter;
    // Nothing stands beside the failure: it may be as wide as the drawing.
    const wide =
      step.kind === 'failure'
        ? Math.max(
            lane?.width ?? 0,
            Math.min(textWidth(step.text) + 2 * sizes.pad + 8, x - sizes.laneGap - left),
          )
        : undefined;
    const box = {
      step: index,
      x: left,
      y: sizes.head + row++ * sizes.row,
      width: wide ?? lane?.width ?? sizes.least,
    };
    boxes.push(box);
    boxOf.set(index, box);
  });

  const lines: Line[] = [];
  for (const edge of execution.edges) {
    const from = boxOf.get(edge.from),
      to = boxOf.get(edge.to);
    if (from && to) lines.push({ edge, path: curve(from, to) });
  }
  const bottom = sizes.head + row * sizes.row;
  const bars = execution.bars.map((bar) => {
    const lane = laneOf.get(bar.thread);
    const y = sizes.head + (rowOf[bar.from] ?? 0) * sizes.row;
    const end =
      bar.to === undefined ? bottom : sizes.head + (rowOf[bar.to] ?? 0) * sizes.row + sizes.boxHeight;
    return { x: (lane?.x ?? 0) - 11, y, height: Math.max(sizes.boxHeight, end - y), object: bar.object };
  });
  return { width: Math.max(x, sizes.gutter), height: bottom + sizes.pad, lanes, boxes, gaps, lines, bars };
}

/** "read check…lance = -38": as much of both ends of the name as fits. Names differ at their beginnings as often as at their ends. */
export function shortened(step: Step, fits: (text: string) => boolean): string {
  const value = step.value === '' ? '' : ` = ${step.value}`;
  for (let kept = step.object.length - 1; kept > 1; kept--) {
    const begin = Math.ceil(kept / 2);
    const text = `${step.kind} ${step.object.slice(0, begin)}…${step.object.slice(step.object.length - (kept - begin))}${value}`;
    if (fits(text)) return text;
  }
  return step.text;
}

/** A curve from the side of one box to the facing side of the other; within a lane, around its right side. */
export function curve(from: Box, to: Box): string {
  const y1 = from.y + sizes.boxHeight / 2,
    y2 = to.y + sizes.boxHeight / 2;
  if (from.x === to.x) {
    const x = from.x + from.width,
      out = x + 18;
    return `M ${x} ${y1} C ${out} ${y1}, ${out} ${y2}, ${x} ${y2}`;
  }
  const right = to.x > from.x;
  const x1 = right ? from.x + from.width : from.x,
    x2 = right ? to.x : to.x + to.width;
  const bend = (right ? 1 : -1) * Math.max(12, Math.min(40, Math.abs(x2 - x1) / 2));
  return `M ${x1} ${y1} C ${x1 + bend} ${y1}, ${x2 - bend} ${y2}, ${x2} ${y2}`;
}

/** What each variable holds after the steps up to and with `last`, as far as the steps tell. */
export function valuesAt(
  execution: Execution,
  last: number,
): { object: string; value: string; changed: boolean }[] {
  const values = new Map<string, { value: string; changed: boolean }>();
  execution.steps.slice(0, last + 1).forEach((step, index) => {
    if (step.object === '' || step.value === '') return;
    const writes = step.kind === 'write' || step.kind === 'update';
    values.set(step.object, { value: step.value, changed: writes && index === last });
  });
  return [...values].map(([object, { value, changed }]) => ({ object, value, changed }));
}

/** A step in one sentence, for a screen reader and the line below the drawing. */
export function sentence(execution: Execution, threads: Thread[], index: number): string {
  const step = execution.steps[index];
  if (!step) return '';
  const thread = threads[step.thread];
  const name = (at: number): string => {
    const other = execution.steps[at];
    return other ? `${threads[other.thread]?.label ?? ''} ${other.text}` : '';
  };
  const parts = [
    `Step ${index + 1} of ${execution.steps.length}`,
    `thread ${thread?.label ?? '?'} ${thread?.function ?? ''}`.trim(),
  ];
  if (step.location) parts.push(`line ${step.location.range.start.line + 1}`);
  parts.push(step.kind === 'failure' ? `failure: ${step.text}` : step.text);
  for (const edge of execution.edges) {
    if (edge.kind === 'reads-from' && edge.to === index) parts.push(`reads what ${name(edge.from)} wrote`);
    if (edge.kind === 'race' && (edge.to === index || edge.from === index))
      parts.push(`races with ${name(edge.to === index ? edge.from : edge.to)}`);
    if (edge.kind === 'lock' && edge.to === index) parts.push(`after ${name(edge.from)}`);
  }
  const held = execution.bars
    .filter(
      (bar) => bar.thread === step.thread && bar.from <= index && (bar.to === undefined || bar.to > index),
    )
    .map((bar) => bar.object);
  if (held.length > 0) parts.push(`holding ${held.join(', ')}`);
  if (step.core) parts.push('part of the reason');
  return parts.join(', ');
}
