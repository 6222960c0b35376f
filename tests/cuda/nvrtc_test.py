#!/usr/bin/env python3
"""Compiles kernels and every header that device code uses with NVRTC, which has no standard library.

No option but the language and this library's include path is given: what compiles here compiles in any program that
embeds the headers. Without TILEWRIGHT_COMPILE_ALL: every third header, and the kernels for one architecture. Nothing runs, so no GPU is needed. The exit status is 77 where libnvrtc is not installed.
"""
import ctypes
import os
import pathlib
import re
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INCLUDE = ROOT / "include"
KERNELS = ROOT / "tests/cuda/kernels"
EVERY = "TILEWRIGHT_COMPILE_ALL" in os.environ
ARCHITECTURES = [75, 80, 90, 100] if EVERY else [90]  # those at which the library's instructions change
ENTRIES = ["tilewright/tilewright.hpp", "tilewright/algorithm/cooperative_gemm.hpp", "tilewright/algorithm/print_mma.hpp",
           "tilewright/exec/cuda/block.hpp"]


def load():
    names = [f"libnvrtc.so.{release}" for release in (13, 12)]
    folders = [pathlib.Path(f"/usr/local/{cuda}/{lib}") for cuda in ("cuda", "cuda-13.0") for lib in ("lib64", "lib")]
    for candidate in names + [str(folder / name) for folder in folders for name in names]:
        try:
            return ctypes.CDLL(candidate)
        except OSError:
            continue
    return None


class Nvrtc:
    def __init__(self, library):
        self.library = library
        count = ctypes.c_int()
        library.nvrtcGetNumSupportedArchs(ctypes.byref(count))
        supported = (ctypes.c_int * count.value)()
        library.nvrtcGetSupportedArchs(supported)
        self.architectures = [arch for arch in ARCHITECTURES if arch in list(supported)]

    def compile(self, source, architecture, *options):
        """(does it compile, without a warning, what the compiler says, seconds)"""
        library, program = self.library, ctypes.c_void_p()
        library.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"kernel.cu", 0, None, None)
        options = ["-std=c++20", f"-I{INCLUDE}", f"--gpu-architecture=sm_{architecture}", *options]
        array = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
        began = time.monotonic()
        status = library.nvrtcCompileProgram(program, len(options), array)
        seconds = time.monotonic() - began
        size = ctypes.c_size_t()
        library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        library.nvrtcGetProgramLog(program, log)
        library.nvrtcDestroyProgram(ctypes.byref(program))
        text = log.value.decode(errors="replace").strip()
        return status == 0 and not text, text, seconds


def headers_of_device_code():
    """The entries and all they include, in order of their names."""
    found, left = set(), list(ENTRIES)
    while left:
        header = left.pop()
        if header in found:
            continue
        found.add(header)
        text = (INCLUDE / header).read_text(encoding="utf-8")
        left += re.findall(r'^#include "(tilewright/[^"]*\.hpp)"', text, flags=re.MULTILINE)
    return sorted(found)[::1 if EVERY else 3]


def main():
    library = load()
    if library is None:
        print("skipped: libnvrtc is not installed.")
        return 77
    nvrtc, failed = Nvrtc(library), 0
    headers = headers_of_device_code()
    cases = [(f"{header} alone", f'#include "{header}"\n', nvrtc.architectures[0]) for header in headers]
    for kernels in sorted(KERNELS.glob("*.cu")):
        cases += [(f"{kernels.name} for sm_{arch}", kernels.read_text(encoding="utf-8"), arch)
                  for arch in nvrtc.architectures]
    for name, source, arch in cases:
        fine, text, seconds = nvrtc.compile(source, arch)
        if not fine:
            failed += 1
            print(f"{name} does not compile without complaints:\n{text[:3000]}")
        elif not name.endswith("alone"):
            print(f"{name}: {seconds:.2f} s")
    print(f"{len(headers)} headers and {len(cases) - len(headers)} programs, {failed} failures.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
