"""cutlass.experimental.primitives, cutlass.Array and maps of TMA that a host function makes: on the CPU next to NumPy, and traced; NVRTC compiles the
traces where it is installed."""
import subprocess
import sys
import unittest

from built_package import FOLDER  # noqa: F401  first: it finds the package
import numpy as np
from cute_primitives_kernels import (cuda, boxes, in_bulk, in_stages, lanes, masks, multiply, ring, store_twice, through_maps, transposed,
                                     vectors, prims)
from tilewright import _core, _cute_gpu, cute, cutlass, Layout
from tilewright._cute_gpu_memory import GpuMemory
from tilewright._cute_tensor import Pointer, Tensor
from tilewright.cutlass import Boolean, Float16, Float32, Int32, Int64


def on_gpu(a):
    return Tensor(Pointer(GpuMemory(a.ctypes.data, a.size, cute.as_tensor(a).element_type, 0, a)), Layout.from_array(a))


def traced(test, function, *arguments, block=(32, 1, 1), cluster=(1, 1, 1)):
    """The text of a kernel for arrays of a GPU, which NVRTC compiles where it is installed."""
    given = [on_gpu(a) if isinstance(a, np.ndarray) else a for a in arguments]
    text = _cute_gpu.source_of(function.__wrapped__, given, block, cluster)[0]
    try:
        test.assertGreater(len(_core.machine_code(text, function.__name__, 90)), 1000)
    except _core.CopyError as error:
        test.assertIn("libnvrtc", str(error))
    return text


