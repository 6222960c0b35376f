"""Atomic operations, barriers in shared memory, barriers of some threads and elect_one in kernels on the CPU."""
import unittest

from built_package import FOLDER  # noqa: F401  first: it finds the package
import numpy as np
import cute_barrier_kernels as kernels  # noqa: E402
from tilewright import cute, cutlass  # noqa: E402


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
        self.refused(RuntimeError, "wait at different barriers|that it never reached", never)
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
