"""Instructions and addresses that programs write themselves: arch.inline_ptx, cutlass._mlir's nvvm and llvm, toint() and make_ptr, on the
CPU against NumPy and as text for a GPU.
"""
import unittest

import built_package  # noqa: F401
import numpy as np
import tilewright as tw
from tilewright import _cute_gpu, cute, cutlass
from tilewright._cute_numbers import number_type
from tilewright._cute_ptx import llvm, nvvm, T
from tilewright._cute_tensor import Pointer, Tensor
from tilewright.cutlass import Float32, Int32, Int64

Kinds, Orders, Scopes = nvvm.AtomicOpKind, nvvm.MemOrderKind, nvvm.MemScopeKind


def text_of(kernel, *arrays):
    def on_gpu(x):
        return Tensor(Pointer(_cute_gpu.GpuMemory(x.ctypes.data, x.size, number_type(x.dtype), 0, x)), tw.Layout.from_array(x))
    return _cute_gpu.source_of(kernel.__wrapped__, [on_gpu(x) for x in arrays], (arrays[0].size, 1, 1))[0]


@cute.kernel
def powers(a, b):
    i, _, _ = cute.arch.thread_idx()
    y = cute.arch.inline_ptx("ex2.approx.ftz.f32 {$w0}, {$r0};", write_only_types=[Float32], read_only_args=[a[i]])
    cute.arch.inline_ptx("nanosleep.u32 {$r0};", read_only_args=[Int32(10)])
    b[i] = llvm.bitcast(T.i32(), y)


@cute.kernel
def counts(a, n):
    i, _, _ = cute.arch.thread_idx()
    nvvm.red(op=nvvm.ReductionOp.ADD, type_=nvvm.ReductionType.S32, a=n.iterator.llvm_ptr, b=a[i].ir_value(), mem_order=Orders.RELAXED,
             mem_scope=Scopes.CLUSTER, shared_space=nvvm.SharedSpace.shared_cluster)
    nvvm.atomicrmw(T.i32(), Kinds.MAX, (n.iterator + 1).llvm_ptr, a[i], mem_order=Orders.RELAXED, syncscope=Scopes.SYS)
    nvvm.atomicrmw(op=Kinds.ADD, ptr=(n.iterator + 2).llvm_ptr, a=Int32(2))
    nvvm.atomicrmw(res=T.i32(), op=Kinds.CAS, ptr=(n.iterator + 3).llvm_ptr, a=Int32(0), b=a[i] + 1)


@cute.kernel
def joined_as_bits(a, largest, n):
    i, _, _ = cute.arch.thread_idx()
    nvvm.atomicrmw(op=Kinds.MAX, ptr=largest.iterator.llvm_ptr, a=llvm.bitcast(T.i32(), a[i]))
    nvvm.atomicrmw(op=Kinds.UMAX, ptr=n.iterator.llvm_ptr, a=Int32(i - 2))


@cute.kernel
def at_addresses(a, b):
    i, _, _ = cute.arch.thread_idx()
    shared = cute.arch.alloc_smem(Float32, 32, alignment=16)
    one = cute.make_tensor(cute.make_ptr(Float32, (a.iterator + i).toint(), cute.AddressSpace.gmem, assumed_align=4), cute.make_layout(1))
    (shared + i).store(one[0] * 2)
    there = cute.make_ptr(Float32, shared.toint() + 4 * i, cute.AddressSpace.smem)
    b[i] = there.load() + Float32(llvm.ptrtoint(T.i32(), shared) % 16)


class Written(unittest.TestCase):
    def test_inline_ptx(self):
        a, b = np.arange(4, dtype=np.float32), np.zeros(4, np.int32)
        powers(a, b).launch(grid=1, block=4)
        np.testing.assert_array_equal(b.view(np.float32), 2 ** a)
        text = text_of(powers, a, b)
        self.assertIn('asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(', text)
        self.assertIn('asm volatile("nanosleep.u32 %0;" :  : "r"(', text)
        with self.assertRaisesRegex(TypeError, "there is predicate"):
            cute.arch.inline_ptx("nanosleep.u32 {$r0};", read_only_args=[1], predicate=True)
        with self.assertRaisesRegex(TypeError, "does not compute the inline PTX"):
            cute.arch.inline_ptx("bfind.u32 {$w0}, {$r0};", write_only_types=[Int32], read_only_args=[Int32(3)])

    def test_atomic_operations_take_an_element_as_what_the_number_is(self):
        a, largest, n = np.array([1.5, 7.25, 3, 2], np.float32), np.ones(1, np.float32), np.array([5], np.int32)
        joined_as_bits(a, largest, n).launch(grid=1, block=4)
        self.assertEqual(largest[0], np.float32(7.25))  # the bits of floats above 0 are in the order of the floats
        self.assertEqual(n[0], -1)  # the largest of 5, 2**32 - 2, 2**32 - 1, 0 and 1
        text = text_of(joined_as_bits, a, largest, n)
        self.assertRegex(text, r"atomicMax\(.*int")
        self.assertRegex(text, r"atomicMax\(.*unsigned")

    def test_atomic_operations_of_other_widths_are_refused(self):
        @cute.kernel
        def wide(n):
            nvvm.atomicrmw(op=Kinds.ADD, ptr=n.iterator.llvm_ptr, a=Int64(1))
        with self.assertRaisesRegex(TypeError, "int64 on memory of int32.*as many bits"):
            wide(np.zeros(1, np.int32)).launch(grid=1, block=1)

    def test_operands_have_registers_of_their_types(self):
        @cute.kernel
        def kernel(a):
            i, _, _ = cute.arch.thread_idx()
            low, high = cute.arch.inline_ptx("mov.b64 {{$w0}, {$w1}}, {$r0};", write_only_types=[Int32, Int32], read_only_args=[Int64(1) << 33])
            cute.arch.inline_ptx("st.global.v2.b32 [{$r0}], {{$r1}, {$r2}};", read_only_args=[a.iterator + 2 * i, low, high])
        text = text_of(kernel, np.zeros(4, np.int32))
        self.assertRegex(text, r'"mov.b64 \{%0, %1\}, %2;" : "=r"\(\w+\), "=r"\(\w+\) : "l"')
        self.assertRegex(text, r'"st.global.v2.b32 \[%0\], \{%1, %2\};" :  : "l"\(\(unsigned long long\)\(p0 \+ \w+\)\), "r"')

    def test_atomic_operations(self):
        a, n = np.array([3, 9, 4, 1], np.int32), np.zeros(4, np.int32)
        counts(a, n).launch(grid=1, block=4)
        np.testing.assert_array_equal(n, [a.sum(), a.max(), 2 * len(a), a[0] + 1])
        text = text_of(counts, a, n)
        for call in ("atomicAdd(reinterpret_cast<int*>(p1 + 0)", "atomicMax_system(reinterpret_cast<int*>(p1 + 1)", "atomicCAS("):
            self.assertIn(call, text)

    def test_addresses(self):
        a, b = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
        at_addresses(a, b).launch(grid=1, block=4)
        np.testing.assert_array_equal(b, 2 * a)
        text = text_of(at_addresses, a, b)
        self.assertIn("(long long)(p0 + threadIdx_x)", text)
        self.assertRegex(text, r"reinterpret_cast<float\*>\(__cvta_shared_to_generic\(\(unsigned\)\(")
        with self.assertRaisesRegex(TypeError, "call toint"):
            _cute_gpu.GpuMemory(256, 4, Float32, 0, None).address_of(0)


