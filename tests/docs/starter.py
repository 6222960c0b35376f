#!/usr/bin/env python3
"""Copies examples/starter out of the tree and builds it there: with an installed package, whose programs it runs, and from
the sources (FetchContent), whose programs it compiles; and checks that the project says what it needs when it finds neither.

usage: starter.py --cmake CMAKE --source ROOT --build BUILD --compiler CXX [--flags=FLAGS]
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# The project's own choice, Release, takes several times as long to compile with a sanitizer.
BUILD_TYPE = "Release" if "TILEWRIGHT_COMPILE_ALL" in os.environ else "Debug"
PRINTS = {"listing": "(_4,_8):(_8,_1)  (1,2) is at 10", "kernel": "kernel: copied", "planned_copy": "proved: yes"}


def run(*words, fails=False):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if (done.returncode != 0) != fails:
        print(done.stdout)
        sys.exit(f"{'succeeded, and should fail' if fails else 'failed'}: {' '.join(str(word) for word in words)}")
    return done.stdout


class Starter:
    def __init__(self, arguments, scratch):
        self.arguments, self.project, self.scratch = arguments, scratch / "my_project", scratch
        shutil.copytree(arguments.source / "examples/starter", self.project)

    def configure(self, name, *definitions, fails=False):
        build = self.scratch / name
        a = self.arguments
        printed = run(a.cmake, "-S", self.project, "-B", build, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={a.compiler}",
                      f"-DCMAKE_CXX_FLAGS={a.flags}", f"-DCMAKE_BUILD_TYPE={BUILD_TYPE}", *definitions, fails=fails)
        return build, printed

    def without_a_library(self):
        """A configuration that finds no library says what it needs."""
        _, printed = self.configure("none", "-DCMAKE_DISABLE_FIND_PACKAGE_Tilewright=ON", fails=True)
        if "-DCMAKE_PREFIX_PATH=PREFIX" not in " ".join(printed.split()):
            sys.exit(f"without a library the project does not say what it needs:\n{printed}")

    def from_sources(self):
        build, _ = self.configure("sources", f"-DTILEWRIGHT_SOURCE={self.arguments.source}")
        programs = list(PRINTS)[:None if "TILEWRIGHT_COMPILE_ALL" in os.environ else 1]
        run(self.arguments.cmake, "--build", build, "--", *(f"CMakeFiles/{p}.dir/{p}.cpp.o" for p in programs))

    def from_a_package(self):
        prefix = self.scratch / "prefix"
        run(self.arguments.cmake, "--install", self.arguments.build, "--prefix", prefix)
        build, _ = self.configure("package", f"-DCMAKE_PREFIX_PATH={prefix}")
        run(self.arguments.cmake, "--build", build)
        for program, expected in PRINTS.items():
            if expected not in run(build / program).splitlines():
                sys.exit(f"{program} does not print '{expected}'")


def is_the_first_listing(root):
    chapter = (root / "docs/tutorial/1_hello_layout.md").read_text(encoding="utf-8")
    listing = re.search(r"^```cpp\n(.*?)^```", chapter, re.MULTILINE | re.DOTALL)[1]
    if (root / "examples/starter/listing.cpp").read_text(encoding="utf-8") != listing:
        sys.exit("examples/starter/listing.cpp is not the first listing of the tutorial")


def main():
    parser = argparse.ArgumentParser(description="build the starter project outside of the tree")
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--flags", default="")
    arguments = parser.parse_args()
    is_the_first_listing(arguments.source)
    os.environ.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))
    with tempfile.TemporaryDirectory() as folder:
        starter = Starter(arguments, pathlib.Path(folder))
        starter.without_a_library()
        starter.from_sources()
        starter.from_a_package()
    print("the starter project builds from a package and from the sources, and runs")


if __name__ == "__main__":
    main()
