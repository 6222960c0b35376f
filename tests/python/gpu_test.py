"""The Python package on a GPU: copies of random strided tensors against PyTorch, streams, DLPack, copies between host and
GPU, kernels traced and compiled by NVRTC against the checked executor, the operator under torch.compile. Needs the built
package (TILEWRIGHT_PYTHON), PyTorch and a GPU; says which is missing and skips otherwise. TILEWRIGHT_SEED draws other cases.
"""
import contextlib
import importlib.util
import io
import os
import pathlib
import random
import sys
import tempfile
import unittest
import unittest.mock

SKIP = 77
FOLDER = os.environ.get("TILEWRIGHT_PYTHON")
HERE = pathlib.Path(__file__).resolve().parent


def without(what):
    print(f"skipped: {what}", file=sys.stderr)
    sys.exit(SKIP)


if not FOLDER:
    without("TILEWRIGHT_PYTHON does not name the folder of the built package")
sys.path[:0] = [FOLDER, str(HERE)]
try:
    import numpy as np
    import torch
except ImportError:
    without("PyTorch or NumPy is not installed")
if not torch.cuda.is_available():
    without("PyTorch finds no GPU here")
import cute_barrier_kernels  # noqa: E402
import cute_dsl_kernels  # noqa: E402
import cute_exit_kernels  # noqa: E402
import cute_float4_test  # noqa: E402
import cute_kernels  # noqa: E402
import cute_mma_kernels  # noqa: E402
import cute_map_kernels  # noqa: E402
import cute_order_test  # noqa: E402
import cute_tma_kernels  # noqa: E402
import cute_warpgroup_kernels  # noqa: E402
import cute_words_test  # noqa: E402
import tilewright as tw  # noqa: E402
import tilewright.torch as twt  # noqa: E402
from tilewright import _cute_gpu, cute, cutlass  # noqa: E402

SEED = int(os.environ.get("TILEWRIGHT_SEED", "1"))
ROUNDS = 500
DTYPES = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16,
          torch.float32, torch.float64, torch.complex64, torch.complex128]
DTYPES += [getattr(torch, name) for name in ("float8_e4m3fn", "uint16", "uint64") if hasattr(torch, name)]


def filled(count, dtype, device, rng):
    """Random bits; bools are 0 or 1."""
    width = torch.empty(0, dtype=dtype).element_size()
    generator = torch.Generator().manual_seed(rng.randrange(1 << 30))
    raw = torch.randint(0, 2 if dtype is torch.bool else 256, (count * width,), dtype=torch.uint8, generator=generator)
    return raw.to(device).view(dtype)


def bits(x):
    """The elements of a tensor as bytes, by PyTorch."""
    x = x.contiguous().reshape(-1)
    return x.view(torch.uint8).cpu() if x.numel() else torch.empty(0, dtype=torch.uint8)


def random_pair(rng, dtype, device_of_src, device_of_dst):
    """(source, destination): views of larger tensors, permuted, sliced, misaligned, the source also broadcast."""
    rank = rng.choice([0, 1, 2, 2, 3, 3, 4, 5, 6])
    limit = {0: 1, 1: 5000, 2: 130, 3: 40, 4: 14, 5: 8, 6: 5}[rank]
    shape = [rng.choice([1, rng.randint(0, 3), rng.randint(1, limit), rng.randint(1, limit)]) for _ in range(rank)]

    def view(device, may_repeat):
        axes = list(range(rank))
        rng.shuffle(axes)
        steps = [rng.choice([1, 1, 1, 2, 3]) for _ in range(rank)]
        repeated = [may_repeat and rng.random() < 0.1 for _ in range(rank)]
        room = [1 if repeated[a] else shape[a] * steps[a] + rng.choice([0, 0, 1]) for a in axes]
        offset = rng.choice([0, 0, 1, 3, 5])
        count = 1
        for n in room:
            count *= max(n, 1)
        base = filled(count + offset, dtype, device, rng)[offset:offset + count].view([max(n, 1) for n in room])
        where = [axes.index(a) for a in range(rank)]
        out = base.permute(where)
        for a in range(rank):
            out = out.narrow(a, 0, 1).expand([shape[a] if i == a else n for i, n in enumerate(out.shape)]) if repeated[a] else \
                out[(slice(None),) * a + (slice(0, shape[a] * steps[a], steps[a]),)]
        return out
    return view(device_of_src, True), view(device_of_dst, False)


