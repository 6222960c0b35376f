"""Running kernels on the CPU: the threads of a block take turns, and change over at barriers. Where arguments are in a GPU's
memory, _cute_gpu runs them there; what a thread asks of its place, a trace answers then."""
import contextvars
import functools
import inspect
import itertools
import threading

from ._cute_control import for_a_cpu, rewritten
from ._cute_values import active
from ._cute_tree import mapped

_here = contextvars.ContextVar("thread", default=None)


WARP = 32
ASKED, ASKED_ALONE = 16, 2000  # atomic operations until others run, and in a loop that nothing can end
_launches, _serials = itertools.count(), itertools.count()


def next_serial():
    """The number of an access to memory: larger than those of all before."""
    return next(_serials)


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
        self.barriers = self.warp_barriers = 0  # passed so far
        self.acquired = -1  # accesses up to this number are ordered with this thread by a pipeline
        self.asked = self.alone = 0  # atomic operations, and those since another thread ran
        self.copies: list = [[]]  # groups of asynchronous copies that are in flight; the last one is not committed

    @property
    def warp(self):
        return self.index // WARP

    def sync(self):
        """Waits until every thread of the block is here."""
        self.turns.barrier(self, "block")
        self.barriers += 1

    def sync_warp(self):
        """Waits until every thread of the warp is here."""
        self.turns.barrier(self, self.warp)
        self.warp_barriers += 1

    def exchanged(self, value):
        """{lane: value} of the threads of the warp, which all are here."""
        given = self.block.exchanges.setdefault((self.warp, self.warp_barriers), {})
        given[self.index % WARP] = value
        self.sync_warp()
        return given


class _Block:
    def __init__(self, index, grid, shape, launch):
        self.index, self.grid, self.shape, self.launch, self.memory = index, grid, shape, launch, {}
        self.pipelines: dict = {}
        self.mbarriers: dict = {}  # address -> Phases
        self.by_number: dict = {}  # (number, threads) -> Phases
        self.exchanges: dict = {}  # (warp, barriers of the warp passed) -> {lane: value}

    def named(self, number, count):
        """The barrier of that number for so many threads."""
        from ._cute_barriers import Phases
        return self.by_number.setdefault((int(number), count), Phases(count, f"barrier {int(number)} of {count} threads"))


class Stopped(BaseException):
    """Another thread of the block has failed."""


def current():
    """((barriers of the block, of the warp), block, thread, launch, acquired) of the kernel's thread that runs; None outside of kernels."""
    me = _here.get()
    return None if me is None else ((me.barriers, me.warp_barriers), me.block.index, me.index, me.block.launch, me.acquired)


def thread_of(what):
    me = _here.get()
    if me is None:
        raise RuntimeError(f"cute.arch.{what}() is known in kernels only; launch the function as a kernel")
    return me


class _Turns:
    """Runs the threads of a block one at a time, in the order of their numbers, and changes over at barriers and at ends.

    A thread that ends hands its system thread to the next that has not begun, so that a kernel without barriers needs one. One
    that waits keeps its system thread, and another is started.
    """

    def __init__(self, count, body):
        self.alive, self.begun, self.body = list(range(count)), 0, body
        self.waiting: dict = {}  # thread -> "block", its warp, or a condition
        self.parked: dict = {}   # thread -> the lock that its system thread waits for
        self.workers: list = []
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
        for t in sorted(self.alive, key=lambda t: t <= after) if after >= 0 else self.alive:
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
        return self.alive if group == "block" else [t for t in self.alive if t // WARP == group]

    def barrier(self, me, group):
        self.waiting[me.index] = group
        members = self._members(group)
        if all(self.waiting.get(t) == group for t in members):
            for t in members:
                del self.waiting[t]
        self._hand_over(me)

    def wait_until(self, me, condition):
        """Lets others run until the condition holds."""
        if condition():
            return
        self.waiting[me.index] = condition
        self._hand_over(me)

    def give_way(self, me):
        """Lets the threads behind this one run, then those before it."""
        i = self._next(me.index)
        if i != me.index:
            me.alone = 0
            return self._hand_over(me, i)
        me.alone += 1
        if me.alone > ASKED_ALONE:
            raise RuntimeError(f"thread {me.index} of block {me.block.index} waits in a loop, and no other thread of its block can run; "
                               "blocks run one after another here, so none can wait for a later one")

    def _hand_over(self, me, to=None):
        """To that thread, or the next one that can run, until it is the turn of `me` again."""
        i = self._next() if to is None else to
        if i == me.index:
            return
        if i is None:
            self._fail(RuntimeError(f"threads wait at different barriers: {self._waiting_text()}; every thread of a block or a warp "
                                    "must reach the same ones"))
            raise Stopped
        mine = threading.Lock()
        mine.acquire()
        self.parked[me.index] = mine
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
        groups = sorted({"a pipeline's" if callable(g) else "the block's" if g == "block" else f"that of warp {g}"
                         for g in self.waiting.values()})
        return ", ".join(groups)

    def _leave(self, i, failure):
        self.alive.remove(i)
        if failure is None and self.waiting and self.alive and self._next() is None:
            failure = RuntimeError(f"thread {i} ended while threads {sorted(self.waiting)[:4]} wait at a barrier that it "
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


def _run_block(function, arguments, block):
    x, y, z = block.shape

    def body(i):
        me = _Thread(block, i, (i % x, i // x % y, i // (x * y)))
        me.turns = turns
        token = _here.set(me)
        try:
            function(*arguments)
        finally:
            _here.reset(token)
    turns = _Turns(x * y * z, body)
    turns.run()


def _three(extents, what):
    extents = tuple(extents) if isinstance(extents, (tuple, list)) else (extents,)
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


def launch(function, arguments, grid, block):
    """Runs `function` once for each thread of each block: on the CPU, blocks one after another, or on the GPU whose memory the
    arguments are in."""
    from . import _cute_gpu
    arguments = _tensors(arguments)
    gx, gy, gz = grid = _three(grid, "grid")
    block = _three(block, "block")
    if block[0] * block[1] * block[2] > 1024:
        raise ValueError(f"a block of {block} has {block[0] * block[1] * block[2]} threads; it has at most 1024")
    if _cute_gpu.on_gpu(arguments):
        return _cute_gpu.launch(function, arguments, grid, block)
    number, function = next(_launches), for_a_cpu(function)
    for i in range(gx * gy * gz):
        _run_block(function, arguments, _Block((i % gx, i // gx % gy, i // (gx * gy)), grid, block, number))


class Launch:
    """A kernel with its arguments, ready to be launched."""

    def __init__(self, function, arguments):
        self.function, self.arguments = function, arguments

    def launch(self, *, grid, block, **_):
        """Runs the kernel on a grid of blocks; stream, cluster and shared memory of the DSL are not needed here."""
        launch(self.function, self.arguments, grid, block)


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
    return _decorated(function, made)
