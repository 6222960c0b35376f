#!/usr/bin/env python3
"""A header that sees C++17 says one sentence, and no more than a few lines.

usage: standard.py COMPILER INCLUDE_DIR [--with INCLUDE_DIR] [--jobs N]

COMPILER is g++, clang++ or nvcc. Every C++ header is compiled with -std=c++17: it must fail, name C++20, and print at most
12 lines. nvcc, which takes seconds a file, only compiles the headers named below.
"""
import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from check import SKIPPED, find_compiler  # noqa: E402

SENTENCE = "Tilewright needs C++20: compile with -std=c++20"
MAX_LINES = 12
OF_NVCC = {"tilewright/tilewright.hpp", "tilewright/engine/copy.hpp", "cute/tensor.hpp"}


def complaint(compiler, name, include_dirs, header, scratch):
    source = scratch / (str(header).replace("/", "_") + (".cu" if name == "nvcc" else ".cpp"))
    source.write_text(f'#include "{header}"\nint main() {{}}\n')
    command = [compiler, "-std=c++17", *(f"-I{folder}" for folder in include_dirs), str(source)]
    command += ["-c", "-o", "/dev/null"] if name == "nvcc" else ["-fsyntax-only"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = done.stdout.splitlines()
    if done.returncode == 0:
        return f"{header}: compiles as C++17"
    if SENTENCE not in done.stdout:
        return f"{header}: does not say '{SENTENCE}':\n" + "\n".join(lines[:10])
    if len(lines) > MAX_LINES:
        return f"{header}: prints {len(lines)} lines:\n" + "\n".join(lines[:20])
    return None


def main():
    parser = argparse.ArgumentParser(description="compile every header as C++17")
    parser.add_argument("compiler", choices=["g++", "clang++", "nvcc"])
    parser.add_argument("include_dir", type=pathlib.Path)
    parser.add_argument("--with", dest="others", action="append", default=[], type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    compiler = find_compiler(arguments.compiler)
    if compiler is None:
        print(f"skipped: {arguments.compiler} is not installed.")
        return SKIPPED
    root = arguments.include_dir.resolve()
    include_dirs = [root, *(folder.resolve() for folder in arguments.others)]
    headers = sorted(path.relative_to(root).as_posix() for path in root.rglob("*")
                     if path.suffix in (".hpp", ".h") and path.name != "tilewright.h")
    if arguments.compiler == "nvcc":
        headers = [header for header in headers if header in OF_NVCC]
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        found = list(pool.map(
            lambda header: complaint(compiler, arguments.compiler, include_dirs, header, pathlib.Path(scratch)), headers))
    wrong = [sentence for sentence in found if sentence]
    print("\n".join(wrong))
    print(f"{len(headers)} headers as C++17 with {arguments.compiler}: {len(wrong)} complaints.")
    return 1 if wrong or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
