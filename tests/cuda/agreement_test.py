#!/usr/bin/env python3
"""Tests tests/cuda/agreement/measure.py where there is no GPU: the program of accesses builds and lists what it would
launch, and a stand-in for the profiler reports counters that agree, one that does not, too few, or none. The exit status is
77 when nvcc is not installed.
"""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "agreement"))
import measure  # noqa: E402

PROFILER = """#!/usr/bin/env python3
import json, subprocess, sys
options = sys.argv[1:]
log = options[options.index("--log-file") + 1]
counters = options[options.index("--metrics") + 1].split(",")
what = [next(word for word in ("sectors", "wavefronts", "conflicts") if word in name) for name in counters]
listed = subprocess.run([*options[-3:], "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout
accesses = [json.loads(line) for line in listed.splitlines()]
if MODE == "refused":
    print("==ERROR== ERR_NVGPUCTRPERM - no permission")
    sys.exit(1)
if MODE == "wrong":
    accesses[5][what[-1]] += 1000
if MODE == "short":
    accesses.pop()
with open(log, "w") as file:
    file.write("==PROF== Connected to process 1\\n")
    file.write(",".join(f'"{name}"' for name in ["ID", "Kernel Name", *counters]) + "\\n")
    file.write(",".join('""' for name in ["ID", "Kernel Name", *counters]) + "\\n")
    for i, access in enumerate(accesses):
        values = [f"{access[name]:,}" if MODE != "blank" else "" for name in what]
        file.write(",".join(f'"{value}"' for value in [i, "a<1, 2>", *values]) + "\\n")
"""


class Agreement(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.program = measure.build(measure.find_tool("nvcc"), "90", cls.scratch.name)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def profiled(self, mode, group):
        ncu = pathlib.Path(self.scratch.name) / "ncu"
        ncu.write_text(PROFILER.replace("import json", f"MODE = {mode!r}\nimport json", 1), encoding="utf-8")
        ncu.chmod(0o755)
        return measure.joined(measure.listed(self.program, group, 2),
                              measure.profiled(ncu, self.program, group, 2, self.scratch.name))

    def test_the_accesses_are_many_and_varied(self):
        accesses = [access for group in measure.COUNTERS for access in measure.listed(self.program, group, measure.RANDOM)]
        self.assertGreaterEqual(len(accesses), 200)
        forms = {measure.instruction(access) for access in accesses}
        self.assertEqual(len(forms), 2 * 2 * 5 + 2 * 3 * 2)  # plain, and matrices
        self.assertGreater(sum("Sw<" in access["name"] for access in accesses), 100)
        self.assertGreater(sum(access["active"] != "ffffffff" for access in accesses), 100)
        self.assertGreater(sum(access.get("conflicts", 0) > 0 for access in accesses), 200)
        for access in accesses:
            self.assertTrue(all(at % access["width"] == 0 for at in access["offset"]))
            self.assertLess(max(access["offset"]) + 16, 1 << 15 if access["space"] == "shared" else 1 << 20)

    def test_what_agrees_passes(self):
        results = [access for group in measure.COUNTERS for access in self.profiled("right", group)]
        self.assertTrue(all(map(measure.agrees, results)))
        text = measure.report(results, ["* GPU: none"], [])
        self.assertIn(f"{len(results)} of {len(results)} accesses agree", text)
        self.assertIn("| 100 % |", text)
        self.assertNotIn("**", text)
        rows = measure.data(results).splitlines()
        self.assertEqual(len(rows), len(results) + 1)
        self.assertEqual({row.count("\t") for row in rows}, {len(measure.COLUMNS) - 1})

    def test_what_does_not_agree_is_named(self):
        for group in measure.COUNTERS:
            results = self.profiled("wrong", group)
            wrong = [access for access in results if not measure.agrees(access)]
            self.assertEqual(wrong, [results[5]])
            self.assertIn(results[5]["name"], measure.complaint(results[5]))
            text = measure.report(results, [], [measure.complaint(results[5])])
            self.assertIn(f"{len(results) - 1} of {len(results)} accesses agree", text)
            self.assertIn("**, predicted", text)
            self.assertNotIn("| all | | {0} | | {0} |".format(len(results)), text)

    def test_counters_that_are_missing_are_no_agreement(self):
        with self.assertRaisesRegex(measure.Failed, "were launched and .* were counted"):
            self.profiled("short", "shared_load")
        with self.assertRaisesRegex(measure.Failed, "ncu gives '' for"):
            self.profiled("blank", "global_load")
        with self.assertRaises(measure.Unavailable):
            self.profiled("refused", "global_load")


if __name__ == "__main__":
    if measure.find_tool("nvcc") is None:
        print("skipped: nvcc is not installed.")
        sys.exit(77)
    unittest.main()
