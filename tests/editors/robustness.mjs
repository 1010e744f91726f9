// What editors and users do to a server: 200 open files, a file of 5 MB, closing while it verifies, renaming, deleting, editing
// outside, text that makes Clang crash, explorations that crash, a memory limit. The server must answer every request, and end with code 0.
//
//   node tests/editors/robustness.mjs        (HEDDLE: the binary, default build/bin/heddle)
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { quantile, Server } from './lsp.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const binary = process.env.HEDDLE ?? path.join(root, 'build/bin/heddle');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'heddle-robust-'));
const example = (name) => fs.readFileSync(path.join(root, 'docs/examples', name), 'utf8');
fs.writeFileSync(path.join(folder, 'heddle.h'), example('heddle.h'));
let failed = 0;
const check = (condition, what) => {
  console.log(`${condition ? 'ok  ' : 'FAIL'} ${what}`);
  if (!condition) failed++;
};
const uriOf = (name) => pathToFileURL(path.join(folder, name)).href;
const write = (name, text) => {
  fs.writeFileSync(path.join(folder, name), text);
  return { uri: uriOf(name), text, version: 1 };
};
const published = (server, uri, fits) => {
  const known = server.diagnostics.get(uri);
  if (known && fits(known)) return Promise.resolve({ params: known });
  return server.waitFor((m) => m.method === 'textDocument/publishDiagnostics' && m.params.uri === uri && fits(m.params), 300_000);
};
const hasError = (params) => params.diagnostics.some((d) => d.severity === 1 && d.data && !d.data.stale);
const hover = (server, file, line = 0) => server.request('textDocument/hover', { textDocument: { uri: file.uri }, position: { line, character: 1 } });
const edit = (server, file, text) => server.change(file.uri, ++file.version, [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text }]);

async function manyFiles() {
  const server = new Server(binary, ['lsp']);
  await server.start(folder, { budget: '2s', workers: 1 });
  const text = example('mpc_figure2.c');
  const files = Array.from({ length: 200 }, (_, i) => write(`many${i}.c`, text));
  const begun = performance.now();
  for (const file of files) server.open(file.uri, file.text);
  const times = [];
  for (let i = 0; i < 40; i++) {
    const before = performance.now();
    await hover(server, files[i * 5]);
    times.push(performance.now() - before);
  }
  const shown = await Promise.all(files.map((file) => published(server, file.uri, hasError)));
  check(shown.every(Boolean), `200 open files: every one has its finding after ${((performance.now() - begun) / 1000).toFixed(1)} s; hover meanwhile p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms; ${server.usage().rss.toFixed(0)} MB`);
  const one = files[100];
  const again = performance.now();
  edit(server, one, 'int edited;\n');
  const fresh = await published(server, one.uri, (p) => p.version === one.version && hasError(p));
  check(fresh, `an edit among them: its finding again after ${(performance.now() - again).toFixed(0)} ms`);
  check((await server.stop()) === 0, 'the session ends with code 0');
}

async function hugeFile() {
  const lines = [];
  for (let i = 0; lines.length * 50 < 5_000_000; i++) lines.push(`int unused${i}(int value) { return value * 3 + ${i % 977}; }`);
  const racy = '#include <pthread.h>\nint x;\nvoid *t(void *a) { x = x + 1; return a; }\nint main(void) { pthread_t p, q; pthread_create(&p, 0, t, 0); pthread_create(&q, 0, t, 0); pthread_join(p, 0); pthread_join(q, 0); return 0; }\n';
  const server = new Server(binary, ['lsp']);
  await server.start(folder, { budget: 0, workers: 1 });
  const file = write('huge.c', `${lines.join('\n')}\n${racy}`);
  const begun = performance.now();
  server.open(file.uri, file.text);
  check(await published(server, file.uri, hasError), `a file of ${(file.text.length / 1e6).toFixed(1)} MB: its race after ${((performance.now() - begun) / 1000).toFixed(1)} s; ${server.usage().rss.toFixed(0)} MB`);
  const times = [];
  for (let i = 0; i < 20; i++) {
    const before = performance.now();
    edit(server, file, ' ');
    await server.request('textDocument/documentLink', { textDocument: { uri: 'file:///none.c' } });
    times.push(performance.now() - before);
  }
  check(times.length === 20, `keystrokes in it: p50 ${quantile(times, 0.5).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms`);
  check((await server.stop()) === 0, 'the session ends with code 0');
}

