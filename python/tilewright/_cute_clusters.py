"""Clusters of blocks: where a block is in its cluster, the cluster's barrier, and the shared memory of its other blocks."""
from ._cute_launch import thread_of
from ._cute_numbers import Int32
from ._cute_values import active, Value

HEADER = "tilewright/atom/ptx/cluster.hpp"


def peer_pointer(pointer, rank, me):
    """The same place in the shared memory of the block of that rank.  error: ValueError for a rank that the cluster has not"""
    from ._cute_tensor import Pointer
    if pointer.memspace != "smem":
        raise TypeError(f"blocks of a cluster reach each other's shared memory, and the pointer is {pointer}")
    blocks = me.block.cluster.blocks
    if not 0 <= int(rank) < len(blocks):
        raise ValueError(f"there is no block {int(rank)} in a cluster of {len(blocks)} (block {me.block.index}, thread {me.index})")
    peer, number = blocks[int(rank)], pointer.memory.number
    if number not in peer.memory:  # the block will allocate the same
        root = me.block.memory[number].memory
        made = peer.memory[number] = Pointer.allocate(root.count, root.dtype, "smem")
        made.memory.number = number
    memory = peer.memory[number].memory
    for step, *arguments in pointer.memory.path:
        memory = getattr(memory, step)(*arguments)
    return Pointer(memory, pointer.offset, pointer.origin)


def _three(text):
    trace = active()
    trace.headers.add(HEADER)
    name = trace.name("c")
    trace.line(f"const tilewright::dim3 {name} = tilewright::ptx::{text}();")
    return tuple(trace.let("index", f"{name}.{axis}", positive=True) for axis in "xyz")


def _line(text):
    active().headers.add(HEADER)
    active().line(f"tilewright::ptx::{text}();")


class Clusters:
    """What a block knows of its cluster. A launch without clusters has clusters of one block."""

    @staticmethod
    def cluster_idx(**_):
        """(x, y, z) of the cluster in the grid."""
        return _three("cluster_index") if active() else tuple(map(Int32, thread_of("cluster_idx").block.cluster.index))

    @staticmethod
    def cluster_dim(**_):
        """The clusters of the grid along x, y and z."""
        return _three("cluster_grid") if active() else tuple(map(Int32, thread_of("cluster_dim").block.cluster.grid))

    @staticmethod
    def block_in_cluster_idx(**_):
        """(x, y, z) of the block in its cluster."""
        if active():
            return (0, 0, 0) if active().cluster == (1, 1, 1) else _three("block_in_cluster")
        block = thread_of("block_in_cluster_idx").block
        return tuple(i % s for i, s in zip(block.index, block.cluster.shape))

    @staticmethod
    def block_in_cluster_dim(**_):
        """The blocks of a cluster along x, y and z."""
        return active().cluster if active() else thread_of("block_in_cluster_dim").block.cluster.shape

    @staticmethod
    def block_idx_in_cluster(**_):
        """The block's number in its cluster, x fastest."""
        if active():
            active().headers.add(HEADER)
            return 0 if active().cluster == (1, 1, 1) else active().let("index", "tilewright::ptx::cluster_rank()", positive=True)
        return thread_of("block_idx_in_cluster").block.rank_in_cluster

    @staticmethod
    def cluster_size(**_):
        """The blocks of a cluster."""
        x, y, z = Clusters.block_in_cluster_dim()
        return x * y * z

    @staticmethod
    def cluster_arrive(aligned=None, **_):
        """Arrives at the barrier of the cluster's threads; cluster_wait waits there."""
        return _line("cluster_arrive") if active() else thread_of("cluster_arrive").cluster_arrive()

    @staticmethod
    def cluster_arrive_relaxed(aligned=None, **_):
        """The same; on a GPU it orders no accesses to memory."""
        return _line("cluster_arrive_relaxed") if active() else thread_of("cluster_arrive_relaxed").cluster_arrive()

    @staticmethod
    def cluster_wait(aligned=None, **_):
        """Waits until every thread of the cluster has arrived."""
        return _line("cluster_wait") if active() else thread_of("cluster_wait").cluster_wait()

    @staticmethod
    def mapa(ptr, cta_rank_in_cluster=0, **_):
        """A pointer to the same place in the shared memory of the block of that number."""
        if not active():
            return peer_pointer(ptr, cta_rank_in_cluster, thread_of("mapa"))
        from ._cute_tensor import Pointer
        from ._cute_trace_memory import TracedMemory
        from ._cute_values import pointed
        trace, memory = active(), ptr.memory
        trace.headers.add(HEADER)
        of, name = pointed(memory.kind), trace.name("peer")
        rank = trace.converted(cta_rank_in_cluster, "uint32") if isinstance(cta_rank_in_cluster, Value) else f"{int(cta_rank_in_cluster)}u"
        trace.line(f"{of}* const {name} = static_cast<{of}*>(tilewright::ptx::map_shared(static_cast<void const*>({memory.name}), {rank}));")
        return Pointer(TracedMemory(trace, name, memory.kind, memory.dtype, memory.space, memory.count), ptr.offset, ptr.origin)

    map_dsmem_ptr = mapa
