"""Maps of TMA that kernels change: on the CPU next to NumPy, and what is traced."""
import unittest

from built_package import FOLDER  # noqa: F401  first: it finds the package
import numpy as np
import cute_map_kernels as kernels  # noqa: E402
from tilewright import _cute_gpu, _cute_launch, cute, cutlass, Layout  # noqa: E402
from tilewright._cute_memory import aligned_zeros  # noqa: E402
from tilewright._cute_tensor import Pointer, Tensor  # noqa: E402

cpasync = cute.nvgpu.cpasync


def aligned(x):
    """A copy of an array at a multiple of 1024 bytes."""
    made = aligned_zeros(x.size, x.dtype).reshape(x.shape)
    made[...] = x
    return made


def run(mode, dtype, sizes):
    """(what the kernel wrote, what NumPy says)"""
    a, b, shapes = kernels.group(dtype, sizes)
    a, b = [aligned(x) for x in a], [aligned(x) for x in b]
    wanted = kernels.expected(a, b, sizes)
    addresses = np.array([(x.ctypes.data, y.ctypes.data) for x, y in zip(a, b)], np.int64)
    maps = aligned(np.zeros((len(sizes), 2, kernels.WORDS), np.int64))
    kernels.Grouped(mode)(aligned(np.zeros((8, 8), dtype)), addresses, shapes, maps)
    return b, wanted


class Changed(unittest.TestCase):
    def test_groups(self):
        for mode in kernels.MODES:
            for dtype in (np.float32, np.float16):
                for x, y in zip(*run(mode, dtype, kernels.SIZES)):
                    np.testing.assert_array_equal(x, y, f"{mode}, {dtype}")

    def test_mistakes(self):
        x = aligned(np.zeros((8, 8), np.float32))
        layout = cute.make_layout(kernels.TILE, stride=(kernels.TILE[1], 1))
        atom, _ = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileG2SOp(), x_tensor(x), layout, kernels.TILE)
        place = x_tensor(aligned(np.zeros(32, np.int64))).iterator
        for error, words, call in [
                (TypeError, "is no atom of TMA", lambda: cpasync.copy_tensormap(None, place)),
                (IndexError, "a map of TMA has 128 bytes", lambda: cpasync.copy_tensormap(atom, place + 17)),
                (ValueError, "at a multiple of 64 bytes, and this one at byte 8", lambda: cpasync.copy_tensormap(atom, place + 1)),
                (ValueError, "a map is changed to a tensor of as many modes",
                 lambda: cpasync.update_tma_descriptor(atom, x_tensor(np.zeros(8, np.float32)), place)),
                (ValueError, "points to memory that has no map of TMA", lambda: _cute_launch_map(place)),
                (ValueError, "takes its map from gmem or generic memory",
                 lambda: cutlass.utils.TensorMapManager(kernels.Mode.GMEM, 128).get_tensormap_ptr(place, cute.AddressSpace.smem))]:
            with self.subTest(words=words), self.assertRaisesRegex(error, words):
                call()

    def test_a_copy_of_the_bytes_is_the_map(self):
        x, maps = aligned(np.zeros((8, 8), np.float32)), aligned(np.zeros(32, np.int64))
        layout = cute.make_layout(kernels.TILE, stride=(kernels.TILE[1], 1))
        atom, _ = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileG2SOp(), x_tensor(x), layout, kernels.TILE)
        place = x_tensor(maps).iterator
        cpasync.copy_tensormap(atom, place)
        maps[16:] = maps[:16]
        self.assertIs(_cute_launch_map(place), _cute_launch_map(place + 16))

    def test_traced(self):
        def on_gpu(x):
            return Tensor(Pointer(_cute_gpu.GpuMemory(x.ctypes.data, x.size, cute_type(x), 0, x)), Layout.from_array(x))
        found, launch = [], _cute_launch.launch
        _cute_launch.launch = lambda function, arguments, grid, block, cluster, together, smem: found.append(
            _cute_gpu.source_of(function, arguments, (block, 1, 1), (cluster or (1, 1, 1)))[0])
        a, _, shapes = kernels.group(np.float32, kernels.SIZES)
        given = [on_gpu(x) for x in (np.zeros((8, 8), np.float32), np.zeros((4, 2), np.int64), shapes, np.zeros((4, 2, 16), np.int64))]
        try:
            for mode in kernels.MODES:
                kernels.Grouped(mode)(*given)
        finally:
            _cute_launch.launch = launch
        for text, mode in zip(found, kernels.MODES):
            space = "shared" if mode is kernels.Mode.SMEM else "global"
            for words in (f"tilewright::ptx::replace_map_address_in_{space}(", f"replace_map_extent_in_{space}<0>(", f"replace_map_stride_in_{space}<1>(",
                          "if (tw_elected()) tw_copy_map(&m0, ", "tilewright::ptx::acquire_map(", "tilewright::ptx::tma_load((void const*)(",
                          "tilewright::ptx::publish_map(" if mode is kernels.Mode.SMEM else "tilewright::ptx::release_maps();"):
                self.assertIn(words, text)


class SmallTensors(unittest.TestCase):
    def test_tiles_beyond_a_tensor_of_one_tile(self):
        """A tile of coordinates begins where it does in a larger tensor, if the tensor has one tile or none that is whole."""
        for extents in ((8, 8), (64, 64), (8, 64), (64, 8), (65, 3)):
            small, large = cute.make_identity_tensor(extents), cute.make_identity_tensor((640, 640))
            for divide in (cute.zipped_divide, cute.tiled_divide, cute.flat_divide, cute.logical_divide):
                a, b = divide(small, (64, 64)), divide(large, (64, 64))
                self.assertEqual(str(a.layout.stride), str(b.layout.stride), divide.__name__)
            self.assertEqual(str(cute.local_tile(small, (64, 64), (None, None)).layout.stride), str(cute.local_tile(large, (64, 64), (None, None)).layout.stride))
        one = cute.zipped_divide(cute.make_identity_tensor(5), 8)
        self.assertEqual(str(one.layout.stride), str(cute.zipped_divide(cute.make_identity_tensor(50), 8).layout.stride))
        self.assertEqual(str(cute.zipped_divide(cute.make_layout((8, 8)), (64, 64)).stride), "((1, 8), (0, 0))")  # the algebra itself


def x_tensor(x):
    return cute.runtime.from_dlpack(x)


def cute_type(x):
    return {"float32": cutlass.Float32, "int64": cutlass.Int64, "int32": cutlass.Int32}[x.dtype.name]


def _cute_launch_map(place):
    from tilewright._cute_tma_memory import MapInMemory
    return MapInMemory.at(place)


if __name__ == "__main__":
    unittest.main(verbosity=2)
