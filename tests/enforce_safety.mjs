// Safety under enforcement: buggy programs built with `heddle build --enforce --shake` (threads sleep at random at their events), run
// COUNT times each with other seeds: none may fail, hang or be killed. Beside it the same program without constraints. By hand:
//   node tests/enforce_safety.mjs [--count N] [--budget 60s] [--heddle build/bin/heddle] FILE...
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
let count = 1000;
let budget = '60s';
let heddle = join(root, 'build/bin/heddle');
const files = [];
for (let i = 2; i < process.argv.length; i++) {
  if (process.argv[i] === '--count') count = Number(process.argv[++i]);
  else if (process.argv[i] === '--budget') budget = process.argv[++i];
  else if (process.argv[i] === '--heddle') heddle = process.argv[++i];
  else files.push(process.argv[i]);
}

const folder = mkdtempSync(join(tmpdir(), 'enforce-'));

/** Runs that did not end in 5 s: a hang, or a machine that is too busy. Kept apart from failures, and counted as such. */
let late = 0;

/** Runs with seeds 1 to `runs`; how many did not end with code 0 in 5 s. */
function failures(program, runs, enough = runs) {
  let failed = 0;
  for (let seed = 1; seed <= runs && failed < enough; seed++) {
    const input = [seed % 7, (seed * 31) % 101, seed % 3].join(',');
    const run = spawnSync(program, [], { env: { ...process.env, HEDDLE_SHAKE: String(seed), HEDDLE_INPUT: input }, timeout: 5000, stdio: 'ignore' });
    if (run.error?.code === 'ETIMEDOUT') late++;
    if (run.status !== 0) failed++;
  }
  return failed;
}

let bad = 0;
for (const file of files) {
  const options = [...readFileSync(file, 'utf8').split('\n', 1)[0].matchAll(/option=(\S+)/g)].map((m) => m[1]);
  const safe = join(folder, 'safe');
  const plain = join(folder, 'plain');
  const built = spawnSync(heddle, ['build', file, '--enforce', '--shake', '--budget', budget, '--format', 'json', '-o', safe, ...options], { encoding: 'utf8' });
  let report = {};
  try { report = JSON.parse(built.stdout); } catch { report.problem = built.stderr; }
  if (built.status !== 0) {
    console.log(`${file}: no enforcement: ${String(report.problem).split('\n')[0]}`);
    bad++;
    continue;
  }
  late = 0;
  const failed = failures(safe, count);
  const hung = late;
  spawnSync(heddle, ['build', file, '--shake', '-o', plain, ...options]);
  const without = failures(plain, count, 1); // one is enough to see that the bug is there
  if (failed > 0) bad++;
  console.log(`${file}: ${report.constraints.length} constraints, safe after ${report.safe_after_seconds.toFixed(2)} s; ${failed} of ${count} fail${hung > 0 ? ` (${hung} did not end in 5 s)` : ''}` +
    `; without constraints ${without > 0 ? 'it fails' : 'no failure seen'}`);
}
rmSync(folder, { recursive: true });
process.exit(bad === 0 ? 0 : 1);
