"""What programs in CuTe's Python DSL use around copies, on the CPU: number types, values of tensors, coordinate tensors, the
algebra under the DSL's names, shared structures, warps, asynchronous copies, compile; each against NumPy or the DSL's own results.
"""
import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

from built_package import FOLDER  # first: it finds the package
import numpy as np
import cute_dsl_kernels as kernels  # noqa: E402
import tilewright as tw  # noqa: E402
from tilewright import _cute_numbers, cute, cutlass  # noqa: E402
from tilewright.cutlass import Float16, Float32, Float64, Int8, Int32, Uint8  # noqa: E402


def printed(call):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        call()
    return out.getvalue()


class Numbers(unittest.TestCase):
    def test_results_have_the_types_of_a_gpu(self):
        for x, value, kind in [(Int32(10) + Float32(5.5), 15.5, Float32), (Float32(5.5) * 2, 11, Float32), (2.5 * Float32(2), 5, Float32),
                               (Int32(7) / Int32(2), 3.5, Float64), (Int32(-7) // 2, -4, Int32), (Int32(300).to(Int8), 44, Int8),
                               (Float32(3.9).to(Int32), 3, Int32), (~Int32(10), -11, Int32), (Int32(2**31 - 1) + 1, -2**31, Int32),
                               (3 - Uint8(4), 255, Uint8), (1 << Int32(4), 16, Int32), (Float16(1) / 3, np.float16(1) / np.float16(3), Float16)]:
            self.assertEqual((x, type(x)), (value, kind))
        self.assertEqual((Float32.width, Int8.is_integer, Float32 == np.float32, {np.int32: 1}[Int32]), (32, True, True, 1))
        self.assertEqual([Float64 == None, Float32 == "float32", Int8 == 3, Float32 != Float64], [False, True, False, True])  # noqa: E711
        self.assertEqual((str(Int32(5)), f"{Float32(1):.2f}", str(Float32), list(range(Int32(2)))), ("5", "1.00", "Float32", [0, 1]))
        self.assertEqual(cute.make_layout((Int32(8), 2)), tw.Layout((8, 2)))

    def test_types_compare_without_being_converted(self):
        """NumPy 2 asks == of the type that it converts to a dtype."""
        def dtype(x):
            self.assertNotIsInstance(x, type(Float32))
            return np.dtype(x)
        with mock.patch.object(_cute_numbers, "np", types.SimpleNamespace(dtype=dtype)):
            self.assertEqual((Float32 == Float32, Float32 == Int32, Float32 != np.float32, Int8.width), (True, False, False, 8))

    def test_elements_are_numbers(self):
        t = cute.as_tensor(np.arange(4, dtype=np.int32))
        self.assertIs(type(t[1]), Int32)
        self.assertIs(t.element_type, Int32)
        self.assertEqual((t[3] / 2, type(t[3] * Float32(1))), (1.5, Float32))
        with self.assertRaisesRegex(TypeError, "Float8E4M3B11FNUZ has no numbers here"):
            cutlass.Float8E4M3B11FNUZ(1)
        named = {cutlass.Int4: (4, True, True), cutlass.Int128: (128, True, True), cutlass.Uint128: (128, True, False),
                 cutlass.Float8E4M3B11FNUZ: (8, False, True), cutlass.Float4E2M1FN: (4, False, True), cutlass.Float4E2M1FNx2: (8, False, True)}
        self.assertEqual({t: (t.width, t.is_integer, t.signed) for t in named}, named)


class Values(unittest.TestCase):
    def test_operations_and_shapes(self):
        rng = np.random.default_rng(1)
        a, b = rng.random((3, 4), np.float32), rng.random((3, 1), np.float32)
        x, y = cute.as_tensor(a).load(), cute.as_tensor(b).load()
        out = cute.as_tensor(np.zeros((3, 4), np.float32))

        def array(v):
            out.store(v)
            return np.array([[out[i, j] for j in range(4)] for i in range(3)])
        for found, wanted in [(x + y, a + b), (2 - x, 2 - a), (x * x / y, a * a / b), (-x, -a), (cute.math.sqrt(x), np.sqrt(a)),
                              (cute.where(x > y, x, 0), np.where(a > b, a, 0)), (x.to(Float64).to(Float32), a),
                              (cute.full_like(x, 3), np.full_like(a, 3)), (abs(x - 1), abs(a - 1))]:
            np.testing.assert_array_equal(array(found), wanted)
        self.assertEqual(x[None, 2].values, list(a[:, 2]))
        self.assertEqual((x[1, 2], x[5], len(x), x.shape), (a[1, 2], a[2, 1], 12, (3, 4)))
        self.assertAlmostEqual(float(x.reduce(cute.ReductionOp.ADD, 0.0, 0)), float(a.sum()), places=5)
        np.testing.assert_array_equal(x.reduce(cute.ReductionOp.MAX, 0.0, (None, 1)).values, a.max(1))
        self.assertEqual((bool(cute.any_(x > 2)), bool(cute.all_(x < 2))), (False, True))
        self.assertEqual(((x > 0.5) & ~(x > 0.7)).values, list(((a > 0.5) & ~(a > 0.7)).ravel(order="F")))

    def test_refusals(self):
        x = cute.as_tensor(np.zeros((3, 4), np.float32)).load()
        for error, words, call in [(ValueError, "cannot be repeated", lambda: x.broadcast_to((3, 5))),
                                   (ValueError, "cannot be stored", lambda: cute.as_tensor(np.zeros(5)).store([1, 2])),
                                   (TypeError, "no one condition", lambda: bool(x > 1)),
                                   (ValueError, "no reduction", lambda: x.reduce("mean", 0)),
                                   (IndexError, "not a constant coordinate", lambda: x[12]),
                                   (TypeError, "is no array", lambda: cute.as_tensor([1, 2])),
                                   (AttributeError, "tilewright.cute has no 'make_tma_atom'", lambda: cute.make_tma_atom),
                                   (AttributeError, "tilewright.cutlass has no 'pipelines'", lambda: cutlass.pipelines)]:
            with self.assertRaisesRegex(error, words):
                call()


class Algebra(unittest.TestCase):
    def test_the_results_of_the_dsls_notebook(self):
        layout = cute.make_layout
        nested = layout((9, (4, 8)), stride=(59, (13, 1)))
        tiler = (layout(3, stride=3), layout((2, 4), stride=(1, 8)))
        block, twelve = layout((2, 5), stride=(5, 1)), layout((3, 4), stride=(1, 3))
        for found, wanted in [
                (cute.coalesce(layout((2, (1, 6)), stride=(1, (Int32(6), 2)))), "12:1"),
                (cute.coalesce(layout(((2, (3, 4)), (3, 2), 1), stride=((4, (8, 24)), (2, 6), 12))), "(24,6):(4,2)"),
                (cute.coalesce(layout((2, (1, 6)), stride=(1, (6, 2))), target_profile=(1, 1)), "(2,6):(1,2)"),
                (cute.composition(layout((6, 2), stride=(8, 2)), layout((4, 3), stride=(3, 1))), "((2,2),3):((24,2),8)"),
                (cute.composition(layout((10, 2), stride=(16, 4)), layout((5, 4), stride=(1, 5))), "(5,(2,2)):(16,(80,4))"),
                (cute.composition(layout((12, (4, 8)), stride=(59, (13, 1))), (3, 8)), "(3,(4,2)):(59,(13,1))"),
                (cute.logical_divide(layout((4, 2, 3), stride=(2, 1, 8)), tiler=layout(4, stride=2)), "((2,2),(2,3)):((4,1),(2,8))"),
                (cute.logical_divide(nested, tiler=tiler), "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))"),
                (cute.zipped_divide(nested, tiler=tiler), "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))"),
                (cute.tiled_divide(nested, tiler=tiler), "((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))"),
                (cute.flat_divide(nested, tiler=tiler), "(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))"),
                (cute.logical_product(layout((2, 2), stride=(4, 1)), tiler=layout(6, stride=1)), "((2,2),(2,3)):((4,1),(2,8))"),
                (cute.blocked_product(block, tiler=twelve), "((2,3),(5,4)):((5,10),(1,30))"),
                (cute.raked_product(block, tiler=twelve), "((3,2),(4,5)):((10,5),(30,1))"),
                (cute.zipped_product(block, tiler=twelve), "((2,5),(3,4)):((5,1),(10,30))"),
                (cute.tiled_product(block, tiler=twelve), "((2,5),3,4):((5,1),10,30)"),
                (cute.flat_product(block, tiler=twelve), "(2,5,3,4):(5,1,10,30)")]:
            self.assertEqual(str(found), wanted)

    def test_divisions_by_one_mode(self):
        """A tiler of one mode, as quack's programs note the results: (128,K) in tiles of (8,) is (8,16,K)."""
        rows = cute.make_layout((128, 3))
        divided = cute.logical_divide(cute.flat_divide(cute.as_tensor(np.zeros((3, 128), np.float32).T), (8,)), (8, 8))
        swizzled = cute.make_composed_layout(cute.make_swizzle(2, 0, 3), 0, cute.make_layout((8, 8), stride=(8, 1)))
        for found, wanted in [(cute.flat_divide(rows, (8,)), "(8,16,3):(1,8,128)"), (cute.tiled_divide(rows, (8,)), "((8),16,3):((1),8,128)"),
                              (cute.zipped_divide(rows, (8,)), "((8),(16,3)):((1),(8,128))"), (divided.layout, "((8,1),(8,2),3):((1,0),(8,64),128)"),
                              (cute.flat_divide(cute.make_layout(16), (4,)), "(4,4):(1,4)"), (cute.tiled_divide(cute.make_layout(16), (4,)), "((4),4):((1),4)"),
                              (cute.zipped_divide(cute.make_layout(16), tiler=(4,)), "((4),(4)):((1),(4))"),
                              (cute.flat_divide(cute.make_layout(16), 4), "(4,4):(1,4)"), (cute.flat_divide(input=cute.make_layout(16), tiler=(4,)), "(4,4):(1,4)"),
                              (cute.flat_divide(cute.make_layout(16), (cute.make_layout(4, stride=2),)), "(4,(2,2)):(2,(1,8))"),
                              (cute.flat_divide(swizzled, (4,)), "Sw<2,0,3> o 0 o (4,2,8):(8,32,1)"),
                              (cute.flat_divide(cute.make_identity_tensor((128, 3)), (256,)).layout, "(256,1,3):(1@0,256@0,1@1)")]:
            self.assertEqual(str(found), wanted)

    def test_helpers(self):
        self.assertEqual(cute.make_layout_tv(cute.make_layout((4, 32), stride=(32, 1)), cute.make_layout((4, 4), stride=(4, 1))),
                         ((16, 128), tw.Layout("((32,4),(4,4)):((64,4),(16,1))")))
        self.assertEqual(str(cute.recast_layout(16, 8, cute.make_layout((16, 16), stride=(16, 1)))), "(16,8):(8,1)")
        a = tw.Layout("((4,2),(3,5)):((1,4),(8,24))")
        for found, wanted in [(cute.size(a, mode=[1, 0]), 3), (cute.depth(a), 2), (cute.rank(a, mode=[0]), 2), (cute.cosize(a), 120),
                              (cute.product_each(a.shape), (8, 15)), (cute.ceil_div((10, 7), (4, 7)), (3, 1)),
                              (cute.repeat_like(None, a.shape), ((None, None), (None, None))), (cute.select((1, 2, 3), mode=[2, 0]), (3, 1)),
                              (cute.get(a, mode=[1, 1]), a[1][1]), (cute.idx2crd(9, (4, 8)), (1, 2)), (cute.crd2idx((1, 2), (4, 8)), 9),
                              (cute.elem_less((3, 4), (4, 5)), True), (cute.elem_less((3, 5), (4, 5)), False), (cute.round_up(10, 8), 16),
                              (str(cute.make_layout((a[0], a[1]))), str(a)), (cute.is_static(a), True), (cute.max(3, 5), 5)]:
            self.assertEqual(found, wanted)

    def test_coordinates_follow_partitions(self):
        a = np.arange(6 * 10).reshape(6, 10)
        data, places = (cute.zipped_divide(x, (2, 4)) for x in (cute.as_tensor(a), cute.make_identity_tensor((6, 10))))
        for tile in [(0, 0), (1, 1), (2, 2)]:
            for i in range(8):
                where = places[(None, None), tile][i]
                if cute.elem_less(where, a.shape):
                    self.assertEqual(data[(None, None), tile][i], a[where])
        self.assertEqual(cute.make_identity_tensor((4, (2, 3)))[3, (1, 2)], (3, (1, 2)))
        self.assertEqual(cute.domain_offset((1, 2), cute.make_identity_tensor((4, 8)))[0, 0], (1, 2))


class Kernels(unittest.TestCase):
    def test_jit_functions_against_numpy(self):
        (add, added), (apply, first), (_, second), (_, third) = kernels.jit_cases()
        add(*added)
        np.testing.assert_array_equal(added[2], added[0] + 2 * added[1])
        for arguments, wanted in [(first, lambda a, b: np.maximum(a * b, 0)), (second, lambda a, b: np.where(a > b, a, np.float32(0.25) * a)),
                                  (third, lambda a: a * a)]:
            apply(*arguments)
            np.testing.assert_array_equal(arguments[2], wanted(*arguments[1]))

    def test_kernels_against_numpy(self):
        case = {c[0]: c[2:] for c in kernels.cases()}
        for name in case:
            arguments, grid, block = case[name]
            getattr(kernels, name)(*arguments).launch(grid=grid, block=block)
        a, b = case["ragged_transpose"][0]
        np.testing.assert_array_equal(b, a.T)
        a, b = case["staged_asynchronously"][0]
        np.testing.assert_array_equal(b, np.concatenate([a[r:r + 8][::-1] for r in range(0, 32, 8)]))
        a, out = case["block_sums"][0]
        self.assertEqual(out[0], a.sum())
        np.testing.assert_array_equal(case["histogram"][0][1], np.bincount(np.arange(37) * 3 % 4))
        a, b, c = case["small_product"][0]
        np.testing.assert_allclose(c, a @ b.T + 1, rtol=1e-6)
        a, b = case["words_of_bytes"][0]
        np.testing.assert_array_equal(b.view(np.int32), a.view(np.int32)[::-1])
        a, out = case["numbers"][0]
        np.testing.assert_array_equal(out[:, 2], (a * 100).astype(np.int8))

    def test_arguments(self):
        seen = {}

        @cute.kernel
        def kernel(pair, named, *, unused=1):
            pass
        with self.assertRaisesRegex(TypeError, "by name only"):
            kernel(1, 2)

        @cute.kernel
        def keep(tensors, table, factor: cutlass.Constexpr = 3):
            seen.update(first=tensors[0][1], second=table["b"][0], factor=factor)
        keep([np.arange(3)], table={"b": np.ones(2)}).launch(grid=1, block=1)
        self.assertEqual(seen, {"first": 1, "second": 1.0, "factor": 3})

    def test_compile_keeps_constants(self):
        @cute.jit
        def scaled(a, factor: cutlass.Constexpr, b, *, offset: cutlass.Constexpr = 1):
            @cute.kernel
            def kernel(a, b):
                i, _, _ = cute.arch.thread_idx()
                b[i] = a[i] * factor + offset
            kernel(a, b).launch(grid=1, block=4)
        a, b = np.arange(4.0), np.zeros(4)
        for compiled in (cute.compile(scaled, a, 5, b, offset=2), cute.compile[cute.KeepPTX](scaled, a, 5, b, offset=2)):
            b[:] = 0
            compiled(a, b)
            np.testing.assert_array_equal(b, a * 5 + 2)
        with self.assertRaisesRegex(TypeError, "compiled for the arguments a, b, and 3 are given"):
            compiled(a, 5, b)
        self.assertGreater(cute.testing.benchmark(compiled, kernel_arguments=cute.testing.JitArguments(a, b), warmup_iterations=1,
                                                  iterations=2), 0)

    def test_asynchronous_copies_arrive_at_the_wait(self):
        @cute.kernel
        def kernel(a, seen):
            smem = cute.make_tensor(cute.arch.alloc_smem(np.float32, 4), cute.make_layout(4))
            atom = cute.make_copy_atom(cute.nvgpu.cpasync.CopyG2SOp(), np.float32, num_bits_per_copy=128)
            cute.copy(atom, a, smem)
            cute.arch.cp_async_commit_group()
            seen[0] = smem[3]
            cute.arch.cp_async_wait_group(0)
            seen[1] = smem[3]
        seen = np.zeros(2, np.float32)
        kernel(np.arange(4, dtype=np.float32) + 1, seen).launch(grid=1, block=1)
        self.assertEqual(list(seen), [0, 4])

    def test_what_is_wrong_is_one_sentence(self):
        @cute.kernel
        def warps_apart():
            if cute.arch.warp_idx() == 0:
                cute.arch.sync_warp()
                if cute.arch.lane_idx() == 0:
                    cute.arch.sync_warp()
            cute.arch.sync_threads()

        @cute.kernel
        def wrong_way(a):
            registers = cute.make_fragment_like(a)
            cute.copy(cute.make_copy_atom(cute.nvgpu.cpasync.CopyG2SOp(), np.float64), a, registers)

        @cute.kernel
        def wrong_predicate(a):
            cute.copy(None, a, cute.make_fragment_like(a), pred=[True] * 3)

        @cute.kernel
        def too_large():
            cutlass.utils.SmemAllocator().allocate(kernels.Storage).tile.get_tensor(cute.make_layout((17, 17)))
        for error, words, kernel, arguments, block in [(RuntimeError, "different barriers", warps_apart, [], 64),
                                                       (ValueError, "from gmem to smem", wrong_way, [np.zeros(4)], 1),
                                                       (ValueError, "the predicate has 3 entries", wrong_predicate, [np.zeros(4)], 1),
                                                       (ValueError, "needs 289 elements and the field has 272", too_large, [], 1)]:
            with self.assertRaisesRegex(error, words):
                kernel(*arguments).launch(grid=1, block=block)
        @cute.kernel
        def fill(a, n):
            a.fill(n)
        read_only = np.zeros(3)
        read_only.setflags(write=False)
        for error, words, call in [(TypeError, r"fill\(\): missing a required argument: 'n'", lambda: fill(read_only)),
                                   (TypeError, "grid is .* integers", lambda: fill(read_only, 1).launch(grid=1.5, block=1)),
                                   (ValueError, "its array is read-only.*thread 0", lambda: fill(read_only, 1).launch(grid=1, block=1)),
                                   (TypeError, "Python objects", lambda: cute.as_tensor(np.array([None]))),
                                   (ValueError, "has 3 modes and .* has 2", lambda: cute.elem_less((1, 2, 3), (4, 5)))]:
            with self.assertRaisesRegex(error, words):
                call()
        with self.assertRaisesRegex(TypeError, "the field a of S is 3"):
            cute.struct(type("S", (), {"__annotations__": {"a": 3}}))

    def test_producers_and_consumers(self):
        def run(stages, count, take=True, wait=True):
            @cute.struct
            class Shared:
                barriers: cute.struct.MemRange[cutlass.Int64, 2 * stages]
                buffer: cute.struct.MemRange[Float32, stages]

            @cute.kernel
            def kernel(out):
                storage = cutlass.utils.SmemAllocator().allocate(Shared, 64)
                groups = [cutlass.pipeline.CooperativeGroup(cutlass.pipeline.Agent.Thread, 32) for _ in range(2)]
                pipeline = cutlass.pipeline.PipelineAsync.create(num_stages=stages, producer_group=groups[0], consumer_group=groups[1],
                                                                 barrier_storage=storage.barriers.data_ptr())
                buffer = storage.buffer.get_tensor(cute.make_layout(stages))
                producer, consumer = pipeline.make_participants()
                if cute.arch.warp_idx() == 0:
                    for i in cutlass.range(count):
                        handle = producer.acquire_and_advance()
                        buffer[handle.index] = 10.0 * i
                        handle.commit()
                    producer.tail()
                elif take:
                    for i in cutlass.range(count):
                        handle = consumer.wait_and_advance()
                        out[i] = buffer[handle.index]
                        if wait:
                            handle.release()
                else:
                    out[0] = buffer[0]
            out = np.zeros(count, np.float32)
            kernel(out).launch(grid=1, block=64)
            return list(out)
        for stages in (1, 2, 5):
            self.assertEqual(run(stages, 7), [10.0 * i for i in range(7)])
        with self.assertRaisesRegex(RuntimeError, "wait at a barrier that it never reached|whose phase does not end"):
            run(1, 3, wait=False)
        with self.assertRaisesRegex(RuntimeError, "no barrier orders"):
            run(1, 1, take=False)

    def test_one_value_of_many_threads(self):
        @cute.kernel
        def fill(a, by_thread: cutlass.Constexpr):
            a[0] = cute.arch.thread_idx()[0] if by_thread else 7
        a = cute.as_tensor(np.zeros(1))
        for _ in range(2):  # launches are ordered
            fill(a, False).launch(grid=1, block=4)
        with self.assertRaisesRegex(RuntimeError, "no barrier orders"):
            fill(a, True).launch(grid=1, block=4)

    def test_printing(self):
        self.assertEqual(printed(lambda: cute.printf("%d -> %5.1f%%, {}", 3, 2.25)), "%d -> %5.1f%%, 3\n")
        self.assertEqual(printed(lambda: cute.printf("%d -> %5.1f%%", Int32(3), 2.25)), "3 ->   2.2%\n")
        self.assertEqual(printed(lambda: cute.printf(Float32(2))), "2.000000\n")
        tensor = cute.as_tensor(np.arange(4, dtype=np.int32).reshape(2, 2))
        self.assertEqual(printed(lambda: cute.printf("a: {} of {}", tensor, 4)), "a: tensor(gmem int32, (2,2):(2,1)):\n  [0, 1]\n  [2, 3] of 4\n")
        self.assertEqual(printed(lambda: cute.print_tensor(cute.make_identity_tensor((2, 2)))),
                         "tensor(coordinates coordinates, (2,2):(1@0,1@1)):\n  [(0, 0), (0, 1)]\n  [(1, 0), (1, 1)]\n")

    def test_arguments_have_the_dsls_names(self):
        a, b = cute.make_layout((8, 4)), cute.make_layout(4, stride=2)
        for found, want in [(cute.composition(lhs=a, rhs=b), tw.composition(a, b)), (cute.zipped_divide(target=a, tiler=(2, 2)), tw.zipped_divide(a, (2, 2))),
                            (cute.logical_product(block=b, tiler=a), tw.logical_product(b, a)), (cute.complement(input=b, cotarget=32), tw.complement(b, 32)),
                            (cute.coalesce(input=a, target_profile=(1, 1)), tw.coalesce(a, (1, 1))), (cute.append(b, elem=a), tw.append(b, a)),
                            (cute.tile_to_shape(atom=b, trg_shape=(8, 4), order=(1, 0)), tw.tile_to_shape(b, (8, 4), (1, 0))),
                            (cute.flatten(a=a), a), (cute.size(a=a, mode=[0]), 8), (cute.crd2idx(coord=(1, 2), layout=a), 17), (cute.idx2crd(idx=9, shape=(8, 4)), (1, 1)),
                            (cute.ceil_div(input=(7, 9), tiler=(2, 3)), (4, 3)), (cute.elem_less(lhs=(1, 2), rhs=(3, 3)), True), (cute.rank(a=a), 2),
                            (cute.cosize(a=a), 32), (cute.depth(a=a), 1), (cute.get(input=a, mode=[1]), a[1]), (cute.select(input=a, mode=[1, 0]), tw.select(a, 1, 0)),
                            (cute.slice_(src=(1, 2), coord=(None, 0)), (1,)), (cute.repeat_like(x=3, target=(1, (2, 2))), (3, (3, 3))), (cute.repeat(x=1, n=2), (1, 1)),
                            (cute.product_each(a=((2, 3), 4)), (6, 4)), (cute.make_swizzle(b=2, m=0, s=3), "Sw<2,0,3>"), (cute.where(cond=True, x=1, y=2), 1),
                            (cute.recast_layout(new_type_bits=16, old_type_bits=32, src_layout=a), tw.recast(a, 32, 16))]:
            self.assertEqual(found, want)
        for words, call in [("coalesce.. has no argument 'profile'", lambda: cute.coalesce(a, profile=1)), ("coalesce.. needs a layout", cute.coalesce)]:
            with self.assertRaisesRegex(TypeError, words):
                call()
        atom = cute.make_copy_atom(cute.nvgpu.warp.LdMatrix8x8x16bOp(num_matrices=4), copy_internal_type=cutlass.Float16)
        self.assertEqual((atom.layout_src_tv.shape, atom.layout_dst_tv[0].size), ((32, 8), 32))
        fragment = cute.make_rmem_tensor(((4, 1), 2, 2), Float32)
        tiled = cute.make_tiled_copy_tv(cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float32), cute.make_layout((4, 8)), cute.make_layout((4, 1)))
        self.assertEqual(tiled.retile(src=fragment).layout, tiled.get_slice(3).retile(fragment).layout)
        self.assertEqual((cute.exp2(Float32(3)), cute.log2(Float32(8)), cute.sqrt(Float32(9))), (8, 3, 3))

    def test_a_composed_function_of_coordinates(self):
        indices = cute.as_tensor(np.array([4, 1, 7, 3], np.int32))
        gather = cute.make_composed_layout(lambda c: indices[c], 0, cute.make_identity_layout(indices.shape))
        self.assertEqual([int(gather(i)) for i in range(4)], [4, 1, 7, 3])
        shifted = cute.make_composed_layout(lambda c: c, (1, 2), cute.make_identity_layout((2, 2)))
        self.assertEqual(shifted((1, 1)), (2, 3))
        with self.assertRaisesRegex(ValueError, "the offset 3 is added to coordinates such as .*; give a tuple"):
            cute.make_composed_layout(lambda c: c, 3, cute.make_identity_layout((2, 2)))((1, 1))


