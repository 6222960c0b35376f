#!/usr/bin/env python3
"""Checks that the header-only part compiles with -fno-exceptions, and that an error then ends the program with its sentence.

usage: no_exceptions.py COMPILER ROOT

COMPILER is g++ or clang++. All headers that need no CUDA are compiled in one unit; then no_exceptions.cpp is built and run: it
computes, and with the argument "misuse" it breaks a precondition. The exit status is 1 when something differs, 77 when the
compiler is not installed.
"""
import pathlib
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from programs import SKIPPED, compiled, here, host_headers, including, is_installed  # noqa: E402

SENTENCE = "tensor: the coordinate is out of range (coordinate (4,0), shape (4,8))"


def main():
    compiler, root = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    if not is_installed(compiler):
        print(f"skipped: {compiler} is not installed.")
        return SKIPPED
    folders = [root / "include"]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        unit = scratch / "headers.cpp"
        unit.write_text(including(host_headers(root / "include")), encoding="utf-8")
        accepted, output = compiled(compiler, ["-fno-exceptions"], folders, unit)
        if not accepted:
            wrong.append(f"the headers do not compile without exceptions:\n{output[:6000]}")
        program = scratch / "program"
        accepted, output = compiled(compiler, ["-fno-exceptions", "-UNDEBUG"], folders, here() / "no_exceptions.cpp", program)
        if not accepted:
            wrong.append(f"the program does not compile without exceptions:\n{output[:6000]}")
        else:
            done = subprocess.run([str(program)], capture_output=True, text=True)
            if done.returncode != 0 or done.stdout.strip() != "offset 25, (8,4):(4,1)":
                wrong.append(f"the program ends with {done.returncode} and prints {done.stdout!r} {done.stderr!r}")
            done = subprocess.run([str(program), "misuse"], capture_output=True, text=True)
            if done.returncode != -signal.SIGABRT or SENTENCE not in done.stderr:
                wrong.append(f"the program that misuses a tensor ends with {done.returncode} and prints {done.stderr!r}")
            done = subprocess.run([str(program), "(4,8"], capture_output=True, text=True)
            if done.returncode != -signal.SIGABRT or "expected" not in done.stderr:
                wrong.append(f"the program that reads no layout ends with {done.returncode} and prints {done.stderr!r}")
    for sentence in wrong:
        print(sentence)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
