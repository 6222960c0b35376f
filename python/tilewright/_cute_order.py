"""Atomic operations that order accesses of threads which no barrier orders, of other blocks too: what one thread releases, another acquires.

    block 0:  out[i] = x;  sync_threads();  thread 0: fence_acq_rel_gpu(); atomic_add(flag, 1)        or atomic_add(…, sem="release")
    block 1:  thread 0: atomic_add(flag, 1) gives 1;  sync_threads();  y = out[i]                     ordered with block 0

A clock says up to which access something is ordered: {block: number, (block, thread): number}. A fence or a barrier after an atomic operation
that acquires nothing by itself lets the thread acquire what the operation found.
"""


def join(into, clock):
    """A clock becomes the later of two."""
    for key, number in clock.items():
        if into.get(key, -1) < number:
            into[key] = number


class Order:
    """What a thread of a kernel has acquired, and what it releases."""

    def __init__(self):
        self.seen: dict = {}    # a clock: what this thread is ordered with
        self.found: dict = {}   # the same that it is ordered with after its next fence or barrier
        self.fenced: dict = {}  # what its atomic operations release since its last fence
        self.fenced_here: dict = {}  # the same for its own block

    def __bool__(self):
        return bool(self.seen or self.found or self.fenced)

    def acquire(self):
        """The thread is ordered with what it found."""
        join(self.seen, self.found)
        self.found.clear()

    def meet(self, offered):
        """Before a barrier: what the other threads get. `offered`: [seen, fenced] of those that came."""
        self.acquire()
        join(offered[0], self.seen)
        join(offered[1], self.fenced)

    def met(self, offered):
        """After a barrier."""
        join(self.seen, offered[0])
        join(self.fenced, offered[1])


def passed(me, pointer, sem, scope, reads=True, writes=True):
    """An atomic operation of a thread at a pointer has happened."""
    order, published, block = me.order, me.block.published, me.block.index
    releases, acquires = sem in ("release", "acq_rel"), sem in ("acquire", "acq_rel")
    if not published and not releases and not order.fenced and not order.fenced_here:
        return
    memory = pointer.memory
    address = memory.data.__array_interface__["data"][0] + (int(pointer.offset) >> memory.halves) * memory.data.itemsize
    if reads:
        for of in (None, block):  # what was released for all blocks, and for this one
            join(order.seen if acquires else order.found, published.get((address, of), {}))
    if writes:
        clock = me.clock() if releases else order.fenced
        for of, given in ((block if scope == "cta" else None, clock), (block, order.fenced_here)):
            if given:
                join(published.setdefault((address, of), {}), given)


def fenced(me, in_block=False):
    """A fence of a thread: what it did before is released by its atomic operations after it, to all threads or those of its block."""
    me.order.acquire()
    join(me.order.fenced_here if in_block else me.order.fenced, me.clock())
