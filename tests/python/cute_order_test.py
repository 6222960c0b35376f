"""Atomic operations that order blocks in Python kernels on the CPU, and operations of some lanes of a warp; next to NumPy, and what is refused."""
import unittest

from built_package import FOLDER  # noqa: F401  first: it finds the package
import numpy as np
from tilewright import _cute_gpu, cute, cutlass, Layout
from tilewright._cute_gpu_memory import GpuMemory
from tilewright._cute_tensor import Pointer, Tensor
from tilewright.cutlass import Int32, Uint32

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
def without_its_lane(out):
    if arch.lane_idx() < 8:
        out[arch.lane_idx()] = arch.shuffle_sync(arch.lane_idx(), 0, mask=0xf)


@cute.kernel
def bytes_of(x, out, selector: cutlass.Constexpr):
    i, _, _ = arch.thread_idx()
    out[i] = arch.prmt(x[i], x[i + 32], Uint32(selector))


class Blocks(unittest.TestCase):
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

    def test_a_lane_outside_of_the_mask_is_refused(self):
        with self.assertRaisesRegex(ValueError, "lane 4 calls an operation of the lanes 0xf, of which it is none"):
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
