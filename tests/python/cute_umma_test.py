"""Products of Blackwell in Python kernels on the CPU: matrices next to NumPy, copies of tensor memory next to the coordinates of their partitions, what is
refused, and clusters that take over the tiles of others.
"""
import unittest

from built_package import FOLDER  # noqa: F401  first: it finds the package
import numpy as np
import cute_umma_kernels
from cute_umma_kernels import Gemm, helpers, tcgen05, utils
from tilewright import cute, cutlass, TiledMMA
from tilewright._cute_narrow import encoded
from tilewright._cute_tensor_memory import TensorMemory

K, MN = tcgen05.OperandMajorMode.K, tcgen05.OperandMajorMode.MN
Float16, Float32 = cutlass.Float16, cutlass.Float32


def operand(numbers, kind, major):
    """(a kernel's tensor of integers as numbers of a type, the numbers)"""
    numbers = numbers if major is K else np.asfortranarray(numbers)
    order = "C" if major is K else "F"
    if getattr(kind, "kind_name", None) in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        made = np.array(encoded(numbers, kind.kind_name), order=order)
        tensor = cute.runtime.from_dlpack(made)
        tensor.element_type = kind
        return tensor
    return cute.runtime.from_dlpack(np.array(numbers, kind.numpy, order=order))


class Products(unittest.TestCase):
    def check(self, mnk, ab, sums, tile, majors=(K, K), result=Float32, **how):
        m, n, k = mnk
        rng = np.random.default_rng(sum(mnk))
        low = 0 if ab is cutlass.Uint8 else -2
        a, b = (rng.integers(low, 3, (x, k)).astype(np.float32) for x in (m, n))
        d = np.full((m, n), 77, result.numpy)
        Gemm(ab, sums, tile, *majors, **how)(operand(a, ab, majors[0]), operand(b, ab, majors[1]), cute.runtime.from_dlpack(d))
        np.testing.assert_array_equal(d.astype(np.float64), a @ b.T * (1 if how.get("stores", "itself") == "itself" else 2))

    def test_one_block(self):
        for mnk, tile in (((128, 64, 128), (128, 64)), ((256, 96, 64), (128, 48)), ((128, 64, 64), (64, 64)), ((64, 16, 192), (64, 8))):
            with self.subTest(mnk=mnk, tile=tile):
                self.check(mnk, Float16, Float32, tile)

    def test_types(self):
        for ab, sums, k in ((cutlass.BFloat16, Float32, 64), (Float16, Float16, 64), (cutlass.Float8E4M3FN, Float32, 128), (cutlass.Float8E5M2, Float16, 128),
                            (cutlass.Int8, cutlass.Int32, 128), (cutlass.Uint8, cutlass.Int32, 128), (Float32, Float32, 32)):
            with self.subTest(ab=ab, sums=sums):
                self.check((128, 32, k), ab, sums, (128, 32), result=sums)

    def test_majors(self):
        for majors in ((MN, K), (K, MN), (MN, MN)):
            with self.subTest(majors=majors):
                self.check((128, 64, 64), Float16, Float32, (128, 64), majors)
                self.check((256, 128, 64), Float16, Float32, (256, 128), majors, pairs=True)

    def test_two_blocks_multiply_together(self):
        for mnk, tile in (((256, 64, 64), (256, 64)), ((128, 64, 128), (128, 64)), ((512, 64, 64), (256, 32))):
            with self.subTest(mnk=mnk, tile=tile):
                self.check(mnk, Float16, Float32, tile, pairs=True)

    def test_clusters_share_tiles(self):
        for cluster, pairs in (((2, 2), False), ((1, 2), True), ((2, 2), True)):
            with self.subTest(cluster=cluster, pairs=pairs):
                m = cluster[0] * 128 * (2 if pairs else 1)
                self.check((m, cluster[1] * 32, 128), Float16, Float32, (256 if pairs else 128, 32), cluster=cluster, pairs=pairs)

    def test_epilogues_by_helpers(self):
        for stores in ("threads", "tma"):
            for mnk, tile, pairs in [((256, 64, 64), (128, 64), False), ((64, 64, 64), (64, 64), False), ((256, 64, 64), (256, 64), True),
                                     ((128, 64, 64), (128, 64), True)]:
                with self.subTest(stores=stores, tile=tile, pairs=pairs):
                    self.check(mnk, Float16, Float32, tile, result=Float16, pairs=pairs, stores=stores)

    def test_edges_are_filled_with_zeros(self):
        a = np.random.default_rng(3).integers(-2, 3, (128, 72)).astype(np.float16)
        b, d = a[:64].copy(), np.zeros((128, 64), np.float32)
        Gemm(Float16, Float32, (128, 64), K, K)(*map(cute.runtime.from_dlpack, (a, b, d)))
        np.testing.assert_array_equal(d, a.astype(np.float32) @ b.T.astype(np.float32))

    def test_only_19_bits_of_float32_count(self):
        a, b, d = np.full((128, 32), 1 + 2.0 ** -12, np.float32), np.ones((32, 32), np.float32), np.zeros((128, 32), np.float32)
        Gemm(Float32, Float32, (128, 32), K, K)(*map(cute.runtime.from_dlpack, (a, b, d)))
        self.assertTrue((d == 32).all())

    def test_the_operation_as_a_value(self):
        for name, threads in (("SM100_128x64x16_F32F16F16_SS", 1), ("SM100_256x64x16_F32F16F16_SS_2x1SM", 2)):
            mma = TiledMMA(name)
            self.assertEqual(mma.threads, threads)
            for operand_, extents in (("A", (mma.shape[0], 16)), ("B", (64, 16)), ("C", (mma.shape[0], 64))):
                self.assertEqual(sorted(mma.tv(operand_).offsets()), list(range(extents[0] * extents[1])), (name, operand_))

    def test_refusals(self):
        for shape, group in (((96, 64), tcgen05.CtaGroup.ONE), ((128, 24), tcgen05.CtaGroup.ONE), ((64, 64), tcgen05.CtaGroup.TWO), ((128, 264), tcgen05.CtaGroup.ONE)):
            with self.assertRaisesRegex(ValueError, f"there is no product by .* of the shape \\({shape[0]}, {shape[1]}\\)"):
                tcgen05.MmaF16BF16Op(Float16, Float32, shape, group, tcgen05.OperandSource.SMEM, K, K)
        with self.assertRaisesRegex(ValueError, "has no Float8E4M3FN here"):
            tcgen05.MmaF16BF16Op(cutlass.Float8E4M3FN, Float32, (128, 64), tcgen05.CtaGroup.ONE, tcgen05.OperandSource.SMEM, K, K)
        mma = cute.make_tiled_mma(tcgen05.MmaF16BF16Op(Float16, Float32, (128, 256), tcgen05.CtaGroup.ONE, tcgen05.OperandSource.SMEM, K, K))
        with self.assertRaisesRegex(ValueError, "need 768 columns, and there are 512"):
            mma.make_fragment_C(cute.append(mma.partition_shape_C((128, 256)), 3))
        with self.assertRaisesRegex(TypeError, "kernels have on the CPU only"):
            from tilewright import _cute_gpu
            _cute_gpu.source_of(lambda: cute.arch.alloc_tmem(32, None), (), (32, 1, 1))


