#!/usr/bin/env python3
"""What reads and runs the pages' blocks, on small pages made for it: also that what is wrong is noticed."""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/docs"))

import check_snippets  # noqa: E402  (found through the line above)
import refusals_test  # noqa: E402
import run_scripts  # noqa: E402
import snippets  # noqa: E402

FENCE = "```"


def block(language, *lines, before=""):
    return "\n".join([*([before] if before else []), FENCE + language, *lines, FENCE, ""])


class Harness(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "docs").mkdir()
        (self.root / "README.md").write_text("# readme\n")

    def page(self, *blocks):
        (self.root / "docs/page.md").write_text("# page\n\n" + "\n".join(blocks))

    def test_a_block_goes_on_in_the_scope_of_all_before_it(self):
        self.page(block("cpp", "int a = 1;"), block("cpp", "int b = a;", before=snippets.CONTINUES),
                  block("text", "2", before=snippets.PRINTS), block("cpp", "int c = b;", before=snippets.CONTINUES),
                  block("cpp", "int a = 2;"))
        found, _ = snippets.read(self.root)
        self.assertEqual([len(s.earlier) for s in found], [0, 1, 2, 0])
        self.assertEqual([s.expected for s in found], [None, ["2"], None, None])
        unit = snippets.translation_unit([(2, found[2])])
        self.assertLess(unit.index("int a = 1;"), unit.index("int b = a;"))
        self.assertLess(unit.index("int b = a;"), unit.index("\\x03"))  # what they print is not this block's
        self.assertLess(unit.index("\\x03"), unit.index("int c = b;"))

    def test_a_block_that_must_not_compile_is_not_compiled(self):
        self.page(block("cpp", "int a = 1;"), block("cpp", "int a = b;", before=snippets.REFUSED),
                  block("text", "b is", "unknown", before=snippets.SAYS))
        self.assertEqual(len(snippets.read(self.root)[0]), 1)
        (refused, words), = refusals_test.refused_blocks(self.root)
        self.assertEqual((refused.code, words), (["int a = b;"], "b is unknown"))

    def test_a_sentence_or_an_output_of_nothing_is_noticed(self):
        for wrong in (block("text", "x", before=snippets.PRINTS), block("cpp", "x", before=snippets.CONTINUES)):
            self.page(wrong)
            with self.assertRaises(SystemExit):
                snippets.read(self.root)
        for wrong in (block("text", "x", before=snippets.SAYS), block("cpp", "x", before=snippets.REFUSED)):
            self.page(wrong)
            with self.assertRaises(SystemExit):
                list(refusals_test.refused_blocks(self.root))

    def scripts_of(self, *blocks):
        """(ran, wrong) of a page, where there is no command and no library."""
        self.page(*blocks)
        workplace = run_scripts.Workplace(self.root, sys.executable, None)
        self.addCleanup(workplace.folder.cleanup)
        return run_scripts.check_page(self.root / "docs/page.md", "docs/page.md", workplace)

    def test_scripts_see_files_and_earlier_scripts(self):
        ran, wrong, missing = self.scripts_of(
            block("text", "hello", before="<!-- file a.txt -->"),
            block("sh", "cp a.txt b.txt", before="<!-- runs -->"),
            block("sh", "$ cat b.txt", "hello", "$ cat c.txt 2>/dev/null || echo none", "none", before="<!-- runs -->"),
            block("python", "print(open('b.txt').read())", before="<!-- runs -->"),
            block("text", "hello", before=snippets.PRINTS))
        self.assertEqual((ran, wrong, missing), (4, 0, []))

    def test_scripts_that_fail_or_print_something_else_are_wrong(self):
        ran, wrong, _ = self.scripts_of(
            block("sh", "exit 1", before="<!-- runs -->"), block("sh", "echo a", before="<!-- runs -->"),
            block("text", "b", before=snippets.PRINTS), block("sh", "$ echo a", "b", before="<!-- runs -->"))
        self.assertEqual((ran, wrong), (3, 3))

    def test_scripts_wait_for_what_they_need(self):
        needs = "<!-- runs with the C library -->"
        after = block("sh", "exit 1", before="<!-- runs -->")
        self.assertEqual(self.scripts_of(block("sh", "exit 1", before=needs), after), (0, 0, ["the C library"]))

    def test_links_to_nowhere_are_noticed(self):
        (self.root / "docs/page.md").write_text("# A page\n[a](page.md#a-page) [b](../README.md) [c](https://x.org)\n")
        self.assertEqual(check_snippets.check_links(self.root), 0)
        (self.root / "docs/page.md").write_text("# A page\n[a](page.md#b) [b](nowhere.md)\n")
        self.assertEqual(check_snippets.check_links(self.root), 2)


if __name__ == "__main__":
    unittest.main()
