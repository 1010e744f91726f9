// Safety under enforcement: buggy programs built with `heddle build --enforce --shake` (threads sleep at random at their events), run
// COUNT times each with other seeds and inputs: none may fail, hang or be killed. Beside it the same program without constraints, until
// it fails once. By hand:
//   node tests/enforce_safety.mjs [--count N] [--jobs N] [--budget 60s] [--heddle build/bin/heddle] [FILE...]
//
// A run is judged by how it ends, and by what its threads do, never by the clock: a busy machine makes it late, not wrong. It hangs when
// all its threads sleep and none of them has run or switched for a while, or when it has taken a minute of the processor.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
let count = 10000;
let jobs = 4;
let budget = '60s';
let heddle = join(root, 'build/bin/heddle');
const files = [];
for (let i = 2; i < process.argv.length; i++) {
  if (process.argv[i] === '--count') count = Number(process.argv[++i]);
  else if (process.argv[i] === '--jobs') jobs = Number(process.argv[++i]);
  else if (process.argv[i] === '--budget') budget = process.argv[++i];
  else if (process.argv[i] === '--heddle') heddle = process.argv[++i];
  else files.push(process.argv[i]);
}

const folder = mkdtempSync(join(tmpdir(), 'enforce-'));
const kTicksPerSecond = 100;

/** What the threads of a process have done so far; `asleep`: none of them could run. undefined: it is gone. */
function activity(pid) {
  try {
    let ticks = 0;
    let asleep = true;
    let switches = '';
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      ticks += Number(fields[11]) + Number(fields[12]);
      if (fields[0] !== 'S') asleep = false;
      switches += thread + readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8').split('\n').filter((line) => line.includes('ctxt_switches')).join(' ');
    }
    return { ticks, asleep, switches };
  } catch {
    return undefined;
  }
}

/** How one run ends: '' (code 0), else what is wrong. */
function run(program, seed) {
  const input = [seed % 7, (seed * 31) % 101, seed % 3].join(',');
  const child = spawn(program, [], { env: { ...process.env, HEDDLE_SHAKE: String(seed), HEDDLE_INPUT: input }, stdio: 'ignore' });
  const began = Date.now();
  return new Promise((resolve) => {
    let before;
    let still = 0;
    const end = (how) => { clearInterval(watch); resolve({ how, seconds: (Date.now() - began) / 1000 }); };
    const watch = setInterval(() => {
      const now = activity(child.pid);
      if (!now) return;
      still = before && now.asleep && before.asleep && now.switches === before.switches && now.ticks === before.ticks ? still + 1 : 0;
      before = now;
      const spins = now.ticks > 60 * kTicksPerSecond;
      if (still < 5 && !spins) return;
      child.removeAllListeners('exit');
      child.kill('SIGKILL');
      end(spins ? 'goes round for ever' : 'waits for ever');
    }, 2000);
    child.on('exit', (code, signal) => end(code === 0 ? '' : signal ?? `code ${code}`));
    child.on('error', (error) => end(error.message));
  });
}

/** Runs with seeds 1 to `runs`, until `enough` have failed. */
async function failures(program, runs, enough) {
  const result = { failed: 0, how: {}, slowest: 0 };
  let seed = 0;
  const worker = async () => {
    while (seed < runs && result.failed < enough) {
      const { how, seconds } = await run(program, ++seed);
      result.slowest = Math.max(result.slowest, seconds);
      if (how === '') continue;
      result.failed++;
      result.how[how] = (result.how[how] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return result;
}

/** Programs with a bug that random sleeps show, and that end well under some order of their threads. */
const kPrograms = ['docs/examples/bank_transfer.c', 'tests/programs/sync/philosophers.c',
  ...['array_index', 'atomic_load_store', 'atomicity_violation', 'cas_counter_one_attempt', 'create_by_shared_value', 'dekker_look_first', 'function_pointer',
    'hand_over', 'heap_list', 'lost_update', 'message_passing_flag_first', 'missing_join', 'nested_creation', 'order_violation', 'peterson_turn_first',
    'pointer_read_twice', 'store_buffering_both', 'two_bugs'].map((name) => `tests/programs/assert/${name}.c`)];
if (files.length === 0) files.push(...kPrograms.map((file) => join(root, file)));

let bad = 0;
let shown = 0;
for (const file of files) {
  const options = [...readFileSync(file, 'utf8').split('\n', 1)[0].matchAll(/option=(\S+)/g)].map((m) => m[1]);
  const safe = join(folder, 'safe');
  const plain = join(folder, 'plain');
  const built = spawnSync(heddle, ['build', file, '--enforce', '--shake', '--budget', budget, '--format', 'json', '-o', safe, ...options], { encoding: 'utf8' });
  let report = {};
  try { report = JSON.parse(built.stdout); } catch { report.problem = built.stderr; }
  if (built.status !== 0) {
    console.log(`${relative(root, file)}: no enforcement: ${String(report.problem).split('\n')[0]}`);
    bad++;
    continue;
  }
  const under = await failures(safe, count, Infinity);
  spawnSync(heddle, ['build', file, '--shake', '-o', plain, ...options]);
  const without = await failures(plain, count, 1); // one is enough to see that the bug is there
  if (under.failed > 0) bad++;
  if (without.failed > 0) shown++;
  const how = Object.entries(under.how).map(([what, times]) => `${times} times ${what}`).join(', ');
  console.log(`${relative(root, file)}: ${report.constraints.length} constraints, safe after ${report.safe_after_seconds.toFixed(2)} s; ${under.failed} of ${count} fail` +
    `${how ? ` (${how})` : ''}, slowest ${under.slowest.toFixed(1)} s; without constraints ${without.failed > 0 ? `it fails (${Object.keys(without.how)[0]})` : 'no failure seen'}`);
}
rmSync(folder, { recursive: true });
console.log(`${files.length} programs, ${bad} bad; ${shown} fail without constraints`);
process.exit(bad === 0 ? 0 : 1);
