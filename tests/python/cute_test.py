"""Kernels in the notation of CuTe's Python DSL: partitions against NumPy, barriers, races, bounds, refusals; and the third
document's four kernels as printed, where the documents are at hand.
"""
import contextlib
import io
import os
import pathlib
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCUMENT = min(pathlib.Path(os.environ["TILEWRIGHT_DOCUMENTS"]).glob("003_*.txt") if "TILEWRIGHT_DOCUMENTS" in os.environ
               else ROOT.parent.glob("*/sources/003_*.txt"), default=None)

import built_package  # noqa: F401
import numpy as np
from printed_kernels import printed_kernels  # noqa: E402
import tilewright as tw  # noqa: E402
from tilewright import cute, cutlass  # noqa: E402

ROWS, COLUMNS, VALUES = 8, 128, 8


def matrix():
    return np.arange(ROWS * COLUMNS, dtype=np.float32).reshape(ROWS, COLUMNS)


def thread_value_map():
    return cute.make_layout(((COLUMNS // VALUES, ROWS), VALUES), stride=((ROWS * VALUES, 1), ROWS))


def registers_of(partition):
    """What each of 128 threads holds after copying its part of the matrix into registers."""
    held = {}

    @cute.kernel
    def kernel(a: cute.Tensor):
        thread, _, _ = cute.arch.thread_idx()
        mine = partition(cute.local_tile(a, (ROWS, COLUMNS), (0, 0)), thread)
        registers = cute.make_rmem_tensor_like(mine)
        cute.copy(None, mine, registers)
        held[thread] = list(registers.load())
    kernel(matrix()).launch(grid=1, block=128)
    return held


def by_algebra(tile, thread):
    divided = cute.flat_divide(tile, (1, VALUES))
    ordered = cute.make_tensor(divided.iterator, cute.select(divided.layout, [0, 1, 3, 2]))
    return cute.group_modes(ordered, 2, 4)[0, None, thread]


def by_map(tile, thread):
    return cute.composition(tile, thread_value_map())[thread, None]


def by_tiled_copy(tile, thread):
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), tile.element_type, num_bits_per_copy=128)
    part = cute.make_tiled_copy(atom, thread_value_map(), (ROWS, COLUMNS)).get_slice(thread).partition_S(tile)
    assert part.shape == ((4, 2), 1, 1), part.shape
    return part


class Partitions(unittest.TestCase):
    def test_three_ways_give_every_thread_the_same_registers(self):
        rows = matrix().reshape(-1, VALUES)
        want = {t: list(rows[t]) for t in range(128)}
        for partition in (by_algebra, by_map, by_tiled_copy):
            self.assertEqual(registers_of(partition), want, partition.__name__)

    def test_a_tiled_copy_of_several_tiles(self):
        held = {}
        copy = cute.make_tiled_copy_tv(cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), np.int32),
                                       cute.make_layout((4, 8), stride=(8, 1)), cute.make_layout((2, 1)))

        @cute.kernel
        def kernel(a):
            thread, _, _ = cute.arch.thread_idx()
            held[thread] = copy.get_slice(thread).partition_S(a)
        a = np.arange(16 * 24, dtype=np.int32).reshape(16, 24)
        kernel(a).launch(grid=1, block=32)
        found = sorted(int(x) for part in held.values() for x in part.load())
        self.assertEqual(found, list(range(a.size)))
        part = held[9]  # thread (1, 1): rows 2 and 3 of each tile of 8, column 1 of each tile of 8
        self.assertEqual(part.shape, ((1, 2), 2, 3))
        self.assertEqual([int(x) for x in part.load()],
                         [int(a[8 * m + 2 + v, 8 * n + 1]) for n in range(3) for m in range(2) for v in range(2)])

    def test_local_tile_keeps_what_none_says(self):
        a = np.arange(64).reshape(8, 8)
        t = cute.local_tile(cute.as_tensor(a), (4, 2), (1, None))
        self.assertEqual(t.shape, (4, 2, 4))
        self.assertEqual(t[2, 1, 3], a[6, 7])

    def test_wrong_maps_are_refused(self):
        atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), np.float32)
        for tv, words in [(cute.make_layout(((16, 8), 8), stride=((64, 1), 4)), r"element \(4, 0\) of the tile twice"),
                          (cute.make_layout(((16, 8), 4), stride=((64, 1), 8)), "skips element"),
                          (cute.make_layout(((16, 8), 8), stride=((64, 1), 1024)), "outside of the tile")]:
            with self.assertRaisesRegex(ValueError, words):
                cute.make_tiled_copy(atom, tv, (8, 128))


