"""Atomic operations that order blocks in Python kernels on the CPU, and operations of some lanes of a warp; next to NumPy, and what is refused."""
import unittest

from built_package import FOLDER  # noqa: F401  first: it finds the package
import numpy as np
from tilewright import _cute_gpu, cute, cutlass, Layout
from tilewright._cute_gpu_memory import GpuMemory
from tilewright._cute_tensor import Pointer, Tensor
from tilewright._cute_export import launches_of, machine_code_of
from tilewright.cutlass import Float32, Int32, Uint32

arch = cute.arch


def on_gpu(x, dtype):
    return Tensor(Pointer(GpuMemory(x.ctypes.data, x.size, dtype, 0, x)), Layout.from_array(x))


@cute.kernel
def sum_by_last_block(x, parts, count, out, how: cutlass.Constexpr):
    """Each block has the sum of a row; the last one that comes adds the sums. how: where the fence is, or the order of the operation."""
    i, _, _ = arch.thread_idx()
    block, _, _ = arch.block_idx()
    blocks, _, _ = arch.grid_dim()
    flag = cutlass.utils.SmemAllocator().allocate_tensor(Int32, cute.make_layout(1))
    total = arch.warp_reduction_sum(x[block, i])
    parts[block, i] = total + i
    if cutlass.const_expr(how == "every fence"):
        arch.fence_acq_rel_gpu()
    if cutlass.const_expr(how == "fence of the block"):
        arch.fence_acq_rel_cta()
    arch.sync_threads()
    if i == 0:
        if cutlass.const_expr(how == "one fence"):
            arch.fence_acq_rel_gpu()
        if cutlass.const_expr(how == "ordered"):
            flag[0] = arch.atomic_add(count.iterator, Int32(1), sem="acq_rel", scope="gpu")
        elif cutlass.const_expr(how == "in the block"):
            flag[0] = arch.atomic_add(count.iterator, Int32(1), sem="acq_rel", scope="cta")
        else:
            flag[0] = arch.atomic_add(count.iterator, Int32(1))
    arch.sync_threads()
    if flag[0] == blocks - 1:
        s = Int32(0)
        for b in range(blocks):
            s += parts[b, i]
        out[i] = s


@cute.kernel
def add_one_after_another(x, out, lock):
    """out += x by each block, which holds a lock meanwhile."""
    i, _, _ = arch.thread_idx()
    block, _, _ = arch.block_idx()
    if i == 0:
        while arch.atomic_cas(lock.iterator, cmp=Int32(0), val=Int32(1), sem="acquire") != 0:
            pass
    arch.sync_threads()
    out[i] += x[block, i]
    arch.sync_threads()
    if i == 0:
        arch.store(lock.iterator, Int32(0), sem="release")


@cute.kernel
def hand_over(out, flag, sem: cutlass.Constexpr):
    """The second warp reads what the first one wrote, without a barrier of the block."""
    i, lane, warp = arch.thread_idx()[0], arch.lane_idx(), arch.warp_idx()
    if warp == 0:
        out[lane] = Int32(i + 5)
        arch.sync_warp()
        if lane == 0:
            arch.store(flag.iterator, Int32(1), sem=sem and "release", scope="cta")
    else:
        if lane == 0:
            while arch.load(flag.iterator, sem="acquire", scope="cta") == 0:
                pass
        arch.sync_warp()
        out[i] = out[lane] * 2


@cute.kernel
def some_lanes(x, out):
    """Lanes 8 to 15 add up among themselves while the others wait at the block's barrier."""
    i, _, _ = arch.thread_idx()
    out[i] = Int32(-1)
    if i >= 8 and i < 16:
        s = x[i]
        for k in cutlass.range_constexpr(3):
            s += arch.shuffle_sync_bfly(s, 1 << k, mask=0xff00)
        if arch.vote_any_sync(x[i] > 6, mask=0xff00):
            s += Int32(1000)
        if arch.vote_all_sync(x[i] >= 0, mask=0xff00):
            s += Int32(2000)
        out[i] = s + Int32(arch.vote_ballot_sync(x[i] > 6, mask=0xff00)) * 0 + arch.warp_redux_sync(x[i], "max", mask_and_clamp=0xff00)
        arch.sync_warp(mask=0xff00)
    arch.sync_threads()


