"""Bulk copies of contiguous bytes in kernels (cpasync.CopyBulkG2SOp, CopyBulkS2GOp): on the CPU next to NumPy, late, and traced."""
import unittest

from built_package import FOLDER  # noqa: F401  first: it finds the package
import numpy as np
from tilewright import _cute_gpu, cute, cutlass, Layout  # noqa: E402
from tilewright._cute_gpu_memory import GpuMemory  # noqa: E402
from tilewright._cute_tensor import Pointer, Tensor  # noqa: E402

cpasync = cute.nvgpu.cpasync


def rows_through_shared_memory(a, b, skip: cutlass.Constexpr):
    """b = a + 1, a row of 64 a block: loaded and stored in bulk. `skip`: what is left out."""
    row = cute.arch.block_idx()[0]
    thread = cute.arch.thread_idx()[0]
    smem = cutlass.utils.SmemAllocator()
    barrier = smem.allocate_array(cutlass.Int64, 1)
    buffer = smem.allocate_tensor(a.element_type, cute.make_layout(64), byte_alignment=16)
    load, store = (cute.make_copy_atom(op, a.element_type) for op in (cpasync.CopyBulkG2SOp(), cpasync.CopyBulkS2GOp()))
    if thread == 0:
        cute.arch.mbarrier_init(barrier, 1)
    cute.arch.mbarrier_init_fence()
    cute.arch.sync_threads()
    if thread == 0:
        cute.arch.mbarrier_arrive_and_expect_tx(barrier, cute.size_in_bytes(a.element_type, buffer.layout))
        cute.copy(load, a[row, None], buffer, mbar_ptr=barrier)
    if cutlass.const_expr(skip != "wait"):
        cute.arch.mbarrier_wait(barrier, 0)
    mine = buffer[thread] + buffer[thread + 32]
    cute.arch.sync_threads()
    buffer[thread] = mine
    buffer[thread + 32] = mine * 2
    cute.arch.fence_proxy("async.shared", space="cta")
    if cutlass.const_expr(skip != "barrier"):
        cute.arch.sync_threads()
    if thread == 0:
        cute.copy(store, buffer, b[row, None])
        cute.arch.cp_async_bulk_commit_group()
        if cutlass.const_expr(skip != "group"):
            cute.arch.cp_async_bulk_wait_group(0)


def wanted(a):
    sums = a[:, :32] + a[:, 32:]
    return np.concatenate([sums, sums * 2], axis=1)


class Bulk(unittest.TestCase):
    def test_rows(self):
        for dtype in (np.float32, np.float16, np.int16, np.int64):
            a = np.random.default_rng(1).integers(0, 50, (3, 64)).astype(dtype)
            b = np.zeros_like(a)
            cute.kernel(rows_through_shared_memory)(a, b, None).launch(grid=3, block=32)
            np.testing.assert_array_equal(b, wanted(a))

    def test_a_missing_wait_is_found(self):
        a = np.ones((1, 64), np.float32)
        for skip, words in (("wait", "reads .*no barrier orders|while the bulk copy"), ("barrier", "no barrier orders")):
            with self.assertRaisesRegex(RuntimeError, words):
                cute.kernel(rows_through_shared_memory)(a, np.zeros_like(a), skip).launch(grid=1, block=32)

    def test_what_is_refused(self):
        def copied(op, of, to, given=True):
            def kernel(a):
                smem = cutlass.utils.SmemAllocator()
                barrier = smem.allocate_array(cutlass.Int64, 1)
                buffer = smem.allocate_tensor(cutlass.Float32, cute.make_layout((8, 8)), byte_alignment=16)
                cute.arch.mbarrier_init(barrier, 1)
                atom = cute.make_copy_atom(op(), cutlass.Float32)
                cute.copy(atom, of(a, buffer), to(a, buffer), **({"mbar_ptr": barrier} if given else {}))
            cute.kernel(kernel)(np.zeros((8, 8), np.float32)).launch(grid=1, block=1)
        load = cpasync.CopyBulkG2SOp
        row, inside = lambda a, s: a[0, None], lambda a, s: s[None, 0]
        for error, words, arguments in [
                (TypeError, "copies from gmem to smem, and the source is Tensor.smem", (load, inside, inside)),
                (ValueError, "copies contiguous elements, and the source is", (load, lambda a, s: a[None, 0], inside)),
                (ValueError, "not as many bytes", (load, row, lambda a, s: s)),
                (ValueError, "a multiple of 16 bytes, and .* has 12", (load, lambda a, s: cute.make_tensor(a.iterator, cute.make_layout(3)),
                                                                         lambda a, s: cute.make_tensor(s.iterator, cute.make_layout(3)))),
                (ValueError, "the source starts at byte 4 of 16", (load, lambda a, s: cute.make_tensor(a.iterator + 1, cute.make_layout(8)), inside)),
                (TypeError, "completes on a barrier; give mbar_ptr", (load, row, inside, False)),
                (TypeError, "copies from smem to gmem, and the source is", (cpasync.CopyBulkS2GOp, row, row))]:
            with self.assertRaisesRegex(error, words) as caught:
                copied(*arguments)
            self.assertNotIn("\n", str(caught.exception))

    def test_traced(self):
        x = np.zeros((3, 64), np.float32)
        given = [Tensor(Pointer(GpuMemory(x.ctypes.data, x.size, cutlass.Float32, 0, x)), Layout.from_array(x)) for _ in range(2)]
        text = _cute_gpu.source_of(rows_through_shared_memory, (*given, None), (32, 1, 1))[0]
        self.assertRegex(text, r"tilewright::ptx::bulk_load\(s\d+ \+ 0, p0 \+ \w+, 256u, reinterpret_cast<std::uint64_t\*>\(s\d+ \+ 0\)\);")
        self.assertRegex(text, r"tilewright::ptx::bulk_store\(p1 \+ \w+, s\d+ \+ 0, 256u\);")
        self.assertIn('#include "tilewright/atom/ptx/bulk.hpp"', text)


if __name__ == "__main__":
    unittest.main()
