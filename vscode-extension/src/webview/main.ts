// The panel's page: draws the interleaving, lets the keyboard walk it, and tells the extension which line to show.
import type { Edge, Execution, FromPage, Interleaving, ToPage } from '../protocol';
import { draw, sentence, sizes, telling, valuesAt, type Drawing } from './layout';
import { clipped, element, marker, shape, stepText, textWidth } from './elements';

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  setState(state: unknown): void;
  getState(): unknown;
};

const editor = acquireVsCodeApi();
const root = document.getElementById('root') as HTMLElement;

let data: Interleaving | undefined;
let chosen = 0; // of the executions
let selected = 0; // of the steps
let everything = true;
const hiddenKinds = new Set<string>();

const execution = (): Execution | undefined => data?.executions[chosen];

const edgeNames: Record<string, string> = {
  'reads-from': 'reads from',
  create: 'create',
  join: 'join',
  lock: 'lock order',
  race: 'race',
  core: 'reason',
};

function build(): void {
  const now = execution();
  if (!data || !now) return;
  root.replaceChildren(header(data), toolbar(data, now), board(now), detail(), help());
  root.setAttribute('aria-busy', 'false');
  select(Math.min(selected, now.steps.length - 1), false);
}

function header(of: Interleaving): HTMLElement {
  const title = element('h1', {}, of.message);
  const banner = element(
    'p',
    { id: 'banner', role: 'status', ...(of.stale ? {} : { hidden: '' }) },
    of.stale ? 'The text has changed since this was found; lines may have moved.' : '',
  );
  const inputs = execution()?.inputs ?? [];
  const line = element('p', { class: 'inputs' }, inputs.length > 0 ? `Inputs: ${inputs.join(', ')}` : '');
  return element('header', {}, title, banner, ...(inputs.length > 0 ? [line] : []));
}

function button(id: string, text: string, title: string, run: () => void, pressed?: boolean): HTMLElement {
  const made = element(
    'button',
    { id, type: 'button', title, ...(pressed === undefined ? {} : { 'aria-pressed': String(pressed) }) },
    text,
  );
  made.addEventListener('click', run);
  return made;
}

function toolbar(of: Interleaving, now: Execution): HTMLElement {
  const bar = element('div', { role: 'toolbar', 'aria-label': 'Interleaving', id: 'toolbar' });
  bar.append(
    button('first', '|◀', 'First step (Home)', () => select(0, true)),
    button('previous', '◀', 'Step back (Up)', () => move(-1)),
    button('next', '▶', 'Step forward (Down)', () => move(1)),
    button('last', '▶|', 'Last step (End)', () => select(now.steps.length - 1, true)),
  );
  if (of.executions.length > 1) {
    bar.append(
      button(
        'toggle',
        now.name === 'failing' ? 'Show passing' : 'Show failing',
        'Between the failing and the nearest passing execution (T)',
        toggle,
      ),
    );
  }
  if (telling(now).size < now.steps.length)
    bar.append(
      button('all', 'All steps', 'Also the steps that nothing depends on (A)', toggleAll, everything),
    );
  const kinds = [...new Set(now.edges.map((edge) => edge.kind))];
  for (const kind of kinds) {
    bar.append(
      button(
        `edges-${kind}`,
        edgeNames[kind] ?? kind,
        `Arrows: ${edgeNames[kind] ?? kind}`,
        () => {
          if (!hiddenKinds.delete(kind)) hiddenKinds.add(kind);
          build();
          document.getElementById(`edges-${kind}`)?.focus();
        },
        !hiddenKinds.has(kind),
      ),
    );
    bar.lastElementChild?.classList.add('kind', kind);
  }
  bar.append(
    button('replay', 'Replay', 'Run this schedule again in the terminal (R)', () =>
      editor.postMessage({ type: 'replay' }),
    ),
  );
  bar.append(
    button('debug', 'Debug', 'Walk this schedule in the debugger, forwards and backwards (D)', () =>
      editor.postMessage({ type: 'debug' }),
    ),
  );
  if (of.schedule !== '')
    bar.append(
      button('copy', 'Copy schedule', 'Copy the schedule', () =>
        editor.postMessage({ type: 'copy', text: of.schedule }),
      ),
    );
  return bar;
}

