"""Programs in CuTe's Python DSL as their authors write them: one test for each thing that such a program did and that failed once."""
from __future__ import annotations

import contextlib
import io
import operator
import random
import unittest
import warnings

from built_package import FOLDER  # noqa: F401  first: it finds the package
import numpy as np
from tilewright import _cute_fast, _cute_gpu, _cute_numbers, cute, cutlass, Layout
from tilewright._cute_gpu_memory import GpuMemory
from tilewright._cute_tensor import Pointer, Tensor
from tilewright.cutlass import Boolean, Float16, Float32, Int32, Int64, Uint32
from tilewright._cute_ptx import inline_ptx


def launched(function, *arguments, block=32, **named):
    cute.kernel(function)(*arguments).launch(grid=1, block=block, **named)


class Numbers(unittest.TestCase):
    TYPES = [getattr(cutlass, n) for n in "Int8 Int16 Int32 Int64 Uint8 Uint32 Uint64 Float16 Float32 Float64 BFloat16".split()]
    OPERATIONS = [getattr(operator, n) for n in "add sub mul truediv floordiv mod and_ or_ xor lshift rshift eq ne lt le gt ge".split()]

    def drawn(self, of, draws):
        if of is int:
            return draws.choice([0, 1, -1, 3, 127, 128, -128, 2**31 - 1, 2**31, 2**32, 2**63 - 1, draws.randint(-99, 99)])
        if of is float or not of.is_integer:
            x = draws.choice([0.0, -0.0, 1.0, 0.1, -2.5, 3e38, float("inf"), float("nan"), 1e-40, draws.random() * 2 - 1])
            return of(x) if of is float or abs(x) < 6e4 or x != x else of(1.5)
        low, high = (-(1 << of.width - 1), (1 << of.width - 1) - 1) if of.signed else (0, (1 << of.width) - 1)
        return of(draws.choice([0, 1, 2, low, high, low + 1, draws.randint(low, high), draws.randint(0, min(high, 40))]))

    def outcome(self, operation, x, y):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                out = operation(x, y)
        except (TypeError, ValueError, OverflowError) as error:
            return type(error)
        return type(out), str(out)

    def test_usual_numbers_are_computed_as_in_full(self):
        """The short way of _cute_fast.py gives what the general way gives, for every pair of types and every operation."""
        draws, counted = random.Random(7), 0
        for _ in range(20000):
            of = draws.choice(self.TYPES)
            x, y = self.drawn(of, draws), self.drawn(draws.choice([of, of, int, float, draws.choice(self.TYPES)]), draws)
            operation = draws.choice(self.OPERATIONS)
            name = operation.__name__.rstrip("_")
            short = _cute_fast.fast_binary(name, operation, type(x), type(y))
            found = None if short is None else short(x, y)
            if found is None:
                continue
            counted += 1
            in_full = _cute_numbers._binary(name, operation, name == "truediv", name in ("eq", "ne", "lt", "le", "gt", "ge"))[0]
            in_full = next(c.cell_contents for c in in_full.__closure__ if getattr(c.cell_contents, "__name__", "") == "in_full")
            self.assertEqual((type(found), str(found)), self.outcome(lambda a, b: in_full(a, b, False), x, y), (name, x, y))
        self.assertGreater(counted, 4000)

    def test_integers_that_no_type_holds_compare_by_their_size(self):
        self.assertTrue(Int32(0) < 1 << 38 and Uint32(5) > -(1 << 70) and Int32(3) != 1 << 64 and Uint32(1 << 31) >= -1)

        def compared(a, b):
            i = cute.arch.thread_idx()[0]
            b[i] = a[i] < 1 << 38
        arrays = [Tensor(Pointer(GpuMemory(x.ctypes.data, 4, d, 0, x)), Layout(4)) for d, x in ((Int32, np.zeros(4, np.int32)), (Boolean, np.zeros(4, bool)))]
        self.assertIn("< 274877906944LL", _cute_gpu.source_of(compared, arrays, (4, 1, 1))[0])

    def test_nan_and_powers_of_values(self):
        self.assertTrue(np.isnan(Float32.nan))
        with self.assertRaisesRegex(TypeError, "Int32 has no NaN"):
            Int32.nan
        made = cute.make_rmem_tensor((2, 2), Float32)
        made.fill(3)
        self.assertEqual(list((made.load() ** 2).values), [9, 9, 9, 9])

    def test_shapes_divided_by_integers(self):
        self.assertEqual(cute.shape_div((12, 4), 6), (2, 4))
        self.assertEqual(cute.shape_div((12, 4), (6, 2)), (2, 2))


    def test_compositions_beyond_the_domain(self):
        self.assertEqual(str(cute.composition(cute.make_layout(6, stride=2), cute.make_layout(4, stride=3))), "4:6")
        self.assertEqual(str(cute.composition(cute.make_layout((4, 3), stride=(3, 1)), (cute.make_layout(8), None))), "(8,3):(3,1)")
        self.assertEqual(str(cute.composition(cute.make_layout((4, 3), stride=(3, 16)), cute.make_layout((4, 6)))), "(4,6):(3,16)")


