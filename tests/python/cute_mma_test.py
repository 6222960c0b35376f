"""Matrix operations: tiled operations as values against PTX's own tables, and kernels that multiply against NumPy; shared structures;
what CUTLASS's programs around matrix products use.
"""
import itertools
import os
import random
import subprocess
import sys
import unittest

from built_package import FOLDER  # first: it finds the package
import numpy as np
import cute_mma_kernels as kernels  # noqa: E402
import tilewright as tw  # noqa: E402
from tilewright import cute, cutlass  # noqa: E402
from tilewright._cute_narrow import decoded, encoded, STORAGE  # noqa: E402
from tilewright.cutlass import BFloat16, Float16, Float32, Int8, Int32  # noqa: E402

OP = "SM80_16x8x16_F32F16F16F32_TN"
warp = cute.nvgpu.warp


def of_ptx(operand, lane, value):
    """(m, k), (n, k) or (m, n) of a thread's value: PTX ISA, "Matrix fragments for mma.m16n8k16"."""
    group, within = divmod(lane, 4)
    if operand == "A":
        return group + 8 * (value // 2 % 2), 2 * within + value % 2 + 8 * (value // 4)
    if operand == "B":
        return group, 2 * within + value % 2 + 8 * (value // 2)
    return group + 8 * (value // 2), 2 * within + value % 2


class Values(unittest.TestCase):
    def test_the_instruction_is_ptxs(self):
        mma = tw.TiledMMA(OP)
        for operand, values, rows in (("A", 8, 16), ("B", 4, 8), ("C", 4, 16)):
            tv = mma.tv(operand)
            for lane, value in itertools.product(range(32), range(values)):
                i, j = of_ptx(operand, lane, value)
                self.assertEqual(tv(lane, value), i + rows * j)

    def test_partitions_of_random_tilings(self):
        """Atoms (m, n, 1) in either order and extents that repeat them: thread t of operation (m, n) has PTX's elements from there on."""
        rng = random.Random(1)
        for _ in range(40):
            m, n, by_rows = rng.choice([1, 2, 4]), rng.choice([1, 2, 3]), rng.random() < 0.5
            atoms = tw.Layout((m, n, 1), (n, 1, 0) if by_rows else (1, m, 0))
            more = rng.choice([1, 2]), rng.choice([1, 2])
            tile = 16 * m * more[0], 8 * n * more[1], 16
            mma = tw.TiledMMA(OP, atoms, rng.choice([tile, (None, None, None)]))
            self.assertEqual(mma.threads, 32 * m * n)
            extents = {"A": (2 * tile[0], 32), "B": (2 * tile[1], 32), "C": (2 * tile[0], 2 * tile[1])}
            for operand, (rows, columns) in extents.items():
                thread = rng.randrange(mma.threads)
                number, lane = divmod(thread, 32)
                at = divmod(number, n) if by_rows else divmod(number, m)[::-1]
                step = {"A": (16 * m, 16), "B": (8 * n, 16), "C": (16 * m, 8 * n)}[operand]
                first = {"A": (16 * at[0], 0), "B": (8 * at[1], 0), "C": (16 * at[0], 8 * at[1])}[operand]
                wanted = {(first[0] + i + a * step[0]) * columns + first[1] + j + b * step[1]
                          for a in range(rows // step[0]) for b in range(columns // step[1])
                          for i, j in (of_ptx(operand, lane, v) for v in range(8 if operand == "A" else 4))}
                layout, offset = mma.partition(operand, tw.Layout((rows, columns), (columns, 1)), thread)
                self.assertEqual({offset + o for o in layout.offsets()}, wanted, f"{mma!r} {operand} thread {thread}")

    def test_what_it_says(self):
        mma = tw.TiledMMA(OP, (2, 2), (32, 32, 16))
        self.assertEqual((mma.threads, mma.tile, mma.shape), (128, (32, 32, 16), (16, 8, 16)))
        self.assertEqual(eval(repr(mma), {"TiledMMA": tw.TiledMMA}), mma)
        self.assertEqual(len({mma, tw.TiledMMA(OP, (2, 2), (32, 32, 16)), tw.TiledMMA(OP)}), 2)
        self.assertIn("T127", str(mma.plot("C")))
        self.assertEqual(str(tw.plot(mma, title="x")), str(mma.plot(title="x")))
        self.assertIn("<svg", mma._repr_svg_())
        scattered = tw.TiledMMA("UniversalFMA", "(8,4,1):(1,8,0)", (tw.Layout("(8,2):(2,1)"), None, None))
        self.assertEqual(str(scattered.partition("C", "(16,4)", 3)[0]), "(1,2,1):(0,1,0)")

    def test_refusals(self):
        mma = tw.TiledMMA(OP, (2, 2), (32, 32, 16))
        for error, words, call in [
                (tw.LayoutError, "there is no matrix operation 'SM80_16x8x16'", lambda: tw.TiledMMA("SM80_16x8x16")),
                (tw.LayoutError, "has the modes M, N and K", lambda: tw.TiledMMA(OP, (1, 1, 1, 1))),
                (tw.LayoutError, "tiler_does_not_fit", lambda: mma.partition("A", "(48,16)", 0)),
                (IndexError, "there is no thread 128 in a tiled matrix operation of 128", lambda: mma.partition("A", "(64,16)", 128)),
                (ValueError, "the operand is 'D'; it is 'A', 'B' or 'C'", lambda: mma.tv("D")),
                (tw.LayoutError, "argument 1 of mma_tv", lambda: tw.mma_tv((1, 2, 3), (16, 8), "32:1", "(32,1,1,1)", 1, 2)),
                (tw.LayoutError, "rank_mismatch", lambda: tw.mma_tv((None, None), (16, 8), "32:1", "(32,1,1)", 1, 2)),
                (ValueError, "there is no matrix operation of a warp with A and B of BFloat16, sums of Float16",
                 lambda: warp.MmaF16BF16Op(BFloat16, Float16, (16, 8, 16))),
                (ValueError, r"and the shape \(8, 8, 8\)", lambda: warp.MmaF16BF16Op(Float16, Float32, (8, 8, 8))),
                (TypeError, "is no matrix operation", lambda: cute.make_tiled_mma(cute.nvgpu.CopyUniversalOp())),
                (ValueError, "moves 1, 2 or 4 matrices, and 3", lambda: warp.LdMatrix8x8x16bOp(False, 3)),
                (ValueError, "elements of 32 bits would be cut", lambda: cute.make_copy_atom(warp.LdMatrix8x8x16bOp(True, 4), Float32))]:
            with self.assertRaisesRegex(error, words):
                call()


class Products(unittest.TestCase):
    def test_kernels_against_numpy(self):
        for name, kernel, arguments, grid, block in kernels.cases():
            kernel(*arguments).launch(grid=grid, block=block)
            a, b, c = arguments[:3]
            wanted = a.astype(np.float64) @ b.astype(np.float64).T + (0.5 if name == "stored by matrices" else 0)
            np.testing.assert_array_equal(c, wanted, name)
            self.assertTrue(c.any())

    def test_gemm_of_one_thread(self):
        """The ranks of fragments; V is multiplied value by value."""
        rng = np.random.default_rng(2)

        def fragment(*shape):
            t = cute.make_rmem_tensor(shape if len(shape) > 1 else shape[0], Float32)
            t.store(rng.integers(-4, 5, cute.size(t)).astype(np.float32))
            return t, np.array([t[i] for i in range(cute.size(t))]).reshape(shape, order="F")
        for a, b, d, how in [((5,), (5,), (5,), "i,i->i"), ((3,), (4,), (3, 4), "m,n->mn"), ((3, 2), (4, 2), (3, 4), "mk,nk->mn"),
                             ((1, 3), (1, 4), (1, 3, 4), "vm,vn->vmn"), ((2, 3, 5), (2, 4, 5), (2, 3, 4), "vmk,vnk->vmn")]:
            (x, of_x), (y, of_y), (z, of_z) = fragment(*a), fragment(*b), fragment(*d)
            cute.gemm(None, z, x, y, z)
            found = np.array([z[i] for i in range(cute.size(z))]).reshape(d, order="F")
            np.testing.assert_array_equal(found, np.einsum(how, of_x, of_y) + of_z)
        with self.assertRaisesRegex(ValueError, r"\(V, M, K\).*their sizes differ"):
            cute.gemm(None, fragment(3, 4)[0], fragment(3, 2)[0], fragment(4, 3)[0], fragment(3, 4)[0])

    def test_refused_launches(self):
        four = cute.make_tiled_mma(warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16)))

        def launched(body, block):
            @cute.kernel
            def kernel(a):
                body(a, cute.arch.thread_idx()[0])
            kernel(np.zeros((16, 16), np.float16)).launch(grid=1, block=block)

        def product(a, thread):
            sums = four.make_fragment_C(four.partition_shape_C((16, 8)))
            cute.gemm(four, sums, *(make(part) for make, part in (
                (four.make_fragment_A, four.partition_shape_A((16, 16))), (four.make_fragment_B, four.partition_shape_B((8, 16))))), sums)

        def small_fragment(a, thread):
            sums = four.make_fragment_C(four.partition_shape_C((16, 8)))
            cute.gemm(four, sums, cute.make_rmem_tensor((4, 1, 1), Float16), cute.make_rmem_tensor((4, 1, 1), Float16), sums)

        def from_global(a, thread):
            copy = cute.make_tiled_copy_A(cute.make_copy_atom(warp.LdMatrix8x8x16bOp(False, 4), Float16), four)
            mine = copy.get_slice(thread)
            cute.copy(copy, mine.partition_S(a), mine.retile(four.make_fragment_A(four.get_slice(thread).partition_A(a))))

        def predicated(a, thread):
            atom = cute.make_copy_atom(warp.LdMatrix8x8x16bOp(False, 4), Float16)
            cute.copy(atom, a, a, pred=cute.make_rmem_tensor(1, cutlass.Boolean))
        for error, words, body, block in [(RuntimeError, f"{OP} needs the 32 threads of a warp, and 16 are here", product, 16),
                                          (ValueError, f"V of {OP} is 8, 4 and 4", small_fragment, 32),
                                          (ValueError, "copies from smem to rmem, and this copy is from gmem to rmem", from_global, 32),
                                          (ValueError, "takes no predicate", predicated, 32)]:
            with self.assertRaisesRegex(error, words):
                launched(body, block)
        with self.assertRaisesRegex(ValueError, "has no field 'accumulate'"):
            four.set("accumulate", False)

    def test_a_missing_barrier_is_found(self):
        """ldmatrix reads rows that other threads wrote."""
        @cute.kernel
        def unordered(a):
            thread = cute.arch.thread_idx()[0]
            mma = cute.make_tiled_mma(warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16)))
            tile = cute.make_tensor(cute.arch.alloc_smem(Float16, 256), cute.make_layout((16, 16), stride=(16, 1)))
            for i in range(8):
                tile[8 * thread + i] = a[0, 0]
            copy = cute.make_tiled_copy_A(cute.make_copy_atom(warp.LdMatrix8x8x16bOp(False, 4), Float16), mma)
            mine = copy.get_slice(thread)
            cute.copy(copy, mine.partition_S(tile), mine.retile(mma.make_fragment_A(mma.get_slice(thread).partition_A(tile))))
        with self.assertRaisesRegex(RuntimeError, "no barrier orders the two"):
            unordered(np.zeros((16, 16), np.float16)).launch(grid=1, block=32)


