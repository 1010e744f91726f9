// How long an edit, a hover, a list of code actions and a keystroke take, beside clangd on the same files in the same run.
//
//   node tests/editors/latency.mjs [ROUNDS]        (default 40; HEDDLE, CLANGD: the binaries)
//
// Files: Figure 2 of the MPC paper, and one of about 1,500 lines with six thread functions that is made here. Each round is one
// edit that changes the program; what is timed is the first publication of the new version with fresh results.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile, Server } from './lsp.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const rounds = Number(process.argv[2] ?? 40);
const heddle = process.env.HEDDLE ?? path.join(root, 'build/bin/heddle');
const clangd = process.env.CLANGD ?? '/usr/bin/clangd-22';

/** Six threads that each update their own counters under a lock, and one account that two of them forget to lock. */
function largeProgram() {
  const lines = ['#include <assert.h>', '#include <pthread.h>', 'int level = 0; // edited', 'static int account;'];
  for (let t = 0; t < 6; t++) {
    lines.push(`static pthread_mutex_t lock${t} = PTHREAD_MUTEX_INITIALIZER;`, `static int total${t};`);
    for (let f = 0; f < 40; f++) {
      lines.push(`static int step${t}_${f}(int value) {`, `  int kept = value + ${f};`, `  if (kept > ${f * 3})`, '    kept -= 1;', '  return kept;', '}');
    }
    lines.push(`static void *worker${t}(void *argument) {`, '  (void)argument;', `  pthread_mutex_lock(&lock${t});`, `  total${t} = step${t}_1(total${t});`, `  pthread_mutex_unlock(&lock${t});`);
    if (t < 2) lines.push('  account = account + 1;');
    lines.push('  return 0;', '}');
  }
  lines.push('int main(void) {', '  pthread_t threads[6];');
  for (let t = 0; t < 6; t++) lines.push(`  pthread_create(&threads[${t}], 0, worker${t}, 0);`);
  for (let t = 0; t < 6; t++) lines.push(`  pthread_join(threads[${t}], 0);`);
  lines.push('  assert(account <= 2);', '  return level * 0;', '}');
  return `${lines.join('\n')}\n`;
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'heddle-latency-'));
const figure = fs.readFileSync(path.join(root, 'docs/examples/mpc_figure2.c'), 'utf8');
fs.copyFileSync(path.join(root, 'docs/examples/heddle.h'), path.join(folder, 'heddle.h'));
const subjects = [
  { name: 'Figure 2', file: 'figure2.c', text: figure, edit: (text, i) => text.replace(/int main\(void\)/, `int edited${i};\nint main(void)`), at: 'assert(0)' },
  { name: '1,500 lines', file: 'large.c', text: largeProgram(), edit: (text, i) => text.replace('int level = 0;', `int level = ${i + 1};`), at: 'account = account' },
];
for (const subject of subjects) fs.writeFileSync(path.join(folder, subject.file), subject.text);
fs.writeFileSync(path.join(folder, 'compile_flags.txt'), '-Wall\n');

