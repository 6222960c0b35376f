"""Kernels with instructions by their names, arrays, vectors and maps of TMA, for cute_primitives_test."""
from tilewright import cute, cutlass
from tilewright.cutlass import Boolean, Float16, Float32, Int32, Int64

prims, cuda = cutlass.experimental.primitives, cutlass.experimental.cuda
SMEM = cute.AddressSpace.smem


@cute.kernel
def multiply(a: cutlass.Array, b: cutlass.Array, c: cutlass.Array, side: cutlass.Constexpr[int]):
    """c = a b by tiles of side x side in shared memory."""
    x, y, _ = cute.arch.thread_idx()
    bx, by, _ = cute.arch.block_idx()
    of_a, of_b = (cutlass.Array(Float32, (side, side), space=SMEM) for _ in range(2))
    total = 0.0
    for k in range(0, a.shape[1], side):
        of_a[y, x] = a[bx * side + y, k + x]
        of_b[y, x] = b[k + y, by * side + x]
        prims.barrier_cta_sync(0)
        for j in range(side):
            total += of_a[y, j] * of_b[j, x]
        prims.barrier_cta_sync(0)
    c[bx * side + y, by * side + x] = total


@cute.kernel
def lanes(a: cutlass.Array, out: cutlass.Array):
    lane = cute.arch.lane_idx()
    x = a[lane]
    out[0, lane] = prims.shfl_sync(0xffffffff, x, 3, 31, prims.Shfl.BFLY)
    out[1, lane] = prims.shfl_sync(0xffffffff, x, 1, 0, prims.Shfl.UP)
    out[2, lane] = prims.redux_sync(x, prims.ReductionKind.ADD, 0xffffffff)
    out[3, lane] = prims.redux_sync(x, prims.ReductionKind.UMAX, 0xffffffff)
    out[4, lane] = prims.vote_sync(0xffffffff, x > 0, prims.VoteSync.BALLOT)
    out[5, lane] = Int32(1) if prims.elect_sync() else Int32(0)
    out[6, lane] = Int32(1) if prims.barrier_cta_red(x > 90, 0, "or") else Int32(0)
    below, inside = prims.shfl_sync(0xffffffff, x, 2, 0x1800, prims.Shfl.UP, return_value_and_is_valid=True)
    out[7, lane] = below
    out[8, lane] = Int32(1) if inside else Int32(0)


@cute.kernel
def in_stages(src: cutlass.Array, dst: cutlass.Array, rounds: cutlass.Constexpr):
    """dst = 2 src by rows of 32: the first warp puts them into one of two stages, the second takes them."""
    lane, warp = cute.arch.lane_idx(), cute.arch.warp_idx()
    buffer, bars = cutlass.Array(Float32, 64, space=SMEM), cutlass.Array(Int64, 4, space=SMEM, alignment=8)
    empty = bars.subview(2)
    if warp == 0:
        if prims.elect_sync():
            for i in cutlass.range_constexpr(2):
                prims.mbarrier_init(bars.subview(i), 1)
                prims.mbarrier_init(empty.subview(i), 1)
    prims.fence_mbarrier_init()
    prims.barrier_cta_sync(0)
    for k in cutlass.range(rounds, unroll=1):
        stage, phase = k % 2, k // 2 & 1
        if warp == 0:
            if k >= 2:
                while not prims.mbarrier_try_wait_parity(empty.subview(stage), phase ^ 1, time_limit=1000):
                    pass
            buffer[stage * 32 + lane] = src[k * 32 + lane]
            prims.bar_warp_sync(0xffffffff)
            if prims.elect_sync():
                prims.mbarrier_arrive(bars.subview(stage))
        else:
            while not prims.mbarrier_try_wait_parity(bars.subview(stage), phase, time_limit=1000):
                pass
            dst[k * 32 + lane] = buffer[stage * 32 + lane] * 2
            prims.bar_warp_sync(0xffffffff)
            if prims.elect_sync():
                prims.mbarrier_arrive(empty.subview(stage))


