// An hour's typing, replayed with its pauses shortened: random edits over five files, a key at a time, with undo, comments,
// broken text, hovers and lenses in between. Not in the default test run.
//
//   node tests/editors/typing_replay.mjs [EDITS]        (default 3000; HEDDLE: the binary, default build/bin/heddle)
//
// Fails when a request stays without an answer, a diagnostic is of a text that is no longer there, memory grows by more than
// 10 % after the first sixth, the idle server uses more than 5 % of a core, or one that is typed at more than 60 %: a key
// every 150 ms into a program whose exploration does not end.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { quantile, Server } from './lsp.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const edits = Number(process.argv[2] ?? 3000);
const folder = path.join(root, 'docs/examples');
const names = ['bank_transfer.c', 'mpc_figure2.c', 'lazy_init.c', 'reader_writer.c', 'message_ring.c'];
const server = new Server(process.env.HEDDLE ?? path.join(root, 'build/bin/heddle'), ['lsp']);
await server.start(folder, { budget: '2s', workers: 1 });

let seed = 20261120;
const random = (n) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % n;
const files = names.map((name) => {
  const text = fs.readFileSync(path.join(folder, name), 'utf8');
  return { uri: pathToFileURL(path.join(folder, name)).href, original: text, text, version: 1, undo: [] };
});
for (const file of files) server.open(file.uri, file.text);

const positionOf = (text, offset) => {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1).length };
};
function replace(file, begin, end, text) {
  const range = { start: positionOf(file.text, begin), end: positionOf(file.text, end) };
  file.undo.push({ begin, end: begin + text.length, text: file.text.slice(begin, end) });
  file.text = file.text.slice(0, begin) + text + file.text.slice(end);
  server.change(file.uri, ++file.version, [{ range, text }]);
}
function edit(file) {
  const last = file.undo.at(-1);
  if (last && (random(3) === 0 || file.undo.length > 12)) {
    file.undo.pop();
    replace(file, last.begin, last.end, last.text);
    file.undo.pop();
    return;
  }
  const at = random(file.text.length);
  const kind = random(5);
  if (kind === 0) replace(file, file.text.lastIndexOf('\n', at) + 1, file.text.lastIndexOf('\n', at) + 1, '// note\n');
  else if (kind === 1) replace(file, at, at, ' ');
  else if (kind === 2) {
    const numbers = [...file.text.matchAll(/\b\d+\b/g)];
    const number = numbers[random(numbers.length)];
    if (number) replace(file, number.index, number.index + number[0].length, String(random(4)));
  } else replace(file, at, at, 'x(;{'[random(4)]);
}

const problems = [], latencies = [], memory = [];
const open = [];
const ask = (method, params) => {
  const begun = performance.now();
  open.push(server.request(method, params).then((answer) => {
    latencies.push(performance.now() - begun);
    if (answer.error && ![-32801, -32802, -32800].includes(answer.error.code)) problems.push(`${method}: ${answer.error.message}`);
  }));
};
/** Every diagnostic on screen is of the version that the client has, or says that it is stale. */
function look(file) {
  const shown = server.diagnostics.get(file.uri);
  if (!shown) return;
  for (const diagnostic of shown.diagnostics) {
    if (diagnostic.data && !diagnostic.data.stale && diagnostic.data.version !== shown.version)
      problems.push(`version ${diagnostic.data.version} shown as fresh in version ${shown.version}`);
    const lines = file.text.split('\n');
    if (shown.version === file.version && diagnostic.range.end.line >= lines.length) problems.push('a diagnostic beyond the end');
  }
}

for (let i = 0; i < edits; i++) {
  const file = files[random(files.length)];
  edit(file);
  if (random(4) === 0) ask('textDocument/hover', { textDocument: { uri: file.uri }, position: { line: random(50), character: random(20) } });
  if (random(8) === 0) ask('textDocument/codeLens', { textDocument: { uri: file.uri } });
  if (random(8) === 0) ask('textDocument/codeAction', { textDocument: { uri: file.uri }, range: { start: { line: 0, character: 0 }, end: { line: 60, character: 0 } }, context: { diagnostics: [] } });
  if (random(10) === 0) server.notify('textDocument/didSave', { textDocument: { uri: file.uri } });
  await sleep(random(20) === 0 ? 120 : 10);
  look(file);
  if (i % 50 === 0) memory.push({ edit: i, rss: server.usage().rss });
}

