#!/usr/bin/env python3
"""Runs a program and compares what it prints with a file; without the file it only runs it.

Trailing blanks do not count, and of addresses (0x…) only which are the same: the first in a text counts as 0x#1.

usage: check_output.py PROGRAM EXPECTED_FILE [ARGUMENTS...]
"""
import difflib
import pathlib
import re
import subprocess
import sys


def lines_of(text):
    names = {}
    named = re.sub(r"0x[0-9a-fA-F]+|0x#\d+", lambda a: names.setdefault(a[0], f"0x#{len(names) + 1}"), text)
    return [line.rstrip() for line in named.rstrip().splitlines()]


def main(program, expected_file, *arguments):
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, encoding="utf-8")
    if done.returncode != 0:
        print(done.stdout)
        return f"{pathlib.Path(program).name} ended with status {done.returncode}."
    expected = pathlib.Path(expected_file)
    if not expected.exists():
        return 0
    difference = list(difflib.unified_diff(lines_of(expected.read_text(encoding="utf-8")), lines_of(done.stdout),
                                           str(expected.name), "printed", lineterm=""))
    if difference:
        print("\n".join(difference))
        return f"{pathlib.Path(program).name} does not print {expected.name}."
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
