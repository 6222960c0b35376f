"""Kernels that the tests run on the CPU's checked executor, as traced text under g++, and on a GPU: CASES is a list of
(kernel, arguments, grid, block); arguments are made anew at each call, and what a kernel writes is in them.
"""
import numpy as np
import tilewright as tw
from tilewright import cute, cutlass

ROWS, COLUMNS, VALUES = 4, 64, 8
THREADS = ROWS * COLUMNS // VALUES


def matrix(rows=ROWS, columns=COLUMNS):
    return np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)


def thread_value_map():
    return cute.make_layout(((COLUMNS // VALUES, ROWS), VALUES), stride=((ROWS * VALUES, 1), ROWS))


@cute.kernel
def registers_by_indices(a, out, values: cutlass.Constexpr):
    thread, _, _ = cute.arch.thread_idx()
    per_row = COLUMNS // values
    registers = cute.make_rmem_tensor((values), dtype=a.element_type)
    for i in cutlass.range(values):
        registers[i] = a[thread // per_row, (thread % per_row) * values + i]
    for i in cutlass.range(values):
        out[thread, i] = registers[i]


@cute.kernel
def registers_by_map(a, out, values: cutlass.Constexpr):
    thread, _, _ = cute.arch.thread_idx()
    mine = cute.composition(cute.local_tile(a, (ROWS, COLUMNS), (0, 0)), thread_value_map())[thread, None]
    registers = cute.make_rmem_tensor((values), dtype=a.element_type)
    cute.basic_copy(mine, registers)
    for i in range(values):
        out[thread, i] = registers[i]


@cute.kernel
def registers_by_wide_atoms(a, out, bits: cutlass.Constexpr):
    thread, _, _ = cute.arch.thread_idx()
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), a.element_type, num_bits_per_copy=bits)
    copy = cute.make_tiled_copy(atom, thread_value_map(), (ROWS, COLUMNS))
    mine = copy.get_slice(thread).partition_S(a)
    registers = cute.make_rmem_tensor_like(mine)
    cute.copy(copy, mine, registers)
    for i in range(VALUES):
        out[thread, i] = registers[i]


@cute.kernel
def scaled_within_bounds(a, b, n: cutlass.Constexpr, factor: cutlass.Float32):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    width, _, _ = cute.arch.block_dim()
    i = block * width + thread
    if i >= n:
        return
    b[i] = a[i] * factor


@cute.kernel
def sums_of_triangles(a, sums, n: cutlass.Constexpr):
    row, _, _ = cute.arch.thread_idx()
    total, last = 0.0, -1
    for j in cutlass.range(row + 1):
        total = total + a[row, j]
        if j % 2 == 0 and a[row, j] > 0.5:
            last = j
    for j in cutlass.range(row, n, 3):
        total += 2 * a[row, j]
    sums[row, 0] = total
    sums[row, 1] = last


@cute.jit
def clamped(x, low, high):
    if x < low:
        x = low
    elif x > high:
        x = high
    return x


@cute.kernel
def conditions(a, out):
    i, _, _ = cute.arch.thread_idx()
    x = a[i]
    kind = 0
    if 2 <= i < 10 and not i == 5:
        kind = 1
    elif i == 11 or i == 13:
        kind, x = 2, x + 1
    else:
        if i > 20:
            x = x - 3
    y = x if i % 3 else -x
    out[i, 0] = kind
    out[i, 1] = y
    out[i, 2] = clamped(i, 4, 9)
    out[i, 3] = (i - 16) // 3
    out[i, 4] = (i - 16) % 5
    out[i, 5] = (7 - i) // -4
    out[i, 6] = abs(i - 9)


@cute.kernel
def steps_of_collatz(out):
    i, _, _ = cute.arch.thread_idx()
    n, steps = i + 1, 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    out[i] = steps


@cute.kernel
def transposed_through_shared_memory(a, b, n: cutlass.Constexpr):
    x, y, _ = cute.arch.thread_idx()
    bx, by, _ = cute.arch.block_idx()
    tile = cute.make_tensor(cute.arch.alloc_smem(a.element_type, n * (n + 1)), cute.make_layout((n, n), stride=(n + 1, 1)))
    tile[y, x] = a[by * n + y, bx * n + x]
    cute.arch.sync_threads()
    b[bx * n + y, by * n + x] = tile[x, y]


@cute.kernel
def tiles_of_blocks(a, b, m: cutlass.Constexpr, n: cutlass.Constexpr):
    thread, _, _ = cute.arch.thread_idx()
    bm, bn, _ = cute.arch.block_idx()
    copy = cute.make_tiled_copy_tv(cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), a.element_type),
                                   cute.make_layout((4, 8), stride=(8, 1)), cute.make_layout((2, 1)))
    part = copy.get_slice(thread)
    cute.copy(copy, part.partition_S(cute.local_tile(a, (16, 8), (bm, bn))),
              part.partition_D(cute.local_tile(b, (16, 8), (bm, bn))))


