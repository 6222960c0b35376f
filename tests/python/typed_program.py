"""A program that uses the public names with types, for mypy --strict (reports_test.py)."""
from __future__ import annotations
import numpy as np
import numpy.typing as npt
import tilewright as tw
from tilewright import __version__, cute, cutlass, group_modes, make_layout, select
from tilewright import distributed as twd

a: tw.Layout = tw.Layout("(4,8):(8,1)")
b: tw.Layout = tw.Layout((4, (2, 3)), (1, (4, 8)))
n: int = a.rank
offsets: list[int] = a.offsets()
for mode in a:
    s: str = str(mode)
c = tw.composition(a, "(2,2):(1,4)")
d = tw.zipped_divide(a, (tw.Layout(2, 1), None))
e = tw.size(a, 1)
lin: tw.LinearLayout = a.to_linear()
back: tw.Layout = tw.from_linear(lin)
x: npt.NDArray[np.float32] = np.zeros((2, 3, 4), np.float32)
y = tw.permute(x, (2, 0, 1))
z = tw.rearrange(x, "a b c -> c (a b)", out=None)
tw.copy_(np.zeros((4, 3)), np.ones(3), threads=2)
p: tw.Plan = tw.plan(np.zeros((64, 32)), np.ones((32, 64)).T)
print(p.proved, p.bytes, p.explain(), p.reasons, p.json(), p.seconds)
t: tw.TiledCopy = tw.TiledCopy("(4,8):(1,4)", "(4,1)", element="f32", atom_bits=128)
print(t.tiler, t.tv, t.threads, t.partition("(16,8)", thread=3))
r: tw.Report = tw.explain(a)
k: tw.Check = tw.check(a, injective=True)
pic: tw.Picture = tw.plot(a)
svg: str = pic.svg
rows = twd.distribute((10, 8), 4, "S0")
tw.contiguous(x, order="F")
tw.is_settled(x, x)
v: tw.Layout = a[1]
w: tw.Layout = a[0:1]
tw.evaluate("size(4)", facts="M%8=0")
ver: str = __version__
print(make_layout, group_modes(a, 0, 1), select(a, 1))

@cute.kernel
def kern(m: cute.Tensor, f: cutlass.Float32) -> None:
    i, _, _ = cute.arch.thread_idx()
    m[i] = m[i] * f

kern(x, 2.0).launch(grid=1, block=4)
q = cute.make_layout((4, 8), stride=(8, 1))

@cute.kernel
def kern2(m: cute.Tensor, f: cutlass.Constexpr[int], tv: cute.Layout, shape: cute.Shape) -> None:
    y = cutlass.Float32(3) * 2 + m[0]
    m[None] = m.load() * f
    if f > 3:
        cute.arch.sync_threads()
    s = cute.math.sqrt(m.load()).reduce(cute.ReductionOp.ADD, 0.0)
    p = cutlass.utils.SmemAllocator().allocate_tensor(cutlass.Float16, tv, 16)
    cute.nvgpu.cpasync.CopyG2SOp()
    for i in cutlass.range(4):
        p[i] = y
