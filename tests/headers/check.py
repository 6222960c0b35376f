#!/usr/bin/env python3
"""Compiles every header below a folder alone, and names those that do not compile; or, with --as-cxx17, those that say more
than one sentence to a compiler that is set to C++17.

usage: check.py COMPILER INCLUDE_DIR [--with INCLUDE_DIR] [--as-cxx17] [--jobs N]

COMPILER is g++, clang++ or nvcc. A header is included twice in an otherwise empty file, so that it must include what it
uses and guard itself. g++ and clang++ only check the syntax; nvcc compiles for host and device, up to the host's code. With
--as-cxx17 each C++ header must fail, name C++20 and print at most 12 lines; nvcc then compiles three of them.

A header that lacks an include fails with each compiler, as a rule, so g++, the fastest, compiles them all where
TILEWRIGHT_COMPILE_ALL is set, clang++ every second and nvcc every eighth; without it an eighth of these, twice as many below
include/, and g++ each that the last commits changed or that is not committed yet, where git is at hand. The exit status is 0
when all headers behave, 1 when one does not, 77 when the compiler is not installed.
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
SENTENCE = "Tilewright needs C++20: compile with -std=c++20"
MAX_LINES = 12
CXX17_OF_NVCC = {"tilewright/tilewright.hpp", "tilewright/engine/copy.hpp", "cute/tensor.hpp"}
SKIPPED = 77
LATELY = 20  # commits
STEPS = {"g++": 1, "clang++": 2, "nvcc": 8}


def find_compiler(name):
    found = shutil.which(name)
    if found is None and name == "nvcc" and os.access("/usr/local/cuda/bin/nvcc", os.X_OK):
        found = "/usr/local/cuda/bin/nvcc"
    return found


class Checker:
    def __init__(self, arguments, compiler, scratch):
        self.name, self.as_cxx17, self.scratch = arguments.compiler, arguments.as_cxx17, scratch
        folders = [arguments.include_dir, *arguments.others]
        self.command = [compiler, f"-std=c++{17 if self.as_cxx17 else 20}", *(f"-I{folder.resolve()}" for folder in folders)]
        if self.name == "nvcc":
            host = ["--Werror", "all-warnings", "-Xcompiler", ",".join(WARNINGS)]
            self.command += ["-x", "cu", "-cuda", *([] if self.as_cxx17 else host)]
        else:
            self.command += ["-x", "c++", "-fsyntax-only", *([] if self.as_cxx17 else WARNINGS)]

    def complaint(self, header):
        """What is wrong with a header, or None."""
        source = self.scratch / f"{header.replace('/', '_')}.{'cu' if self.name == 'nvcc' else 'cpp'}"
        source.write_text(f'#include "{header}"\n#include "{header}"\n')
        output = ["-o", f"{source}.ii"] if self.name == "nvcc" else []
        done = subprocess.run([*self.command, str(source), *output], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if not self.as_cxx17:
            return None if done.returncode == 0 else f"{header} does not compile alone with {self.name}:\n{done.stdout}"
        lines = done.stdout.splitlines()
        if done.returncode == 0:
            return f"{header} compiles as C++17"
        if SENTENCE not in done.stdout:
            return f"{header} does not say '{SENTENCE}':\n" + "\n".join(lines[:10])
        if len(lines) > MAX_LINES:
            return f"{header} prints {len(lines)} lines:\n" + "\n".join(lines[:20])
        return None


C_HEADERS = ("tilewright/tilewright.h", "tilewright/distributed/mpi_c.h")


def changed_lately(root):
    """Files below a folder that the last commits changed, or that are not committed yet; none where there is no git."""
    names = set()
    for question in (["log", f"-{LATELY}", "--format=", "--name-only", "--relative", "--", "."],
                     ["diff", "HEAD", "--name-only", "--relative", "--", "."],
                     ["ls-files", "--others", "--exclude-standard"]):
        try:
            answer = subprocess.run(["git", "-C", str(root), *question], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                    text=True)
        except OSError:
            return set()
        names.update(answer.stdout.splitlines())
    return names


def headers_to_check(arguments):
    root = arguments.include_dir.resolve()
    headers = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.suffix in (".hpp", ".h"))
    if arguments.as_cxx17:
        headers = [header for header in headers if header not in C_HEADERS]
        if arguments.compiler == "nvcc":
            return [header for header in headers if header in CXX17_OF_NVCC]
    step = STEPS[arguments.compiler]
    if "TILEWRIGHT_COMPILE_ALL" in os.environ:
        return headers[::step]
    few = step * (8 if arguments.others else 4)
    changed = changed_lately(root) if arguments.compiler == "g++" else set()
    return sorted({*headers[::few], *(header for header in headers if header in changed)})


def main():
    parser = argparse.ArgumentParser(description="compile every header alone")
    parser.add_argument("compiler", choices=["g++", "clang++", "nvcc"])
    parser.add_argument("include_dir", type=pathlib.Path)
    parser.add_argument("--with", dest="others", action="append", default=[], type=pathlib.Path)
    parser.add_argument("--as-cxx17", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()

    compiler = find_compiler(arguments.compiler)
    if compiler is None:
        print(f"skipped: {arguments.compiler} is not installed.")
        return SKIPPED
    headers = headers_to_check(arguments)
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        checker = Checker(arguments, compiler, pathlib.Path(scratch))
        wrong = [complaint for complaint in pool.map(checker.complaint, headers) if complaint is not None]
    print("\n".join(wrong))
    what = "refuse C++17 in a few lines" if arguments.as_cxx17 else "compile alone"
    print(f"{len(headers) - len(wrong)} of {len(headers)} headers {what} with {arguments.compiler}.")
    return 1 if wrong or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