async function measure(kind, command, args, options) {
  const rows = [];
  for (const subject of subjects) {
    const server = new Server(command, args);
    await server.start(folder, options);
    const uri = pathToFileURL(path.join(folder, subject.file)).href;
    // Heddle publishes moved results at once: those are stale. Only fresh ones count.
    const fresh = (version) => (m) => m.method === 'textDocument/publishDiagnostics' && m.params.uri === uri && (m.params.version ?? version) === version &&
      (kind === 'clangd' || m.params.diagnostics.some((d) => d.data?.version === version && !d.data.stale));
    /** Where the finding is shown; clangd has none: the end of `before`, the lines up to the statement. */
    const onScreen = async (before) => {
      if (kind === 'clangd') return { line: before.length - 1, character: before.at(-1).length + 1 };
      const finding = (params) => params.uri === uri && params.diagnostics.find((d) => d.severity === 1 && d.data && !d.data.stale);
      const isShown = (m) => m.method === 'textDocument/publishDiagnostics' && finding(m.params);
      if (!finding(server.diagnostics.get(uri)) && !(await server.waitFor(isShown, 10_000))) throw new Error(`${subject.name}: no finding is shown within 10 s`);
      return finding(server.diagnostics.get(uri)).range.start;
    };
    const first = server.waitFor(fresh(1));
    server.open(uri, subject.text);
    await first;
    const times = { diagnostic: [], hover: [], action: [], looked: [], fix: [], key: [], held: [], whole: [] };
    const ping = () => server.request('textDocument/hover', { textDocument: { uri: 'file:///none.c' }, position: { line: 0, character: 0 } });
    let version = 1, current = subject.text;
    for (let i = 0; i < rounds; i++) {
      const text = subject.edit(subject.text, i);
      // A keystroke as editors send it: a character in the statement, then taken back. It is handled when the server answers the
      // next request; an unknown file makes that one cheap. First with the pauses of a fast typist, then with those of a key that is
      // held down; then a blank at the end with the whole text, as some clients send it.
      const place = current.slice(0, current.indexOf(subject.at)).split('\n');
      const at = { line: place.length - 1, character: place.at(-1).length };
      const after = { line: at.line, character: at.character + 1 };
      const typed = { range: { start: at, end: at }, text: 'x' }, erased = { range: { start: at, end: after }, text: '' };
      const typing = () => 60 + ((times.key.length * 37) % 100), heldDown = () => 30;
      for (const [change, to, pace] of [[typed, times.key, typing], [erased, times.key, typing], [typed, times.held, heldDown], [erased, times.held, heldDown], [{ text: `${current} ` }, times.whole, heldDown]]) {
        const begun = performance.now();
        server.change(uri, ++version, [change]);
        await ping();
        to.push(performance.now() - begun);
        await pause(pace());
      }
      let begun = performance.now();
      const shown = server.waitFor(fresh(++version));
      server.change(uri, version, [{ text }]);
      current = text;
      if (await shown) times.diagnostic.push(performance.now() - begun);
      // The rest is asked where a finding is on the screen.
      const position = await onScreen(place);
      begun = performance.now();
      await server.request('textDocument/hover', { textDocument: { uri }, position });
      times.hover.push(performance.now() - begun);
      begun = performance.now();
      const menu = await server.request('textDocument/codeAction', { textDocument: { uri }, range: { start: position, end: position }, context: { diagnostics: [], triggerKind: 1 } });
      times.action.push(performance.now() - begun);
      // Until the edit of the first entry is there; clangd sends its edits with the menu.
      const first = menu.result?.find((action) => action.data && !action.disabled);
      if (!first || i % 8 !== 0) continue;
      const resolved = await server.request('codeAction/resolve', first);
      if (resolved.result?.edit) times.fix.push(performance.now() - begun);
    }
    // A user looks before opening a menu: the same, two seconds after the mouse has come to the finding.
    for (let i = 0; i < Math.ceil(rounds / 8); i++) {
      const text = subject.edit(subject.text, rounds + i);
      const shown = server.waitFor(fresh(++version));
      server.change(uri, version, [{ text }]);
      await shown;
      await pause(1000);
      const position = await onScreen(subject.text.slice(0, subject.text.indexOf(subject.at)).split('\n'));
      await server.request('textDocument/hover', { textDocument: { uri }, position });
      await pause(2000);
      const begun = performance.now();
      await server.request('textDocument/codeAction', { textDocument: { uri }, range: { start: position, end: position }, context: { diagnostics: [], triggerKind: 1 } });
      times.looked.push(performance.now() - begun);
    }
    await server.stop();
    rows.push({ subject: subject.name, server: kind, times });
  }
  return rows;
}

const version = fs.existsSync(clangd);
const rows = [...(await measure('heddle', heddle, ['lsp'], { budget: '5s' })), ...(version ? await measure('clangd', clangd, ['--log=error', '--background-index=false'], {}) : [])];
console.log('| File | Server | edit to diagnostic p50 / p95 (ms) | hover p50 / p95 | menu of fixes at once p50 / p95 | menu after looking p50 / p95 | verified fix p50 / p95 | keystroke p50 / p95 | held key p50 / p95 | whole text sent p50 / p95 |');
console.log('|---|---|---|---|---|---|---|---|---|---|');
const cell = (values) => (values.length ? `${quantile(values, 0.5).toFixed(1)} / ${quantile(values, 0.95).toFixed(1)}` : 'none');
for (const { subject, server, times } of rows.sort((a, b) => a.subject.localeCompare(b.subject)))
  console.log(`| ${subject} | ${server} | ${cell(times.diagnostic)} | ${cell(times.hover)} | ${cell(times.action)} | ${cell(times.looked)} | ${cell(times.fix)} | ${cell(times.key)} | ${cell(times.held)} | ${cell(times.whole)} |`);
fs.rmSync(folder, { recursive: true, force: true });
