#!/usr/bin/env python3
"""bench/permute: its cases, its table and plot, and a run of every case on tiny tensors with every element checked."""
import ctypes
import io
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "bench/permute"
sys.path.insert(0, str(FOLDER))
import capi  # noqa: E402
import cases  # noqa: E402
import families  # noqa: E402
import plot  # noqa: E402
import report  # noqa: E402
import strided  # noqa: E402

PROGRAM = os.environ.get("TILEWRIGHT_BENCH_PERMUTE", "")  # bench_permute
LIBRARY = os.environ.get("TILEWRIGHT_C_LIBRARY", "")      # libtilewright.so


class CasesTest(unittest.TestCase):
    def test_the_57_permutations_are_column_major(self):
        found = list(cases.ttc())
        self.assertEqual(len(found), 57)
        case = next(case for case in found if case.name == "2031 96x75x96x75")
        # Mode i of the destination is mode permutation[i] of the source; mode 0 is fastest.
        self.assertEqual(case.layout(case.src), "(96,75,96,75):(1,96,7200,691200)")
        self.assertEqual(case.layout(case.dst), "(96,75,96,75):(96,691200,1,9216)")
        for case in found:
            self.assertTrue(190e6 < case.bytes < 250e6, case.key)

    def test_keys_are_unique_and_dense(self):
        every = cases.all_cases()
        self.assertEqual(len({case.key for case in every}), len(every))
        for case in every:
            for side in (1, 2):
                modes = sorted((mode[side], mode[0]) for mode in case.modes())
                step = 1
                for stride, extent in modes:
                    self.assertEqual(stride, step, case.key)
                    step *= extent
                self.assertEqual(step, case.elements)

    def test_split_modes_are_nested(self):
        case = next(case for case in cases.formats() if case.name == "NCHW-NChw16c")
        self.assertEqual(case.layout(case.src), "(64,(16,16),56,56):(802816,(3136,50176),56,1)")
        self.assertEqual(case.layout(case.dst), "(64,(16,16),56,56):(802816,(1,50176),896,16)")
        self.assertEqual(case.to_json()["format"], {"dims": [64, 256, 56, 56], "src": "nchw", "dst": "nChw16c"})

    def test_shrunk_cases_keep_their_modes(self):
        for case in cases.all_cases():
            small = case.shrunk(3000)
            self.assertLessEqual(small.bytes, 3000, case.key)
            self.assertEqual((small.src, small.dst, list(small.extents)), (case.src, case.dst, list(case.extents)))

    def test_select(self):
        self.assertEqual({case.suite for case in cases.select("small")}, {"small"})
        self.assertTrue(all("cuda" in case.devices for case in cases.select("all", "cuda")))
        self.assertLess(len(cases.select("all", "cpu")), len(cases.select("all", "cuda")))
        self.assertEqual([case.key for case in cases.select("all", "cpu", "ttc/10 7264")], ["ttc/10 7264x7264 f32"])

    def test_broken_tables_are_refused(self):
        for text, words in [("", "expected the headings"), ("permutation\textents\n1,0 4,4\n", ":2: expected two lists"),
                            ("permutation\textents\n1,1\t4,4\n", "1,1 is not a permutation of the 2 modes"),
                            ("permutation\textents\n1,0\t4,0\n", "an extent is 0")]:
            with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
                file.write(text)
                file.flush()
                with self.assertRaisesRegex(cases.CaseError, words):
                    list(cases.read_permutations(pathlib.Path(file.name)))


def offsets_of(view):
    """Of all coordinates, by plain enumeration."""
    found = [view.offset]
    for extent, stride in zip(view.extents, view.strides):
        found = {offset + i * stride for offset in found for i in range(extent)}
    return found