async function lifeOfFiles() {
  const server = new Server(binary, ['lsp']);
  await server.start(folder, { budget: '2s', workers: 1 });
  const buggy = example('bank_transfer.c'), correct = example('bank_transfer_fixed.c');
  const a = write('a.c', buggy);
  server.open(a.uri, a.text);
  server.notify('textDocument/didClose', { textDocument: { uri: a.uri } }); // while it verifies
  const empty = await published(server, a.uri, (p) => p.diagnostics.length === 0);
  check(empty, 'closed while verifying: nothing is left on screen');
  server.open(a.uri, a.text);
  await published(server, a.uri, hasError);
  // Renamed, as editors do it: closed, moved, opened under the new name.
  server.notify('textDocument/didClose', { textDocument: { uri: a.uri } });
  fs.renameSync(path.join(folder, 'a.c'), path.join(folder, 'b.c'));
  const b = { uri: uriOf('b.c'), text: buggy, version: 1 };
  server.open(b.uri, b.text);
  check(await published(server, b.uri, hasError), 'renamed: the finding is under the new name');
  check(server.diagnostics.get(a.uri).diagnostics.length === 0, 'and not under the old one');
  // Deleted on disk while open: the text in the editor counts.
  fs.rmSync(path.join(folder, 'b.c'));
  server.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: b.uri, type: 3 }] });
  edit(server, b, '\n');
  check(await published(server, b.uri, (p) => p.version === b.version && hasError(p)), 'deleted on disk: the open text still counts');
  // A header edited outside.
  fs.writeFileSync(path.join(folder, 'size.h'), '#define SIZE 1\n');
  const c = write('c.c', '#include <assert.h>\n#include "size.h"\nint main(void) { assert(SIZE == 1); return 0; }\n');
  server.open(c.uri, c.text);
  await server.waitFor((m) => m.method === 'window/logMessage' && /c\.c: verified/.test(m.params.message));
  fs.writeFileSync(path.join(folder, 'size.h'), '#define SIZE 2\n');
  server.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uriOf('size.h'), type: 2 }] });
  check(await published(server, c.uri, hasError), 'a header edited outside: its users are explored again');
  // Clang crashes: told, and the next edit is explored as ever.
  const d = write('d.c', `int f(int a) { return ${'-~'.repeat(1_000_000)}a; }\nint main(void) { return 0; }\n`);
  server.open(d.uri, d.text);
  const told = await published(server, d.uri, (p) => p.diagnostics.length > 0);
  check(told && told.params.diagnostics[0].code === 'heddle-compiler' && /Clang crashed.*report/.test(told.params.diagnostics[0].message), `Clang crashes: '${told?.params.diagnostics[0].message}'`);
  server.change(d.uri, ++d.version, [{ text: buggy }]);
  check(await published(server, d.uri, (p) => p.version === d.version && hasError(p)), 'and the corrected text is explored');
  // Nonsense of a client.
  server.change(uriOf('never-opened.c'), 7, [{ text: 'int x;' }]);
  server.change(d.uri, ++d.version, [{ range: { start: { line: 9e5, character: 9 }, end: { line: 3, character: 0 } }, text: '' }]);
  const wrong = await server.request('textDocument/hover', { nothing: true });
  check(wrong.error, 'a request without its parameters is answered with an error');
  check((await server.request('textDocument/codeLens', { textDocument: { uri: d.uri } })).result, 'and the next one is answered');
  check(server.requests === server.answers, 'every request was answered');
  check((await server.stop()) === 0, 'the session ends with code 0');
}

async function memoryLimit() {
  const server = new Server(binary, ['lsp']);
  await server.start(folder, { budget: '60s', memoryLimit: 60, workers: 1 });
  const hungry = ['#include <pthread.h>', '#include <assert.h>', 'int a[8];', 'void *t(void *p) { for (int i = 0; i < 40; i++) a[(i * 3) % 8] += a[i % 8] ^ i; return p; }', 'int main(void) {', '  pthread_t h[4];', '  for (int i = 0; i < 4; i++) pthread_create(&h[i], 0, t, 0);', '  for (int i = 0; i < 4; i++) pthread_join(h[i], 0);', '  assert(a[0] + a[1] + a[2] != 123456789);', '  return 0;', '}', ''];
  const file = write('hungry.c', hungry.join('\n'));
  const over = server.waitFor((m) => m.method === 'window/logMessage' && /memory limit/.test(m.params.message), 60_000);
  server.open(file.uri, file.text);
  const told = await over;
  check(told, `a memory limit of 60 MB: '${told?.params.message}'`);
  const shown = await published(server, file.uri, (p) => p.diagnostics.some((d) => /memory limit/.test(d.message)));
  check(shown, 'and it stands in the text, as not decided');
  check((await hover(server, file)).error === undefined, 'the server goes on answering');
  check((await server.stop()) === 0, 'the session ends with code 0');
}

/** A crash on purpose: of the processes that explore, while they do. */
async function crash() {
  const server = new Server(binary, ['lsp']);
  await server.start(folder, { budget: '60s', workers: 1 });
  const long = ['#include <pthread.h>', 'int n, x; int heddle_input_int(void);', 'void *f(void *p) { n++; for (int i = 0; i < 40; i++) if (heddle_input_int() * heddle_input_int() == 77 + i) x ^= n * i; return p; }', 'int main(void) {', '  pthread_t a, b;', '  pthread_create(&a, 0, f, 0);', '  pthread_create(&b, 0, f, 0);', '  pthread_join(a, 0);', '  pthread_join(b, 0);', '  return 0;', '}', ''];
  const file = write('crash.c', long.join('\n'));
  const told = server.waitFor((m) => /crashed/.test(JSON.stringify(m.params ?? {})), 60_000);
  server.open(file.uri, file.text);
  check(await published(server, file.uri, hasError), 'a finding while more is explored');
  for (const process of server.workers()) globalThis.process.kill(process, 'SIGSEGV');
  check(await told, 'an exploration that crashes is told');
  check(hasError(server.diagnostics.get(file.uri)), 'what it had found is kept');
  check((await hover(server, file, 2)).error === undefined, 'the server goes on answering');
  edit(server, file, 'int edited;\n');
  check(await published(server, file.uri, (p) => p.version === file.version && hasError(p)), 'and explores again');
  check((await server.stop()) === 0, 'the session ends with code 0');
}

for (const part of [lifeOfFiles, crash, memoryLimit, hugeFile, manyFiles]) {
  try {
    await part();
  } catch (error) {
    check(false, `${part.name}: ${error.stack}`);
  }
}
fs.rmSync(folder, { recursive: true, force: true });
console.log(failed === 0 ? 'ALL OK' : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