@cute.jit
def halved(x, n: cutlass.Constexpr):
    return x if n == 0 else halved(x * 0.5 + n, n - 1)


class Functions(unittest.TestCase):
    def test_a_function_calls_itself(self):
        @cute.kernel
        def kernel(a):
            i, _, _ = cute.arch.thread_idx()
            a[i] = halved(a[i], 3)
        a = np.arange(4, dtype=np.float32)
        text = text_of(kernel, a)
        self.assertEqual(text.count("* (float)(0x1.0000000000000p-1)"), 3)
        kernel(a).launch(grid=1, block=4)
        np.testing.assert_array_equal(a, ((np.arange(4) / 2 + 3) / 2 + 2) / 2 + 1)

    def test_flatten(self):
        self.assertEqual(cute.flatten(((1, 2), (3, (4,)))), (1, 2, 3, 4))
        self.assertEqual(cute.flatten(cute.make_layout(((2, 3), 4))).shape, (2, 3, 4))
        self.assertEqual((cute.flatten_to_tuple(((1, 2), 3)), cute.flatten_to_tuple(5)), ((1, 2, 3), (5,)))

        @cute.kernel
        def kernel(a):
            i, _, _ = cute.arch.thread_idx()
            a[sum(c * s for c, s in zip(cute.flatten(((i, 0), 1)), cute.flatten_to_tuple(((1, 2), 4))))] = 7
        a = np.zeros(8, np.float32)
        self.assertRegex(text_of(kernel, a), r"p0\[\w+\] = ")
        kernel(a).launch(grid=1, block=4)
        np.testing.assert_array_equal(a, [0, 0, 0, 0, 7, 7, 7, 7])


class CoordinatesInLoops(unittest.TestCase):
    def test_a_loop_and_a_condition_move_them(self):
        @cute.kernel
        def kernel(rounds, out):
            i, _, _ = cute.arch.thread_idx()
            part, total = cute.local_tile(cute.make_identity_tensor((64, 32)), (4, 4), (0, i)), 0
            for _ in range(rounds[i]):
                total = total + part[1, 2][0] * 100 + part[1, 2][1]
                part = cute.domain_offset((4, 1), part)
            if rounds[i] > 1:
                part = cute.domain_offset((0, 7), part)
            out[i] = total + 10000 * part[0, 0][0] + part[0, 0][1]
        rounds, out = np.array([0, 1, 2, 5], np.int32), np.zeros(4, np.int32)
        kernel(rounds, out).launch(grid=1, block=4)
        wanted = [sum(100 * (1 + 4 * r) + 4 * i + 2 + r for r in range(n)) + 10000 * 4 * n + 4 * i + n + 7 * (n > 1) for i, n in enumerate(rounds)]
        np.testing.assert_array_equal(out, wanted)
        text = text_of(kernel, rounds, out)
        self.assertRegex(text, r"\n    m(\d+) = ix\d+;\n    m(\d+) = ix\d+;\n    m(\d+) = ix\d+;\n  \}")  # the sum, the row, the column

    def test_another_layout_is_refused(self):
        @cute.kernel
        def kernel(rounds, out):
            i, _, _ = cute.arch.thread_idx()
            part = cute.make_identity_tensor((8, 4))
            for _ in range(rounds[i]):
                out[i] = part[0][0]
                part = cute.local_tile(part, (2, 2), (0, 1))
        with self.assertRaisesRegex(NameError, "part is used after a condition or a loop"):
            text_of(kernel, np.zeros(4, np.int32), np.zeros(4, np.int32))


if __name__ == "__main__":
    unittest.main()