class Copies(unittest.TestCase):
    def test_random_strided_tensors(self):
        rng = random.Random(SEED)
        for n in range(ROUNDS):
            dtype = DTYPES[n % len(DTYPES)]
            src, dst = random_pair(rng, dtype, "cuda", "cuda")
            whole = dst._base if dst._base is not None else dst
            want = whole.clone()
            target = want.as_strided(dst.size(), dst.stride(), dst.storage_offset() - whole.storage_offset())
            target.copy_(src)
            tw.copy_(dst, src)
            self.assertTrue(torch.equal(bits(whole), bits(want)), f"case {n} of seed {SEED}: {dtype} {src.shape} {src.stride()} to {dst.stride()}")

    def test_between_host_and_gpu(self):
        rng = random.Random(SEED + 1)
        for n in range(ROUNDS):
            dtype = DTYPES[n % len(DTYPES)]
            places = ("cpu", "cuda") if n % 2 else ("cuda", "cpu")
            src, dst = random_pair(rng, dtype, *places)
            whole = dst._base if dst._base is not None else dst
            want = whole.clone()
            want.as_strided(dst.size(), dst.stride(), dst.storage_offset() - whole.storage_offset()).copy_(src)
            tw.copy_(dst, src)
            self.assertTrue(torch.equal(bits(whole), bits(want)), f"case {n}: {dtype} {places} {src.shape} {src.stride()} to {dst.stride()}")

    def test_large_between_host_and_gpu(self):
        """More than the pinned buffers hold, in pieces, packed on either side."""
        x = torch.randint(0, 255, (3000, 2003), dtype=torch.int32)
        for view in (lambda a: a, lambda a: a.t(), lambda a: a[:, ::2], lambda a: a[::3].t(), lambda a: a[:, 5:1500]):
            src = view(x)
            on_gpu = torch.zeros(src.shape, dtype=x.dtype, device="cuda")
            tw.copy_(on_gpu, src)
            self.assertTrue(torch.equal(on_gpu.cpu(), src))
            transposed = torch.zeros(src.shape[::-1], dtype=x.dtype, device="cuda").t()
            tw.copy_(transposed, src)
            self.assertTrue(torch.equal(transposed.cpu(), src))
            back = torch.zeros_like(x)
            tw.copy_(view(back), transposed)
            self.assertTrue(torch.equal(view(back), src))
        reversed_rows = np.arange(5000 * 600, dtype=np.float32).reshape(5000, 600)[::-1]
        y = torch.empty(5000, 600, device="cuda")
        tw.copy_(y, reversed_rows)
        self.assertTrue(np.array_equal(y.cpu().numpy(), reversed_rows))
        back = np.zeros((5000, 1200), np.float32)[::-1, ::-2]
        tw.copy_(back, y)
        self.assertTrue(np.array_equal(back, reversed_rows))

    def test_rearrangements(self):
        x = torch.rand(4, 12, 6, 10, device="cuda")
        self.assertTrue(torch.equal(tw.rearrange(x, "b (h d) s t -> t b h s d", h=3), x.view(4, 3, 4, 6, 10).permute(4, 0, 1, 3, 2)))
        self.assertTrue(torch.equal(tw.permute(x, (3, 1, 0, 2)), x.permute(3, 1, 0, 2)))
        self.assertEqual(tw.contiguous(x, order=(0, 2, 3, 1)).stride(), x.to(memory_format=torch.channels_last).stride())

    def test_current_stream_of_torch(self):
        stream = torch.cuda.Stream()
        x, y = torch.zeros(1 << 22, device="cuda"), torch.zeros(1 << 22, device="cuda")
        p = tw.plan(y.view(2048, 2048), x.view(2048, 2048).t())
        for run in (lambda: tw.copy_(y.view(2048, 2048), x.view(2048, 2048).t()), p.run):
            for value in (1.0, 2.0):
                y.zero_()
                torch.cuda.synchronize()
                with torch.cuda.stream(stream):
                    torch.cuda._sleep(20_000_000)  # cycles, about 10 ms
                    x.fill_(value)  # behind it; a copy in another stream would read what was there before
                    run()
                stream.synchronize()
                self.assertEqual(float(y.min()), value)

    def test_graphs(self):
        x, y = torch.rand(64, 48, device="cuda"), torch.zeros(48, 64, device="cuda")
        tw.copy_(y, x.t())
        y.zero_()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            tw.copy_(y, x.t())
        x.fill_(3)
        graph.replay()
        torch.cuda.synchronize()
        self.assertEqual(float(y.min()), 3)

    def test_refusals(self):
        x = torch.zeros(4, 4, device="cuda")
        with self.assertRaisesRegex(TypeError, "converts nothing"):
            tw.copy_(x, torch.zeros(4, 4, device="cuda", dtype=torch.float64))
        with self.assertRaisesRegex(ValueError, "shapes differ"):
            tw.copy_(x, torch.zeros(3, device="cuda"))
        with self.assertRaisesRegex(ValueError, "twice|more than once|share|same|one element"):
            tw.copy_(torch.zeros(4, device="cuda").expand(4, 4), x)
        with self.assertRaisesRegex(tw.CopyError, "one device"):
            tw.plan(x, torch.zeros(4, 4))
        z = torch.zeros(4, dtype=torch.complex64, device="cuda")
        with self.assertRaisesRegex(TypeError, "resolve_conj"):
            tw.copy_(z, z.clone().conj())
        w = torch.arange(16.0, device="cuda").view(4, 4)
        want = w.t().clone()
        tw.copy_(w, w.t())  # through temporary memory
        self.assertTrue(torch.equal(w, want))
        with self.assertRaisesRegex(tw.CopyError, "share memory"):
            tw.plan(w, w.t())

    def test_cupy(self):
        try:
            import cupy
        except ImportError:
            self.skipTest("CuPy is not installed")
        x = cupy.arange(24 * 36, dtype=cupy.float32).reshape(24, 36)
        self.assertTrue(bool((tw.permute(x, (1, 0)) == x.T).all()))
        y = cupy.zeros((36, 24), cupy.float32)
        tw.copy_(y, x[::-1].T)
        self.assertTrue(bool((y == x[::-1].T).all()))
        stream = cupy.cuda.Stream(non_blocking=True)
        with stream:
            tw.copy_(y, x.T)
        stream.synchronize()
        self.assertTrue(bool((y == x.T).all()))
        t = torch.zeros(24, 36, device="cuda")
        tw.copy_(t, x)  # between libraries
        self.assertTrue(np.array_equal(t.cpu().numpy(), cupy.asnumpy(x)))
        back = np.zeros((36, 24), np.float32)
        tw.copy_(back, x.T)
        self.assertTrue(np.array_equal(back, cupy.asnumpy(x).T))

    def test_dlpack(self):
        class Exporter:  # shows nothing but DLPack
            def __init__(self, x):
                self.x = x

            def __dlpack__(self, **options):
                return self.x.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.x.__dlpack_device__()
        x, y = torch.rand(40, 30, device="cuda"), torch.zeros(30, 40, device="cuda")
        tw.copy_(Exporter(y), Exporter(x.t()))
        torch.cuda.synchronize()
        self.assertTrue(torch.equal(y, x.t()))


