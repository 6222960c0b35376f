"""The redistributions that on_gpu.py measures: a published list of families, and 30 cases drawn from it by a seed.

A case has a tensor's shape, one placement on a mesh of one axis for each side, and the order of each side's local tensors. The
families: rows to columns and back, axes of tensors of rank 3 and 4, transposes, uneven extents, cyclic and block-cyclic rows,
gathers of all parts, parts of a replica, and the same sharding in another local order.
"""
import dataclasses
import math
import random

BYTES = {"bf16": 2, "f32": 4, "f64": 8}
MIB = [64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192]  # a rank
FAMILIES = {
    # name: (axes, from, to, order of from, order of to, odd extents)
    "rows to columns": (2, "S0", "S1", "C", "C", False),
    "columns to rows": (2, "S1", "S0", "C", "C", False),
    "uneven rows to columns": (2, "S0", "S1", "C", "C", True),
    "transpose": (2, "S0", "S1", "C", "F", False),
    "axis 0 to 2 of 3": (3, "S0", "S2", "C", "C", False),
    "axis 1 to 0 of 3": (3, "S1", "S0", "C", "C", False),
    "axis 2 to 1 of 4": (4, "S2", "S1", "C", "C", False),
    "cyclic rows to blocks": (2, "C0", "S0", "C", "C", False),
    "block-cyclic rows to columns": (2, "B0/64", "S1", "C", "C", False),
    "blocks of 48 to blocks of 64": (2, "B0/48", "B0/64", "C", "C", False),
    "gather of all parts": (2, "S0", "R", "C", "C", False),
    "part of a replica": (2, "R", "S1", "C", "C", False),
    "transposed parts": (2, "S0", "S0", "C", "F", False),
}


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    element: str
    shape: tuple
    source: str
    target: str
    orders: tuple

    @property
    def bytes(self):
        return math.prod(self.shape) * BYTES[self.element]

    def is_dtensor(self):
        return self.orders == ("C", "C") and all(p[0] in "SR" for p in (self.source, self.target))


def shape_of(axes, elements, odd):
    side = round(elements ** (1 / axes))
    side = max(16, side // 16 * 16)
    shape = [side] * axes
    shape[0] = max(16, elements // side ** (axes - 1) // 16 * 16)
    return tuple(n + 3 for n in shape) if odd else tuple(shape)


def drawn(ranks, number=30, seed=1, max_mib=8192):
    rng = random.Random(seed)
    names = list(FAMILIES)
    out = []
    for i in range(number):
        name = names[i % len(names)]
        axes, source, target, one, other, odd = FAMILIES[name]
        element = rng.choice(list(BYTES))
        mib = min(rng.choice(MIB), max_mib)
        # A replica is whole on each rank: it, and not a part of it, has the size.
        whole = mib << 20 if "R" in (source, target) else (mib << 20) * ranks
        shape = shape_of(axes, whole // BYTES[element], odd)
        out.append(Case(f"{name} {'x'.join(map(str, shape))}", element, shape, source, target, (one, other)))
    return out


def indices(placement, extent, ranks, rank):
    """What the rank has of an axis, in the order of its local tensor, as the placement's definition says it."""
    kind, rest = placement[0], placement.partition("/")
    if kind == "S":
        block = -(-extent // ranks)
        return range(min(rank * block, extent), min((rank + 1) * block, extent))
    if kind == "C":
        return range(rank, extent, ranks)
    block = int(rest[2])
    return [i for first in range(rank * block, extent, ranks * block) for i in range(first, min(first + block, extent))]


def axes_of(placement, shape, ranks, rank):
    """The indices that the rank has of each axis."""
    sharded = int(placement.partition("/")[0][1:]) if placement[0] != "R" else -1
    return [indices(placement, n, ranks, rank) if axis == sharded else range(n) for axis, n in enumerate(shape)]
