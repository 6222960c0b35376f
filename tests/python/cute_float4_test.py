"""Floats of 4 and 6 bits, powers of two as scales, and TFloat32 in Python kernels: their numbers next to tables, blocks with scales next to NumPy, and as
NVRTC compiles them."""
import unittest

from built_package import FOLDER  # noqa: F401  first: it finds the package
import numpy as np
from tilewright import cute, cutlass
from tilewright._cute_export import launches_of, machine_code_of
from tilewright.cutlass import Float4E2M1FN, Float6E2M3FN, Float6E3M2FN, Float8E4M3FN, Float8E8M0FNU, Float32, TFloat32

_TABLES = {Float4E2M1FN: [0, .5, 1, 1.5, 2, 3, 4, 6],
           Float6E2M3FN: [*(m / 8 for m in range(8)), *((1 + m / 8) * 2 ** e for e in range(3) for m in range(8))],
           Float6E3M2FN: [*(m / 16 for m in range(4)), *((1 + m / 4) * 2.0 ** e for e in range(-2, 5) for m in range(4))]}


@cute.kernel
def to_blocks(x, q, s, back):
    """Rows of 16: the numbers as floats of 4 bits times a scale, and what they are then."""
    i, _, _ = cute.arch.thread_idx()
    row = x[i, None].load()
    largest = Float32(0)
    for j in cutlass.range_constexpr(16):
        largest = cute.arch.fmax(largest, cute.arch.fmax(x[i, j], -x[i, j]))
    scale = (largest * (1.0 / 6)).to(s.element_type)
    s[i] = scale
    q[i, None].store((row / scale.to(Float32)).to(Float4E2M1FN))
    back[i, None].store(q[i, None].load().to(Float32) * s[i].to(Float32))


@cute.jit
def with_scales(x, q, s, back, kind: cutlass.Constexpr):
    to_blocks(x, cute.recast_tensor(q, Float4E2M1FN), cute.recast_tensor(s, kind), back).launch(grid=1, block=32)


@cute.kernel
def through_registers(x, out, kind: cutlass.Constexpr):
    i, _, _ = cute.arch.thread_idx()
    r = cute.make_rmem_tensor(4, kind)
    for j in cutlass.range_constexpr(4):
        r[j] = x[4 * i + j].to(kind)
    for j in cutlass.range_constexpr(4):
        out[4 * i + j] = r[j].to(Float32) + (r[j] * Float32(0)).to(Float32)


@cute.jit
def converted(x, out, kind: cutlass.Constexpr):
    through_registers(x, out, kind).launch(grid=1, block=32)


def compiles(test, host, *given):
    """Each kernel of a host function is compiled by NVRTC, if it is here."""
    try:
        for launch in launches_of(cute.compile(host, *given))[0].launches:
            test.assertGreater(len(machine_code_of(launch, 90)), 1000)
    except RuntimeError as error:
        test.assertIn("libnvrtc", str(error))


class Numbers(unittest.TestCase):
    def test_all_numbers_and_what_is_between(self):
        for kind, table in _TABLES.items():
            table = np.array(table)
            self.assertEqual(2 * len(table), 1 << kind.width)
            for sign in (1, -1):
                self.assertEqual([float(kind(sign * x)) for x in table], [sign * x for x in table])
            middle = (table[1:] + table[:-1]) / 2
            even = np.where(np.arange(len(middle)) % 2 == 0, table[:-1], table[1:])
            self.assertEqual([float(kind(x)) for x in middle], even.tolist(), kind)
            self.assertEqual([float(kind(x * 0.999)) for x in middle[1:]], table[1:-1].tolist(), kind)
            self.assertEqual(float(kind(1e9)), table[-1])
            self.assertEqual(float(kind(-np.inf)), -table[-1])

    def test_powers_of_two(self):
        for x, wanted in ((1, 1), (1.01, 2), (0.5, 0.5), (0, 2.0 ** -127), (3, 4), (-3, 4), (2.0 ** 127, 2.0 ** 127), (1e-40, 2.0 ** -127), (3e38, 2.0 ** 127)):
            self.assertEqual(float(Float8E8M0FNU(x)), wanted, x)
        self.assertTrue(np.isnan(float(Float8E8M0FNU(np.inf))) and np.isnan(float(Float8E8M0FNU(np.nan))))

    def test_tfloat32_has_11_digits(self):
        x = np.random.default_rng(1).standard_normal(500).astype(np.float32)
        wanted = [float(np.round(np.frexp(v)[0] * 2 ** 11) * 2.0 ** (np.frexp(v)[1] - 11)) for v in x.astype(np.float64)]
        self.assertEqual([float(TFloat32(v)) for v in x], wanted)

    def test_conversions_in_kernels(self):
        x = (np.random.default_rng(2).standard_normal(128) * 3).astype(np.float32)
        for kind in (*_TABLES, Float8E8M0FNU, TFloat32):
            with self.subTest(kind=kind):
                out = np.zeros_like(x)
                converted(x, out, kind)
                self.assertEqual(out.tolist(), [float(kind(v)) for v in x])
                compiles(self, converted, cute.runtime.from_dlpack(x), cute.runtime.from_dlpack(out), kind)


class Blocks(unittest.TestCase):
    def test_blocks_with_scales(self):
        x = np.random.default_rng(3).standard_normal((32, 16)).astype(np.float32)
        table = np.array(_TABLES[Float4E2M1FN])
        for kind in (Float8E8M0FNU, Float8E4M3FN):
            with self.subTest(kind=kind):
                q, s, back = np.zeros((32, 8), np.uint8), np.zeros(32, np.uint8), np.zeros_like(x)
                with_scales(*map(cute.runtime.from_dlpack, (x, q, s, back)), kind)
                scale = np.array([float(kind(np.float32(m) * np.float32(1 / 6))) for m in np.abs(x).max(1)])[:, None]
                codes = np.stack([q & 15, q >> 4], 2).reshape(32, 16)
                numbers = np.where(codes >= 8, -1, 1) * table[codes & 7]
                np.testing.assert_array_equal(back, (numbers * scale).astype(np.float32))
                nearest = np.abs(np.minimum(np.abs(x / scale), 6)[..., None] - table).min(-1)
                np.testing.assert_allclose(np.abs(np.minimum(np.abs(x / scale), 6) - np.abs(numbers)), nearest, atol=1e-6)
                compiles(self, with_scales, *map(cute.runtime.from_dlpack, (x, q, s, back)), kind)

    def test_threads_that_share_a_byte(self):
        def halves(q):
            i, _, _ = cute.arch.thread_idx()
            q[i] = Float4E2M1FN(1.5)
        with self.assertRaisesRegex(RuntimeError, "two elements of 4 bits are in one byte"):
            cute.kernel(halves)(cute.recast_tensor(cute.as_tensor(np.zeros(4, np.uint8)), Float4E2M1FN)).launch(grid=1, block=8)


if __name__ == "__main__":
    unittest.main(verbosity=2)
