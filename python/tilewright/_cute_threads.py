"""What a kernel's threads, blocks and clusters know on the CPU: where they are, which barriers they have passed, which memory is theirs."""
import contextvars

from ._cute_order import join, Order
from ._cute_turns import FULL, next_serial, WARP
from ._cute_waiting import Condition

_here = contextvars.ContextVar("thread", default=None)

SHARED_BYTES = 227 << 10  # of a block
ASKED = 16  # atomic operations until others run


def note_addressed(memory):
    """Remembers shared memory of which a thread has an address."""
    me = _here.get()
    if me is not None:
        me.block.cluster.addressed.setdefault(id(memory), memory)


def let_others_run(now=False):
    """Other threads of the block run on; called where a thread may wait for them in a loop.  error: RuntimeError where it is the only
    one that can run, and goes on asking."""
    me = _here.get()
    if me is None:
        return
    me.asked += 1
    if now or me.asked % ASKED == 0:
        me.turns.give_way(me)


class Thread:
    """What a kernel's thread knows of itself."""

    def __init__(self, block, index, thread):
        self.block, self.index, self.thread, self.allocations = block, index, thread, 0
        self.turn = block.first + index  # its number among the threads that run together
        self.barriers = self.warp_barriers = self.cluster_arrivals = 0  # passed so far
        self.acquired = self.cluster_acquired = -1  # accesses of the block, of the cluster up to this number are ordered with this thread
        self.warp_acquired, self.order = -1, Order()  # the same of its warp; and by atomic operations
        self.asked = self.alone = 0  # atomic operations, and those since another thread ran
        self.copies: list = [[]]  # groups of asynchronous copies that are in flight; the last one is not committed
        self.bulk: list = [[]]  # the same of bulk copies to global memory
        self.asked_for: dict = {}  # copy of a warp -> how often
        self.products: list = [[]]  # groups of a warpgroup's products that are in flight; the last one is not committed
        self.carry = 0  # of add_cc
        self.partial: dict = {}  # lanes of the warp -> barriers of theirs passed
        self.started, self.fields = 0, {}  # products so far; what TiledMma.set() set: the operation's fields -> value

    @property
    def warp(self):
        return self.index // WARP

    def sync(self):
        """Waits until every thread of the block is here."""
        self.acquired = max(self.acquired, self._meet(("block", self.block.rank), self.barriers))
        self.barriers += 1

    def sync_warp(self, lanes=-1):
        """Waits until every thread of the warp is here, or those of the lanes that have a bit.  error: ValueError for a lane without one"""
        if self._is_whole_warp(lanes):
            self.warp_acquired = max(self.warp_acquired, self._meet(("warp", self.block.rank, self.warp), self.warp_barriers))
            self.warp_barriers += 1
            return
        if not lanes >> self.index % WARP & 1:
            raise ValueError(f"lane {self.index % WARP} calls an operation of the lanes {lanes & FULL:#x} and is not one of them; give a mask with the bits "
                             f"of all lanes that come here (block {self.block.index}, thread {self.index})")
        count = self.partial[lanes] = self.partial.get(lanes, 0) + 1
        at, first = self._meet(("warp", self.block.rank, self.warp, lanes), count), self.index - self.index % WARP
        join(self.order.seen, {(self.block.index, first + i): at for i in range(WARP) if lanes >> i & 1})

    def _is_whole_warp(self, lanes):
        x, y, z = self.block.shape
        here = FULL if self.warp < x * y * z // WARP else (1 << x * y * z % WARP) - 1
        return here & ~lanes == 0

    def _meet(self, group, count):
        """Waits at a barrier, and is ordered with what the others are ordered with; the number that no access before it has."""
        offered, key = self.block.offered, (group, count)
        if self.order:
            self.order.meet(offered.setdefault(key, ({}, {})))
        self.turns.barrier(self, group)
        if offered:
            if key in offered:
                self.order.met(offered[key])
            offered.pop((group, count - 2), None)  # every thread has passed it
        return self.turns.completed.get(group, -1)

    def clock(self):
        """What this thread did and is ordered with, as atomic operations release it."""
        block, first = self.block.index, self.index - self.index % WARP
        made = dict.fromkeys(self.block.peers, self.cluster_acquired)
        made[block] = self.acquired
        if self.warp_acquired > self.acquired:
            made.update({(block, first + i): self.warp_acquired for i in range(WARP)})
        made[block, self.index] = next_serial()
        join(made, self.order.seen)
        return made

    def cluster_arrive(self):
        """Arrives at the cluster's barrier.  error: RuntimeError for a second time without waiting"""
        if self.cluster_arrivals % 2:
            raise RuntimeError(f"thread {self.index} of block {self.block.index} arrives twice at the cluster's barrier; call cluster_wait "
                               "after each cluster_arrive")
        self.cluster_arrivals += 1
        self.block.cluster.arrive(self)

    def cluster_wait(self):
        """Waits until every thread of the cluster has arrived."""
        if not self.cluster_arrivals % 2:
            raise RuntimeError(f"thread {self.index} of block {self.block.index} waits at the cluster's barrier, where it has not arrived; "
                               "call cluster_arrive before cluster_wait")
        self.cluster_arrivals += 1
        cluster, phase = self.block.cluster, self.cluster_arrivals // 2
        self.turns.wait_until(self, Condition(lambda: cluster.has_ended(phase, self.turns), ("cluster", id(cluster), phase)))
        self.acquired = self.cluster_acquired = max(self.acquired, self.cluster_acquired, cluster.ended)

    def converge(self):
        """Waits until every thread of the warp is here, or no thread can run otherwise: those of a warp run together on a GPU."""
        if self.turns.converge(self):
            self.warp_barriers += 1

    def exchanged(self, value, lanes=-1):
        """{lane: value} of the threads of the warp, or of the lanes that have a bit, which all are here."""
        count = self.warp_barriers if self._is_whole_warp(lanes) else (lanes, self.partial.get(lanes, 0))
        given = self.block.exchanges.setdefault((self.warp, count), {})
        given[self.index % WARP] = value
        self.sync_warp(lanes)
        return given


