// What constraints cost: the programs of tests/bench/enforce under all constraints of each order of the threads, under half of them
// and under none, each run COUNT times in turn with the same program as it is; medians as ratios. By hand:
//   node tests/enforce_bench.mjs [--count N] [--heddle build/bin/heddle] [PROGRAM...]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
let count = 1000;
let heddle = join(root, 'build/bin/heddle');
const files = [];
for (let i = 2; i < process.argv.length; i++) {
  if (process.argv[i] === '--count') count = Number(process.argv[++i]);
  else if (process.argv[i] === '--heddle') heddle = process.argv[++i];
  else files.push(process.argv[i]);
}
if (files.length === 0) files.push(...readdirSync(join(root, 'tests/bench/enforce')).filter((f) => f.endsWith('.c')).map((f) => join(root, 'tests/bench/enforce', f)));

const folder = mkdtempSync(join(tmpdir(), 'enforce-bench-'));
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

function build(file, name, options) {
  const program = join(folder, name);
  const made = spawnSync(heddle, ['build', file, '--format', 'json', '--budget', '60s', '-o', program, ...options], { encoding: 'utf8' });
  const report = made.stdout ? JSON.parse(made.stdout) : { problem: made.stderr };
  return { program, report, options: options.join(' '), times: [] };
}

function nanoseconds(program) {
  const run = spawnSync(program, [], { env: { ...process.env, HEDDLE_TIME: '1' }, encoding: 'utf8', timeout: 20000 });
  const told = /heddle: (\d+) ns/.exec(run.stderr ?? '');
  return run.status === 0 && told ? Number(told[1]) : NaN;
}

console.log('| program | order | constraints | safe after | median | ratio |\n|---|---|---|---|---|---|');
for (const file of files) {
  const plain = build(file, 'plain', []);
  const builds = [];
  for (const order of [undefined, 'in-turn', 'last-first', 'alternating']) {
    const by = order ? ['--order', order] : [];
    const full = build(file, `full-${order}`, ['--enforce', '--at-least', '1000', ...by]);
    if (full.report.problem) continue;
    full.label = order ?? 'chosen';
    builds.push(full);
    const most = full.report.constraints.length;
    if (!order && most > 2) {
      const half = build(file, 'half', ['--enforce', '--at-least', String(Math.floor(most / 2))]);
      half.label = 'chosen';
      if (!half.report.problem) builds.push(half);
    }
    if (!order) {
      const none = build(file, 'none', ['--enforce']);
      none.label = 'chosen';
      if (!none.report.problem) builds.push(none);
    }
  }
  const all = [plain, ...builds];
  if (all.length === 7) all.push(plain); // steps of 7 reach all
  // In another order each round: what ran before must not count.
  for (let i = 0; i < count; i++)
    for (let k = 0; k < all.length; k++) {
      const each = all[(k * 7 + i) % all.length];
      each.times.push(nanoseconds(each.program));
    }
  const base = median(plain.times);
  for (const each of builds) {
    const bad = each.times.filter(Number.isNaN).length;
    const middle = median(each.times.filter((t) => !Number.isNaN(t)));
    console.log(`| ${basename(file, '.c')} | ${each.label} | ${each.report.constraints.length} | ${each.report.safe_after_seconds.toFixed(2)} s | ${(middle / 1000).toFixed(0)} µs | ${(middle / base).toFixed(2)}${bad ? ` (${bad} runs failed)` : ''} |`);
  }
}
rmSync(folder, { recursive: true });
