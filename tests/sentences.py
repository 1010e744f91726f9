#!/usr/bin/env python3
"""Sixteen bugs of known classes: the sentence of an experienced reviewer, as the module's header has it, written
before the tool ran, beside what `heddle explain` says first.
usage: sentences.py HEDDLE [--write]     compares docs/sentences.md with what is said now, or writes it"""
import pathlib, re, subprocess, sys

root = pathlib.Path(__file__).resolve().parent.parent
page = root / "docs/sentences.md"
BUGS = [
    ("A lock is forgotten", "slab_allocator"), ("Looked at in one section, acted on in another", "rate_limiter"),
    ("Used after the lock that keeps it alive", "session_store"), ("Looked up before the lock", "bucket_cache"),
    ("Two locks with names, in two orders", "ledger"), ("Two locks of one kind, in the caller's order", "graph_links"),
    ("A change that the waiter misses", "config_watch"), ("A predicate that is tested once", "bounded_queue"),
    ("A signal where all have to wake", "job_pool"), ("A lock kept on one way out", "connection_pool"),
    ("A read lock that is asked for again to write", "name_cache"), ("Double-checked initialization", "lazy_registry"),
    ("Load, then store", "load_meter"), ("The last owner by a second read", "weak_object"),
    ("Taken down before the join", "heartbeat"), ("A reference that is taken too late", "call_group"),
]
HEAD = """# Sixteen sentences

What an experienced reviewer would write, and what Heddle says. The reviewer's sentences stand in the headers of the
programs (`tests/modules`), and were written before the tool ran; Heddle's are the first lines of `heddle explain`, up to
the table of steps. `tests/sentences.py HEDDLE --write` writes this page; a test (`ctest -R sentences`) fails when
Heddle says something else.
"""


def reviewer(text):
    said = re.search(r"^// Review: ((?:.|\n// )*)", text, re.M).group(1)
    return said.replace("\n// ", " ").strip().strip('"')


def heddle(path):
    """The claim, and what is said about it before the first table or schedule."""
    printed = subprocess.run([sys.argv[1], "explain", "--budget", "0", "--steps", "6000000", str(path)],
                             capture_output=True, text=True, timeout=600).stdout.splitlines()
    lines = [re.sub(r"^\S+?:(\d+):\d+: (.*) \[heddle-.*\]$", r"line \1: \2", printed[0])]
    for line in printed[1:]:
        if not line.startswith("  ") or line.startswith(("    ", "  Replay:", "  With ")):
            break
        lines.append(line.strip())
    return lines


parts = [HEAD]
for title, name in BUGS:
    path = root / "tests/modules" / (name + ".c")
    said = "\n".join("> " + line + "  " for line in heddle(path))
    parts.append(f"## {title} (`{name}.c`)\n\n**A reviewer**: {reviewer(path.read_text())}\n\n**Heddle**:\n\n{said}\n")
text = "\n".join(parts)
if "--write" in sys.argv[2:]:
    page.write_text(text)
elif page.read_text() != text:
    for old, new in zip(page.read_text().splitlines(), text.splitlines()):
        if old != new:
            print(f"docs/sentences.md: {old}\nnow:               {new}")
    sys.exit("docs/sentences.md is not what heddle says: write it anew (--write), and read it")
