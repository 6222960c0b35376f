"""Copies between arrays of every element type, next to elements that are read one by one through their addresses: strided, reversed,
broadcast, overlapping, misaligned and empty ones; patterns of rearrange with everything that the notation has.
"""
import ctypes
import mmap
import random
import unittest

import built_package  # noqa: F401
import numpy as np
import tilewright as tw  # noqa: E402

DTYPES = ["?", "i1", "u2", ">i2", "<i4", ">i4", "u8", "f2", "f4", "f8", "c8", "c16", "f16", "c32", "S1", "S5", "S33", "U1", "U3", "V3", "V7", "V16",
          "V40", "M8[D]", "m8[ns]", [("a", "u1"), ("b", "<f4"), ("c", "S3")], np.dtype([("a", "u1"), ("b", "f8")], align=True),
          [("v", "f4", (3,)), ("w", "i2", (2, 2))], {"names": ["x", "y"], "formats": ["i4", "u1"], "offsets": [8, 2], "itemsize": 24}]


def random_array(rng, dtype, shape):
    dtype = np.dtype(dtype)
    raw = np.frombuffer(rng.randbytes(int(np.prod(shape, dtype=int)) * dtype.itemsize), np.uint8).copy()
    if dtype.kind == "b":
        raw &= 1
    if dtype.kind == "U":  # code points must exist
        raw = (raw.view(np.uint32) % 0xD000).view(np.uint8)
    return raw.view(dtype).reshape(shape)


def elements(array):
    """The bytes of the elements in C's order, each read at its address: no function of NumPy moves them."""
    if array.size == 0:
        return b""
    places = np.full(array.shape, array.__array_interface__["data"][0], np.int64)
    for axis, step in enumerate(array.strides):
        places += (np.arange(array.shape[axis], dtype=np.int64) * step).reshape([-1 if a == axis else 1 for a in range(array.ndim)])
    return b"".join(ctypes.string_at(int(place), array.itemsize) for place in places.reshape(-1))


def random_shape(rng):
    rank = rng.choice([0, 1, 1, 2, 2, 3, 4, 5, 7])
    most = {0: 1, 1: 150, 2: 30, 3: 10, 4: 6, 5: 4, 7: 3}[rank]
    return [0 if rng.random() < 0.02 else rng.randint(1, most) for _ in range(rank)]


def random_view(rng, array):
    """The array after up to three steps: transposed, strided and reversed, with an axis more, cut, or with one less."""
    for _ in range(rng.randint(0, 3)):
        kind, axis = rng.randint(0, 4), rng.randint(0, max(array.ndim - 1, 0))
        if kind == 0:
            array = array.transpose(rng.sample(range(array.ndim), array.ndim))
        elif kind == 1:
            array = array[(*(slice(None, None, rng.choice([1, -1, 2, -2, 3])) for _ in range(array.ndim)), ...)]
        elif kind == 2:
            array = np.expand_dims(array, axis)
        elif array.ndim and array.shape[axis]:
            first = rng.randrange(array.shape[axis])
            array = array[(slice(None),) * axis + (slice(first, rng.randint(first, array.shape[axis])) if kind == 3 else first, ...)]
    return array


def with_gaps(rng, shape):
    """(shape of an array, slices of it whose result has `shape`): gaps, and reversed axes."""
    steps = [rng.choice([1, 2, 3, -1, -2]) for _ in shape]
    whole = [3 * e + 3 for e in shape]
    slices = []
    for extent, step in zip(shape, steps):
        last = 1 + extent * abs(step)
        slices.append(slice(1, last, step) if step > 0 else slice(last, 1, step))
    return whole, (*slices, ...)


