"""Cluster launch control of Blackwell on the CPU: a cluster that has ended its tile takes the place of one that has not been launched.

    tile_sched.advance_to_next_work(barrier)     asks: 16 bytes are written to shared memory of all blocks of the cluster, and count at their barriers
    tile_sched.get_current_work()                the tile of the cluster whose place it takes; not valid if all have been launched

Clusters are launched one after another, so that the first one takes all others where it asks on.
"""
import numpy as np

from ._cute_arch import arch
from ._cute_barriers import phases_at
from ._cute_clusters import peer_pointer
from ._cute_launch import thread_of
from ._cute_layouts import round_up
from ._cute_numbers import Boolean, Int32
from ._cute_pipeline import _by_one, _converge
from ._cute_pipeline_umma import Umma
from ._cute_schedule import PersistentTileSchedulerParams, WorkTileInfo
from ._cute_tensor_memory import not_traced, once_by_warp

BYTES = 16
CLC = "cluster launch control"


def issue_clc_query(mbar_ptr, clc_response_ptr, multicast=True, **_):
    """One thread of a warp asks for a cluster that has not been launched: the answer's 16 bytes count at the barriers of the cluster's blocks."""
    not_traced("issue_clc_query", CLC)
    if not once_by_warp(("clc", id(mbar_ptr.memory), int(mbar_ptr.offset))):
        return
    me = thread_of("issue_clc_query")
    taken = next(me.block.cluster.others, None)
    answer = np.array([*taken[0].index, 1] if taken else [0, 0, 0, 0], np.int32).view(np.uint8)
    for rank in range(len(me.block.cluster.blocks)) if multicast else [me.block.rank_in_cluster]:
        there, phases = peer_pointer(clc_response_ptr, rank, me), phases_at(mbar_ptr, rank)
        bytes_ = there.memory.data.view(np.uint8)
        first = int(there.offset) * there.memory.data.itemsize
        if first % BYTES or first + BYTES > len(bytes_):
            raise ValueError(f"an answer of cluster launch control has {BYTES} bytes at a multiple of them, and the pointer is at byte {first} of {len(bytes_)}")

        def finish(bytes_=bytes_, first=first, phases=phases):
            bytes_[first:first + BYTES] = answer
            phases.change(expected_bytes=-BYTES, remote=True)
        phases.pending.append(finish)


def clc_response(result_addr, **_):
    """(x, y, z) of the first block of the cluster that an answer gives, and 1, or 0 where there was none."""
    not_traced("clc_response", CLC)
    there = result_addr.recast(Int32)
    return tuple(Int32((there + i).load()) for i in range(4))


arch.issue_clc_query, arch.clc_response = issue_clc_query, clc_response


class PipelineClcFetchAsync(Umma):
    """Stages of answers: the producer is one warp of the cluster's first block, and threads of all blocks read."""

    def _fills(self, group):
        return 1

    def wait_empty(self, index, phase, token=None):
        super().wait_empty(index, phase, token)
        ranks = range(len(thread_of("PipelineClcFetchAsync").block.cluster.blocks))
        _by_one(lambda: [arch.mbarrier_arrive_and_expect_tx(self.full(index), self.tx_count, rank) for rank in ranks])
        _converge()

    def _wait_released(self, index, phase):
        super().wait_empty(index, phase)

    def arrive_full(self, index):
        """Nothing: the answer itself fills the stage."""

    def arrive_empty(self, index):
        arch.mbarrier_arrive(self.empty(index), 0)


class ClcDynamicPersistentTileSchedulerParams:
    """Tiles of a problem and the blocks of a cluster. With a `swizzle_size` clusters are numbered as PersistentTileSchedulerParams numbers them."""

    def __init__(self, problem_shape_ntile_mnl, cluster_shape_mnk, swizzle_size=1, raster_along_m=True, **_):
        self.problem_shape_ntile_mnl = tuple(problem_shape_ntile_mnl)
        self.cluster_shape_mnk = (*tuple(cluster_shape_mnk)[:2], 1)
        self.order = PersistentTileSchedulerParams(self.problem_shape_ntile_mnl, self.cluster_shape_mnk, swizzle_size, raster_along_m)

    def get_grid_shape(self, **_):
        """The tiles, rounded up to whole clusters."""
        return round_up(self.problem_shape_ntile_mnl, self.cluster_shape_mnk)

    def tile_of(self, first, inside):
        """The tile of the block at a place of the cluster that begins at a block of the grid."""
        if self.order.swizzle_size > 1:
            m, n, _ = self.order.clusters
            x, y, z = (a // s for a, s in zip(first, self.cluster_shape_mnk))
            first = tuple(a * s for a, s in zip(self.order.cluster_at(x + m * (y + n * z)), self.cluster_shape_mnk))
        return tuple(a + i for a, i in zip(first, inside))


class ClcDynamicPersistentTileScheduler:
    """The tiles of one block: its own, and then those of clusters that it takes."""

    def __init__(self, params, block_idx, response):
        self.params, self._first, self._response, self._executed = params, tuple(block_idx), response, 0
        self._inside = tuple(i % c for i, c in zip(self._first, params.cluster_shape_mnk))

    @classmethod
    def create(cls, params, block_idx, grid_dim, clc_response_ptr, **_):
        """The scheduler of a block; answers are written to clc_response_ptr."""
        return cls(params, block_idx, clc_response_ptr)

    @staticmethod
    def get_grid_shape(params, **_):
        """A block for each tile."""
        return params.get_grid_shape()

    def initial_work_tile_info(self, **_):
        """The tile of the block's own index."""
        return WorkTileInfo(self.params.tile_of(tuple(a - i for a, i in zip(self._first, self._inside)), self._inside), Boolean(True))

    def get_current_work(self, **_):
        """The tile of the last answer."""
        *at, valid = clc_response(self._response)
        return WorkTileInfo(self.params.tile_of(tuple(map(int, at)), self._inside), Boolean(valid != 0))

    def advance_to_next_work(self, mbarrier_addr, **_):
        """Asks for another cluster's tile."""
        self._executed += 1
        issue_clc_query(mbarrier_addr, self._response)

    @property
    def num_tiles_executed(self):
        """How often it went on."""
        return self._executed