function board(now: Execution): HTMLElement {
  const kept = telling(now);
  const drawing = draw(
    now,
    data?.threads ?? [],
    (step) => everything || kept.has(step) || step === selected,
    textWidth,
    root.clientWidth - 4,
  );
  const svg = shape('svg', {
    id: 'diagram',
    width: drawing.width,
    height: drawing.height,
    tabindex: 0,
    role: 'listbox',
    'aria-label': `${now.name} interleaving of ${drawing.lanes.length} threads, ${now.steps.length} steps. Arrow keys step through it.`,
  });
  svg.append(shape('defs', {}, ...Object.keys(edgeNames).map(marker)));
  for (const lane of drawing.lanes) {
    const middle = lane.x + lane.width / 2;
    svg.append(
      shape('line', {
        class: 'lane',
        x1: middle,
        x2: middle,
        y1: 0,
        y2: drawing.height,
        'aria-hidden': 'true',
      }),
    );
  }
  for (const bar of drawing.bars) {
    svg.append(
      shape(
        'rect',
        { class: 'bar', x: bar.x, y: bar.y, width: 7, height: bar.height, rx: 3, 'aria-hidden': 'true' },
        shape('title', {}, `holds ${bar.object}`),
      ),
    );
  }
  for (const { edge, path } of drawing.lines) if (!hiddenKinds.has(edge.kind)) svg.append(line(edge, path));
  for (const gap of drawing.gaps) {
    svg.append(
      shape(
        'text',
        { class: 'gap', x: sizes.gutter, y: gap.y + sizes.boxHeight / 2 + 4 },
        `⋯ ${gap.hidden} ${gap.hidden === 1 ? 'step' : 'steps'}`,
      ),
    );
  }
  for (const box of drawing.boxes) svg.append(stepBox(now, box.step, box.x, box.y, box.width));
  svg.addEventListener('keydown', (event) => keys(event));
  const scroller = element('div', { id: 'board' });
  scroller.append(heads(drawing), svg);
  return scroller;
}

/** The lanes' names, which stay in view. */
function heads(drawing: Drawing): SVGElement {
  const svg = shape('svg', { id: 'heads', width: drawing.width, height: 38, 'aria-hidden': 'true' });
  for (const lane of drawing.lanes) {
    svg.append(
      shape('rect', {
        class: `lane-head thread-${lane.thread % 6}`,
        x: lane.x,
        y: 6,
        width: lane.width,
        height: 26,
        rx: 4,
      }),
      shape(
        'text',
        { class: 'lane-name', x: lane.x + lane.width / 2, y: 23, 'text-anchor': 'middle' },
        clipped(lane.label, lane.width - 12),
      ),
    );
  }
  return svg;
}

function line(edge: Edge, path: string): SVGElement {
  const classes = `edge ${edge.kind}${edge.core ? ' core' : ''}`;
  return shape(
    'path',
    {
      class: classes,
      d: path,
      'marker-end': `url(#arrow-${edge.kind})`,
      ...(edge.kind === 'race' ? { 'marker-start': 'url(#arrow-race)' } : {}),
      'data-from': edge.from,
      'data-to': edge.to,
      'aria-hidden': 'true',
    },
    shape('title', {}, edgeNames[edge.kind] ?? edge.kind),
  );
}

