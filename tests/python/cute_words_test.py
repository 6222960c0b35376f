"""Arithmetic on words, structs of numbers, parts of layouts, and accesses by their memories, in Python kernels: next to Python's integers and NumPy, and as
NVRTC compiles it."""
import unittest

from built_package import FOLDER  # noqa: F401  first: it finds the package
import numpy as np
from tilewright import _cute_gpu, cute, cutlass, Layout
from tilewright._cute_export import launches_of, machine_code_of
from tilewright.cutlass import BFloat16, Float16, Float32, Int32, Int64, Uint32, Uint64

arch = cute.arch


def compiles(test, kernel, *arrays, grid=1, block=32):
    """The kernel's text is compiled by NVRTC, if it is here."""
    @cute.jit
    def host(*given):
        kernel(*given).launch(grid=grid, block=block)
    try:
        for launch in launches_of(cute.compile(host, *map(cute.runtime.from_dlpack, arrays)))[0].launches:
            test.assertGreater(len(machine_code_of(launch, 90)), 1000)
    except RuntimeError as error:
        test.assertIn("libnvrtc", str(error))


@cute.kernel
def numbers_of_96_bits(a, b, out):
    """out: a + b, a - b and a * b + c modulo 2^96, in words from the lowest on."""
    i, _, _ = arch.thread_idx()
    out[0, i, 0] = arch.add_cc(a[i, 0], b[i, 0])
    out[0, i, 1] = arch.addc(a[i, 1], b[i, 1])
    out[0, i, 2] = arch.addc(a[i, 2], b[i, 2])
    out[1, i, 0] = arch.sub_cc(a[i, 0], b[i, 0])
    out[1, i, 1] = arch.subc(a[i, 1], b[i, 1])
    out[1, i, 2] = arch.subc(a[i, 2], b[i, 2])
    out[2, i, 0] = arch.mad_cc(a[i, 0], b[i, 0], a[i, 1])
    out[2, i, 1] = arch.madc(a[i, 1], b[i, 1], b[i, 2])
    out[2, i, 2] = arch.addc(Uint32(0), Uint32(0))


@cute.kernel
def of_words(a, b, out, wide):
    i, _, _ = arch.thread_idx()
    x, y = a[i], b[i]
    out[0, i] = arch.mul24(x, y)
    out[1, i] = arch.mul24(x, y, hi=True)
    out[2, i] = arch.mad24(x, y, Int32(i))
    out[3, i] = arch.add_sat_int(x, y)
    out[4, i] = arch.sub_sat_int(x, y)
    out[5, i] = arch.shf(x, y, Int32(i), "l")
    out[6, i] = arch.shf(x, y, Int32(i + 5), "r")
    out[7, i] = arch.shf(x, y, Int32(2 * i), "clamp_right")
    wide[0, i] = Uint64(arch.mul24(Uint32(x), Uint32(y), hi=True))


@cute.kernel
def halves(a, b, c, out):
    i, _, _ = arch.thread_idx()
    out[i] = arch.fma_f16(a[i], b[i], c[i])
    x, y = arch.fma_packed_f16x2((a[i], b[i]), (b[i], c[i]), (c[i], a[i]))
    out[i + 32], out[i + 64] = x, y


@cute.native_struct
class Sums:
    total: Int32
    largest: Float32
    count: Int32


@cute.kernel
def sums_of_rows(a, out):
    """In a loop and a condition that the GPU decides the fields of a struct change."""
    i, _, _ = arch.thread_idx()
    sums = Sums(largest=-1)
    for k in cutlass.range(a[i, 0], unroll=1):
        x = a[i, 1 + k]
        sums.total += x
        if x % 2 == 0:
            sums.count = sums.count + 1
            if Float32(x) > sums.largest:
                sums.largest = Float32(x)
    out[i, 0], out[i, 1], out[i, 2] = sums.total, Int32(sums.largest), sums.count


