"""What programs of others do with CuTe's Python DSL: tensors smaller than a tile, pointers as arguments, methods of Python's numbers, families of
number types; on the CPU next to NumPy, and traced."""
import contextlib
import dataclasses
import doctest
import functools
import io
import subprocess
import sys
import unittest

from built_package import FOLDER  # noqa: F401  first: it finds the package
import numpy as np
from tilewright import _cute_gpu, _cute_numbers, cute, cutlass, Layout  # noqa: E402
from tilewright._cute_gpu_memory import GpuMemory  # noqa: E402
from tilewright._cute_tensor import Pointer, Tensor  # noqa: E402
from tilewright.cutlass import Boolean, Float, Float32, Int8, Int32, Int64, Integer, Numeric  # noqa: E402


pipeline = cutlass.pipeline


@dataclasses.dataclass(frozen=True)
class OwnPipeline(pipeline.PipelineAsync):
    """A program's own pipeline, made of its barriers, with a field more."""

    steps: int = 1

    @staticmethod
    def create(stages, steps):
        barriers = pipeline.alloc_reserved_mbarrier(stages)
        threads = pipeline.PipelineOp.AsyncThread, pipeline.CooperativeGroup(pipeline.Agent.Thread, 32)
        full, empty = (pipeline.PipelineAsync._make_sync_object(barriers + i * stages, stages, threads) for i in (0, 1))
        cute.arch.mbarrier_init_fence()
        cute.arch.sync_threads()
        return OwnPipeline(full, empty, stages, None, None, steps)


def through_own_pipeline(a, b):
    """b = a + 1: the first warp puts rows of 32 into shared memory, the second takes them."""
    own, buffer = OwnPipeline.create(2, 3), cutlass.utils.SmemAllocator().allocate_tensor(Int32, cute.make_layout((32, 2)), byte_alignment=16)
    warp, lane = cute.arch.warp_idx(), cute.arch.lane_idx()
    user = pipeline.PipelineUserType
    if warp == 0:
        state = pipeline.make_pipeline_state(user.Producer, own.num_stages)
        for i in cutlass.range(5, unroll=1):
            own.producer_acquire(state)
            buffer[lane, state.index] = a[lane, i]
            own.sync_object_full.arrive(state.index)
            state.advance()
    else:
        state = pipeline.make_pipeline_state(user.Consumer, own.num_stages)
        for i in cutlass.range(5, unroll=1):
            own.consumer_wait(state)
            b[lane, i] = buffer[lane, state.index] + own.steps
            own.consumer_release(state)
            state.advance()


def on_gpu(x, dtype):
    return Tensor(Pointer(GpuMemory(x.ctypes.data, x.size, dtype, 0, x)), Layout.from_array(x))


def traced(function, *arguments, block=(32, 1, 1)):
    return _cute_gpu.source_of(function, arguments, block)[0]


def add_rows(a, b, tiler: cutlass.Constexpr):
    """b = 2 * a, by a tiled copy whose tile is (4, 32): rows and columns beyond are left out."""
    thread, _, _ = cute.arch.thread_idx()
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float32)
    tiled = cute.make_tiled_copy_tv(atom, cute.make_layout((4, 8), stride=(8, 1)), cute.make_layout((1, 4)))
    mine = tiled.get_slice(thread)
    from_a, to_b, at = (mine.partition_S(x) for x in (a, b, cute.make_identity_tensor(a.shape)))
    for i in cutlass.range_constexpr(cute.size(from_a)):
        if cute.elem_less(at[i], a.shape):
            to_b[i] = from_a[i] * 2


def by_steps(a, b):
    """b[i] = a[i] + 1, each block every grid_dim-th element."""
    step = cute.arch.grid_dim()[0]
    for i in cutlass.range(cute.arch.block_idx()[0], cute.size(a), step):
        b[i] = a[i] + 1


def from_pointers(a: cute.Pointer, b: cute.Pointer, n: cutlass.Constexpr):
    x, y = cute.make_tensor(a, cute.make_layout(n)), cute.make_tensor(b, cute.make_layout(n))
    i, _, _ = cute.arch.thread_idx()
    y[i] = x[i] + i.to(Float32)


