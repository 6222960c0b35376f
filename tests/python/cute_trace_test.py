"""Kernels traced for a GPU, without one: the text is compiled by g++ with a thread of the host for each of the kernel's, and
must write what the checked executor writes; what cannot be traced is one sentence with its line.
"""
import contextlib
import ctypes
import inspect
import io
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

SKIP = 77
FOLDER = os.environ.get("TILEWRIGHT_PYTHON")
HERE = pathlib.Path(__file__).resolve().parent
if not FOLDER or shutil.which("g++") is None:
    print("skipped: TILEWRIGHT_PYTHON does not name the folder of the built package, or there is no g++", file=sys.stderr)
    sys.exit(SKIP)
sys.path[:0] = [FOLDER, str(HERE)]
try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is not installed (Debian: python3-numpy)", file=sys.stderr)
    sys.exit(SKIP)
import cute_barrier_kernels  # noqa: E402
import cute_dsl_kernels  # noqa: E402
import cute_exit_kernels  # noqa: E402
import cute_kernels  # noqa: E402
import cute_mma_kernels  # noqa: E402
import tilewright as tw  # noqa: E402
from tilewright import _cute_gpu, cute, cutlass  # noqa: E402
from tilewright._cute_tensor import Pointer, Tensor  # noqa: E402