class Copies(unittest.TestCase):
    def setUp(self):
        self.rng = random.Random(self.id())  # other draws in each test

    def test_strided_destinations_keep_what_is_between(self):
        for n in range(400):
            dtype = self.rng.choice(DTYPES)
            source = random_view(self.rng, random_array(self.rng, dtype, random_shape(self.rng)))
            shape, slices = with_gaps(self.rng, source.shape)
            if np.prod(shape) * source.itemsize > 1 << 20:
                continue
            whole = random_array(self.rng, dtype, shape)
            want = bytearray(elements(whole))
            taken = np.arange(whole.size).reshape(shape)[slices].reshape(-1)
            moved = elements(source)
            for i, place in enumerate(taken):
                want[place * source.itemsize:(place + 1) * source.itemsize] = moved[i * source.itemsize:(i + 1) * source.itemsize]
            target = whole[slices]
            self.assertIs(tw.copy_(target, source, threads=self.rng.choice([0, 1, 2])), target)
            self.assertEqual(elements(whole), bytes(want), f"case {n}: {dtype} {source.shape} {source.strides} -> {target.strides}")

    def test_broadcast(self):
        for n in range(300):
            dtype = self.rng.choice(DTYPES)
            source = random_view(self.rng, random_array(self.rng, dtype, [self.rng.choice([1, 1, 2, 3]) for _ in range(self.rng.randint(0, 4))]))
            shape = [self.rng.randint(1, 4) for _ in range(self.rng.randint(0, 2))] + [self.rng.randint(1, 4) if e == 1 else e for e in source.shape]
            target = random_array(self.rng, dtype, shape)
            tw.copy_(target, source)
            self.assertEqual(elements(target), elements(np.broadcast_to(source, shape)), f"case {n}: {dtype} {source.strides} -> {shape}")
        with self.assertRaisesRegex(ValueError, "read-only"):
            tw.copy_(np.broadcast_to(np.zeros(3), (2, 3)), np.zeros((2, 3)))

    def test_arrays_that_share_memory(self):
        for n in range(400):
            dtype = np.dtype(self.rng.choice([d for d in DTYPES if d not in ("?", "U1", "U3")]))
            shape, memory = [self.rng.randint(1, 4) for _ in range(self.rng.randint(1, 3))], random_array(self.rng, "u1", [12000])

            def somewhere():
                strides, step = [0] * len(shape), dtype.itemsize * self.rng.choice([1, 1, 2])
                for axis in self.rng.sample(range(len(shape)), len(shape)):
                    strides[axis], step = step * self.rng.choice([1, -1]), step * shape[axis]
                below = -sum(min(0, (e - 1) * s) for e, s in zip(shape, strides))
                return np.ndarray(shape, dtype, memory, below + self.rng.choice([0, 0, 1, 5, dtype.itemsize, 2 * dtype.itemsize]), strides)
            target, source = somewhere(), somewhere()
            want = elements(source)
            tw.copy_(target, source)
            self.assertEqual(elements(target), want, f"case {n}: {dtype} {shape} {source.strides} -> {target.strides}")

    def test_misaligned_and_byte_swapped(self):
        for n in range(200):
            dtype = np.dtype(self.rng.choice([d for d in DTYPES if d not in ("?", "U1", "U3")]))
            source, first = random_view(self.rng, random_array(self.rng, dtype, random_shape(self.rng))), self.rng.randint(0, 15)
            memory = np.zeros(source.size * source.itemsize + 32, np.uint8)
            target = np.ndarray(source.shape, source.dtype, memory, first)
            tw.copy_(target, source)
            self.assertEqual(elements(target), elements(source), f"case {n}: {dtype} {source.shape} {source.strides} at {first}")
            self.assertFalse(memory[:first].any() or memory[first + source.size * source.itemsize:].any())
        with self.assertRaisesRegex(TypeError, "a >i4 array .* into an int32 array"):
            tw.copy_(np.zeros(3, "<i4"), np.zeros(3, ">i4"))

    def test_permute_and_contiguous_of_views(self):
        for n in range(400):
            dtype = self.rng.choice(DTYPES)
            source = random_view(self.rng, random_array(self.rng, dtype, random_shape(self.rng)))
            axes = self.rng.sample(range(source.ndim), source.ndim)
            signed = [a - source.ndim if self.rng.random() < 0.3 else a for a in axes]
            want, message = elements(source.transpose(axes)), f"case {n}: {dtype} {source.shape} {source.strides} {signed}"
            made, target = tw.permute(source, signed), random_array(self.rng, dtype, source.transpose(axes).shape)
            self.assertTrue(made.flags.c_contiguous and made.dtype == source.dtype and made.shape == target.shape, message)
            self.assertIs(tw.permute(source, signed, out=target), target)
            self.assertEqual((elements(made), elements(target)), (want, want), message)
            made = tw.contiguous(source, order=signed)
            self.assertTrue(made.transpose(axes).flags.c_contiguous and made.shape == source.shape, message)
            self.assertEqual(elements(made), elements(source), message)

    def test_plans_of_views(self):
        for n in range(100):
            dtype = self.rng.choice(DTYPES)
            source = random_view(self.rng, random_array(self.rng, dtype, random_shape(self.rng)))
            target = random_array(self.rng, dtype, source.shape)
            plan = tw.plan(target, source)
            self.assertTrue(plan.proved, f"case {n}: {dtype} {source.shape} {source.strides}")
            plan.run()
            self.assertEqual(elements(target), elements(source), f"case {n}: {dtype} {source.shape} {source.strides}")

    def test_memory_that_is_no_array(self):
        raw = self.rng.randbytes(4096 + 100)
        target = bytearray(len(raw))
        with mmap.mmap(-1, len(raw)) as mapped:
            tw.copy_(mapped, raw)
            self.assertEqual(mapped[:], raw)
            tw.copy_(memoryview(target)[::-1], mapped)
        self.assertEqual(bytes(target), raw[::-1])  # and the map could be closed: nothing held it
        square = ((ctypes.c_float * 3) * 4)()
        tw.copy_(square, np.arange(12, dtype=np.float32).reshape(3, 4).T)
        self.assertEqual([list(row) for row in square], [[i, i + 4, i + 8] for i in range(4)])
        self.assertEqual(tw.permute(memoryview(raw).cast("B", (1049, 4)), (1, 0)).tobytes(), np.frombuffer(raw, np.uint8).reshape(1049, 4).T.tobytes())

    def test_arrays_are_not_held(self):
        import sys
        source, target = np.zeros(64, np.float32), np.zeros(64, np.float32)
        before = sys.getrefcount(source), sys.getrefcount(target), sys.getrefcount(source.dtype)
        for _ in range(100):
            tw.copy_(target, source)
        after = sys.getrefcount(source), sys.getrefcount(target), sys.getrefcount(source.dtype)
        self.assertTrue(all(b - a <= 1 for a, b in zip(before, after)), (before, after))  # a dtype may be kept


