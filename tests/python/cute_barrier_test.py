"""Atomic operations, barriers in shared memory, barriers of some threads and elect_one in kernels on the CPU."""
import unittest

from built_package import FOLDER  # noqa: F401  first: it finds the package
import numpy as np
import cute_barrier_kernels as kernels  # noqa: E402
import cute_tma_kernels as tma  # noqa: E402
from tilewright import _cute_gpu, _cute_launch, cute, cutlass, Layout  # noqa: E402
from tilewright._cute_tensor import Pointer, Tensor  # noqa: E402


def results():
    """{name: arguments after the launch}, and those before it."""
    out = {}
    for name, kernel, arguments, grid, block in kernels.cases():
        before = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        kernel(*arguments).launch(grid=grid, block=block)
        out[name] = arguments, before
    return out


class Results(unittest.TestCase):
    def test_against_numpy(self):
        found = results()
        (a, bins), _ = found["counts"]
        np.testing.assert_array_equal(bins, np.bincount(a, minlength=16))
        (ints, words, floats), _ = found["every atomic"]
        self.assertEqual(ints.tolist(), [496, 15, -16, 0, -1, 0, 7, 70, 5, 90, 5, 5])
        self.assertEqual(words.tolist()[:3], [496, 15, -16])
        self.assertEqual(floats.tolist(), [16, 4.75, -3, -1, 1])
        self.assertEqual(found["locked"][0][0][0], 1 + 33 + 65 + 97)
        self.assertEqual(found["flagged"][0][1][0], 6)
        (a, b, _), _ = found["handed over"]
        np.testing.assert_array_equal(b[:5], np.roll(a, -1, axis=1))
        (a, b, rounds, _), _ = found["by states"]
        np.testing.assert_array_equal(b, a[:, np.arange(32) ^ 5] + np.arange(rounds, dtype=np.float32)[:, None])
        (a, b, _, _), _ = found["by participants"]
        np.testing.assert_array_equal(b, a[:, np.arange(32) ^ 5])
        n = np.arange(128)
        np.testing.assert_array_equal(found["in halves"][0][0], n // 64 * 64 + (n + 32) % 64 + n // 64 * (1000 + n % 64))

    def test_reductions_and_pairs(self):
        @cute.kernel
        def reduce(out: cute.Tensor):
            lane = cute.arch.lane_idx()
            n = cutlass.Int32(lane)
            for i, kind in enumerate(("add", "min", "max", "and", "or", "xor")):
                joined = cute.arch.warp_redux_sync(n + 1, kind)
                if lane == 7:
                    out[i] = joined
            uniform, other = cute.arch.vote_uni_sync(n >= 0), cute.arch.vote_uni_sync(n > 3)
            pair = cute.arch.fma_packed_f32x2((cutlass.Float32(2), cutlass.Float32(3)), (cutlass.Float32(4), cutlass.Float32(5)), (1, 2))
            if lane == 0:
                out[6], out[7], out[8] = uniform, other, pair[0] * 100 + pair[1]
                out[9] = cute.arch.exp2(cutlass.Float32(5))
        out = np.zeros(10, np.int32)
        reduce(out).launch(grid=1, block=32)
        n = np.arange(1, 33)
        self.assertEqual(out.tolist(), [528, 1, 32, 0, 63, int(np.bitwise_xor.reduce(n)), 1, 0, 917, 32])


class Clusters(unittest.TestCase):
    def test_the_memory_of_other_blocks(self):
        a, b = np.arange(192, dtype=np.float32), np.zeros(192, np.float32)
        tma.around(a, b).launch(grid=6, block=32, cluster=(2, 1, 1))
        np.testing.assert_array_equal(b, tma.turned_around(a, 2))

        @cute.kernel
        def places(out: cute.Tensor):
            x, y, _ = cute.arch.block_idx()
            inside, of, here, count = (cute.arch.block_in_cluster_idx(), cute.arch.block_in_cluster_dim(), cute.arch.cluster_idx(),
                                       cute.arch.cluster_dim())
            out[x, y] = cute.arch.block_idx_in_cluster() + 10 * inside[0] + 100 * inside[1] + 1000 * here[0] + 10000 * here[1]
            assert (of[:2], count[:2]) == ((2, 3), (2, 1))
        out = np.zeros((4, 3), np.int32)
        places(out).launch(grid=(4, 3), block=1, cluster=(2, 3))
        x, y = np.mgrid[:4, :3]
        np.testing.assert_array_equal(out, x % 2 + 2 * y + x % 2 * 10 + y * 100 + x // 2 * 1000)

    def test_blocks_that_wait_for_each_other(self):
        a = np.zeros(1, np.int32)
        kernels.meets(a, 4).launch(grid=4, block=32, cooperative=True)
        self.assertEqual(a[0], 4)
        with self.assertRaisesRegex(RuntimeError, "waits in a loop, and no other thread of its block can run"):
            kernels.meets(np.zeros(1, np.int32), 4).launch(grid=4, block=32)
        with self.assertRaisesRegex(ValueError, "a cooperative launch of 999 blocks of 32 threads; the CPU runs at most 4096"):
            kernels.meets(a, 4).launch(grid=999, block=32, cooperative=True)

    def test_mistakes(self):
        a = np.zeros(64, np.float32)

        @cute.kernel
        def early(a: cute.Tensor):
            shared = cute.arch.alloc_smem(cutlass.Float32, 1)
            shared.store(1.0)
            a[0] = cute.arch.mapa(shared, 1 - cute.arch.block_idx_in_cluster()).load()

        @cute.kernel
        def twice(a: cute.Tensor):
            cute.arch.cluster_arrive()
            cute.arch.cluster_arrive()
        for kernel, grid, cluster, error, words in [
                (early, 2, 2, RuntimeError, "no barrier orders the two"), (early, 1, 1, ValueError, "there is no block 1 in a cluster of 1"),
                (twice, 2, 2, RuntimeError, "arrives twice at the cluster's barrier"),
                (twice, 3, 2, ValueError, r"a grid of \(3, 1, 1\) blocks is not made of clusters of \(2, 1, 1\)"),
                (twice, 16, 16, ValueError, "has 16 blocks; it has at most 8")]:
            with self.assertRaisesRegex(error, words):
                kernel(a).launch(grid=grid, block=1, cluster=cluster)


class Boxes(unittest.TestCase):
    def test_copies(self):
        for function, a in tma.copies():
            b = np.zeros_like(a)
            function(a, b)
            np.testing.assert_array_equal(a, b, str(function.layout))

    def test_stages_that_a_cluster_shares(self):
        a, b = np.random.default_rng(1).integers(0, 99, (32, 96)).astype(np.float32), np.zeros((64, 96), np.float32)
        tma.Shared()(a, b)
        np.testing.assert_array_equal(b, np.concatenate([a + 1, a + 2]))

    def test_traced(self):
        def on_gpu(x):
            return Tensor(Pointer(_cute_gpu.GpuMemory(x.ctypes.data, x.size, x.dtype.type, 0, x)), Layout.from_array(x))
        found, launch = [], _cute_launch.launch
        _cute_launch.launch = lambda function, arguments, grid, block, cluster, together, smem: found.append(
            _cute_gpu.source_of(function, arguments, (block, 1, 1), (cluster or (1, 1, 1)))[0])
        try:
            tma.Shared()(on_gpu(np.zeros((32, 96), np.float32)), on_gpu(np.zeros((64, 96), np.float32)))
        finally:
            _cute_launch.launch = launch
        for words in ("__cluster_dims__(2, 1, 1)", "const __grid_constant__ tw_tensor_map m0, const __grid_constant__ tw_tensor_map m1",
                      "if (tw_elected()) tilewright::ptx::tma_load_multicast(&m0,", "tilewright::ptx::tma_store(&m1,",
                      "tilewright::ptx::mbarrier_arrive_remote<true>(", "alignas(1024) __shared__ float"):
            self.assertIn(words, found[0])

    def test_mistakes(self):
        boxes = cute.nvgpu.cpasync
        tensor = cute.runtime.from_dlpack(np.zeros((64, 64), np.float16))
        load, rows = boxes.CopyBulkTensorTileG2SOp(), cute.make_layout((64, 64), stride=(64, 1))

        def made(**changes):
            given = {"op": load, "gmem_tensor": tensor, "smem_layout": rows, "cta_tiler": (64, 64), **changes}
            return boxes.make_tiled_tma_atom(**given)
        for words, changes in [("what is contiguous in shared memory is not the tensor's mode of stride 1", {"smem_layout": cute.make_layout((64, 64))}),
                               ("2 blocks load a tile together by CopyBulkTensorTileG2SMulticastOp only", {"num_multicast": 2}),
                               ("TMA swizzles by .*Sw<2,3,2>", {"smem_layout": cute.make_composed_layout("Sw<2,3,2>", 0, rows)}),
                               ("multiple", {"gmem_tensor": cute.runtime.from_dlpack(np.zeros((64, 63), np.float16))})]:
            with self.assertRaisesRegex(ValueError, words):
                made(**changes)
        with self.assertRaisesRegex(TypeError, "is no operation of TMA"):
            made(op=boxes.CopyG2SOp())
        atom, coordinates = made()

        @cute.kernel
        def copies(case: cutlass.Constexpr):
            shared = cute.arch.alloc_smem(cutlass.Float16, 8192)
            barrier = cute.arch.alloc_smem(cutlass.Int64, 1)
            tile = cute.make_tensor(shared + (8 if case == "address" else 0), rows)
            s, g = boxes.tma_partition(atom, 0, cute.make_layout(1), cute.group_modes(tile, 0, 2), cute.group_modes(coordinates, 0, 2))
            if cute.arch.thread_idx()[0] == 0:
                cute.arch.mbarrier_init(barrier, 1)
            cute.arch.sync_threads()
            cute.copy(atom, g, s, tma_bar_ptr=None if case == "barrier" else barrier)
            if case == "early":
                (tile.iterator + 5).load()
            if cute.arch.thread_idx()[0] == 0:
                cute.arch.mbarrier_arrive_and_expect_tx(barrier, 8192)
            cute.arch.mbarrier_wait(barrier, 0)
        for error, words, case in [(ValueError, "its box at byte 16; the tile is at a multiple of 128", "address"),
                                   (TypeError, "a TMA load completes on a barrier; give tma_bar_ptr", "barrier"),
                                   (RuntimeError, "no barrier orders the two|while the TMA load", "early")]:
            with self.assertRaisesRegex(error, words):
                copies(case).launch(grid=1, block=32)
        copies("").launch(grid=1, block=32)


class Mistakes(unittest.TestCase):
    def refused(self, error, words, body, block=64):
        @cute.kernel
        def kernel():
            body(cute.arch.thread_idx()[0])
        with self.assertRaisesRegex(error, words) as caught:
            kernel().launch(grid=1, block=block)
        self.assertNotIn("\n", str(caught.exception))

    def test_barriers_in_shared_memory(self):
        def not_ordered(thread):
            barrier = cute.arch.alloc_smem(cutlass.Int64, 1)
            if thread == 0:
                cute.arch.mbarrier_init(barrier, 64)
            cute.arch.mbarrier_arrive(barrier)

        def too_many(thread):
            barrier = cute.arch.alloc_smem(cutlass.Int64, 1)
            if thread == 0:
                cute.arch.mbarrier_init(barrier, 3)
                cute.arch.mbarrier_arrive(barrier, arrive_count=4)

        def never(thread):
            barrier = cute.arch.alloc_smem(cutlass.Int64, 1)
            if thread == 0:
                cute.arch.mbarrier_init(barrier, 65)
            cute.arch.sync_threads()
            cute.arch.mbarrier_arrive(barrier)
            cute.arch.mbarrier_wait(barrier, 0)

        def no_race(thread):
            barrier, shared = cute.arch.alloc_smem(cutlass.Int64, 1), cute.arch.alloc_smem(cutlass.Int32, 64)
            if thread == 0:
                cute.arch.mbarrier_init(barrier, 64)
            cute.arch.sync_threads()
            (shared + thread).store(thread)
            cute.arch.mbarrier_arrive(barrier)
            (shared + (thread + 1) % 64).load()

        self.refused(RuntimeError, "was not made; call mbarrier_init", lambda t: cute.arch.mbarrier_wait(cute.arch.alloc_smem(cutlass.Int64, 1), 0))
        self.refused(RuntimeError, "the barrier that mbarrier_init makes in smem: thread 1 .* no barrier orders", not_ordered)
        self.refused(RuntimeError, "4 arrivals in one phase of the barrier at element 0, which has 3", too_many)
        self.refused(RuntimeError, "whose phase does not end|that it never reached", never)
        self.refused(RuntimeError, "no barrier orders the two", no_race)
        self.refused(TypeError, "a barrier is an Int64 of shared memory, and the pointer is ptr<int32, smem>",
                     lambda t: cute.arch.mbarrier_init(cute.arch.alloc_smem(cutlass.Int32, 2), 1))
        self.refused(ValueError, "a barrier of 0 arrivals", lambda t: cute.arch.mbarrier_init(cute.arch.alloc_smem(cutlass.Int64, 1), 0))

    def test_barriers_of_some_threads(self):
        self.refused(ValueError, "there is no barrier 16; a block has barriers 0 to 15", lambda t: cute.arch.barrier(barrier_id=16, number_of_threads=32))
        self.refused(ValueError, "a barrier of 48 of the block's 64 threads", lambda t: cute.arch.barrier(barrier_id=1, number_of_threads=48))

        def one_waits(thread):
            if thread < 32:
                cute.arch.barrier(barrier_id=1, number_of_threads=64)
        self.refused(RuntimeError, "wait at a barrier that it never reached", one_waits)

    def test_atomic_operations(self):
        def alone(thread):
            lock = cute.arch.alloc_smem(cutlass.Int32, 1)
            while cute.arch.atomic_cas(lock, cmp=1, val=0) == 0:
                pass
        self.refused(RuntimeError, "thread 0 of block \\(0, 0, 0\\) waits in a loop, and no other thread of its block can run", alone, block=1)
        word = lambda: cute.arch.alloc_smem(cutlass.Int32, 1)  # noqa: E731
        self.refused(ValueError, "sem is 'strong' and scope None; sem is 'relaxed'", lambda t: cute.arch.atomic_add(word(), 1, sem="strong"))
        self.refused(ValueError, "there is no reduction 'mul'", lambda t: cute.arch.red(word(), 1, op="mul"))
        self.refused(TypeError, "umax is of unsigned integers", lambda t: cute.arch.red(word(), 1, op="umax"))
        self.refused(IndexError, "the element of an atomic operation is at offset 1", lambda t: cute.arch.atomic_add(word() + 1, 1))
        constant = np.zeros(1, np.int32)
        constant.flags.writeable = False

        @cute.kernel
        def adds(a: cute.Tensor):
            cute.arch.atomic_add(a.iterator, 1)
        with self.assertRaisesRegex(ValueError, "read-only"):
            adds(constant).launch(grid=1, block=1)

    def test_elections(self):
        names = {"cute": cute}
        exec("def body(thread):\n with cute.arch.elect_one():\n  pass", names)  # noqa: S102  a function without a source
        self.refused(TypeError, "'with cute.arch.elect_one\\(\\):' is for @cute.kernel and @cute.jit functions", names["body"])


if __name__ == "__main__":
    unittest.main()
