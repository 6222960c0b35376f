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
int cuTensorMapEncodeTiled(void *map, int element, unsigned rank, void *data, unsigned long const *extent, unsigned long const *stride, unsigned const *box,
                           unsigned const *step, int a, int swizzle, int b, int c) {
  printf("map %d %u %p (%lu,%lu):%lu box (%u,%u) step %u,%u swizzle %d %d %d %d\n", element, rank, data, extent[0], extent[1], stride[0], box[0], box[1],
         step[0], step[1], a, swizzle, b, c);
  memset(map, 7, 128);
  return 0;
}
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

    @unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
    def test_maps_of_tma_are_encoded_at_each_call(self):
        cpasync = cute.nvgpu.cpasync

        class Load:
            @cute.jit
            def __call__(self, a, b):
                tile = cute.make_layout((16, 32), stride=(32, 1))
                atom, there = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileG2SOp(), a, tile, (16, 32))
                self.kernel(atom, there, b, tile).launch(grid=1, block=32)

            @cute.kernel
            def kernel(self, atom, there, b, tile):
                allocator, i = cutlass.utils.SmemAllocator(), cute.arch.thread_idx()[0]
                bar, values = allocator.allocate_array(cutlass.Int64, 1), allocator.allocate_tensor(Float32, tile, 128)
                if i == 0:
                    cute.arch.mbarrier_init(bar, 1)
                cute.arch.mbarrier_init_fence()
                cute.arch.sync_threads()
                part = cute.local_tile(there, (16, 32), (1, 0))
                s, g = cpasync.tma_partition(atom, 0, cute.make_layout(1), *(cute.group_modes(x, 0, 2) for x in (values, part)))
                if i == 0:
                    cute.arch.mbarrier_arrive_and_expect_tx(bar, 2048)
                cute.copy(atom, g, s, tma_bar_ptr=bar)
                cute.arch.mbarrier_wait(bar, 0)
                b[i] = values[3, i]
        with tempfile.TemporaryDirectory() as folder:
            cute.compile(Load(), np.zeros((48, 32), np.float32), np.zeros(32, np.float32)).export_to_c(folder, "steps")
            program = PROGRAM.replace(", (void *)0x30", "")
            for name, text in (("driver.c", DRIVER.replace("number, p[2]", "number, p[0]")), ("program.c", program)):
                pathlib.Path(folder, name).write_text(text, encoding="utf-8")
            for words in (("-shared", "-fPIC", "-o", "libcuda.so.1", "driver.c"), ("-Wall", "-Werror", "-o", "program", "program.c", "steps.o", "-ldl")):
                subprocess.run(["cc", *words], cwd=folder, check=True, capture_output=True)
            out = subprocess.run(["./program"], cwd=folder, check=True, capture_output=True, text=True, env={**os.environ, "LD_LIBRARY_PATH": folder})
        lines = out.stdout.splitlines()
        self.assertIn("map 7 2 0x1000 (32,48):128 box (32,16) step 1,1 swizzle 0 0 2 0", lines)
        self.assertEqual(lines[2], "launch kernel <1,1,1> <32,1,1> 0 stream (nil): 0x2000 0x707070707070707 8192")  # an address, the map's bytes

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
