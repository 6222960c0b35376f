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


def cluster_sums(send, early=False, expected=64):
    """A kernel: each block of a cluster of 4 sends the sum of its row to all, as quack's reductions do."""
    @cute.kernel
    def kernel(a, out):
        x, _, _ = cute.arch.thread_idx()
        row, _, _ = cute.arch.block_idx()
        rank = cute.arch.block_idx_in_cluster()
        allocator = cutlass.utils.SmemAllocator()
        barrier, parts = allocator.allocate_array(Int64, 1), allocator.allocate_tensor(Float32, cute.make_layout((4, 4), stride=(4, 1)))
        if x == 0:
            cute.arch.mbarrier_init(barrier, 1)
        cute.arch.mbarrier_init_fence()
        cute.arch.cluster_arrive_relaxed()
        cute.arch.cluster_wait()
        total = cute.arch.warp_reduction_sum(a[row, x])
        if x == 0:
            cute.arch.mbarrier_arrive_and_expect_tx(barrier, expected)
        if x < 4:
            send(total, parts.iterator + 4 * rank, barrier, x)
        if not early:
            cute.arch.mbarrier_wait(barrier, 0)
        out[row, x] = parts[0, 0] + 2 * parts[1, 1] + 3 * parts[2, 2] + 4 * parts[3, 3]
    return kernel


def by_map(total, place, barrier, peer):
    """Four stores to pointers that map_dsmem_ptr maps."""
    there = Int32(cute.arch.map_dsmem_ptr(barrier, peer).toint())
    for i in cutlass.range_constexpr(4):
        to = Int32(cute.arch.map_dsmem_ptr(place + i, peer).toint())
        cute.arch.inline_ptx("st.async.shared::cluster.mbarrier::complete_tx::bytes.f32 [{$r0}], {$r1}, [{$r2}];", read_only_args=[to, total, there])


def by_mapa(total, place, barrier, peer):
    """One store of four numbers to addresses that mapa maps."""
    to, there = (Int32(llvm.inline_asm(T.i32(), [p.toint().ir_value(), Int32(peer).ir_value()], "mapa.shared::cluster.u32 $0, $1, $2;", "=r,r,r"))
                 for p in (place, barrier))
    llvm.inline_asm(None, [to, total, total, total, total, there],
                    "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [$0], {$1, $2, $3, $4}, [$5];", "r,f,f,f,f,r")


def by_vector(total, place, barrier, peer):
    """The same with a register of four."""
    to, there = (Int32(cute.arch.map_dsmem_ptr(p, peer).toint()) for p in (place, barrier))
    cute.arch.inline_ptx("{\n\t.reg .v4 .f32 abcd;\n\tmov.f32 abcd.x, {$r2};\n\tmov.f32 abcd.y, {$r3};\n\tmov.f32 abcd.z, {$r4};\n\tmov.f32 abcd.w, {$r5};"
                         "\n\tst.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [{$r0}], abcd, [{$r1}];\n\t}\n",
                         read_only_args=[to, there, total, total, total, total])


class SharedMemoryOfOtherBlocks(unittest.TestCase):
    def test_stores_that_a_barrier_counts(self):
        a = np.random.default_rng(2).integers(0, 9, (8, 32)).astype(np.float32)
        sums = a.sum(1).reshape(2, 4) @ np.arange(1, 5)
        for send in (by_map, by_mapa, by_vector):
            out = np.zeros_like(a)
            cluster_sums(send)(a, out).launch(grid=8, block=32, cluster=4)
            np.testing.assert_array_equal(out, np.repeat(sums, 128).reshape(8, 32), send.__doc__)

    def test_mistakes(self):
        a = np.ones((4, 32), np.float32)

        def launched(kernel, cluster=4):
            kernel(a, np.zeros_like(a)).launch(grid=4, block=32, cluster=cluster)
        with self.assertRaisesRegex(RuntimeError, "no barrier orders the two"):
            launched(cluster_sums(by_map, early=True))
        with self.assertRaisesRegex(RuntimeError, "whose phase does not end|never reached"):
            launched(cluster_sums(by_map, expected=68))
        with self.assertRaisesRegex(RuntimeError, "no barrier orders the two"):
            launched(cluster_sums(by_map, expected=48))
        with self.assertRaisesRegex(ValueError, "there is no block 2 in a cluster of 2"):
            launched(cluster_sums(by_mapa), cluster=2)

        def nowhere(total, place, barrier, peer):
            cute.arch.inline_ptx("st.shared::cluster.f32 [{$r0}], {$r1};", read_only_args=[Int32(64), total])
        with self.assertRaisesRegex(RuntimeError, "no pointer of this cluster has the address 0x40"):
            launched(cluster_sums(nowhere))

    def test_bytes_that_no_barrier_expects(self):
        for reads, words in [(True, "reads it while st.async of 1 numbers of 32 bits writes it"), (False, "copies wrote 4 bytes more than the barrier")]:
            @cute.kernel
            def kernel(out):
                parts, barrier = cute.arch.alloc_smem(Float32, 2), cute.arch.alloc_smem(Int64, 1)
                cute.arch.mbarrier_init(barrier, 1)
                cute.arch.mbarrier_arrive_and_expect_tx(barrier, 4)
                for i in cutlass.range_constexpr(2):
                    cute.arch.inline_ptx("st.async.shared::cluster.mbarrier::complete_tx::bytes.f32 [{$r0}], {$r1}, [{$r2}];",
                                         read_only_args=[Int32((parts + i).toint()), Float32(7), Int32(barrier.toint())])
                cute.arch.mbarrier_wait(barrier, 0)
                out[0] = (parts + 1 * reads).load()
            with self.assertRaisesRegex(RuntimeError, words):
                kernel(np.zeros(1, np.float32)).launch(grid=1, block=1)

    def test_plain_loads_stores_and_arrivals(self):
        @cute.kernel
        def kernel(out):
            x, _, _ = cute.arch.thread_idx()
            rank = cute.arch.block_idx_in_cluster()
            place, barrier = cute.arch.alloc_smem(Float32, 2), cute.arch.alloc_smem(Int64, 1)
            if x == 0:
                cute.arch.mbarrier_init(barrier, 1)
                place.store(5.0 + rank)
            cute.arch.cluster_arrive()
            cute.arch.cluster_wait()
            if x == 0:
                here, there = (Int32(cute.arch.map_dsmem_ptr(p, 1 - rank).toint()) for p in (place, barrier))
                got = cute.arch.inline_ptx("ld.shared::cluster.f32 {$w0}, [{$r0}];", write_only_types=[Float32], read_only_args=[here])
                cute.arch.inline_ptx("st.shared::cluster.b32 [{$r0}], {$r1};", read_only_args=[here + 4, got * 2])
                cute.arch.inline_ptx("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [{$r0}];", read_only_args=[there])
                cute.arch.mbarrier_wait(barrier, 0)
                out[rank] = (place + 1).load()
            cute.arch.cluster_arrive()
            cute.arch.cluster_wait()
        out = np.zeros(2, np.float32)
        kernel(out).launch(grid=2, block=32, cluster=2)
        np.testing.assert_array_equal(out, [10, 12])


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
