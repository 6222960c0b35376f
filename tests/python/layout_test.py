"""Layouts as values in Python: the golden results of the algebra, offsets, symbols, layouts over GF(2), and wrong input."""
import pathlib
import random
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
import built_package  # noqa: F401
import numpy as np
import tilewright as tw  # noqa: E402


class Algebra(unittest.TestCase):
    def test_golden_results(self):
        text = (ROOT / "data/layout_algebra.tsv").read_text(encoding="utf-8")
        rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
        aliases = {"coalesce_bymode": "coalesce_each", "composition_bymode": "composition",
                   "logical_divide_bymode": "logical_divide"}
        compared, wanted = 0, 1000
        for name, arguments, expected, *_ in random.Random(1).sample(rows, len(rows)):
            if compared == wanted:
                break
            call = getattr(tw, aliases.get(name, name), None)
            if call is None:
                continue
            try:
                found = call(*arguments.split(" ; "))
            except tw.LayoutError:
                continue  # which of them are refused is the algebra's own test
            if isinstance(found, tw.Layout):
                self.assertEqual(found, tw.evaluate(expected), f"{name}({arguments})")
                compared += 1
            elif isinstance(found, int):
                self.assertEqual(str(int(found)), expected.lstrip("_").replace("true", "1").replace("false", "0"))
                compared += 1
        self.assertEqual(compared, wanted)

    def test_a_layout_is_its_offsets(self):
        rng = random.Random(2)
        for _ in range(300):
            shape = tuple(rng.randint(1, 5) for _ in range(rng.randint(1, 4)))
            stride = tuple(rng.randint(-9, 20) for _ in shape)
            layout = tw.Layout(shape, stride)
            want = [sum(i * s for i, s in zip(np.unravel_index(n, shape, order="F"), stride))
                    for n in range(layout.size)]
            self.assertEqual(layout.offsets(), [int(w) for w in want])
            x = tuple(rng.randrange(e) for e in shape)
            self.assertEqual(layout(*x), sum(i * s for i, s in zip(x, stride)))

    def test_a_coordinate_of_one_nested_mode(self):
        a = tw.Layout(((2, 3),), ((1, 2),))
        self.assertEqual([a(((i, j),)) for j in range(3) for i in range(2)], a.offsets())
        self.assertEqual([a((n,)) for n in range(6)], a.offsets())
        self.assertEqual(a(((1, None),)).offsets(), [0, 2, 4])
        with self.assertRaisesRegex(tw.LayoutError, "modes of the layout 1, modes given 2"):
            a((1, 2))

    def test_a_coordinate_is_that_of_the_expression(self):
        rng = random.Random(5)
        for text in ("(4,(2,3)):(1,(4,8))", "Sw<2,0,3> o 8 o (8,(2,4)):(8,(4,1))", "((2,3),4):((-1,0),7)", "(1,4):(9,2)"):
            a = tw.Layout(text)
            for _ in range(60):
                def coordinate(shape):
                    if isinstance(shape, tuple) and rng.random() < 0.6:
                        return tuple(map(coordinate, shape))
                    return rng.randrange(-1, tw.size(shape) + 1)
                x = tuple(map(coordinate, a.shape))
                try:
                    want = tw.evaluate(f"({a})({','.join(map(tw._layout.text_of, x))})")
                except tw.LayoutError as error:
                    with self.assertRaisesRegex(tw.LayoutError, re.escape(str(error))):
                        a(*x)
                else:
                    self.assertEqual((a(*x), a(x), a(*map(np.int64, x)) if all(type(i) is int for i in x) else want), (want,) * 3)

    def test_values_behave_as_values(self):
        a = tw.Layout("(4,(2,3)):(1,(4,8))")
        self.assertEqual(eval(repr(a), {"Layout": tw.Layout}), a)
        self.assertEqual(len({a, tw.Layout((4, (2, 3)), (1, (4, 8)))}), 1)
        self.assertEqual([str(m) for m in a], ["4:1", "(2,3):(4,8)"])
        self.assertEqual((a.rank, a.depth, a.size, a.cosize), (2, 2, 24, 24))
        import copy
        import pickle
        self.assertEqual(pickle.loads(pickle.dumps(a)), a)
        self.assertEqual(copy.deepcopy(a), a)
        self.assertEqual(tw.Layout.from_array(np.zeros((3, 5), np.int16).T), tw.Layout((5, 3), (1, 5)))

    def test_symbols_and_divisors(self):
        self.assertIn("ceil_div", str(tw.zipped_divide("(M,N):(1,M)", (16, 8))))
        exact = tw.zipped_divide("(M,N):(1,M)", (16, 8), facts=["M%16=0", "N%8=0"])
        self.assertEqual(str(exact), "((16,8),(M/16,N/8)):((1,M),(16,8*M))")
        with self.assertRaises(tw.LayoutError):
            exact.offsets()

    def test_refusals_are_the_sentences_of_cpp(self):
        with self.assertRaisesRegex(tw.LayoutError, "not a multiple"):
            tw.composition("(4,2):(1,16)", "3:2")
        with self.assertRaisesRegex(tw.LayoutError, "did you mean 'complement'"):
            tw.evaluate("complemnt((4):(1))")
        with self.assertRaisesRegex(IndexError, "outside of"):
            tw.Layout("4:2")(4)

    def test_a_tuple_of_one_layout_is_a_tiler(self):
        a, b = tw.Layout("(4,8):(8,1)"), tw.Layout("2:1")
        self.assertEqual(tw.composition(a, (b,)), tw.Layout((2,), (8,)))
        self.assertEqual(tw.composition(a, b), tw.Layout(2, 8))
        self.assertEqual(tw.zipped_divide(a, ("2:1",)), tw.zipped_divide(a, (2,)))
        self.assertEqual(tw.logical_divide("((4,2),8)", ((b,),)), tw.logical_divide("((4,2),8)", ((2,),)))

    def test_layouts_become_modes(self):
        a, b = tw.Layout("4:8"), tw.Layout("(2,4):(1,2)")
        self.assertEqual(tw.make_layout(a, b), tw.Layout("(4,(2,4)):(8,(1,2))"))
        self.assertEqual(tw.make_layout([a, "M:32"]), tw.Layout("(4,M):(8,32)"))
        self.assertEqual(tw.make_layout(a), tw.Layout((4,), (8,)))
        self.assertEqual([tw.make_layout((4, 8)), tw.make_layout((4, 8), (8, 1)), tw.make_layout("4:1")],
                         [tw.Layout("(4,8)"), tw.Layout("(4,8):(8,1)"), tw.Layout("4:1")])
        with self.assertRaisesRegex(tw.LayoutError, "layouts, which become modes; Sw<1,0,2> o 0 o"):
            tw.make_layout(a, "Sw<1,0,2> o (4,4):(4,1)")

    def test_tuples_that_have_layouts_are_tuples(self):
        self.assertEqual(tw.slice_and_offset((None, 1), "(4,8):(8,1)"), (tw.Layout("(4):(8)"), 1))
        self.assertEqual(tw.slice_and_offset((None, 2), "(4,M):(1,K)"), (tw.Layout("(4):(1)"), "2*K"))
        self.assertEqual(tw.evaluate("(2:1, _, (3, 4:2))"), (tw.Layout("2:1"), None, (3, tw.Layout("4:2"))))

    def test_facts_are_texts(self):
        self.assertEqual(tw.Layout("(M,8):(1,M)", facts="M%8=0"), tw.Layout("(M,8):(1,M)", facts=["M%8=0"]))
        self.assertEqual(tw.evaluate("ceil_div(M, 8)", "M%8=0,N%4=0"), tw.evaluate("ceil_div(M, 8)", ["M%8=0", "N%4=0"]))
        for facts, error in [(3, TypeError), ([3], TypeError), (["M"], tw.LayoutError), ("4%2", tw.LayoutError)]:
            with self.assertRaises(error):
                tw.evaluate("4:1", facts)

    def test_what_is_no_integer_is_one_sentence(self):
        a, linear = tw.Layout("(4,8):(8,1)"), tw.LinearLayout([1, 2])
        for error, words, call in [(TypeError, "a mode is an integer, found None", lambda: a[None]),
                                   (TypeError, "a mode is an integer, found 'x'", lambda: a["x"]),
                                   (TypeError, "an index is an integer, found True", lambda: a(True)),
                                   (IndexError, "at most 64 bits", lambda: a(1 << 63)),
                                   (TypeError, "expected a layout", lambda: tw.size(np.arange(3))),
                                   (TypeError, "an index is an integer", lambda: linear(1.0)),
                                   (TypeError, "bases are a list", lambda: tw.from_linear(4)),
                                   (TypeError, "bases are a list", lambda: tw.LinearLayout("12")),
                                   (TypeError, "a basis is an integer", lambda: tw.LinearLayout([1.5])),
                                   (tw.LayoutError, "offsets\\(\\) gives up to", lambda: tw.Layout(1 << 40).offsets())]:
            with self.assertRaisesRegex(error, words):
                call()

    def test_random_layouts_by_counting(self):
        """Offsets, modes, slices, coordinates and layouts over GF(2) of random nested layouts, next to offsets that are counted here."""
        rng = random.Random(12)

        def shape_of(depth=0):
            if depth > 2 or rng.random() < 0.5:
                return rng.choice([1, 2, 2, 3, 4, 5, 8])
            return tuple(shape_of(depth + 1) for _ in range(rng.randint(1, 3)))

        def like(shape, make):
            return tuple(like(s, make) for s in shape) if isinstance(shape, tuple) else make(shape)

        def leaves(x):
            return [leaf for one in x for leaf in leaves(one)] if isinstance(x, tuple) else [x]

        def offsets(shape, stride):
            out = [0]
            for extent, step in zip(leaves(shape), leaves(stride)):
                out = [base + i * step for i in range(extent) for base in out]
            return out
        linear = 0
        for _ in range(600):
            shape = shape_of()
            if tw.size(shape) > 1000:
                continue
            stride = like(shape, lambda _: rng.choice([0, 1, 2, 3, 4, 8, 16, 32, 7, 100]))
            want = offsets(shape, stride)
            a = tw.Layout(shape, stride)
            self.assertEqual((a.offsets(), a.size, a.cosize), (want, len(want), max(want) + 1), a)
            self.assertEqual((eval(repr(a), {"Layout": tw.Layout}), tw.Layout(str(a))), (a, a))
            self.assertEqual(hash(tw.Layout(shape, stride)), hash(a))
            self.assertEqual([(m.shape, m.stride) for m in a], list(zip(shape, stride)) if isinstance(shape, tuple) else [(shape, stride)])
            index = rng.randrange(len(want))
            coordinate = tw.idx2crd(index, shape)
            self.assertEqual((a(coordinate), a(index), tw.crd2idx(coordinate, shape, stride), tw.crd2idx(coordinate, shape)), (want[index], want[index], want[index], index))
            if isinstance(shape, tuple):
                first = rng.randrange(len(shape))
                last = rng.randint(first + 1, len(shape))
                self.assertEqual(a[first:last], tw.Layout(shape[first:last], stride[first:last]))
                kept = [rng.random() < 0.5 for _ in shape]
                if any(kept):
                    part = tw.slice_(tuple(None if k else c for k, c in zip(kept, coordinate)), a)
                    pick = lambda x: tuple(one for one, k in zip(x, kept) if k)  # noqa: E731
                    self.assertEqual(part.offsets(), offsets(pick(shape), pick(stride)))
            if all(e & e - 1 == 0 for e in leaves(shape)):
                bases, sums = [want[1 << k] for k in range(len(want).bit_length() - 1)], [0]
                for basis in bases:
                    sums += [x ^ basis for x in sums]
                if sums == want:
                    linear += 1
                    self.assertEqual(a.to_linear(), tw.LinearLayout(bases))
                    self.assertEqual(tw.from_linear(bases).offsets(), want)
                else:
                    with self.assertRaises(tw.LayoutError):
                        a.to_linear()
        self.assertGreater(linear, 20)

    def test_tuples_of_integers(self):
        import doctest
        from tilewright import _int_tuples
        self.assertEqual(doctest.testmod(_int_tuples).failed, 0)
        rng = random.Random(13)

        def shape_of(depth=0):
            return rng.choice([1, 2, 3, 4, 6]) if depth > 1 or rng.random() < 0.4 else tuple(shape_of(depth + 1) for _ in range(rng.randint(1, 3)))
        for _ in range(300):
            shape = shape_of()
            size = tw.size(shape)
            if 1 not in tw.flatten((shape,)):  # an extent of 1 has stride 0
                self.assertEqual(tw.Layout(shape).stride, tw.prefix_product(shape))
            index = rng.randrange(size)
            for stride in (tw.prefix_product(shape), tw.suffix_product(shape)):
                coordinate = tw.idx2crd(index, shape, stride)
                self.assertEqual(tw.crd2idx(coordinate, shape, stride), index)
            divided = tw.shape_div(shape, size)
            self.assertEqual(tw.size(divided), 1)
            self.assertEqual(tw.elem_scale(shape, shape), tw.elem_scale(shape, tw.elem_scale(shape, tw.shape_div(shape, shape))))
            self.assertEqual(tw.crd2crd(index, shape), tw.idx2crd(index, shape))
        for error, words, call in [(ValueError, "3 and 2 do not divide", lambda: tw.shape_div(3, 2)), (ValueError, "different numbers of modes", lambda: tw.inner_product((1, 2), (1,))),
                                   (TypeError, "signum takes integers", lambda: tw.signum("1")), (TypeError, "found None", lambda: tw.tuple_max((1, None))),
                                   (ValueError, "give src_shape", lambda: tw.crd2crd((1, 2), 4)), (ValueError, "different numbers", lambda: tw.crd2idx((1, 2), (2, 2, 2), (1, 2, 4)))]:
            with self.assertRaisesRegex(error, words):
                call()

    def test_linear_layouts(self):
        rng = random.Random(3)
        for _ in range(100):
            bits_ = list(range(rng.randint(0, 8)))
            rng.shuffle(bits_)
            linear = tw.LinearLayout([1 << b for b in bits_])
            layout = tw.from_linear(linear)
            self.assertEqual(layout.offsets(), [linear(i) for i in range(1 << len(bits_))])
            self.assertEqual(layout.to_linear(), linear)
        swizzled = tw.Layout("Sw<2,0,3> o (8,8):(8,1)")
        linear = swizzled.to_linear()
        self.assertEqual(swizzled.offsets(), [linear(i) for i in range(64)])
        for refused in (lambda: tw.from_linear([1, 3]), lambda: tw.Layout("3:1").to_linear()):
            with self.assertRaises(tw.LayoutError):
                refused()


if __name__ == "__main__":
    unittest.main()