class Kernels(unittest.TestCase):
    def test_tensors_smaller_than_a_tile(self):
        for extents in ((1, 32), (4, 8), (3, 7), (1, 1), (4, 32), (6, 40)):
            a = np.random.default_rng(1).integers(0, 99, extents).astype(np.float32)
            b = np.zeros_like(a)
            cute.kernel(add_rows)(a, b, None).launch(grid=1, block=32)
            np.testing.assert_array_equal(b, 2 * a)

    def test_an_element_beyond_is_refused(self):
        def beyond(a):
            mine = cute.make_tiled_copy_tv(cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float32), cute.make_layout(4), cute.make_layout(1))
            mine.get_slice(cute.arch.thread_idx()[0]).partition_S(a)[0] = Float32(1)
        with self.assertRaisesRegex(IndexError, "outside of the 3 elements"):
            cute.kernel(beyond)(np.zeros(3, np.float32)).launch(grid=1, block=4)

    def test_steps_that_the_gpu_knows(self):
        a = np.arange(50, dtype=np.float32)
        b = np.zeros_like(a)
        cute.kernel(by_steps)(a, b).launch(grid=7, block=1)
        np.testing.assert_array_equal(b, a + 1)
        text = traced(by_steps, *(on_gpu(x, Float32) for x in (a, b)))
        self.assertRegex(text, r"for \(long long (ix\d+) = blockIdx_x; \1 < 50LL; \1 \+= ix\d+\) \{")

        def either_way(a, b):
            for i in range(b[0], b[1], b[2]):
                a[i] = Float32(1)
        self.assertRegex(traced(either_way, on_gpu(a, Float32), on_gpu(np.zeros(3, np.int32), Int32)), r"> 0 \? (ix\d+) < .* : \1 > ")

    def test_pointers(self):
        a, b = np.random.default_rng(2).random((2, 32)).astype(np.float32)
        given = [cute.runtime.make_ptr(Float32, x.ctypes.data, cute.AddressSpace.gmem) for x in (a, b)]
        cute.kernel(from_pointers)(*given, 32).launch(grid=1, block=32)
        np.testing.assert_array_equal(b, a + np.arange(32, dtype=np.float32))
        given = [Pointer(GpuMemory(x.ctypes.data, 32, Float32, 0, x)) for x in (a, b)]
        text = traced(from_pointers, *given, 32)
        self.assertIn("float* p0, float* p1", text)
        self.assertIn("(float)(threadIdx_x)", text)

    def test_a_null_pointer_compiles(self):
        null = cute.runtime.make_ptr(cutlass.BFloat16, 0, cute.AddressSpace.gmem)
        self.assertIs(null.dtype, cutlass.BFloat16)
        with self.assertRaises(IndexError):
            null.load()

    def test_methods_of_pythons_numbers(self):
        def numbers(out):
            n, x, yes = 3, 0.5, True
            out[0] = n.to(Float32) + x.to(Float32) + yes.to(Float32)
            out[1] = (cute.arch.thread_idx()[0] + 2).ir_value().to(Float32)
        out = np.zeros(2, np.float32)
        cute.kernel(numbers)(out).launch(grid=1, block=1)
        self.assertEqual(out.tolist(), [4.5, 2])
        self.assertIn("p0[1] = (float)(0x1.0000000000000p+1);", traced(numbers, on_gpu(out, Float32), block=(1, 1, 1)))

    def test_pythons_print_is_of_one_thread(self):
        @cute.jit
        def told(x):
            print("helper", x)

        @cute.kernel
        def prints(a):
            thread, _, _ = cute.arch.thread_idx()
            print("thread", thread, a.shape)
            if thread == 3:
                print("three")
            for i in range(2):
                print("round", i)
            told(thread)
            a[thread] = thread

        @cute.jit
        def twice(a):
            print("host")
            prints(a).launch(grid=1, block=8)
            prints(a).launch(grid=1, block=8)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            twice(np.zeros(8, np.int32))
        once = ["thread 0 (8,)", "round 0", "round 1", "helper 0", "three"]
        self.assertEqual(out.getvalue().splitlines(), ["host"] + 2 * once)

    def test_tensors_convert(self):
        def converted(a, b, c):
            thread, _, _ = cute.arch.thread_idx()
            mine = a[None, thread].to(Float32)
            bits = cute.recast_tensor(mine, Int32)
            for i in range(4):
                mine[i] = mine[i] + 0.5
                c[i, thread] = bits[i]
            b[None, thread].store(mine.load())
        a, b, c = np.arange(32, dtype=np.float16).reshape(4, 8), np.zeros((4, 8), np.float32), np.zeros((4, 8), np.int32)
        cute.kernel(converted)(a, b, c).launch(grid=1, block=8)
        np.testing.assert_array_equal(b, np.arange(32, dtype=np.float32).reshape(4, 8) + 0.5)
        np.testing.assert_array_equal(c.view(np.float32), b)
        self.assertIn("reinterpret_cast<int*>", traced(converted, *(on_gpu(x, t) for x, t in ((a, cutlass.Float16), (b, Float32), (c, Int32)))))

    def test_shapes_of_one_mode_are_extents_of_a_grid(self):
        a = np.zeros(12, np.int32)
        tiled = cute.zipped_divide(cute.runtime.from_dlpack(a), (4,))
        self.assertEqual(tiled.shape, ((4,), (3,)))

        @cute.kernel
        def numbered(a):
            a[cute.arch.block_idx()[0]] = cute.arch.grid_dim()[0]
        numbered(a).launch(grid=[tiled.shape[1], 1, 1], block=(1,))
        self.assertEqual(a.tolist(), [3, 3, 3] + 9 * [0])
        with self.assertRaisesRegex(TypeError, "grid is .*; it has up to three extents, which are integers"):
            numbered(a).launch(grid=[(3, 1), 1, 1], block=1)

    def test_a_pipeline_made_of_its_barriers(self):
        a = np.random.default_rng(3).integers(0, 99, (32, 5)).astype(np.int32)
        b = np.zeros_like(a)
        cute.kernel(through_own_pipeline)(a, b).launch(grid=1, block=64)
        np.testing.assert_array_equal(b, a + 3)
        text = traced(through_own_pipeline, *(on_gpu(x, Int32) for x in (a, b)), block=(64, 1, 1))
        self.assertEqual(text.count("ptx::mbarrier_init("), 4, text)

    def test_types_of_numbers_that_the_gpu_knows(self):
        found = []

        @cutlass.dsl_user_op
        def noted(x, *, loc=None, ip=None):
            found.append((type(x), isinstance(x, Float32), isinstance(x, (Int32, Int64)), isinstance(x, Boolean), isinstance(x, Numeric)))

        def numbers(a, b):
            thread, _, _ = cute.arch.thread_idx()
            noted(a[thread])
            noted(b[thread])
            noted(thread)
            noted(a[thread] > 0)
        traced(numbers, on_gpu(np.zeros(32, np.float32), Float32), on_gpu(np.zeros(32, np.int8), Int8))
        self.assertEqual(found, [(Float32, True, False, False, True), (Int8, False, False, False, True), (Int32, False, True, False, True),
                                 (Boolean, False, False, True, True)])

    def test_loc_and_ip(self):
        def copied(a, b):
            r = cute.make_rmem_tensor_like(a, loc=None, ip=None)
            r.store(a.load(loc=None, ip=None).to(Float32, loc=None), loc=None, ip=None)
            for i in range(4):
                b.__setitem__(i, r.__getitem__(i, loc=None, ip=None), loc=None, ip=None)
        a, b = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
        cute.kernel(copied)(a, b).launch(grid=1, block=1)
        np.testing.assert_array_equal(a, b)