class FamiliesTest(unittest.TestCase):
    def test_sizes_and_families(self):
        for seed in (1, 2):
            found = list(families.cases_of(seed, 4 * len(families.FAMILIES)))
            self.assertEqual(len({case.name.split()[0] for case in found}), len(families.FAMILIES))
            self.assertEqual({case.element for case in found}, set(strided.BYTES))
            for case in found:
                largest = max(case.source.elements, case.target.elements) * strided.BYTES[case.element]
                self.assertTrue(0.8 * families.MIN_BYTES < largest < 1.5 * families.MAX_BYTES, case.key)

    def test_a_seed_gives_the_same_cases_always(self):
        first = next(families.cases_of(1, 1))
        self.assertEqual(first.key, "families/heads merged 2x134116x19x80 bf16")
        self.assertEqual(first.layout_texts(), ("(2,134116,19,80):(203856320,80,10729280,1)",
                                                "(2,134116,19,80):(203856320,1520,80,1)"))
        self.assertNotEqual([case.key for case in families.cases_of(1, 20)],
                            [case.key for case in families.cases_of(2, 20)])

    def test_every_offset_is_in_its_buffer_and_sectors_are_counted(self):
        kinds = set()
        for case in families.cases_of(3, 400, max_bytes=20_000):
            if case.elements > 20_000:
                continue
            kinds.add(case.name.split()[0])
            size = strided.BYTES[case.element]
            for view in (case.source, case.target):
                offsets = offsets_of(view)
                self.assertTrue(min(offsets) >= 0 and max(offsets) < view.elements, case.key)
                self.assertEqual(min(offsets), view.lowest())
                for sector in (32, 64):
                    touched = {(offset * size + byte) // sector for offset in offsets for byte in (0, size - 1)}
                    self.assertEqual(strided.touched_sectors(view, size, sector), len(touched), case.key)
            self.assertEqual(len(offsets_of(case.target)), case.elements, case.key)
            self.assertEqual(case.target.is_dense(), case.elements == case.target.elements, case.key)
        self.assertGreater(len(kinds), 12)


def a_row(suite="ttc", case="10 4x4", share=0.5, **peers):
    seconds = 2e-3
    return {"suite": suite, "case": case, "element": "f32", "bytes": 400_000_000,
            "seconds": seconds, "min_seconds": seconds, "memcpy_seconds": share * seconds,
            "memcpy_min_seconds": share * seconds, "share": share, "wrong": [],
            "peers": {name: {"seconds": ratio * seconds, "ratio": ratio} for name, ratio in peers.items()}}


class ReportTest(unittest.TestCase):
    rows = [a_row(case="a", share=0.5, numpy=4.0, naive=2.0), a_row(case="b", share=0.98, numpy=0.25),
            a_row("small", "4x4", 0.1, numpy=9.0)]

    def test_summary(self):
        found = report.summary_of(self.rows)["ttc"]
        self.assertAlmostEqual(found["share"]["geometric_mean"], 0.7)
        self.assertEqual((found["cases"], found["share"]["worst"], found["share"]["worst_case"]), (2, 0.5, "a f32"))
        self.assertAlmostEqual(found["peers"]["numpy"]["geometric_mean"], 1)
        self.assertEqual(found["peers"]["numpy"]["worst_case"], "b f32")
        self.assertEqual(found["peers"]["numpy"]["faster_than_the_library"], 1)
        self.assertEqual(found["peers"]["naive"]["cases"], 1)

    def test_table(self):
        self.assertEqual(report.peers_of(self.rows), ["naive", "numpy"])
        line = report.line(self.rows[0], ["naive", "numpy"])
        for cell in ["ttc a", "f32", "2 ms", "200", "0.500", "2.00×", "4.00×"]:
            self.assertIn(cell, line)
        self.assertIn("–", report.line(self.rows[1], ["naive", "numpy"]))
        self.assertEqual(len(report.header(["naive", "numpy"])), len(line))
        wrong = {**self.rows[0], "wrong": ["x"]}
        self.assertIn("WRONG", report.line(wrong, []))

    def test_durations(self):
        for seconds, text in [(1.5, "1.5 s "), (0.0123, "12.3 ms"), (1e-6, "1 µs"), (4.5e-9, "4.5 ns"),
                              (2.5e-4, "250 µs")]:
            self.assertEqual(report.duration(seconds), text)

    def test_the_end_names_what_is_missing_and_wrong(self):
        row = a_row()
        row["peers"]["onednn"] = {"absent": "no type of 8 bytes"}
        row["wrong"] = ["an element is wrong."]
        out = io.StringIO()
        report.print_end(report.document_of({"device": "cpu"}, [row]), out)
        self.assertIn("onednn takes no part in 1 of 1 cases: no type of 8 bytes", out.getvalue())
        self.assertIn("an element is wrong.", out.getvalue())

    def test_plot_shows_every_row_and_is_the_same_each_time(self):
        document = report.document_of({"device": "cpu", "machine": "M & <N>", "threads": 2}, self.rows)
        svg = plot.draw(document)
        self.assertEqual(svg, plot.draw(json.loads(json.dumps(document))))
        tree = xml.etree.ElementTree.fromstring(svg)  # well-formed, the machine's name included
        name = "{http://www.w3.org/2000/svg}"
        texts = ["".join(node.itertext()) for node in tree.iter(f"{name}text")]
        for text in ["a  f32", "b  f32", "4x4  f32", "0.500", "0.980", "M & <N>, 2 threads", "numpy", "naive"]:
            self.assertIn(text, texts)
        bars = [node for node in tree.iter(f"{name}rect") if node.get("fill") == plot.BAR]
        self.assertEqual(len(bars), 1 + 2)  # the legend's, and one a case that is not small
        self.assertAlmostEqual(float(bars[2].get("width")) / float(bars[1].get("width")), 0.98 / 0.5, places=2)

    def test_files_appear_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "rows.json")
            report.write_json(path, report.document_of({"device": "cpu"}, self.rows))
            self.assertEqual(json.loads(path.read_text(encoding="utf-8"))["rows"], self.rows)
            with self.assertRaises(UnicodeEncodeError):
                report.write_beside(path, "\udc80")
            self.assertEqual([found.name for found in path.parent.iterdir()], ["rows.json"])
            self.assertEqual(len(json.loads(path.read_text(encoding="utf-8"))["rows"]), 3)


