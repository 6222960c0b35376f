#!/usr/bin/env python3
"""Runs the scripts of the how-to pages as a reader would, and compares what they print with the pages.

usage: run_scripts.py ROOT COMMAND [C_LIBRARY]

Each page has a scratch folder. On a page
  <!-- file NAME -->       before a block: the block is that file;
  <!-- runs -->            before an sh or python block: it is run there. A line `$ command` shows a command, others what
                           it prints; a block without such lines is a script, and `<!-- prints -->` may follow.
  <!-- runs with X, Y -->  the same where X and Y are available (Workplace.available); else the rest of the page is not run.
The scripts find tilewright, cc and python3 on PATH, the C library and its header where compilers look, and the
repository in TILEWRIGHT_SOURCE.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import check_snippets
import snippets

FILE = re.compile(r"<!-- file (\S+) -->")
RUNS = re.compile(r"<!-- runs(?: with (.+))? -->")
INTERPRETERS = {"sh": ["sh", "-eu"], "python": ["python3", "-B"]}


def python_with_numpy():
    def has_numpy(python):
        return subprocess.run([python, "-c", "import numpy"], stderr=subprocess.DEVNULL).returncode == 0
    return next((python for python in (sys.executable, "/usr/bin/python3") if shutil.which(python) and has_numpy(python)),
                None)


class Workplace:
    """Where scripts run: what is available, and the environment that scripts get."""

    def __init__(self, root, command, c_library):
        self.root, self.c_library = root, c_library
        self.folder = tempfile.TemporaryDirectory()
        binaries = pathlib.Path(self.folder.name, "bin")
        binaries.mkdir()
        (binaries / "tilewright").symlink_to(pathlib.Path(command).resolve())
        numpy = python_with_numpy()
        (binaries / "python3").write_text(f'#!/bin/sh\nexec {numpy or sys.executable} "$@"\n')
        (binaries / "python3").chmod(0o755)
        self.available = {
            "numpy": numpy is not None,
            "the C library": c_library is not None and shutil.which("cc") is not None,
            "cmake": all(map(shutil.which, ("cmake", "g++"))) and any(map(shutil.which, ("ninja", "make"))),
            "g++": shutil.which("g++") is not None,
        }
        if shutil.which("ninja"):
            os.environ.setdefault("CMAKE_GENERATOR", "Ninja")
        library = str(pathlib.Path(c_library).resolve().parent) if c_library else ""
        self.environment = os.environ | {
            "PATH": f"{binaries}:{os.environ['PATH']}", "TILEWRIGHT_SOURCE": str(root), "LC_ALL": "C.UTF-8",
            "CPATH": str(root / "include"), "LIBRARY_PATH": library, "LD_LIBRARY_PATH": library, "NO_COLOR": "1"}

    def run(self, words, folder):
        done = subprocess.run(words, cwd=folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace")
        return done.returncode, done.stdout


class Script:
    """A block that is run, or shown commands of it; `prints` is None where the page does not say."""

    def __init__(self, place, words, prints=None):
        self.place, self.words, self.prints = place, words, prints


def steps(page, name):
    """('file', name, lines), ('needs', list of needs) and ('run', Script), in the page's order."""
    last = None
    for language, number, lines, before in snippets.blocks(page):
        file, runs = FILE.match(before), RUNS.match(before)
        if file:
            yield "file", file[1], lines
        elif runs:
            if language not in INTERPRETERS:
                raise SystemExit(f"{name}:{number}: only sh and python blocks are run, not '{language}'")
            yield "needs", [need.strip() for need in (runs[1] or "").split(",") if need.strip()], None
            last = None
            if language == "sh" and any(line.startswith("$ ") for line in lines):
                yield from shown_commands(name, number, lines)
            else:
                last = Script(f"{name}:{number}", [*INTERPRETERS[language], "-c", "\n".join(lines)])
                yield "run", last, None
        elif before == snippets.PRINTS and last is not None:
            last.prints = lines
        last = last if runs else None


def shown_commands(name, number, lines):
    script = None
    for offset, line in enumerate(lines):
        if line.startswith("$ "):
            if script:
                yield "run", script, None
            script = Script(f"{name}:{number + offset}", [*INTERPRETERS["sh"], "-c", line[2:]], [])
        else:
            script.prints.append(line)
    yield "run", script, None


def check_page(page, name, workplace):
    """(how many were run, how many were wrong, what was missing)"""
    ran = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind, what, lines in list(steps(page, name)):
            if kind == "file":
                path = pathlib.Path(folder, what)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            elif kind == "needs":
                missing = [need for need in what if not workplace.available[need]]
                if missing:
                    return ran, wrong, missing
            else:
                ran += 1
                status, printed = workplace.run(what.words, folder)
                complaint = "" if what.prints is None else "\n".join(check_snippets.difference(what.prints, printed))
                if status != 0 and what.prints is None:
                    complaint = f"ends with status {status}: {printed.strip()}"
                if complaint:
                    print(f"{what.place}: {complaint}")
                    wrong += 1
    return ran, wrong, []


def main(root, command, c_library=None):
    root = pathlib.Path(root).resolve()
    workplace = Workplace(root, command, c_library)
    ran = wrong = 0
    for page in snippets.pages(root):
        name = page.relative_to(root).as_posix()
        count, failed, missing = check_page(page, name, workplace)
        ran, wrong = ran + count, wrong + failed
        if missing:
            print(f"{name}: the scripts from here on are not run without {', '.join(missing)}")
    print(f"{ran} scripts, {wrong} of them wrong")
    return 1 if wrong or not ran else 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
