#!/usr/bin/env python3
"""tests/compile_fail/check.py and tools/make_errors_page, on small files that do not need the library."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECK = ROOT / "tests/compile_fail/check.py"
PAGE = ROOT / "tools/make_errors_page"

COMMENTS = """\
// name: a divisor that does not divide
// error: divide: "five" is no multiple of two … ; use an even number
// meaning: the quotient would not be
//   an integer.
// remedy: divide an even number.
"""
SENTENCE = r'divide: \"five\" is no multiple of two … ; use an even number (docs/errors.md#not_even)'
GOOD = COMMENTS + f"""
template <int N> struct half {{
  static_assert(N % 2 == 0, "{SENTENCE}");
  static constexpr int value = N / 2;
}};
#ifdef TILEWRIGHT_FIXED
int x = half<4>::value;
#else
int x = half<5>::value + half<7>::value;
#endif
"""

# What a file may do wrong, and words of the complaint.
WRONG = {
    "compiles": (GOOD.replace("half<5>::value + half<7>", "half<6>"), "compiles, but should fail"),
    "another sentence": (GOOD.replace("is no multiple of two", "is odd", 1), "the sentence is"),
    "two sentences": (GOOD + 'static_assert(sizeof(half<5>) == 9, "second");\n', "prints 2 sentences instead of one"),
    "cascade": (GOOD.replace("half<7>::value;", "missing;"), "1 further errors follow the sentence"),
    "no sentence": (COMMENTS + "#ifdef TILEWRIGHT_FIXED\n#else\nint x = missing;\n#endif\n",
                    "fails without a static_assert sentence"),
    "not fixed": (GOOD.replace("half<4>", "half<3>"), "the corrected code does not compile either"),
    "no remedy": (GOOD.replace("// remedy", "// hint"), "lack '// remedy: …'"),
    "no corrected code": (GOOD.replace("#ifdef TILEWRIGHT_FIXED", "#if 0"), "no '#ifdef TILEWRIGHT_FIXED'"),
}

ROWS = '''// one row
TILEWRIGHT_X(not_even, "divide: the number "
             "is odd", "number", "divisor", "use an even number")
TILEWRIGHT_X(unseen, "sum: too large", "left", "right", "use less")
'''


def run(*command):
    done = subprocess.run([sys.executable, "-B", *map(str, command)], stdout=subprocess.PIPE, text=True)
    return done.returncode, done.stdout


@unittest.skipIf(shutil.which("g++") is None, "g++ is not installed")
class CompileFail(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.cases = self.root / "tests/compile_fail"
        self.cases.mkdir(parents=True)
        (self.root / "include/tilewright/base").mkdir(parents=True)
        (self.root / "include/tilewright/base/error_list.def").write_text(ROWS)

    def check(self, text):
        (self.cases / "case.cpp").write_text(text)
        return run(CHECK, self.cases, self.root / "include")

    def test_accepts_one_sentence(self):
        status, printed = self.check(GOOD)
        self.assertEqual(status, 0, printed)
        self.assertIn("1 files, 0 complaints", printed)

    def test_complains(self):
        for name, (text, words) in WRONG.items():
            with self.subTest(name):
                status, printed = self.check(text)
                self.assertEqual(status, 1, printed)
                self.assertIn(words, printed)

    def test_says_when_there_is_nothing(self):
        status, printed = run(CHECK, self.cases, self.root / "include")
        self.assertEqual(status, 77)
        self.assertIn("nothing to check", printed)

    def test_page_is_written_and_checked(self):
        (self.cases / "case.cpp").write_text(GOOD)
        page = self.root / "docs/errors.md"
        self.assertEqual(run(PAGE, "--check", "--root", self.root)[0], 1)
        self.assertEqual(run(PAGE, "--root", self.root)[0], 0)
        text = page.read_text()
        self.assertIn("## not_even\n\n> divide: the number is odd\n", text)
        self.assertIn("## unseen\n", text)
        self.assertIn("sum: too large (left …, right …); use less (docs/errors.md#unseen)", text)
        self.assertIn("Given:\n\n```cpp\ntemplate <int N> struct half {", text)
        self.assertIn('error: static assertion failed: divide: "five" is no multiple of two …', text)
        self.assertIn("The quotient would not be an integer.", text)
        self.assertIn("Fails:\n\n```cpp\nint x = half<5>::value + half<7>::value;\n```", text)
        self.assertIn("Works: divide an even number.\n\n```cpp\nint x = half<4>::value;\n```", text)
        self.assertEqual(run(PAGE, "--check", "--root", self.root)[0], 0)
        header = self.root / "include/tilewright/base/sum.hpp"
        header.write_text('static_assert(true, "sum: too large (docs/errors.md#nowhere)");')
        status, printed = run(PAGE, "--check", "--root", self.root)
        self.assertEqual(status, 1)
        self.assertIn("sum.hpp: names docs/errors.md#nowhere", printed)
        header.write_text('static_assert(true, "sum: too large (docs/errors.md#unseen)");')
        (self.cases / "case.cpp").write_text(GOOD.replace("half<4>", "half<8>"))
        status, printed = run(PAGE, "--check", "--root", self.root)
        self.assertEqual(status, 1)
        self.assertIn("out of date", printed)

    def test_page_takes_the_sentences_that_the_check_saved(self):
        (self.cases / "case.cpp").write_text(GOOD)
        saved = self.root / "sentences.json"
        self.assertEqual(run(CHECK, self.cases, self.root / "include", "--save", saved)[0], 0)
        self.assertEqual(run(PAGE, "--root", self.root)[0], 0)
        self.assertEqual(run(PAGE, "--check", "--root", self.root, "--sentences", saved), (0, ""))
        saved.write_text(saved.read_text().replace("is no multiple", "is a multiple"))
        self.assertEqual(run(PAGE, "--check", "--root", self.root, "--sentences", saved)[0], 1)
        (self.cases / "other.cpp").write_text(GOOD)
        status, printed = run(PAGE, "--check", "--root", self.root, "--sentences", saved)
        self.assertEqual(status, 1)
        self.assertIn("other.cpp is missing; run tests/compile_fail/check.py --save again", printed)


if __name__ == "__main__":
    unittest.main()