@cute.kernel
def some_return(x, out, n: cutlass.Constexpr):
    """Threads from n on return before the others exchange values and meet at barriers of the block."""
    i, _, _ = arch.thread_idx()
    memory = cutlass.utils.SmemAllocator().allocate_tensor(Int32, cute.make_layout(64))
    if i >= n:
        return
    memory[i] = x[i] + arch.shuffle_sync(x[i], 0)
    arch.sync_threads()
    out[i] = memory[n - 1 - i]


@cute.kernel
def some_never_come(out):
    if arch.thread_idx()[0] < 16:
        arch.sync_threads()
    out[arch.thread_idx()[0]] = Int32(1)


@cute.kernel
def without_its_lane(out):
    if arch.lane_idx() < 8:
        out[arch.lane_idx()] = arch.shuffle_sync(arch.lane_idx(), 0, mask=0xf)


@cute.kernel
def bytes_of(x, out, selector: cutlass.Constexpr):
    i, _, _ = arch.thread_idx()
    out[i] = arch.prmt(x[i], x[i + 32], Uint32(selector))


@cute.kernel
def waits_for_all(x, parts, flag, out):
    """The last block of the grid waits by a flag for all others, which run before it here."""
    i, _, _ = arch.thread_idx()
    block, _, _ = arch.block_idx()
    blocks, _, _ = arch.grid_dim()
    between = cutlass.utils.distributed
    if block < blocks - 1:
        parts[block, i] = x[block, i] * 2
        arch.sync_threads()
        if i == 0:
            between.red_add1(flag.iterator, order="release", scope="gpu")
    else:
        if i == 0:
            between.spin_lock_atom_cas_acquire_wait(flag.iterator, expected_val=blocks - 1, reset_val=0, scope="gpu")
        arch.sync_threads()
        total = Int32(0)
        for b in range(blocks - 1):
            total += parts[b, i]
        out[i] = total


@cute.kernel
def to_the_neighbour(x, out):
    """Each block of a cluster of two stores its numbers in the other's shared memory, where a barrier counts 512 bytes."""
    i, block, rank = arch.thread_idx()[0], arch.block_idx()[0], arch.block_idx_in_cluster()
    memory = cutlass.utils.SmemAllocator()
    barrier, box = memory.allocate_array(cutlass.Int64, 1), memory.allocate_tensor(Float32, cute.make_layout(128), 16)
    if i == 0:
        arch.mbarrier_init(barrier, 1)
    arch.mbarrier_init_fence()
    arch.cluster_arrive()
    arch.cluster_wait()
    if i == 0:
        arch.mbarrier_arrive_and_expect_tx(barrier, 512)
    store, pair, other = cute.make_copy_atom(cute.nvgpu.cpasync.CopyDsmemStoreOp(), Float32), cute.make_rmem_tensor(2, Float32), rank ^ 1
    pair[0], pair[1] = x[block, 4 * i], x[block, 4 * i + 1]
    there = cute.make_tensor(arch.map_dsmem_ptr(box.iterator + 4 * i, other), cute.make_layout(2))
    cute.copy(store, pair, there, mbar_ptr=arch.map_dsmem_ptr(barrier, other))
    arch.store_async_dsmem(box.iterator + 4 * i + 2, (x[block, 4 * i + 2], x[block, 4 * i + 3]), barrier, other)
    arch.mbarrier_wait(barrier, 0)
    for k in cutlass.range_constexpr(4):
        out[block, 4 * i + k] = box[4 * i + k]
    arch.cluster_arrive()
    arch.cluster_wait()