class Copies(unittest.TestCase):
    LOADS = {"32x32b": 32, "16x64b": 64, "16x128b": 128, "16x256b": 256}

    def run_(self, store, load, number, columns=64):
        out = np.full((128, columns * 32 // number.width), -1, number.numpy)
        cute_umma_kernels.through_registers(store, load, number, columns)(out, number).launch(grid=1, block=128)
        m, n = np.indices(out.shape)
        np.testing.assert_array_equal(out, m % 32 * 32 + n % 32)

    def test_what_one_operation_stores_another_loads(self):
        for name, row in self.LOADS.items():
            for times in (1, 2, 64 * 32 // row):
                with self.subTest(name=name, times=times):
                    store, load = (getattr(tcgen05.copy, f"{x}{name}Op")(tcgen05.Repetition(times)) for x in ("St", "Ld"))
                    whole = tcgen05.St32x32bOp(tcgen05.Repetition.x16), tcgen05.Ld32x32bOp(tcgen05.Repetition.x8)
                    self.run_(store, whole[1], cutlass.Float32)
                    self.run_(whole[0], load, cutlass.Int32)

    def test_elements_of_16_bits(self):
        self.run_(tcgen05.St32x32bOp(tcgen05.Repetition.x8), tcgen05.Ld16x128bOp(tcgen05.Repetition.x4), cutlass.Float16)
        self.run_(tcgen05.St16x64bOp(tcgen05.Repetition.x4), tcgen05.Ld32x32bOp(tcgen05.Repetition.x4), cutlass.Int16)

    def test_patterns_of_the_ptx_isa(self):
        """The first registers of a thread, as the PTX ISA's figures of the data movement shapes have them: (lane, column)."""
        for name, times, wanted in (
                ("16x64b", 2, lambda t, r: (t // 4 + 8 * (t >> 1 & 1), (t & 1) + 2 * r)),
                ("16x128b", 1, lambda t, r: (t // 4 + 8 * (r & 1), t % 4 + 4 * (r >> 1))),
                ("16x256b", 1, lambda t, r: (t // 4 + 8 * (r >> 1 & 1), t % 4 * 2 + (r & 1) + 8 * (r >> 2))),
                ("32x32b", 4, lambda t, r: (t, r))):
            registers, _ = getattr(tcgen05, f"Ld{name}Op")(tcgen05.Repetition(times)).maps(32)
            columns = self.LOADS[name] * times // 32
            for t in range(32):
                for r in range(registers[1].size):
                    at = registers(t, r)
                    self.assertEqual((at // columns, at % columns), wanted(t, r), (name, t, r))

    def test_what_is_refused(self):
        memory = TensorMemory()
        for columns in (48, 16, 1024):
            with self.assertRaisesRegex(ValueError, f"{columns} columns cannot be allocated"):
                memory.allocate(columns)
        first, second = memory.allocate(32), memory.allocate(256)
        self.assertEqual((first, second, memory.allocate(512)), (0, 256, None))
        with self.assertRaisesRegex(ValueError, "were not allocated together"):
            memory.free(256, 128)
        with self.assertRaisesRegex(IndexError, "lane 3, column 40 is not allocated"):
            memory.numbers(np.array([3 * 65536 + 40]), Float32)
        with self.assertRaisesRegex(IndexError, "lanes of its number modulo 4, 32 to 63, and this copy has lane 3"):
            memory.numbers(np.array([3 * 65536]), Float32, 32)
        memory.free(256, 256)
        memory.released = True
        with self.assertRaisesRegex(ValueError, "given up its right to allocate"):
            memory.allocate(32)
        with self.assertRaisesRegex(ValueError, "has no repetition 3"):
            tcgen05.Ld32x32bOp(3)
        with self.assertRaisesRegex(ValueError, "powers of two up to 32"):
            tcgen05.Ld16x256bOp(tcgen05.Repetition.x64)
        with self.assertRaisesRegex(TypeError, "whose elements no thread reads"):
            mma = cute.make_tiled_mma(tcgen05.MmaTF32Op((128, 32)))
            mma.make_fragment_C(mma.partition_shape_C((128, 32)))[0]
        with self.assertRaisesRegex(TypeError, "the tensor is not in tensor memory"):
            tcgen05.make_tmem_copy(cute.make_copy_atom(tcgen05.Ld32x32bOp(), Float32), cute.make_rmem_tensor((128, 8), Float32))

    def test_a_sum_that_is_read_too_early_is_wrong(self):
        def early(a, out):
            thread, _, _ = cute.arch.thread_idx()
            memory = utils.SmemAllocator()
            place, barrier = memory.allocate(cutlass.Int32), memory.allocate_array(cutlass.Int64, 1)
            mma = helpers.make_trivial_tiled_mma(Float16, K, K, Float32, tcgen05.CtaGroup.ONE, (128, 32))
            shared = [f(mma, (128, 32, 16), Float16, 1) for f in (helpers.make_smem_layout_a, helpers.make_smem_layout_b)]
            sa, sb = (memory.allocate_tensor(Float16, s.outer, 128, swizzle=s.inner) for s in shared)
            if cute.arch.warp_idx() == 0:
                cute.arch.alloc_tmem(32, place)
            if thread == 0:
                cute.arch.mbarrier_init(barrier, 1)
            for t in (sa, sb):
                for i in range(thread, cute.size(t), 128):
                    t[i] = a[0]
            cute.arch.fence_proxy("async.shared", space="cta")
            cute.arch.sync_threads()
            sums = cute.make_tensor(cute.arch.retrieve_tmem_ptr(Float32, 16, place), mma.make_fragment_C(mma.partition_shape_C((128, 32))).layout)
            if cute.arch.warp_idx() == 0:
                cute.gemm(mma, sums, mma.make_fragment_A(sa)[None, None, None, 0], mma.make_fragment_B(sb)[None, None, None, 0], sums)
                with cute.arch.elect_one():
                    tcgen05.commit(barrier)
            copy = tcgen05.make_tmem_copy(cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x32), Float32), sums[(None, None), 0, 0])
            registers = cute.make_rmem_tensor(32, Float32)
            for when in range(2):
                cute.copy(copy, copy.get_slice(thread).partition_S(sums[(None, None), 0, 0]), registers)
                for i in range(32):
                    out[when, thread, i] = registers[i]
                cute.arch.mbarrier_wait(barrier, 0)
        out = np.zeros((2, 128, 32), np.float32)
        cute.kernel(early)(np.full(1, 0.5, np.float16), out).launch(grid=1, block=128)
        self.assertTrue((out[1] == 4).all() and not (out[0] == 4).all())


class LaunchControl(unittest.TestCase):
    def test_the_first_cluster_takes_all_tiles(self):
        for tiles, cluster, order in (((5, 3, 1), (1, 1, 1), ()), ((4, 2, 1), (2, 1, 1), ()), ((1, 1, 1), (1, 1, 1), ()), ((6, 3, 1), (2, 1, 1), (2, True)),
                                      ((10, 4, 1), (2, 1, 1), (2, False))):
            with self.subTest(tiles=tiles, cluster=cluster, order=order):
                params = utils.ClcDynamicPersistentTileSchedulerParams(tiles, cluster, *order)
                out = np.zeros(tiles[:2], np.int32)
                grid = utils.ClcDynamicPersistentTileScheduler.get_grid_shape(params)
                cute_umma_kernels.take_tiles(out, params).launch(grid=grid, block=64, cluster=cluster)
                np.testing.assert_array_equal(out, np.broadcast_to((1 + np.arange(tiles[0]) % cluster[0])[:, None], tiles[:2]))


if __name__ == "__main__":
    unittest.main(verbosity=2)
