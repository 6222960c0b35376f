"""Standard streams that are closed, full or gone, for every verb: no result is lost silently, no complaint breaks anything.

Each verb has a call that prints a result; a verb without one fails the test, so that new verbs are covered.
"""
import json
import os
import pathlib
import signal
import struct
import subprocess
import tempfile
import unittest

CLI = os.environ["TILEWRIGHT_CLI"]
TILED = ["--atom-bits", "128", "--element", "f32", "--thr", "(4,8)", "--val", "(4,1)", "--tensor", "(16,8):(1,16)"]
PAIR = ["(64,32):(32,1)", "(64,32):(1,64)", "--element", "f32"]
PRINTS = {
    "eval": ["(4,8):(8,1)"], "tiled-copy": TILED, "plot": ["(4,8)"], "explain": ["(4,8)"],
    "check": ["(4,8)", "--injective"], "plan": PAIR, "bench": [*PAIR, "--repeat", "1"], "doctor": [],
    "mma": ["SM80_8x8x4_F64F64F64F64_TN"],
    "examples": ["slicing"], "demo": ["--matrix", "256", "--bytes", "1M", "--json"], "completion": ["bash"], "man": ["plot"],
}


def array(path):
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
    header += b" " * (64 - 10 - len(header) % 64 - 1) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack("<6f", *range(6)))


def shell(words, redirection, **more):
    """The exit status and standard error of the command with what bash does to its streams."""
    done = subprocess.run(["bash", "-c", f'"$@" {redirection}', "bash", CLI, *words], stderr=subprocess.PIPE, text=True,
                          stdout=subprocess.DEVNULL, **more)
    return done.returncode, done.stderr


class Streams(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)
        array(self.folder / "in.npy")
        array(self.folder / "in_0.npy")

    def calls(self):
        """Of each verb: its words."""
        verbs = [verb["verb"] for verb in json.loads(subprocess.check_output([CLI, "completion", "--json"]))]
        files = {"convert": [str(self.folder / "in.npy"), str(self.folder / "out.npy"), "--permute", "1,0", "--force"],
                 "redistribute": [str(self.folder / "in_{}.npy"), str(self.folder / "out_{}.npy"), "--from",
                                  "distribute((2,3),1,R)", "--to", "distribute((2,3),1,R)"],
                 "info": [str(self.folder / "in.npy")]}
        for verb in verbs:
            words = PRINTS.get(verb, files.get(verb))
            self.assertIsNotNone(words, f"{verb} has no call in this test: add one that prints a result")
            yield [verb, *words]
        yield ["--help"]
        yield ["help", "plot"]
        yield ["--version"]

    def test_full_standard_output(self):
        for words in self.calls():
            status, error = shell(words, ">/dev/full")
            self.assertEqual(status, 2, (words, error))
            self.assertEqual(error.splitlines()[-1], "tilewright: the result cannot be written to standard output: "
                             "No space left on device", words)

    def test_closed_standard_output(self):
        for words in self.calls():
            status, error = shell(words, ">&-")
            self.assertEqual(status, 2, (words, error))
            self.assertEqual(error.splitlines()[-1], "tilewright: standard output is closed, so the result cannot be written; "
                             "open it, or use --output FILE", words)

    def test_a_reader_that_is_gone_ends_it_quietly(self):
        for words in self.calls():
            with subprocess.Popen([CLI, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
                child.stdout.close()
                error = child.stderr.read()
                self.assertEqual((child.wait(), error), (-signal.SIGPIPE, b""), words)

    def test_a_reader_that_is_gone_where_sigpipe_is_ignored(self):
        for words in self.calls():
            with subprocess.Popen([CLI, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, restore_signals=False,
                                  preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN)) as child:
                child.stdout.close()
                error = child.stderr.read().decode()
                self.assertEqual(child.wait(), 2, words)
                self.assertIn("cannot be written to standard output: Broken pipe", error, words)

    def test_head(self):
        done = subprocess.run(["bash", "-c", f'"{CLI}" plot "(256,256)" | head -n 2; echo "${{PIPESTATUS[0]}}"'],
                              capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout.splitlines()[-1], str(128 + signal.SIGPIPE))

    def test_errors_survive_standard_error(self):
        for redirection in ("2>&-", "2>/dev/full", "2>&- >&-", "2>/dev/full >/dev/full"):
            for words in (["nonsense"], ["eval", "(4"], ["plan", "8"], ["plot", "(4,8)", "-o", "/no/folder/x.svg"]):
                self.assertEqual(shell(words, redirection)[0], 2, (words, redirection))
            # Nothing is wrong: nothing needs to be said.
            self.assertEqual(shell(["eval", "size((4,8))"], redirection.replace(" >&-", "").replace(" >/dev/full", ""))[0], 0)
        done = subprocess.run(["bash", "-c", '"$0" nonsense 2>&1 >&- | cat', CLI], capture_output=True, text=True)
        self.assertTrue(done.stdout.startswith("tilewright: there is no verb 'nonsense'"), done.stdout)

    def test_a_closed_stream_is_no_file_s_place(self):
        """The next file that is opened gets the lowest number: without care, the sentence would go into the data."""
        out = self.folder / "out.npy"
        convert = ["convert", str(self.folder / "in.npy"), str(out), "--permute", "1,0"]
        shell(convert, "")
        wanted = out.read_bytes()
        self.assertEqual(struct.unpack("<6f", wanted[-24:]), (0, 3, 1, 4, 2, 5))
        for redirection in (">&-", "2>&-", "<&-", ">&- 2>&- <&-"):
            shell(convert + ["--force"], redirection)
            self.assertEqual(out.read_bytes(), wanted, redirection)

    def test_closed_standard_input(self):
        status, error = shell(["eval", "--tsv", "-"], "<&-")
        self.assertEqual(status, 2)
        self.assertIn("standard input cannot be read to its end", error)

    def test_results_in_a_file(self):
        plain = subprocess.check_output([CLI, "explain", "(4,8)"])
        target = self.folder / "it's here.txt"
        done = subprocess.run([CLI, "explain", "(4,8)", "--output", str(target)], capture_output=True, check=True)
        self.assertEqual((done.stdout, done.stderr, target.read_bytes()), (b"", b"", plain))
        done = subprocess.run([CLI, "explain", "(4,8)", "-o", "-"], capture_output=True, check=True)
        self.assertEqual(done.stdout, plain)
        for words in (["explain", "(4,8)", "-o", "/dev/full"], ["plot", "(4,8)", "--format", "svg", "-o", "/dev/full"]):
            done = subprocess.run([CLI, *words], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr, "tilewright: '/dev/full' cannot be written: No space left on device\n")
            self.assertTrue(pathlib.Path("/dev/full").is_char_device())
        self.assertEqual([f.name for f in self.folder.iterdir() if f.name.endswith(".part")], [])
        # A verb that fails leaves no file.
        done = subprocess.run([CLI, "explain", "(4", "-o", str(self.folder / "none")], capture_output=True)
        self.assertEqual(done.returncode, 2)
        self.assertFalse((self.folder / "none").exists())


if __name__ == "__main__":
    unittest.main()