class Execution(unittest.TestCase):
    def test_a_coordinate_outside_names_block_and_thread(self):
        @cute.kernel
        def fill(matrix: cute.Tensor):
            thread, _, _ = cute.arch.thread_idx()
            block, _, _ = cute.arch.block_idx()
            matrix[4 * block + thread, 0] = 1
        with self.assertRaisesRegex(IndexError, r"coordinate \(10, 0\) of \(10,8\):\(8,1\) \(block \(2, 0, 0\), thread 2\)"):
            fill(np.zeros((10, 8))).launch(grid=(3, 1, 1), block=(4, 1, 1))
        with self.assertRaises(tw.LayoutError):  # outside of kernels there is no thread to name
            cute.as_tensor(np.zeros((10, 8)))[10, 0]

    def test_a_block_turns_a_tile_through_shared_memory(self):
        @cute.kernel
        def turn(a, b, n: cutlass.Constexpr):
            x, y, _ = cute.arch.thread_idx()
            bx, by, _ = cute.arch.block_idx()
            tile = cute.make_tensor(cute.arch.alloc_smem(a.element_type, n * (n + 1)),
                                    cute.make_layout((n, n), stride=(n + 1, 1)))
            tile[y, x] = a[by * n + y, bx * n + x]
            cute.arch.sync_threads()
            b[bx * n + y, by * n + x] = tile[x, y]
        a = np.random.rand(12, 8)
        b = np.zeros((8, 12))
        turn(a, b, 4).launch(grid=(2, 3, 1), block=(4, 4, 1))
        np.testing.assert_array_equal(b, a.T)

    def test_a_missing_barrier_is_found(self):
        @cute.kernel
        def shift(n: cutlass.Constexpr):
            x, _, _ = cute.arch.thread_idx()
            row = cute.make_tensor(cute.arch.alloc_smem(np.int32, n), cute.make_layout(n))
            row[x] = x
            row[(x + 1) % n] + 1
        with self.assertRaisesRegex(RuntimeError, "thread .* no barrier orders the two"):
            shift(8).launch(grid=1, block=8)

    def test_blocks_that_write_one_element_are_found(self):
        @cute.kernel
        def same(a):
            a[0] = 1.0
        with self.assertRaisesRegex(RuntimeError, "block"):
            same(np.zeros(4)).launch(grid=2, block=1)

    def test_bounds_name_block_and_thread(self):
        @cute.kernel
        def beyond(a):
            x, _, _ = cute.arch.thread_idx()
            a[x] = 0
        with self.assertRaisesRegex(IndexError, "index 4 .*4 elements .*thread 4"):
            beyond(np.zeros(4)).launch(grid=1, block=5)

    def test_a_barrier_that_one_thread_misses_is_no_deadlock(self):
        @cute.kernel
        def half():
            if cute.arch.thread_idx()[0] < 2:
                cute.arch.sync_threads()
        with self.assertRaisesRegex(RuntimeError, "must reach each barrier"):
            half().launch(grid=1, block=4)

    def test_jit_and_printing(self):
        @cute.kernel
        def show(a):
            if cute.arch.thread_idx()[0] == 1:
                cute.print_tensor(a)
                cute.printf("{} of {}", 1, a.shape)

        @cute.jit
        def host(a, threads=2):
            show(a).launch(grid=1, block=threads)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            host(np.array([[1, 2], [3, 4]]))
        self.assertEqual(out.getvalue(), "tensor(gmem int64, (2,2):(2,1)):\n  [1, 2]\n  [3, 4]\n1 of (2,2)\n")

    def test_misuse_is_one_sentence(self):
        with self.assertRaisesRegex(RuntimeError, "in kernels only"):
            cute.arch.thread_idx()
        with self.assertRaisesRegex(ValueError, "at most 1024"):
            cute.kernel(lambda: None)().launch(grid=1, block=2048)
        with self.assertRaisesRegex(ValueError, "extents of 1 or more"):
            cute.kernel(lambda: None)().launch(grid=0, block=1)


@unittest.skipIf(DOCUMENT is None, "the third document is not at hand; TILEWRIGHT_DOCUMENTS names its folder")
class Document(unittest.TestCase):
    def test_the_four_kernels_run_as_printed(self):
        text = DOCUMENT.read_text(encoding="utf-8")
        printed = []
        for source in printed_kernels(text):
            names = {"cute": cute, "cutlass": cutlass}
            exec(source, names)  # noqa: S102  the point of the test
            kernel = next(f for name, f in names.items() if name.startswith("cute_copy_kernel"))
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                kernel(matrix(), ROWS, COLUMNS, VALUES).launch(grid=1, block=128)
            printed.append(out.getvalue().splitlines()[1].strip())
        self.assertEqual(printed, ["[8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]"] * 4)


class Documentation(unittest.TestCase):
    def test_doctest(self):
        import doctest
        result = doctest.testmod(cute)
        self.assertEqual((result.failed, result.attempted > 0), (0, True))


if __name__ == "__main__":
    unittest.main()
