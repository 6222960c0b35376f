"""Persistent kernels: a block works on one tile after another. The tiles of (M, N, L) go to clusters in turn.

    params = utils.PersistentTileSchedulerParams((4, 3, 1), (1, 1, 1))      # 12 tiles
    grid = utils.StaticPersistentTileScheduler.get_grid_shape(params, 5)    # (1, 1, 5): block 2 has tiles 2 and 7; tile 12 does not exist

In a traced kernel the number of the tile is a variable, so that a loop of the kernel may advance it.
"""
import dataclasses
import sys
from typing import Any

from ._cute_layouts import ceil_div, product
from ._cute_numbers import Boolean
from ._cute_ssa import smaller
from ._cute_values import active


@dataclasses.dataclass(frozen=True)
class WorkTileInfo:
    """A tile, (m, n, l), and whether there is one."""

    tile_idx: Any
    is_valid_tile: Any


class PersistentTileSchedulerParams:
    """Tiles of a problem, the blocks of a cluster, and the order of tiles: along M first or along N; `swizzle_size` clusters of the
    other mode are next to each other."""

    def __init__(self, problem_shape_ntile_mnl, cluster_shape_mnk, swizzle_size=1, raster_along_m=True, **_):
        if tuple(cluster_shape_mnk)[2:] not in ((), (1,)):
            raise ValueError(f"a cluster of {tuple(cluster_shape_mnk)} blocks shares K; its third extent is 1")
        if swizzle_size < 1:
            raise ValueError(f"swizzle_size is {swizzle_size}; it is 1 or more")
        self.problem_shape_ntile_mnl = tuple(problem_shape_ntile_mnl)
        self.cluster_shape_mn = tuple(cluster_shape_mnk)[:2]
        self.cluster_shape_mnk = (*self.cluster_shape_mn, 1)
        self.swizzle_size, self.raster_along_m = swizzle_size, raster_along_m
        #: The clusters along M, N and L.
        self.clusters = ceil_div(self.problem_shape_ntile_mnl, self.cluster_shape_mnk)

    def get_grid_shape(self, max_active_clusters, **_):
        """The grid of so many clusters, or fewer where there are fewer tiles."""
        count = product(self.clusters)
        return (*self.cluster_shape_mn, count if count < max_active_clusters else max_active_clusters)

    def cluster_at(self, number):
        """(m, n, l) of the cluster of tiles of that number; the last `swizzle_size` of the other mode may be fewer."""
        m, n, _ = self.clusters
        (fast, other), s = ((m, n) if self.raster_along_m else (n, m)), self.swizzle_size
        slice_, rest = number // (fast * other), number % (fast * other)
        group = rest // (fast * s)
        within, width = rest - group * (fast * s), smaller(other - group * s, s) if s > 1 else 1
        along, across = within // width, group * s + within % width
        return (along, across, slice_) if self.raster_along_m else (across, along, slice_)


class _Counter:
    """A number that a loop of the kernel may change."""

    def __init__(self, value):
        self._trace, self._value = active(), value
        if self._trace:
            self._value = self._trace.name("tile")
            self._trace.arrays.append(f"long long {self._value} = 0;")
            self.set(value)

    def get(self):
        return self._trace.let("index", self._value, positive=True) if self._trace else self._value

    def set(self, value):
        if self._trace:
            self._trace.line(f"{self._value} = {self._trace.converted(value, 'index')};")
        else:
            self._value = value


class StaticPersistentTileScheduler:
    """The tiles of one block: that of its cluster's number, and then each that is a grid of clusters further."""

    def __init__(self, params, number, step, in_cluster):
        self.params, self._step, self._in_cluster = params, step, in_cluster
        self._number, self._executed = _Counter(number), _Counter(0)

    @classmethod
    def create(cls, params, block_idx, grid_dim, **_):
        """The scheduler of the block at an index of a grid that get_grid_shape gave."""
        x, y, z = block_idx
        m, n = params.cluster_shape_mn
        return cls(params, z, product(tuple(grid_dim)) // (m * n), (x % m, y % n, 0))

    @staticmethod
    def get_grid_shape(params, max_active_clusters, **_):
        """The grid of so many clusters, or fewer where there are fewer tiles."""
        return params.get_grid_shape(max_active_clusters)

    def get_current_work(self, **_):
        """The tile that it is at."""
        params, number = self.params, self._number.get()
        at = params.cluster_at(number)
        valid = number < product(params.clusters)
        tile = tuple(c * s + i for c, s, i in zip(at, params.cluster_shape_mnk, self._in_cluster))
        return WorkTileInfo(tile, valid if active() else Boolean(valid))

    initial_work_tile_info = get_current_work

    def advance_to_next_work(self, *, advance_count=1, **_):
        """Goes on to the next tile of the block."""
        self._number.set(self._number.get() + advance_count * self._step)
        self._executed.set(self._executed.get() + 1)

    @property
    def num_tiles_executed(self):
        """How often it went on."""
        return self._executed.get()


class StaticPersistentRuntimeTileScheduler(StaticPersistentTileScheduler):
    """The same of parameters that a kernel makes. `inner_mode`: of clusters (M, N, L), the mode that neighbours differ in, 0 or 1."""

    @classmethod
    def create(cls, params, block_idx, grid_dim, inner_mode=1, **_):
        """The scheduler of the block at an index of a grid."""
        if inner_mode not in (0, 1):
            raise ValueError(f"inner_mode is {inner_mode}; clusters are numbered along M (0) or N (1)")
        if params.raster_along_m != (inner_mode == 0):
            params = PersistentTileSchedulerParams(params.problem_shape_ntile_mnl, params.cluster_shape_mnk, params.swizzle_size, inner_mode == 0)
        return super().create(params, block_idx, grid_dim)


class HardwareInfo:
    """Of the GPU that programs run on; an H200's on a CPU."""

    def __init__(self, device_id=0):
        self.device_id = device_id

    def get_device_multiprocessor_count(self):
        """The number of multiprocessors."""
        torch = sys.modules.get("torch")
        try:
            return torch.cuda.get_device_properties(self.device_id).multi_processor_count
        except (AttributeError, AssertionError, RuntimeError):
            return 132

    def get_max_active_clusters(self, cluster_size, *_, **__):
        """How many clusters of so many blocks run at the same time, a block on each multiprocessor."""
        return self.get_device_multiprocessor_count() // int(cluster_size)

    def get_l2_cache_size_in_bytes(self):
        """The bytes of the cache that all multiprocessors share."""
        return 50 << 20
