"""Matrix operations of a warpgroup against NumPy, and as text for a GPU; persistent schedulers; inline PTX.

Where nvcc is installed, the traced kernels are compiled for sm_90a.
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from built_package import FOLDER  # noqa: F401  first: it finds the package
import numpy as np
import cute_warpgroup_kernels as kernels
import tilewright as tw
from tilewright import _cute_gpu, _cute_launch, cute, cutlass
from tilewright._cute_numbers import number_type
from tilewright._cute_ptx import llvm, T
from tilewright._cute_tensor import Pointer, Tensor
from tilewright._cute_warpgroup import descriptor_fields
from tilewright.cutlass import BFloat16, Float16, Float32, Float8E4M3FN, Float8E5M2, Int8, Int32

warpgroup, utils = cute.nvgpu.warpgroup, cutlass.utils
K, MN = warpgroup.OperandMajorMode.K, warpgroup.OperandMajorMode.MN
SMEM = warpgroup.OperandSource.SMEM
NVCC = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")


def as_if_on_gpu(x, dtype=None):
    """An array of the host, as a tensor of a GPU's memory at the same address."""
    layout = tw.Layout.from_array(x)
    return Tensor(Pointer(_cute_gpu.GpuMemory(x.ctypes.data, layout.cosize, number_type(dtype or x.dtype), 0, x)), layout)


def traced(function, arguments):
    """The text of the kernel that a jit function launches."""
    made, was = [], _cute_launch.launch
    _cute_launch.launch = lambda *given: made.append(given)
    try:
        function(*(as_if_on_gpu(x) if isinstance(x, np.ndarray) else x for x in arguments))
    finally:
        _cute_launch.launch = was
    kernel, given, grid, block, *_ = made[0]
    return _cute_gpu.source_of(kernel, given, _cute_launch._three(block, "block"))[0]