class Programs(unittest.TestCase):
    def test_addresses_in_an_array_and_offsets_of_integers(self):
        """A row for each address of an array of integers."""
        def scatter(x, addresses):
            i = cute.arch.thread_idx()[0]
            row = cute.make_ptr(Float32, addresses[i], cute.AddressSpace.gmem, assumed_align=16)
            for j in range(4):
                cute.make_tensor(row + Int32(i) * Int32(4) + j, cute.make_layout((1,)))[0] = x[i, j]
        x, rows = np.random.default_rng(1).random((3, 4), dtype=np.float32), np.zeros((3, 3, 4), np.float32)
        launched(scatter, x, np.array([r.ctypes.data for r in rows], np.int64), block=3)
        for i in range(3):
            np.testing.assert_array_equal(rows[i, i], x[i])

    def test_streams_of_the_caller(self):
        @cute.jit
        def run(a, stream, n: Int32):
            cute.kernel(lambda a, n: a.__setitem__(cute.arch.thread_idx()[0], n))(a, n).launch(grid=1, block=4, stream=stream)
        fake = cute.runtime.make_fake_tensor(Int32, (cute.sym_int(),), stride=(1,))
        compiled = cute.compile(run, fake, cute.runtime.make_fake_stream(use_tvm_ffi_env_stream=True), Int32(0))
        a = np.zeros(4, np.int32)
        compiled(a, 7)
        self.assertEqual(a.tolist(), [7] * 4)

    def test_structs_whose_annotations_are_text(self):
        count = 8

        @cute.struct
        class Storage:
            values: cute.struct.Align[cute.struct.MemRange[Float32, count], 128]

        self.assertEqual(Storage.size_in_bytes(), 128)
        with self.assertRaisesRegex(TypeError, "the field values of Wrong .* 'absent' is not defined"):
            @cute.struct
            class Wrong:
                values: cute.struct.MemRange[Float32, absent]  # noqa: F821

    def test_several_instructions_of_inline_ptx(self):
        def vote(out):
            i = cute.arch.thread_idx()[0]
            out[i, 0] = inline_ptx("{ .reg .pred p; setp.ne.b32 p, {$r0}, 0; vote.sync.ballot.b32 {$w0}, p, 0xffffffff; }",
                                   write_only_types=[Int32], read_only_args=[Int32(i % 3)])
            out[i, 1] = inline_ptx("{ .reg .pred p; .reg .b32 t; add.s32 t, {$r0}, 100; setp.lt.s32 p, {$r0}, 5; selp.b32 {$w0}, t, 7, p; "
                                   "@!p mov.b32 {$w0}, 9; }", write_only_types=[Int32], read_only_args=[i])
        out = np.zeros((32, 2), np.int32)
        launched(vote, out)
        self.assertEqual(set(out[:, 0].view(np.uint32)), {sum(1 << i for i in range(32) if i % 3)})
        self.assertEqual(out[:, 1].tolist(), [100 + i if i < 5 else 9 for i in range(32)])

        def unknown(out):
            out[0] = inline_ptx("{ .reg .b32 t; bar.red.popc.u32 t, 1, 2; mov.b32 {$w0}, t; }", write_only_types=[Int32], read_only_args=[])
        with self.assertRaisesRegex(TypeError, "does not compute the inline PTX 'bar.red.popc.u32 t, 1, 2'"):
            launched(unknown, np.zeros(1, np.int32), block=1)


    def test_blocks_add_to_the_same_elements_by_tma(self):
        class Sums:
            @cute.jit
            def __call__(self, out):
                tile = cute.make_layout((16, 32), stride=(32, 1))
                atom, there = cute.nvgpu.cpasync.make_tiled_tma_atom(cute.nvgpu.cpasync.CopyReduceBulkTensorTileS2GOp(), out, tile, (16, 32))
                self.kernel(atom, there, tile).launch(grid=3, block=32)

            @cute.kernel
            def kernel(self, atom, there, tile):
                i, block = cute.arch.thread_idx()[0], cute.arch.block_idx()[0]
                values = cutlass.utils.SmemAllocator().allocate_tensor(Float32, tile, 128)
                for j in range(16):
                    values[j, i] = Float32(block + 1)
                cute.arch.sync_threads()
                s, g = (cute.group_modes(x, 0, 2) for x in (values, there))
                s, g = cute.nvgpu.cpasync.tma_partition(atom, 0, cute.make_layout(1), s, g)
                cute.copy(atom, s, g)
                cute.arch.cp_async_bulk_commit_group()
                cute.arch.cp_async_bulk_wait_group(0)
        out = np.zeros((16, 32), np.float32)
        Sums()(out)
        np.testing.assert_array_equal(out, np.full_like(out, 6))