@cute.kernel
def ring(out: cutlass.Array):
    """Each block of a cluster reads what the next one wrote, after that has arrived at its barrier."""
    rank, count = prims.cluster_ctarank(), cute.arch.cluster_size()
    value, bar = cutlass.Array(Int32, 1, space=SMEM), cutlass.Array(Int64, 1, space=SMEM)
    if prims.elect_sync():
        prims.mbarrier_init(bar, 1)
        value[0] = 10 * rank + 7
    prims.fence_mbarrier_init()
    prims.barrier_cluster_arrive()
    prims.barrier_cluster_wait()
    if prims.elect_sync():
        prims.mbarrier_arrive(prims.mapa(bar, (rank + count - 1) % count))
    while not prims.mbarrier_try_wait_parity(bar, 0):
        pass
    if prims.elect_sync():
        out[rank] = prims.mapa(value.data_ptr(), (rank + 1) % count)[0]
    prims.barrier_cluster_arrive()
    prims.barrier_cluster_wait()


@cute.kernel
def vectors(a: cutlass.Array, b: cutlass.Array, c: cutlass.Array, valid: Int32, n: cutlass.Constexpr[int]):
    """b = 2 a by vectors; c = a where the index is below `valid`; its last element the sum of the first n."""
    first = cute.arch.thread_idx()[0] * n
    b[first:n] = a[first:n] * Float32(2.0)
    mask = cutlass.Array(Boolean, n)
    for i in range(n):
        mask[i] = first + i < valid
    c.masked_store(first, a.masked_load(first, n, mask, default=Float32(5.0)), mask)
    if first == 0:
        total = a.load(0, n).reduce("add")
        c.store(total, c.shape[0] - 1)
        b.data_ptr(b.shape[0] - 2).store(cutlass.Vector.from_elements((total, 3), Float32))


@cute.kernel
def masks(a: cutlass.Array, out: cutlass.Array, bound: Int32):
    """Row 0: a below `bound`, else -1; rows 1 and 2: the outer product of (2, 3) and a; row 3: the sum of a repeated three times."""
    x = a[0:8]
    mask = cutlass.vector.create_mask([8], [bound])
    out[0:8] = cutlass.vector.where(mask, x, cutlass.vector.full([8], -1.0, dtype=Float32))
    product = cutlass.vector.outerproduct(cutlass.Vector.from_elements((2.0, 3.0), Float32), x)
    three = cutlass.vector.broadcast_to(x, (3, 8))
    for i in cutlass.range_constexpr(8):
        out[8 + i], out[16 + i] = product[0, i], product[1, i]
        out[24 + i] = three[0, i] + three[1, i] + three[2, i]


@cute.kernel
def boxes(source: cutlass.GridConstant[cuda.TensorMap], target: cutlass.GridConstant[cuda.TensorMap], out: cutlass.Array):
    """Loads the box (64, 32) of a map, stores it by another, and row 3 of it, which the swizzle exchanged, by a thread's hand."""
    tile, bar = cutlass.Array(Float16, (32, 64), space=SMEM, alignment=1024), cutlass.Array(Int64, 1, space=SMEM)
    if prims.elect_sync():
        prims.prefetch_tensormap(source.get_ptr())
        prims.mbarrier_init(bar, 1)
    prims.fence_mbarrier_init()
    prims.barrier_cta_sync(0)
    if prims.elect_sync():
        prims.mbarrier_arrive_expect_tx(bar, source.global_tx_bytes())
        prims.cp_async_bulk_tensor_shared_cta_global(tile, source.get_ptr(), (64, 32), bar)
    while not prims.mbarrier_try_wait_parity(bar, 0, time_limit=1000):
        pass
    if prims.elect_sync():
        prims.cp_async_bulk_tensor_global_shared_cta(target.get_ptr(), tile, (0, 0))
        prims.cp_async_bulk_commit_group()
        prims.cp_async_bulk_wait_group(0)
    lane = cute.arch.lane_idx()
    out[2 * lane:2] = (tile.data_ptr() + (3 * 64 + 2 * lane)).load_swizzled(cutlass.Swizzle.from_name("s128b"), count=2)


