"""More kernels for cute_kernels.cases(), in the styles of programs in CuTe's Python DSL: vectors in registers, predicates from
coordinate tensors, asynchronous copies, exchange within a warp, helper functions, containers as arguments."""
import dataclasses
from functools import partial

import numpy as np
from tilewright import cute, cutlass
from tilewright.cutlass import Float16, Float32, Int4, Int32, Int64, Int128, Uint4, Uint128


# --- vectors in registers --------------------------------------------------------------------------------------------
@cute.kernel
def vectors_added(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    width, _, _ = cute.arch.block_dim()
    m, n = a.shape[1]
    at = block * width + thread
    place = (None, (at // n, at % n))
    c[place] = a[place].load() + b[place].load() * 2


@cute.jit
def add_vectors(a, b, c):
    a, b, c = (cute.zipped_divide(x, (1, 4)) for x in (a, b, c))
    vectors_added(a, b, c).launch(grid=(cute.size(c, mode=[1]) // 8, 1, 1), block=(8, 1, 1))


def mul_relu(x, y):
    z = x * y
    return cute.where(z > 0, z, cute.full_like(z, 0))


def leaky(x, y, alpha):
    return cute.where(x > y, x, alpha * x)


@cute.kernel
def applied(op: cutlass.Constexpr, inputs, c: cute.Tensor, coordinates: cute.Tensor, shape: cute.Shape, tv: cute.Layout):
    thread, _, _ = cute.arch.thread_idx()
    bm, bn, _ = cute.arch.block_idx()
    tile = ((None, None), (bm, bn))
    mine = [cute.composition(x[tile], tv) for x in (*inputs, c, coordinates)]
    at = (thread, cute.repeat_like(None, mine[0].shape[1]))
    *given, out, where = (x[at] for x in mine)
    fragments = [cute.make_fragment_like(x) for x in given]
    allowed = cute.make_rmem_tensor(where.shape, cutlass.Boolean)
    for i in cutlass.range_constexpr(cute.size(allowed)):
        allowed[i] = cute.elem_less(where[i], shape)
    for x, f in zip(given, fragments):
        cute.copy(None, x, f, pred=allowed)
    result = cute.make_fragment_like(out)
    result.store(op(*[f.load() for f in fragments]))
    cute.copy(None, result, out, pred=allowed)


@cute.jit
def apply(op, inputs, c):
    tiler, tv = cute.make_layout_tv(cute.make_ordered_layout((2, 8), order=(1, 0)), cute.make_ordered_layout((2, 2), order=(1, 0)))
    coordinates = cute.zipped_divide(cute.make_identity_tensor(c.shape), tiler=tiler)
    out = cute.zipped_divide(c, tiler)
    applied(op, [cute.zipped_divide(x, tiler) for x in inputs], out, coordinates, c.shape, tv).launch(
        grid=cute.product_each(out.shape[1]), block=[cute.size(tv, mode=[0]), 1, 1])


@cute.kernel
def reduced(a, out):
    row, _, _ = cute.arch.thread_idx()
    x = a[row, None].load()
    largest = x.reduce(cute.ReductionOp.MAX, float("-inf"), reduction_profile=0)
    out[row, 0] = x.reduce(cute.ReductionOp.ADD, 0.0, 0)
    out[row, 1] = largest
    out[row, 2] = cute.math.sqrt(abs(largest)) + 0.5
    out[row, 3] = (x > 50).reduce(cute.ReductionOp.ADD, 0, 0)


# --- shared memory ------------------------------------------------------------------------------------------------------
@cute.struct
class Storage:
    tile: cute.struct.Align[cute.struct.MemRange[Float32, 16 * 17], 128]
    counts: cute.struct.MemRange[Int32, 4]


@cute.kernel
def ragged_transpose(a, b):
    x, y, _ = cute.arch.thread_idx()
    bx, by, _ = cute.arch.block_idx()
    rows, columns = a.shape
    tile = cutlass.utils.SmemAllocator().allocate(Storage).tile.get_tensor(cute.make_layout((16, 16), stride=(17, 1)))
    if by * 16 + y < rows and bx * 16 + x < columns:
        tile[y, x] = a[by * 16 + y, bx * 16 + x]
    cute.arch.sync_threads()
    if bx * 16 + y < columns and by * 16 + x < rows:
        b[bx * 16 + y, by * 16 + x] = tile[x, y]


@cute.kernel
def staged_asynchronously(a, b):
    thread, _, _ = cute.arch.thread_idx()
    atom = cute.make_copy_atom(cute.nvgpu.cpasync.CopyG2SOp(), a.element_type, num_bits_per_copy=128)
    copy = cute.make_tiled_copy_tv(atom, cute.make_layout((8, 4), stride=(4, 1)), cute.make_layout((1, 4)))
    part = copy.get_slice(thread)
    stages = cutlass.utils.SmemAllocator().allocate_tensor(a.element_type, cute.make_layout((8, 16, 2), stride=(16, 1, 128)), 16)
    tiles = cute.local_tile(a, (8, 16), (None, 0))      # (8, 16, Tiles)
    out = cute.local_tile(b, (8, 16), (None, 0))
    source, shared = part.partition_S(tiles), part.partition_D(stages)
    count = cute.size(tiles, mode=[2])
    cute.copy(copy, source[None, None, None, 0], shared[None, None, None, 0])
    cute.arch.cp_async_commit_group()
    for i in range(count):
        if i + 1 < count:
            cute.copy(copy, source[None, None, None, i + 1], shared[None, None, None, (i + 1) % 2])
        cute.arch.cp_async_commit_group()
        cute.arch.cp_async_wait_group(1)
        cute.arch.sync_threads()
        for j in range(4):
            out[thread // 4, 4 * j + thread % 4, i] = stages[7 - thread // 4, 4 * j + thread % 4, i % 2]
        cute.arch.sync_threads()


@cute.kernel
def block_sums(a, out):
    thread, _, _ = cute.arch.thread_idx()
    partial_sums = cute.make_tensor(cute.arch.alloc_smem(Float32, 2), cute.make_layout(2))
    total = Float32(0.0)
    for i in cutlass.range(thread, a.shape[0], 64):
        total += a[i]
    total = cute.arch.warp_reduction(total, lambda x, y: x + y)
    if cute.arch.lane_idx() == 0:
        partial_sums[cute.arch.warp_idx()] = total
    cute.arch.sync_threads()
    if thread == 0:
        out[0] = partial_sums[0] + partial_sums[1]
    out[1 + thread] = cute.arch.shuffle_sync_down(total, 1) - cute.arch.shuffle_sync_bfly(total, 3)


#: (exchange, offset, mask_and_clamp): groups of 32, 8, 16 and 4 lanes, and of 8 lanes of which the last two are left out.
EXCHANGES = [(kind, offset, groups << 8 | (0 if kind == "up" else last)) for kind in ("idx", "up", "down", "bfly")
             for offset, groups, last in ((1, 0, 31), (3, 24, 31), (5, 16, 31), (2, 28, 31), (3, 24, 5))]


@cute.kernel
def lanes_of_groups(a, out):
    thread, _, _ = cute.arch.thread_idx()
    for i, (kind, offset, mask_and_clamp) in enumerate(EXCHANGES):
        out[i, thread] = cute.arch.shuffle_sync_op(a[thread], offset, mask_and_clamp=mask_and_clamp, kind=kind)


@cute.kernel
def histogram(a, counts):
    thread, _, _ = cute.arch.thread_idx()
    cute.arch.atomic_add(counts.iterator + a[thread] % 4, Int32(1))


# --- control flow, functions, containers -----------------------------------------------------------------------------------
@cute.jit
def kind_of_number(x, low: cutlass.Constexpr = 10):
    if x < low:
        return -1
    if x > 2 * low:
        if x % 2 == 0:
            return 2
        return 3
    return 0


@cute.jit
def cleared(a, i):
    """`return` leaves this function only."""
    if i % 3 != 0:
        return
    a[i] = -a[i]


@dataclasses.dataclass(frozen=True)
class Parameters:
    offset: int = 3
    scale: float = 0.5
    wide: bool = True


@cute.kernel
def functions(a, out, parameters: cutlass.Constexpr, low: cutlass.Constexpr = 8):
    i, _, _ = cute.arch.thread_idx()

    def halved(x):
        return x / 2 if x > low else x
    twice = lambda x: 2 * x if x > 4 else -x  # noqa: E731
    pair = (i, i + parameters.offset)
    if i % 2 == 0:
        pair = (pair[1], pair[0])
    lowest, highest = 1000, [0, 0]
    for j in range(i % 5 + 1):
        lowest = min(lowest, (j - 2) * (j - 2) + i)
        highest = [max(highest[0], j), highest[1] + 1]
    cleared(a, i)
    out[i, 0] = kind_of_number(i)
    out[i, 1] = halved(a[i])
    out[i, 2] = twice(i)
    out[i, 3] = pair[0] * 100 + pair[1]
    out[i, 4] = lowest
    out[i, 5] = highest[0] * 10 + highest[1]
    held = [0, 0]
    if i % 4 > 1:
        held[0] = 7
    held[1] = 2 ** (i % 5) + (i % 3) ** 3
    out[i, 8] = held[0] + held[1]
    out[i, 9] = any(a[i] > 10 * j for j in range(5, 7)) + 2 * all([i > 1, i < 9, parameters.wide])
    out[i, 6] = min(a[i], 3.5) if parameters.wide else 0
    out[i, 7] = max(i, 5, 7)


@cute.kernel
def fragments_in_a_loop(a, out, rounds: Int32):
    i, _, _ = cute.arch.thread_idx()
    total = cute.zeros_like(a[i, None].load())
    for k in cutlass.range(rounds):
        total = total + a[(i + k) % 8, None].load()
    if i > 3:
        total = total * 2
    out[i, None] = total


@cute.kernel
def numbers(a, out):
    i, _, _ = cute.arch.thread_idx()
    x = Int32(a[i])
    out[i, 0] = x * Float32(0.5) + 1
    out[i, 1] = x / 4
    out[i, 2] = (x * 100).to(cutlass.Int8)
    out[i, 3] = ~x & 7
    out[i, 4] = Float32(x).to(Int32) << 2
    out[i, 5] = -x // 3
    out[i, 6] = Int32(7) % -3 - x
    out[i, 7] = 1 << (i % 4)


@cute.kernel
def small_product(a, b, c):
    i, _, _ = cute.arch.thread_idx()
    ra, rb = cute.make_fragment_like(a[i, None, None]), cute.make_fragment_like(b)
    rc = cute.make_rmem_tensor((2, 3), Float32)
    rc.fill(1.0)
    cute.autovec_copy(a[i, None, None], ra)
    cute.autovec_copy(b, rb)
    cute.gemm(None, rc, ra, rb, rc)
    cute.autovec_copy(rc, c[i, None, None])


@cute.kernel
def thread_parts(a, b):
    thread, _, _ = cute.arch.thread_idx()
    layout = cute.make_layout((2, 4), stride=(4, 1))
    source = cute.local_partition(a, layout, thread)
    target = cute.local_partition(cute.local_tile(cute.domain_offset((2, 0), b), (4, 8), (0, 0)), layout, thread)
    cute.basic_copy(source, target)


@cute.kernel
def words_of_bytes(a, b):
    i, _, _ = cute.arch.thread_idx()
    source, target = cute.recast_tensor(a, cutlass.Int32), cute.recast_tensor(b, cutlass.Int32)
    target[i] = source[7 - i]


@cute.kernel
def swizzled_rows(a, b):
    """Each thread writes a row of a swizzled tile and reads a column, 4 elements at a time; the tile begins within the memory."""
    thread, _, _ = cute.arch.thread_idx()
    layout = cute.make_composed_layout(cute.make_swizzle(2, 2, 3), 0, cute.make_layout((8, 16, 2), stride=(16, 1, 128)))
    stages = cute.make_tensor(cute.arch.alloc_smem(Float32, 256), layout)
    tile, atom = stages[None, None, 1], cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float32, num_bits_per_copy=128)
    cute.copy(atom, a[thread, None], tile[thread, None])
    cute.arch.sync_threads()
    column = cute.logical_divide(tile, (None, 8))[None, (thread, None)]
    for i in range(8):
        b[i, thread] = column[i, 0]
        b[i, thread + 8] = cute.local_tile(tile, (8, 8), (0, 1))[i, thread]


@cute.kernel
def large_shared_memory(a, b):
    """Two arrays of more than 48 KiB together."""
    thread, _, _ = cute.arch.thread_idx()
    first, second = (cute.make_tensor(cute.arch.alloc_smem(Float32, 8192), cute.make_layout((32, 256))) for _ in range(2))
    for i in range(2):
        first[thread, 255 - i], second[thread, i] = a[thread, i], -a[thread, i]
    cute.arch.sync_threads()
    for i in range(2):
        b[thread, i] = first[31 - thread, 255 - i] + 2 * second[thread, i]


@cute.kernel
def half_bytes(a, b, c):
    """Int4 and Uint4 of each thread's 4 bytes: read at once, one by one, computed, and written."""
    thread, _, _ = cute.arch.thread_idx()
    mine, out = cute.recast_tensor(a, Int4)[thread, None], cute.recast_tensor(b, Uint4)[thread, None]
    held = cute.make_rmem_tensor(8, Int4)
    cute.copy(cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Int4, num_bits_per_copy=32), mine, held)
    for i in cutlass.range(8):
        held[i] = (mine[i] + held[7 - i]) * 3 - thread.to(Int4) if mine[i] < 5 else ~held[i]
        out[i] = held[i] // 3
    tile = cute.make_tensor(cute.arch.alloc_smem(Int4, 64), cute.make_layout((8, 8)))
    tile[None, thread].store(held.load())
    cute.arch.sync_threads()
    c[None, thread].store(tile[None, thread ^ 1].load().to(Float32) / 2 + (out.load() >> 1).to(Float16))


@cute.kernel
def half_byte_arithmetic(a, b, c):
    """What kernels do with Int4 and Uint4: comparisons, choices, conversions, coordinates, bounds of loops, exchange within a warp."""
    x, _, _ = cute.arch.thread_idx()
    w, u = cute.recast_tensor(a, Int4)[x, None], cute.recast_tensor(b, Uint4)[x, None]
    c[x, 0] = abs(w[1]).to(Float32) + (-w[2])
    c[x, 1] = Float32(w[3] if w[3] > u[3] else u[3])
    c[x, 2] = cutlass.Boolean(w[0] == Int4(-8)).to(Int32) + cutlass.Boolean(w[1]).to(Int32)
    c[x, 3] = a[u[0] % 4 if u[0] < 8 else 0, 0]
    total = Float32(0)
    for i in cutlass.range(u[4]):
        total += w[i % 8]
    c[x, 4] = total
    c[x, 5] = cute.arch.shuffle_sync_bfly(w[5], 1)
    c[x, 6] = w[6] % Int4(3) + u[6] // Uint4(3) + (w[7] << 1) + (u[7] >> 2) + (w[6] & u[5]) + (w[6] | 3) + (u[2] ^ Int32(77))
    c[x, 7] = w.load().to(Int32).reduce(cute.ReductionOp.ADD, 0, 0) + cute.where(w.load() > 0, w.load(), 0).to(Float16)[3]


@cute.kernel
def two_words(a, b, c):
    """Int128 and Uint128: of memory, of products of Int64, divided, shifted, compared, in registers and in shared memory."""
    x, _, _ = cute.arch.thread_idx()
    w, out = cute.recast_tensor(a, Int128)[x, None], cute.recast_tensor(b, Uint128)[x, None]
    product = a[x, 0].to(Int128) * a[x, 3]
    out[0] = (product >> 64).to(Uint128) + (w[0] ^ w[1]).to(Uint128)
    held = cute.make_rmem_tensor(2, Int128)
    held[0], held[1] = w[0] // Int128(-12345678901234567890123), w[1] % 1000003
    if w[0] < w[1] and held[1] != 0:
        held[0] = -held[0] - (Int128(1) << 100)
    tile = cute.make_tensor(cute.arch.alloc_smem(Int128, 8), cute.make_layout((8,)))
    tile[x] = held[0] + held[1]
    cute.arch.sync_threads()
    out[1] = tile[x ^ 1].to(Uint128) | 5
    total = Int128(0)
    for i in cutlass.range(100, unroll=1):
        total += w[0] * i
    c[x, 0], c[x, 1] = product.to(cutlass.Float64), total.to(Int64).to(cutlass.Float64)


def random(shape, dtype=np.float32, seed=1):
    return (np.random.default_rng(seed).random(shape) * 100).astype(dtype)


def launch_of(function, *arguments):
    """(kernel's function, arguments, grid, block) of the launch that a jit function makes."""
    from tilewright import _cute_launch
    made = []
    was, _cute_launch.launch = _cute_launch.launch, lambda *launch: made.append(launch)
    try:
        function(*arguments)
    finally:
        _cute_launch.launch = was
    return made[0][:4]


def cases():
    """(name, kernel, arguments, grid, block)"""
    def case(kernel, arguments, grid, block):
        return kernel.__name__, kernel, arguments, grid, block
    zeros = lambda *shape, dtype=np.float32: np.zeros(shape, dtype)  # noqa: E731
    return [case(reduced, [random((8, 6)), zeros(8, 4)], 1, 8),
            case(ragged_transpose, [random((21, 18)), zeros(18, 21)], (2, 2), (16, 16)),
            case(staged_asynchronously, [random((32, 16)), zeros(32, 16)], 1, 32),
            case(block_sums, [np.arange(200, dtype=np.float32), zeros(65)], 1, 64),
            case(lanes_of_groups, [np.arange(32, dtype=np.int32), np.zeros((len(EXCHANGES), 32), np.int32)], 1, 32),
            case(histogram, [np.arange(37, dtype=np.int32) * 3, np.zeros(4, np.int32)], 1, 37),
            case(functions, [random(32), zeros(32, 10), Parameters()], 1, 32),
            case(fragments_in_a_loop, [random((8, 4)), zeros(8, 4), 5], 1, 8),
            case(numbers, [np.arange(-7, 9, dtype=np.int32), zeros(16, 8, dtype=np.float64)], 1, 16),
            case(small_product, [random((4, 2, 5)), random((3, 5)), zeros(4, 2, 3)], 1, 4),
            case(thread_parts, [random((4, 8)), zeros(6, 8)], 1, 8),
            case(large_shared_memory, [random((32, 2)), zeros(32, 2)], 1, 32),
            case(swizzled_rows, [random((8, 16)), zeros(8, 16)], 1, 8),
            case(half_bytes, [random((8, 4), np.uint8), np.zeros((8, 4), np.uint8), zeros(8, 8)], 1, 8),
            case(half_byte_arithmetic, [random((4, 4), np.uint8), random((4, 4), np.uint8, 2), zeros(4, 8)], 1, 4),
            case(two_words, [np.random.default_rng(8).integers(-2**63, 2**63 - 1, (8, 4)), np.zeros((8, 4), np.int64), zeros(8, 2, dtype=np.float64)], 1, 8),
            case(words_of_bytes, [random(32, np.uint8), np.zeros(32, np.uint8)], 1, 8)]


def jit_cases():
    """(function, arguments): the last one is written; arrays may be made tensors of a GPU's memory before."""
    a, b = random((13, 37)) - 50, random((13, 37), seed=2) - 50
    return [(add_vectors, [random((8, 16)), random((8, 16), seed=2), np.zeros((8, 16), np.float32)]),
            (apply, [mul_relu, [a, b], np.zeros((13, 37), np.float32)]),
            (apply, [partial(leaky, alpha=0.25), [a, b], np.zeros((13, 37), np.float32)]),
            (apply, [lambda x: x * x, [a], np.zeros((13, 37), np.float32)])]
