#!/usr/bin/env python3
"""Compiles a printed interface and removes each declaration that does not compile.

prune.py INTERFACE LOG -- COMPILER-COMMAND...     the command reads INTERFACE; LOG lists what was removed
"""
import re
import subprocess
import sys


def without(lines, errors):
    """The lines without the innermost declaration around each error; a declaration ends where its braces do."""
    gone = set()
    for error in errors:
        first = error
        while first > 0 and lines[first - 1].strip() and not lines[first - 1].rstrip().endswith(("{", "}")):
            first -= 1
        last, depth = first, 0
        while last < len(lines):
            code = re.sub(r'//.*|"(\\.|[^"\\])*"', "", lines[last])
            depth += code.count("{") - code.count("}")
            if last >= error and depth <= 0:
                break
            last += 1
        gone.update(range(first, min(last + 1, len(lines))))
    removed = [lines[i].strip() for i in sorted(gone) if not lines[i].strip().startswith("//")]
    return [line for i, line in enumerate(lines) if i not in gone], removed


path, log, command = sys.argv[1], sys.argv[2], sys.argv[sys.argv.index("--") + 1 :]
removed = []
for _ in range(30):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode == 0:
        break
    found = set()
    for match in re.finditer(rf"^{re.escape(path)}:(\d+):\d+: error: (.*)$", result.stderr, re.M):
        if "failed to build module" not in match[2]:
            found.add(int(match[1]) - 1)
    if not found:
        sys.exit(result.stderr)
    with open(path) as file:
        lines = file.read().split("\n")
    lines, more = without(lines, found)
    removed += more
    with open(path, "w") as file:
        file.write("\n".join(lines))
else:
    sys.exit("still errors after thirty rounds\n" + result.stderr)
with open(log, "w") as file:
    file.write("\n".join(removed))