@cute.kernel
def stored_twice(target: cutlass.GridConstant[cuda.TensorMap], more: cutlass.Constexpr[int]):
    """Two warps store a box; the second one adds `more` to the elements before."""
    tiles, warp, lane = cutlass.Array(Float32, 256, space=SMEM, alignment=128), cute.arch.warp_idx(), cute.arch.lane_idx()
    tile = tiles.subview(128 * warp, 128)
    for i in range(4):
        tile[lane + 32 * i] = Float32(lane + 32 * i + more * warp)
    prims.barrier_cta_sync()
    if prims.elect_sync():
        prims.cp_async_bulk_tensor_global_shared_cta(target.get_ptr(), tile, (0, 0))
    prims.cp_async_bulk_commit_group()
    prims.cp_async_bulk_wait_group(0)


@cute.jit
def store_twice(b, more: cutlass.Constexpr[int]):
    stored_twice(cuda.create_tensor_map_tiled_from_view(b, box_dims=(8, 16)), more).launch(grid=1, block=64)


@cute.jit
def through_maps(a, b, out):
    made = [cuda.create_tensor_map_tiled_from_view(x, box_dims=(32, 64), swizzle=cuda.TensorMapSwizzle.s128b) for x in (a, b)]
    boxes(*made, out).launch(grid=1, block=32)


@cute.kernel
def transposed(a: cutlass.Array, b: cutlass.Array):
    """b = four matrices of 8 x 8 of a, each transposed."""
    lane = cute.arch.lane_idx()
    given, taken = cutlass.Array(Float16, (32, 8), space=SMEM), cutlass.Array(Float16, (32, 8), space=SMEM)
    for i in range(8):
        given[lane, i] = a[lane, i]
    prims.bar_warp_sync(0xffffffff)
    words = prims.ldmatrix(given.data_ptr() + 8 * lane, 4, prims.MMALayout.ROW)
    prims.stmatrix(taken.data_ptr() + 8 * lane, words, prims.MMALayout.COL)
    prims.bar_warp_sync(0xffffffff)
    for i in range(8):
        b[lane, i] = taken[lane, i]


@cute.kernel
def in_bulk(a: cutlass.Array, b: cutlass.Array, counted: cutlass.Array):
    tile, small = cutlass.Array(Float32, 64, space=SMEM, alignment=128), cutlass.Array(Float32, 128, space=SMEM, alignment=16)
    bar, lane = cutlass.Array(Int64, 1, space=SMEM), cute.arch.lane_idx()
    if prims.elect_sync():
        prims.mbarrier_init(bar, 1)
    prims.fence_mbarrier_init()
    prims.barrier_cta_sync()
    prims.cp_async_shared_global(small.data_ptr() + 4 * lane, a.iterator.raw_ptr() + 4 * lane, 16, "cg")
    prims.cp_async_commit_group()
    if prims.elect_sync():
        prims.mbarrier_arrive_expect_tx(bar, 256)
        prims.cp_async_bulk_shared_cluster_global(tile, a.data_ptr(64), bar, 256)
    while not prims.mbarrier_try_wait_parity(bar, 0):
        pass
    prims.cp_async_wait_group(0)
    prims.barrier_cta_sync()
    b[lane] = tile[lane] + small[lane]
    prims.red(prims.ReductionOp.ADD, prims.ReductionType.S32, counted.data_ptr(), Int32(2), mem_order=prims.MemOrder.RELAXED, mem_scope=prims.MemScope.GPU)
