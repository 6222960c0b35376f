"""The cases of bench/redistribute on GPUs: every index of a sharded axis belongs to one rank, sizes are as stated, and a seed draws the
same cases again.
"""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench/redistribute"))
import gpu_cases  # noqa: E402


class Cases(unittest.TestCase):
    def test_each_index_has_one_owner(self):
        for placement in ["S0", "C0", "B0/48", "B0/7"]:
            for extent, ranks in [(100, 2), (97, 4), (3, 4), (1, 1), (96, 2)]:
                owned = sorted(i for r in range(ranks) for i in gpu_cases.indices(placement, extent, ranks, r))
                self.assertEqual(owned, list(range(extent)), (placement, extent, ranks))

    def test_blocks_are_dealt_out_in_turn(self):
        self.assertEqual(list(gpu_cases.indices("B0/2", 7, 2, 0)), [0, 1, 4, 5])
        self.assertEqual(list(gpu_cases.indices("C0", 7, 2, 1)), [1, 3, 5])
        self.assertEqual(list(gpu_cases.indices("S0", 7, 2, 1)), [4, 5, 6])

    def test_drawn_cases_have_the_sizes_of_the_list(self):
        for ranks in (2, 4):
            cases = gpu_cases.drawn(ranks)
            self.assertEqual(cases, gpu_cases.drawn(ranks))
            self.assertEqual(len(cases), 30)
            self.assertNotEqual(cases, gpu_cases.drawn(ranks, seed=2))
            for c in cases:
                part = c.bytes / (1 if "R" in (c.source, c.target) else ranks) / 2**20
                self.assertTrue(60 <= part <= 8300, (c, part))


if __name__ == "__main__":
    unittest.main()
