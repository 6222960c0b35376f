#!/usr/bin/env python3
"""cmake/make_unit.cmake joins sources whose anonymous namespaces have the same names; a tiny program shows that each source
calls its own, and that messages name the source and its line."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

FIRST = """#include <cstdio>

namespace lib {
namespace {

int helper() { return 1; }  // of the first; with "quotes;", [brackets] and \\\\ backslashes
struct state { int first = helper(); };

}  // namespace

int first() { return state{}.first; }

}  // namespace lib
"""
SECOND = """#include <cstdio>
namespace lib {
namespace {

int helper() { return 20; }
int twice() { return 2 * helper(); }

}  // namespace

int first();
int second() { return twice(); }

}  // namespace lib

int main() { std::printf("%d %d", lib::first(), lib::second()); }
"""
# As tests do: no other namespace, the tests behind the anonymous one.
THIRD = """namespace {

int helper() { return 300; }

}  // namespace

int third() { return helper(); }
static int unused_third = third();
"""


class Units(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def unit(self, **sources):
        paths = []
        for name, text in sources.items():
            path = self.folder / f"{name}.cpp"
            path.write_text(text)
            paths.append(str(path))
        out = self.folder / "unit.cpp"
        subprocess.run(["cmake", "-D", f"OUTPUT={out}", "-D", f"ROOT={self.folder}", "-D", f"SOURCES={'|'.join(paths)}", "-P",
                        str(ROOT / "cmake/make_unit.cmake")], check=True)
        return out

    def compiled(self, unit):
        return subprocess.run(["g++", "-std=c++20", "-Wall", str(unit), "-o", str(self.folder / "program")],
                              stderr=subprocess.PIPE, text=True)

    def test_each_source_calls_its_own_helpers(self):
        done = self.compiled(self.unit(first=FIRST, second=SECOND))
        self.assertEqual(done.returncode, 0, done.stderr)
        said = subprocess.run([str(self.folder / "program")], stdout=subprocess.PIPE, text=True)
        self.assertEqual(said.stdout, "1 40")

    def test_a_tests_source_ends_inside_its_namespace(self):
        text = self.unit(third_test=THIRD).read_text()
        self.assertEqual(text.count("namespace in_third_test { namespace {"), 1)
        self.assertTrue(text.rstrip().endswith("} }"))
        self.assertEqual(text.count("{"), text.count("}"))

    def test_messages_name_the_source(self):
        done = self.compiled(self.unit(first=FIRST, second=SECOND.replace("2 * helper()", "2 * helpers()")))
        self.assertIn(f"{self.folder}/second.cpp:6:", done.stderr)


if __name__ == "__main__":
    if shutil.which("g++") is None or shutil.which("cmake") is None:
        sys.exit(77)
    unittest.main()
