"""Kept traces and calls, without a GPU: a driver in the test notes what would be launched. A launch of the same kind needs no new trace and
has the new addresses; whatever else a kernel or a host function reads leads to another one.
"""
import gc
import struct
import unittest
import unittest.mock
import weakref

import built_package  # noqa: F401
import numpy as np
from tilewright import _core, _cute_gpu, _cute_kept, cute, cutlass
from tilewright._cute_tensor import Pointer, Tensor
from tilewright._layout import Layout

factor, host_runs = 3, []


class Array(np.ndarray):
    """An array that is as if it were in a GPU's memory."""


def array(*shape, dtype=np.float32):
    return np.zeros(shape, dtype).view(Array)


def tensor(x):
    return Tensor(Pointer(_cute_gpu.GpuMemory(x.ctypes.data, x.size, x.dtype.type, 0, x)), Layout.from_array(x))


class Kernel:
    """A compiled kernel that notes its launches: (text, grid, block, addresses and numbers)."""

    launches: list = []

    def __init__(self, text, *_):
        self.text = text

    def launch(self, grid, block, packed, *_):
        self.launches.append((self.text, grid, block, packed[:-1]))


class Map(_core.TmaMap):
    def __init__(self, address, *described):
        super().__init__(address, *described)
        self.address = address

    def encoded(self, ordinal):
        return struct.pack("P", self.address)


def helper(x):
    return x * factor


@cute.kernel
def scale(a, by: cutlass.Float32, more: cutlass.Constexpr):
    i, _, _ = cute.arch.thread_idx()
    a[i] = helper(a[i]) * by + more


@cute.jit
def scale_all(a, by: cutlass.Float32, more: cutlass.Constexpr = 1.0):
    host_runs.append(a.shape)
    scale(a, by, more).launch(grid=1, block=cute.size(a))


@cute.kernel
def add(a, b, c):
    i, _, _ = cute.arch.thread_idx()
    c[i] = a[i] + b[i]


@cute.jit
def add_all(a, b, c):
    host_runs.append(a.shape)
    add(a, b, c).launch(grid=1, block=cute.size(a))


class WithDriver(unittest.TestCase):
    def setUp(self):
        Kernel.launches.clear()
        host_runs.clear()
        _cute_gpu._kept.clear()
        self.traces, run = 0, _cute_gpu.traced

        def traced(*given):
            self.traces += 1
            return run(*given)
        for owner, name, by in ((_core, "GpuKernel", Kernel), (_core, "TmaMap", Map), (_cute_gpu, "traced", traced)):
            patch = unittest.mock.patch.object(owner, name, by)
            patch.start()
            self.addCleanup(patch.stop)

    def traces_of(self, run):
        """How many traces run() makes."""
        before = self.traces
        run()
        return self.traces - before

    def given_last(self, count):
        return [struct.unpack("P", p)[0] for p in Kernel.launches[-1][3][:count]]


