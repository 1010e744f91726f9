#!/usr/bin/env python3
"""How findings read: for each buggy program how many there are, how long their explanation is, what they name, how
small their witnesses are, and how long the first repair takes; then medians.
usage: finding_figures.py HEDDLE [--expect] [--repair] [-j N] [FILE...]    (default: tests/modules)
--expect: no figures; the verdicts of the first lines, of the twins too, are compared, and each schedule is replayed.
--repair: also `heddle repair`, of which the first patch is named."""
import json, pathlib, re, statistics, subprocess, sys, time

import expected_programs

words = sys.argv[2:]
options = {word for word in words if word in ("--expect", "--repair")}
words = [word for word in words if word not in options]
names = words[2:] if words[:1] == ["-j"] else words
jobs, files = expected_programs.arguments(words)
if not names:
    files = sorted((expected_programs.root / "tests/modules").glob("*.c"))
STEPS = ["--budget", "0", "--steps", "3000000"]
NO_NAME = re.compile(r"heap object allocated|life of |result of a thread| \+ \d+'")


def heddle(command, path, *more):
    return subprocess.run([sys.argv[1], command, *more, str(path)], capture_output=True, text=True, timeout=600).stdout


def switches(finding):
    threads = [segment.split("*")[0] for segment in finding["schedule"].split("|")[0].split()]
    return sum(a != b for a, b in zip(threads, threads[1:]))


def expect(path):
    properties, more = expected_programs.expectations(path)
    report = json.loads(heddle("check", path, "--format", "json", "-j", "1", *STEPS, *more))
    wrong = [f"{name} is {report['properties'].get(name)}, not {verdict}" for name, verdict in properties.items()
             if report["properties"].get(name) != verdict]
    for finding in report["findings"]:
        replayed = subprocess.run(
            [sys.argv[1], "replay", str(path), finding["schedule"], "--format", "json"], capture_output=True, text=True)
        seen = json.loads(replayed.stdout).get("failures", [])
        if not any(f["kind"] == finding["kind"] and f["line"] == finding["line"] for f in seen):
            wrong.append(f"{finding['schedule']} does not show '{finding['message']}'")
    return ("WRONG", "; ".join(wrong)) if wrong or not properties else ("as expected", "")


rows = []


def figures(path):
    properties, more = expected_programs.expectations(path)
    if "violated" not in properties.values():
        return "correct", ""
    report = json.loads(heddle("check", path, "--format", "json", "-j", "1", *STEPS, *more))
    found = report["findings"]
    if not found:
        return "not found", ""
    texts = [text for f in found for text in [f["message"], *(r["message"] for r in f.get("related", []))]]
    explained = heddle("explain", path, "--budget", "0", "--steps", "6000000", *more).rstrip().splitlines()
    row = {
        "findings": len(found), "explain lines": len(explained), "without a name": sum(bool(NO_NAME.search(t)) for t in texts),
        "switches": [switches(f) for f in found], "steps": [len(f["steps"]) for f in found],
        "input": [max((abs(i["value"]) for i in f["inputs"]), default=0) for f in found]}
    text = ", ".join(f"{key} {max(value) if isinstance(value, list) else value}" for key, value in row.items())
    if "--repair" in options:
        begun = time.monotonic()
        repaired = json.loads(heddle("repair", path, "--budget", "20s", "--format", "json", *more))
        row["repair seconds"] = time.monotonic() - begun
        # None: no patch is verified in full, or none at all.
        row["first repair"] = repaired.get("first_repair_seconds")
        patches = list(dict.fromkeys(r["title"] for f in repaired["findings"] for r in f.get("repairs", [])))
        text += f"; repair {row['repair seconds']:.1f} s, {len(patches)} patches" + "".join("\n      " + p for p in patches)
    rows.append(row)
    return "measured", text


if "--expect" in options:
    sys.exit(1 if expected_programs.over(files, jobs, expect, lambda result: result == "WRONG").get("WRONG") else 0)
expected_programs.over(files, jobs, figures, lambda result: result != "correct")
for key in rows[0] if rows else []:
    values = [v for row in rows for v in (row[key] if isinstance(row[key], list) else [row[key]]) if v is not None]
    if key == "first repair" and len(values) > 1:
        # From the findings to the first patch that is verified in full.
        print(f"{key}: p50 {statistics.median(values):.2f} s, p95 {statistics.quantiles(values, n=20)[-1]:.2f} s, "
              f"most {max(values):.2f} s, of {len(values)}; none: {len(rows) - len(values)}")
        continue
    print(f"{key}: median {statistics.median(values):g}, most {max(values):g}, of {len(values)}")
