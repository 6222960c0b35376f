"""Copies and rearrangements of the Python package against NumPy, and its own documentation.

Needs the built package (TILEWRIGHT_PYTHON, the folder that holds it) and NumPy; says which is missing and skips otherwise.
"""
import importlib
import importlib.util
import os
import pathlib
import random
import subprocess
import sys
import threading
import unittest

SKIP = 77
ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = os.environ.get("TILEWRIGHT_PYTHON")


def without(what):
    print(f"skipped: {what}", file=sys.stderr)
    sys.exit(SKIP)


if not FOLDER:
    without("TILEWRIGHT_PYTHON does not name the folder of the built package")
sys.path.insert(0, FOLDER)
try:
    import numpy as np
except ImportError:
    without("NumPy is not installed (Debian: python3-numpy)")
import tilewright as tw  # noqa: E402

DTYPES = ["?", "i1", "u2", "i4", "i8", "f2", "f4", "f8", "c8", "c16", "S3", "U2", "S16", "M8[s]",
          [("a", "u1"), ("b", "f4")], [("x", "f8"), ("y", "i8"), ("z", "i8")]]


def random_array(rng, dtype, shape):
    count = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.frombuffer(rng.randbytes(count), np.uint8).copy()
    if dtype == "?":
        raw &= 1
    if dtype == "U2":  # code points must exist
        raw = raw.view(np.uint32) % 0xD000
    return raw.view(dtype).reshape(shape)


def bits(a):
    return np.ascontiguousarray(a).tobytes()


def random_view(rng, array):
    """A view of the same memory: permuted, reversed, strided."""
    axes = list(range(array.ndim))
    rng.shuffle(axes)
    view = array.transpose(axes)
    return view[(*(slice(None, None, rng.choice([1, 1, 1, -1, 2, -3])) for _ in axes), ...)]


def strided(memory, like, offset):
    """The view of `memory` that begins `offset` bytes into it and otherwise is as `like`."""
    raw = memory.reshape(-1).view(np.uint8)
    return np.lib.stride_tricks.as_strided(raw[offset:], (*like.shape, like.itemsize), (*like.strides, 1))


class Wrong:
    __array_interface__ = {"shape": (3,), "typestr": "<f8", "data": None}