class Cluster:
    """Blocks that may reach each other's shared memory. `blocks`: in the order of ranks."""

    def __init__(self, index, shape, grid):
        self.index, self.shape, self.grid = index, shape, grid  # the grid in clusters
        self.blocks: list = []
        self.mbarriers: dict = {}  # address -> Phases
        self.arrived: dict = {}  # turn of a thread -> phases of the cluster's barrier that it arrived at
        self.ended = -1
        self.others = iter(())  # clusters that are not launched yet
        self.addressed: dict = {}  # id -> shared memory of which a thread asked for an address

    def arrive(self, me):
        self.arrived[me.turn] = self.arrived.get(me.turn, 0) + 1
        if self.has_ended(self.arrived[me.turn], me.turns):
            self.ended = next_serial()

    def has_ended(self, phase, turns):
        """Have all threads arrived that have not ended?"""
        count = turns.count
        return all(self.arrived.get(t, 0) >= phase for t in turns.alive if turns.blocks[t // count].cluster is self)


class Block:
    def __init__(self, index, grid, shape, launch, cluster, number, smem, published):
        """`number`: of the block among those that run together; `smem`: bytes that the launch asks for; `published`: what atomic operations of the
        launch release, by address"""
        self.published, self.offered = published, {}  # and by barriers: (barrier, how often) -> clocks
        self.smem, self.shared_bytes = smem, 0
        self.index, self.grid, self.shape, self.launch, self.memory = index, grid, shape, launch, {}
        self.cluster, self.rank, self.first = cluster, number, number * shape[0] * shape[1] * shape[2]
        self.rank_in_cluster = len(cluster.blocks)
        cluster.blocks.append(self)
        self.peers: set = set()  # indices of the cluster's other blocks
        self.mbarriers = cluster.mbarriers
        self.elected: dict = {}  # copy of a warp -> how often it was started
        self.by_number: dict = {}  # (number, threads) -> Phases
        self.products: dict = {}  # (warpgroup, number of a product) -> what its threads share of it
        self.exchanges: dict = {}  # (warp, barriers of the warp passed) -> {lane: value}

    def count_shared(self, bytes_):
        """Counts shared memory that the block allocates.  error: ValueError beyond what a block has"""
        self.shared_bytes += bytes_
        if self.shared_bytes > SHARED_BYTES:
            raise ValueError(f"the kernel allocates {self.shared_bytes} bytes of shared memory; a block has {SHARED_BYTES}")

    def named(self, number, count):
        """The barrier of that number for so many threads."""
        from ._cute_barriers import Phases
        return self.by_number.setdefault((int(number), count), Phases(count, f"barrier {int(number)} of {count} threads"))


def current():
    """((barriers of the block, of the warp), block, thread, launch, acquired, other blocks of the cluster, acquired of those, acquired by atomic
    operations) of the kernel's thread that runs; None outside of kernels."""
    me = _here.get()
    return None if me is None else ((me.barriers, me.warp_barriers), me.block.index, me.index, me.block.launch, me.acquired,
                                    me.block.peers, me.cluster_acquired, me.order.seen)


def thread_here():
    """The kernel's thread that runs; None outside of kernels."""
    return _here.get()


def thread_of(what):
    me = _here.get()
    if me is None:
        raise RuntimeError(f"cute.arch.{what}() is known in kernels only; launch the function as a kernel")
    return me


def as_thread(me, function, arguments):
    """Runs a function as one thread, to the end of its bulk copies."""
    token = _here.set(me)
    try:
        function(*arguments)
        for finish in (f for group in me.bulk for f in group):
            finish()
    finally:
        _here.reset(token)
