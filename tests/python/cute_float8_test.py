"""Matrix operations of a warp on floats of 8 bits, by ldmatrix from shared memory: on the CPU next to NumPy, traced, and compiled where NVIDIA's compiler is."""
import unittest

from built_package import FOLDER  # noqa: F401  first: it finds the package
import numpy as np
from tilewright import _core, _cute_gpu, cute, cutlass, Layout
from tilewright._cute_gpu_memory import GpuMemory
from tilewright._cute_narrow import decoded, encoded
from tilewright._cute_tensor import Pointer, Tensor
from tilewright.cutlass import Float8E4M3FN, Float8E5M2, Float16, Float32

warp = cute.nvgpu.warp


def multiply(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, mma: cute.TiledMma):
    """c (32,16) = a (32,64) * b (16,64), rows of shared memory of 80 bytes."""
    i, allocator, dtype = cute.arch.thread_idx()[0], cutlass.utils.SmemAllocator(), a.element_type
    rows_a, rows_b = (allocator.allocate_tensor(dtype, cute.make_layout((n, 64), stride=(80, 1)), 128) for n in (32, 16))
    for rows, given, n in ((rows_a, a, 32), (rows_b, b, 16)):
        for at in cutlass.range(i, n * 64, 64):
            rows[at // 64, at % 64] = given[at // 64, at % 64]
    cute.arch.sync_threads()
    mine = mma.get_slice(i)
    x, y, to = mma.make_fragment_A(mine.partition_A(rows_a)), mma.make_fragment_B(mine.partition_B(rows_b)), mine.partition_C(c)
    sums = mma.make_fragment_C(to)
    sums.fill(0.0)
    atom = cute.make_copy_atom(warp.LdMatrix8x16x8bOp(False, 4), dtype)
    for made, rows, fragment in ((cute.make_tiled_copy_A(atom, mma), rows_a, x), (cute.make_tiled_copy_B(atom, mma), rows_b, y)):
        part = made.get_slice(i)
        cute.copy(made, part.partition_S(rows), part.retile(fragment))
    cute.gemm(mma, sums, x, y, sums)
    cute.autovec_copy(sums, to)


class Products(unittest.TestCase):
    def drawn(self, dtype, acc):
        kind, draws = dtype.kind_name, np.random.default_rng(3)
        a, b = (encoded(draws.standard_normal(s).astype(np.float32), kind) for s in ((32, 64), (16, 64)))
        c = np.zeros((32, 16), np.float32 if acc is Float32 else np.float16)
        mma = cute.make_tiled_mma(warp.MmaFP8Op(dtype, acc, (16, 8, 32)), cute.make_layout((2, 1, 1)), permutation_mnk=(32, 16, 32))
        return a, b, c, mma, decoded(a, kind).astype(np.float64) @ decoded(b, kind).astype(np.float64).T

    def test_next_to_numpy(self):
        for dtype in (Float8E4M3FN, Float8E5M2):
            for acc, error in ((Float32, 1e-5), (Float16, 2e-2)):
                a, b, c, mma, product = self.drawn(dtype, acc)
                tensors = [cute.from_dlpack(x) for x in (a, b)]
                for t in tensors:
                    t.element_type = dtype
                cute.kernel(multiply)(*tensors, c, mma).launch(grid=1, block=64)
                np.testing.assert_allclose(c, product, rtol=error, atol=error * 8)

    def test_traced(self):
        for dtype, letters in ((Float8E4M3FN, "E4M3"), (Float8E5M2, "E5M2")):
            a, b, c, mma, _ = self.drawn(dtype, Float32)
            given = [Tensor(Pointer(GpuMemory(x.ctypes.data, x.size, d, 0, x)), Layout.from_array(x)) for x, d in ((a, dtype), (b, dtype), (c, Float32))]
            text = _cute_gpu.source_of(multiply, [*given, mma], (64, 1, 1))[0]
            self.assertIn(f"tilewright::SM89_16x8x32_F32{letters}{letters}F32_TN::run(", text)
            self.assertIn("tilewright::ptx::ldmatrix<4, false>(", text)
            try:
                code = _core.machine_code(text, "multiply", 90)
            except _core.CopyError as error:
                self.assertIn("libnvrtc", str(error))
                continue
            self.assertEqual(code[:4], b"\x7fELF")

    def test_refusals(self):
        with self.assertRaisesRegex(ValueError, r"A and B are Float8E4M3FN or Float8E5M2, sums Float32 or Float16, the shape \(16, 8, 32\)"):
            warp.MmaFP8Op(Float16, Float32, (16, 8, 32))
        with self.assertRaisesRegex(ValueError, "does not transpose: the instruction moves units of 16 bits"):
            warp.LdMatrix8x16x8bOp(True, 4)
        with self.assertRaisesRegex(TypeError, "a block-scaled product is not run here"):
            cute.nvgpu.tcgen05.make_s2t_copy(None)


if __name__ == "__main__":
    unittest.main()