class Lanes(unittest.TestCase):
    def test_groups_of_lanes(self):
        """As the PTX ISA defines shfl: a source lane beyond the group's last, or first, is the lane itself."""
        import cute_dsl_kernels as kernels
        a, out = np.arange(32, dtype=np.int32), np.zeros((len(kernels.EXCHANGES), 32), np.int32)
        kernels.lanes_of_groups(a, out).launch(grid=1, block=32)
        for (kind, b, c), row in zip(kernels.EXCHANGES, out):
            for lane in range(32):
                segment, clamp = c >> 8 & 31, c & 31
                last = (lane & segment) | (clamp & ~segment)
                j = {"idx": (lane & segment) | (b & ~segment), "up": lane - b, "down": lane + b, "bfly": lane ^ b}[kind]
                self.assertEqual(row[lane], j if (j >= last if kind == "up" else j <= last) else lane, (kind, b, c, lane))


class Names(unittest.TestCase):
    def test_examples_of_docstrings(self):
        for module in (_cute_numbers, cutlass):
            result = doctest.testmod(module)
            self.assertEqual((result.failed, result.attempted > 0), (0, True), module.__name__)

    def test_families(self):
        of = {Numeric: (True, True, True), Integer: (True, False, False), Float: (False, True, False)}
        for family, wanted in of.items():
            self.assertEqual(tuple(isinstance(x, family) for x in (Int32(1), cutlass.BFloat16(1), Boolean(1))), wanted)
            self.assertEqual(tuple(issubclass(t, family) for t in (Int8, cutlass.Float8E4M3FN, Boolean)), wanted)
            self.assertFalse(isinstance(1, family) or isinstance("1", family) or issubclass(int, family))
        self.assertEqual([type(Numeric.from_python(x)) for x in (3, 1 << 40, 1.5)], [Int32, Int64, Float32])
        with self.assertRaisesRegex(TypeError, "a str is no number"):
            Numeric.from_python("1")

    def test_a_user_op_gets_numbers_of_its_types(self):
        @cutlass.dsl_user_op
        def op(x: Int32, y: "cutlass.Float32", z, *, loc=None, ip=None):
            return [type(v) for v in (x, y, z)]
        self.assertEqual(op(1, y=2, z=3), [Int32, Float32, int])

    def test_tma_info(self):
        layout = cute.make_layout((8, 32), stride=(32, 1))
        x = cute.runtime.from_dlpack(np.zeros((64, 64), np.float32))
        info = cute.nvgpu.cpasync.make_tiled_tma_atom(cute.nvgpu.cpasync.CopyBulkTensorTileG2SOp(), x, layout, (8, 32))
        atom, tensor = info
        self.assertIsInstance(info, cute.nvgpu.cpasync.TmaInfo)
        self.assertTrue(atom is info.atom and tensor is info.tma_tensor and info[0] is atom and str(info.smem_layout) == str(layout))

    def test_a_partial_function_compiles(self):
        @cute.jit
        def scaled(a: cute.Tensor, b: cute.Tensor, factor: cutlass.Constexpr = 1):
            for i in range(cute.size(a)):
                b[i] = a[i] * factor
        a, b = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
        for function, factor in ((functools.partial(scaled, factor=3), 3), (functools.partial(scaled, a, factor=5), 5), (scaled, 1)):
            given = (b,) if factor == 5 else (a, b)
            cute.compile(function, *given)(*given)
            np.testing.assert_array_equal(b, a * factor)

    def test_names_that_programs_take_from_other_modules(self):
        script = ("import sys\nsys.path.insert(0, sys.argv[1])\nimport tilewright.cutlass\ntilewright.cutlass.register()\nimport cutlass\n"
                  "from cutlass.base_dsl._mlir_helpers.op import dsl_user_op\nassert dsl_user_op is cutlass.dsl_user_op\n"
                  "from cutlass.base_dsl.typing import __STR_TO_DTYPE__ as types\nassert types['Float32'] is cutlass.Float32\n"
                  "from cutlass.cute.arch import nvvm\nfrom cutlass._mlir.dialects.nvvm import AtomicOpKind\nassert nvvm.AtomicOpKind is AtomicOpKind\n")
        done = subprocess.run([sys.executable, "-c", script, FOLDER], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_sizes_and_refusals(self):
        copy = cute.make_tiled_copy_tv(cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float32), cute.make_layout(8), cute.make_layout(2))
        self.assertEqual(cute.size(copy), 8)
        with self.assertRaisesRegex(TypeError, "export_to_c: the function launches no kernel"):
            cute.compile(lambda: None).export_to_c("folder", "name")
        self.assertEqual(cutlass.utils.SmemPartition.RESERVED.value, "reserved")


if __name__ == "__main__":
    unittest.main(verbosity=2)
