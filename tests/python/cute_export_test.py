"""Functions compiled ahead: the header and the object file that export_to_c writes, in a program in C whose driver notes what is loaded and launched.
The machine code is NVIDIA's compiler's where it is installed, else a text of the test."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock

from built_package import FOLDER  # noqa: F401  first: it finds the package
import numpy as np
from tilewright import _core, cute, cutlass
from tilewright.cutlass import Float32, Int32

DRIVER = r"""
#include <stdio.h>
#include <string.h>
static int current;
int cuInit(unsigned flags) { (void)flags; return 0; }
int cuCtxGetCurrent(void **c) { *c = current ? &current : 0; return 0; }
int cuCtxSetCurrent(void *c) { current = 1; return c == 0; }
int cuDeviceGet(int *d, int i) { *d = i; return 0; }
int cuDevicePrimaryCtxRetain(void **c, int d) { (void)d; *c = &current; return 0; }
int cuModuleLoadData(void **m, void const *image) { *m = (void *)image; printf("load %.4s\n", (char const *)image); return 0; }
int cuModuleUnload(void *m) { (void)m; printf("unload\n"); return 0; }
int cuModuleGetFunction(void **f, void *m, char const *name) { (void)m; *f = (void *)name; return 0; }
int cuFuncSetAttribute(void *f, int a, int v) { printf("%s attribute %d = %d\n", (char *)f, a, v); return 0; }
static int note(char const *how, void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned s, void *st, void **p) {
  int number;
  memcpy(&number, p[2], sizeof number);
  printf("%s %s <%u,%u,%u> <%u,%u,%u> %u stream %p: %p %p %d\n", how, (char *)f, gx, gy, gz, bx, by, bz, s, st, *(void **)p[0], *(void **)p[1], number);
  return 0;
}
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned s, void *st, void **p, void **e) {
  (void)e;
  return note("launch", f, gx, gy, gz, bx, by, bz, s, st, p);
}
int cuLaunchCooperativeKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned s, void *st, void **p) {
  return note("together", f, gx, gy, gz, bx, by, bz, s, st, p);
}
"""
PROGRAM = r"""
#include "steps.h"
int main() {
  steps_Kernel_Module_t module;
  steps_Tensor_a_t a = {(void *)0x1000};
  steps_Tensor_b_t b = {(void *)0x2000};
  return steps_Kernel_Module_Load(&module) || cute_dsl_steps_wrapper(&module, &a, &b, (void *)0x30) || steps_Kernel_Module_Unload(&module);
}
"""


@cute.kernel
def add(a: cute.Tensor, b: cute.Tensor, n: Int32):
    i = cute.arch.block_idx()[0] * 32 + cute.arch.thread_idx()[0]
    if i < n:
        a[i] = b[i] + 1


@cute.kernel
def through_shared(b: cute.Tensor, a: cute.Tensor, n: Int32):
    s, i = cutlass.utils.SmemAllocator().allocate_tensor(Float32, cute.make_layout(20000), 16), cute.arch.thread_idx()[0]
    s[i] = a[i] * n
    cute.arch.sync_threads()
    b[i] = s[31 - i]


@cute.jit
def steps(a: cute.Tensor, b: cute.Tensor, stream, n: Int32):
    add(a, b, n).launch(grid=(2, 1, 1), block=(32, 1, 1), stream=stream)
    through_shared(b, cute.domain_offset((8,), a), n).launch(grid=1, block=32, cooperative=True, stream=stream)


def compiled(function=steps, extents=64, **named):
    a, b = (cute.runtime.make_fake_compact_tensor(Float32, (extents,)) for _ in "ab")
    return cute.compile(function, a, b, cute.runtime.make_fake_stream(), Int32(50), **named)


def has_compiler():
    try:
        return bool(_core.machine_code("", "nothing", 90))
    except _core.CopyError:
        return False


class Exports(unittest.TestCase):
    def setUp(self):
        if not has_compiler():
            patched = unittest.mock.patch.object(_core, "machine_code", lambda text, *_: b"\x7fELF" + text.encode())
            patched.start()
            self.addCleanup(patched.stop)

    @unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
    def test_a_program_in_c_launches_the_kernels(self):
        with tempfile.TemporaryDirectory() as folder:
            compiled().export_to_c(folder, "steps")
            for name, text in (("driver.c", DRIVER), ("program.c", PROGRAM)):
                pathlib.Path(folder, name).write_text(text, encoding="utf-8")
            run = lambda *words: subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True)  # noqa: E731
            run("cc", "-shared", "-fPIC", "-o", "libcuda.so.1", "driver.c")
            run("cc", "-Wall", "-Wextra", "-Werror", "-Wno-builtin-declaration-mismatch", "-o", "program", "program.c", "steps.o", "-ldl")
            out = subprocess.run(["./program"], cwd=folder, check=True, capture_output=True, text=True, env={**os.environ, "LD_LIBRARY_PATH": folder})
            self.assertEqual(out.stdout.splitlines(), [
                "load \x7fELF", "load \x7fELF", "through_shared attribute 8 = 80000",
                "launch add <2,1,1> <32,1,1> 0 stream 0x30: 0x1000 0x2000 50",
                "together through_shared <1,1,1> <32,1,1> 80000 stream 0x30: 0x2000 0x1000 50", "unload", "unload"])
            self.assertIn("__global__ void __launch_bounds__(32) add(float* p0, float* p1, int a2,", pathlib.Path(folder, "steps.cu").read_text())
            self.assertIn("/* Float32 (64):(1) */\ntypedef struct { void *data; } steps_Tensor_a_t;", pathlib.Path(folder, "steps.h").read_text())
            self.assertEqual(compiled().dump_to_object("steps")[:4], b"\x7fELF")

    def test_machine_code_of_one_kernel(self):
        one = cute.compile(cute.jit(lambda a: add(a, a, 3).launch(grid=1, block=32)), np.zeros(32, np.float16))
        self.assertEqual(one.__cubin__[:4], b"\x7fELF")
        with self.assertRaisesRegex(TypeError, "launches 2 kernels, and __cubin__ is of one"):
            compiled().__cubin__

    def test_architectures(self):
        self.assertEqual(compiled(options="--opt-level 3 --gpu-arch=sm_80").architecture, "sm_80")
        self.assertEqual(cute.compile[cute.GPUArch("sm_100a"), cute.KeepPTX()](steps, None, None, None, Int32(1)).architecture, "sm_100a")
        with unittest.mock.patch.object(_core, "machine_code", side_effect=lambda *given: given[2].to_bytes(1, "little")):
            self.assertEqual(cute.compile[cute.GPUArch("sm_89")](cute.jit(lambda a: add(a, a, 3).launch(grid=1, block=32)),
                                                                 np.zeros(32, np.float16)).__cubin__, bytes([89]))

    def test_refusals(self):
        @cute.kernel
        def prints(a):
            cute.printf("{}", a[0])

        @cute.jit
        def printed(a, b, stream, n):
            prints(a).launch(grid=1, block=1)
        for function, extents, error, text in (
                (printed, 4, TypeError, "the kernel prints prints, which needs this package"),
                (steps, cute.sym_int(), TypeError, r"the extents or strides n\d+ of a have no number"),
                (cute.jit(lambda a, b, stream, n: None), 4, TypeError, "the function launches no kernel")):
            with self.assertRaisesRegex(error, text):
                compiled(function, extents).export_to_c("folder", "name")
        with self.assertRaisesRegex(ValueError, "'a-b' is no name in C"):
            compiled().export_to_c("folder", "a-b")
        with self.assertRaisesRegex(ValueError, "there is no architecture 'fast'"):
            compiled(options="--gpu-arch=fast").export_to_c("folder", "a")
        self.assertFalse(os.path.exists("folder"))


if __name__ == "__main__":
    unittest.main()
