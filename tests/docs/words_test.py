#!/usr/bin/env python3
"""tools/check_words finds the words it lists, where they are prose and nowhere else; and no page, message or comment has one."""
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools/check_words"

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("check_words", str(TOOL))
check_words = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_words", loader))
loader.exec_module(check_words)


def found(name, text):
    return [(line, word) for line, word, _ in check_words.findings(name, text)]


class Words(unittest.TestCase):
    def test_prose_of_pages_is_read_and_their_code_is_not(self):
        page = "# A tile\n\nIt is carried twice,\nand copies are under\nway. `lies` is code.\n\n```cpp\nint turn;  // lies\n```\nIt stands.\n"
        self.assertEqual(sorted(found("docs/page.md", page)), [(3, "carried"), (4, "under way"), (10, "stands")])
        self.assertEqual(found("docs/page.md", "[a](turn.md) of an `int_tree`"), [])
        self.assertEqual(found("docs/page.md", "an int_tree"), [(1, "int_tree")])

    def test_comments_and_strings_of_sources_are_read_and_their_code_is_not(self):
        source = '#include "turn.hpp"\nint turn = lies;\nchar const* text = "nobody\'s";  // it sits there\n/* once\n more */ int most_bytes;\n'
        self.assertEqual(sorted(found("include/a.hpp", source)), [(3, "nobody"), (3, "sits"), (4, "once more")])
        self.assertEqual(found("include/a.hpp", 'auto s = "an int_tree";'), [])

    def test_parts_of_words_and_code_of_scripts_are_no_words(self):
        self.assertEqual(found("tools/a", "return x is None  # overlies, turn_on, re-turn"), [])
        self.assertEqual(found("tools/a", "# an alignment of 3 is none"), [(1, "is none")])

    def test_the_list_is_printed(self):
        done = subprocess.run([sys.executable, "-B", str(TOOL), "--list"], stdout=subprocess.PIPE, encoding="utf-8", check=True)
        self.assertEqual(len(done.stdout.splitlines()), len(check_words.WORDS) + len(check_words.PAGE_WORDS))

    def test_no_file_has_such_a_word(self):
        done = subprocess.run([sys.executable, "-B", str(TOOL)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