class Programs(unittest.TestCase):
    def test_what_the_compiler_alone_has_is_refused(self):
        for name in ("for_generate", "while_generate", "yield_out"):
            with self.assertRaisesRegex(TypeError, f"^{name} builds code of NVIDIA's compiler, .*; write for, while and if in Python$"):
                getattr(cutlass, name)(3)
        program = ("import tilewright.cutlass; tilewright.cutlass.register()\nfrom cutlass import for_generate, yield_out\n"
                   "for name in ('cutlass.utils.ampere_helpers', 'cutlass.cute.nothing'):\n"
                   "    try: __import__(name)\n    except ModuleNotFoundError as e: print(e)\n")
        done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": FOLDER}, capture_output=True, text=True)
        lines = done.stdout.splitlines()
        self.assertEqual([line.split(";")[0].split("'")[1] for line in lines],
                         ["cutlass.utils.ampere_helpers", "cutlass.cute.nothing"], done.stderr)
        self.assertTrue(all("tilewright.cutlass has no module" in line for line in lines))

    def test_import_cutlass(self):
        program = ("import tilewright.cutlass; tilewright.cutlass.register()\n"
                   "import cutlass, numpy as np\nimport cutlass.cute as cute\nimport cutlass.cute.testing as testing\n"
                   "from cutlass.cute.runtime import from_dlpack\nimport cutlass.utils as utils\n"
                   "@cute.kernel\ndef k(a: cute.Tensor, f: cutlass.Float32):\n"
                   "    a[cute.arch.thread_idx()[0]] *= f\n"
                   "x = np.ones(4, np.float32)\nk(from_dlpack(x, assumed_align=16).mark_layout_dynamic(), 3).launch(grid=(1, 1, 1), block=(4, 1, 1))\n"
                   "print(x, utils.SmemAllocator.__name__)\n")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "program.py")
            path.write_text(program, encoding="utf-8")
            done = subprocess.run([sys.executable, str(path)], env={**os.environ, "PYTHONPATH": FOLDER}, capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr), ("[3. 3. 3. 3.] SmemAllocator\n", ""))


if __name__ == "__main__":
    unittest.main()
