"""Persistent kernels over groups of matrix products of different sizes: the tiles of all groups are numbered one group behind another, and a
tile's number is searched among them.

    sizes (M, N, K, L): (40, 32, 64, 1), (16, 64, 32, 1), tiles of 16 x 32 x 16      3 tiles of group 0, 2 of group 1
    tile 3: group 1, tile (0, 0), 2 tiles along K
"""
import dataclasses
from typing import Any

from ._cute_layouts import ceil_div
from ._cute_numbers import Boolean
from ._cute_schedule import StaticPersistentTileScheduler, WorkTileInfo
from ._cute_ssa import larger, select
from ._cute_values import active


@dataclasses.dataclass(frozen=True)
class GroupSearchResult:
    """A tile's group, where the tile is in it, and the group's sizes."""

    group_idx: Any
    cta_tile_idx_m: Any
    cta_tile_idx_n: Any
    problem_shape_m: Any
    problem_shape_n: Any
    problem_shape_k: Any
    cta_tile_count_k: Any


@dataclasses.dataclass(frozen=True)
class GroupedWorkTileInfo(WorkTileInfo):
    """A tile, whether there is one, and what group it is of."""

    group_search_result: Any


class GroupedGemmGroupSearchState:
    """Where a search begins: here each begins at the first group."""

    def __init__(self, start_group_idx=0, tile_count_prev_group=0, tile_count_searched=0, found=False):
        self.start_group_idx, self.tile_count_prev_group = start_group_idx, tile_count_prev_group
        self.tile_count_searched, self.found = tile_count_searched, found


def create_initial_search_state():
    """The state before a search."""
    return GroupedGemmGroupSearchState()


class GroupedGemmTileSchedulerHelper:
    """Finds the groups of tiles. `cluster_tile_shape_mnk`: the elements that the blocks of a cluster have together."""

    def __init__(self, group_count, tile_sched_params, cluster_tile_shape_mnk, search_state=None):
        self.group_count, self.tile_sched_params = group_count, tile_sched_params
        self.cluster_tile_shape_mnk, self.search_state = tuple(cluster_tile_shape_mnk), search_state

    def delinearize_z(self, cta_tile_coord, problem_shape_mnkl, **_):
        """The group of the tile (m, n, number) of a scheduler, whose sizes are row `group` of a tensor (groups, 4), and the tile's place there."""
        return self.searched(cta_tile_coord, problem_shape_mnkl)[0]

    def searched(self, cta_tile_coord, problem_shape_mnkl):
        """(what delinearize_z gives, the number of clusters' tiles of all groups)."""
        x, y, number = cta_tile_coord
        tile_m, tile_n, tile_k = self.cluster_tile_shape_mnk
        blocks_m, blocks_n = self.tile_sched_params.cluster_shape_mn
        found, before = [0] * 7, 0
        for group in range(self.group_count):
            m, n, k = (problem_shape_mnkl[group, i] for i in range(3))
            along_m, along_n = ceil_div(m, tile_m), ceil_div(n, tile_n)
            within, behind = number - before, before + along_m * along_n
            here = (number >= before) & (number < behind)
            rows = larger(along_m, 1)
            place = (group, within % rows * blocks_m + x % blocks_m, within // rows * blocks_n + y % blocks_n, m, n, k, ceil_div(k, tile_k))
            found, before = [select(here, new, old) for new, old in zip(place, found)], behind
        return GroupSearchResult(*found), before

    def search_cluster_tile_count_k(self, cta_tile_coord, problem_shape_mnkl, **_):
        """(tiles along K, group) of a tile of the scheduler."""
        found = self.delinearize_z(cta_tile_coord, problem_shape_mnkl)
        return found.cta_tile_count_k, found.group_idx


class StaticPersistentGroupTileScheduler(StaticPersistentTileScheduler):
    """The tiles of one block, of all groups."""

    @classmethod
    def create(cls, params, block_idx, grid_dim, cluster_tile_shape_mnk=None, initial_search_state=None, group_count=None, problem_shape_mnkl=None,
               **_):
        """The scheduler of the block at an index of a grid that get_grid_shape gave; the sizes of group g are row g of `problem_shape_mnkl`."""
        made = super().create(params, block_idx, grid_dim)
        made._helper = GroupedGemmTileSchedulerHelper(group_count, params, cluster_tile_shape_mnk, initial_search_state)
        made._sizes = problem_shape_mnkl
        return made

    def delinearize_z(self, cta_tile_coord, **_):
        """The group of a tile, and the tile's place there."""
        return self._helper.delinearize_z(cta_tile_coord, self._sizes)

    def get_current_work(self, **_):
        """The tile that it is at, with its group. There is one if a group has it: the host may not know how many tiles the groups have."""
        tile = super().get_current_work().tile_idx
        found, count = self._helper.searched(tile, self._sizes)
        valid = tile[2] < count
        return GroupedWorkTileInfo(tile, valid if active() else Boolean(valid), found)

    initial_work_tile_info = get_current_work