class Launches(WithDriver):
    def test_another_address_and_another_number_need_no_trace(self):
        x, y = array(8), array(8)
        self.assertEqual(self.traces_of(lambda: scale_all(tensor(x), 2.0)), 1)
        self.assertEqual(self.traces_of(lambda: scale_all(tensor(y), 5.0)), 0)
        (of_x, *_, first), (of_y, *_, second) = Kernel.launches
        self.assertEqual(of_x, of_y)
        self.assertEqual(first, [struct.pack("P", x.ctypes.data), struct.pack("f", 2)])
        self.assertEqual(second, [struct.pack("P", y.ctypes.data), struct.pack("f", 5)])
        self.assertEqual(len(host_runs), 2)

    def test_objects_that_hold_arrays(self):
        """A kernel of an object with arrays of its own is traced once for each of them."""
        class Array:  # as PyTorch's on a GPU
            def __init__(self, address, shape):
                self.address, self.shape, self.dtype = address, shape, "float32"

            def __dlpack__(self):
                raise AssertionError("it is not exported for a key")

        class Scaled:
            def __init__(self, workspace):
                self.workspace = workspace

            @cute.kernel
            def kernel(self, a):
                a[cute.arch.thread_idx()[0]] *= self.workspace.shape[0]

            @cute.jit
            def __call__(self, a):
                self.kernel(a).launch(grid=1, block=cute.size(a))

        def seen(x):
            return x.address, x.shape, (4,), 4, 0, x
        with unittest.mock.patch.object(_cute_kept, "seen", seen), unittest.mock.patch.object(_cute_kept, "is_on_gpu", lambda x: isinstance(x, Array)):
            first = Scaled(Array(4096, (3,)))
            self.assertEqual(self.traces_of(lambda: first(tensor(array(8)))), 1)
            self.assertEqual(self.traces_of(lambda: first(tensor(array(8)))), 0)
            self.assertEqual(self.traces_of(lambda: Scaled(Array(4096, (3,)))(tensor(array(8)))), 0)
            self.assertEqual(self.traces_of(lambda: Scaled(Array(4096, (5,)))(tensor(array(8)))), 1)
            self.assertEqual(self.traces_of(lambda: Scaled(Array(8192, (3,)))(tensor(array(8)))), 1)

    def test_another_kind_needs_one(self):
        scale_all(tensor(array(8)), 2.0)
        for a, more in ((array(9), 1.0), (array(16)[::2], 1.0), (array(8, dtype=np.float64), 1.0), (array(8), 2.0), (array(8), 0.0),
                        (array(8), -0.0), (array(8), 1), (array(8), True)):
            with self.subTest(a=a, more=more):
                self.assertEqual(self.traces_of(lambda a=a, more=more: scale_all(tensor(a), 2.0, more)), 1)
                self.assertEqual(self.traces_of(lambda a=a, more=more: scale_all(tensor(a), 2.0, more)), 0)

    def test_another_place_in_the_memory(self):
        whole = tensor(array(16))
        for first, traces in ((0, 1), (8, 1), (8, 0)):
            at = Tensor(whole.iterator + first, Layout(8))
            self.assertEqual(self.traces_of(lambda at=at: scale_all(at, 2.0)), traces)

    def test_what_functions_read(self):
        global factor
        scale_all(tensor(array(8)), 2.0)
        factor = 4
        try:
            self.assertEqual(self.traces_of(lambda: scale_all(tensor(array(8)), 2.0)), 1)
        finally:
            factor = 3
        self.assertEqual(self.traces_of(lambda: scale_all(tensor(array(8)), 2.0)), 0)

    def test_what_functions_enclose_and_objects_hold(self):
        class Adds:
            more = 1

            def __init__(self, mode):
                self.mode = {"by": mode}

            @cute.kernel
            def kernel(self, a):
                a[0] = a[0] + self.mode["by"] + self.more

        @cute.kernel
        def of_class(a, settings: cutlass.Constexpr):
            a[0] = settings.more

        def with_class(settings):
            of_class(tensor(array(1)), settings).launch(grid=1, block=1)

        def launched(inner):
            @cute.kernel
            def kernel(a):
                a[0] = a[0] + inner
            kernel(tensor(array(1))).launch(grid=1, block=1)
        for inner, traces in ((1, 1), (2, 1), (1, 0)):
            self.assertEqual(self.traces_of(lambda inner=inner: launched(inner)), traces)
            self.assertEqual(self.traces_of(lambda inner=inner: Adds(inner).kernel(tensor(array(1))).launch(grid=1, block=1)), traces)
        self.assertEqual(self.traces_of(lambda: with_class(Adds)), 1)
        self.assertEqual(self.traces_of(lambda: with_class(Adds)), 0)
        Adds.more = 2
        self.assertEqual(self.traces_of(lambda: with_class(Adds)), 1)
        self.assertEqual(self.traces_of(lambda: Adds(1).kernel(tensor(array(1))).launch(grid=1, block=1)), 1)

    def test_functions_as_arguments(self):
        @cute.kernel
        def joined(a, join: cutlass.Constexpr):
            a[0] = join(a[0], a[1])
        for join, traces in ((np.add, 1), (np.subtract, 1), (np.add, 0), (lambda x, y: x + y, 1), (lambda x, y: x - y, 1)):
            self.assertEqual(self.traces_of(lambda join=join: joined(tensor(array(2)), join).launch(grid=1, block=1)), traces)

    def test_block_and_tensors_that_are_one(self):
        x, y, z = (tensor(array(8)) for _ in range(3))
        for a, b, c, traces in ((x, y, z, 1), (y, z, x, 0), (x, x, z, 1), (y, y, x, 0), (x, y, x, 1)):
            self.assertEqual(self.traces_of(lambda given=(a, b, c): add(*given).launch(grid=1, block=8)), traces)
            text = Kernel.launches[-1][0]
            self.assertEqual(self.given_last(3), [t.iterator.memory.address for t in dict.fromkeys((a, b, c))])
            self.assertEqual(text.count("float* p"), len({id(t) for t in (a, b, c)}))
        self.assertEqual(self.traces_of(lambda: add(x, y, z).launch(grid=2, block=8)), 0)
        self.assertEqual(self.traces_of(lambda: add(x, y, z).launch(grid=1, block=16)), 1)

    def test_memory_is_not_held(self):
        x = array(8)
        gone = weakref.ref(x)
        call = cute.compile(scale_all, tensor(array(8)), 2.0)
        call(tensor(x), 2.0)
        scale_all(tensor(x), 2.0)
        del x
        gc.collect()
        self.assertIsNone(gone())