@cute.kernel
def product_of_tf32(a, b, d, mma: cute.TiledMma):
    mine = mma.get_slice(arch.thread_idx()[0])
    of_a, of_b, of_d = mine.partition_A(a), mine.partition_B(b), mine.partition_C(d)
    x, y, z = mma.make_fragment_A(of_a), mma.make_fragment_B(of_b), mma.make_fragment_C(of_d)
    for i in cutlass.range_constexpr(cute.size(x)):
        x[i] = of_a[i].to(x.element_type)
    for i in cutlass.range_constexpr(cute.size(y)):
        y[i] = of_b[i].to(y.element_type)
    z.fill(0)
    cute.gemm(mma, z, x, y, z)
    cute.autovec_copy(z, of_d)


@cute.kernel
def by_registers(a, b, load, store):
    i, _, _ = arch.thread_idx()
    source, goal = (cute.local_partition(x, cute.make_layout(32), i) for x in (a, b))
    r = cute.make_fragment_like(source)
    cute.copy(cute.make_copy_atom(load, a.element_type), source, r)
    cute.copy(cute.make_copy_atom(store, a.element_type), r, goal)


class Words(unittest.TestCase):
    def test_carries(self):
        rng = np.random.default_rng(1)
        a, b = rng.integers(0, 1 << 32, (2, 32, 3), dtype=np.uint32)
        a[0], b[0], a[1], b[1] = 0xffffffff, (1, 0, 0), 0, (1, 0, 0)
        out = np.zeros((3, 32, 3), np.uint32)
        numbers_of_96_bits(a, b, out).launch(grid=1, block=32)

        def whole(w):
            return [sum(int(x) << 32 * i for i, x in enumerate(row)) for row in w]
        one = 1 << 96
        self.assertEqual(whole(out[0]), [(x + y) % one for x, y in zip(whole(a), whole(b))])
        self.assertEqual(whole(out[1]), [(x - y) % one for x, y in zip(whole(a), whole(b))])
        a, b = a.astype(object), b.astype(object)
        low = a[:, 0] * b[:, 0] % 2 ** 32 + a[:, 1]
        high = a[:, 1] * b[:, 1] % 2 ** 32 + b[:, 2] + low // 2 ** 32
        np.testing.assert_array_equal(out[2], np.stack([low % 2 ** 32, high % 2 ** 32, high // 2 ** 32], 1).astype(np.uint32))
        compiles(self, numbers_of_96_bits, *(np.zeros(s, np.uint32) for s in ((32, 3), (32, 3), (3, 32, 3))))

    def test_24_bits_saturation_and_funnels(self):
        rng = np.random.default_rng(2)
        a, b = rng.integers(-1 << 31, 1 << 31, (2, 32)).astype(np.int32)
        a[:2], b[:2] = (2 ** 31 - 1, -2 ** 31), (5, 7)
        out, wide = np.zeros((8, 32), np.int32), np.zeros((1, 32), np.uint64)
        of_words(a, b, out, wide).launch(grid=1, block=32)
        i, x, y = np.arange(32), a.astype(np.int64), b.astype(np.int64)
        low = [(v << 40) >> 40 for v in (x, y)]
        np.testing.assert_array_equal(out[0], (low[0] * low[1]).astype(np.int32))
        np.testing.assert_array_equal(out[1], (low[0] * low[1] >> 16).astype(np.int32))
        np.testing.assert_array_equal(out[2], (low[0] * low[1] + i).astype(np.int32))
        for row, total in ((3, x + y), (4, x - y)):
            np.testing.assert_array_equal(out[row], np.clip(total, -2 ** 31, 2 ** 31 - 1))
        both = [(int(h) & 0xffffffff) << 32 | int(l) & 0xffffffff for h, l in zip(a, b)]
        for row, wanted in ((5, [(w << n) >> 32 for n, w in enumerate(both)]), (6, [w >> (n + 5) % 32 for n, w in enumerate(both)]),
                            (7, [w >> min(2 * n, 32) for n, w in enumerate(both)])):
            np.testing.assert_array_equal(out[row].view(np.uint32), [w & 0xffffffff for w in wanted])
        np.testing.assert_array_equal(wide[0], ((x & 0xffffff) * (y & 0xffffff) >> 16) & 0xffffffff)
        compiles(self, of_words, a, b, out, wide)
        with self.assertRaisesRegex(ValueError, "no funnel shift 'left'"):
            arch.shf(Int32(1), Int32(2), 3, "left")
        with self.assertRaisesRegex(TypeError, "mul24 is of Int32 and Uint32, and not of Int64"):
            arch.mul24(Int64(1), Int64(2))

    def test_products_of_halves(self):
        a, b, c = np.random.default_rng(3).standard_normal((3, 32)).astype(np.float16)
        out = np.zeros(96, np.float16)
        halves(a, b, c, out).launch(grid=1, block=32)
        wide = [v.astype(np.float64) for v in (a, b, c)]
        np.testing.assert_array_equal(out[:32], (wide[0] * wide[1] + wide[2]).astype(np.float32).astype(np.float16))
        np.testing.assert_array_equal(out[64:], (wide[1] * wide[2] + wide[0]).astype(np.float32).astype(np.float16))
        self.assertEqual(float(arch.fma_bf16(BFloat16(3), BFloat16(5), BFloat16(0.5))), 15.5)
        self.assertIs(type(arch.fma_f16(1, 2, 3)), Float16)
        compiles(self, halves, a, b, c, out)


class Numbers(unittest.TestCase):
    def test_values_and_limits(self):
        for kind in (Int32, Int64, Uint32, Uint64, cutlass.Int8, cutlass.Uint8, cutlass.Int16, cutlass.Uint16):
            info = np.iinfo(kind.numpy_dtype)
            self.assertEqual((kind.min, kind.max), (info.min, info.max))
            self.assertEqual(kind(info.max + 1).value, info.min)
            self.assertIs(type(kind(5).value), int)
            with self.assertRaisesRegex(ValueError, "is made of a finite number"):
                kind(float("nan"))
            with self.assertRaisesRegex(OverflowError, "is made of a finite number"):
                kind(-float("inf"))
        self.assertEqual((cutlass.Int4.min, cutlass.Int4.max, cutlass.Int4.numpy_dtype), (-8, 7, None))
        self.assertEqual((Float32(0.5).value, cutlass.Boolean(3).value), (0.5, True))
        with self.assertRaisesRegex(TypeError, "Float32 has inf"):
            Float32.max


@cute.kernel
def halved(a, out):
    """A test of `while` assigns a name."""
    i, _, _ = arch.thread_idx()
    n, steps, odd = a[i], Int32(0), Int32(0)
    while (odd := n % 2) == 0 and n > 1:
        n = n // 2
        steps += 1
    out[i, 0], out[i, 1], out[i, 2] = steps, n, odd


class Loops(unittest.TestCase):
    def test_a_name_in_a_test(self):
        a = np.arange(1, 33, dtype=np.int32)
        out = np.zeros((32, 3), np.int32)
        halved(a, out).launch(grid=1, block=32)
        steps = np.array([(x & -x).bit_length() - 1 for x in a.tolist()])
        np.testing.assert_array_equal(out, np.stack([steps, a >> steps, np.ones(32)], 1))
        compiles(self, halved, a, out)


class Structs(unittest.TestCase):
    def test_fields_change_in_loops(self):
        a = np.random.default_rng(4).integers(0, 50, (32, 9)).astype(np.int32)
        a[:, 0] %= 9
        out = np.zeros((32, 3), np.int32)
        sums_of_rows(a, out).launch(grid=1, block=32)
        rows = [row[1:1 + row[0]] for row in a]
        wanted = [(r.sum(), max([-1, *r[r % 2 == 0]]), (r % 2 == 0).sum()) for r in rows]
        np.testing.assert_array_equal(out, wanted)
        compiles(self, sums_of_rows, a, out)

    def test_fields_have_their_types(self):
        made = Sums(total=2 ** 31)
        self.assertEqual((int(made.total), float(made.largest), int(made.count)), (-2 ** 31, 0, 0))
        made.count = 2.75
        self.assertIs(type(made.count), Int32)
        self.assertEqual(Sums(1, 2, 3), Sums(1, 2, 3))
        with self.assertRaisesRegex(TypeError, "the field x of Bad is <class 'str'>"):
            cute.native_struct(type("Bad", (), {"__annotations__": {"x": str}}))


class Layouts(unittest.TestCase):
    def test_compact_layouts_in_the_order_of_another(self):
        rng = np.random.default_rng(5)
        for _ in range(200):
            shape = tuple(int(x) for x in rng.integers(1, 5, rng.integers(1, 5)))
            order = rng.permutation(len(shape))
            stride, at = [0] * len(shape), 1
            for i in order:
                stride[i], at = (at, at * shape[i] * int(rng.integers(1, 4))) if rng.random() < 0.8 else (0, at)
            made = cute.make_layout_like(Layout(shape, tuple(stride)))
            wanted = [s for s, e in zip(stride, shape) if s and e > 1]
            self.assertEqual(made.shape, Layout(shape, tuple(stride)).shape)
            kept = [(s, m) for s, m, e in zip(stride, made.stride if len(shape) > 1 else [made.stride], shape) if s and e > 1]
            self.assertEqual([m for _, m in sorted(kept)], sorted(m for _, m in kept))
            reached = set(made.offsets())
            self.assertEqual(reached, set(range(int(np.prod([e for e, s in zip(shape, stride) if s and e > 1])) if wanted else 1)))

    def test_parts(self):
        swizzled = cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, Layout("(8,64):(64,1)"))
        self.assertEqual(str(cute.get_swizzle_portion(swizzled)), "Sw<3,3,3>")
        self.assertEqual(str(cute.get_swizzle_portion(Layout("8:1"))), "Sw<0,4,3>")
        self.assertEqual(cute.get_nonswizzle_portion(swizzled), Layout("(8,64):(64,1)"))
        for coord in ((2, None), (None, 3), (1, 1)):
            kept, offset = cute.slice_and_offset(coord, Layout("(4,(2,4)):(8,(4,1))"))
            whole = Layout("(4,(2,4)):(8,(4,1))")
            for i in range(1 if isinstance(kept, int) else kept.size):
                at = tuple(i if c is None else c for c in coord)
                self.assertEqual(offset + (0 if isinstance(kept, int) else kept(i)), whole(*at), (coord, i))
        self.assertTrue(cute.is_major(1, (8, 1)) and not cute.is_major(0, (8, 1)) and cute.is_major([0, 1], ((4, 1), 8)))
        self.assertTrue(cute.has_underscore((1, (None, 2))) and not cute.has_underscore((1, 2)))

    def test_accesses_by_their_memories(self):
        a, b = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
        by_registers(a, b, cute.nvgpu.CopyG2ROp(), cute.nvgpu.CopyR2GOp()).launch(grid=1, block=32)
        np.testing.assert_array_equal(a, b)
        with self.assertRaisesRegex(ValueError, "CopyS2ROp copies from smem to rmem, and this copy is from gmem to rmem"):
            by_registers(a, b, cute.nvgpu.CopyS2ROp(), cute.nvgpu.CopyR2GOp()).launch(grid=1, block=32)

    def test_products_of_19_bits(self):
        for k in (4, 8):
            rng = np.random.default_rng(k)
            a, b, d = rng.standard_normal((16, k)).astype(np.float32), rng.standard_normal((8, k)).astype(np.float32), np.zeros((16, 8), np.float32)
            mma = cute.make_tiled_mma(cute.nvgpu.warp.MmaTF32Op((16, 8, k)))
            product_of_tf32(a, b, d, mma).launch(grid=1, block=32)
            x, y = (np.vectorize(lambda v: float(np.round(np.frexp(v)[0] * 2 ** 11) * 2.0 ** (np.frexp(v)[1] - 11)))(v) for v in (a, b))
            np.testing.assert_allclose(d, x @ y.T, rtol=1e-6, atol=1e-6)

            @cute.kernel
            def of_this(a, b, d):
                product_of_tf32.__wrapped__(a, b, d, mma)
            compiles(self, of_this, a, b, d)


if __name__ == "__main__":
    unittest.main(verbosity=2)