function stepBox(now: Execution, index: number, x: number, y: number, width: number): SVGElement {
  const step = now.steps[index];
  if (!step) return shape('g', {});
  const racing = now.edges.some((edge) => edge.kind === 'race' && (edge.from === index || edge.to === index));
  const classes = ['step', step.kind.replace(/\W+/g, '-'), step.core ? 'core' : '', racing ? 'racing' : '']
    .filter(Boolean)
    .join(' ');
  const group = shape('g', {
    class: classes,
    id: `step-${index}`,
    role: 'option',
    'aria-selected': 'false',
    'aria-label': sentence(now, data?.threads ?? [], index),
  });
  if (step.location) {
    group.append(
      shape(
        'text',
        { class: 'line', x: sizes.gutter - 20, y: y + 17, 'text-anchor': 'end', 'aria-hidden': 'true' },
        String(step.location.range.start.line + 1),
      ),
    );
  }
  group.append(
    shape('rect', { class: 'box', x, y, width, height: sizes.boxHeight, rx: 4 }),
    shape('rect', {
      class: `stripe thread-${step.thread % 6}`,
      x,
      y: y + 3,
      width: 3,
      height: sizes.boxHeight - 6,
    }),
    shape('text', { class: 'event', x: x + sizes.pad, y: y + 17 }, stepText(step, width - 2 * sizes.pad + 4)),
    shape('title', {}, sentence(now, data?.threads ?? [], index)),
  );
  group.addEventListener('click', () => {
    select(index, true);
    document.getElementById('diagram')?.focus();
  });
  group.addEventListener('dblclick', () => reveal(true));
  return group;
}

function detail(): HTMLElement {
  return element(
    'section',
    { id: 'detail', 'aria-label': 'Selected step' },
    element('p', { id: 'sentence', role: 'status', 'aria-live': 'polite' }),
    element('div', { id: 'values' }),
  );
}

function help(): HTMLElement {
  return element(
    'p',
    { class: 'help' },
    '↑ ↓ step · ← → other thread · Enter: go to the line · Home End · A: all steps · T: passing · R: replay · D: debug',
  );
}

function showValues(now: Execution): void {
  const box = document.getElementById('values');
  const values = valuesAt(now, selected);
  if (!box) return;
  const rows = values.map(({ object, value, changed }) =>
    element(
      'tr',
      changed ? { class: 'changed' } : {},
      element('th', { scope: 'row' }, object),
      element('td', {}, value),
    ),
  );
  box.replaceChildren(
    ...(rows.length > 0
      ? [
          element(
            'table',
            {},
            element('caption', {}, 'Values after this step'),
            element('tbody', {}, ...rows),
          ),
        ]
      : []),
  );
}

function select(index: number, tell: boolean): void {
  const now = execution();
  if (!now || now.steps.length === 0) return;
  const wanted = Math.max(0, Math.min(now.steps.length - 1, index));
  if (!document.getElementById(`step-${wanted}`) && selected !== wanted) {
    selected = wanted;
    build(); // the step was hidden
    document.getElementById('diagram')?.focus();
  }
  selected = wanted;
  for (const step of root.querySelectorAll('.step.selected')) {
    step.classList.remove('selected');
    step.setAttribute('aria-selected', 'false');
  }
  for (const edge of root.querySelectorAll('.edge')) {
    const touches =
      edge.getAttribute('data-from') === String(selected) ||
      edge.getAttribute('data-to') === String(selected);
    edge.classList.toggle('touched', touches);
  }
  const step = document.getElementById(`step-${selected}`);
  step?.classList.add('selected');
  step?.setAttribute('aria-selected', 'true');
  document.getElementById('diagram')?.setAttribute('aria-activedescendant', `step-${selected}`);
  const words = document.getElementById('sentence');
  if (words) words.textContent = sentence(now, data?.threads ?? [], selected);
  showValues(now);
  step?.scrollIntoView({ block: 'nearest', inline: 'nearest' }); // after what takes height from the board
  editor.setState({ chosen, selected, everything });
  if (!tell) return;
  reveal(false);
  const walked = now.steps[selected];
  const thread = data?.threads[walked?.thread ?? -1]?.label;
  if (
    walked &&
    thread !== undefined &&
    now.name === 'failing' &&
    walked.kind !== 'failure' &&
    walked.kind !== 'blocked'
  )
    editor.postMessage({
      type: 'walked',
      step: { thread, text: walked.text, occurrence: occurrence(now, selected) },
    });
}

function reveal(focus: boolean): void {
  const location = execution()?.steps[selected]?.location;
  if (location) editor.postMessage({ type: 'reveal', location, focus });
}

function visible(index: number): boolean {
  return document.getElementById(`step-${index}`) !== null;
}

function move(by: number): void {
  const now = execution();
  if (!now) return;
  for (let index = selected + by; index >= 0 && index < now.steps.length; index += by) {
    if (visible(index)) {
      select(index, true);
      return;
    }
  }
}

