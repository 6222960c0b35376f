#!/usr/bin/env python3
"""The CUDA programs of this folder compile with nvcc against compat/, and where there is a GPU they print "passed".

A line "// ptx: PATTERN" in the comments that open a program names instructions that its code must have, "// arch: NAME" another
architecture than sm_80; a GPU runs the program only where it is that one's.
Skipped where nvcc is not installed; every eighth without TILEWRIGHT_COMPILE_ALL. Where there is no GPU the first alone is linked, with it.
They are written as published programs for CuTe are, without a line for Tilewright.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SKIPPED = 77
WARNINGS = ["--Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra,-Werror"]
EVERY = "TILEWRIGHT_COMPILE_ALL" in os.environ
# The first architecture with cp.async; its code runs on every later one.
ARCHITECTURE = "sm_80"


def find_nvcc():
    found = shutil.which("nvcc")
    if found is None and os.access("/usr/local/cuda/bin/nvcc", os.X_OK):
        found = "/usr/local/cuda/bin/nvcc"
    return found


def has_gpu():
    if shutil.which("nvidia-smi") is None:
        return False
    listed = subprocess.run(["nvidia-smi", "-L"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return listed.returncode == 0 and "GPU" in listed.stdout


def architecture_of(source):
    named = re.search(r"^// arch: (\w+)$", source.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return named.group(1) if named else ARCHITECTURE


def gpu_runs(source):
    """Whether this machine's GPU runs the code of the program's architecture; those with a letter run on their own alone."""
    architecture = architecture_of(source)
    if not architecture.endswith("a"):
        return True
    asked = subprocess.run(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True)
    return asked.returncode == 0 and asked.stdout.split("\n")[0].strip().replace(".", "") == architecture[3:-1]


def compiled(nvcc, source, program, *options):
    """Compiles one program; returns the compiler's lines, or None when it compiled."""
    architecture = architecture_of(source)
    # -arch=sm_90a makes code of sm_90 too.
    target = f"-arch={architecture}"
    if architecture.endswith("a"):
        target = f"-gencode=arch=compute_{architecture[3:]},code={architecture}"
    command = [nvcc, "-std=c++20", target, f"-I{ROOT / 'include'}", f"-I{ROOT / 'compat'}", *options, str(source), "-o",
               str(program)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return None if done.returncode == 0 else done.stdout


def missing_instructions(nvcc, source, scratch):
    """Sentences about patterns that the program names and its PTX lacks."""
    patterns = re.findall(r"^// ptx: (.*)$", source.read_text(encoding="utf-8"), flags=re.MULTILINE)
    if not patterns:
        return []
    listing = pathlib.Path(scratch) / f"{source.stem}.ptx"
    lines = compiled(nvcc, source, listing, "-O3", "-DNDEBUG", "-ptx")
    if lines is not None:
        return [f"{source.name} does not compile to PTX:\n{lines}"]
    code = listing.read_text(encoding="utf-8")
    return [f"{source.name}: its PTX has no instruction like {pattern}." for pattern in patterns
            if not re.search(pattern, code)]


def main():
    nvcc = find_nvcc()
    if nvcc is None:
        print("skipped: nvcc is not installed.")
        return SKIPPED
    gpu = has_gpu()
    failed = 0
    sources = sorted(pathlib.Path(__file__).parent.glob("*.cu"))[::1 if EVERY else 8]
    with tempfile.TemporaryDirectory() as scratch:
        for source in sources:
            program = pathlib.Path(scratch) / source.stem
            # Without a GPU to run it on one program is linked; -cuda is everything but the host's code, three quarters of the time.
            linked = gpu or (EVERY and source == sources[0])
            lines = compiled(nvcc, source, program, *WARNINGS, *([] if linked else ["-cuda"]))
            missing = missing_instructions(nvcc, source, scratch)
            failed += len(missing)
            print(*missing, sep="\n", end="\n" if missing else "")
            if lines is not None:
                failed += 1
                print(f"{source.name} does not compile:\n{lines}")
            elif gpu and gpu_runs(source):
                done = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                failed += done.returncode != 0
                print(f"{source.name}: {done.stdout.strip()}")
            else:
                print(f"{source.name} compiles; there is no GPU to run it on.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
