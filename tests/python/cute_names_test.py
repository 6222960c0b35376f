"""Kernels with names of CuTe's Python DSL that programs use beside copies and products: operations on bits and lanes, functions of cute.math,
groups of tiles, a program's own pipelines; on the CPU against NumPy and as text for a GPU.
"""
import dataclasses
import unittest

import built_package  # noqa: F401
import numpy as np
import tilewright as tw
from tilewright import _cute_gpu, cute, cutlass
from tilewright._cute_numbers import number_type
from tilewright._cute_tensor import Pointer, Tensor
from tilewright.cutlass import Float16, Float32, Int32, Uint32, Uint64

arch = cute.arch


def text_of(kernel, *arguments, block=(32, 1, 1), **named):
    def on_gpu(x):
        if not isinstance(x, np.ndarray):
            return x
        return Tensor(Pointer(_cute_gpu.GpuMemory(x.ctypes.data, x.size, number_type(x.dtype), 0, x)), tw.Layout.from_array(x))
    return _cute_gpu.source_of(kernel.__wrapped__, [on_gpu(x) for x in arguments], block, **named)[0]


@cute.kernel
def on_bits(a, out):
    i, _, _ = arch.thread_idx()
    x = a[i]
    for n, y in enumerate((arch.clz(x), arch.brev(x), arch.bfind(x), arch.bfe(x, 4, 8), arch.bfi(x, Uint32(0), 8, 4), arch.popc(x),
                           arch.lop3(x, Uint32(0xff), x >> 4, 0x96), arch.mul_wide(x, x) >> 32)):
        out[i, n] = Uint32(y)


@cute.kernel
def on_lanes(a, out):
    i, _, _ = arch.thread_idx()
    for n, y in enumerate((arch.match_sync(-1, a[i]), arch.match_sync(-1, a[i], kind="all"), arch.lanemask_lt(), arch.lanemask_ge(),
                           arch.activemask(), arch.lanemask_le() - arch.lanemask_eq(), arch.lanemask_gt())):
        out[i, n] = Uint32(y)


@cute.kernel
def in_a_part_of_a_warp(out):
    i, _, _ = arch.thread_idx()
    if i % 4 == 1:
        out[i] = arch.activemask()
    out[i] = out[i] + arch.activemask()


@cute.kernel
def functions(a, b, out):
    i, _, _ = arch.thread_idx()
    x, y, m = a[i], b[i], cute.math
    for n, z in enumerate((m.sinh(x), m.cosh(x), m.expm1(x), m.log1p(m.abs(x)), m.atan2(x, y), m.copysign(x, y), m.round(x), m.trunc(x), m.erfc(x),
                           m.pow(m.abs(x), y), m.rem(x, y), m.fma(x, y, 1.0), m.clamp(x, -1.0, 1.0), m.cbrt(x), m.rcp(y), m.atanh(x / 8))):
        out[i, n] = z
    out[i, 16] = cute.where(m.isnan(x / (x - x)), 1.0, 0.0) + cute.where(m.isfinite(x), 2.0, 0.0)


@cute.kernel
def in_the_launch_s_memory(a):
    i, _, _ = arch.thread_idx()
    floats = cute.make_tensor(arch.get_dyn_smem(Float32, alignment=128), cute.make_layout(32))
    halves = cute.make_tensor(arch.get_dyn_smem(Float16) + 64, cute.make_layout(32))
    floats[i], halves[i] = a[i], Float16(a[i])
    arch.sync_threads()
    a[i] = floats[31 - i] + halves[31 - i].to(Float32) + arch.get_dyn_smem_size()


@dataclasses.dataclass
class Part:
    """What a loop changes a half of."""

    is_causal: bool
    total: object


@cute.kernel
def half_changed(a, out):
    i, _, _ = arch.thread_idx()
    part, n = Part(True, Float32(0)), a[i]
    while n > 0:
        if cutlass.const_expr(part.is_causal):
            part = Part(part.is_causal, part.total + n)
        _, _ = n, (n, n)
        n = n - 1
    _ = n
    out[i] = part.total if part.is_causal else -1.0


@cute.kernel
def members(out, ids: cutlass.Constexpr):
    i, _, _ = arch.thread_idx()
    out[i] = 0
    if i in ids:
        out[i] = 1
    if i not in (2, i % 5 + 1) and i in range(3, 8):
        out[i] = out[i] + 2
    if 3 in ids:
        out[i] = out[i] + 4


