"""tilewright.distributed: layouts and plans against their places, and redistribution over processes of torch.distributed.

Redistribution over mpi4py is tested by tests/mpi/python_ranks.py.
"""
import doctest
import os
import pickle
import random
import subprocess
import sys
import tempfile
import unittest

from built_package import FOLDER  # first: it finds the package
import numpy as np
import tilewright as tw  # noqa: E402
from tilewright import distributed as twd  # noqa: E402

RANKS = 3

# What each process of the torch test does: random pairs, then errors that all of them must hear.
WORKER = r'''
import random, sys
sys.path.insert(0, sys.argv[1])
import numpy as np, torch, torch.distributed as dist
import tilewright as tw
from tilewright import distributed as twd
rank, ranks = int(sys.argv[3]), int(sys.argv[4])
dist.init_process_group("gloo", init_method="file://" + sys.argv[2], rank=rank, world_size=ranks)
rng = random.Random(5)
for n in range(12):
    shape = [rng.randint(1, 40) for _ in range(rng.randint(1, 3))]
    words = [rng.choice([f"S{rng.randrange(len(shape))}", f"C{rng.randrange(len(shape))}", "R"]) for _ in range(2)]
    source, target = (twd.distribute(shape, ranks, w, order=rng.choice("CF")) for w in words)
    whole = np.arange(np.prod(shape), dtype=rng.choice(["f8", "f4", "i2"])).reshape(shape)
    mine = torch.from_numpy(np.ascontiguousarray(source.part(whole, rank).ravel("K")))
    out = twd.redistribute(mine, source, target, None, staging_bytes=rng.choice([131072, 64 << 20]))
    wanted = target.part(whole, rank)
    assert torch.is_tensor(out) and np.array_equal(out.numpy(), wanted), (str(source), str(target), out, wanted)
rows, columns = twd.distribute((700, 900), ranks, "S0"), twd.distribute((700, 900), ranks, "S1")
whole = np.random.default_rng(0).random((700, 900))
out = twd.redistribute(rows.part(whole, rank), rows, columns, dist.group.WORLD, staging_bytes=1 << 18)
assert np.array_equal(out, columns.part(whole, rank))
bools = torch.rand(rows.local_shape(rank)) > 0.5
assert torch.equal(twd.redistribute(twd.redistribute(bools, rows, columns, None), columns, rows, None), bools)
learnt = torch.from_numpy(rows.part(whole, rank)).requires_grad_()
assert np.array_equal(twd.redistribute(learnt, rows, columns, None).numpy(), columns.part(whole, rank))
def expect(words, call):
    try:
        call()
    except tw.CopyError as error:
        assert words in str(error), str(error)
    else:
        raise AssertionError("no error: " + words)
mine = rows.part(whole, rank)
expect("rank 1: the source is None", lambda: twd.redistribute(None if rank == 1 else mine, rows, columns, None, dtype="f8"))
expect("rank 2: 'Q0' is not a placement",
       lambda: twd.redistribute(mine, "distribute((700,900),3,Q0)" if rank == 2 else rows, columns, None))
expect("and rank 0 for something else", lambda: twd.redistribute(mine, rows, rows if rank == 1 else columns, None))
dist.barrier()
print("right")
'''


def random_layout(rng, shape):
    words = [rng.choice([f"S{rng.randrange(len(shape))}", "R", f"C{rng.randrange(len(shape))}", "B0/2"])]
    return twd.distribute(shape, RANKS, *words, order=rng.choice("CF"))


