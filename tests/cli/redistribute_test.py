"""tilewright redistribute: shards of .npy files against NumPy's slices; what goes wrong leaves no shard half-written."""
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

OTHER_PYTHON = "/usr/bin/python3"  # where Debian's python3-numpy is

try:
    import numpy
except ImportError:
    if os.path.realpath(sys.executable) != os.path.realpath(OTHER_PYTHON) and os.path.exists(OTHER_PYTHON):
        os.execv(OTHER_PYTHON, [OTHER_PYTHON, "-B", *sys.argv])
    print("skipped: NumPy is not installed (Debian: python3-numpy).")
    sys.exit(77)

CLI = os.environ["TILEWRIGHT_CLI"]


def run(folder, *words, **options):
    return subprocess.run([CLI, "redistribute", *map(str, words)], cwd=folder, capture_output=True, text=True, **options)


def chunks(n, ranks):
    """torch.chunk's pieces, and empty ones."""
    size = -(-n // ranks)
    return [range(min(r * size, n), min((r + 1) * size, n)) for r in range(ranks)]


def shards(array, mesh, placements):
    """Each rank's part: indices are dealt out, one mesh axis after another. Each tensor axis is sharded at most once."""
    out = [(array, ())]
    for size, how in zip(mesh, placements):
        parts = []
        for part, _ in out:
            for r in range(size):
                if how == "R":
                    parts.append((part, ()))
                    continue
                axis, n = int(how[1]), part.shape[int(how[1])]
                if how[0] == "S":
                    mine = list(chunks(n, size)[r])
                elif how[0] == "C":
                    mine = list(range(r, n, size))
                else:
                    block = int(how.split("/")[1])
                    mine = [i for i in range(n) if i // block % size == r]
                parts.append((numpy.take(part, mine, axis=axis), ()))
        out = parts
    return [part for part, _ in out]


def random_distribution(rng, shape):
    mesh = rng.choice([(1,), (2,), (3,), (4,), (2, 2), (2, 3), (3, 2)])
    axes = rng.sample(range(len(shape)), min(len(shape), len(mesh)))
    placements = []
    for m in range(len(mesh)):
        kind = rng.choice("SSCBR") if m < len(axes) else "R"
        placements.append("R" if kind == "R" else f"{kind}{axes[m]}" + (f"/{rng.randint(1, 4)}" if kind == "B" else ""))
    return mesh, placements


def text_of(shape, mesh, placements, order="row"):
    def numbers(values):
        return "(" + ",".join(map(str, values)) + ")"
    return f"distribute({numbers(shape)},{numbers(mesh)},{','.join(placements)},{order})"


class Redistribute(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, array, mesh, placements, fortran=False):
        for rank, part in enumerate(shards(array, mesh, placements)):
            numpy.save(self.folder / f"old_{rank}.npy", numpy.asarray(part, order="F" if fortran else "C"))

    def test_random_pairs(self):
        rng = random.Random(4)
        types = ["u1", "f4", ">f8", "c16", "S3", [("a", "<i2"), ("b", "S5")]]
        for case in range(400 if os.environ.get("TILEWRIGHT_TEST_ALL") else 40):
            shape = tuple(rng.randint(1, 9) for _ in range(rng.randint(1, 3)))
            kind = numpy.dtype(rng.choice(types))
            size = int(numpy.prod(shape)) * kind.itemsize
            array = numpy.frombuffer(rng.randbytes(size), dtype=kind).reshape(shape)
            source, target = random_distribution(rng, shape), random_distribution(rng, shape)
            fortran, order = rng.random() < 0.3, rng.choice(["row", "col"])
            for old in self.folder.iterdir():
                old.unlink()
            self.write(array, *source, fortran)
            processes = rng.randint(1, 3)
            for process in range(processes):
                done = run(self.folder, "old_{}.npy", "new_{}.npy", "--from", text_of(shape, *source), "--to",
                           text_of(shape, *target, order), "--process", f"{process}/{processes}")
                self.assertEqual(done.returncode, 0, (done.stderr, source, target, shape))
            for rank, expected in enumerate(shards(array, *target)):
                got = numpy.load(self.folder / f"new_{rank}.npy")
                self.assertEqual((got.dtype, got.shape), (expected.dtype, expected.shape))
                self.assertEqual(got.tobytes(), numpy.ascontiguousarray(expected).tobytes(), (shape, source, target))
            self.assertEqual(sorted(self.folder.glob("*.partial")), [])

    def small(self):
        self.write(numpy.arange(80, dtype="f4").reshape(10, 8), (4,), ["S0"])
        return ["--from", "distribute((10,8),4,S0)", "--to", "distribute((10,8),2,S1)"]

    def refused(self, *words, **options):
        done = run(self.folder, *words, **options)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done)
        return done.stderr

    def test_sentences(self):
        layouts = self.small()
        self.assertIn("'new.npy' names one file, and there is one for each rank; write {}",
                      self.refused("old_{}.npy", "new.npy", *layouts))
        self.assertIn("would replace the old ones", self.refused("old_{}.npy", "old_{}.npy", *layouts))
        self.assertIn("gone_0.npy cannot be read: No such file", self.refused("gone_{}.npy", "new_{}.npy", *layouts))
        self.assertIn("old_0.npy has the shape (3,8), and --from gives rank 0 the shape (5,8)",
                      self.refused("old_{}.npy", "new_{}.npy", "--from", "distribute((10,8),2,S0)", "--to", layouts[3]))
        self.assertIn("--from distributes the shape (10,8) and --to (10,9)",
                      self.refused("old_{}.npy", "new_{}.npy", "--from", layouts[1], "--to", "distribute((10,9),2,S1)"))
        self.assertIn("--process '4' must be NUMBER/PROCESSES", self.refused("old_{}.npy", "new_{}.npy", *layouts, "--process", 4))
        numpy.save(self.folder / "old_2.npy", numpy.zeros((3, 8), dtype="f8"))
        self.assertIn("old_2.npy has elements of <f8, and old_0.npy of <f4", self.refused("old_{}.npy", "new_{}.npy", *layouts))
        self.assertEqual(list(self.folder.glob("new_*")), [])

    def test_a_full_disk_leaves_nothing(self):
        layouts = self.small()

        def limited():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        told = self.refused("old_{}.npy", "new_{}.npy", *layouts, preexec_fn=limited, restore_signals=False)
        self.assertIn("new_0.npy.partial cannot have its 288 bytes: File too large", told)
        self.assertEqual(list(self.folder.glob("new_*")), [])

    def test_resume_keeps_what_is_whole(self):
        layouts = self.small()
        self.assertEqual(run(self.folder, "old_{}.npy", "new_{}.npy", *layouts).returncode, 0)
        whole = (self.folder / "new_1.npy").stat().st_mtime_ns
        (self.folder / "new_0.npy").write_bytes((self.folder / "new_0.npy").read_bytes()[:200])
        done = run(self.folder, "old_{}.npy", "new_{}.npy", *layouts, "--resume")
        self.assertEqual(done.stdout, "1 of 2 shards written, 160 bytes; 1 were there\n", done.stderr)
        self.assertEqual((self.folder / "new_1.npy").stat().st_mtime_ns, whole)
        self.assertEqual(numpy.load(self.folder / "new_0.npy").shape, (10, 4))

    def test_share_of_mpirun(self):
        layouts = self.small()
        for process in range(2):
            environment = os.environ | {"OMPI_COMM_WORLD_RANK": str(process), "OMPI_COMM_WORLD_SIZE": "2"}
            done = run(self.folder, "old_{}.npy", "new_{}.npy", *layouts, env=environment)
            self.assertEqual(done.stdout, f"process {process} of 2: 1 of 2 shards written, 160 bytes\n", done.stderr)


class Plan(unittest.TestCase):
    def test_ranks(self):
        words = [CLI, "plan", "--ranks", "4", "distribute((64,64),(2,2),S0,S1)", "distribute((64,64),(2,2),S1,S0)", "--element",
                 "f32", "--topology", "nvlink"]
        done = subprocess.run([*words, "--baselines"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("wanted 16 KiB, own copies 8 KiB, sent 8 KiB in 2 messages\nlower bound 8 KiB: what is sent equals it\n", done.stdout)
        self.assertIn("all-gather along mesh axis 1, all-to-all along mesh axis 0, slice along mesh axis 1", done.stdout)
        for extra, sentence in ((["--rank", "4"], "plan: --rank"), (["--threads", "2"], "with --ranks there is no"),
                                (["--topology", "ring"], "there is no topology 'ring'"), (["--ranks", "2"], "twice|2 times|has 4 ranks")):
            base = words[:8] if extra[0] == "--topology" else words
            base = [base[0], base[1], *base[4:]] if extra[0] == "--ranks" else base
            told = subprocess.run([*base, *extra], capture_output=True, text=True)
            self.assertEqual(told.returncode, 2, extra)
            self.assertRegex(told.stderr, sentence)


if __name__ == "__main__":
    unittest.main()
