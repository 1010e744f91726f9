// Reproduces every finding of the programs given (default: all buggy ones of docs/examples and tests/programs) natively:
// `heddle reproduce` for each, run COUNT times. Prints one line for each finding that does not fail as it says, and the
// counts. By hand:
//   node tests/reproduce_native.mjs [--count N] [--heddle build/bin/heddle] [FILE...]
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
let count = 100;
let heddle = join(root, 'build/bin/heddle');
const files = [];
for (let i = 2; i < process.argv.length; i++) {
  if (process.argv[i] === '--count') count = Number(process.argv[++i]);
  else if (process.argv[i] === '--heddle') heddle = process.argv[++i];
  else files.push(process.argv[i]);
}

function programsBelow(folder) {
  return readdirSync(folder).flatMap((name) => {
    if (name === 'units') return []; // programs of several files
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return programsBelow(path);
    return name.endsWith('.c') && /=violated/.test(readFileSync(path, 'utf8').split('\n', 1)[0]) ? [path] : [];
  });
}
if (files.length === 0) for (const folder of ['docs/examples', 'tests/programs']) files.push(...programsBelow(join(root, folder)));

/** What a native failure looks like: a signal, with the finding's message where no library says one. */
function isFailure(kind, run) {
  if (/heddle: diverged/.test(run.stderr)) return false;
  if (kind === 'race' || kind === 'volatile') return run.signal === 'SIGABRT' && /data race between/.test(run.stderr);
  if (kind === 'deadlock') return run.signal === 'SIGABRT' && /waits for ever/.test(run.stderr);
  if (kind === 'assert') return run.signal === 'SIGABRT' && /[Aa]ssertion|error location reached/.test(run.stderr);
  return ['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGTRAP'].includes(run.signal);
}

const folder = mkdtempSync(join(tmpdir(), 'reproduce-'));
const totals = {};
let bad = 0;
for (const file of files) {
  const first = readFileSync(file, 'utf8').split('\n', 1)[0];
  const options = [...first.matchAll(/option=(\S+)/g)].map((m) => m[1]);
  const properties = [...first.matchAll(/(\w+)=(?:violated|verified|unsupported|incomplete)/g)].map((m) => m[1]).join(',');
  const check = spawnSync(heddle, ['check', file, '--format', 'json', '--budget', '20s', '--property', properties, ...options], { encoding: 'utf8' });
  let report;
  try {
    report = JSON.parse(check.stdout);
  } catch {
    console.log(`${relative(root, file)}: no report`);
    continue;
  }
  for (const finding of report.findings ?? []) {
    const total = (totals[finding.kind] ??= { findings: 0, all: 0 });
    total.findings++;
    const where = `${relative(root, file)}:${finding.line} ${finding.kind}`;
    const program = join(folder, 'prog');
    const made = spawnSync(heddle, ['reproduce', file, finding.schedule, '-o', program, '--format', 'json', '--property', finding.kind, ...options], { encoding: 'utf8' });
    const told = made.status === 0 ? JSON.parse(made.stdout) : undefined;
    if (!told) {
      let problem = made.stderr || String(made.error ?? made.signal);
      try { problem = JSON.parse(made.stdout).problem; } catch { /* stderr it is */ }
      console.log(`${where}: no program: ${String(problem).trim().split('\n').slice(0, 3).join(' ')}`);
      bad++;
      continue;
    }
    let failed = 0;
    let runs = 0;
    let other;
    // Three runs that do not fail say it all; each may take half a minute.
    while (runs < count && runs - failed < 3) {
      const run = spawnSync(program, [], { encoding: 'utf8', timeout: 30000, input: '' });
      runs++;
      if (isFailure(finding.kind, run)) failed++;
      else other ??= run;
    }
    if (failed === count) {
      total.all++;
    } else {
      bad++;
      const said = (other.stderr || '').trim().split('\n')[0];
      console.log(`${where}: ${failed} of ${runs}; ${other.signal ?? 'code ' + other.status}: ${said}${told.notes.length ? ' [' + told.notes.join('; ') + ']' : ''}`);
    }
  }
}
rmSync(folder, { recursive: true });
console.log(JSON.stringify({ programs: files.length, count, totals }));
process.exit(bad === 0 ? 0 : 1);
