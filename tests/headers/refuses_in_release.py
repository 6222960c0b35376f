#!/usr/bin/env python3
"""Checks that a build with -DNDEBUG -O2 refuses a copy between tensors whose shapes are known at run time and do not match.

usage: refuses_in_release.py COMPILER ROOT
"""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from programs import SKIPPED, compiled, here, is_installed  # noqa: E402

# What the program prints for each of its calls: function, and both shapes as the caller wrote them.
EXPECTED = [
    "copy: the shapes of source and destination do not match (source (8,4), destination (4,8));",
    "copy: the shapes of source and destination do not match (source (8,4), destination (8,5));",
    "copy_if: the shapes of source and destination do not match (source (8,4), destination (4,8));",
    "copy_if: the shapes of predicate and source do not match (predicate (4,8), source (8,4));",
    "transform: the shapes of source and destination do not match (source (8,4), destination (4,8));",
    "axpby: the shapes of source and destination do not match (source (8,4), destination (4,8));",
]


def main():
    compiler, root = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    if not is_installed(compiler):
        print(f"skipped: {compiler} is not installed.")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program"
        accepted, output = compiled(compiler, ["-O2", "-DNDEBUG"], [root / "include"], here() / "refuses_in_release.cpp", program)
        if not accepted:
            print(output)
            return 1
        done = subprocess.run([str(program)], capture_output=True, text=True)
    printed = done.stdout.splitlines()
    wrong = [f"printed\n  {line}\nand not\n  {start}" for line, start in zip(printed, EXPECTED) if not line.startswith(start)]
    if len(printed) != len(EXPECTED) or done.returncode != 0:
        wrong.append(f"{len(printed)} sentences, and not {len(EXPECTED)}; status {done.returncode}:\n{done.stdout}{done.stderr}")
    for sentence in wrong:
        print(sentence)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
