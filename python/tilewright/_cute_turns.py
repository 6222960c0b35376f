"""The threads of a kernel's blocks on the CPU, one at a time: which of them runs, and what the others wait for.

    threads 0 to 3 of a block: 0 runs to a barrier, then 1, 2 and 3; at the last one's arrival the barrier has its number, and 0 runs on
"""
import itertools
import threading

from ._cute_waiting import Waiting

WARP, FULL = 32, 0xffffffff
ASKED_ALONE = 2000  # atomic operations in a loop that nothing can end
_serials = itertools.count()


def next_serial():
    """The number of an access to memory: larger than those of all before."""
    return next(_serials)


class Stopped(BaseException):
    """Another thread of the block has failed."""


class Turns:
    """Runs the threads of blocks one at a time, in the order of their numbers, and changes over at barriers and at ends.

    A thread that ends hands its system thread to the next that has not begun, so that a kernel without barriers needs one. One
    that waits keeps its system thread, and another is started.
    """

    def __init__(self, blocks, count, body, may_return=False):
        """`count`: threads of each block; body(turn of a thread); `may_return`: a thread that has ended counts at its block's barriers"""
        self.may_return = may_return
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
        """The first thread that can run of those whose numbers are above `after`, else the first that can run; None where none can."""
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
        if failure is None and self.waiting:
            self._count_as_arrived(i)
        if failure is None and self.waiting and self.alive and self._next() is None:
            failure = RuntimeError(f"thread {i % self.count} ended while threads {[t % self.count for t in sorted(self.waiting)[:4]]} wait at a barrier that it "
                                   "never reached; every thread of a block must reach each barrier")
        if failure is not None:
            self._fail(failure)

    def _count_as_arrived(self, i):
        """Barriers of its warp are over that waited for this thread alone, as a GPU's are; those of its block where the kernel has a `return`."""
        block, first = i // self.count, i - i % self.count % WARP
        groups = {g for g in map(self.waiting.get, range(first, min(first + WARP, (block + 1) * self.count))) if isinstance(g, tuple) and g[0] == "warp"}
        if self.may_return:
            groups.add(("block", self.blocks[block].rank))
        for group in groups:
            members = self._members(group)
            if members and all(self.waiting.get(t) == group for t in members):
                self.completed[group] = next_serial()
                for t in members:
                    del self.waiting[t]

    def _fail(self, failure):
        """Ends all threads that wait."""
        if self.failure is None:
            self.failure = failure
        for lock in list(self.parked.values()):
            lock.release()
        self.parked.clear()
