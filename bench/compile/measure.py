#!/usr/bin/env python3
"""Compiles the units of this folder with every compiler that is installed, and prints time, memory and ratios.

usage: measure.py [--compiler NAME]... [--unit NAME]... [--runs N] [--flags FLAGS] [--json FILE]

All units take turns, after one run to warm up, so that whatever else the machine does falls on all of them alike; the
figures are medians. `wall` is what a user waits, `cpu` (user and system time of the compiler and its passes) suffers
less from a busy machine, and the ratio is that of `cpu` to an empty unit's. `memory` is the peak of the largest pass.
"""
import argparse
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FLAGS = {"g++": ["-std=c++20"], "clang++": ["-std=c++20"], "nvcc": ["-std=c++20", "-x", "cu"]}
UNITS = ["empty", "vector", "operations_header", "header", "static_1", "static_20", "static_100", "deep_20", "mixed_20",
         "tiled_copy", "tiled_copy_device"]
ONLY_NVCC = {"tiled_copy_device"}
NOT_NVCC = {"tiled_copy"}  # its threads are the CPU's


def sources(compiler, names):
    """name -> path of the units that this compiler takes."""
    left_out = NOT_NVCC if compiler == "nvcc" else ONLY_NVCC
    found = {name: HERE / (name + (".cu" if name in ONLY_NVCC else ".cpp")) for name in names if name not in left_out}
    return {"empty": HERE / "empty.cpp", **found}


def compile_once(compiler, flags, source, target):
    """(wall seconds, cpu seconds, peak bytes)"""
    command = [compiler, *FLAGS[compiler], *flags, f"-I{ROOT / 'include'}", "-c", str(source), "-o", target]
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    complaint = process.stderr.read().decode(errors="replace")
    _, status, used = os.wait4(process.pid, 0)
    wall = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"compile: {compiler} does not compile {source.name}:\n{complaint}")
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def measure(compiler, flags, names, runs):
    """unit -> {"wall": s, "cpu": s, "memory": bytes, "ratio": to the empty unit}"""
    taken = {name: [] for name in sources(compiler, names)}
    with tempfile.TemporaryDirectory() as scratch:
        target = str(pathlib.Path(scratch) / "unit.o")
        for run in range(runs + 1):
            for name, source in sources(compiler, names).items():
                used = compile_once(compiler, flags, source, target)
                if run > 0:
                    taken[name].append(used)
                if sys.stderr.isatty():
                    print(f"\r\033[K{compiler} {run}/{runs} {name}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    figures = {}
    for name, used in taken.items():
        wall, cpu, memory = (statistics.median(column) for column in zip(*used))
        figures[name] = {"wall": wall, "cpu": cpu, "memory": memory}
    for figure in figures.values():
        figure["ratio"] = figure["cpu"] / figures["empty"]["cpu"]
    return figures


def version(compiler):
    lines = subprocess.run([compiler, "--version"], stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return next((line for line in lines if "release" in line), lines[0])


def show(compiler, flags, figures):
    print(f"{version(compiler)}\n{compiler} {' '.join([*FLAGS[compiler], *flags])} -c")
    print(f"  {'unit':20} {'wall':>8} {'cpu':>8} {'memory':>9} {'cpu / empty':>12}")
    for name, figure in figures.items():
        print(f"  {name:20} {figure['wall']:6.2f} s {figure['cpu']:6.2f} s {figure['memory'] / 1e6:6.0f} MB "
              f"{figure['ratio']:12.1f}")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--compiler", action="append", choices=sorted(FLAGS), help="only this one (may be repeated)")
    parser.add_argument("--unit", action="append", choices=UNITS, help="only this one and the empty one (may be repeated)")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--flags", default="-O2", help="in one word, default -O2")
    parser.add_argument("--json", type=pathlib.Path, help="also write the figures here, in seconds and bytes")
    arguments = parser.parse_args()
    compilers = arguments.compiler or [name for name in FLAGS if shutil.which(name)]
    flags, report = arguments.flags.split(), {}
    if arguments.runs < 1 or not compilers:
        parser.error("at least one run and one compiler are needed")
    print(f"medians of {arguments.runs} runs, {os.cpu_count()} cores, {platform.machine()}\n")
    for compiler in compilers:
        figures = measure(compiler, flags, arguments.unit or UNITS, arguments.runs)
        show(compiler, flags, figures)
        report[compiler] = {"version": version(compiler), "flags": flags, "units": figures}
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
