#!/usr/bin/env python3
"""Compiles every CUDA program of tests/cuda and bench/cuda for the architectures it names, without warnings.

Nothing runs, so no GPU is needed (tools/gpu_check runs them). The exit status is 77 when nvcc is not installed.
"""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from program import FLAGS, Program, find_tool  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def main():
    nvcc = find_tool("nvcc")
    if nvcc is None:
        print("skipped: nvcc is not installed.")
        return 77
    programs = [Program(path) for path in sorted([*ROOT.glob("tests/cuda/*.cu"), *ROOT.glob("bench/cuda/*.cu")])]
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for program in programs:
            targets = [f"-gencode=arch=compute_{arch},code=sm_{arch}" for arch in program.archs]
            done = subprocess.run([nvcc, *FLAGS, f"-I{ROOT / 'include'}", *targets, "-c", str(program.path), "-o",
                                   f"{scratch}/{program.name}.o"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode != 0:
                failed += 1
                print(f"{program.path.name} does not compile:\n{done.stdout[:4000]}")
    print(f"{len(programs) - failed} of {len(programs)} CUDA programs compile.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
