"""Barriers of cute.arch in shared memory (mbarrier_…), barriers of some threads of a block, fences, and elect_one.

A barrier of 8 bytes has phases. A phase ends when as many arrivals as mbarrier_init said and as many bytes as were expected are there;
mbarrier_wait(barrier, 0) waits for the end of the first, third … phase, mbarrier_wait(barrier, 1) for the second, fourth …, and passes
before the first has ended. What was done before a phase ended needs no other barrier.
"""
import enum

from ._cute_clusters import peer_pointer
from ._cute_launch import WARP, let_others_run, next_serial, thread_here, thread_of
from ._cute_order import fenced
from ._cute_values import active, Value
from ._cute_waiting import Condition

_PTX = "tilewright::ptx::"


class Phases:
    """A barrier on the CPU: its phase ends when `expected` arrivals and all expected bytes are there."""

    def __init__(self, expected, what):
        self.expected, self.arrived, self.bytes, self.phase, self.ended, self.what = expected, 0, 0, 0, -1, what
        self.count = 0  # phases that have ended
        self.pending: list = []  # copies that complete on the barrier: they are done when a thread asks for it
        self.offered: tuple = ({}, {})  # what those that arrive are ordered with by atomic operations
        self.remote = False  # other blocks of the cluster arrive too

    def change(self, arrivals=0, expected_bytes=0, remote=False):
        """error: RuntimeError for more arrivals than the barrier has"""
        self.remote |= remote
        me = thread_here()
        if me is not None and me.order:
            me.order.meet(self.offered)
        self.bytes += expected_bytes
        self.arrived += arrivals
        if self.arrived > self.expected:
            raise RuntimeError(f"{self.arrived} arrivals in one phase of {self.what}, which has {self.expected}; arrive as often as "
                               f"it was made for (block {thread_of('barrier').block.index}, thread {thread_of('barrier').index})")
        if self.arrived == self.expected and self.bytes == 0:
            self.arrived, self.phase, self.ended, self.count = 0, self.phase ^ 1, next_serial(), self.count + 1

    def has_ended(self, phase):
        """Has the phase of that parity ended? What was done before is then ordered with this thread."""
        if not self._passed(int(phase) & 1):
            return False
        self._acquire()
        return True

    def _acquire(self):
        me = thread_of("barrier")
        me.acquired = max(me.acquired, self.ended)
        me.order.met(self.offered)
        if self.remote:
            me.cluster_acquired = max(me.cluster_acquired, self.ended)

    def _passed(self, parity):
        """Has the phase of that parity ended, after the copies that are in flight?"""
        while self.phase == parity and self.pending:
            self.pending.pop(0)()
        return self.phase != parity

    def finish(self):
        """Copies that no thread asked for are done when the launch ends.  error: RuntimeError where a thread read before one was done, or more bytes
        were written than expected"""
        while self.pending:
            self.pending.pop(0)()
        if self.bytes < 0:
            raise RuntimeError(f"copies wrote {-self.bytes} bytes more than {self.what} expected; expect as many as are written "
                               "(mbarrier_arrive_and_expect_tx)")

    def wait(self, phase):
        me, parity = thread_of("barrier"), int(phase) & 1
        count = self.count
        # The phase that this thread waits for may be over, and the next one too, before it is its turn.
        me.turns.wait_until(me, Condition(lambda: self._passed(parity) or self.count > count, (self, parity, count)))
        self._acquire()


def _address(pointer):
    data = pointer.memory.data
    return data.ctypes.data + int(pointer.offset) * data.itemsize


def _check_place(pointer):
    """error: TypeError for a pointer to anything but 8 bytes of shared memory"""
    if pointer.memspace != "smem" or pointer.dtype.width != 64:
        raise TypeError(f"a barrier is an Int64 of shared memory, and the pointer is {pointer}")


def phases_at(pointer, peer=None):
    """The barrier at a pointer, or at the same place in the block of that rank.  error: RuntimeError where mbarrier_init has not made it, or no barrier orders that with this thread"""
    _check_place(pointer)
    me = thread_of("mbarrier")
    pointer = pointer if peer is None else peer_pointer(pointer, peer, me)
    made = me.block.mbarriers.get(_address(pointer))
    if made is None:
        raise RuntimeError(f"the barrier at element {pointer.offset} of shared memory was not made; call mbarrier_init, and sync_threads "
                           f"before another thread uses it (block {me.block.index}, thread {me.index})")
    pointer.memory.check(int(pointer.offset), lambda: "the barrier that mbarrier_init makes", False)
    return made


def barrier_text(pointer):
    """The address of a barrier in a traced kernel."""
    _check_place(pointer)
    trace = active()
    trace.headers.add("tilewright/atom/ptx/mbarrier.hpp")
    at = trace.number(pointer.offset) if isinstance(pointer.offset, Value) else pointer.offset
    return f"reinterpret_cast<std::uint64_t*>({pointer.memory.name} + {at})"