@cute.kernel
def slices_of_slices(a, b):
    i, _, _ = arch.thread_idx()
    copy = cute.make_tiled_copy_tv(cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), a.element_type), cute.make_layout(8), cute.make_layout(2))
    mine = copy.get_slice(0).get_slice(i)
    cute.copy(copy, mine.partition_S(a), mine.partition_D(b))
    assert copy.tiler_mn[0].shape == mine.tiler_mn[0].shape == 16 and mine.size == 8


class Waits(cutlass.pipeline.PipelineAsync):
    """A program's own pipeline."""

    def producer_acquire(self, state, *_, **__):
        self.sync_object_empty.wait(state.index, state.phase)

    def producer_commit(self, state, **_):
        self.sync_object_full.arrive(state.index, self.producer_mask)

    def consumer_release(self, state, **_):
        self.sync_object_empty.arrive(state.index)


@cute.kernel
def own_pipeline(a, b):
    i, _, _ = arch.thread_idx()
    group = cutlass.pipeline.CooperativeGroup
    staged = cute.make_tensor(arch.alloc_smem(Float32, 64), cute.make_layout((32, 2)))
    made = Waits.create(num_stages=2, producer_group=group(cutlass.pipeline.Agent.Thread, 32), consumer_group=group(cutlass.pipeline.Agent.Thread, 32))
    states = cutlass.pipeline.PipelineUserType
    if i < 32:
        state = cutlass.pipeline.make_pipeline_state(states.Producer, 2)
        for n in range(4):
            made.producer_acquire(state)
            staged[i, state.index] = a[i, n]
            made.producer_commit(state)
            state.advance()
    else:
        state = cutlass.pipeline.make_pipeline_state(states.Consumer, 2)
        for n in range(4):
            made.consumer_wait(state)
            b[i - 32, n] = staged[31 - (i - 32), state.index]
            made.consumer_release(state)
            state.advance()
    cutlass.pipeline.agent_sync(cutlass.pipeline.Agent.ThreadBlock)


@cute.kernel
def box_by_block_copy(load, store, source, target):
    i, _, _ = arch.thread_idx()
    tile = cutlass.utils.SmemAllocator().allocate_tensor(Float32, cute.make_layout((8, 32), stride=(32, 1)), 128)
    barrier = arch.alloc_smem(cutlass.Int64, 1)
    if i == 0:
        arch.mbarrier_init(barrier, 1)
    arch.mbarrier_init_fence()
    arch.sync_threads()
    whole = cute.group_modes(tile, 0, 2)
    if i == 0:
        arch.mbarrier_arrive_and_expect_tx(barrier, 8 * 32 * 4)
    cutlass.utils.block_copy(load, cute.group_modes(source, 0, 2), whole, tma_bar_ptr=barrier)
    arch.mbarrier_wait(barrier, 0)
    arch.fence_proxy("async.shared", space="cta")
    arch.sync_threads()
    cutlass.utils.block_copy(store, whole, cute.group_modes(target, 0, 2))
    arch.cp_async_bulk_commit_group()
    arch.cp_async_bulk_wait_group(0)


@cute.jit
def box(a, b):
    cpasync, layout = cute.nvgpu.cpasync, cute.make_layout((8, 32), stride=(32, 1))
    load, source = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileG2SOp(), a, layout, (8, 32))
    store, target = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileS2GOp(), b, layout, cute.composition(cute.make_identity_layout(b.shape), (8, 32)))
    box_by_block_copy(load, store, source, target).launch(grid=1, block=32)


@cute.kernel
def tiles_of_groups(sizes, out, params: cutlass.Constexpr, groups: cutlass.Constexpr):
    i, _, _ = arch.thread_idx()
    scheduler = cutlass.utils.StaticPersistentGroupTileScheduler.create(
        params, arch.block_idx(), arch.grid_dim(), cluster_tile_shape_mnk=(16, 32, 16),
        initial_search_state=cutlass.utils.create_initial_search_state(), group_count=groups, problem_shape_mnkl=sizes)
    work = scheduler.get_current_work()
    while work.is_valid_tile:
        found, number = work.group_search_result, work.tile_idx[2]
        if i == 0:
            out[number, 0], out[number, 1], out[number, 2] = Int32(found.group_idx), Int32(found.cta_tile_idx_m), Int32(found.cta_tile_idx_n)
            out[number, 3] = Int32(found.cta_tile_count_k)
        scheduler.advance_to_next_work()
        work = scheduler.get_current_work()


