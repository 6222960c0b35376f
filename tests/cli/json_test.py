"""--json of every verb: one JSON value on standard output and nothing else, with what the verb says to people."""
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

CLI = os.environ["TILEWRIGHT_CLI"]
COPY = ["--atom-bits", "128", "--element", "f32", "--thr", "(4,8)", "--val", "(4,1)", "--tensor", "(16,8):(1,16)"]
TURN = ["(64,32):(32,1)", "(64,32):(1,64)", "--element", "f32"]


def values_of(*words, status=0):
    done = subprocess.run([CLI, *words, "--json"], capture_output=True, text=True)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    assert done.stderr == "" and "\x1b" not in done.stdout, (words, done.stderr)
    return json.loads(done.stdout)


class Json(unittest.TestCase):
    def test_every_verb_has_it(self):
        verbs = {verb["verb"]: {name for option in verb["options"] for name in option["names"]}
                 for verb in values_of("completion")}
        self.assertEqual({verb for verb, options in verbs.items() if "--json" not in options}, {"man"})

    def test_eval(self):
        self.assertEqual(len(values_of("eval", "(4,8):(8,1)", "4:9")), 2)

    def test_tiled_copy(self):
        self.assertIn("threads", values_of("tiled-copy", *COPY))

    def test_plot(self):
        scene = values_of("plot", "(4,8):(8,1)")
        self.assertEqual(scene["format"], "tilewright-scene")
        self.assertEqual(len(scene["panels"][0]["cells"]), 32)
        plan = values_of("plot", *TURN, "--machine", "sm_90")
        self.assertEqual([panel["title"][:2] for panel in plan["panels"]], ["1.", "2.", "3.", "4."])

    def test_explain_check_plan(self):
        self.assertTrue(values_of("explain", *COPY))
        self.assertTrue(values_of("check", *COPY, "--covers"))
        self.assertTrue(values_of("check", "(4,8):(9,1)", "--contiguous", status=1))
        kernel = values_of("plan", *TURN)["schedule"]["kernel"]
        self.assertIn(kernel, ["transpose", "tile"])  # by the instruction set

    def test_bench_and_demo(self):
        self.assertEqual(values_of("bench", *TURN, "--repeat", "1")["elements"], 2048)
        copies = values_of("demo", "--matrix", "256", "--bytes", "1M")["copies"]
        self.assertEqual([(one["copy"], one["wrong_elements"]) for one in copies], [("planned transpose", 0), ("tiled transpose", 0), ("tiled vector", 0)])

    def test_doctor_and_examples(self):
        self.assertIn("cpu", values_of("doctor"))
        self.assertIn("slicing", [one["name"] for one in values_of("examples")])

    def test_convert(self):
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
        header += b" " * (64 - 10 - len(header) % 64 - 1) + b"\n"
        with tempfile.TemporaryDirectory() as folder:
            source, target = pathlib.Path(folder) / "in.npy", pathlib.Path(folder) / "out.npy"
            source.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header +
                               struct.pack("<6f", *range(6)))
            told = values_of("convert", str(source), str(target), "--permute", "1,0", "--verify")
            self.assertEqual(struct.unpack("<6f", target.read_bytes()[-24:]), (0, 3, 1, 4, 2, 5))
            self.assertEqual((told["file"], told["shape"], told["descr"], told["fortran_order"], told["verified"]),
                             (str(target), [3, 2], "<f4", False, True))
            self.assertEqual(told["bytes"], target.stat().st_size)

    def test_refusals_stay_sentences(self):
        for words in (["explain", "(4"], ["plot", "(4"], ["bench", "(4"], ["completion", "bash"]):
            done = subprocess.run([CLI, *words, "--json"], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertTrue(done.stderr.startswith("tilewright: "))


if __name__ == "__main__":
    unittest.main()