def _line(name, pointer, *numbers):
    trace = active()
    given = "".join(f", {trace.converted(n, 'uint32')}" for n in numbers)
    trace.line(f"{_PTX}{name}({barrier_text(pointer)}{given});")


def _remote_line(name, pointer, peer, *numbers):
    """The same of the barrier at that place in another block of the cluster."""
    trace = active()
    given = "".join(f", {trace.converted(n, 'uint32')}" for n in (*numbers, peer))
    trace.line(f"{_PTX}{name}({barrier_text(pointer)}{given});")


class Elected:
    """What `with cute.arch.elect_one():` asks for: is this the thread of its warp that runs the block?"""

    def __init__(self, chosen):
        self.chosen = chosen

    def __enter__(self):
        raise TypeError("'with cute.arch.elect_one():' is for @cute.kernel and @cute.jit functions whose source can be read")

    def __exit__(self, *_):
        """Never reached: __enter__ raises."""


class ProxyKind(enum.Enum):
    """Which accesses fence_proxy orders."""

    alias, async_, async_global, async_shared, tensormap, generic = "alias", "async", "async.global", "async.shared", "tensormap", "generic"


class SharedSpace(enum.Enum):
    """Shared memory of the block, or of the cluster."""

    shared_cta, shared_cluster = "cta", "cluster"


