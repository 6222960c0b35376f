"""The tests of the CPU's kernels as one small program, for tools/mutate_cpu and tools/cpu_coverage: engine/cpu and
engine/plan alone, without CMake, for one instruction set, so that a changed file costs seconds."""

import os
import pathlib
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = ["tests/engine/cpu_kernels_test.cpp", "tests/engine/tile_kernel_test.cpp", "tests/engine/interleave_test.cpp",
         "tests/engine/imaged_test.cpp"]
ENGINE = "engine/cpu"

# Highway compiles for one target where it is told so; the flags of the compiler say which. Its version 1.0.3 takes AVX-VNNI for a
# part of AVX3_DL.
TARGETS = {
    "avx2": ["-DHWY_COMPILE_ONLY_STATIC", "-march=haswell", "-maes"],
    "sse4": ["-DHWY_COMPILE_ONLY_STATIC", "-march=westmere", "-maes"],
    "avx3": ["-DHWY_COMPILE_ONLY_STATIC", "-march=skylake-avx512"],
    "avx3_dl": ["-DHWY_COMPILE_ONLY_STATIC", "-DHWY_WANT_AVX3_DL", "-march=icelake-server", "-mavxvnni"],
    "ssse3": ["-DHWY_COMPILE_ONLY_STATIC", "-march=core2"],
    "emu128": ["-DHWY_COMPILE_ONLY_EMU128"],
    "scalar": ["-DHWY_COMPILE_ONLY_SCALAR"],
    "every": ["-DHWY_WANT_AVX3_DL"],  # all of them, chosen at run time
}
FLAG_OF_CPU = {"avx2": "avx2", "sse4": "sse4_2", "avx3": "avx512bw", "avx3_dl": "avx512vbmi", "ssse3": "ssse3"}


def runs_here(target):
    """Has this machine the instruction set?"""
    if target not in FLAG_OF_CPU:
        return True
    info = pathlib.Path("/proc/cpuinfo").read_text() if pathlib.Path("/proc/cpuinfo").exists() else ""
    return any(FLAG_OF_CPU[target] in line.split() for line in info.splitlines() if line.startswith("flags"))


def sources():
    """The files of the program: those that are measured or changed, and the others."""
    own = sorted((ROOT / ENGINE).glob("*.cpp")) + sorted((ROOT / "engine/kernels/cpu").rglob("*.cpp"))
    rest = sorted((ROOT / "engine/plan").glob("*.cpp")) + sorted((ROOT / "engine/kernels/cuda").rglob("*.cpp"))
    rest += [ROOT / "engine/exec/parallel_ranges.cpp", *(ROOT / test for test in TESTS)]
    return [str(p.relative_to(ROOT)) for p in own], [str(p.relative_to(ROOT)) for p in rest]


def is_vector_code(source):
    """Does the file depend on the instruction set?"""
    return "hwy/foreach_target.h" in (ROOT / source).read_text()


class Build:
    """The objects of one target; those that do not depend on it are shared through `folder`."""

    def __init__(self, folder, target, flags, jobs=2):
        self.folder, self.target, self.flags, self.jobs = pathlib.Path(folder).resolve(), target, list(flags), jobs
        (self.folder / target).mkdir(parents=True, exist_ok=True)
        launcher = os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER", "")
        self.compiler = shlex.split(launcher) + [os.environ.get("CXX", "g++")]

    def object_of(self, source):
        name = source.replace("/", "_") + ".o"
        return self.folder / self.target / name if is_vector_code(source) else self.folder / name

    def compile(self, source, flags=(), overlay=None, output=None):
        """Compiles ROOT/source, or the file of that name in `overlay`, whose headers come first. Returns its errors."""
        where = overlay / source if overlay and (overlay / source).exists() else ROOT / source
        command = [*self.compiler, "-std=c++20", *self.flags, *flags]
        command += TARGETS[self.target] if is_vector_code(source) else []
        command += [f"-I{overlay}"] if overlay else []
        command += [f"-I{ROOT / d}" for d in ("", "include", "tests/support")]
        command += ["-DFMT_HEADER_ONLY=1", "-c", str(where), "-o", str(output or self.object_of(source))]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        return "" if done.returncode == 0 else done.stderr

    def compile_all(self, some, flags=()):
        """Those that have no object yet."""
        some = [s for s in some if not self.object_of(s).exists()]
        with ThreadPoolExecutor(self.jobs) as pool:
            for source, errors in zip(some, pool.map(lambda s: self.compile(s, flags), some)):
                if errors:
                    raise SystemExit(f"{source} does not compile:\n{errors}")

    def link(self, objects, program, flags=()):
        command = ["g++", *self.flags, *flags, *map(str, objects), "-o", str(program)]
        command += ["-lgtest_main", "-lgtest", "-lhwy", "-ltbb", "-lpthread"]
        done = subprocess.run(command, capture_output=True, text=True)
        return "" if done.returncode == 0 else done.stderr
