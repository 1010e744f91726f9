#!/usr/bin/env python3
"""Shows that no verdict is empty: a failure is seeded at the end of each thread of each program that is called
verified, and must be found, or the report must name that end as not reached.
usage: prove_reach.py HEDDLE [-j N] [FILE...]    (default: tests/programs and docs/examples)"""
import subprocess, sys

import expected_programs

jobs, files = expected_programs.arguments(sys.argv[2:])


def prove(path):
    properties, options = expected_programs.expectations(path)
    if not properties:
        return "skipped", ""
    ran = subprocess.run(
        [sys.argv[1], "check", str(path), "--prove-reach", "--property", ",".join(properties), "--budget", "0",
         "--steps", "3000000", "-j", "1", *options], capture_output=True, text=True, timeout=600)
    lines = [line for line in ran.stderr.splitlines() if line.startswith("prove-reach: ")]
    if any(line.endswith("NEITHER FOUND NOR NAMED") for line in lines):
        return "EMPTY", "\n" + "\n".join(lines)
    if not lines:
        return "FAILED", ran.stderr.strip()
    if any("not called verified" in line for line in lines):
        return "not verified", ""
    return "named" if any(line.endswith("named as not reached") for line in lines) else "found", "\n" + "\n".join(lines)


counts = expected_programs.over(files, jobs, prove, lambda result: result in ("EMPTY", "FAILED", "named"))
sys.exit(1 if counts.get("EMPTY") or counts.get("FAILED") else 0)
