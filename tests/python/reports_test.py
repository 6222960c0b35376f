"""What Python says of layouts, tiled copies and plans, against brute force over coordinates.

Needs the built package (TILEWRIGHT_PYTHON, the folder that holds it); says so and skips otherwise.
"""
import ast
import importlib.util
import inspect
import itertools
import os
import pathlib
import shutil
import random
import subprocess
import sys
import tempfile
import unittest

SKIP = 77
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = os.environ.get("TILEWRIGHT_PYTHON")
if not FOLDER:
    print("skipped: TILEWRIGHT_PYTHON does not name the folder of the built package", file=sys.stderr)
    sys.exit(SKIP)
sys.path.insert(0, FOLDER)
import tilewright as tw  # noqa: E402


def compact(shape, order):
    """A permutation of compact strides: thread layouts as people write them."""
    strides, step = [0] * len(shape), 1
    for mode in order:
        strides[mode] = step
        step *= shape[mode]
    return tw.Layout(tuple(shape), tuple(strides))


class TiledCopies(unittest.TestCase):
    def test_every_element_of_a_tensor_is_carried_once(self):
        rng = random.Random(3)
        for _ in range(60):
            thr = compact([rng.choice([1, 2, 4, 8]), rng.choice([2, 4])], rng.sample([0, 1], 2))
            val = compact([rng.choice([1, 2, 4]), rng.choice([1, 2])], rng.sample([0, 1], 2))
            copy = tw.TiledCopy(thr, val, element="f32")
            m, n = copy.tiler
            self.assertEqual(copy.threads, thr.size)
            self.assertEqual((m, n), tuple(thr.shape[i] * val.shape[i] for i in (0, 1)))
            tensor = tw.Layout((m * rng.randint(1, 3), n * rng.randint(1, 3)), tuple(rng.choice([(1, 64), (64, 1)])))
            seen = []
            for thread in range(copy.threads):
                share, first = copy.partition(tensor, thread)
                seen += [first + offset for offset in share.offsets()]
            self.assertEqual(sorted(seen), sorted(tensor.offsets()), (thr, val, tensor))

    def test_a_share_begins_where_the_thread_stands(self):
        copy = tw.TiledCopy("(4,8):(8,1)", "(2,2):(2,1)", element="f32")
        for i, j in itertools.product(range(4), range(8)):
            _, first = copy.partition("(8,16):(16,1)", copy.thr(i, j))
            self.assertEqual(first, 2 * i * 16 + 2 * j)

    def test_refusals(self):
        with self.assertRaisesRegex(tw.LayoutError, "atom"):
            tw.TiledCopy("(4,8)", "(1,1)", element="f32", atom_bits=24)
        with self.assertRaises(tw.LayoutError):
            tw.TiledCopy("(4,8:", "(1,1)")
        with self.assertRaisesRegex(TypeError, "returned"):
            tw.explain("(4,8)", output="x.txt")
        with self.assertRaisesRegex(tw.LayoutError, "elemnt"):
            tw.explain("(4,8)", elemnt="f32")

    def test_it_compares_and_shows_itself(self):
        a, b = tw.TiledCopy("(4,8)", "(1,2)"), tw.TiledCopy("(4,8):(1,4)", "(1,2):(1,1)")
        self.assertEqual(a, eval(repr(a), {"TiledCopy": tw.TiledCopy}))
        self.assertEqual((a == b, hash(a) == hash(eval(repr(a), {"TiledCopy": tw.TiledCopy}))), (a.val == b.val, True))
        self.assertTrue(a._repr_svg_().rstrip().endswith("</svg>"))


class Answers(unittest.TestCase):
    def test_injective_is_what_brute_force_says(self):
        rng = random.Random(5)
        answers = set()
        for _ in range(100):
            a = tw.Layout(tuple(rng.randint(1, 5) for _ in range(2)), tuple(rng.randint(0, 6) for _ in range(2)))
            offsets = a.offsets()
            expected = len(set(offsets)) == len(offsets)
            self.assertEqual(bool(tw.check(a, injective=True)), expected, a)
            self.assertEqual(tw.explain(a)["injective"], expected, a)
            answers.add(expected)
        self.assertEqual(answers, {True, False})

    def test_covers_is_what_brute_force_says(self):
        for tv, covered in [("(32,4):(4,1)", True), ("(32,4):(4,2)", False), ("(32,2):(4,1)", False)]:
            offsets = tw.Layout(tv).offsets()
            self.assertEqual(sorted(offsets) == list(range(128)), covered)
            self.assertEqual(bool(tw.check(tv, covers=True, tile="(16,8)")), covered)

    def test_a_plan_of_two_layouts(self):
        report = tw.explain("(64,32):(32,1)", "(64,32):(1,64)", element="f32", machine="sm_90")
        self.assertIn("2048", str(report).replace(",", "") + str(report.values))
        self.assertTrue(tw.check("(64,32):(32,1)", "(64,32):(1,64)", element="f32", machine="sm_90", covers=True))

    def test_a_reason_names_what_breaks(self):
        failed = tw.check("(8,8):(8,1)", injective=True, vector=128, contiguous=True)
        self.assertTrue(failed)
        self.assertIn("offset", tw.check("(4,8):(1,2)", injective=True, contiguous=True).reason)

    def test_names_of_the_command_stay_in_the_command(self):
        with self.assertRaises(tw.LayoutError):
            tw.check("(8,8)")  # no condition


