#!/usr/bin/env python3
"""Checks that no header warns a user who asks for many warnings, and includes the library with -I.

usage: strict_warnings.py COMPILER ROOT

COMPILER is g++ or clang++. Compiled are: all headers that need no CUDA, in one unit; every_operation.cpp, which calls the public
operations with static and with run-time operands; all examples in one unit; the C++ code of the pages. Of the last, lines of
the headers count, because the code on a page may convert as it likes. Without TILEWRIGHT_COMPILE_ALL g++ leaves the pages and
clang++ the examples out too. The exit status is 1 when there is a warning, 77 when the compiler is not installed.
"""
import concurrent.futures
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from programs import SKIPPED, compiled, here, host_headers, including, is_installed  # noqa: E402

FLAGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion"]
UNITS_OF_PAGES = 6


def sources(root, scratch):
    """{name: file, …} whose every warning counts, and the files of which only lines in headers count."""
    sys.path.insert(0, str(root / "tests/docs"))
    import snippets
    whole = {"all headers": scratch / "headers.cpp", "every operation": here() / "every_operation.cpp",
             "the examples": scratch / "examples.cpp"}
    whole["all headers"].write_text(including(host_headers(root / "include")), encoding="utf-8")
    examples = sorted(path.relative_to(root).as_posix() for path in (root / "examples").glob("*.hpp"))
    whole["the examples"].write_text(including(examples), encoding="utf-8")
    snippets.write(root, scratch / "pages", UNITS_OF_PAGES)
    return whole, [scratch / f"pages/snippets_{unit}.cpp" for unit in range(UNITS_OF_PAGES)]


def main():
    compiler, root = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    if not is_installed(compiler):
        print(f"skipped: {compiler} is not installed.")
        return SKIPPED
    folders = [root / "include", root]
    in_a_header = re.compile(rf"^{re.escape(str(root / 'include'))}/\S+: warning: ", re.MULTILINE)
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        whole, pages = sources(root, pathlib.Path(scratch))
        if "TILEWRIGHT_COMPILE_ALL" not in os.environ:
            pages = []
            if compiler == "clang++":
                del whole["the examples"]
        jobs = {name: pool.submit(compiled, compiler, [*FLAGS, "-Werror"], folders, source) for name, source in whole.items()}
        of_pages = [pool.submit(compiled, compiler, FLAGS, folders, source) for source in pages]
        for name, job in jobs.items():
            clean, output = job.result()
            if not clean:
                wrong += 1
                print(f"{name}: {compiler} warns or refuses:\n{output[:6000]}")
        for job in of_pages:
            accepted, output = job.result()
            if not accepted or in_a_header.search(output):
                wrong += 1
                print(f"code of the pages: {compiler} warns of a header:\n{output[:6000]}")
    print(f"{len(jobs) + len(of_pages)} units with {' '.join(FLAGS)}, {wrong} with warnings.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
