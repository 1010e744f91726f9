#!/usr/bin/env python3
"""Explores all test programs for a 32-bit target: each must end with a report, without a contradiction of our own,
and each verdict that is not the one of its first line is printed.
usage: narrow_programs.py HEDDLE [-j N] [FILE...]    (default: tests/programs and docs/examples)"""
import json, subprocess, sys

import expected_programs

jobs, files = expected_programs.arguments(sys.argv[2:])


def explore(path):
    expected, options = expected_programs.expectations(path)
    if not expected:
        return "skipped", ""
    try:
        ran = subprocess.run(
            [sys.argv[1], "check", str(path), "--format", "json", "--property", ",".join(expected), "--budget", "0",
             "--steps", "3000000", "-j", "1", *options, "--", "-m32"], capture_output=True, text=True, timeout=600)
        report = json.loads(ran.stdout)
    except (ValueError, subprocess.TimeoutExpired) as problem:
        return "CRASHED", str(problem)
    why = report.get("problem", {})
    if why.get("kind") == "internal":
        return "INTERNAL", why["text"]
    if report["verdict"] == "error":
        return "does not compile", why.get("text", "")
    got = report["properties"]
    off = [f"{name} {got.get(name)}, expected {verdict}" for name, verdict in expected.items()
           if got.get(name, "").removesuffix("-within-bounds") != verdict.removesuffix("-within-bounds")]
    return "differs" if off else "as expected", ", ".join(off) + " " + why.get("text", "")


counts = expected_programs.over(files, jobs, explore, lambda result: result not in ("as expected", "skipped"))
sys.exit(1 if counts.get("CRASHED") or counts.get("INTERNAL") else 0)
