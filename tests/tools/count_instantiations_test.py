#!/usr/bin/env python3
"""tools/count_instantiations counts what a file instantiates, the same in every run."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/count_instantiations"
UNIT = """\
template <int N> struct box { int all[N]; };
template <class T> int first(T const& t) { return t.all[0]; }
int sum() { return first(box<1>{}) + first(box<2>{}) + first(box<2>{}); }
"""


@unittest.skipIf(shutil.which("clang++") is None, "clang++ is not installed")
class CountInstantiations(unittest.TestCase):
    def test_counts_alike_twice(self):
        with tempfile.TemporaryDirectory() as folder:
            unit = pathlib.Path(folder, "unit.cpp")
            unit.write_text(UNIT)
            printed = [subprocess.run([sys.executable, "-B", TOOL, unit], stdout=subprocess.PIPE, text=True).stdout
                       for _ in range(2)]
        self.assertEqual(printed[0], printed[1])
        self.assertIn("unit.cpp: 4 instantiations (2 classes, 2 functions)", printed[0])

    def test_names_a_file_that_does_not_compile(self):
        with tempfile.TemporaryDirectory() as folder:
            unit = pathlib.Path(folder, "unit.cpp")
            unit.write_text("int x = missing;\n")
            done = subprocess.run([sys.executable, "-B", TOOL, unit], stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("unit.cpp does not compile", done.stdout)


if __name__ == "__main__":
    unittest.main()
