"""What the tests of flags share: the headers that need no CUDA, and programs made of all of them."""
import os
import pathlib
import shutil
import subprocess

SKIPPED = 77
CUDA_ONLY = ("exec/cuda/",)


def host_headers(include_dir):
    """The public headers that compile without CUDA, as they are included."""
    found = sorted(path.relative_to(include_dir).as_posix() for path in include_dir.rglob("*.hpp"))
    return [header for header in found if not any(part in header for part in CUDA_ONLY)]


def including(headers, more=""):
    return "".join(f'#include "{header}"\n' for header in headers) + more


def compiled(compiler, flags, include_dirs, source, program=None):
    """(whether it compiles, what the compiler says); without a program to write, the syntax and all instantiations."""
    output = ["-o", str(program)] if program else ["-fsyntax-only"]
    done = subprocess.run([compiler, "-std=c++20", *flags, *(f"-I{folder}" for folder in include_dirs), str(source), *output],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=os.environ | {"LC_ALL": "C.UTF-8"})
    return done.returncode == 0, done.stdout


def is_installed(compiler):
    return shutil.which(compiler) is not None


def here():
    return pathlib.Path(__file__).resolve().parent
