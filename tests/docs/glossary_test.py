#!/usr/bin/env python3
"""The glossary's equations hold: each `expression = result` on its page is computed by `tilewright eval`.

Skipped (exit status 77) where the command is not built.
"""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
EQUATION = re.compile(r"`(\w+\([^`]*\)) = ([^`]+)`")


def main():
    command = os.environ.get("TILEWRIGHT_CLI")
    if not command:
        print("skipped: TILEWRIGHT_CLI names no command to compute with")
        return SKIPPED
    page = " ".join((ROOT / "docs/glossary.md").read_text(encoding="utf-8").split())
    equations = [pair for pair in EQUATION.findall(page) if "(i)" not in pair[0]]
    wrong = 0
    for expression, result in equations:
        done = subprocess.run([command, "eval", expression], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        if done.stdout.strip() != result:
            print(f"docs/glossary.md: {expression} is {done.stdout.strip()}, and not {result}")
            wrong += 1
    print(f"{len(equations)} equations, {wrong} of them wrong")
    return 1 if wrong or len(equations) < 4 else 0


if __name__ == "__main__":
    sys.exit(main())
