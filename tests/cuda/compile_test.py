#!/usr/bin/env python3
"""Compiles CUDA code with nvcc, without warnings and without a flag that loosens the language.

The kernel of document 001 for every architecture nvcc has, all kernels of tests/cuda/kernels for those at which the
library's instructions change, or for those that the kernel's first line names, every program of tests/cuda and bench/cuda for the architectures it names, and the
programs of examples/, all in one source. Nothing runs, so no GPU is needed (tools/gpu_check runs the programs). Without
TILEWRIGHT_COMPILE_ALL: the kernels for the first architecture with TMA, every twelfth program and every fourth example. The exit
status is 77 when nvcc is not installed.
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from examples_test import one_source_of_all  # noqa: E402
from program import FLAGS, Program, find_tool  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EVERY = "TILEWRIGHT_COMPILE_ALL" in os.environ
INSTRUCTIONS_CHANGE_AT = ["75", "80", "90a", "100a", "120a"] if EVERY else ["90a"]


def architectures(nvcc):
    listed = subprocess.run([nvcc, "--list-gpu-arch"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return [arch.removeprefix("compute_") for arch in listed]


def named_architectures(path):
    """Those of a first line "// archs: 100a", for kernels of one family of instructions."""
    first = path.read_text(encoding="utf-8").splitlines()[0]
    return first.removeprefix("// archs:").split() if first.startswith("// archs:") else []


def compile_with(nvcc, mode, path, archs, output):
    """The compiler's output, empty where it has nothing to say; one more line where it failed."""
    targets = [f"-gencode=arch=compute_{arch},code=sm_{arch}" for arch in archs]
    done = subprocess.run([nvcc, *FLAGS, mode, f"-I{ROOT / 'include'}", f"-I{ROOT}", f"-I{ROOT / 'compat'}",
                           *targets, str(path), "-o", output],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout + ("" if done.returncode == 0 else f"nvcc exits with {done.returncode}.\n")


def main():
    nvcc = find_tool("nvcc")
    if nvcc is None:
        print("skipped: nvcc is not installed.")
        return 77
    kernels = ROOT / "tests/cuda/kernels"
    # -cuda is everything but the host compiler's code generation, half of the time to compile a test.
    cases = [("-fatbin", kernels / "document_001.cu", architectures(nvcc) if EVERY else INSTRUCTIONS_CHANGE_AT),
             *[("-fatbin", path, named_architectures(path) or INSTRUCTIONS_CHANGE_AT)
               for path in sorted(kernels.glob("*.cu")) if path.name != "document_001.cu"]]
    named = slice(None) if "--every" in sys.argv[1:] else slice(1)
    programs = sorted([*ROOT.glob("tests/cuda/*.cu"), *ROOT.glob("bench/cuda/*.cu")])
    cases += [("-cuda", path, Program(path).archs[named]) for path in programs[::1 if EVERY else 12]]
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        examples = pathlib.Path(scratch) / "examples.cu"
        examples.write_text(one_source_of_all(1 if EVERY else 4), encoding="utf-8")
        cases.append(("-cuda", examples, ["90"]))
        said = list(pool.map(lambda case: compile_with(nvcc, *case, f"{scratch}/{case[1].stem}.out"), cases))
    failed = 0
    for (_, path, archs), output in zip(cases, said):
        if output:
            failed += 1
            name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name
            print(f"{name} for {', '.join(archs)} does not compile:\n{output[:4000]}")
    print(f"{len(cases) - failed} of {len(cases)} compile; document 001 for {', '.join(cases[0][2])}.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