class Messages(unittest.TestCase):
    def test_arguments_of_other_kinds(self):
        x = cute.from_dlpack(np.zeros(8, np.float32))
        for call, text in ((lambda: cute.make_tensor(np.zeros(8), cute.make_layout(8)), "no pointer; give x.iterator"),
                           (lambda: x.store(3), r"fill\(3\) sets every element"), (lambda: x["a"], "'a' is no coordinate of"),
                           (lambda: cute.size_in_bytes(tuple, cute.make_layout(4)), "give the element type of the array")):
            with self.assertRaisesRegex(TypeError, text):
                call()

    def test_accesses_of_more_values_than_a_thread_has(self):
        atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float32, num_bits_per_copy=128)
        with self.assertRaisesRegex(ValueError, r"each thread has 2 values by \(32,2\):\(2,1\), and an access of the atom moves 4; .*num_bits_per_copy=32"):
            cute.make_tiled_copy_tv(atom, cute.make_layout(32), cute.make_layout(2))
        self.assertEqual(cute.make_tiled_copy_tv(atom, cute.make_layout(32), cute.make_layout(8)).size, 32)

    def test_barriers_whose_phase_does_not_end(self):
        def waits():
            bar = cute.arch.alloc_smem(Int64, 1)
            cute.arch.mbarrier_init(bar, 2)
            cute.arch.mbarrier_arrive(bar)
            cute.arch.mbarrier_wait(bar, 0)
        with self.assertRaisesRegex(RuntimeError, r"threads \[0\] wait for barriers in shared memory, .* as many arrivals as mbarrier_init says"):
            launched(waits, block=1)

    def test_printf_writes_numbers_as_the_dsl_does(self):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            cute.printf("{} {} {} {:.1f}", Float32(2.5), (3, (8, 1)), Float32(1) > 0, Float16(0.25))
            cute.printf("%d %.2f", Int32(7), 1.5)
        self.assertEqual(out.getvalue(), "2.500000 (3,(8,1)) 1 0.2\n7 1.50\n")

    def test_what_is_printed_and_selected(self):
        for call, error, text in ((lambda: cute.print_tensor(3), TypeError, "print_tensor prints a tensor, and this is 3"),
                                  (lambda: cute.printf("{} {}", 1), TypeError, "has places for more arguments than the 1"),
                                  (lambda: cute.printf("%d %d", 1), TypeError, "has places for more arguments than the 1"),
                                  (lambda: cute.select((1, 2), [5]), IndexError, "there is no mode 5 in")):
            with self.assertRaisesRegex(error, text):
                call()

    def test_too_much_shared_memory(self):
        def much():
            for _ in range(3):
                cutlass.utils.SmemAllocator().allocate_tensor(Float16, cute.make_layout(50 << 10), 16)
        with self.assertRaisesRegex(ValueError, "allocates 307200 bytes of shared memory; a block has 232448"):
            launched(much, block=1)

    def test_elements_beyond_of_copies_and_loads(self):
        x, y = np.zeros(6, np.float32), np.zeros(8, np.float32)

        def beyond(a, b):
            wide = cute.make_tensor(a.iterator, cute.make_layout(8))
            cute.basic_copy(wide, b)
        with self.assertRaisesRegex(IndexError, "coordinate 6 of 8:1 is at offset 6, outside of the 6 elements"):
            launched(beyond, x, y, block=1)

        def race(a):
            s, i = cutlass.utils.SmemAllocator().allocate_tensor(Float32, cute.make_layout(32), 16), cute.arch.thread_idx()[0]
            s[i] = Float32(i)
            a.store(cute.local_tile(s, (4,), (0,)).load())
        with self.assertRaisesRegex(RuntimeError, "coordinate 1 of .*no barrier orders the two"):
            launched(race, np.zeros(4, np.float32), block=8)

    def test_predicates_of_copies(self):
        def some(a, b):
            taken = cute.make_rmem_tensor(8, Boolean)
            for i in range(8):
                taken[i] = i % 3 == 0
            values = cute.make_rmem_tensor(8, Int64)
            values.fill(-1)
            cute.copy(None, cute.make_tensor(a.iterator, cute.make_layout(8)), values, pred=taken)
            cute.basic_copy(values, b)
        b = np.zeros(8, np.int64)
        launched(some, np.arange(7), b, block=1)
        self.assertEqual(b.tolist(), [0, -1, -1, 3, -1, -1, 6, -1])


if __name__ == "__main__":
    unittest.main()