class Notebooks(unittest.TestCase):
    def test_outputs_are_those_stored(self):
        try:
            import numpy  # noqa: F401
        except ImportError:
            self.skipTest("NumPy is not installed (Debian: python3-numpy)")
        notebooks = sorted(map(str, (ROOT / "docs/tutorial/notebooks").glob("*.ipynb")))
        chapters = sorted(page.stem for page in (ROOT / "docs/tutorial").glob("[0-9]*.md"))
        self.assertEqual(sorted(pathlib.Path(n).stem for n in notebooks), chapters)  # one for each
        done = subprocess.run([sys.executable, str(ROOT / "tools/run_notebook"), "--check", *notebooks],
                              env=dict(os.environ, PYTHONPATH=FOLDER), capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_another_output_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            text = (ROOT / "docs/tutorial/notebooks/1_hello_layout.ipynb").read_text(encoding="utf-8")
            changed = pathlib.Path(folder, "a.ipynb")
            changed.write_text(text.replace("(9, 9)", "(9, 8)"), encoding="utf-8")
            done = subprocess.run([sys.executable, str(ROOT / "tools/run_notebook"), "--check", str(changed)],
                                  env=dict(os.environ, PYTHONPATH=FOLDER), capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("outputs differ", done.stderr)


class Stubs(unittest.TestCase):
    def test_every_operation_has_a_signature(self):
        spec = importlib.util.spec_from_file_location("write_stubs", ROOT / "python/write_stubs.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        tree = ast.parse(module.stubs(tw._core.operations()))
        declared = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        declared |= {t.id for node in tree.body if isinstance(node, ast.Assign) for t in node.targets}
        self.assertEqual(set(tw._operations.__all__) - declared, set())

    def test_public_functions_have_types_and_a_docstring(self):
        for name in tw.__all__:
            thing = getattr(tw, name)
            if name in tw._operations.__all__ or name == "__version__" or inspect.isbuiltin(thing):
                continue
            if not (inspect.isclass(thing) and issubclass(thing, Exception)):
                self.assertTrue(thing.__doc__, name)
            if inspect.isfunction(thing):
                self.assertIn("return", thing.__annotations__, name)

    def test_stubs_of_kernels_are_what_the_script_writes(self):
        spec = importlib.util.spec_from_file_location("write_kernel_stubs", ROOT / "python/write_kernel_stubs.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, text in module.written().items():
            ast.parse(text)
            self.assertEqual((ROOT / "python/tilewright" / name).read_text(encoding="utf-8"), text,
                             f"python/tilewright/{name} is stale: run python/write_kernel_stubs.py")

    def test_every_public_name_has_a_docstring(self):
        from tilewright import cute, cutlass
        for module in (tw, tw.distributed, cute, cutlass):
            for name in dir(module):
                thing = getattr(module, name)
                if name.startswith("_") or not callable(thing) or not getattr(thing, "__module__", "").startswith("tilewright"):
                    continue
                self.assertTrue(inspect.getdoc(thing), f"{module.__name__}.{name}")
                for member, of in (vars(thing).items() if inspect.isclass(thing) else ()):
                    of = getattr(of, "__func__", of)
                    if not member.startswith("_") and (inspect.isfunction(of) or isinstance(of, property)):
                        self.assertTrue(inspect.getdoc(of), f"{module.__name__}.{name}.{member}")

    @unittest.skipIf(shutil.which("mypy") is None, "mypy is not installed (Debian: mypy)")
    def test_a_typed_program(self):
        with tempfile.TemporaryDirectory() as folder:
            package = pathlib.Path(folder, "tilewright")
            shutil.copytree(ROOT / "python/tilewright", package)
            spec = importlib.util.spec_from_file_location("write_stubs", ROOT / "python/write_stubs.py")
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            (package / "_operations.pyi").write_text(module.stubs(tw._core.operations()), encoding="utf-8")
            (package / "py.typed").touch()
            done = subprocess.run(["mypy", "--strict", f"--cache-dir={folder}/cache", str(ROOT / "tests/python/typed_program.py")],
                                  env=dict(os.environ, PYTHONPATH=folder), capture_output=True, text=True, cwd=folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_copy_has_its_signature(self):
        self.assertEqual(list(inspect.signature(tw.copy_).parameters), ["dst", "src", "threads", "overlap", "tune"])


if __name__ == "__main__":
    unittest.main()