HARNESS = r"""
#include <barrier>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>
using std::floor;
#define __global__
#define __device__
#define __shared__ static
#define __launch_bounds__(...)
struct triple { unsigned x, y, z; };
static thread_local triple threadIdx, blockIdx;
static triple blockDim, gridDim;
static std::barrier<>* all_threads;
static void __syncthreads() { all_threads->arrive_and_wait(); }
#include <atomic>
#include <type_traits>
template <class T, class F> static T changed(T* p, F const& f) {
  std::atomic_ref<T> x(*p);
  T was = x.load();
  while (!x.compare_exchange_weak(was, f(was))) {}
  return was;
}
template <class T> static T atomicAdd(T* p, std::type_identity_t<T> n) { return changed(p, [&](T x) { return T(x + n); }); }
template <class T> static T atomicMax(T* p, std::type_identity_t<T> n) { return changed(p, [&](T x) { return x > n ? x : n; }); }
template <class T> static T atomicMin(T* p, std::type_identity_t<T> n) { return changed(p, [&](T x) { return x < n ? x : n; }); }
template <class T> static T atomicAnd(T* p, std::type_identity_t<T> n) { return changed(p, [&](T x) { return T(x & n); }); }
template <class T> static T atomicOr(T* p, std::type_identity_t<T> n) { return changed(p, [&](T x) { return T(x | n); }); }
template <class T> static T atomicXor(T* p, std::type_identity_t<T> n) { return changed(p, [&](T x) { return T(x ^ n); }); }
template <class T> static T atomicExch(T* p, std::type_identity_t<T> n) { return changed(p, [&](T) { return n; }); }
template <class T> static T atomicCAS(T* p, std::type_identity_t<T> c, std::type_identity_t<T> n) { return changed(p, [&](T x) { return x == c ? n : x; }); }
static int __float_as_int(float x) { int y; std::memcpy(&y, &x, 4); return y; }
static float __int_as_float(int x) { float y; std::memcpy(&y, &x, 4); return y; }
static unsigned __float_as_uint(float x) { return __float_as_int(x); }
static float __uint_as_float(unsigned x) { return __int_as_float(x); }
static void __threadfence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
static void __threadfence_block() { __threadfence(); }
// A barrier in 8 bytes: arrivals in a phase, arrivals so far, the phase's parity.
static void mbarrier_init(std::uint64_t* b, unsigned n) { *b = std::uint64_t(n) << 32; }
static void mbarrier_arrive(std::uint64_t* b) {
  changed(b, [](std::uint64_t x) { return (x >> 1 & 0xffff) + 1 == x >> 32 ? (x >> 32 << 32) | (~x & 1) : x + 2; });
}
static bool mbarrier_try_wait(std::uint64_t* b, unsigned parity) {
  if ((std::atomic_ref(*b).load() & 1) != parity) return true;
  std::this_thread::sleep_for(std::chrono::microseconds(50));  // the threads of a block share few cores
  return false;
}
template <bool> static void cp_async_mbarrier_arrive(std::uint64_t* b) { mbarrier_arrive(b); }
static void fence_mbarrier_init() {}
static void fence_proxy_async_shared() {}
static std::atomic<int> arrived_at[16], passed[16];
static void named_barrier_arrive(unsigned count, unsigned number) {
  if (++arrived_at[number] == int(count)) arrived_at[number] = 0, ++passed[number];
}
static void named_barrier_sync(unsigned count, unsigned number) {
  int const before = passed[number];
  named_barrier_arrive(count, number);
  while (passed[number] == before) std::this_thread::yield();
}
static void __syncwarp() { all_threads->arrive_and_wait(); }
// The threads of a block meet at each exchange, so that blocks of more than a warp must all take part.
template <class T> static T exchanged(T x, unsigned to) {
  static char slots[1024][8];
  unsigned const me = threadIdx.x;
  std::memcpy(slots[me], &x, sizeof x);
  all_threads->arrive_and_wait();
  if (to / 32 == me / 32 && to < blockDim.x) std::memcpy(&x, slots[to], sizeof x);
  all_threads->arrive_and_wait();
  return x;
}
template <class T> static T of_group(T x, int to, int w) { return exchanged(x, to / w == int(threadIdx.x) / w && to >= 0 ? to : threadIdx.x); }
template <class T> static T __shfl_sync(unsigned, T x, int n, int w = 32) { return exchanged(x, threadIdx.x / w * w + n % w); }
template <class T> static T __shfl_xor_sync(unsigned, T x, int n, int w = 32) { return of_group(x, threadIdx.x ^ n, w); }
template <class T> static T __shfl_down_sync(unsigned, T x, int n, int w = 32) { return of_group(x, threadIdx.x + n, w); }
template <class T> static T __shfl_up_sync(unsigned, T x, int n, int w = 32) { return of_group(x, threadIdx.x - n, w); }
// Operations of a warp: all threads of the block give their registers, and take what the others gave.
static unsigned registers_of[1024][8];
static void const* rows_of[1024];
template <int Matrices, bool Transposed> static void ldmatrix(void const* row, unsigned (&out)[Matrices]) {
  unsigned const me = threadIdx.x, lane = me % 32;
  rows_of[me] = row;
  all_threads->arrive_and_wait();
  for (int m = 0; m < Matrices; ++m) {
    unsigned short half[2];
    for (unsigned i = 0; i < 2; ++i) {
      unsigned const along = 2 * (lane % 4) + i, across = lane / 4, r = Transposed ? along : across, c = Transposed ? across : along;
      half[i] = static_cast<unsigned short const*>(rows_of[me - lane + 8 * m + r])[c];
    }
    out[m] = half[0] | unsigned(half[1]) << 16;
  }
  all_threads->arrive_and_wait();
}
template <int Matrices, bool Transposed> static void stmatrix(void* row, unsigned const (&given)[Matrices]) {
  unsigned const me = threadIdx.x, lane = me % 32;
  std::memcpy(registers_of[me], given, sizeof given);
  all_threads->arrive_and_wait();
  for (unsigned c = 0; lane / 8 < Matrices && c < 8; ++c) {
    unsigned const r = lane % 8, along = Transposed ? r : c, across = Transposed ? c : r;
    static_cast<unsigned short*>(row)[c] = registers_of[me - lane + 4 * across + along / 2][lane / 8] >> (16 * (along % 2));
  }
  all_threads->arrive_and_wait();
}
template <class Element> static float element_of(unsigned word, unsigned i) {
  Element x;
  unsigned short const bits = word >> (16 * i);
  std::memcpy(&x, &bits, 2);
  return float(x);
}
template <class Element, unsigned A, unsigned B, class D>
static void multiply(D* d, unsigned const (&a)[A], unsigned const (&b)[B], D const* c) {
  unsigned const me = threadIdx.x, lane = me % 32;
  std::memcpy(registers_of[me], a, sizeof a);
  std::memcpy(registers_of[me] + A, b, sizeof b);
  all_threads->arrive_and_wait();
  float sums[4];
  for (unsigned v = 0; v < 4; ++v) {
    unsigned const m = lane / 4 + v / 2 * 8, n = 2 * (lane % 4) + v % 2;
    if constexpr (sizeof(D) == 4 && D(0.5f) != 0) sums[v] = c[v];
    else sums[v] = element_of<Element>(c[v / 2], v % 2);
    for (unsigned k = 0; k < 8 * B; ++k)
      sums[v] += element_of<Element>(registers_of[me - lane + m % 8 * 4 + k % 8 / 2][m / 8 + k / 8 * 2], k % 2) *
                 element_of<Element>(registers_of[me - lane + n * 4 + k % 8 / 2][A + k / 8], k % 2);
  }
  for (unsigned v = 0; v < 4; ++v)
    if constexpr (D(0.5f) != 0) d[v] = sums[v];
    else {
      Element const x(sums[v]);
      std::memcpy(reinterpret_cast<char*>(d) + 2 * v, &x, 2);
    }
  all_threads->arrive_and_wait();
}
static double __longlong_as_double(long long x) { double y; std::memcpy(&y, &x, 8); return y; }
"""
RUN = r"""
extern "C" void run_%(name)s(unsigned const* grid, unsigned const* block, void** arguments) {
  gridDim = {grid[0], grid[1], grid[2]}; blockDim = {block[0], block[1], block[2]};
  unsigned const threads = block[0] * block[1] * block[2];
  for (unsigned b = 0; b < grid[0] * grid[1] * grid[2]; ++b) {
    std::barrier<> meeting(threads);
    all_threads = &meeting;
    std::vector<std::thread> team;
    for (unsigned t = 0; t < threads; ++t)
      team.emplace_back([=, &meeting] {
        threadIdx = {t %% block[0], t / block[0] %% block[1], t / (block[0] * block[1])};
        blockIdx = {b %% grid[0], b / grid[0] %% grid[1], b / (grid[0] * grid[1])};
        %(name)s(%(arguments)s);
        (void)meeting.arrive_and_drop();
      });
    for (auto& one : team) one.join();
  }
}
"""