class Torch(unittest.TestCase):
    def test_compile(self):
        x = torch.rand(64, 33, 20, device="cuda", requires_grad=True)
        function = torch.compile(lambda v: twt.permute(v, (2, 0, 1)) * 2 + 1, fullgraph=True)
        out = function(x)
        self.assertTrue(torch.equal(out, x.permute(2, 0, 1) * 2 + 1))
        out.sum().backward()
        self.assertTrue(torch.equal(x.grad, torch.full_like(x, 2)))

    def test_opcheck(self):
        if not hasattr(torch.library, "opcheck"):
            self.skipTest("this PyTorch has no torch.library.opcheck")
        x = torch.rand(6, 5, 4, device="cuda", requires_grad=True)
        torch.library.opcheck(torch.ops.tilewright.pack.default, (x, [2, 0, 1]),
                              test_utils=("test_schema", "test_faketensor", "test_aot_dispatch_dynamic"))


def on_gpu(arguments):
    return [torch.from_numpy(np.ascontiguousarray(a)).cuda() if isinstance(a, np.ndarray) else a for a in arguments]


def documents():
    if "TILEWRIGHT_DOCUMENTS" in os.environ:
        return min(pathlib.Path(os.environ["TILEWRIGHT_DOCUMENTS"]).glob("003_*.txt"), default=None)
    return min(HERE.parent.parent.parent.glob("*/sources/003_*.txt"), default=None)


