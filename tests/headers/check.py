#!/usr/bin/env python3
"""Compiles every header below a folder alone, and names those that do not compile.

usage: check.py COMPILER INCLUDE_DIR [--with INCLUDE_DIR] [--jobs N]

COMPILER is g++, clang++ or nvcc. A header is included twice in an otherwise empty file, so that it must include what it
uses and guard itself. g++ and clang++ only check the syntax; nvcc compiles for host and device. The exit status is 0
when all headers compile, 1 when one does not, 77 when the compiler is not installed.
"""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Werror"]
SKIPPED = 77


def find_compiler(name):
    found = shutil.which(name)
    if found is None and name == "nvcc" and os.access("/usr/local/cuda/bin/nvcc", os.X_OK):
        found = "/usr/local/cuda/bin/nvcc"
    return found


def command(compiler, name, include_dirs, source, output):
    common = [compiler, "-std=c++20", *(f"-I{folder}" for folder in include_dirs)]
    if name == "nvcc":
        host = ["-Xcompiler", ",".join(WARNINGS)]
        return common + ["-x", "cu", "--Werror", "all-warnings", *host, "-c", source, "-o", output]
    return common + ["-x", "c++", "-fsyntax-only", *WARNINGS, source]


def check(compiler, name, include_dirs, header, scratch):
    """Returns the compiler's lines, or None when the header compiles."""
    stem = str(header).replace("/", "_")
    source = scratch / f"{stem}.{'cu' if name == 'nvcc' else 'cpp'}"
    source.write_text(f'#include "{header}"\n#include "{header}"\n')
    done = subprocess.run(command(compiler, name, include_dirs, str(source), str(scratch / f"{stem}.o")),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return None if done.returncode == 0 else done.stdout


def main():
    parser = argparse.ArgumentParser(description="compile every header alone")
    parser.add_argument("compiler", choices=["g++", "clang++", "nvcc"])
    parser.add_argument("include_dir", type=pathlib.Path)
    parser.add_argument("--with", dest="others", action="append", default=[], type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()

    compiler = find_compiler(arguments.compiler)
    if compiler is None:
        print(f"skipped: {arguments.compiler} is not installed.")
        return SKIPPED
    include_dir = arguments.include_dir.resolve()
    include_dirs = [include_dir, *(folder.resolve() for folder in arguments.others)]
    headers = sorted(path.relative_to(include_dir) for path in include_dir.rglob("*") if path.suffix in (".hpp", ".h"))
    failed = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        jobs = {header: pool.submit(check, compiler, arguments.compiler, include_dirs, header, pathlib.Path(scratch))
                for header in headers}
        for header, job in jobs.items():
            lines = job.result()
            if lines is not None:
                failed += 1
                print(f"{header} does not compile alone with {arguments.compiler}:\n{lines}")
    print(f"{len(headers) - failed} of {len(headers)} headers compile alone with {arguments.compiler}.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
