"""Pipelines whose stages products of Blackwell read or write (tcgen05): a stage is empty, or full, when the products that were started before are done.

Of two blocks that multiply together the one of even rank starts the products; its barriers get the bytes of both blocks' copies, and products arrive at
the barriers of both.
"""
from ._cute_arch import arch
from ._cute_layouts import size as layout_size
from ._cute_pipeline import Converging, _barriers, _by_one, _converge, _initialized, pipeline_init_arrive, pipeline_init_wait
from ._cute_tensor_memory import once_by_warp, not_traced
from ._cute_umma import commit


class Umma(Converging):
    """A pipeline with products. `layout`: the blocks of the cluster as (block of a pair, m, n, k), None for one block."""

    layout, mcast, is_leader = None, (1, 1), True

    @classmethod
    def create(cls, *, num_stages, producer_group, consumer_group, barrier_storage=None, cta_layout_vmnk=None, mcast_mode_mn=(1, 1), tx_count=0,
               defer_sync=False, **_):
        """As PipelineAsync's; `cta_layout_vmnk`: the blocks of the cluster, `mcast_mode_mn`: along which of M and N they share tiles; with
        `defer_sync` the program waits for the barriers itself."""
        not_traced(cls.__name__)
        barriers = _barriers(barrier_storage, 2 * num_stages)
        out = cls(barriers, num_stages)
        out.tx_count = tx_count
        if cta_layout_vmnk is not None and layout_size(cta_layout_vmnk) > 1:
            out.layout, out.mcast = cta_layout_vmnk, tuple(mcast_mode_mn)
            out.is_leader = int(out._here()[0]) == 0
        _initialized([(barriers + i, out._fills(producer_group)) for i in range(num_stages)]
                     + [(barriers + num_stages + i, out._frees(consumer_group)) for i in range(num_stages)])
        if not defer_sync:
            pipeline_init_arrive(out.layout)
            pipeline_init_wait(out.layout)
        return out

    def _here(self):
        return self.layout.get_flat_coord(arch.block_idx_in_cluster())

    @property
    def _in_pairs(self):
        return self.layout is not None and layout_size(self.layout, [0]) == 2

    def _leader(self):
        """The rank of the block that starts this one's products; None for this block itself."""
        return arch.block_idx_in_cluster() & ~1 if self._in_pairs and not self.is_leader else None

    def _pair(self):
        """The bits of the two blocks; None for a block by itself."""
        return 3 << (arch.block_idx_in_cluster() & ~1) if self._in_pairs else None

    def _sharing(self):
        """The bits of the blocks that share a tile with this one or its pair; None for a block by itself."""
        if self.layout is None:
            return None
        (_, m, n, k), mask = self._here(), 0
        for rank in range(layout_size(self.layout)):
            _, row, column, depth = self.layout.get_flat_coord(rank)
            if depth == k and (row == m and column == n or row == m and self.mcast[0] or column == n and self.mcast[1]):
                mask |= 1 << rank
        return mask

    def _fills(self, group):
        return group.size

    def _frees(self, group):
        return group.size

    def _by_products(self, barrier, mask):
        """The products of the warp arrive when they are done; one of its threads says so, or the one that the program elected."""
        _converge()
        if once_by_warp(("commit", id(barrier.memory), int(barrier.offset))):
            commit(barrier, mask)

    _wait_released = Converging.wait_empty


class PipelineTmaUmma(Umma):
    """Stages that TMA fills and products read."""

    def _fills(self, group):
        return 1

    def wait_empty(self, index, phase, token=None):
        super().wait_empty(index, phase, token)
        if self.is_leader:
            _by_one(lambda: arch.mbarrier_arrive_and_expect_tx(self.full(index), self.tx_count))

    def _wait_released(self, index, phase):
        super().wait_empty(index, phase)

    def arrive_full(self, index):
        """Nothing: the copies themselves fill the stage."""

    def arrive_empty(self, index):
        self._by_products(self.empty(index), self._sharing())


class PipelineUmmaAsync(Umma):
    """Stages that products write, sums in tensor memory, and threads read."""

    def _fills(self, group):
        return 1

    def arrive_full(self, index):
        self._by_products(self.full(index), self._pair())

    def arrive_empty(self, index):
        arch.mbarrier_arrive(self.empty(index), self._leader())

    def _wait_released(self, index, phase):
        if self.is_leader:  # the other block starts no products
            self.wait_empty(index, phase)


class PipelineAsyncUmma(Umma):
    """Stages that threads write and products read."""

    def arrive_full(self, index):
        arch.mbarrier_arrive(self.full(index), self._leader())

    def arrive_empty(self, index):
        self._by_products(self.empty(index), self._pair())


