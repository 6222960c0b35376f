"""The operator for PyTorch against PyTorch itself. Needs the built package (TILEWRIGHT_PYTHON) and PyTorch; says which is
missing and skips otherwise. Runs on a GPU too where there is one.
"""
import os
import random
import sys
import unittest

SKIP = 77
FOLDER = os.environ.get("TILEWRIGHT_PYTHON")
if not FOLDER:
    print("skipped: TILEWRIGHT_PYTHON does not name the folder of the built package", file=sys.stderr)
    sys.exit(SKIP)
sys.path.insert(0, FOLDER)
try:
    import torch
except ImportError:
    print("skipped: PyTorch is not installed (Debian: python3-torch)", file=sys.stderr)
    sys.exit(SKIP)
import tilewright as tw  # noqa: E402
import tilewright.torch as twt  # noqa: E402

DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() else [])
DTYPES = [torch.uint8, torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.bool]


def random_tensor(rng, device, requires_grad=False):
    shape = [rng.randint(1, 9) for _ in range(rng.randint(1, 5))]
    dtype = torch.float64 if requires_grad else rng.choice(DTYPES)
    x = (torch.rand(shape, device=device) * 100).to(dtype)
    axes = list(range(len(shape)))
    rng.shuffle(axes)
    x = x.permute(axes)[(slice(None, None, rng.choice([1, 1, 2])),)].detach()
    return x.requires_grad_() if requires_grad else x


class Operator(unittest.TestCase):
    def test_packs_as_torch_does(self):
        rng = random.Random(1)
        for device in DEVICES:
            for _ in range(200):
                x = random_tensor(rng, device)
                order = list(range(x.dim()))
                rng.shuffle(order)
                y = twt.pack(x, order)
                self.assertTrue(torch.equal(x, y))
                self.assertTrue(y.permute(order).is_contiguous())

    def test_rearranges_tensors_of_every_type(self):
        for device in DEVICES:
            for dtype in DTYPES:
                x = (torch.rand(4, 6, 5, device=device) * 2).to(dtype)
                self.assertTrue(torch.equal(tw.rearrange(x, "b (h d) s -> b h s d", h=2),
                                            x.reshape(4, 2, 3, 5).permute(0, 1, 3, 2)))

    def test_gradients_pass_through(self):
        rng = random.Random(2)
        for device in DEVICES:
            for _ in range(30):
                x = random_tensor(rng, device, requires_grad=True)
                axes = list(range(x.dim()))
                rng.shuffle(axes)
                weight = torch.rand(x.permute(axes).shape, dtype=x.dtype, device=device)
                (twt.permute(x, axes) * weight).sum().backward()
                mine, x.grad = x.grad.clone(), None
                (x.permute(axes).contiguous() * weight).sum().backward()
                self.assertTrue(torch.equal(mine, x.grad))
        x = torch.rand(3, 4, dtype=torch.float64, requires_grad=True)
        self.assertTrue(torch.autograd.gradcheck(lambda v: twt.permute(v, (1, 0)), (x,)))
        self.assertTrue(torch.autograd.gradgradcheck(lambda v: twt.permute(v, (1, 0)) ** 2, (x,)))

    def test_shapes_without_memory(self):
        x = torch.empty(2, 3, 4, device="meta")
        self.assertEqual(twt.pack(x, (2, 0, 1)).stride(), (3, 1, 6))

    @unittest.skipUnless(hasattr(torch, "compile"), "this PyTorch has no torch.compile")
    def test_is_one_call_to_the_compiler(self):
        function = torch.compile(lambda v: twt.permute(v, (1, 0)) + 1, fullgraph=True)
        x = torch.rand(64, 65)
        self.assertTrue(torch.equal(function(x), x.t() + 1))

    def test_refusals(self):
        with self.assertRaisesRegex(ValueError, "is not a permutation"):
            twt.pack(torch.zeros(2, 3), (0, 0))

    def test_views_share_nothing_with_the_result(self):
        x = torch.zeros(4, 4)
        twt.pack(x).add_(1)
        self.assertEqual(float(x.sum()), 0.0)


class Fast(unittest.TestCase):
    def same(self, function, x):
        expected = function(x)
        calls = []
        original = tw._copy.copy_
        twt.copy_ = lambda dst, src: (calls.append(1), original(dst, src))[1]
        try:
            with twt.fast():
                y = function(x)
        finally:
            twt.copy_ = original
        self.assertTrue(torch.equal(y, expected))
        self.assertEqual(y.stride(), expected.stride())
        return len(calls)

    def test_calls_that_copy_use_it_and_views_stay_views(self):
        for device in DEVICES:
            x = torch.rand(8, 16, 32, 64, device=device)
            self.assertEqual(self.same(lambda v: v.permute(0, 2, 3, 1).contiguous(), x), 1)
            self.assertEqual(self.same(lambda v: v.to(memory_format=torch.channels_last), x), 1)
            self.assertEqual(self.same(lambda v: v.contiguous(memory_format=torch.channels_last), x), 1)
            self.assertEqual(self.same(lambda v: v.transpose(1, 2).reshape(8, 32, 1024), x), 1)
            self.assertEqual(self.same(lambda v: torch.reshape(v.transpose(1, 2), (8, 32, -1)), x), 1)
            self.assertEqual(self.same(lambda v: v.reshape(8, -1), x), 0)
            self.assertEqual(self.same(lambda v: v.contiguous(), x), 0)
            self.assertEqual(self.same(lambda v: v.to(torch.float64), x), 0)
            self.assertEqual(self.same(lambda v: v[:, :, :2, :2].transpose(2, 3).contiguous(), x), 0)  # small

    def test_gradients(self):
        x = torch.rand(64, 128, dtype=torch.float64, requires_grad=True)
        with twt.fast():
            (x.t().contiguous() * torch.arange(64.0)).sum().backward()
        self.assertTrue(torch.equal(x.grad, torch.arange(64.0, dtype=torch.float64)[:, None].expand(64, 128)))

    def test_errors_are_those_of_torch(self):
        with twt.fast(), self.assertRaises(RuntimeError):
            torch.rand(64, 128).t().reshape(7, -1)


if __name__ == "__main__":
    unittest.main()