class Barriers:
    """Barriers of threads and of copies, and fences."""

    ProxyKind, SharedSpace = ProxyKind, SharedSpace

    @staticmethod
    def elect_one(**_):
        """`with cute.arch.elect_one():` runs its block in one thread of each warp, the first."""
        if active():
            return Elected(active().linear_thread() % WARP == 0)
        return Elected(thread_of("elect_one").index % WARP == 0)

    # --- barriers in shared memory ------------------------------------------------------------------------------------------
    @staticmethod
    def mbarrier_init(mbar_ptr, cnt, **_):
        """Makes the 8 bytes at a pointer a barrier of so many arrivals; one thread does, and others use it after sync_threads."""
        if active():
            return _line("mbarrier_init", mbar_ptr, cnt)
        _check_place(mbar_ptr)
        if int(cnt) < 1:
            raise ValueError(f"a barrier of {int(cnt)} arrivals; it has 1 or more")
        mbar_ptr.store(int(cnt))
        thread_of("mbarrier_init").block.mbarriers[_address(mbar_ptr)] = Phases(int(cnt), f"the barrier at element {mbar_ptr.offset}")

    @staticmethod
    def mbarrier_init_fence(**_):
        """Shows barriers that were made to asynchronous copies and to the cluster."""
        if active():
            active().headers.add("tilewright/atom/ptx/fence.hpp")
            active().line(f"{_PTX}fence_mbarrier_init();")

    @staticmethod
    def mbarrier_arrive(mbar_ptr, peer_cta_rank_in_cluster=None, arrive_count=1, **_):
        """Arrives at a barrier."""
        peer = peer_cta_rank_in_cluster
        if active():
            for _ in range(arrive_count):
                _line("mbarrier_arrive", mbar_ptr) if peer is None else _remote_line("mbarrier_arrive_remote<true>", mbar_ptr, peer)
            return
        phases_at(mbar_ptr, peer).change(arrivals=int(arrive_count), remote=peer is not None)

    @staticmethod
    def mbarrier_expect_tx(mbar_ptr, bytes, peer_cta_rank_in_cluster=None, **_):  # noqa: A002  the DSL's name
        """The phase of a barrier ends when copies have written so many more bytes."""
        peer = peer_cta_rank_in_cluster
        if active() and peer is not None:
            raise TypeError("a GPU expects bytes at a barrier of another block with an arrival alone; call mbarrier_arrive_and_expect_tx")
        if active():
            return _line("mbarrier_expect", mbar_ptr, bytes)
        phases_at(mbar_ptr, peer).change(expected_bytes=int(bytes), remote=peer is not None)

    @staticmethod
    def mbarrier_arrive_and_expect_tx(mbar_ptr, bytes, peer_cta_rank_in_cluster=None, **_):  # noqa: A002  the DSL's name
        """Arrives, and the phase ends when copies have written so many more bytes."""
        peer = peer_cta_rank_in_cluster
        if active() and peer is not None:
            return _remote_line("mbarrier_arrive_expect_remote", mbar_ptr, peer, bytes)
        if active():
            return _line("mbarrier_arrive_expect", mbar_ptr, bytes)
        phases_at(mbar_ptr, peer).change(arrivals=1, expected_bytes=int(bytes), remote=peer is not None)

    @staticmethod
    def mbarrier_wait(mbar_ptr, phase, **_):
        """Waits until the phase of that parity has ended."""
        if active():
            trace = active()
            return trace.line(f"while (!{_PTX}mbarrier_try_wait({barrier_text(mbar_ptr)}, {trace.converted(phase, 'uint32')})) {{}}")
        phases_at(mbar_ptr).wait(phase)

    @staticmethod
    def mbarrier_try_wait(mbar_ptr, phase, **_):
        """Has the phase of that parity ended? On a GPU it waits a while for it."""
        if active():
            trace = active()
            return trace.let("bool", f"{_PTX}mbarrier_try_wait({barrier_text(mbar_ptr)}, {trace.converted(phase, 'uint32')})")
        if not phases_at(mbar_ptr).has_ended(phase):
            let_others_run(now=True)
        return phases_at(mbar_ptr).has_ended(phase)

    mbarrier_test_wait = mbarrier_try_wait

    @staticmethod
    def mbarrier_conditional_try_wait(cond, mbar_ptr, phase, **_):
        """mbarrier_try_wait where the condition holds; true where it does not."""
        if active() and isinstance(cond, Value):
            trace = active()
            return trace.let("bool", f"!{cond.name} || {_PTX}mbarrier_try_wait({barrier_text(mbar_ptr)}, {trace.converted(phase, 'uint32')})")
        return Barriers.mbarrier_try_wait(mbar_ptr, phase) if cond else True

    @staticmethod
    def cp_async_mbarrier_arrive_noinc(mbar_ptr, **_):
        """Arrives at a barrier when the asynchronous copies that this thread has issued are done."""
        if active():
            active().headers.add("tilewright/atom/ptx/cp_async.hpp")
            return active().line(f"{_PTX}cp_async_mbarrier_arrive<true>({barrier_text(mbar_ptr)});")
        me = thread_of("cp_async_mbarrier_arrive_noinc")
        for group in me.copies:
            for finish in group:
                finish()
            group.clear()
        phases_at(mbar_ptr).change(arrivals=1)

    # --- barriers of some threads --------------------------------------------------------------------------------------------
    @staticmethod
    def barrier(*, barrier_id=None, number_of_threads=None, **_):
        """Waits until every thread of the block is here, or `number_of_threads` of them at the barrier of that number, 0 to 15."""
        if number_of_threads in (None, thread_count()) and barrier_id in (None, 0):
            if active():
                return active().line("__syncthreads();")
            return thread_of("barrier").sync()
        number, count = _named(barrier_id, number_of_threads)
        if active():
            return _named_line("named_barrier_sync", number, count)
        me = thread_of("barrier")
        phases = me.block.named(number, count)
        phase = phases.phase
        phases.change(arrivals=1)
        phases.wait(phase)

    @staticmethod
    def barrier_arrive(*, barrier_id=None, number_of_threads=None, **_):
        """Arrives at the barrier of that number, for which other threads wait by barrier()."""
        number, count = _named(barrier_id, number_of_threads)
        if active():
            return _named_line("named_barrier_arrive", number, count)
        thread_of("barrier_arrive").block.named(number, count).change(arrivals=1)

    # --- fences ------------------------------------------------------------------------------------------------------------
    @staticmethod
    def fence_proxy(kind=None, space=None, **_):
        """Orders this thread's accesses to shared memory before asynchronous copies that start later."""
        if active():
            active().headers.add("tilewright/atom/ptx/fence.hpp")
            active().line(f"{_PTX}fence_proxy_async_shared();")

    @staticmethod
    def fence_view_async_shared(**_):
        """Orders this thread's accesses to shared memory before asynchronous copies that start later."""
        Barriers.fence_proxy()

    @staticmethod
    def fence_acq_rel_cta(**_):
        """Orders this thread's accesses for the threads of its block."""
        if active():
            return active().line("__threadfence_block();")
        fenced(thread_of("fence_acq_rel_cta"), in_block=True)

    @staticmethod
    def fence_acq_rel_cluster(**_):
        """Orders this thread's accesses for the threads of its cluster."""
        if active():
            return active().line("__threadfence();")
        fenced(thread_of("fence_acq_rel_cluster"))

    @staticmethod
    def fence_acq_rel_gpu(**_):
        """Orders this thread's accesses for the threads of the GPU."""
        if active():
            return active().line("__threadfence();")
        fenced(thread_of("fence_acq_rel_gpu"))

    @staticmethod
    def fence_acq_rel_sys(**_):
        """Orders this thread's accesses for all that see the memory."""
        if active():
            return active().line("__threadfence_system();")
        fenced(thread_of("fence_acq_rel_sys"))


def _named(number, count):
    """error: ValueError for numbers that no barrier has"""
    number, count = 0 if number is None else number, thread_count() if count is None else count
    if not isinstance(number, Value) and not 0 <= int(number) < 16:
        raise ValueError(f"there is no barrier {int(number)}; a block has barriers 0 to 15")
    if isinstance(count, Value) or not 0 < int(count) <= thread_count() or int(count) % WARP and int(count) != thread_count():
        raise ValueError(f"a barrier of {count} of the block's {thread_count()} threads; it has a multiple of {WARP} of them, known "
                         "when the kernel is traced")
    return number, int(count)


def thread_count():
    """The threads of a block."""
    x, y, z = active().block if active() else thread_of("barrier").block.shape
    return x * y * z


def _named_line(name, number, count):
    trace = active()
    trace.headers.add("tilewright/atom/ptx/named_barrier.hpp")
    trace.line(f"{_PTX}{name}({count}u, {trace.converted(number, 'uint32')});")
