#!/usr/bin/env python3
"""Explores all test programs for a 32-bit target: each must end with a report, and its verdicts must be those that
its first line expects; each that differs is printed.
usage: narrow_programs.py HEDDLE [-j N] [FILE...]    (default: tests/programs and docs/examples)"""
import concurrent.futures, json, os, pathlib, re, subprocess, sys

root = pathlib.Path(__file__).resolve().parent.parent
arguments = sys.argv[2:]
jobs = os.cpu_count() or 1
if arguments[:1] == ["-j"]:
    jobs, arguments = int(arguments[1]), arguments[2:]
files = [pathlib.Path(a) for a in arguments] or sorted(
    f for folder in ("tests/programs", "docs/examples") for f in (root / folder).rglob("*.c"))


def explore(path):
    first = path.open(encoding="utf-8").readline()
    options = re.findall(r"option=(\S+)", first)
    expected = dict(re.findall(r"\b([a-z]+)=(violated|verified|incomplete|unsupported)", first))
    if not first.startswith("// EXPECT:") or not expected:
        return path, "skipped", ""
    try:
        ran = subprocess.run(
            [sys.argv[1], "check", str(path), "--format", "json", "--property", ",".join(expected), "--budget", "0",
             "--steps", "3000000", "-j", "1", *options, "--", "-m32"], capture_output=True, text=True, timeout=600)
        report = json.loads(ran.stdout)
    except (ValueError, subprocess.TimeoutExpired) as problem:
        return path, "CRASHED", str(problem)
    if report.get("problem", {}).get("kind") == "internal":
        return path, "INTERNAL", report["problem"]["text"]
    if report["verdict"] == "error":
        return path, "does not compile", report.get("problem", {}).get("text", "")
    got = report["properties"]
    off = [f"{name} {got.get(name)}, expected {verdict}" for name, verdict in expected.items()
           if got.get(name, "").removesuffix("-within-bounds") != verdict]
    return path, "differs" if off else "as expected", ", ".join(off) + " " + report.get("problem", {}).get("text", "")


counts = {}
with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
    for path, result, text in pool.map(explore, files):
        counts[result] = counts.get(result, 0) + 1
        if result not in ("as expected", "skipped"):
            print(f"{path.relative_to(root) if path.is_relative_to(root) else path}: {result}: {text}", flush=True)
print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
sys.exit(1 if counts.get("CRASHED") or counts.get("INTERNAL") else 0)
