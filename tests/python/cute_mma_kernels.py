"""Kernels that multiply matrices by operations of a warp: fragments filled by ldmatrix or element by element, sums stored by stmatrix or
element by element."""
import numpy as np
from tilewright import cute, cutlass
from tilewright.cutlass import Float16, Float32

warp = cute.nvgpu.warp


def _staged(source, layout):
    """A copy of a tensor in shared memory, by all threads."""
    thread, _, _ = cute.arch.thread_idx()
    threads, _, _ = cute.arch.block_dim()
    staged = cute.make_tensor(cute.arch.alloc_smem(source.element_type, cute.cosize(layout)), layout)
    for i in cutlass.range_constexpr(cute.size(source) // threads):
        staged[thread + i * threads] = source[thread + i * threads]
    return staged


@cute.kernel
def multiplied(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, mma: cute.TiledMma, transposed: cutlass.Constexpr):
    """c (M,N) = a (M,K) * b (N,K) of one tile; operands in swizzled shared memory, then ldmatrix."""
    thread, _, _ = cute.arch.thread_idx()
    swizzle, major = cute.make_swizzle(2, 3, 3), (1, a.shape[0]) if transposed else (a.shape[1], 1)
    of_a = cute.make_composed_layout(swizzle, 0, cute.make_layout(a.shape, stride=major))
    of_b = cute.make_layout(b.shape, stride=(b.shape[1], 1))
    staged = _staged(a, of_a), _staged(b, of_b)
    cute.arch.sync_threads()
    part, atoms = mma.get_slice(thread), cute.make_copy_atom(warp.LdMatrix8x8x16bOp(transposed, 4), Float16)
    registers = mma.make_fragment_A(part.partition_A(staged[0])), mma.make_fragment_B(part.partition_B(staged[1]))
    copies = cute.make_tiled_copy_A(atoms, mma), cute.make_tiled_copy_B(cute.make_copy_atom(warp.LdMatrix8x8x16bOp(False, 2), Float16), mma)
    for copy, source, target in zip(copies, staged, registers):
        mine = copy.get_slice(thread)
        cute.copy(copy, mine.partition_S(source), mine.retile(target))
    sums = mma.make_fragment_C(part.partition_C(c))
    sums.fill(0)
    cute.gemm(mma, sums, *registers, sums)
    cute.autovec_copy(sums, part.partition_C(c))


@cute.kernel
def stored_by_matrices(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    """The product of one warp in Float16, its operands element by element; stmatrix stores it."""
    thread, _, _ = cute.arch.thread_idx()
    mma = cute.make_tiled_mma(warp.MmaF16BF16Op(Float16, Float16, (16, 8, 8)), permutation_mnk=(16, 16, 8))
    part = mma.get_slice(thread)
    mine = part.partition_A(a), part.partition_B(b)
    registers = mma.make_fragment_A(mine[0]), mma.make_fragment_B(mine[1])
    for source, target in zip(mine, registers):
        cute.autovec_copy(source, target)
    sums = mma.make_fragment_C(part.partition_C(c))
    sums.fill(0.5)
    cute.gemm(mma, sums, *registers, sums)
    tile = cute.make_tensor(cute.arch.alloc_smem(Float16, 256), cute.make_layout((16, 16), stride=(16, 1)))
    copy = cute.make_tiled_copy_C(cute.make_copy_atom(warp.StMatrix8x8x16bOp(False, 4), Float16), mma)
    cute.copy(copy, copy.get_slice(thread).retile(sums), copy.get_slice(thread).partition_D(tile))
    cute.arch.sync_threads()
    for i in range(8):
        c[thread % 16, thread // 16 + 2 * i] = tile[thread % 16, thread // 16 + 2 * i]


@cute.kernel
def by_each_thread(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    """The same by multiplications of one thread; a permutation gives each thread 2 x 2 contiguous sums."""
    thread, _, _ = cute.arch.thread_idx()
    pairs = cute.make_layout((8, 2), stride=(2, 1))
    mma = cute.make_tiled_mma(cute.nvgpu.MmaUniversalOp(Float32), cute.make_layout((8, 4, 1)), permutation_mnk=(pairs, None, None))
    part = mma.get_slice(thread)
    mine = part.partition_A(a), part.partition_B(b)
    registers = mma.make_fragment_A(mine[0]), mma.make_fragment_B(mine[1])
    for source, target in zip(mine, registers):
        cute.autovec_copy(source, target)
    sums = mma.make_fragment_C(part.partition_C(c))
    sums.fill(0)
    cute.gemm(mma, sums, *registers, sums)
    cute.autovec_copy(sums, part.partition_C(c))


def small(shape, dtype=np.float16, seed=1):
    """Integers of -3 to 3: products and sums are exact."""
    return np.random.default_rng(seed).integers(-3, 4, shape).astype(dtype)


def cases():
    """(name, kernel, arguments, grid, block): c is the third argument."""
    one = cute.make_tiled_mma(warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16)))
    four = cute.make_tiled_mma(warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16)), (2, 2, 1), permutation_mnk=(32, 32, 16))

    def case(name, kernel, m, n, k, block, *more, dtype=np.float16, sums=np.float32):
        return name, kernel, [small((m, k), dtype), small((n, k), dtype, 2), np.zeros((m, n), sums), *more], 1, block
    return [case("one warp", multiplied, 16, 8, 16, 32, one, False), case("one warp, repeated", multiplied, 32, 16, 32, 32, one, False),
            case("four warps", multiplied, 64, 32, 32, 128, four, False), case("transposed", multiplied, 32, 32, 48, 128, four, True),
            case("stored by matrices", stored_by_matrices, 16, 16, 24, 32, sums=np.float16),
            case("by each thread", by_each_thread, 32, 8, 5, 32, dtype=np.float32)]