@cute.kernel
def predicated(a, b, limit: cutlass.Constexpr):
    thread, _, _ = cute.arch.thread_idx()
    row, out = a[thread, None], b[thread, None]
    cute.copy(None, row, out, pred=[thread + i < limit for i in range(4)])


@cute.kernel
def halves(a, b):
    i, _, _ = cute.arch.thread_idx()
    b[i] = a[i] * a[i] + a[31 - i] / 3


@cute.kernel
def bytes_and_bits(a, b):
    i, _, _ = cute.arch.thread_idx()
    b[i] = (a[i] & 15) ^ (a[i] >> 4)


@cute.kernel
def swizzled(a, b, layout: cutlass.Constexpr):
    i, _, _ = cute.arch.thread_idx()
    tile = cute.make_tensor(cute.arch.alloc_smem(a.element_type, 64), layout)
    tile[i // 8, i % 8] = a[i]
    cute.arch.sync_threads()
    plain = cute.make_tensor(tile.iterator, cute.make_layout(64))
    b[i] = plain[i]


@cute.kernel
def printing(a):
    i, _, _ = cute.arch.thread_idx()
    if i % 2 == 1:
        cute.printf("thread {} has {} of {}", i, a[i], a.shape)
        cute.print_tensor(a)


def random(shape, dtype=np.float32, seed=1):
    return (np.random.default_rng(seed).random(shape) * 100).astype(dtype)


def cases():
    """(name, kernel, arguments, grid, block)"""
    def case(kernel, arguments, grid, block):
        return kernel.__name__, kernel, arguments, grid, block
    out = [case(registers_by_indices, [matrix(), np.zeros((THREADS, VALUES), np.float32), VALUES], 1, THREADS),
           case(registers_by_map, [matrix(), np.zeros((THREADS, VALUES), np.float32), VALUES], 1, THREADS),
           case(scaled_within_bounds, [random(100), np.zeros(100, np.float32), 100, 2.5], 4, 32),
           case(sums_of_triangles, [np.random.default_rng(2).random((16, 16)), np.zeros((16, 2)), 16], 1, 16),
           case(conditions, [random(32, np.float64), np.zeros((32, 7))], 1, 32),
           case(steps_of_collatz, [np.zeros(27, np.int32)], 1, 27),
           case(transposed_through_shared_memory, [random((12, 8)), np.zeros((8, 12), np.float32), 4], (2, 3, 1), (4, 4, 1)),
           case(tiles_of_blocks, [random((32, 24)), np.zeros((32, 24), np.float32), 32, 24], (2, 3), 32),
           case(tiles_of_blocks, [random((32, 24), np.complex64).view(np.float64).reshape(32, 24)[:, ::1],
                                  np.zeros((24, 32)).T, 32, 24], (2, 3), 32),
           case(predicated, [random((8, 4)), np.zeros((8, 4), np.float32), 7], 1, 8),
           case(halves, [random(32, np.float16), np.zeros(32, np.float16)], 1, 32),
           case(bytes_and_bits, [random(64, np.uint8), np.zeros(64, np.uint8)], 1, 64),
           case(swizzled, [random(64), np.zeros(64, np.float32), tw.Layout("Sw<2,0,3> o (8,8):(8,1)")], 1, 64)]
    for bits in (32, 64, 128):
        out.append(case(registers_by_wide_atoms, [matrix(), np.zeros((THREADS, VALUES), np.float32), bits], 1, THREADS))
    return out