@cute.struct
class Pair:
    real: Float32
    imaginary: Float32


@cute.struct
class Shared:
    flag: Int8
    numbers: cute.struct.MemRange[Float32, 3]
    pair: Pair
    tile: cute.struct.Align[cute.struct.MemRange[Float16, 8], 64]


class Around(unittest.TestCase):
    def test_structures_have_the_places_of_c(self):
        self.assertEqual((Shared.places, Shared.size_in_bytes(), Shared.__alignof__()),
                         ({"flag": 0, "numbers": 4, "pair": 16, "tile": 64}, 128, 64))

        @cute.union
        class Either:
            number: Int32
            values: cute.struct.MemRange[Float32, 4]
        self.assertEqual((Either.places, Either.size_in_bytes()), ({"number": 0, "values": 0}, 16))
        out = np.zeros(4, np.float32)

        @cute.kernel
        def kernel(out):
            bytes_of_it = cutlass.utils.SmemAllocator().allocate(max(Shared.size_in_bytes(), 256), byte_alignment=64)
            first, second = Shared(bytes_of_it), Shared(bytes_of_it)  # two views of the same memory
            first.numbers[2] = 3.5
            first.pair.real = 2
            out[0], out[1] = second.numbers[2], second.pair.real.ptr.load()
            out[2] = cute.arch.dynamic_smem_size()
            either = cutlass.utils.SmemAllocator().allocate(Either)
            either.number = 0x40490FDB
            out[3] = either.values[0]
        kernel(out).launch(grid=1, block=1)
        np.testing.assert_array_equal(out, np.array([3.5, 2, 256, 3.1415927], np.float32))
        with self.assertRaisesRegex(AttributeError, "numbers is no field of one element"):
            @cute.kernel
            def wrong(out):
                cutlass.utils.SmemAllocator().allocate(Shared).numbers = 1
            wrong(out).launch(grid=1, block=1)

    def test_a_pointers_swizzle_counts_bytes(self):
        @cute.kernel
        def kernel(out):
            layout = cute.make_layout((8, 64), stride=(64, 1))
            t = cutlass.utils.SmemAllocator().allocate_tensor(Float16, layout, swizzle=cute.make_swizzle(3, 4, 3))
            out[0] = str(t.layout) == "Sw<3,3,3> o 0 o (8,64):(64,1)"
        out = np.zeros(1, bool)
        kernel(out).launch(grid=1, block=1)
        self.assertTrue(out[0])
        with self.assertRaisesRegex(ValueError, "moves parts of elements of 32 bits"):
            @cute.kernel
            def parts():
                cutlass.utils.SmemAllocator().allocate_tensor(Float32, cute.make_layout(64), swizzle=cute.make_swizzle(2, 1, 3))
            parts().launch(grid=1, block=1)

    def test_coordinates_beyond_a_tensor(self):
        """A tile beyond the last may be named where a predicate keeps it from being read; an access is refused."""
        a, out = np.arange(32, dtype=np.float32).reshape(4, 8), np.zeros(4, np.float32)

        @cute.kernel
        def kernel(a, out, allowed: cutlass.Constexpr):
            thread = cute.arch.thread_idx()[0]
            beyond, pred = a[thread, None, 2], cute.make_rmem_tensor(1, cutlass.Boolean)
            pred[0] = allowed
            cute.copy(None, beyond, cute.make_tensor(out.iterator + thread, cute.make_layout(1)), pred=pred)
            moved = cute.domain_offset((-1, 3), cute.make_tensor(a.iterator, cute.make_layout((4, 8), stride=(8, 1))))
            if thread > 0:
                out[thread] = moved[thread, 0]
            places = cute.domain_offset((-1, 3), cute.make_identity_tensor((4, 8)))
            assert places[thread, 0] == (thread - 1, 3)
        self.assertEqual([cute.domain_offset(o, cute.as_tensor(np.arange(9)))[1 - o] for o in (0, 1, -3)], [1, 1, 1])
        tiles = cute.zipped_divide(cute.as_tensor(a), (1, 4))
        tiles = cute.make_tensor(tiles.iterator, cute.make_layout((4, 1, 2), stride=(8, 1, 4)))
        kernel(tiles, out, False).launch(grid=1, block=4)
        np.testing.assert_array_equal(out[1:], a[:3, 3])
        with self.assertRaisesRegex(IndexError, r"coordinate \(0,_,2\) of \(4,1,2\):\(8,1,4\) is beyond its extents \(block \(0, 0, 0\), thread 0\)"):
            kernel(tiles, out, True).launch(grid=1, block=4)

    def test_types(self):
        self.assertEqual((BFloat16.width, BFloat16.is_float, BFloat16.is_integer, cutlass.Float8E5M2.width), (16, True, False, 8))
        self.assertTrue(Float32 != Float16 and not Float32 != np.float32 and BFloat16 != Float16 and cutlass.Float8E4M3FN != cutlass.Float8E5M2)
        self.assertIs(cutlass.dtype("Float16"), Float16)
        with self.assertRaisesRegex(TypeError, "there is no number type 'Float17'"):
            cutlass.dtype("Float17")
        for kind, values in (("bfloat16", [1.1015625, 3.3895314e+38, 1.0]), ("float8_e4m3fn", [1.125, 448, 1.0]), ("float8_e5m2", [1.0, 57344, 1.0])):
            bits = np.arange(1 << 8 * STORAGE[kind].itemsize).astype(STORAGE[kind])
            numbers = decoded(bits, kind)
            finite = np.isfinite(numbers)
            np.testing.assert_array_equal(encoded(numbers, kind)[finite], bits[finite])
            self.assertEqual(decoded(encoded(np.array([1.1, 3.38953139e38, 1 + 2.0 ** -12]), kind), kind).tolist(), [np.float32(v) for v in values], kind)
        self.assertEqual((type(BFloat16(3) * 2.0), type(BFloat16(1) * Float32(2)), float(BFloat16(1) + BFloat16(3 / 256))), (BFloat16, Float32, 1.015625))

        @cute.jit
        def typed(kind, a):  # a type among the arguments is no array
            return kind(a[1])
        self.assertIs(type(typed(Float32, np.arange(3.0))), Float32)

    def test_the_fastest_values_are_found(self):
        """Values that are refused take no part; they are tried anew where an argument of update_on_change differs."""
        import time
        tried, testing = [], cutlass.testing

        @testing.autotune_jit(params_dict={"wait": [0.02, 0, 0.03], "more": [1]}, update_on_change=["n"])
        def waits(a, n, wait=1, more=0):
            tried.append((n, wait))
            time.sleep(wait)
            return wait + more
        self.assertEqual([waits(None, n) for n in (1, 1, 2)], [1, 1, 1])
        self.assertEqual([sum(t == (n, 0.03) for t in tried) for n in (1, 2)], [2, 2])

        def made(bits):
            if bits == 1:
                raise ValueError("1 bit is no width")
            return lambda: time.sleep(0.02 * (bits != 64))
        self.assertEqual(testing.tune(made, {"bits": [1, 128, 64]}), {"bits": 64})
        with self.assertRaisesRegex(ValueError, "none of the values .* can be used: 1 bit is no width"):
            testing.tune(made, {"bits": [1]})
        self.assertEqual(cutlass.utils.get_smem_capacity_in_bytes("sm_80"), 163 << 10)
        with self.assertRaisesRegex(ValueError, "there is no architecture 'sm_1'"):
            cutlass.utils.get_smem_capacity_in_bytes("sm_1")

    def test_ranges_with_the_dsls_keywords(self):
        out = np.zeros(3)

        @cute.kernel
        def kernel(out):
            for i in range(3, unroll_full=True):
                out[i] = i
        kernel(out).launch(grid=1, block=1)
        self.assertEqual(list(out), [0, 1, 2])

    def test_layouts_of_tiles_in_shared_memory(self):
        rows, columns = (cutlass.utils.LayoutEnum.from_tensor(cute.runtime.from_dlpack(np.zeros((8, 4), np.float16, order=o))) for o in "CF")
        self.assertEqual((rows, columns), (cutlass.utils.LayoutEnum.ROW_MAJOR, cutlass.utils.LayoutEnum.COL_MAJOR))
        made = cutlass.utils.hopper_helpers
        self.assertEqual(str(made.make_smem_layout_a(rows, (64, 32, 64), cutlass.Float16, 2)),
                         "Sw<3,4,3> o 0 o ((8,8),(64,1),(1,2)):((64,512),(1,0),(0,4096))")
        self.assertEqual(str(made.make_smem_layout_b(columns, (64, 32, 16), cutlass.Float16, 1)),
                         "Sw<2,4,3> o 0 o ((32,1),(8,2),(1,1)):((1,0),(32,256),(0,0))")
        self.assertTrue(columns.is_n_major_b() and rows.is_n_major_c() and not columns.is_k_major_a())
        with self.assertRaisesRegex(ValueError, "has rows of 96 bits; they are a multiple of 128 bits"):
            made.make_smem_layout_epi(cutlass.Float16, rows, (8, 6), 1)

    def test_missing_names(self):
        with self.assertRaisesRegex(AttributeError, "warp has no 'MmaF7Op'; docs/reference/python.md"):
            warp.MmaF7Op
        for words, call in [("cute.cpasync.make_im2col_tma_atom_a: TMA of images is not run here",
                             lambda: cute.nvgpu.cpasync.make_im2col_tma_atom_a()),
                            ("cute.tcgen05.MmaMXF4Op: this part of tensor memory is not run here", lambda: cute.nvgpu.tcgen05.MmaMXF4Op()),
                            ("cute.warp.MmaMXF4Op: an operation of another GPU is not run here", lambda: warp.MmaMXF4Op())]:
            with self.assertRaisesRegex(TypeError, words):
                call()

    def test_programs_as_printed(self):
        """Modules by NVIDIA's names; what is not here is one sentence."""
        program = """
import tilewright.cutlass as mine
mine.register()
import cutlass, cutlass.cute as cute
from cutlass import testing, Int32
from cutlass.cute.nvgpu import warp, cpasync
from cutlass.cute.runtime import make_fake_compact_tensor, make_fake_stream
from cutlass.utils.tensor_helpers import is_fp8_dtype
from cutlass.utils import print_latex
print_latex(cute.make_layout((2, 2)))
print(warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16)).atom_name, is_fp8_dtype(cutlass.Float16))
print(cute.make_tiled_mma(warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16)), (2, 2, 1)).size, make_fake_stream())
print(make_fake_compact_tensor(cutlass.Float32, (cute.sym_int(), 4)).layout)
kept = cutlass.base_dsl.runtime.cuda.load_cubin_module_data
from cutlass._mlir.dialects import scf
for refused in (lambda: scf.for_(0, 3), lambda: kept(b"")):
    try:
        refused()
    except TypeError as error:
        print(error)
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": FOLDER})
        self.assertEqual(done.returncode, 0, done.stderr)
        for words in (r"\begin{tikzpicture}", f"{OP} False", "128 None", "(1,4):(0,1)",
                      "cutlass._mlir.dialects.scf.for_ is of NVIDIA's compiler, which does not run here",
                      "cutlass.base_dsl.runtime.cuda.load_cubin_module_data is of NVIDIA's compiler"):
            self.assertIn(words, done.stdout)


if __name__ == "__main__":
    unittest.main()