def three(x):
    x = tuple(x) if isinstance(x, (tuple, list)) else (x,)
    return x + (1,) * (3 - len(x))


def as_if_on_gpu(x):
    """An array of the host, as a tensor of a GPU's memory at the same address."""
    if isinstance(x, list):
        return [as_if_on_gpu(one) for one in x]
    if not isinstance(x, np.ndarray):
        return x
    layout = tw.Layout.from_array(x)
    return Tensor(Pointer(_cute_gpu.GpuMemory(x.ctypes.data, layout.cosize, x.dtype.type, 0, x)), layout)


class Program:
    """Traced kernels in one library that g++ makes."""

    def __init__(self, cases):
        self.kernels, text = [], HARNESS
        for number, (kernel, arguments, grid, block) in enumerate(cases):
            function = getattr(kernel, "__wrapped__", kernel)
            arguments = inspect.signature(function).bind(*arguments)
            arguments.apply_defaults()
            given = [as_if_on_gpu(a) for a in arguments.args]
            source, trace, memories, packed = _cute_gpu.source_of(function, given, three(block))
            name = f"{function.__name__}_{number}"
            source = source.replace(f" {function.__name__}(", f" {name}(")
            # On the host that instruction does nothing.
            source = source.replace("tilewright::ptx::cp_async<Bytes, (Bytes == 16)>(to, from);", "tw_move<Bytes>(to, from);")
            source = re.sub(r"tilewright::ptx::(ld|st)matrix", r"\1matrix", source)
            source = re.sub(r"tilewright::ptx::(mbarrier|fence|named|cp_async_mbarrier)_", r"\1_", source)
            source = re.sub(r"tilewright::SM80_\w+::run\(", "multiply<tilewright::half_t>(", source)
            source = source.replace("extern __shared__ __align__(128) unsigned char tw_shared[];",
                                    "alignas(128) static unsigned char tw_shared[232448];")
            lines = source.split("\n")
            text += "\n".join(line for line in lines if line.startswith("#include")) + f"\nnamespace n{number} {{\n" + \
                "\n".join(line for line in lines if not line.startswith("#include")) + f"\n}}\nusing n{number}::{name};\n"
            types = [p.rsplit(" ", 1)[0] for p in trace.parameters] + ["unsigned char*"]
            call = ", ".join(f"*static_cast<{t}*>(arguments[{i}])" for i, t in enumerate(types))
            text += RUN % {"name": name, "arguments": call}
            self.kernels.append((name, trace, [p.packed() for p in packed], three(grid), three(block)))
        text = text.replace("#define TW_LOG_BYTES", "#undef TW_LOG_BYTES\n#define TW_LOG_BYTES")
        self.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(self.folder.name, "kernels.cpp")
        path.write_text(text, encoding="utf-8")
        done = subprocess.run(["g++", "-std=c++20", "-O0", "-w", "-shared", "-fPIC", "-pthread", "-ffp-contract=off",
                               "-fno-ipa-reference", "-fno-ipa-pure-const",  # shared arrays are static, and other threads change them
                               "-I", str(HERE.parent.parent / "include"), str(path), "-o", f"{path}.so"], capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(done.stderr[:3000] + text)
        self.library = ctypes.CDLL(f"{path}.so")
        self.folder.cleanup()

    def run(self, number):
        """Runs a kernel once; the library is in memory, so its file may go."""
        name, trace, packed, grid, block = self.kernels[number]
        log = np.zeros(cute_log_words(), np.uint64)
        held = [ctypes.create_string_buffer(p, len(p)) for p in [*packed, struct.pack("P", log.ctypes.data)]]
        pointers = (ctypes.c_void_p * len(held))(*[ctypes.addressof(h) for h in held])
        three_of = ctypes.c_uint * 3
        self.library[f"run_{name}"](three_of(*grid), three_of(*block), pointers)

        class Log:
            @staticmethod
            def download(count):
                return log.tobytes()[:count]
        if trace.sites:
            _cute_gpu._print(Log, trace.sites)


def cute_log_words():
    return (_cute_gpu.LOG_BYTES + 16) // 8


class Traced(unittest.TestCase):
    def test_kernels_write_what_the_executor_writes(self):
        cases = cute_kernels.cases() + cute_dsl_kernels.cases() + cute_exit_kernels.cases() + cute_mma_kernels.cases() + \
            cute_barrier_kernels.cases()
        wanted = [[a.copy() if isinstance(a, np.ndarray) else a for a in arguments] for _, _, arguments, _, _ in cases]
        program = Program([(kernel, arguments, grid, block) for _, kernel, arguments, grid, block in cases])
        for number, (name, kernel, arguments, grid, block) in enumerate(cases):
            kernel(*wanted[number]).launch(grid=grid, block=block)
            program.run(number)
            changed = False
            for mine, want in zip(arguments, wanted[number]):
                if isinstance(mine, np.ndarray):
                    np.testing.assert_array_equal(mine, want, name)
                    changed = changed or bool(want.any())
            self.assertTrue(changed, name)

    def test_what_jit_functions_launch(self):
        cases, wanted = cute_dsl_kernels.jit_cases(), []
        for function, arguments in cases:
            wanted.append([*arguments[:-1], arguments[-1].copy()])
            function(*wanted[-1])
        program = Program([cute_dsl_kernels.launch_of(function, *map(as_if_on_gpu, arguments)) for function, arguments in cases])
        for number, ((_, arguments), want) in enumerate(zip(cases, wanted)):
            program.run(number)
            np.testing.assert_array_equal(arguments[-1], want[-1], str(number))
            self.assertTrue(want[-1].any())

    def test_operations_of_a_warp(self):
        """One instruction for each 16 x 8 x 16 product, and one for each four matrices."""
        cases = {name: (kernel.__wrapped__, arguments, (block, 1, 1)) for name, kernel, arguments, _, block in cute_mma_kernels.cases()}

        def source(name):
            function, arguments, block = cases[name]
            return _cute_gpu.source_of(function, [as_if_on_gpu(a) for a in arguments], block)[0]
        self.assertEqual(source("four warps").count("tilewright::SM80_16x8x16_F32F16F16F32_TN::run("), 2 * 2 * 2)
        self.assertEqual(source("four warps").count("tilewright::ptx::ldmatrix<4, false>("), 2 * 2)
        self.assertEqual(source("transposed").count("tilewright::ptx::ldmatrix<4, true>("), 3)
        self.assertEqual(source("stored by matrices").count("tilewright::ptx::stmatrix<4, false>("), 1)
        self.assertEqual(source("stored by matrices").count("tilewright::SM80_16x8x8_F16F16F16F16_TN::run("), 3 * 2)

    def test_asynchronous_copies(self):
        _, kernel, arguments, _, _ = next(c for c in cute_dsl_kernels.cases() if c[0] == "staged_asynchronously")
        source = _cute_gpu.source_of(kernel.__wrapped__, [as_if_on_gpu(a) for a in arguments], (32, 1, 1))[0]
        self.assertEqual(source.count("tw_move_async<4 * sizeof(float)>"), 4)
        self.assertIn("tilewright::ptx::cp_async_wait_group<1>();", source)

    def test_wide_atoms_are_wide_accesses(self):
        given = [as_if_on_gpu(cute_kernels.matrix()), as_if_on_gpu(np.zeros((32, 8), np.float32)), 128]
        source = _cute_gpu.source_of(cute_kernels.registers_by_wide_atoms.__wrapped__, given, (32, 1, 1))[0]
        self.assertEqual(source.count("tw_move<4 * sizeof(float)>"), 2)

    def test_prints_what_the_executor_prints(self):
        a = np.array([1.5, 2.25, -3, 4], np.float32)
        texts = []
        program = Program([(cute_kernels.printing, [a], 1, 4)])
        for run in (lambda: cute_kernels.printing(a).launch(grid=1, block=4), lambda: program.run(0)):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                run()
            texts.append(out.getvalue())
        self.assertEqual(texts[0], texts[1])
        self.assertIn("thread 3 has 4.000000 of (4)\ntensor(gmem float32, (4):(1)):\n  [1.5, 2.25, -3.0, 4.0]\n", texts[0])


class Refusals(unittest.TestCase):
    def refused(self, function, words, *arguments, error=TypeError):
        given = [as_if_on_gpu(a) for a in arguments]
        with self.assertRaisesRegex(error, words):
            _cute_gpu.source_of(function, given, (32, 1, 1))

    def test_what_only_the_gpu_knows(self):
        def python_loop():
            list(range(cute.arch.thread_idx()[0]))

        def broken_loop():
            for i in cutlass.range(cute.arch.thread_idx()[0]):
                with contextlib.nullcontext():
                    if i == 3:
                        break

        def float_of():
            float(cute.arch.thread_idx()[0])

        def after():
            if cute.arch.thread_idx()[0] == 1:
                x = cute.make_layout(3)
            return x(0)

        def ends_otherwise():
            for i in cutlass.range(cute.arch.thread_idx()[0]):
                pass
            else:
                return 3
        here = r"\(cute_trace_test.py:\d+\)"
        self.refused(python_loop, "Python cannot run it.*" + here)
        self.refused(broken_loop, "without exits in try or with.*" + here)
        self.refused(float_of, r"x.to\(cutlass.Float32\)")
        self.refused(after, "x is used after a condition", error=NameError)
        self.refused(ends_otherwise, "loop.*without else.*" + here)

    def test_what_python_would_do_once(self):
        """Each of these would be done while tracing, and so be wrong on a GPU."""
        def grows(a):
            found = []
            for j in cutlass.range(cute.arch.thread_idx()[0]):
                found.append(j)
            a[0] = len(found)

        def text(a):
            i = cute.arch.thread_idx()[0]
            size = "big" if i > 3 else "small"
            print(size)

        def numpys(a):
            a[0] = np.sin(a[1])

        def tensors(a):
            i = cute.arch.thread_idx()[0]
            b = a if i > 3 else cute.make_tensor(a.iterator + 1, cute.make_layout(2))
            b[0] = 1

        def power(a):
            a[0] = divmod(a[0], 3)
        here = r"\(cute_trace_test.py:\d+\)"
        self.refused(grows, f"found changes its number of values within a loop.*{here}", np.zeros(4))
        self.refused(text, "no one value", np.zeros(4), error=NameError)
        self.refused(numpys, f"np.sin computes on the host.*cute.math has functions.*{here}", np.zeros(4))
        self.refused(tensors, "no one value", np.zeros(4), error=NameError)

        self.refused(power, f"becomes a number, not tuple.*{here}", np.zeros(4))

    def test_memory(self):
        def beyond(a):
            a[4] = 1

        def beyond_registers():
            r = cute.make_rmem_tensor(4, np.float32)
            cute.make_tensor(r.iterator, cute.make_layout(8))[6] = 1

        def too_much_shared():
            cute.arch.alloc_smem(np.float64, 30000)
        self.refused(beyond, "index 4", np.zeros(4), error=IndexError)
        self.refused(beyond_registers, "offset 6, outside of the 4 elements in rmem", error=IndexError)
        self.refused(too_much_shared, "240000 bytes of shared memory; a block has 232448", error=ValueError)

    def test_elements(self):
        with self.assertRaisesRegex(TypeError, "cannot have elements of complex128; use one of "):
            _cute_gpu.source_of(lambda a: None, [as_if_on_gpu(np.zeros(4, complex))], (1, 1, 1))


if __name__ == "__main__":
    unittest.main()
