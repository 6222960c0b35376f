"""Builds tests/cuda/engine_check.cpp, which checks the engine on a GPU, with the host's compiler alone: machines with
GPUs often lack the libraries that the whole engine is built with, and its planning and GPU parts need only headers."""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FLAGS = ["-std=c++20", "-O2", "-DFMT_HEADER_ONLY", "-I", str(ROOT), "-I", str(ROOT / "include")]


def run(command):
    """(exit status, output)"""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    return done.returncode, done.stdout


def build(scratch):
    """(exit status, output) and the program; the status is 77 where a tool or a header is missing."""
    compiler, cmake = shutil.which("g++") or shutil.which("clang++"), shutil.which("cmake")
    program = pathlib.Path(scratch) / "engine_check"
    if compiler is None or cmake is None:
        return 77, "skipped: this needs g++ and cmake.", program
    for header in ("fmt/format.h", "nlohmann/json.hpp"):
        probe = subprocess.run([compiler, "-E", "-x", "c++", "-"], input=f"#include <{header}>\n", text=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if probe.returncode != 0:
            return 77, f"skipped: the header {header} is missing.", program
    listed = re.search(r"set\(kernel_floors (\S+)\)", (ROOT / "engine/CMakeLists.txt").read_text(encoding="utf-8"))
    embedded = pathlib.Path(scratch) / "embedded_headers.cpp"
    status, text = run([cmake, "-D", f"OUTPUT={embedded}", "-D", f"INCLUDE={ROOT / 'include'}", "-D",
                        f"FLOORS={listed.group(1)}", "-D", f"ROOT={ROOT}", "-D",
                        f"PTX={ROOT / 'engine/cuda/generic_copy.ptx'}", "-P", ROOT / "engine/cuda/embed_sources.cmake"])
    if status != 0:
        return status, text, program
    sources = [*sorted((ROOT / "engine/cuda").glob("*.cpp")), *sorted((ROOT / "engine/plan").glob("*.cpp")),
               *sorted((ROOT / "engine/kernels/cuda").glob("*/*.cpp")),
               *sorted((ROOT / "engine/kernels/cpu").glob("*/schedule_*.cpp")),
               ROOT / "tests/cuda/engine_check.cpp", embedded]

    def object_of(source):
        return f"{scratch}/{source.parent.parent.name}_{source.parent.name}_{source.stem}.engine.o"

    def compile_one(source):
        return run([compiler, *FLAGS, "-c", source, "-o", object_of(source)])

    with concurrent.futures.ThreadPoolExecutor(max_workers=max(1, (os.cpu_count() or 1) // 2)) as pool:
        compiled = list(pool.map(compile_one, sources))
    for status, text in compiled:
        if status != 0:
            return status, text, program
    status, text = run([compiler, *map(object_of, sources), "-ldl", "-lpthread", "-o",
                        program])
    return status, text, program