class Calls(WithDriver):
    def test_a_call_of_the_same_kind_runs_no_function(self):
        call = cute.compile(add_all, *(tensor(array(8)) for _ in range(3)))
        for shape, runs in ((8, 1), (8, 1), (9, 2), (8, 2)):
            given = [array(shape) for _ in range(3)]
            call(*map(tensor, given))
            self.assertEqual(len(host_runs), runs)
            self.assertEqual(self.given_last(3), [x.ctypes.data for x in given])
        x, y = tensor(array(8)), tensor(array(8))
        for a, b, c in ((x, x, y), (y, y, x)):
            call(a, b, c)
            self.assertEqual(self.given_last(2), [a.iterator.memory.address, c.iterator.memory.address])
        self.assertEqual(len(host_runs), 3)

    def test_arrays_by_name(self):
        def seen(x):
            return x.ctypes.data, x.shape, x.strides, x.itemsize, 0, x
        call = cute.compile(add_all, *(tensor(array(8)) for _ in range(3)))
        with unittest.mock.patch.object(_cute_kept, "seen", seen), unittest.mock.patch.object(_cute_kept, "is_on_gpu", lambda _: True), \
                unittest.mock.patch.object(_cute_gpu, "is_on_gpu", lambda _: True), \
                unittest.mock.patch.object(_cute_gpu, "memory_and_layout", lambda x: (tensor(x).iterator.memory, tensor(x).layout)):
            for shape, runs in ((8, 1), (8, 1), (4, 2)):
                given = [array(shape) for _ in range(3)]
                call(given[0], c=given[2], b=given[1])
                self.assertEqual(len(host_runs), runs)
                self.assertEqual(self.given_last(3), [x.ctypes.data for x in given])

    def test_numbers_that_the_host_function_reads(self):
        @cute.jit
        def some(a, n: cutlass.Int32):
            for _ in range(n):
                scale(a, 1.0 * n, 0).launch(grid=n, block=8)
        call, a = cute.compile(some, tensor(array(8)), 1), tensor(array(8))
        for n in (1, 2, 3, 2):
            Kernel.launches.clear()
            call(a, n)
            self.assertEqual([(grid, packed[1]) for _, grid, _, packed in Kernel.launches], [((n, 1, 1), struct.pack("f", n))] * n)
        self.assertEqual(self.traces, 1)

    def test_functions_that_do_more_run_each_time(self):
        mine, runs = tensor(array(8)), []

        @cute.jit
        def with_own_memory(a):
            runs.append(1)
            add(a, mine, a).launch(grid=1, block=8)

        @cute.jit
        def that_prints(a):
            runs.append(1)
            cute.printf("")
            add(a, a, a).launch(grid=1, block=8)

        @cute.jit
        def with_a_result(a):
            runs.append(1)
            add(a, a, a).launch(grid=1, block=8)
            return len(runs)

        def of_python(a):
            runs.append(1)
            add_all(a, a, a)
        for function in (with_own_memory, that_prints, with_a_result, of_python):
            runs.clear()
            call = cute.compile(function, tensor(array(8)))
            for _ in range(3):
                call(tensor(array(8)))
            self.assertEqual(len(runs), 3, function.__name__)
        self.assertEqual(self.traces, 2)

    def test_maps_of_tma(self):
        cpasync = cute.nvgpu.cpasync

        @cute.kernel
        def load(atom, places, b, smem_layout: cutlass.Constexpr):
            smem = cutlass.utils.SmemAllocator()
            tile = smem.allocate_tensor(cutlass.Float32, smem_layout, byte_alignment=128)
            bar = smem.allocate_array(cutlass.Int64, 1)
            s, g = cpasync.tma_partition(atom, 0, cute.make_layout(1), cute.group_modes(tile, 0, 2), cute.group_modes(places, 0, 2))
            cute.copy(atom, g, s, tma_bar_ptr=bar)
            b[0] = tile[0, 0]

        @cute.jit
        def load_all(a, b):
            host_runs.append(1)
            smem_layout = cute.make_layout((16, 16), stride=(16, 1))
            atom, places = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileG2SOp(), a, smem_layout, (16, 16))
            load(atom, places, b, smem_layout).launch(grid=1, block=32)
        call = cute.compile(load_all, tensor(array(16, 16)), tensor(array(1)))
        for function, runs in ((load_all, 3), (call, 1)):
            host_runs.clear()
            for _ in range(3):
                a, b = array(16 * 16 + 32), array(1)
                a = a[-a.ctypes.data % 128 // 4:][:256].reshape(16, 16)
                function(tensor(a), tensor(b))
                self.assertEqual(sorted(self.given_last(2)), sorted([a.ctypes.data, b.ctypes.data]))
            self.assertEqual(len(host_runs), runs)
        self.assertEqual(self.traces, 1)

    def test_on_a_cpu_the_function_runs_each_time(self):
        call = cute.compile(add_all, *(np.zeros(8, np.float32) for _ in range(3)))
        for round_ in range(1, 4):
            a, b, c = (np.random.default_rng(round_).random((3, 8))).astype(np.float32)
            call(a, b, c)
            np.testing.assert_array_equal(c, a + b)
            self.assertEqual(len(host_runs), round_)
        self.assertEqual(self.traces, 0)


if __name__ == "__main__":
    unittest.main()