class Primitives(unittest.TestCase):
    def test_tiles_in_shared_memory(self):
        rng = np.random.default_rng(1)
        a, b, c = rng.random((16, 24), np.float32), rng.random((24, 32), np.float32), np.zeros((16, 32), np.float32)
        multiply(a, b, c, 8).launch(grid=(2, 4, 1), block=(8, 8, 1))
        np.testing.assert_allclose(c, a @ b, rtol=1e-5)
        self.assertIn("__syncthreads();", traced(self, multiply, a, b, c, 8, block=(8, 8, 1)))

    def test_lanes(self):
        a, out = np.random.default_rng(2).integers(-99, 99, 32).astype(np.int32), np.zeros((9, 32), np.int32)
        lanes(a, out).launch(grid=1, block=32)
        i = np.arange(32)
        np.testing.assert_array_equal(out[0], a[i ^ 3])
        np.testing.assert_array_equal(out[1], a[np.maximum(i - 1, 0)])
        np.testing.assert_array_equal(out[2], np.full(32, a.sum()))
        np.testing.assert_array_equal(out[3].view(np.uint32), np.full(32, a.view(np.uint32).max()))
        np.testing.assert_array_equal(out[4].view(np.uint32), np.full(32, sum(1 << int(k) for k in i[a > 0]), np.uint32))
        np.testing.assert_array_equal(out[5], i == 0)
        np.testing.assert_array_equal(out[6], np.full(32, (a > 90).any()))
        np.testing.assert_array_equal(out[7], np.where(i % 8 >= 2, a[np.maximum(i - 2, 0)], a))  # groups of 8 lanes
        np.testing.assert_array_equal(out[8], i % 8 >= 2)
        traced(self, lanes, a, out)
        with self.assertRaisesRegex(ValueError, "all 32 threads of the block, and thread_count is 16"):
            cute.kernel(lambda: prims.barrier_cta_red(True, 0, "or", thread_count=16))().launch(grid=1, block=32)

    def test_stages(self):
        src, dst = np.random.default_rng(3).random(5 * 32, np.float32), np.zeros(5 * 32, np.float32)
        in_stages(src, dst, 5).launch(grid=1, block=64)
        np.testing.assert_array_equal(dst, 2 * src)
        self.assertIn("mbarrier_try_wait", traced(self, in_stages, src, dst, 5, block=(64, 1, 1)))

    def test_blocks_of_a_cluster(self):
        out = np.zeros(4, np.int32)
        ring(out).launch(grid=4, block=32, cluster=4)
        np.testing.assert_array_equal(out, [17, 27, 37, 7])
        self.assertIn("mbarrier_arrive_remote", traced(self, ring, out, cluster=(4, 1, 1)))

    def test_vectors(self):
        a, b, c = np.arange(32, dtype=np.float32), np.zeros(34, np.float32), np.full(33, -1, np.float32)
        vectors(a, b, c, 21, 4).launch(grid=1, block=8)
        wanted = np.where(np.arange(33) < 21, np.arange(33), -1)
        wanted[32] = a[:4].sum()
        np.testing.assert_array_equal(c, wanted)
        np.testing.assert_array_equal(b[:32], 2 * a)
        self.assertEqual(list(b[32:]), [6, 3])
        traced(self, vectors, a, b, c, 21, 4, block=(8, 1, 1))

    def test_masks_and_products(self):
        a, out = np.random.default_rng(6).random(8, np.float32), np.zeros(32, np.float32)
        masks(a, out, 5).launch(grid=1, block=1)
        np.testing.assert_array_equal(out[:8], np.where(np.arange(8) < 5, a, -1))
        np.testing.assert_allclose(out[8:24].reshape(2, 8), np.outer([2, 3], a), rtol=1e-6)
        np.testing.assert_allclose(out[24:], np.broadcast_to(a, (3, 8)).sum(0), rtol=1e-6)
        traced(self, masks, a, out, 5, block=(1, 1, 1))
        mask = cutlass.vector.create_mask((2, 3), (2, 1))
        self.assertEqual([[bool(mask[i, j]) for j in range(3)] for i in range(2)], [[True, False, False], [True, False, False]])
        for given in (lambda: cutlass.vector.create_mask((2, 3), (1,)), lambda: cutlass.vector.broadcast_to(mask, (3, 2)),
                      lambda: cutlass.vector.full((0,), 1.0, Float32)):
            with self.assertRaisesRegex(ValueError, "shape"):
                given()

    def test_maps_of_tma(self):
        a, b, out = np.random.default_rng(4).random((80, 160)).astype(np.float16), np.zeros((32, 64), np.float16), np.zeros(64, np.float16)
        through_maps(a, b, out)
        np.testing.assert_array_equal(b, a[32:64, 64:128])
        np.testing.assert_array_equal(out, a[35, 64:128])
        maps = [cuda.create_tensor_map_tiled_from_view(on_gpu(x), box_dims=(32, 64), swizzle=cuda.TensorMapSwizzle.s128b) for x in (a, b)]
        self.assertRegex(traced(self, boxes, *maps, out), r"if \(true\) tilewright::ptx::tma_load\(&m0, ")

    def test_two_threads_may_store_the_same(self):
        b = np.zeros((8, 16), np.float32)
        store_twice(b, 0)
        np.testing.assert_array_equal(b, np.arange(128).reshape(8, 16))
        with self.assertRaisesRegex(RuntimeError, "element 0, in the TMA store .* no barrier orders the two"):
            store_twice(np.zeros((8, 16), np.float32), 1)

    def test_maps_are_checked(self):
        a = cute.as_tensor(np.zeros((64, 96), np.float16))
        for text, given in (("at most 32", {"box_dims": (8, 32), "swizzle": cuda.TensorMapSwizzle.s32b}), ("1 to 256", {"box_dims": (300, 8)}),
                            ("2 modes and the box", {"box_dims": (8,)}), ("stride is 96", {"box_dims": (8, 8), "stride_order": (0, 1)}),
                            ("8 bytes, which is no multiple", {"box_dims": (8, 4)})):
            with self.assertRaisesRegex(ValueError, text):
                cuda.create_tensor_map_tiled_from_view(a, **given)
        made = cuda.create_tensor_map_tiled_from_view(a, box_dims=(8, 16))
        self.assertEqual((made.described, made.global_tx_bytes()), (([96, 64], [1, 96], [16, 8]), 256))
        x = np.zeros((16, 32), np.float32)
        by_address = cuda.create_tensor_map_tiled(x.ctypes.data, Float32, [32, 16], [32 * 4 // 16], [8, 4])
        self.assertEqual(by_address.described, ([32, 16], [1, 32], [8, 4]))

    def test_matrices_of_a_warp(self):
        a, b = np.arange(256, dtype=np.float16).reshape(32, 8), np.zeros((32, 8), np.float16)
        transposed(a, b).launch(grid=1, block=32)
        np.testing.assert_array_equal(b.reshape(4, 8, 8), a.reshape(4, 8, 8).transpose(0, 2, 1))
        text = traced(self, transposed, a, b)
        self.assertIn("ldmatrix.sync.aligned.m8n8.x4.shared.b16", text)
        self.assertIn("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16", text)

    def test_asynchronous_copies(self):
        a, b, counted = np.random.default_rng(5).random(128, np.float32), np.zeros(32, np.float32), np.zeros(1, np.int32)
        in_bulk(a, b, counted).launch(grid=1, block=32)
        np.testing.assert_array_equal(b, a[64:96] + a[:32])
        self.assertEqual(counted[0], 64)
        self.assertIn("bulk_load", traced(self, in_bulk, a, b, counted))

    def test_arrays(self):
        @cute.kernel
        def checked():
            rows = cutlass.Array(Int32, (4, 8))
            assert isinstance(rows, cutlass.Array) and rows.stride == (8, 1)
            rows[2, 3] = 7
            assert rows.data_ptr(19)[0] == 7 and rows.subview(16).load(3) == 7 and rows.load(19, 1)[0] == 7
            for given, error in ((lambda: rows.subview(30, 4), ValueError), (lambda: rows[3:], TypeError), (lambda: rows.load(0, 0), ValueError),
                                 (lambda: cutlass.Array(Int32, 0), ValueError), (lambda: cutlass.Array(Int32, 4, space="gmem"), ValueError)):
                try:
                    given()
                except error:
                    continue
                raise AssertionError(error)
        checked().launch(grid=1, block=1)
        with self.assertRaisesRegex(ValueError, "there is no swizzle 's16b'"):
            cutlass.Swizzle.from_name("s16b")

    def test_a_field_of_a_struct_is_a_pointer(self):
        @cute.kernel
        def waits(a: cute.Tensor):
            @cute.struct
            class Storage:
                bar: Int64
                value: Int32
                tile: cute.struct.MemRange[Float32, 32]
            thread, storage = cute.arch.thread_idx()[0], cutlass.utils.SmemAllocator().allocate(Storage)
            if thread == 0:
                cute.arch.mbarrier_init(storage.bar, 32)
            cute.arch.sync_threads()
            storage.tile[thread] = Float32(thread)
            cute.arch.atomic_add(storage.value, Int32(1))
            cute.arch.mbarrier_arrive(storage.bar)
            cute.arch.mbarrier_wait(storage.bar, 0)
            a[thread] = (storage.tile + (31 - thread)).load() + storage.value.load()
        a = np.zeros(32, np.float32)
        waits(a).launch(grid=1, block=32)
        np.testing.assert_array_equal(a, np.arange(32)[::-1] + 32)

    def test_imports_by_nvidias_names(self):
        program = """
import tilewright.cutlass
tilewright.cutlass.register()
import cutlass.experimental.primitives as prims, cutlass.experimental.cuda as cuda
from cutlass.experimental import primitives
from cutlass.cute import iket
from cutlass.cute.experimental.iket import range_push
from cutlass.cute.runtime import AddressSpace
from cutlass.cute.typing import Optional, Type, Float8E4M3FN
import cutlass.cute as cute
assert primitives.elect_sync is prims.elect_sync and AddressSpace is cute.AddressSpace and cute.Float8E4M3FN is Float8E4M3FN
from cutlass.experimental.task_scheduling.resources import Pipeline
try:
    Pipeline()
except TypeError as error:
    print(error)
"""
        made = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env={"PYTHONPATH": FOLDER}, check=False)
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        self.assertRegex(made.stdout, "an experimental part of the DSL is not run here")

    def test_bytes_of_types(self):
        self.assertEqual([t.bytes for t in (Int32, Float16, Int64, Boolean, cutlass.Float4E2M1FN)], [4, 2, 8, 1, 1])

    def test_marks_of_a_profiler_are_no_work(self):
        @cute.kernel
        def marked(a: cute.Tensor):
            cute.iket.range_push("one")
            a[0] = 1
            cutlass.experimental.iket.range_pop()
        a = np.zeros(1, np.int32)
        marked(a).launch(grid=1, block=1)
        self.assertEqual(a[0], 1)


if __name__ == "__main__":
    unittest.main()