class Products(unittest.TestCase):
    def test_on_the_cpu(self):
        for name, function, (a, b, c) in kernels.products():
            function(a, b, c)
            np.testing.assert_array_equal(c, kernels.multiplied(a, b, c) + function.more, name)
            self.assertTrue(c.any(), name)
        function, (a, b, c) = kernels.persistent()[0]
        function(a, b, c)
        np.testing.assert_array_equal(c, kernels.multiplied(a, b, c))

    def test_traced(self):
        texts = {name: traced(function, arguments) for name, function, arguments in kernels.products()}
        self.assertEqual(texts["K and K"].count("tw_product<tilewright::warpgroup_mma<32, float, tilewright::half_t"), 4)
        self.assertEqual(texts["two warpgroups"].count("tw_product<"), 2)
        self.assertIn(", 0x4000004000010000ull), adds", texts["K and K"])  # 128 bytes swizzled: 1024 between eight rows
        self.assertIn("tilewright::SM90::GMMA::Major::MN>>", texts["MN and MN"])
        texts["persistent"] = traced(*kernels.persistent()[0])
        self.assertIn("for (;;) {", texts["persistent"])
        self.assertIn("tilewright::ptx::give_registers<40>();", texts["persistent"])
        self.compiled(texts)

    def test_floats_of_one_byte(self):
        function = kernels.Product((64, 32, 64), types=(Float8E4M3FN, Float32))
        given = [as_if_on_gpu(np.zeros((n, 64), np.uint8), Float8E4M3FN) for n in (64, 32)]
        text = traced(function, [*given, np.zeros((64, 32), np.float32)])
        self.assertEqual(text.count("warpgroup_mma<32, float, tilewright::float_e4m3_t, tilewright::float_e4m3_t, true"), 2)
        self.compiled({"bytes": text})

    def compiled(self, texts):
        """By nvcc, where it is installed: the headers first, then each kernel in a namespace of its own."""
        if NVCC is None:
            return
        lines = [(n, line) for n, text in enumerate(texts.values()) for line in text.split("\n")]
        includes = sorted({line for _, line in lines if line.startswith("#include")})
        bodies = [f"#undef TW_HOLD_SUMS\nnamespace n{n} {{\n" + "\n".join(line for m, line in lines if m == n and line not in includes).replace(
            " kernel(", f" kernel{n}(") + "\n}" for n in range(len(texts))]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "kernels.cu")
            path.write_text("\n".join(includes + bodies), encoding="utf-8")
            done = subprocess.run([NVCC, "-std=c++20", "-arch=sm_90a", "-w", "-ptx", "-o", os.devnull, "-I", str(pathlib.Path(
                __file__).resolve().parents[2] / "include"), str(path)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr[:3000])

    def test_descriptors(self):
        """PTX ISA, "Strides": offsets in 16 bytes between parts of a tile, and the kind of swizzle."""
        for kind, extents, fields in [("K_SW128", (64, 16), (1, 64, 1)), ("K_SW32", (64, 16), (1, 16, 3)), ("K_INTER", (64, 16), (64, 8, 0)),
                                      ("MN_SW128", (64, 16), (0, 64, 1)), ("MN_SW64", (64, 16), (32, 64, 2)), ("K_SW128", (8, 16), (1, 0, 1))]:
            atom = warpgroup.make_smem_layout_atom(warpgroup.SmemLayoutAtomKind[kind], Float16)
            outer = tw.composition(tw.tile_to_shape(atom, (64, 64)).outer, tuple(map(tw.Layout, extents)))
            pieces = int(kind.rpartition("SW")[2]) // 16 if "SW" in kind else 1
            self.assertEqual(descriptor_fields(outer, pieces, 16, kind[0] == "K"), fields, kind)
        self.assertIsNone(descriptor_fields(tw.Layout((64, 16), (17, 1)), 1, 16, True))

    def test_refusals(self):
        def operation(*given):
            return lambda: warpgroup.MmaF16BF16Op(*given, SMEM, K, K)
        for words, call in [("sums are Float32, the shape is .64, N, 16.", operation(BFloat16, Float16, (64, 32, 16))),
                            ("N a multiple of 8 up to 256", operation(Float16, Float32, (64, 12, 16))),
                            ("A and B are Float16 or BFloat16, and Int8", operation(Int8, Int32, (64, 8, 32))),
                            ("of 8 bits, and A in registers, are K-major",
                             lambda: warpgroup.MmaF8Op(Float8E4M3FN, Float8E5M2, Float32, (64, 8, 32), SMEM, MN, K)),
                            ("K_SW128.*Blackwell|is a tile of Blackwell",
                             lambda: warpgroup.make_smem_layout_atom(warpgroup.SmemLayoutAtomKind.MN_SW128_32B, Float16)),
                            ("are a multiple of 128 bits", lambda: utils.hopper_helpers.get_smem_layout_atom(utils.LayoutEnum.ROW_MAJOR, Float16, 12))]:
            with self.assertRaisesRegex(ValueError, words):
                call()
        mma = utils.hopper_helpers.make_trivial_tiled_mma(Float16, Float16, K, K, Float32, (1, 1, 1), (64, 8))

        def launched(layout, wait):
            @cute.kernel
            def kernel(c):
                mine = mma.get_slice(cute.arch.thread_idx()[0])
                shared = [utils.SmemAllocator().allocate_tensor(Float16, tw.Layout((n, 16), layout) if layout else tw.Layout(
                    ((8, n // 8), (8, 2)), ((8, 128), (1, 64)))) for n in (64, 8)]
                sums = mma.make_fragment_C(mine.partition_C(c))
                x, y = mma.make_fragment_A(mine.partition_A(shared[0])), mma.make_fragment_B(mine.partition_B(shared[1]))
                cute.gemm(mma, sums, x, y, sums)
                warpgroup.commit_group()
                warpgroup.wait_group(wait)
                c[0, 0] = sums[0]
            kernel(np.zeros((64, 8), np.float32)).launch(grid=1, block=128)
        with self.assertRaisesRegex(ValueError, "has no matrix descriptor with .*; make the tile by make_smem_layout_atom"):
            launched((16, 1), 0)
        with self.assertRaisesRegex(RuntimeError, "is a sum of products that are in flight; call warpgroup.wait_group before"):
            launched(None, 1)


class Schedulers(unittest.TestCase):
    def test_every_tile_once(self):
        for tiles, cluster, order, clusters in [((4, 3, 1), (1, 1, 1), {}, 5), ((4, 6, 2), (2, 1, 1), {}, 3),
                                                ((5, 3, 1), (1, 1, 1), {"swizzle_size": 2}, 4), ((5, 4, 1), (1, 2, 1), {"raster_along_m": False}, 99)]:
            params = utils.PersistentTileSchedulerParams(tiles, cluster, **order)
            grid = utils.StaticPersistentTileScheduler.get_grid_shape(params, clusters)
            self.assertLessEqual(grid[2], clusters)
            found = []
            for x, y, z in np.ndindex(*grid):
                of_block = utils.StaticPersistentTileScheduler.create(params, (x, y, z), grid)
                for _ in range(100):
                    work = of_block.get_current_work()
                    if not work.is_valid_tile:
                        break
                    found.append(work.tile_idx)
                    of_block.advance_to_next_work()
            self.assertEqual(sorted(found), sorted(np.ndindex(*tiles)), (tiles, order))
        self.assertEqual([params.cluster_at(i)[:2] for i in range(3)], [(0, 0), (0, 1), (1, 0)])
        with self.assertRaisesRegex(ValueError, "its third extent is 1"):
            utils.PersistentTileSchedulerParams((4, 3, 1), (1, 1, 2))
        self.assertEqual(utils.HardwareInfo().get_max_active_clusters(2), utils.HardwareInfo().get_device_multiprocessor_count() // 2)


class InlinePtx(unittest.TestCase):
    @staticmethod
    def called(text, *operands, of=T.f32, constraints="=f,f"):
        return llvm.inline_asm(of(), operands, text, constraints, has_side_effects=False, asm_dialect=llvm.AsmDialect.AD_ATT)

    def test_on_the_cpu(self):
        self.assertEqual(float(self.called("ex2.approx.ftz.f32 $0, $1;", Float32(3))), 8)
        self.assertEqual(int(self.called("mul.hi.u32 $0, $1, $2;", Int32(-1), Int32(2), of=T.i32, constraints="=r,r,r")), 1)
        with self.assertRaisesRegex(TypeError, "the CPU does not compute the inline PTX 'brev.b32"):
            self.called("brev.b32 $0, $1;", Int32(1))

    def test_traced(self):
        def kernel(a):
            i, _, _ = cute.arch.thread_idx()
            a[i] = self.called("tanh.approx.f32 $0, $1;", a[i].ir_value()) + self.called("mov.u32 $0, %laneid;", of=T.i32, constraints="=r")
        text = _cute_gpu.source_of(kernel, [as_if_on_gpu(np.zeros(32, np.float32))], (32, 1, 1))[0]
        self.assertRegex(text, r'asm volatile\("tanh.approx.f32 %0, %1;" : "=f"\(a\d+\) : "f"\(v\d+\) : "memory"\);')
        self.assertRegex(text, r'"mov.u32 %0, %%laneid;" : "=r"\(a\d+\) :  : "memory"')


if __name__ == "__main__":
    unittest.main()
