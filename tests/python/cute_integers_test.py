"""Integers that NumPy lacks in kernels of CuTe's Python DSL: Int4, Uint4, Int128 and Uint128 against Python's integers, tensors of them
against their bytes, and what is refused. Traced kernels with Int4 are cases of cute_trace_test.py.
"""
import unittest

import built_package  # noqa: F401
import numpy as np
from cute_trace_test import as_if_on_gpu
from tilewright import _core, _cute_gpu, cute, cutlass
from tilewright.cutlass import BFloat16, Float16, Float32, Float64, Int4, Int8, Int16, Int32, Int64, Int128, Uint4, Uint8, Uint64, Uint128

RANGES = {Int4: (4, True), Uint4: (4, False), Int128: (128, True), Uint128: (128, False)}


def wrapped(x, bits, signed):
    x %= 1 << bits
    return x - (1 << bits) if signed and x >= 1 << bits - 1 else x


class Numbers(unittest.TestCase):
    def test_arithmetic_wraps(self):
        for made, (bits, signed) in RANGES.items():
            numbers = range(16) if bits == 4 else [0, 1, 5, (1 << 63) + 3, (1 << 64) - 1, (1 << 127) - 1, (1 << 128) - 7]
            numbers = [wrapped(n, bits, signed) for n in numbers]
            self.assertEqual([made(n + (1 << bits)) for n in numbers], numbers)
            for a in numbers:
                self.assertEqual((-made(a), ~made(a)), (wrapped(-a, bits, signed), wrapped(~a, bits, signed)))
                for b in numbers:
                    for name, compute in [("+", lambda x, y: x + y), ("-", lambda x, y: x - y), ("*", lambda x, y: x * y),
                                          ("^", lambda x, y: x ^ y), ("//", lambda x, y: x // y if y != 0 else x), ("<", lambda x, y: x < y)]:
                        found = compute(made(a), made(b))
                        if name != "<":
                            self.assertIs(type(found), made)
                        self.assertEqual(found, wrapped(compute(a, b), bits, signed) if name != "<" else a < b, f"{made}({a}) {name} {b}")

    def test_results_and_conversions(self):
        for x, value, kind in [(Int4(7) + 1, -8, Int4), (Int4(3) + Float16(1.5), 4.5, Float16), (Int4(3) + Int8(100), 103, Int8),
                               (Uint4(15) + Int8(1), 16, Int8), (Uint8(200) + Int4(-1), 199, Int16), (Uint4(3) + Int4(-4), -1, Int8),
                               (Int4(5) / 2, 2.5, Float64), (Float32(-3.7).to(Int4), -3, Int4), (Int32(9).to(Int4), -7, Int4),
                               (Int4(-1).to(Uint4), 15, Uint4), (Int4(-1).to(Uint8), 255, Uint8), (Int4(-3).to(BFloat16), -3, BFloat16),
                               (Int32(3) - Int128(5), -2, Int128), (Uint64(2**64 - 1) + Int128(1), 2**64, Int128),
                               (Int128(-1) + Uint128(0), 2**128 - 1, Uint128), (Int128(2**100 + 7).to(Int64), 7, Int64),
                               (Int128(2**100).to(Float32), 2.0**100, Float32), (Int32(2**70 + 5), 5, Int32), (Int128(Int4(-2)), -2, Int128)]:
            self.assertEqual((x, type(x)), (value, kind))
        self.assertEqual([(t.width, t.is_integer, t.signed) for t in RANGES], [(4, True, True), (4, True, False), (128, True, True), (128, True, False)])
        self.assertTrue(isinstance(Int4(1), cutlass.Integer) and issubclass(Uint128, cutlass.Integer) and not isinstance(Int128(1), cutlass.Float))
        self.assertEqual((Int128(3) // 0, Int128(3) % 0, Int4(3) // 0), (0, 0, 0))  # as NumPy's integers
        values = cute.as_tensor(np.array([-9, -8, 7, 8], np.float32)).load().to(Int4)
        self.assertEqual((values.dtype, list(values), list((values + 1).to(Float16))), (Int4, [7, -8, 7, -8], [-8, -7, -8, -7]))


class Tensors(unittest.TestCase):
    def test_two_elements_are_a_byte(self):
        a = np.array([0x21, 0x43, 0xf8, 0x9a], np.uint8)
        t = cute.recast_tensor(cute.as_tensor(a), Int4)
        self.assertEqual((t.shape, list(t.load())), ((8,), [1, 2, 3, 4, -8, -1, -6, -7]))
        self.assertEqual(list(cute.recast_tensor(cute.as_tensor(a), Uint4).load()), [1, 2, 3, 4, 8, 15, 10, 9])
        t[2], t[5] = -1, 9
        self.assertEqual((cute.size_in_bytes(Int4, t.layout), cute.size_in_bytes(Int4, cute.make_layout(9))), (4, 5))
        self.assertEqual(a.tolist(), [0x21, 0x4f, 0x98, 0x9a])
        r = cute.make_rmem_tensor((3, 1), Int4)
        r.store(cute.full((3, 1), 5, Int4))
        self.assertEqual(list(cute.make_tensor(r.iterator.recast(Uint8), cute.make_layout(2)).load()), [0x55, 0x05])
        with self.assertRaisesRegex(ValueError, "element 1 of 4 bits is not at a multiple of 8 bits"):
            (t.iterator + 1).recast(Uint8)
        with self.assertRaisesRegex(IndexError, "offset 8, outside of the 8 elements"):
            cute.make_tensor(t.iterator, cute.make_layout(9))[8]

    def test_words_of_128_bits(self):
        r = cute.make_rmem_tensor(2, Int128)
        r[0], r[1] = -5, 2**100
        self.assertEqual(list(r.load()), [-5, 2**100])
        self.assertEqual(list(cute.recast_tensor(r, Uint64).load()), [2**64 - 5, 2**64 - 1, 0, 2**36])

    def test_a_kernel_scales_int4(self):
        """Weights of 4 bits through shared memory, with a scale for each row, as in a product of mixed types."""
        @cute.kernel
        def scaled(packed, scales, out):
            x, _, _ = cute.arch.thread_idx()
            weights = cute.recast_tensor(packed, Int4)
            tile = cutlass.utils.SmemAllocator().allocate_tensor(Int4, cute.make_layout((16, 8)))
            cute.copy(cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Int4, num_bits_per_copy=32), weights[None, x], tile[None, x])
            cute.arch.sync_threads()
            mine = cute.make_rmem_tensor_like(tile[None, 7 - x])
            cute.autovec_copy(tile[None, 7 - x], mine)
            out[None, x].store(mine.load().to(Float32) * scales[x])
        packed = np.random.default_rng(3).integers(0, 256, (8, 8), np.uint8)
        scales, out = np.arange(1, 9, dtype=np.float32), np.zeros((16, 8), np.float32)
        scaled(cute.as_tensor(packed.T), scales, out).launch(grid=1, block=8)
        halves = np.stack([packed & 15, packed >> 4], -1).reshape(8, 16).astype(int)
        np.testing.assert_array_equal(out.T, np.where(halves > 7, halves - 16, halves)[::-1] * scales[:, None])

    def test_a_structure_of_half_bytes(self):
        @cute.struct
        class Storage:
            weights: cute.struct.MemRange[Int4, 9]
            scale: Float32

        @cute.kernel
        def kernel(out):
            storage = cutlass.utils.SmemAllocator().allocate(Storage)
            weights = storage.weights.get_tensor(cute.make_layout(9))
            weights.fill(3)
            weights[8], storage.scale = -2, 0.5
            out[0] = weights.load().to(Int32).reduce(cute.ReductionOp.ADD, 0, 0)
            out[1] = cute.make_tensor(cute.recast_ptr(weights.iterator + 2, dtype=Uint8), cute.make_layout(2))[0].to(Int32)
        out = np.zeros(2, np.int32)
        kernel(out).launch(grid=1, block=1)
        self.assertEqual((Storage.size_in_bytes(), out.tolist()), (12, [22, 0x33]))

    def test_threads_that_write_halves_of_a_byte(self):
        @cute.kernel
        def halves(a):
            x, _, _ = cute.arch.thread_idx()
            cute.recast_tensor(a, Uint4)[x] = x
        with self.assertRaisesRegex(RuntimeError, "two elements of 4 bits are in one byte"):
            halves(np.zeros(2, np.uint8)).launch(grid=1, block=2)


class Refusals(unittest.TestCase):
    def test_what_a_gpu_does_not_do_with_two_words(self):
        def crossing(a):
            a[0] = cute.arch.shuffle_sync_bfly(Int128(a[0]), 1).to(Int32)

        def printing(a):
            cute.printf("{}", a[0].to(Uint128))

        def given(a, n: Int128):
            a[0] = n.to(Int32)
        for function, words, more in [(crossing, "does not exchange with another lane numbers of int128", ()), (printing, "does not print numbers of uint128", ()),
                                      (given, "argument 1 is a number of int128, which no launch passes; declare Int64", (Int128(3),))]:
            with self.assertRaisesRegex(TypeError, words):
                _cute_gpu.source_of(function, [as_if_on_gpu(np.zeros(4, np.int32)), *more], (32, 1, 1))

    def test_two_words_compile(self):
        def wide(a):
            x = cute.recast_tensor(a, Int128)
            x[0] = x[1] * x[0] // Int128(10**30)
        text = _cute_gpu.source_of(wide, [as_if_on_gpu(np.zeros(4, np.int64))], (1, 1, 1))[0]
        try:
            code = _core.machine_code(text, "wide", 90)
        except _core.CopyError as error:
            return self.assertIn("libnvrtc", str(error))
        self.assertEqual(code[:4], b"\x7fELF")


if __name__ == "__main__":
    unittest.main()
