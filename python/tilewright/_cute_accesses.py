"""Copy operations between two kinds of memory by name: cute.nvgpu.CopyG2ROp from global memory to registers, CopyR2GOp, CopyS2ROp, CopyR2SOp. Each is a
load or store as CopyUniversalOp's, which refuses tensors of other memories. What the hardware's caches do changes no result.
"""
import enum

from ._cute_names import CopyOp


class _Access(CopyOp):
    def __init__(self, *_, **__):
        pass


def _op(name, source, destination, words):
    return type(name, (_Access,), {"memories": (source, destination), "__doc__": f"A load or store {words}."})


CopyG2ROp = _op("CopyG2ROp", "gmem", "rmem", "from global memory to registers")
CopyR2GOp = _op("CopyR2GOp", "rmem", "gmem", "from registers to global memory")
CopyS2ROp = _op("CopyS2ROp", "smem", "rmem", "from shared memory to registers")
CopyR2SOp = _op("CopyR2SOp", "rmem", "smem", "from registers to shared memory")


def check_memories(op, src, dst):
    """error: ValueError for tensors of other memories than the operation's"""
    wanted, given = getattr(op, "memories", None), (src.memspace, dst.memspace)
    if wanted is not None and wanted != given:
        raise ValueError(f"{type(op).__name__} copies from {wanted[0]} to {wanted[1]}, and this copy is from {given[0]} to {given[1]}")


class MemoryOrder(enum.Enum):
    """How an access is ordered with others."""

    WEAK, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SC, MMIO, CONSTANT, VOLATILE = range(9)


class MemoryScope(enum.Enum):
    """For which threads."""

    CTA, CLUSTER, GPU, SYS = range(4)


class L2PrefetchSize(enum.Enum):
    """How much a load brings into the L2 cache."""

    NONE, SIZE_64B, SIZE_128B, SIZE_256B = range(4)


class CacheEvictionPriority(enum.Enum):
    """Which lines leave a cache first."""

    EVICT_NORMAL, EVICT_FIRST, EVICT_LAST, EVICT_UNCHANGED, NO_ALLOCATE = range(5)


class StoreCacheMode(enum.Enum):
    """Which caches a store uses."""

    WRITE_BACK, GLOBAL, STREAMING, WRITE_THROUGH = range(4)
