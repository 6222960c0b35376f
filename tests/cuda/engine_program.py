"""Builds tests/cuda/engine, which checks the engine on a GPU, with CMake and the host's compiler."""
import os
import pathlib
import shutil
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parent / "engine"


def run(command):
    """(exit status, output)"""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    return done.returncode, done.stdout


def build(scratch):
    """(exit status, output) and the program; the status is 77 where a tool or a library is missing."""
    folder = pathlib.Path(scratch) / "engine_check"
    program = folder / "engine_check"
    missing = [tool for tool in ("g++", "cmake", "ninja") if not shutil.which(tool)]
    if missing:
        return 77, f"skipped: {' and '.join(missing)} cannot be found.", program
    status, text = run(["cmake", "-S", SOURCE, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"])
    if status != 0:
        if "must be installed" in " ".join(text.split()):  # CMake breaks its lines
            return 77, f"skipped: CMake does not find what the engine needs:\n{text[-1500:]}", program
        return status, text[-3000:], program
    status, text = run(["cmake", "--build", folder, "--target", "engine_check", "-j", os.cpu_count() or 1])
    return status, text[-3000:], program
