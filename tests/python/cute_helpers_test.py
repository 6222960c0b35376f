"""Helpers of CuTe's Python DSL outside kernels: nested tuples, layouts along coordinates, architectures, and names of what is not run here."""
import os
import subprocess
import sys
import unittest

import built_package
from tilewright import cute, cutlass
from tilewright.cutlass import Int32


class Helpers(unittest.TestCase):
    def test_tuples(self):
        self.assertEqual(cute.tuple_cat(1, (2, 3)), (1, 2, 3))
        self.assertEqual(cute.transform_leaf(lambda x, y: x + y, ((1, 2), 3), ((10, 20), 30)), ((11, 22), 33))
        self.assertEqual(cute.unflatten([1, 2, 3, 4], ((0, 0), (0, 0))), ((1, 2), (3, 4)))
        self.assertEqual(cute.find((3, (1, 4)), 4), (1, 1))
        self.assertEqual((cute.find((3, 4), 4), cute.find((3, 4), 5)), (1, None))
        self.assertEqual(cute.filter_tuple((1, 2, 3, 4), f=lambda x: (x,) if x % 2 == 0 else ()), (2, 4))
        self.assertEqual(cute.increment_coord((2, 0, 0), (3, 3, 3)), (0, 1, 0))
        self.assertEqual(cute.increment_coord((1, (1, 2)), (2, (2, 3))), (0, (0, 0)))
        self.assertEqual(cute.shape_div((8, (4, 2)), (2, (8, 2))), (4, (1, 1)))
        self.assertEqual((cute.wrap(1), cute.unwrap(((1, 2),)), cute.repeat_as_tuple(None, 2)), ((1,), (1, 2), (None, None)))
        self.assertTrue(cute.is_int_tuple((1, (2, Int32(3)))) and not cute.is_int_tuple((1, 2.0)))
        with self.assertRaisesRegex(RuntimeError, "has fewer values than the profile"):
            cute.unflatten([1], (0, 0))
        with self.assertRaisesRegex(ValueError, "shape_div: 6 and 4 do not divide each other"):
            cute.shape_div(6, 4)

    def test_layouts(self):
        self.assertEqual(str(cute.make_layout((4, 8), stride=(cute.E(1), 2 * cute.E(0)))), "(4,8):(1@1,2@0)")
        self.assertEqual(cute.make_layout((4, 8), stride=(cute.E(1), cute.E(0)))((1, 2)), (2, 1))
        self.assertEqual(str(cute.append_ones(cute.make_layout((4, 8)), up_to_rank=4)), "(4,8,1,1):(1,4,0,0)")
        self.assertEqual(str(cute.prepend_ones(cute.make_layout(4))), "(1,4):(0,1)")
        self.assertEqual((cute.leading_dim((4, 8), (8, 1)), cute.leading_dim((4, (1, 8)), (8, (1, 1))), cute.leading_dim(4, 2)), (1, (1, 1), None))
        self.assertEqual(cute.max_common_vector(cute.make_layout((4, 8)), cute.make_layout((4, 8), stride=(1, 8))), 4)
        self.assertEqual(cute.front(cute.make_layout((4, 8), stride=(8, 1))), 8)
        self.assertEqual(cute.basis_get(cute.ScaledBasis(2, [0, 1]), ((10, 20), (30, 40))), 20)

    def test_architectures(self):
        arch = cutlass.BaseDSL._get_dsl().get_arch_enum()
        of = type(arch)
        self.assertEqual((arch.name, arch.major, arch.minor), ("sm_90a", 9, 0))
        self.assertTrue(of.sm_90 <= arch < of.sm_100 <= of.sm_100f and arch.is_family_of(of.sm_90a) and not arch.is_family_of(of.sm_100f))
        with self.assertRaisesRegex(ValueError, "there is no architecture 'sm_1'"):
            of.from_string("sm_1")

    def test_annotations(self):
        self.assertIs(cutlass.Tensor, cute.Tensor)
        self.assertIs(cutlass.Pointer, cute.Pointer)
        self.assertEqual(cutlass.AddressSpace.smem, cute.AddressSpace.smem)

    def test_assertions(self):
        cute.testing.assert_(True)
        with self.assertRaisesRegex(AssertionError, "^it is not$"):
            cute.testing.assert_(False, "it is not")


class Elsewhere(unittest.TestCase):
    def test_names_of_other_hardware(self):
        """A program for several GPUs imports them, and runs where it does not call them."""
        program = """
import tilewright.cutlass as mine
mine.register()
import cutlass.cute as cute, cutlass.utils as utils
from cutlass.cute.nvgpu import cpasync, tcgen05, warpgroup
from cutlass.cute.nvgpu.tcgen05 import OperandMajorMode
from cutlass.pipeline import PipelineTmaMultiConsumersAsync, PipelineAsync
import cutlass.utils.blackwell_helpers, cutlass.cute.experimental
from cutlass.cute.atom import CopyOp
class Mine(PipelineTmaMultiConsumersAsync):
    group: tcgen05.CtaGroup = tcgen05.CtaGroup.ONE
assert isinstance(cute.nvgpu.CopyUniversalOp(), CopyOp) and not isinstance(cpasync.CopyG2SOp(), cute.MmaOp)
assert tcgen05.CtaGroup.ONE == tcgen05.CtaGroup.ONE != tcgen05.CtaGroup.TWO
for call in (lambda: tcgen05.make_umma_smem_desc(0), lambda: Mine(), lambda: PipelineTmaMultiConsumersAsync.create(), lambda: utils.ClcState(),
             lambda: tcgen05.Cp4x32x128bOp()):
    try: call()
    except TypeError as error: print(error)
for name in ("cutlass.utils.nothing", "cutlass.cute.nothing"):
    try: __import__(name)
    except ModuleNotFoundError as error: print(error)
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": built_package.FOLDER})
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        for line, words in zip(lines, ["tcgen05.make_umma_smem_desc: this part of tensor memory is not run here", "Mine",
                                       "PipelineTmaMultiConsumersAsync.create: this part of tensor memory is", "ClcState: this part of cluster launch control is not run here",
                                       "Cp4x32x128bOp: a block-scaled product is not run here",
                                       "has no module 'cutlass.utils.nothing'", "has no module 'cutlass.cute.nothing'"]):
            self.assertIn(words, line)
        self.assertEqual(len(lines), 7)


if __name__ == "__main__":
    unittest.main()