// Back to the originals: what is shown at the end must be what a fresh start shows.
for (const file of files) server.change(file.uri, ++file.version, [{ text: (file.text = file.original) }]);
await Promise.all(open);
await sleep(15_000);
const before = server.usage();
await sleep(5000);
const after = server.usage();
const idle = ((after.cpu - before.cpu) / 5) * 100;
if (idle > 5) problems.push(`idle, but ${idle.toFixed(1)} % of a core`);
const shownAtEnd = files.map((file) => (server.diagnostics.get(file.uri)?.diagnostics ?? []).filter((d) => d.severity === 1).map((d) => `${d.range.start.line + 1} ${d.message}`).sort());
if (server.requests !== server.answers) problems.push(`${server.requests - server.answers} requests without an answer`);
const code = await server.stop();
if (code !== 0) problems.push(`the server ended with ${code}`);

const fresh = new Server(process.env.HEDDLE ?? path.join(root, 'build/bin/heddle'), ['lsp']);
await fresh.start(folder, { budget: '2s', workers: 1 });
for (const file of files) fresh.open(file.uri, file.original);
await sleep(15_000);
files.forEach((file, index) => {
  const now = (fresh.diagnostics.get(file.uri)?.diagnostics ?? []).filter((d) => d.severity === 1).map((d) => `${d.range.start.line + 1} ${d.message}`).sort();
  if (JSON.stringify(now) !== JSON.stringify(shownAtEnd[index])) problems.push(`${names[index]}: at the end ${JSON.stringify(shownAtEnd[index])}, fresh ${JSON.stringify(now)}`);
});
await fresh.stop();

async function shareWhileTyping() {
  const hungry = ['#include <assert.h>', '#include <pthread.h>', 'int typed;', 'int a[8];', 'void *t(void *p) { for (int i = 0; i < 40; i++) a[(i * 3) % 8] += a[i % 8] ^ i; return p; }', 'int main(void) {', '  pthread_t h[4];', '  for (int i = 0; i < 4; i++) pthread_create(&h[i], 0, t, 0);', '  for (int i = 0; i < 4; i++) pthread_join(h[i], 0);', '  assert(a[0] + a[1] + a[2] != 123456789);', '  return 0;', '}', ''].join('\n');
  const typed = new Server(process.env.HEDDLE ?? path.join(root, 'build/bin/heddle'), ['lsp']);
  await typed.start(folder, { budget: 0 });
  const uri = pathToFileURL(path.join(folder, 'typed.c')).href;
  typed.open(uri, hungry);
  await sleep(2000);
  const begun = performance.now(), used = typed.usage().cpu;
  for (let i = 0; i < 100; i++) {
    const at = { line: 2, character: 9 + i };
    typed.change(uri, i + 2, [{ range: { start: at, end: at }, text: 'a' }]); // a name that grows: another program with each key
    await sleep(150);
  }
  const share = ((typed.usage().cpu - used) / (performance.now() - begun)) * 1e5;
  await typed.stop();
  return share;
}
const typing = await shareWhileTyping();
if (typing > 60) problems.push(`typing, and ${typing.toFixed(0)} % of a core`);

const settled = memory.filter((m) => m.edit >= edits / 6);
const first = quantile(settled.slice(0, Math.ceil(settled.length / 4)).map((m) => m.rss), 0.5);
const last = quantile(settled.slice(-Math.ceil(settled.length / 4)).map((m) => m.rss), 0.5);
if (last > first * 1.1) problems.push(`memory grew from ${first.toFixed(0)} to ${last.toFixed(0)} MB`);
console.log(`${edits} edits, ${server.requests} requests answered: p50 ${quantile(latencies, 0.5).toFixed(1)} ms, p95 ${quantile(latencies, 0.95).toFixed(1)} ms, most ${Math.max(...latencies).toFixed(1)} ms`);
console.log(`memory: ${first.toFixed(0)} MB after the first sixth, ${last.toFixed(0)} MB in the last; idle ${idle.toFixed(1)} % of a core, typed at ${typing.toFixed(0)} %`);
for (const problem of new Set(problems)) console.log(`FAIL ${problem}`);
if (problems.length === 0) console.log('ALL OK');
process.exit(problems.length === 0 ? 0 : 1);
