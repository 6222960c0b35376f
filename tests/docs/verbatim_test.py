#!/usr/bin/env python3
"""Compiles every listing of README.md, the tutorial and the how-to pages as the page shows it: a file with these lines and
nothing else, and the include path of the library; every third of them without TILEWRIGHT_COMPILE_ALL.

usage: verbatim_test.py [PAGE…]      (all of these pages without one)

Precompiled headers of what many listings include first only save time: g++ takes one in place of the same header.
Skipped (exit status 77) where there is no g++.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import snippets

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
COMPILER = ["g++", "-std=c++20"]
WHOLE = re.compile(r"README\.md|docs/(tutorial|howto)/|docs/documents\.md")  # every listing is a whole program
WORTH_IT = 4  # listings that begin with a header, from which on it is precompiled


def listings(root, names):
    """Every cpp block that the page takes for right code."""
    for page in snippets.pages(root):
        name = page.relative_to(root).as_posix()
        if not (name in names if names else WHOLE.match(name)):
            continue
        for language, number, lines, before in snippets.blocks(page):
            if language == "cpp" and before != snippets.REFUSED:
                yield snippets.Snippet(name, number, lines)


def first_header(listing):
    found = re.match(r'#include "(.+)"', listing.code[0])
    return found[1] if found else ""


def precompile(headers, folder):
    for header in headers:
        made = folder / f"{header}.gch"
        made.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([*COMPILER, "-w", "-I", str(ROOT / "include"), "-x", "c++-header", str(ROOT / "include" / header), "-o",
                        str(made)], check=True)


def complaint_of(number, listing, folder):
    """What is wrong with a listing, in one sentence with the compiler's first error; nothing if it compiles."""
    if not listing.is_program:
        return "is a part of a program: show the whole program"
    path = folder / f"listing_{number}.cpp"
    path.write_text("\n".join(listing.code) + "\n", encoding="utf-8")
    done = subprocess.run([*COMPILER, "-fsyntax-only", "-I", str(folder), "-I", str(ROOT / "include"), "-I",
                           str(ROOT / "compat"), str(path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", errors="replace")
    if done.returncode == 0:
        return ""
    errors = [line for line in done.stdout.splitlines() if "error:" in line]
    return "does not compile as shown: " + (errors[0] if errors else done.stdout.strip())


def main(names):
    if not shutil.which("g++"):
        print("skipped: there is no g++ to compile the listings")
        return SKIPPED
    found = list(listings(ROOT, names))[::1 if names or "TILEWRIGHT_COMPILE_ALL" in os.environ else 3]
    begins = collections.Counter(map(first_header, found))
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(scratch)
        precompile([header for header, count in begins.items() if header and count >= WORTH_IT], folder)
        for listing, complaint in zip(found, pool.map(complaint_of, range(len(found)), found, [folder] * len(found))):
            if complaint:
                print(f"{listing.place}: {complaint}")
                wrong += 1
    print(f"{len(found)} listings, {wrong} of them wrong")
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
