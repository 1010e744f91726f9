#!/usr/bin/env python3
"""Keeps the names of properties and memory models in schemas, settings and the extension as the tables of the
C++ headers have them.

usage: tests/lists.py [--check]    writes them; --check: only tells which files differ, exit code 1
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def rows(header, pattern):
    found = re.findall(pattern, (ROOT / header).read_text())
    if not found:
        sys.exit(f"{header}: no row of the table was found, so tests/lists.py must learn how it is written")
    return found


PROPERTIES = rows("analysis/property.h", r'\{Property::\w+, "(\w+)", (true|false), ')
ALL = [name for name, _ in PROPERTIES]
BY_DEFAULT = [name for name, by_default in PROPERTIES if by_default == "true"]
MODELS = re.findall(r'"(\w+)"', rows("analysis/model/memory_order.h", r"kMemoryModelNames = \{([^}]*)\}")[0])
SETTINGS = ["c11"] + [name for name in MODELS if name not in ("c11", "sc")] + ["sc"]  # by default, …, strongest


def quoted(names):
    return json.dumps(names)[1:-1]


# file, what stands before the list, the list, what stands after it
PLACES = [
    ("docs/report.schema.json", '"property": {"enum": [', quoted(ALL), "]"),
    ("docs/config.schema.json", '"uniqueItems": true, "items": { "enum": [', quoted(ALL), "]"),
    ("docs/config.schema.json", '"memoryModel": { "enum": [', quoted(SETTINGS), "]"),
    ("vscode-extension/package.json", '"items": { "type": "string", "enum": [', quoted(ALL), "]"),
    ("vscode-extension/package.json", '\n          "default": [', quoted(BY_DEFAULT), '],\n          "description": "What to look for."'),
    ("vscode-extension/package.json", '"type": "string", "enum": [', quoted(SETTINGS), '], "default": "c11"'),
    ("server/driver/init.cpp", '"# properties: [', ", ".join(BY_DEFAULT), ']\\n"'),
]


def main():
    differ = set()
    for file, before, names, after in PLACES:
        path = ROOT / file
        text = path.read_text()
        places = re.findall(re.escape(before) + r"[^\]]*" + re.escape(after), text)
        if len(places) != 1:
            sys.exit(f"{file}: {len(places)} lists after {before.strip()!r}, so tests/lists.py must learn where it is")
        wanted = before + names + after
        if places[0] == wanted:
            continue
        differ.add(file)
        if "--check" not in sys.argv:
            path.write_text(text.replace(places[0], wanted))
    for file in sorted(differ):
        print(f"{file}: {'names differ from the tables, ./dev lists writes them' if '--check' in sys.argv else 'written'}")
    return 1 if differ and "--check" in sys.argv else 0


sys.exit(main())