@cute.kernel
def part_of_a_vector(x, out, n: Int32):
    """16 bytes by each thread, of which those beyond n elements are 0."""
    i, _, _ = arch.thread_idx()
    box = cutlass.utils.SmemAllocator().allocate_tensor(Float32, cute.make_layout(128), 16)
    left = cutlass.max(Int32(0), cutlass.min(Int32(16), (n - 4 * i) * 4))
    arch.cp_async_shared_global(box.iterator + 4 * i, x.iterator + cutlass.min(Int32(4 * i), n // 4 * 4), 16, "cg", cp_size=left)
    arch.cp_async_commit_group()
    arch.cp_async_wait_group(0)
    arch.sync_threads()
    for k in cutlass.range_constexpr(4):
        out[i + 32 * k] = box[i + 32 * k]


@cute.jit
def wait_for_the_grid(count, wanted):
    """Each block's first thread releases what the block did, and waits for all others."""
    arch.sync_threads()
    if arch.thread_idx()[0] == 0:
        arch.atomic_add(count.iterator, Int32(1), sem="release", scope="gpu")
        while arch.load(count.iterator, Int32, sem="acquire", scope="gpu") < wanted:
            pass
    arch.sync_threads()


@cute.kernel
def neighbours_means(a, b, count, rounds: cutlass.Constexpr):
    """In each round an element becomes the mean of its neighbours, by blocks that run at the same time."""
    i, blocks = arch.block_idx()[0] * 32 + arch.thread_idx()[0], arch.grid_dim()[0]
    n = cute.size(a)
    for k in cutlass.range(rounds, unroll=1):
        if i < n:
            left = a[i - 1] if i > 0 else Float32(0)
            right = a[i + 1] if i + 1 < n else Float32(0)
            b[i] = 0.5 * (left + right)
        wait_for_the_grid(count, blocks * (2 * k + 1))
        if i < n:
            a[i] = b[i]
        wait_for_the_grid(count, blocks * (2 * k + 2))


def compiles(test, kernel, *given, **launch):
    """The kernel's text is compiled by NVRTC, if it is here."""
    @cute.jit
    def host(*arguments):
        kernel(*arguments).launch(**launch)
    try:
        for one in launches_of(cute.compile(host, *(cute.runtime.from_dlpack(x) if isinstance(x, np.ndarray) else x for x in given)))[0].launches:
            test.assertGreater(len(machine_code_of(one, 90)), 1000)
    except RuntimeError as error:
        test.assertIn("libnvrtc", str(error))


class Blocks(unittest.TestCase):
    def test_flags(self):
        x = np.random.default_rng(8).integers(-9, 9, (4, 32)).astype(np.int32)
        parts, flag, out = np.zeros((4, 32), np.int32), np.zeros(1, np.int32), np.zeros(32, np.int32)
        waits_for_all(x, parts, flag, out).launch(grid=5, block=32)
        np.testing.assert_array_equal(out, 2 * x.sum(0))
        self.assertEqual(flag[0], 0)
        compiles(self, waits_for_all, x, parts, flag, out, grid=5, block=32)

    def test_blocks_that_run_together(self):
        a = np.random.default_rng(11).standard_normal(90).astype(np.float32)
        wanted, b, count = a.copy(), np.zeros(90, np.float32), np.zeros(1, np.int32)
        neighbours_means(a, b, count, 3).launch(grid=3, block=32, cooperative=True)
        for _ in range(3):
            padded = np.pad(wanted, 1)
            wanted = np.float32(0.5) * (padded[:-2] + padded[2:])
        np.testing.assert_allclose(a, wanted, rtol=1e-6)

    def test_stores_to_another_block(self):
        x = np.random.default_rng(9).random((4, 128)).astype(np.float32)
        out = np.zeros_like(x)
        to_the_neighbour(x, out).launch(grid=4, block=32, cluster=(2, 1, 1))
        np.testing.assert_array_equal(out, x[[1, 0, 3, 2]])
        compiles(self, to_the_neighbour, x, out, grid=4, block=32, cluster=(2, 1, 1))
        with self.assertRaisesRegex(TypeError, "completes on the barrier mbar_ptr; this copy is from rmem to rmem, without one"):
            r = cute.make_rmem_tensor(1, Float32)
            cute.copy(cute.make_copy_atom(cute.nvgpu.cpasync.CopyDsmemStoreOp(), Float32), r, r)

    def test_parts_of_vectors(self):
        x, out = np.random.default_rng(10).random(101).astype(np.float32), np.ones(128, np.float32)
        part_of_a_vector(x, out, 101).launch(grid=1, block=32)
        np.testing.assert_array_equal(out, np.concatenate([x, np.zeros(27)]))
        compiles(self, part_of_a_vector, x, out, Int32(101), grid=1, block=32)

    def sums(self, how):
        x = np.random.default_rng(4).integers(-9, 9, (5, 32)).astype(np.int32)
        parts, count, out = np.zeros((5, 32), np.int32), np.zeros(1, np.int32), np.zeros(32, np.int32)
        sum_by_last_block(x, parts, count, out, how).launch(grid=5, block=32)
        np.testing.assert_array_equal(out, x.sum() + 5 * np.arange(32))

    def test_the_last_block_reads_what_others_wrote(self):
        for how in ("every fence", "one fence", "ordered"):
            with self.subTest(how=how):
                self.sums(how)

    def test_what_orders_no_blocks_is_refused(self):
        for how in ("none", "fence of the block", "in the block"):
            with self.subTest(how=how), self.assertRaisesRegex(RuntimeError, "no barrier orders the two; between blocks atomic operations do"):
                self.sums(how)

    def test_a_lock(self):
        x = np.random.default_rng(5).integers(-9, 9, (6, 32)).astype(np.int32)
        out, lock = np.zeros(32, np.int32), np.zeros(1, np.int32)
        add_one_after_another(x, out, lock).launch(grid=6, block=32)
        np.testing.assert_array_equal(out, x.sum(0))

    def test_warps_of_a_block(self):
        out = np.zeros(64, np.int32)
        hand_over(out, np.zeros(1, np.int32), True).launch(grid=1, block=64)
        np.testing.assert_array_equal(out, np.concatenate([np.arange(5, 37), np.arange(5, 37) * 2]))
        with self.assertRaisesRegex(RuntimeError, "no barrier orders the two"):
            hand_over(np.zeros(64, np.int32), np.zeros(1, np.int32), None).launch(grid=1, block=64)


class Lanes(unittest.TestCase):
    def test_operations_of_some_lanes(self):
        x = np.random.default_rng(6).integers(0, 9, 32).astype(np.int32)
        out = np.zeros(32, np.int32)
        some_lanes(x, out).launch(grid=1, block=32)
        some = x[8:16]
        np.testing.assert_array_equal(out[8:16], some.sum() + 1000 * (some > 6).any() + 2000 + some.max())
        self.assertTrue((out[:8] == -1).all() and (out[16:] == -1).all())
        text = _cute_gpu.source_of(some_lanes.__wrapped__, [on_gpu(a, Int32) for a in (x, out)], (32, 1, 1))[0]
        for name in ("__shfl_xor_sync(0xff00u", "__any_sync(0xff00u", "__ballot_sync(0xff00u", "__syncwarp(0xff00u)"):
            self.assertIn(name, text)

    def test_threads_that_return_count_at_barriers(self):
        x = np.random.default_rng(12).integers(0, 99, 64).astype(np.int32)
        for n in (64, 45, 32, 7):
            out = np.zeros(64, np.int32)
            some_return(x, out, n).launch(grid=1, block=64)
            np.testing.assert_array_equal(out[:n], (x + x[np.arange(64) // 32 * 32])[:n][::-1])
            self.assertFalse(out[n:].any())
        with self.assertRaisesRegex(RuntimeError, "ended while threads .* wait at a barrier that it never reached"):
            some_never_come(np.zeros(32, np.int32)).launch(grid=1, block=32)

    def test_a_lane_outside_of_the_mask_is_refused(self):
        with self.assertRaisesRegex(ValueError, "lane 4 calls an operation of the lanes 0xf and is not one of them"):
            without_its_lane(np.zeros(32, np.int32)).launch(grid=1, block=32)

    def test_bytes_and_their_signs(self):
        x = np.random.default_rng(7).integers(0, 1 << 32, 64, dtype=np.uint32)
        both = np.stack([x[:32], x[32:]], 1).view(np.uint8)
        for selector in (0x3210, 0x7531, 0x0c8f, 0xba98):
            out = np.zeros(32, np.uint32)
            bytes_of(x, out, selector).launch(grid=1, block=32)
            codes = [selector >> 4 * i & 15 for i in range(4)]
            wanted = np.stack([both[:, c & 7] if c < 8 else (both[:, c & 7] >> 7) * np.uint8(255) for c in codes], 1)
            np.testing.assert_array_equal(out.view(np.uint8).reshape(32, 4), wanted)


if __name__ == "__main__":
    unittest.main(verbosity=2)