/** Selects the nearest step of another thread, in that direction of time. */
function otherThread(by: number): void {
  const now = execution();
  const own = now?.steps[selected]?.thread;
  if (!now) return;
  for (let index = selected + by; index >= 0 && index < now.steps.length; index += by) {
    if (now.steps[index]?.thread !== own && visible(index)) {
      select(index, true);
      return;
    }
  }
}

/** The step's number, from 0, among those of its thread and text. */
function occurrence(now: Execution, index: number): number {
  const step = now.steps[index];
  return now.steps
    .slice(0, index)
    .filter((other) => other.thread === step?.thread && other.text === step.text).length;
}

/**
 * Selects the first of the debugger's next steps that the interleaving has. If it has none of them (a debug session
 * counts more steps than are drawn here), selects the step of the same thread and line that is nearest in time.
 */
function followDebugger({ thread, line, share, next }: Extract<ToPage, { type: 'debugged' }>): void {
  const now = execution();
  if (!now) return;
  const indexOf = (named: (typeof next)[number]): number =>
    now.steps.findIndex(
      (step, index) =>
        step.text === named.text &&
        data?.threads[step.thread]?.label === named.thread &&
        occurrence(now, index) === named.occurrence,
    );
  const exact = next.map(indexOf).find((index) => index >= 0) ?? -1;
  if (exact >= 0) {
    selected = exact;
    if (visible(exact)) select(exact, false);
    else build();
    return;
  }
  const at = now.steps
    .map((step, index) => ({ step, index }))
    .filter(
      ({ step }) => data?.threads[step.thread]?.label === thread && step.location?.range.start.line === line,
    );
  at.sort(
    (a, b) => Math.abs(a.index / now.steps.length - share) - Math.abs(b.index / now.steps.length - share),
  );
  const nearest = at[0]?.index;
  if (nearest === undefined) return;
  selected = nearest;
  if (visible(nearest)) select(nearest, false);
  else build();
}

function toggle(): void {
  if (!data) return;
  chosen = (chosen + 1) % data.executions.length;
  build();
  document.getElementById('diagram')?.focus();
}

function toggleAll(): void {
  everything = !everything;
  build();
  document.getElementById('diagram')?.focus();
}

function keys(event: KeyboardEvent): void {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const run: Record<string, () => void> = {
    ArrowDown: () => move(1),
    j: () => move(1),
    ArrowUp: () => move(-1),
    k: () => move(-1),
    ArrowRight: () => otherThread(1),
    ArrowLeft: () => otherThread(-1),
    Home: () => select(0, true),
    End: () => select((execution()?.steps.length ?? 1) - 1, true),
    Enter: () => reveal(true),
    ' ': () => reveal(false),
    t: toggle,
    a: toggleAll,
    r: () => editor.postMessage({ type: 'replay' }),
    d: () => editor.postMessage({ type: 'debug' }),
  };
  const action = run[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

window.addEventListener('message', (event: MessageEvent<ToPage>) => {
  const message = event.data;
  if (message.type === 'show') {
    const same = data?.finding === message.interleaving.finding;
    data = message.interleaving;
    const steps = data.executions[0]?.steps.length ?? 0;
    if (!same) {
      chosen = 0;
      selected = Math.max(0, steps - 1);
      everything = steps <= 24;
    }
    build();
    if (!same) document.getElementById('diagram')?.focus();
  } else if (message.type === 'gone') {
    const banner = document.getElementById('banner');
    if (banner) {
      banner.textContent = 'This finding is gone: the last run did not find it any more.';
      banner.removeAttribute('hidden');
    }
  } else if (message.type === 'debugged') {
    followDebugger(message);
  } else if (data?.uri === message.uri) {
    const index =
      execution()?.steps.findIndex(
        (step) => step.location?.range.start.line === message.line && step.location.uri === message.uri,
      ) ?? -1;
    if (index >= 0 && visible(index)) select(index, false);
  }
});

let width = root.clientWidth;
new ResizeObserver(() => {
  if (root.clientWidth === width || !data) return;
  width = root.clientWidth;
  build();
}).observe(root);

editor.postMessage({ type: 'ready' });
