#!/usr/bin/env python3
"""Runs a program and compares what it prints with a file, addresses (0x…) apart; without the file it only runs it.

usage: check_output.py PROGRAM EXPECTED_FILE
"""
import difflib
import pathlib
import re
import subprocess
import sys


def lines_of(text):
    return [re.sub(r"0x[0-9a-fA-F]+", "0x…", line).rstrip() for line in text.rstrip().splitlines()]


def main(program, expected_file):
    done = subprocess.run([program], stdout=subprocess.PIPE, encoding="utf-8")
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
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