class Kernels(unittest.TestCase):
    def test_the_gpu_writes_what_the_executor_writes(self):
        for name, kernel, arguments, grid, block in cute_kernels.cases():
            given = on_gpu(arguments)
            kernel(*given).launch(grid=grid, block=block)
            kernel(*arguments).launch(grid=grid, block=block)
            for mine, want in zip(given, arguments):
                if isinstance(want, np.ndarray):
                    found = mine.cpu().numpy()
                    self.assertTrue(np.allclose(found, want, rtol=1e-12 if want.dtype == np.float64 else 0, atol=0), f"{name}: {_cute_gpu.last_source}")

    def check_near(self, cases):
        """The GPU writes what the executor writes; a * b + c may be rounded once."""
        for name, kernel, arguments, grid, block in cases:
            given = on_gpu(arguments)
            kernel(*given).launch(grid=grid, block=block)
            kernel(*arguments).launch(grid=grid, block=block)
            for mine, want in zip(given, arguments):
                if isinstance(want, np.ndarray):
                    np.testing.assert_allclose(mine.cpu().numpy(), want, rtol=1e-5, err_msg=f"{name}: {_cute_gpu.last_source}")

    def test_kernels_in_the_styles_of_the_dsl(self):
        self.check_near(cute_dsl_kernels.cases() + cute_exit_kernels.cases() + cute_mma_kernels.cases())
        for function, arguments in cute_dsl_kernels.jit_cases():
            given = [on_gpu(a) if isinstance(a, list) else on_gpu([a])[0] for a in arguments]
            function(*given)
            function(*arguments)
            np.testing.assert_allclose(given[-1].cpu().numpy(), arguments[-1], rtol=1e-5)

    def test_barriers_clusters_and_boxes(self):
        self.check_near(cute_barrier_kernels.cases())
        if torch.cuda.get_device_capability() < (9, 0):
            self.skipTest("clusters and TMA need compute capability 9.0")
        a = np.arange(192, dtype=np.float32)
        given = on_gpu([a, np.zeros_like(a)])
        cute_tma_kernels.around(*given).launch(grid=6, block=32, cluster=(2, 1, 1))
        np.testing.assert_array_equal(given[1].cpu().numpy(), cute_tma_kernels.turned_around(a, 2), _cute_gpu.last_source)
        for function, a in cute_tma_kernels.copies():
            given = on_gpu([a, np.zeros_like(a)])
            function(*given)
            np.testing.assert_array_equal(given[1].cpu().numpy(), a, f"{function.layout}: {_cute_gpu.last_source}")
        a = np.random.default_rng(1).integers(0, 99, (32, 320)).astype(np.float32)
        given = on_gpu([a, np.zeros((64, 320), np.float32)])
        cute_tma_kernels.Shared()(*given)
        np.testing.assert_array_equal(given[1].cpu().numpy(), np.concatenate([a + 1, a + 2]), _cute_gpu.last_source)

    def test_changed_maps(self):
        if torch.cuda.get_device_capability() < (9, 0):
            self.skipTest("TMA needs compute capability 9.0")
        for mode in cute_map_kernels.MODES:
            for dtype in (np.float32, np.float16):
                a, b, shapes = cute_map_kernels.group(dtype, cute_map_kernels.SIZES)
                wanted = cute_map_kernels.expected(a, b, cute_map_kernels.SIZES)
                a, b, (first, shapes, maps) = on_gpu(a), on_gpu(b), on_gpu([np.zeros((8, 8), dtype), shapes, np.zeros((len(a), 2, 16), np.int64)])
                addresses, = on_gpu([np.array([(x.data_ptr(), y.data_ptr()) for x, y in zip(a, b)], np.int64)])
                cute_map_kernels.Grouped(mode)(first, addresses, shapes, maps)
                for x, y in zip(b, wanted):
                    np.testing.assert_array_equal(x.cpu().numpy(), y, f"{mode}: {_cute_gpu.last_source}")

    def test_repeated_launches(self):
        """What cute.compile gives takes other arrays without a trace, and other maps of TMA."""
        cases = [(function, arguments[0], arguments) for function, arguments in cute_dsl_kernels.jit_cases()[:1]]
        if torch.cuda.get_device_capability() >= (9, 0):
            cases += [(function, a, [a, np.zeros_like(a)]) for function, a in list(cute_tma_kernels.copies())[:2]]
        for function, first, arguments in cases:
            call, traced = cute.compile(function, *on_gpu(arguments)), unittest.mock.Mock(wraps=_cute_gpu.traced)
            with unittest.mock.patch.object(_cute_gpu, "traced", traced):
                for more in range(3):
                    mine = [first + first.dtype.type(more), *arguments[1:]]
                    given = on_gpu(mine)
                    call(*given)
                    function(*mine)
                    np.testing.assert_allclose(given[-1].cpu().numpy(), mine[-1], rtol=1e-5, err_msg=_cute_gpu.last_source)
            self.assertLessEqual(traced.call_count, 1)

    def test_products_of_a_warpgroup(self):
        if torch.cuda.get_device_capability() != (9, 0):
            self.skipTest("needs compute capability 9.0")
        for name, function, arguments in cute_warpgroup_kernels.products():
            given = on_gpu(arguments)
            function(*given)
            wanted = cute_warpgroup_kernels.multiplied(*arguments) + function.more
            np.testing.assert_array_equal(given[2].cpu().numpy(), wanted, f"{name}: {_cute_gpu.last_source}")
        for function, arguments in cute_warpgroup_kernels.persistent():
            given = on_gpu(arguments)
            function(*given)
            np.testing.assert_array_equal(given[2].cpu().numpy(), cute_warpgroup_kernels.multiplied(*arguments), _cute_gpu.last_source)

    def test_floats_of_one_byte(self):
        if torch.cuda.get_device_capability() != (9, 0):
            self.skipTest("needs compute capability 9.0")
        of = cutlass.Float8E4M3FN, cutlass.Float32
        rng = np.random.default_rng(2)
        a, b = (torch.from_numpy(rng.integers(-3, 4, (n, 64)).astype(np.float32)).cuda() for n in (64, 32))
        c = torch.zeros(64, 32, device="cuda")
        cute_warpgroup_kernels.Product((64, 32, 64), types=of)(a.to(torch.float8_e4m3fn), b.to(torch.float8_e4m3fn), c)
        self.assertTrue(torch.equal(c, a @ b.T), _cute_gpu.last_source)

    def test_words_lanes_and_blocks(self):
        rng = np.random.default_rng(5)
        words = rng.integers(0, 1 << 32, (2, 32, 3), dtype=np.uint32)
        numbers, halves = rng.integers(-1 << 31, 1 << 31, (2, 32)).astype(np.int32), rng.standard_normal((3, 32)).astype(np.float16)
        rows = rng.integers(0, 9, (32, 9)).astype(np.int32)
        cases = [("96 bits", cute_words_test.numbers_of_96_bits, [*words, np.zeros((3, 32, 3), np.uint32)], 1, 32),
                 ("words", cute_words_test.of_words, [*numbers, np.zeros((8, 32), np.int32), np.zeros((1, 32), np.uint64)], 1, 32),
                 ("halves", cute_words_test.halves, [*halves, np.zeros(96, np.float16)], 1, 32),
                 ("a struct", cute_words_test.sums_of_rows, [rows, np.zeros((32, 3), np.int32)], 1, 32),
                 ("lanes", cute_order_test.some_lanes, [rows[:, 0].copy(), np.zeros(32, np.int32)], 1, 32),
                 ("bytes", cute_order_test.bytes_of, [words.reshape(-1)[:64].copy(), np.zeros(32, np.uint32), 0x0c8f], 1, 32),
                 ("a lock", cute_order_test.add_one_after_another, [rows[:6, :1] + np.zeros((6, 32), np.int32), np.zeros(32, np.int32), np.zeros(1, np.int32)], 6, 32),
                 ("flags", cute_order_test.waits_for_all, [rows[:4, :1] + np.zeros((4, 32), np.int32), np.zeros((4, 32), np.int32), np.zeros(1, np.int32),
                                                           np.zeros(32, np.int32)], 5, 32),
                 ("a part", cute_order_test.part_of_a_vector, [rng.random(101).astype(np.float32), np.ones(128, np.float32), cutlass.Int32(101)], 1, 32)]
        cases += [("the last block", cute_order_test.sum_by_last_block, [rng.integers(-9, 9, (5, 32)).astype(np.int32), np.zeros((5, 32), np.int32),
                                                                         np.zeros(1, np.int32), np.zeros(32, np.int32), how], 5, 32)
                  for how in ("every fence", "one fence", "ordered")]
        self.check_near(cases)
        if torch.cuda.get_device_capability() >= (9, 0):
            x = rng.random((4, 128)).astype(np.float32)
            given = on_gpu([x, np.zeros_like(x)])
            cute_order_test.to_the_neighbour(*given).launch(grid=4, block=32, cluster=(2, 1, 1))
            np.testing.assert_array_equal(given[1].cpu().numpy(), x[[1, 0, 3, 2]], _cute_gpu.last_source)

    def test_floats_of_4_bits(self):
        x = np.random.default_rng(6).standard_normal((32, 16)).astype(np.float32)
        for kind in (cutlass.Float8E8M0FNU, cutlass.Float8E4M3FN):
            arguments = [x, np.zeros((32, 8), np.uint8), np.zeros(32, np.uint8), np.zeros_like(x)]
            given = on_gpu(arguments)
            cute_float4_test.with_scales(*given, kind)
            cute_float4_test.with_scales(*arguments, kind)
            for mine, want in zip(given, arguments):
                np.testing.assert_array_equal(mine.cpu().numpy(), want, _cute_gpu.last_source)
        numbers = (np.random.default_rng(7).standard_normal(128) * 3).astype(np.float32)
        for kind in (*cute_float4_test._TABLES, cutlass.Float8E8M0FNU, cutlass.TFloat32):
            given = on_gpu([numbers, np.zeros_like(numbers)])
            cute_float4_test.converted(*given, kind)
            self.assertEqual(given[1].tolist(), [float(kind(v)) for v in numbers], _cute_gpu.last_source)

    def test_inline_ptx(self):
        from tilewright._cute_ptx import llvm, T

        @cute.kernel
        def doubled(a, b):
            i, _, _ = cute.arch.thread_idx()
            b[i] = llvm.inline_asm(T.f32(), [a[i].ir_value()], "ex2.approx.ftz.f32 $0, $1;", "=f,f") + llvm.inline_asm(
                T.i32(), [], "mov.u32 $0, %laneid;", "=r")
        a = torch.arange(64, device="cuda", dtype=torch.float32) / 8
        b = torch.zeros_like(a)
        doubled(a, b).launch(grid=1, block=64)
        torch.testing.assert_close(b, torch.exp2(a) + torch.arange(64, device="cuda") % 32)

    def test_blocks_that_wait_for_each_other(self):
        a = torch.zeros(1, dtype=torch.int32, device="cuda")
        cute_barrier_kernels.meets(a, 32).launch(grid=32, block=32, cooperative=True)
        self.assertEqual(int(a[0]), 32)
        with self.assertRaisesRegex(tw.CopyError, "cuLaunchCooperativeKernel"):
            cute_barrier_kernels.meets(a, 32).launch(grid=1 << 20, block=1024, cooperative=True)

    def test_bfloat16(self):
        @cute.kernel
        def doubled(a, b):
            i, _, _ = cute.arch.thread_idx()
            b[i] = a[i] + a[i]
        a = torch.rand(64, device="cuda").to(torch.bfloat16)
        b = torch.zeros_like(a)
        doubled(a, b).launch(grid=1, block=64)
        self.assertTrue(torch.equal(b, a + a))

    def test_prints_what_the_executor_prints(self):
        a = np.array([1.5, 2.25, -3, 4], np.float32)
        texts = []
        for x in (a, torch.from_numpy(a).cuda()):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                cute_kernels.printing(x).launch(grid=2, block=4)
            texts.append(out.getvalue())
        self.assertEqual(texts[0], texts[1])

    def test_host_and_gpu_memory_in_one_launch(self):
        with self.assertRaisesRegex(TypeError, "host's memory"):
            cute_kernels.halves(torch.zeros(32, device="cuda"), np.zeros(32, np.float32)).launch(grid=1, block=32)

    @unittest.skipIf(documents() is None, "the third document is not at hand; TILEWRIGHT_DOCUMENTS names its folder")
    def test_the_documents_kernels(self):
        """As printed; then with the last two lines, which print, replaced by ones that store every thread's registers."""
        from printed_kernels import printed_kernels
        text = documents().read_text(encoding="utf-8")
        sources = list(printed_kernels(text))
        self.assertEqual(len(sources), 4)
        matrix = cute_kernels.matrix(8, 128)
        held = []
        with tempfile.TemporaryDirectory() as folder:
            for number, source in enumerate(sources):
                stored = source.replace("mA: cute.Tensor,", "mA: cute.Tensor, mB,").replace("    if tidx == 1:\n", "").replace(
                    "        cute.print_tensor(rA)", "    for i in range(cute.size(rA)):\n        mB[tidx, i] = rA[i]")
                self.assertNotEqual(source, stored)
                for kind, body in (("printed", source), ("stored", stored)):
                    path = pathlib.Path(folder, f"{kind}_{number}.py")
                    path.write_text("from tilewright import cute, cutlass\n" + body + "\n", encoding="utf-8")
                    spec = importlib.util.spec_from_file_location(path.stem, path)
                    module = importlib.util.module_from_spec(spec)
                    spec.loader.exec_module(module)
                    kernel = next(f for name, f in vars(module).items() if name.startswith("cute_copy_kernel"))
                    for device in ("cpu", "cuda"):
                        a = torch.from_numpy(matrix.copy()).to(device)
                        b = torch.full((128, 8), -1.0, device=device)
                        out = io.StringIO()
                        with contextlib.redirect_stdout(out):
                            kernel(a, *([b] if kind == "stored" else []), 8, 128, 8).launch(grid=1, block=128)
                        held.append((kind, device, out.getvalue().split("\n", 1)[1] if kind == "printed" else b.cpu().tolist()))
        for kind in ("printed", "stored"):
            values = [v for k, _, v in held if k == kind]
            self.assertEqual(len(values), 8)
            self.assertTrue(all(v == values[0] for v in values), kind)
        self.assertEqual(values[0], matrix.reshape(128, 8).tolist())


if __name__ == "__main__":
    unittest.main()