class OnTheCpu(unittest.TestCase):
    def test_tiles_of_groups(self):
        sizes = np.array([[40, 32, 64, 1], [0, 64, 32, 1], [16, 64, 32, 1]], np.int32)
        expected = [(g, m, n, -(-k // 16)) for g, (rows, columns, k, _) in enumerate(sizes)
                    for n in range(-(-columns // 32)) for m in range(-(-rows // 16))]
        for known, blocks in ((len(expected), 2), (1, 1), (3, 3), (132, 132)):  # a host that knows the sizes, and hosts that do not
            params = cutlass.utils.PersistentTileSchedulerParams((1, 1, known), (1, 1, 1))
            out = np.full((len(expected), 4), -1, np.int32)
            tiles_of_groups(sizes, out, params, 3).launch(grid=params.get_grid_shape(blocks), block=32)
            self.assertEqual([*map(tuple, out.tolist())], expected)
        self.assertIn("for (;;) {", text_of(tiles_of_groups, sizes, out, params, 3))

    def test_a_loop_that_changes_a_half_of_an_object(self):
        a, out = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
        half_changed(a, out).launch(grid=1, block=32)
        np.testing.assert_array_equal(out, a * (a + 1) / 2)
        text = text_of(half_changed, a, out)
        self.assertIn("for (;;) {", text)
        self.assertNotIn("bool m", text)  # is_causal stays a constant

    def test_members(self):
        out = np.zeros(16, np.int32)
        members(out, [1, 3, 9]).launch(grid=1, block=16)
        self.assertEqual(out.tolist(), [(i in (1, 3, 9)) + 2 * (i not in (2, i % 5 + 1) and 3 <= i < 8) + 4 for i in range(16)])
        text = text_of(members, out, [1, 3, 9], block=(16, 1, 1))
        for words in ("threadIdx_x == 1LL", "== 9LL", ">= 3LL", "< 8LL"):
            self.assertIn(words, text)

    def test_slices_of_slices(self):
        a, b = np.arange(16, dtype=np.float32), np.zeros(16, np.float32)
        slices_of_slices(a, b).launch(grid=1, block=8)
        np.testing.assert_array_equal(a, b)

    def test_own_pipeline(self):
        a, b = np.random.default_rng(2).random((32, 4), np.float32), np.zeros((32, 4), np.float32)
        own_pipeline(a, b).launch(grid=1, block=64)
        np.testing.assert_array_equal(b, a[::-1])
        self.assertIn("mbarrier_arrive(", text_of(own_pipeline, a, b, block=(64, 1, 1)))

    def test_block_copy(self):
        a, b = np.random.default_rng(2).random((8, 32), np.float32), np.zeros((8, 32), np.float32)
        box(a, b)
        np.testing.assert_array_equal(a, b)
        with self.assertRaisesRegex(TypeError, "block_copy is of TMA, and None is no atom of it"):
            cutlass.utils.block_copy(None, None, None)

    def test_instructions_on_integers(self):
        def computed(text, *given, result=Uint32):
            return int(arch.inline_ptx(f"{text} {{$w0}}, {', '.join(f'{{$r{i}}}' for i in range(len(given)))};", write_only_types=[result],
                                       read_only_args=[*given]))
        self.assertEqual([computed("shl.b32", Uint32(0x80000001), Uint32(1)), computed("shr.u32", Uint32(0x80000001), Uint32(1)),
                          computed("shr.u32", Uint32(7), Uint32(40)), computed("not.b32", Uint32(1)), computed("sub.u32", Uint32(1), Uint32(2))],
                         [2, 0x40000000, 0, 0xfffffffe, 0xffffffff])
        self.assertEqual([computed("shr.s32", Int32(-8), Int32(1), result=Int32), computed("max.s32", Int32(-8), Int32(1), result=Int32),
                          computed("max.u32", Uint32(0xfffffff8), Uint32(1))], [-4, 1, 0xfffffff8])

    def test_divisors(self):
        self.assertEqual([*map(int, divmod(Int32(17), cute.FastDivmodDivisor(5)))], [3, 2])
        self.assertEqual([*map(int, divmod(Int32(-17), 5))], [-4, 3])

    def test_autotune_of_what_is_given(self):
        tried = []

        @cute.testing.autotune_jit(params_dict={"width": [1, 2]})
        def run(a, width=4):
            tried.append(width)
        cute.compile(run, 1, width=8)(1)
        self.assertEqual(sorted(set(tried)), [1, 2])

    def test_bits(self):
        x = np.random.default_rng(7).integers(1, 1 << 32, 32, dtype=np.uint32)
        x[:2] = 1, 0xffffffff
        out = np.zeros((32, 8), np.uint32)
        on_bits(x, out).launch(grid=1, block=32)
        for value, row in zip(map(int, x), out.tolist()):
            text = f"{value:032b}"
            xor = value ^ 0xff ^ value >> 4
            self.assertEqual(row, [text.find("1"), int(text[::-1], 2), value.bit_length() - 1, value >> 4 & 255, (value & 15) << 8, text.count("1"),
                                   xor, value * value >> 32])
        self.assertEqual(arch.bfe(Int32(0xf0), 4, 4), -1)  # of signed numbers the highest bit of the field is the sign
        self.assertEqual([int(arch.clz(Uint64(1))), int(arch.clz(Int32(0))), int(arch.bfind(Int32(-1)))], [63, 32, 0xffffffff])
        with self.assertRaisesRegex(TypeError, "the operation is of integers, and 1.5 is a float64"):
            arch.clz(1.5)

    def test_lanes(self):
        a, out = np.arange(32, dtype=np.int32) % 3, np.zeros((32, 7), np.uint32)
        on_lanes(a, out).launch(grid=1, block=32)
        for i, row in enumerate(out.tolist()):
            same = sum(1 << j for j in range(32) if a[j] == a[i])
            below = (1 << i) - 1
            self.assertEqual(row, [same, 0, below, 0xffffffff ^ below, 0xffffffff, below, 0xffffffff ^ (2 << i) - 1])
        part = np.zeros(32, np.uint64)
        in_a_part_of_a_warp(part).launch(grid=1, block=32)
        np.testing.assert_array_equal(part, [0xffffffff + (0x22222222 if i % 4 == 1 else 0) for i in range(32)])
        on_lanes(np.full(32, 5, np.int32), out).launch(grid=1, block=32)
        self.assertEqual(set(out[:, 1]), {0xffffffff})

    def test_mathematics(self):
        given = np.random.default_rng(3).uniform(-3, 3, (2, 32)).astype(np.float32)
        given[0, :4] = 0.5, -0.5, 1.5, -2.5
        out = np.zeros((32, 17), np.float32)
        functions(given[0], given[1], out).launch(grid=1, block=32)
        x, y = given.astype(np.float64)
        erfc = np.array([1 - float(cute.math.erf(cutlass.Float64(v))) for v in x])
        rounded = np.sign(x) * np.floor(np.abs(x) + 0.5)
        for n, expected in enumerate((np.sinh(x), np.cosh(x), np.expm1(x), np.log1p(abs(x)), np.arctan2(x, y), np.copysign(x, y), rounded, np.trunc(x),
                                      erfc, abs(x) ** y, np.fmod(x, y), x * y + 1, np.clip(x, -1, 1), np.cbrt(x), 1 / y, np.arctanh(x / 8))):
            np.testing.assert_allclose(out[:, n], expected, rtol=2e-6, atol=1e-6, err_msg=str(n))
        np.testing.assert_array_equal(out[:, 16], np.full(32, 2.0))  # x / 0 is infinite, and no NaN

    def test_the_launch_s_memory(self):
        a = np.arange(32, dtype=np.float32)
        in_the_launch_s_memory(a).launch(grid=1, block=32, smem=256)
        np.testing.assert_array_equal(a, 2 * np.arange(32)[::-1] + 256)
        with self.assertRaisesRegex(ValueError, "get_dyn_smem: the launch asks for no shared memory; give launch"):
            in_the_launch_s_memory(a).launch(grid=1, block=32)


class OnAGpu(unittest.TestCase):
    def test_text(self):
        bits = text_of(on_bits, np.zeros(32, np.uint32), np.zeros((32, 8), np.uint32))
        for words in ("__clz((int)(v", "__brev(v", "bfe.u32 %0", "bfi.b32 %0", "lop3.b32 %0, %1, %2, %3, 150;", "__popcll("):
            self.assertIn(words, bits)
        lanes = text_of(on_lanes, np.zeros(32, np.int32), np.zeros((32, 7), np.uint32))
        for words in ("__match_any_sync(", "__match_all_sync(", "%%lanemask_lt;", "__activemask()"):
            self.assertIn(words, lanes)
        of = text_of(functions, *np.zeros((2, 32), np.float32), np.zeros((32, 17), np.float32))
        for words in ("= sinh(", "= atan2(", "= copysign(", "= pow(", "= fmod(", "(bool)isnan("):
            self.assertIn(words, of)
        memory = text_of(in_the_launch_s_memory, np.zeros(32, np.float32), smem=256)
        self.assertEqual(memory.count("__shared__ unsigned char"), 1)


if __name__ == "__main__":
    unittest.main()