def run_bench(*arguments):
    return subprocess.run([sys.executable, "-B", str(FOLDER / "run.py"), *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)


class CommandTest(unittest.TestCase):
    def test_wrong_arguments_are_refused(self):
        for arguments, words in [(["--case", "("], "no regular expression"), (["--threads", "0"], "a number from 1"),
                                 (["--json", "/no/such/folder/x"], "there is no folder"),
                                 (["--program", "/no/such/program"], "is not built"),
                                 (["--case", "nothing"], "no case")]:
            done = run_bench(*arguments)
            self.assertIn(words, done.stdout)
            self.assertNotEqual(done.returncode, 0)

    @unittest.skipUnless(PROGRAM, "TILEWRIGHT_BENCH_PERMUTE does not name the program")
    def test_every_case_is_right_on_tiny_tensors(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "rows.json")
            done = run_bench("--program", PROGRAM, "--check", "--max-bytes", 6000, "--threads", 2, "--json", path)
            self.assertEqual(done.returncode, 0, done.stdout)
            rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
            self.assertEqual(len(rows), len(cases.select("all", "cpu")))
            for row in rows:
                self.assertEqual(row["wrong"], [])
                self.assertLessEqual({"tilewright", "naive"}, set(row["checked"]))

    @unittest.skipUnless(PROGRAM, "TILEWRIGHT_BENCH_PERMUTE does not name the program")
    def test_drawn_cases_are_right_and_have_a_roof(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "rows.json")
            common = ["--program", PROGRAM, "--suite", "families", "--seed", 5, "--threads", 2, "--json", path]
            drawn, measured = (96, 16) if "TILEWRIGHT_TEST_ALL" in os.environ else (32, 4)
            done = run_bench(*common, "--count", drawn, "--max-bytes", 20_000, "--check")
            self.assertEqual(done.returncode, 0, done.stdout)
            rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
            self.assertEqual([row["case"] for row in rows],
                             [case.name for case in families.cases_of(5, drawn, max_bytes=20_000)])
            self.assertTrue(all({"tilewright", "plan", "naive"} <= set(row["checked"]) for row in rows))
            done = run_bench(*common, "--count", measured, "--max-bytes", 2_000_000, "--quick", "--peers", "none")
            self.assertEqual(done.returncode, 0, done.stdout)
            document = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual((document["seed"], document["count"]), (5, measured))
            for row in document["rows"]:
                fastest = min(row["memcpy_seconds"], row.get("streaming_seconds", math.inf))
                roof = fastest / row["seconds"] * row["roof_bytes"] / row["bytes"]
                # The library's time beside streaming stores is another one than beside memcpy.
                self.assertTrue(roof / 20 < row["roof_share"] < 20 * roof, row)

    @unittest.skipUnless(PROGRAM, "TILEWRIGHT_BENCH_PERMUTE does not name the program")
    def test_a_quick_run_measures(self):
        with tempfile.TemporaryDirectory() as folder:
            path, svg = pathlib.Path(folder, "rows.json"), pathlib.Path(folder, "plot.svg")
            done = run_bench("--program", PROGRAM, "--quick", "--max-bytes", 50000, "--case", "square .*f32|small/4x4",
                             "--threads", 1, "--peers", "naive", "--json", path, "--svg", svg)
            self.assertEqual(done.returncode, 0, done.stdout)
            document = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual(document["threads"], 1)
            for row in document["rows"]:
                self.assertTrue(0 < row["min_seconds"] <= row["seconds"])
                self.assertTrue(math.isclose(row["share"], row["memcpy_seconds"] / row["seconds"]))
                self.assertEqual(list(row["peers"]), ["naive"])
                self.assertGreater(row["peers"]["naive"]["ratio"], 0)
                self.assertGreater(row["run_seconds"], 0)
            xml.etree.ElementTree.parse(svg)


class CInterfaceTest(unittest.TestCase):
    """The binding that the GPU's benchmark calls the library by, on the CPU."""

    @unittest.skipUnless(LIBRARY, "TILEWRIGHT_C_LIBRARY does not name the library")
    def test_a_copy_and_its_plan(self):
        library = capi.Library(LIBRARY)
        case = next(case for case in cases.small() if case.name == "210 8x8x8")
        src = (ctypes.c_float * 512)(*range(512))
        dst = (ctypes.c_float * 512)()
        copy = capi.Copy(library, case, ctypes.addressof(src), ctypes.addressof(dst), device=capi.CPU, threads=1)
        copy()
        for i in range(8):
            for j in range(8):
                for k in range(8):
                    self.assertEqual(dst[i + 8 * j + 64 * k], src[64 * i + 8 * j + k])
        plan, explanation = copy.plan()
        self.assertIn("path", plan)
        self.assertGreater(len(explanation.splitlines()), 1)

    @unittest.skipUnless(LIBRARY, "TILEWRIGHT_C_LIBRARY does not name the library")
    def test_an_error_is_the_librarys_sentence(self):
        library = capi.Library(LIBRARY)
        with self.assertRaisesRegex(capi.TilewrightError, "."):
            capi.Layout(library, "(4,")
        case = next(cases.small())
        with self.assertRaisesRegex(capi.TilewrightError, "."):
            capi.Copy(library, case, None, None, device=capi.CPU)()


if __name__ == "__main__":
    unittest.main()
