"""Kernels whose loops end by `break`, `continue` and `return`, on conditions that the GPU decides."""
import numpy as np
from tilewright import cute, cutlass


@cute.kernel
def first_negative(a, out):
    i, _, _ = cute.arch.thread_idx()
    n = a.shape[1]
    at = -1
    for j in range(n):
        if a[i, j] < 0:
            at = j
            break
    out[i] = at


@cute.kernel
def skips(a, m, out):
    i, _, _ = cute.arch.thread_idx()
    s = 0.0
    for j in range(m[i]):
        x = a[i, j]
        if x < 0:
            continue
        if x > 50:
            break
        y = x * 2
        s = s + y
    out[i] = s


@cute.jit
def find(a, i, n, limit):
    for j in range(n):
        if a[i, j] > limit:
            return a[i, j] * 2
        if a[i, j] < -limit:
            return j
    return -1.0


@cute.kernel
def found(a, m, out):
    i, _, _ = cute.arch.thread_idx()
    out[i] = find(a, i, m[i], 40.0)


@cute.kernel
def collatz(a, out):
    i, _, _ = cute.arch.thread_idx()
    x, n = a[i], 0
    while True:
        if x == 1:
            break
        n += 1
        if x % 2 == 0:
            x = x // 2
            continue
        x = 3 * x + 1
    out[i] = n


@cute.kernel
def nested(a, m, out):
    i, _, _ = cute.arch.thread_idx()
    total = 0.0
    for r in range(4):
        j = 0
        while j < m[i]:
            j += 1
            if a[i, j - 1] > 45:
                break
            if j == 3:
                continue
            total = total + a[i, j - 1] * (r + 1)
        if total > 300:
            break
    out[i] = total


@cute.kernel
def ends(a, m, out):
    i, _, _ = cute.arch.thread_idx()
    out[i] = 1.0
    for j in range(m[i]):
        if a[i, j] > 40:
            return
        if a[i, j] < -45:
            break
    out[i] = 2.0


@cute.kernel
def helper_inside(a, m, out):
    i, _, _ = cute.arch.thread_idx()
    def look(k):
        for j in cutlass.range(m[i]):
            if a[i, j] > k:
                return j
        return 100
    out[i] = look(10) + look(30)


@cute.kernel
def known_and_decided(a, out):
    """A loop that Python runs, with an exit that a thread decides; another whose exits are known."""
    i, _, _ = cute.arch.thread_idx()
    total = 0.0
    for j in range(a.shape[1]):
        if j == 2:
            continue
        if a[i, j] < -25:
            break
        total += a[i, j]
    for j in range(100):
        if j == 3:
            break
        total += 1
    out[i] = total


class Walk:
    """A place that methods move, and that the DSL's own methods say may cross loops and conditions."""

    def __init__(self, at, step):
        self.at, self.step = at, step

    def advance(self):
        self.at += self.step
        self.step = self.step + 1

    def __extract_mlir_values__(self):
        return cutlass.extract_mlir_values([self.at, self.step])

    def __new_from_mlir_values__(self, values):
        return Walk(*values)


@cute.kernel
def objects_in_loops(a, m, out):
    """An object that a loop and a condition move by its methods."""
    i, _, _ = cute.arch.thread_idx()
    walk, total = Walk(i % 2, 1), 0.0
    while walk.at < m[i]:
        total += a[i, walk.at]
        if a[i, walk.at] > 0:
            walk.advance()
        walk.advance()
    out[i] = total + 1000 * walk.step


@cute.kernel
def many_lines(a, out):
    """Rounds that would be too many lines: the first is written out, the others are a loop of the kernel."""
    i, _, _ = cute.arch.thread_idx()
    parts = cute.make_rmem_tensor(8, cutlass.Float32)
    parts.fill(0)
    for k in range(200):
        for j in cutlass.range_constexpr(8):
            parts[j] = parts[j] + a[i, (k + j) % 9] * (k + 1)
    out[i] = parts[0] - parts[7]


@cute.kernel
def tensor_moved_in_a_loop(a, m, out):
    """A part of shared memory, and a pointer, that each round puts elsewhere; the next one reads there first."""
    i, _, _ = cute.arch.thread_idx()
    shared = cutlass.utils.SmemAllocator().allocate_tensor(cutlass.Float32, cute.make_layout((32, 3)))
    for stage in cutlass.range_constexpr(3):
        shared[i, stage] = a[i, stage]
    part, place, total, stage = shared[None, 0], a.iterator + 9 * i, 0.0, 0
    for _ in cutlass.range(m[i]):
        total = total * 2 + part[i] + 10 * place.load()
        stage = stage + 1 if stage < 2 else 0
        part, place = shared[None, stage], place + 1
    out[i] = total


def cases():
    """(name, kernel, arguments, grid, block)"""
    rng = np.random.default_rng(3)
    a, m = ((rng.random((32, 9)) - 0.5) * 100).astype(np.float32), rng.integers(0, 10, 32).astype(np.int32)

    def case(kernel, *arguments, dtype=np.float32):
        return kernel.__name__, kernel, [*arguments, np.zeros(32, dtype)], 1, 32
    return [case(first_negative, a, dtype=np.int32), case(skips, a, m), case(found, a, m), case(nested, a, m), case(ends, a, m),
            case(collatz, np.arange(1, 33, dtype=np.int32), dtype=np.int32), case(helper_inside, a, m, dtype=np.int32),
            case(known_and_decided, a), case(objects_in_loops, a, m),
            ("many_lines", many_lines, [np.round(a), np.zeros(4, np.float32)], 1, 4), case(tensor_moved_in_a_loop, np.round(a), m)]