class Layouts(unittest.TestCase):
    def test_doctests(self):
        result = doctest.testmod(twd)
        self.assertEqual((result.failed, result.attempted > 15), (0, True))

    def test_parts_are_where_places_says(self):
        rng = random.Random(1)
        for _ in range(60):
            shape = [rng.randint(1, 6) for _ in range(rng.randint(1, 3))]
            layout = random_layout(rng, shape)
            whole = np.arange(np.prod(shape)).reshape(shape)
            memory = [np.full(layout.local_span(r), -1) for r in range(RANKS)]
            for x in np.ndindex(*shape):
                for rank, offset in layout.places(*x):
                    memory[rank][offset] = whole[x]
            parts = [layout.part(whole, r) for r in range(RANKS)]
            for rank in range(RANKS):
                self.assertEqual(parts[rank].shape, layout.local_shape(rank), str(layout))
                np.testing.assert_array_equal(parts[rank], layout.view(memory[rank], rank), str(layout))
            np.testing.assert_array_equal(layout.whole(parts), whole, str(layout))

    def test_scalapack_parts(self):
        layout = twd.from_scalapack([1, 0, 10, 7, 2, 3, 0, 0, 8], 2, 1)
        whole = np.arange(70.0).reshape(10, 7)
        wanted = whole[[0, 1, 4, 5, 8, 9]]
        np.testing.assert_array_equal(layout.part(whole, 0), wanted)
        self.assertEqual(layout.part(whole, 0).strides, (8, 64))

    def test_elements_of_any_width(self):
        layout = twd.distribute((6, 5), RANKS, "S1", order="F")
        for dtype in ["S3", "S12", "c16", [("a", "u1"), ("b", "f4"), ("c", "f2")]]:
            raw = np.random.default_rng(2).integers(0, 255, 30 * np.dtype(dtype).itemsize, np.uint8)
            whole = raw.view(dtype).reshape(6, 5)
            back = layout.whole([layout.part(whole, r) for r in range(RANKS)])
            self.assertEqual(back.tobytes(), whole.tobytes())

    def test_placements_are_exact_or_refused(self):
        class Shard:
            def __init__(self, dim):
                self.dim = dim

        class Replicate:
            pass

        class Partial:
            pass

        class Mesh:
            mesh = np.array([[3, 1], [0, 2]])
        layout = twd.from_placements((10, 8), Mesh(), [Shard(0), Replicate()])
        self.assertEqual([rank for rank, _ in layout.places(9, 0)], [0, 2])
        self.assertEqual(twd.from_placements((10, 8), (2, 2), [Shard(1), Shard(0)]),
                         twd.distribute((10, 8), (2, 2), "S1", "S0"))
        with self.assertRaisesRegex(tw.LayoutError, "Shard or Replicate first"):
            twd.from_placements((10, 8), Mesh(), [Partial(), Replicate()])
        with self.assertRaisesRegex(tw.LayoutError, "no layout describes both"):
            twd.from_placements((11,), (4, 2), [Shard(0), Shard(0)])

    def test_values(self):
        a = twd.distribute((10, 8), 4, "S0")
        self.assertEqual(pickle.loads(pickle.dumps(a)), a)
        self.assertEqual(eval(repr(a), {"DistributedLayout": twd.DistributedLayout}), a)
        self.assertEqual(len({a, twd.DistributedLayout("distribute((10,8),4,S0)")}), 1)
        with self.assertRaisesRegex(tw.LayoutError, "'Q0' is not a placement"):
            twd.DistributedLayout("distribute((10,8),4,Q0)")
        with self.assertRaisesRegex(ValueError, "must be equal"):
            a.part(np.zeros((3, 3)), 0)
        with self.assertRaisesRegex(tw.LayoutError, "outside"):
            a.places(10, 0)

    def test_plans(self):
        p = twd.plan("distribute((10,8),4,S0)", "distribute((10,8),4,S1)")
        self.assertTrue(p.proved)
        self.assertEqual(p.sent_bytes(4), 240)
        self.assertIn("lower bound 240 B", p.explain(4))
        self.assertIn("<svg", p.svg())
        self.assertIsInstance(p.json(), dict)


class Torch(unittest.TestCase):
    def test_processes(self):
        try:
            import torch.distributed as dist
        except ImportError:
            self.skipTest("PyTorch is not installed (Debian: python3-torch)")
        if not dist.is_available() or "asan" in os.environ.get("LD_PRELOAD", ""):
            self.skipTest("torch.distributed is not available, or the package is built with a sanitizer")
        with tempfile.TemporaryDirectory() as folder:
            processes = [subprocess.Popen([sys.executable, "-c", WORKER, FOLDER, f"{folder}/meeting", str(r), str(RANKS)],
                                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for r in range(RANKS)]
            for process in processes:
                said, _ = process.communicate(timeout=180)
                self.assertEqual((process.returncode, said.strip().endswith("right")), (0, True), said)


if __name__ == "__main__":
    unittest.main()
