#!/usr/bin/env python3
"""The programs of examples/, compiled by nvcc from the sources that g++ compiles, print on the GPU what they print on the
CPU: tests/examples/NAME.txt.

Their kernels run there as CUDA grids: nothing that runs kernels on the CPU is linked, except to those whose subject that
is. Skipped where there is no nvcc or no GPU.
"""
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from program import FLAGS, Program, find_tool  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INCLUDES = [f"-I{ROOT / 'include'}", f"-I{ROOT}"]
ENGINE_NEEDS = "#include <boost/context/stack_context.hpp>\n#include <tbb/parallel_for.h>\n"


def output_of(command, **options):
    """(exit status, output)"""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, **options)
    return done.returncode, done.stdout


class Example(Program):
    """A program of examples/ as a CUDA program."""

    WITHOUT_GRID = {"tiled_copy_preview", "checked_launch", "explain_copy"}

    def __init__(self, path):
        super().__init__(path)
        self.starts_grids = self.sanitized = self.name not in self.WITHOUT_GRID
        self.needs_engine = "launch_checked.hpp" in self.path.with_suffix(".hpp").read_text(encoding="utf-8")

    def build(self, nvcc, arch, folder):
        """(exit status, output); status 77 where it cannot run: on an older GPU, or without tilewright::engine."""
        target = self.target_on(arch)
        if target is None:
            return 77, f"needs sm_{self.archs[0]}"
        made = f"{folder}/example_{self.name}.o"
        status, text = output_of([nvcc, *FLAGS, "-O3", "-lineinfo", f"-gencode=arch=compute_{target},code=sm_{target}", *INCLUDES,
                                  "-c", "-x", "cu", str(self.path), "-o", made])
        if status != 0:
            return status, text
        engine = []
        if self.needs_engine:
            if output_of(["g++", "-E", "-x", "c++", "-"], input=ENGINE_NEEDS)[0] != 0:
                return 77, "compiles; not run: tilewright::engine needs oneTBB and Boost.Context"
            # What runs kernels on the CPU; the rest of the engine copies whole tensors.
            engine = [*map(str, sorted((ROOT / "engine/exec").glob("*.cpp"))), "-ltbb", "-lboost_context"]
        return output_of([nvcc, *FLAGS, "-O1", *INCLUDES, made, *engine, "-o", self.program_in(folder)])

    def program_in(self, folder):
        return f"{folder}/example_{self.name}"

    def run_and_compare(self, folder):
        """(exit status, what is wrong)"""
        tests = ROOT / "tests/examples"
        return output_of([sys.executable, "-B", str(tests / "check_output.py"), self.program_in(folder),
                          str(tests / f"{self.name}.txt")])


def all_examples():
    """Those that have kernels: a copy of whole tensors is the engine's, which is compiled by the host's compiler alone."""
    paths = sorted((ROOT / "examples").glob("*.cpp"))
    return [Example(path) for path in paths if "tilewright/engine/" not in path.with_suffix(".hpp").read_text(encoding="utf-8")]


def one_source_of_all(step=1):
    """A program that runs them all (or every STEPth), so that the library is compiled once."""
    names = [example.name for example in all_examples()[::step]]
    return "".join(f'#include "examples/{name}.hpp"\n' for name in names) + \
        "int main() { return " + " + ".join(f"tilewright::examples::run_{name}()" for name in names) + "; }\n"


def main():
    nvcc, smi = find_tool("nvcc"), find_tool("nvidia-smi")
    status, capability = output_of([smi, "--query-gpu=compute_cap", "--format=csv,noheader"]) if smi else (1, "")
    if nvcc is None or status != 0:
        print("skipped: this needs a GPU and nvcc.")
        return 77
    arch = int(capability.split()[0].replace(".", ""))
    failed = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        examples = all_examples()
        for example, (status, text) in zip(examples, pool.map(lambda e: e.build(nvcc, arch, scratch), examples)):
            if status == 0:
                status, text = example.run_and_compare(scratch)
            failed += status not in (0, 77)
            print(f"{example.name}: " + (text.strip() if status else "prints what it prints on the CPU"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