class Alone:
    """An array that shows its memory by DLPack only."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **_):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Copies(unittest.TestCase):
    def test_random_strided_arrays_equal_numpys(self):
        rng = random.Random(4)
        for n in range(2000):
            dtype = rng.choice(DTYPES)
            shape = [rng.randint(1, 9) for _ in range(rng.randint(0, 5))]
            src = random_view(rng, random_array(rng, dtype, shape))
            base = random_array(rng, dtype, [2 * e + 1 for e in src.shape])
            dst = base[(*(slice(rng.randint(0, 1), None, 2) for _ in src.shape), ...)]
            dst = dst[(*(slice(0, e) for e in src.shape), ...)]
            if dst.ndim and rng.random() < 0.3:
                dst = dst[::-1]
            want = base.copy()
            offset = dst.__array_interface__["data"][0] - base.__array_interface__["data"][0]
            target = strided(want, dst, offset)
            target[...] = np.ascontiguousarray(src).view(np.uint8).reshape(*src.shape, src.itemsize)
            tw.copy_(dst, src, threads=rng.choice([0, 1]))
            self.assertEqual(bits(base), bits(want), f"case {n}: {dtype} {src.shape} {src.strides} -> {dst.strides}")

    def test_broadcast(self):
        for shape, to in [((3,), (2, 3)), ((2, 1), (2, 5)), ((), (4,)), ((1, 4, 1), (3, 4, 2))]:
            src, dst = np.array(np.random.rand(*shape)), np.zeros(to)
            tw.copy_(dst, src)
            np.testing.assert_array_equal(dst, np.broadcast_to(src, to))

    def test_permute_and_contiguous(self):
        rng = random.Random(5)
        for _ in range(200):
            shape = [rng.randint(1, 7) for _ in range(rng.randint(1, 5))]
            axes = rng.sample(range(len(shape)), len(shape))
            x = random_array(rng, rng.choice(DTYPES), shape)
            y = tw.permute(x, axes)
            self.assertEqual(y.tobytes(), np.ascontiguousarray(x.transpose(axes)).tobytes())
            z = tw.contiguous(x, order=axes)
            self.assertEqual(bits(z), bits(x))
            self.assertTrue(z.transpose(axes).flags["C_CONTIGUOUS"])
        self.assertTrue(tw.contiguous(np.zeros((2, 3)), order="F").flags["F_CONTIGUOUS"])
        with self.assertRaisesRegex(ValueError, "is not a permutation"):
            tw.permute(np.zeros((2, 3)), (0, 0))

    def test_large_transposes(self):
        for dtype, shape in [("u1", (64, 301, 407)), ("u2", (3001, 1009)), ("f4", (257, 3, 4099)), ("S3", (999, 1001))]:
            x = random_array(random.Random(6), dtype, shape)
            axes = tuple(reversed(range(x.ndim)))
            self.assertEqual(tw.permute(x, axes).tobytes(), np.ascontiguousarray(x.transpose(axes)).tobytes())

    def test_odd_buffers(self):
        raw = bytearray(range(65))
        misaligned = np.frombuffer(raw, np.float64, 8, 1)
        out = np.zeros(8)
        self.assertEqual(tw.copy_(out, misaligned).tobytes(), misaligned.tobytes())
        self.assertEqual(tw.copy_(np.zeros((0, 3)), np.zeros((0, 3))).shape, (0, 3))
        self.assertEqual(tw.copy_(np.zeros(()), np.array(2.5))[()], 2.5)
        self.assertEqual(bytes(tw.copy_(bytearray(3), b"abc")), b"abc")
        now = np.datetime64("2026-01-02T03:04:05", "ns")  # NumPy shows the bytes of such scalars
        self.assertEqual(tw.copy_(np.zeros(2, "M8[ns]"), now)[1], now)
        self.assertEqual(tw.permute(np.float32(3), ()).shape, ())
        x = np.arange(10)
        tw.copy_(x[1:], x[:-1])  # as if the source were read first
        np.testing.assert_array_equal(x, [0, 0, 1, 2, 3, 4, 5, 6, 7, 8])
        read_only = np.zeros(3)
        read_only.flags.writeable = False
        for error, words, call in [
                (ValueError, "read-only", lambda: tw.copy_(read_only, np.ones(3))),
                (ValueError, "shapes differ", lambda: tw.copy_(np.zeros(3), np.ones(4))),
                (TypeError, "converts nothing", lambda: tw.copy_(np.zeros(3, "f4"), np.ones(3, "f8"))),
                (TypeError, "shows no memory", lambda: tw.copy_(np.zeros(3), object())),
                (TypeError, "Python objects", lambda: tw.copy_(np.zeros(3, object), np.ones(3, object))),
                (TypeError, "Python objects", lambda: tw.copy_(np.zeros(2, [("a", object), ("b", "f8")]), np.zeros(2, [("a", object), ("b", "f8")]))),
                (TypeError, "Python objects", lambda: tw.copy_(memoryview(np.zeros(3, object)), memoryview(np.ones(3, object)))),
                (TypeError, "mask", lambda: tw.copy_(np.zeros(3), np.ma.array([1.0, 2, 3], mask=[0, 1, 0]))),
                (TypeError, "mask", lambda: tw.permute(np.ma.zeros((2, 3)), (1, 0))),
                (TypeError, "is not a dictionary with typestr", lambda: tw.copy_(np.zeros(3), Wrong())),
                (ValueError, "the order is 'K'", lambda: tw.contiguous(x, "K")),
                (tw.CopyError, "share memory", lambda: tw.plan(x[1:], x[:-1])),
                (ValueError, "'refuse'", lambda: tw.copy_(np.zeros(3), np.zeros(3), overlap="x")),
                (tw.CopyError, "share memory", lambda: tw.copy_(x[1:], x[:-1], overlap="refuse")),
                (tw.CopyError, "two coordinates",
                 lambda: tw.copy_(np.lib.stride_tricks.as_strided(np.zeros(1), (3,), (0,)), np.ones(3)))]:
            with self.assertRaisesRegex(error, words):
                call()

    def test_large_results_begin_with_a_cache_line(self):
        x = np.arange(700 * 801, dtype=np.int32).reshape(700, 801)
        for result in (tw.permute(x, (1, 0)), tw.contiguous(x, "F"), tw.rearrange(x, "a b -> b a")):
            self.assertEqual(result.ctypes.data % 64, 0)
            np.testing.assert_array_equal(result, x if result.shape == x.shape else x.T)

    def test_dlpack_alone(self):
        class Packed:  # what PyTorch's tensors show on a CPU
            def __init__(self, array):
                self._array = array

            def __dlpack__(self, stream=None):
                return self._array.__dlpack__()

            def __dlpack_device__(self):
                return self._array.__dlpack_device__()
        x, out = np.random.rand(5, 7).T, np.zeros((7, 5))
        tw.copy_(Packed(out), Packed(x))
        np.testing.assert_array_equal(out, x)

    def test_threads_in_parallel(self):
        x = np.random.rand(300, 400)
        wrong = []

        def work():
            for _ in range(50):
                if not np.array_equal(tw.permute(x, (1, 0)), x.T):
                    wrong.append(1)
        threads = [threading.Thread(target=work) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_plans(self):
        x, y = np.random.rand(100, 64), np.zeros((64, 100))
        p = tw.plan(y, x.T)
        self.assertTrue(p.proved)
        p.run()
        np.testing.assert_array_equal(y, x.T)
        self.assertIn("transpose", p.explain())
        self.assertEqual(p.bytes, 2 * x.nbytes)
        self.assertIn("<svg", p.plot().svg)
        self.assertIsInstance(p.json(), dict)

    def test_large_copies_settle(self):
        x = np.arange(6_000_000, dtype=np.float32).reshape(3000, 2000)
        y = np.zeros((2000, 3000), dtype=np.float32)
        copies = 0
        while not tw.is_settled(y, x.T) and copies < 100:
            y[:] = 0
            tw.copy_(y, x.T)
            np.testing.assert_array_equal(y, x.T)
            copies += 1
        self.assertLess(copies, 100)
        self.assertTrue(tw.is_settled(y[:5], x.T[:5]))
        self.assertTrue(tw.is_settled(y[:0], x.T[:0]))
        with self.assertRaises(ValueError):
            tw.is_settled(y, x)


class Rearrange(unittest.TestCase):
    def test_patterns(self):
        x = np.arange(2 * 12 * 5).reshape(2, 12, 5)
        for pattern, sizes, want in [
                ("b h s -> s b h", {}, x.transpose(2, 0, 1)),
                ("b (h d) s -> b h s d", {"h": 4}, x.reshape(2, 4, 3, 5).transpose(0, 1, 3, 2)),
                ("b (h d) s -> (b d) (s h)", {"d": 3}, x.reshape(2, 4, 3, 5).transpose(0, 2, 3, 1).reshape(6, 20)),
                ("... s -> s ...", {}, x.transpose(2, 0, 1)),
                ("b ... -> ... b", {}, x.transpose(1, 2, 0)),
                ("b h s -> b 1 (h s) ()", {}, x.reshape(2, 1, 60, 1)),
                ("b (p q r) s -> q (b r) p s", {"p": 2, "q": 3},
                 x.reshape(2, 2, 3, 2, 5).transpose(2, 0, 3, 1, 4).reshape(3, 4, 2, 5))]:
            got = tw.rearrange(x, pattern, **sizes)
            self.assertEqual(got.shape, want.shape, pattern)
            np.testing.assert_array_equal(got, want, pattern)
        out = np.zeros((5, 2, 12), x.dtype)
        self.assertIs(tw.rearrange(x, "b h s -> s b h", out=out), out)
        views = tw.rearrange(x[:, ::-2, 1:], "b h s -> h (s b)")
        np.testing.assert_array_equal(views, x[:, ::-2, 1:].transpose(1, 2, 0).reshape(6, 8))

    def test_random_patterns(self):
        rng = random.Random(7)
        for _ in range(300):
            names = [chr(97 + i) for i in range(rng.randint(1, 6))]
            sizes = {n: rng.randint(1, 4) for n in names}

            def grouped(order):
                out, i = [], 0
                while i < len(order):
                    k = rng.randint(1, 3)
                    out.append(order[i:i + k])
                    i += k
                return out
            left, right = grouped(names), grouped(rng.sample(names, len(names)))
            x = np.arange(np.prod([sizes[n] for n in names])).reshape([np.prod([sizes[n] for n in g]) for g in left])
            flat = [n for g in right for n in g]
            want = x.reshape([sizes[n] for n in names]).transpose([names.index(n) for n in flat])
            want = want.reshape([int(np.prod([sizes[n] for n in g])) for g in right])
            side = lambda groups: " ".join(g[0] if len(g) == 1 else f"({' '.join(g)})" for g in groups)  # noqa: E731
            np.testing.assert_array_equal(tw.rearrange(x, f"{side(left)} -> {side(right)}", **sizes), want)

    def test_what_takes_the_place_of_an_array(self):
        x = np.arange(24.0).reshape(2, 3, 4)
        np.testing.assert_array_equal(tw.rearrange(Alone(x), "a b c -> c (a b)"), x.transpose(2, 0, 1).reshape(4, 6))
        np.testing.assert_array_equal(tw.permute(Alone(x), (2, 1, 0)), x.T)
        np.testing.assert_array_equal(tw.rearrange([x[0], x[1]], "n a b -> a n b"), x.transpose(1, 0, 2))
        np.testing.assert_array_equal(tw.rearrange(x, "a ... -> (...) a"), x.reshape(2, 12).T)
        np.testing.assert_array_equal(tw.rearrange(x, "... (x y) -> x (y ...)", x=2), x.reshape(6, 2, 2).transpose(1, 2, 0).reshape(2, 12))
        for call, error, words in [(lambda: tw.rearrange([x[0], x[0, 0]], "n a b -> a n b"), ValueError, "their shapes .* differ"),
                                   (lambda: tw.rearrange(x, "(...) -> ..."), ValueError, "'...' in parentheses on the left"),
                                   (lambda: tw.rearrange(x, "2 b c -> b c"), ValueError, "give larger ones a name"),
                                   (lambda: tw.rearrange(x, "a b c -> c b a", out=[0]), TypeError, "shows no memory")]:
            with self.assertRaisesRegex(error, words):
                call()

    def test_names_and_sizes(self):
        x = np.arange(24).reshape(4, 6)
        want = x.reshape(2, 2, 6).transpose(1, 0, 2)
        np.testing.assert_array_equal(tw.rearrange(x, "(out b) c -> b out c", out=2), want)  # 'out' is a name here
        np.testing.assert_array_equal(tw.rearrange(x, pattern="(a b) c -> b a c", a=np.uint8(2)), want)
        large = np.zeros((64, 64, 2), np.int8)
        self.assertEqual(tw.rearrange(large, "a b c -> (a b) c", a=np.uint8(64), b=np.uint8(64)).shape, (4096, 2))
        for call, error, words in [(lambda: tw.rearrange(np.zeros((2, 1, 1)), "a 11 -> a"), ValueError, "expected names, .* at '11 -> a'; a name begins"),
                                   (lambda: tw.rearrange(np.zeros((1, 2)), "1a -> a"), ValueError, "at '1a -> a'"),
                                   (lambda: tw.rearrange(x, "a b -> b a", a=True), ValueError, "the size of a is True; it is an integer"),
                                   (lambda: tw.rearrange([np.ma.zeros(2), np.zeros(2)], "a b -> b a"), TypeError, "a mask beside its elements"),
                                   (lambda: tw.rearrange([[1, 2], [3]], "a b -> b a"), ValueError, "^the elements of a list .* different lengths$"),
                                   (lambda: tw.rearrange(None, "a -> a"), TypeError, "^the array is None; it is an array, a number"),
                                   (lambda: tw.contiguous(iter("ab")), TypeError, "^the array is <str.*iterator"),
                                   (lambda: tw.permute(x, "C"), TypeError, "^'C' is not a sequence of axes"),
                                   (lambda: tw.permute(x, "ab"), TypeError, "^'ab' is not a sequence of axes")]:
            with self.assertRaisesRegex(error, words):
                call()
        import warnings
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            np.testing.assert_array_equal(tw.permute(x, np.array([1, 0])), x.T)
            self.assertEqual(tw.contiguous(x, np.array([1, 0])).strides, x.T.copy().T.strides)

    def test_refusals(self):
        x = np.zeros((4, 6))
        for pattern, sizes, words in [("a b", {}, "'->'"), ("a b -> a", {}, "left side only"), ("a a -> a a", {}, "twice"),
                                      ("a (b c) -> a b c", {}, "all of its names but one"),
                                      ("a (b c) -> a b c", {"b": 4}, "does not divide"),
                                      ("a b c -> c b a", {}, "3 axes and the array 2"), ("a b -> b a", {"z": 2}, "no name 'z'"),
                                      ("a (b c) -> a b c", {"b": -2}, "0 or more"), ("a (b c) -> a b c", {"b": 2.0}, "an integer"),
                                      ("a (b -> a b", {}, "without"), ("a b -> a ? b", {}, "expected")]:
            with self.assertRaisesRegex(ValueError, words):
                tw.rearrange(x, pattern, **sizes)


class Package(unittest.TestCase):
    def test_doctests(self):
        import doctest
        for name in ("", "._layout", "._copy", "._rearrange", "._reports"):
            result = doctest.testmod(importlib.import_module("tilewright" + name))
            self.assertEqual(result.failed, 0, name)
            self.assertGreater(result.attempted, 0, name)

    def test_the_page(self):
        import doctest
        result = doctest.testfile(str(ROOT.parent / "docs/reference/python.md"), module_relative=False, encoding="utf-8")
        self.assertEqual((result.failed, result.attempted > 25), (0, True))

    def test_a_picture_is_saved_whole(self):
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            tw.plot("(4,8):(8,1)").save(f"{folder}/a.svg")
            self.assertTrue(pathlib.Path(folder, "a.svg").read_text(encoding="utf-8").rstrip().endswith("</svg>"))
            with self.assertRaisesRegex(ValueError, "no ending"):
                tw.plot("4:1").save(f"{folder}/a.bmp")
            self.assertEqual(os.listdir(folder), ["a.svg"])

    def test_the_wheel_of_this_build_can_be_installed(self):
        """Packs what is built, installs it with pip where there is one, and imports it from there alone."""
        import tempfile
        import zipfile
        spec = importlib.util.spec_from_file_location("build_backend", ROOT.parent / "python/build_backend.py")
        backend = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(backend)
        with tempfile.TemporaryDirectory() as folder:
            name = backend.wheel_of(pathlib.Path(FOLDER, "tilewright"), folder)
            self.assertRegex(name, r"^tilewright-\d+\.\d+\.\d+-cp\d+-cp\d+-linux_\w+\.whl$")
            wheel, target = pathlib.Path(folder, name), pathlib.Path(folder, "installed")
            pip = [sys.executable, "-m", "pip"]
            if subprocess.run([*pip, "--version"], capture_output=True).returncode == 0:
                done = subprocess.run([*pip, "install", "--no-index", "--no-deps", "--quiet", "--target", str(target), str(wheel)],
                                      capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
            else:
                with zipfile.ZipFile(wheel) as archive:
                    archive.extractall(target)
            script = ("import sys\nsys.path.insert(0, sys.argv[1])\nimport tilewright as tw\nassert tw.__file__.startswith(sys.argv[1])\n"
                      "assert 'numpy' not in sys.modules, 'importing the package imports NumPy'\n"
                      "print(tw.composition('(6,2):(8,2)', '(4,3):(3,1)'), tw.distributed.distribute((10, 8), 4, 'S0').local_shape(3))")
            done = subprocess.run([sys.executable, "-c", script, str(target)], capture_output=True, text=True, cwd=folder)
            self.assertEqual(done.stdout.strip(), "((2,2),3):((24,2),8) (1, 8)", done.stderr)

    def test_ctrl_c_stops_a_long_copy(self):
        script = ("import sys, signal, threading, time, os\nsys.path.insert(0, sys.argv[1])\nimport numpy as np, tilewright as tw\n"
                  "x = np.zeros((6000, 6001), np.float64); y = np.zeros((6001, 6000))\n"
                  "threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
                  "try:\n    while True: tw.copy_(y, x.T)\nexcept KeyboardInterrupt: print('stopped')\n")
        done = subprocess.run([sys.executable, "-c", script, FOLDER], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.stdout.strip(), "stopped", done.stderr)


if __name__ == "__main__":
    unittest.main()
