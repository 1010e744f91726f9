#!/usr/bin/env python3
"""Shows that no verdict is empty: a failure is seeded at the end of each thread of each program that is called
verified, and must be found, or the report must name that end as not reached.
usage: prove_reach.py HEDDLE [-j N] [FILE...]    (default: tests/programs and docs/examples)"""
import concurrent.futures, os, pathlib, re, subprocess, sys

root = pathlib.Path(__file__).resolve().parent.parent
arguments = sys.argv[2:]
jobs = os.cpu_count() or 1
if arguments[:1] == ["-j"]:
    jobs, arguments = int(arguments[1]), arguments[2:]
files = [pathlib.Path(a) for a in arguments] or sorted(
    f for folder in ("tests/programs", "docs/examples") for f in (root / folder).rglob("*.c"))


def prove(path):
    first = path.open(encoding="utf-8").readline()
    options = re.findall(r"option=(\S+)", first)
    properties = re.findall(r"\b([a-z]+)=(?:violated|verified|incomplete|unsupported)", first)
    if not first.startswith("// EXPECT:") or not properties:
        return path, "skipped", ""
    ran = subprocess.run(
        [sys.argv[1], "check", str(path), "--prove-reach", "--property", ",".join(properties), "--budget", "0",
         "--steps", "3000000", "-j", "1", *options], capture_output=True, text=True, timeout=600)
    lines = [line for line in ran.stderr.splitlines() if line.startswith("prove-reach: ")]
    if any(line.endswith("NEITHER FOUND NOR NAMED") for line in lines):
        return path, "EMPTY", "\n".join(lines)
    if not lines:
        return path, "FAILED", ran.stderr.strip()
    if any("not called verified" in line for line in lines):
        return path, "not verified", ""
    return path, "named" if any(line.endswith("named as not reached") for line in lines) else "found", "\n".join(lines)


counts = {}
with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
    for path, result, text in pool.map(prove, files):
        counts[result] = counts.get(result, 0) + 1
        if result in ("EMPTY", "FAILED", "named"):
            print(f"{path.relative_to(root) if path.is_relative_to(root) else path}: {result}\n{text}")
print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
sys.exit(1 if counts.get("EMPTY") or counts.get("FAILED") else 0)
