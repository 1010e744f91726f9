// Does ThreadSanitizer see the races that Heddle finds? For each program with a race: the program is compiled natively with delays
// where the schedule of the finding switches threads, and run under ThreadSanitizer; its report must name the same two lines.
// The same program without delays shows how often a plain run would have seen it. Not part of the tests: it takes minutes.
//
//     node tests/tsan_compare.mjs [BUILD_FOLDER [PLAIN_RUNS [PROGRAM...]]]
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

const top = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const build = process.argv[2] ?? join(top, "build");
const plainRuns = Number(process.argv[3] ?? 20);
const scratch = mkdtempSync(join(tmpdir(), "heddle-tsan-"));

function racyPrograms() {
  const given = process.argv.slice(4);
  if (given.length) return given;
  const files = [];
  for (const folder of readdirSync(join(top, "tests/programs"), { withFileTypes: true })) {
    if (!folder.isDirectory()) continue;
    for (const name of readdirSync(join(top, "tests/programs", folder.name)).sort()) {
      const file = join(top, "tests/programs", folder.name, name);
      if (name.endsWith(".c") && /^\/\/ EXPECT:.*race=violated/.test(readFileSync(file, "utf8"))) files.push(file);
    }
  }
  return files;
}

function raceIn(file) {
  const result = spawnSync(join(build, "bin/heddle"), ["check", file, "--property", "race", "--format", "json", "--budget", "30s"],
    { encoding: "utf8", maxBuffer: 1 << 28 });
  try {
    return JSON.parse(result.stdout).findings.find((finding) => finding.kind === "race");
  } catch {
    return undefined;
  }
}

// Where the schedule switches: thread and line of the first thing that the thread does in its turn.
// The two racing accesses come after all else, at one time.
function turnsOf(finding) {
  const turns = [];
  let last = "";
  let rank = 0;
  const second = finding.steps.length - 1;
  let first = second;
  while (first > 0 && finding.steps[first].thread === finding.steps[second].thread) first--;
  const racing = [finding.steps[first], finding.steps[second]];
  for (const step of finding.steps.filter((_, i) => i !== first && i !== second)) {
    if (/^(start|end)/.test(step.event) || !step.line) continue;
    if (step.thread !== last) {
      turns.push({ thread: step.thread, line: step.line, rank: ++rank });
      last = step.thread;
    }
  }
  rank++;
  for (const step of racing) turns.push({ thread: step.thread, line: step.line, rank });
  return turns;
}

// The line at whose start a call can be put so that it runs right before what is at `line`.
function statementStart(lines, line) {
  let at = line - 1;
  while (at > 0) {
    const before = lines[at - 1].replace(/\/\/.*$/, "").trim();
    const isElse = /^(\} *)?else\b/.test(lines[at].trim());
    if (!isElse && (before === "" || /[;{}:]$/.test(before) || before.startsWith("#"))) break;
    at--;
  }
  return at;
}

function withDelays(text, turns) {
  const lines = text.split("\n");
  const marks = new Map();
  for (const turn of turns) marks.set(statementStart(lines, turn.line), [...(marks.get(statementStart(lines, turn.line)) ?? []), turn.line]);
  for (const [at, where] of marks) {
    const calls = [...new Set(where)].map((line) => `heddle_at(${line}); `).join("");
    const body = /^([^;]*\)\s*\{)(.*)$/.exec(lines[at]);
    const isFunction = body && /^\w/.test(lines[at]);
    if (isFunction) lines[at] = body[1] + " " + calls + body[2];
    else lines[at] = calls + lines[at];
  }
  return lines.join("\n");
}

function compile(text, finding, turns, name, folder) {
  const source = join(scratch, name + ".c");
  const header = join(scratch, name + ".turns.h");
  const program = join(scratch, name);
  writeFileSync(source, text);
  const values = (finding.inputs ?? []).map((input) => `{"${input.thread ?? "T0"}", ${input.value}LL},`).join(" ");
  writeFileSync(header, `#define HEDDLE_TURNS ${turns.map((t) => `{"${t.thread}", ${t.line}, ${t.rank}},`).join(" ")}\n` +
    `#define HEDDLE_VALUES ${values}\n#include "${join(top, "tests/tsan_delays.h")}"\n`);
  const result = spawnSync("gcc", ["-std=gnu11", "-D_GNU_SOURCE", "-w", "-g", "-O0", "-fsanitize=thread", "-pthread", "-include", header,
    "-I", join(top, "docs/examples"), "-I", folder, source, "-o", program], { encoding: "utf8" });
  return result.status === 0 ? { program, source } : { problem: result.stderr.split("\n").find((line) => /error/.test(line)) ?? "link" };
}

// Whether one of the reports of a run names both lines.
function reports(program, lines) {
  const result = spawnSync(program, [], { encoding: "utf8", timeout: 20000, env: { ...process.env, TSAN_OPTIONS: "exitcode=66" } });
  const races = (result.stderr ?? "").split("==================").filter((part) => part.includes("data race"));
  const name = basename(program) + ".c:";
  const both = races.some((race) => lines.every((line) => race.includes(name + line + " ") || race.includes(name + line + "\n") || race.includes(name + line + ":")));
  return { both, some: races.length > 0 };
}

let compared = 0, same = 0, other = 0, never = 0;
for (const file of racyPrograms()) {
  const finding = raceIn(file);
  const name = basename(file, ".c");
  if (!finding) {
    console.log(`${name}: no race found`);
    continue;
  }
  const lines = [...new Set(finding.related.slice(0, 2).map((place) => place.line))];
  const text = readFileSync(file, "utf8");
  const turns = turnsOf(finding);
  const plain = compile(text, finding, [], name + "_plain", dirname(file));
  const delayed = compile(withDelays(text, turns), finding, turns, name, dirname(file));
  if (plain.problem || delayed.problem) {
    console.log(`${name}: does not compile: ${plain.problem ?? delayed.problem}`);
    continue;
  }
  compared++;
  let seen = 0;
  for (let run = 0; run < plainRuns; run++) seen += reports(plain.program, lines).both ? 1 : 0;
  if (seen === 0) never++;
  let result = reports(delayed.program, lines);
  for (let again = 0; again < 4 && !result.both; again++) result = reports(delayed.program, lines);
  if (result.both) same++;
  else other++;
  console.log(`${name}: lines ${lines.join(" and ")}: plain ${seen} of ${plainRuns}, with delays ` +
    (result.both ? "the same race" : result.some ? "another race" : "no race"));
}
console.log(`${compared} programs: ThreadSanitizer reports the same race in ${same} once delays are put, not in ${other}; ` +
  `without delays it never saw ${never} in ${plainRuns} runs`);
rmSync(scratch, { recursive: true, force: true });