class Patterns(unittest.TestCase):
    NAMES = ["a", "b1", "head_dim", "H", "w", "x", "out", "self", "h2o", "é", "in", "class", "None", "threads", "order"]

    def test_random_patterns(self):
        rng = random.Random(11)
        for n in range(600):
            names = rng.sample(self.NAMES, rng.randint(0, 6))
            sizes = {name: rng.randint(1, 4) for name in names}
            rest = [rng.randint(1, 3) for _ in range(rng.randint(0, 3))] if rng.random() < 0.5 else None
            tokens = names + (["..."] if rest is not None else [])

            def grouped(order, merges):
                groups, i = [], 0
                while i < len(order):
                    k = rng.choice([1, 1, 2, 3])
                    group, i = order[i:i + k], i + k
                    groups += [[t] for t in group] if "..." in group and not merges else [group]
                for _ in range(rng.randint(0, 2)):
                    groups.insert(rng.randint(0, len(groups)), [])
                return groups
            left, right = (grouped(rng.sample(tokens, len(tokens)), merges) for merges in (False, True))
            merged = [group == ["..."] and rng.random() < 0.3 for group in right]

            def text(groups, in_parentheses):
                words = []
                for group, merges in zip(groups, in_parentheses):
                    ones = group + ["1"] if group and group != ["..."] and rng.random() < 0.1 else group
                    if len(ones) == 1 and not merges:
                        words.append(ones[0] if ones == ["..."] or rng.random() < 0.8 else f"( {ones[0]} )")
                    else:
                        words.append(f"({' '.join(ones)})" if ones else rng.choice(["1", "()", "( 1 )"]))
                return rng.choice(["", " "]) + rng.choice([" ", "  "]).join(words) + rng.choice(["", " "])
            pattern = text(left, [False] * len(left)) + "->" + text(right, merged)

            leaves = []
            for token in [t for group in left for t in group]:
                leaves += [(f"...{i}", e) for i, e in enumerate(rest)] if token == "..." else [(token, sizes[token])]

            def extents(groups, in_parentheses):
                out = []
                for group, merges in zip(groups, in_parentheses):
                    each = [e for t in group for e in (rest if t == "..." else [sizes[t]])]
                    out += each if group == ["..."] and not merges else [int(np.prod(each, dtype=int))]
                return out
            shape = extents(left, [False] * len(left))
            x = np.arange(int(np.prod(shape, dtype=int)), dtype=rng.choice(["i2", "f4", "f8", "c16"])).reshape(shape)
            at = [name for name, _ in leaves]
            order = [at.index(name) for group in right for t in group for name in ([f"...{i}" for i in range(len(rest))] if t == "..." else [t])]
            want = x.reshape([e for _, e in leaves]).transpose(order).reshape(extents(right, merged))
            given = {}
            for group in left:
                inside = [t for t in group if t != "..."]
                unknown = rng.choice(inside + [None])  # one of the names may be left out
                given.update({t: sizes[t] for t in inside if t != unknown})
            source = x[::-1].copy()[::-1] if x.ndim and rng.random() < 0.3 else x
            with self.subTest(case=n, pattern=pattern, shape=shape, sizes=given):
                got = tw.rearrange(source, pattern, **given)
                self.assertEqual((got.shape, got.dtype), (want.shape, x.dtype))
                np.testing.assert_array_equal(got, want)

    def test_sizes_of_numpy_and_an_axis_named_out(self):
        x = np.arange(24).reshape(4, 6)
        want = x.reshape(2, 2, 6).transpose(1, 0, 2)
        for size in (2, np.int64(2), np.uint8(2)):
            np.testing.assert_array_equal(tw.rearrange(x, "(out b) c -> b out c", out=size), want)
        np.testing.assert_array_equal(tw.rearrange(x, "a … -> … a"), x.T)  # the ellipsis as one character
        scalar = np.zeros((), x.dtype)
        self.assertIs(tw.rearrange(x[:1, :1], "1 1 ->", out=scalar), scalar)

    def test_bytes_are_an_array_and_text_is_not(self):
        np.testing.assert_array_equal(tw.rearrange(b"abcdef", "(a b) -> b a", a=2), np.frombuffer(b"abcdef", np.uint8).reshape(2, 3).T)
        np.testing.assert_array_equal(tw.permute(b"abc", (0,)), [97, 98, 99])
        for given in (lambda: tw.permute("abc", (0,)), lambda: tw.contiguous("abc"), lambda: tw.rearrange("abc", "a -> a")):
            with self.assertRaisesRegex(TypeError, "the array is the text 'abc'"):
                given()

    def test_what_is_refused(self):
        x = np.zeros((2, 3, 4))
        for pattern, words in [("a b c -> a b", r"c is on the left side only; a rearrangement reduces nothing"), ("a a c -> a c", "'a' is twice"), ("a b c -> a b c d", "d is on the right side only; a rearrangement repeats nothing"),
                               ("(a b c -> a b c", r"'\(' without '\)'"), ("a b) c -> a b c", r"'\)' without '\('"), ("((a b) c) -> a b c", "do not nest"),
                               ("a b c", "one '->'"), ("a -> b -> c", "one '->'"), ("a b c -> c b a 2", "give larger ones a name"), ("a ... ... -> a ...", "twice"),
                               ("a b -> b a", "has 2 axes and the array 3"), ("a b c d ... -> d c b a ...", "has 4 axes and the array 3"),
                               ("a, b c -> a b c", "at ', b c"), ("a .. c -> a c", r"at '\.\. c"), ("", "one '->'"),
                               ("a 1 c -> a c", "the axis .1. has extent 3"), ("(a d) b c -> a d b c", "needs the size of all of its names but one")]:
            with self.assertRaisesRegex(ValueError, words) as caught:
                tw.rearrange(x, pattern)
            self.assertNotIn("\n", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
