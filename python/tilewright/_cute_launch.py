"""Running kernels on the CPU: the threads of a block take turns, and change over at barriers. Where arguments are in a GPU's
memory, _cute_gpu runs them there; what a thread asks of its place, a trace answers then."""
import contextvars
import functools
import inspect
import itertools
import threading

from ._cute_calls import exporting, not_repeated
from ._cute_control import for_a_cpu, rewritten
from ._cute_order import join, Order
from ._cute_values import active
from ._cute_tree import mapped
from ._cute_waiting import Condition, Waiting

_here = contextvars.ContextVar("thread", default=None)


WARP, FULL = 32, 0xffffffff
SHARED_BYTES = 227 << 10  # of a block
ASKED, ASKED_ALONE = 16, 2000  # atomic operations until others run, and in a loop that nothing can end
_launches, _serials = itertools.count(), itertools.count()


def next_serial():
    """The number of an access to memory: larger than those of all before."""
    return next(_serials)


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


class _Thread:
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
            raise ValueError(f"lane {self.index % WARP} calls an operation of the lanes {lanes & FULL:#x}, of which it is none; give a mask with the bits "
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


class _Cluster:
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


class _Block:
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


class Stopped(BaseException):
    """Another thread of the block has failed."""


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


class _Turns:
    """Runs the threads of blocks one at a time, in the order of their numbers, and changes over at barriers and at ends.

    A thread that ends hands its system thread to the next that has not begun, so that a kernel without barriers needs one. One
    that waits keeps its system thread, and another is started.
    """

    def __init__(self, blocks, count, body):
        """`count`: threads of each block; body(turn of a thread)"""
        self.blocks, self.count = blocks, count
        self.alive, self.begun, self.body = dict.fromkeys(range(len(blocks) * count)), 0, body  # alive: in order
        self.waiting = Waiting(len(self.alive))  # thread -> ("block", its number), ("warp", that, its warp), or a condition
        self.parked: dict = {}   # thread -> the lock that its system thread waits for
        self.workers: list = []
        self.completed: dict = {}  # barrier -> the number that no access before its last end has
        self.converged: set = set()  # threads of warps that came together, and have not gone on
        self.failure = None

    def run(self):
        """Runs all threads.  Raises what the first of them raised."""
        try:
            self._work()
            for worker in self.workers:  # grows while it is iterated: a worker starts others before it ends
                worker.join()
        except BaseException as interrupt:  # Ctrl-C
            self._fail(interrupt)
            raise
        if self.failure is not None:
            raise self.failure

    def _next(self, after=-1):
        """The first thread behind `after` that can run, or the first of all; None where there is none."""
        found = self._first() if after < 0 else self._first_behind(after)
        if found is None:
            for t in self.alive:  # a thread of a warp whose others do not come
                if not callable(self.waiting[t]) and self.waiting[t][0] == "converging":
                    del self.waiting[t]
                    return t
        return found

    def _first(self):
        while True:
            ready, serial = self.waiting.first_ready(self.alive), next_serial()
            for t, wanted in self.waiting.first_of_groups():
                if ready is not None and ready < t:
                    break
                if wanted():
                    del self.waiting[t]
                    return t
            if ready is not None or next_serial() == serial + 1:  # else a condition has ended a phase that another one waits for
                return ready

    def _first_behind(self, after):
        for t in sorted(self.alive, key=lambda t: t <= after):
            wanted = self.waiting.get(t)
            if callable(wanted) and wanted():
                del self.waiting[t]
            if t not in self.waiting:
                return t
        return None

    def _work(self, first=None):
        """pre: it is this system thread's turn, and the next thread, `first` if it is given, has not begun"""
        while True:
            i, first = self._next() if first is None else first, None
            if i is None or self.failure is not None:
                return
            if i in self.parked:
                self.parked.pop(i).release()
                return
            self.begun += 1
            failure = None
            try:
                self.body(i)
            except Stopped:
                return
            except BaseException as e:  # noqa: B902  handed to the caller of the launch
                failure = e
            self._leave(i, failure)

    def _members(self, group):
        first = group[1] * self.count
        every = range(first, first + self.count) if group[0] == "block" else \
            range(first + group[2] * WARP, first + min((group[2] + 1) * WARP, self.count))
        lanes = group[3] if len(group) > 3 else -1
        return [t for t in every if t in self.alive and lanes >> (t - first) % WARP & 1]

    def barrier(self, me, group):
        self.waiting[me.turn] = group
        members = self._members(group)
        if all(self.waiting.get(t) == group for t in members):
            self.completed[group] = next_serial()
            for t in members:
                del self.waiting[t]
        self._hand_over(me)

    def converge(self, me):
        """Did all threads of the warp come?"""
        group = self.waiting[me.turn] = ("converging", me.block.rank, me.warp)
        members = self._members(group)
        if all(self.waiting.get(t) == group for t in members):
            for t in members:
                del self.waiting[t]
            self.converged.update(members)
        self._hand_over(me)
        came = me.turn in self.converged
        self.converged.discard(me.turn)
        return came

    def wait_until(self, me, condition):
        """Lets others run until the condition holds."""
        if condition():
            return
        self.waiting[me.turn] = condition
        self._hand_over(me)

    def give_way(self, me):
        """Lets the threads behind this one run, then those before it."""
        i = self._next(me.turn)
        if i != me.turn:
            me.alone = 0
            return self._hand_over(me, i)
        me.alone += 1
        if me.alone > ASKED_ALONE:
            what = "block" if len(self.blocks) == 1 else "blocks"
            raise RuntimeError(f"thread {me.index} of block {me.block.index} waits in a loop, and no other thread of its {what} can run; "
                               "blocks run one after another here, so none can wait for a later one")

    def _hand_over(self, me, to=None):
        """To that thread, or the next one that can run, until it is the turn of `me` again."""
        i = self._next() if to is None else to
        if i == me.turn:
            return
        if i is None:
            waiting = [t for t, g in self.waiting.items() if callable(g)]
            if len(waiting) == len(self.waiting):
                self._fail(RuntimeError(f"threads {sorted({t % self.count for t in waiting})[:4]} wait for barriers in shared memory, or of a number, whose phase does not end, and no other thread "
                                        "can run; a phase ends with as many arrivals as mbarrier_init says and all bytes that it expects"))
                raise Stopped
            self._fail(RuntimeError(f"threads wait at different barriers: {self._waiting_text()}; every thread of a block or a warp "
                                    "must reach the same ones"))
            raise Stopped
        mine = threading.Lock()
        mine.acquire()
        self.parked[me.turn] = mine
        if self.failure is not None:  # set before the locks are released, so one of the two is seen
            raise Stopped
        if i in self.parked:
            self.parked.pop(i).release()
        else:
            worker = threading.Thread(target=self._work, args=(i,), daemon=True)
            self.workers.append(worker)
            worker.start()
        mine.acquire()  # until it is this thread's turn
        if self.failure is not None:
            raise Stopped

    def _waiting_text(self):
        groups = sorted({"a pipeline's" if callable(g) else "the block's" if g[0] == "block" else f"that of warp {g[2]}"
                         for g in self.waiting.values()})
        return ", ".join(groups)

    def _leave(self, i, failure):
        del self.alive[i]
        if failure is None and self.waiting and self.alive and self._next() is None:
            failure = RuntimeError(f"thread {i % self.count} ended while threads {[t % self.count for t in sorted(self.waiting)[:4]]} wait at a barrier that it "
                                   "never reached; every thread of a block must reach each barrier")
        if failure is not None:
            self._fail(failure)

    def _fail(self, failure):
        """Ends all threads that wait."""
        if self.failure is None:
            self.failure = failure
        for lock in list(self.parked.values()):
            lock.release()
        self.parked.clear()


def _run_together(function, arguments, blocks):
    """Runs blocks whose threads may wait for each other."""
    x, y, z = blocks[0].shape
    count = x * y * z

    def body(turn):
        i = turn % count
        me = _Thread(blocks[turn // count], i, (i % x, i // x % y, i // (x * y)))
        me.turns = turns
        token = _here.set(me)
        try:
            function(*arguments)
            for finish in (f for group in me.bulk for f in group):
                finish()
        finally:
            _here.reset(token)
    turns = _Turns(blocks, count, body)
    turns.run()
    for phases in {id(p): p for b in blocks for p in b.mbarriers.values()}.values():
        phases.finish()


def _clusters(grid, block, cluster, number, smem=None):
    """The blocks of each cluster in the order of ranks, cluster by cluster."""
    (sx, sy, sz), (cx, cy, cz) = cluster, tuple(g // c for g, c in zip(grid, cluster))
    published: dict = {}
    for at in range(cx * cy * cz):
        index = (at % cx, at // cx % cy, at // (cx * cy))
        made = _Cluster(index, cluster, (cx, cy, cz))
        for r in range(sx * sy * sz):
            inside = (r % sx, r // sx % sy, r // (sx * sy))
            _Block(tuple(i * s + j for i, s, j in zip(index, cluster, inside)), grid, block, number, made, r, smem, published)
        every = {b.index for b in made.blocks}
        for one in made.blocks:
            one.peers = every - {one.index}
        yield made.blocks


def _three(extents, what):
    extents = tuple(extents) if isinstance(extents, (tuple, list)) else (extents,)
    extents = tuple(e[0] if isinstance(e, tuple) and len(e) == 1 else e for e in extents)  # such as the shape of a tensor's only mode
    if not all(hasattr(e, "__index__") for e in extents):
        raise TypeError(f"{what} is {extents}; it has up to three extents, which are integers")
    extents = tuple(e.__index__() for e in extents)
    extents = extents + (1,) * (3 - len(extents))
    if len(extents) != 3 or any(e < 1 for e in extents):
        raise ValueError(f"{what} is {extents}; it has up to three extents of 1 or more")
    return extents


def _tensors(arguments):
    """Arrays become tensors, those in tuples, lists, dictionaries and dataclasses too; whatever else there is stays."""
    from ._cute_tensor import as_tensor, is_array
    return [mapped(a, lambda x: as_tensor(x) if is_array(x) else x) for a in arguments]


MAX_CLUSTER, MAX_TOGETHER = 8, 4096  # blocks of a cluster; threads that the CPU runs together


def _checked_cluster(cluster, grid):
    """error: ValueError for clusters that no GPU runs, or that do not divide the grid"""
    cluster = _three(cluster or 1, "cluster")
    if cluster[0] * cluster[1] * cluster[2] > MAX_CLUSTER:
        raise ValueError(f"a cluster of {cluster} has {cluster[0] * cluster[1] * cluster[2]} blocks; it has at most {MAX_CLUSTER}")
    if any(g % c for g, c in zip(grid, cluster)):
        raise ValueError(f"a grid of {grid} blocks is not made of clusters of {cluster}; each extent of the grid is a multiple of the "
                         "cluster's")
    return cluster


def launch(function, arguments, grid, block, cluster=None, cooperative=False, smem=None):
    """Runs `function` once for each thread of each block: on the CPU, clusters of blocks one after another, or on the GPU whose memory
    the arguments are in. `cooperative`: all blocks run at the same time, so that they may wait for each other."""
    from . import _cute_gpu
    arguments = _tensors(arguments)
    grid = _three(grid, "grid")
    block = _three(block, "block")
    if block[0] * block[1] * block[2] > 1024:
        raise ValueError(f"a block of {block} has {block[0] * block[1] * block[2]} threads; it has at most 1024")
    cluster = _checked_cluster(cluster, grid)
    if _cute_gpu.on_gpu(arguments) or exporting() is not None:
        return _cute_gpu.launch(function, arguments, grid, block, cluster, cooperative, smem)
    not_repeated()
    number, function = next(_launches), for_a_cpu(function)
    if cooperative:
        _run_cooperative(function, arguments, list(_clusters(grid, block, cluster, number, smem)))
    else:
        clusters = _clusters(grid, block, cluster, number, smem)
        for blocks in clusters:
            blocks[0].cluster.others = clusters  # a cluster may take the place of those that follow (_cute_clc.py)
            _run_together(function, arguments, blocks)


def _run_cooperative(function, arguments, clusters):
    blocks = [b for some in clusters for b in some]
    threads = blocks[0].shape[0] * blocks[0].shape[1] * blocks[0].shape[2]
    if threads * len(blocks) > MAX_TOGETHER:
        raise ValueError(f"a cooperative launch of {len(blocks)} blocks of {threads} threads; the CPU runs at most {MAX_TOGETHER} threads "
                         "at the same time")
    for rank, one in enumerate(blocks):
        one.rank, one.first = rank, rank * threads
    _run_together(function, arguments, blocks)


class Launch:
    """A kernel with its arguments, ready to be launched."""

    def __init__(self, function, arguments):
        self.function, self.arguments = function, arguments

    def launch(self, *, grid, block, cluster=None, cooperative=False, smem=None, **_):
        """Runs the kernel on a grid of blocks, in clusters of `cluster` blocks; `cooperative`: all blocks at the same time. The DSL's
        stream is not needed here; `smem`: bytes for arch.get_dyn_smem."""
        launch(self.function, self.arguments, grid, block, cluster, cooperative, smem if isinstance(smem, int) else None)


def _positional(function, arguments, named):
    """All arguments in order, with the defaults of those that are not given.  Raises TypeError as a call would."""
    try:
        bound = inspect.signature(function).bind(*arguments, **named)
    except TypeError as error:
        raise TypeError(f"{function.__name__}(): {error}") from None
    bound.apply_defaults()
    if bound.kwargs:
        raise TypeError(f"the kernel {function.__name__} has parameters by name only ({', '.join(bound.kwargs)}); remove the '*' "
                        "in front of them")
    return list(bound.args)


def _decorated(function, made):
    functools.update_wrapper(made, function)
    made.set_name_prefix = lambda name, **_: None  # names of kernels do not matter here
    return made


def kernel(function=None, **options):
    """Makes a function a kernel: kernel(arguments).launch(grid=..., block=...)."""
    if function is None:
        return lambda f: kernel(f, **options)

    def made(*arguments, **named):
        return Launch(function, _positional(function, arguments, named))
    return _decorated(function, made)


def jit(function=None, **options):
    """Marks a function that launches kernels, or that kernels call; arrays among its arguments become tensors."""
    if function is None:
        return lambda f: jit(f, **options)

    def made(*arguments, no_cache=False, **named):
        if not active():
            return for_a_cpu(function)(*_tensors(arguments), **dict(zip(named, _tensors(named.values()))))
        return rewritten(function, active())(*arguments, **named)
    made.launches_kernels = True
    return _decorated(function, made)
