"""Running kernels on the CPU: the threads of a block take turns, and change over at barriers. Where arguments are in a GPU's
memory, _cute_gpu runs them there; what a thread asks of its place, a trace answers then."""
import contextvars
import functools
import threading

from ._cute_control import rewritten
from ._cute_trace import Left, active

_here = contextvars.ContextVar("thread", default=None)


class _Thread:
    """What a kernel's thread knows of itself."""

    def __init__(self, block, index, thread):
        self.block, self.index, self.thread, self.epoch, self.allocations = block, index, thread, 0, 0


class _Block:
    def __init__(self, index, grid, shape):
        self.index, self.grid, self.shape, self.memory = index, grid, shape, {}


class Stopped(BaseException):
    """Another thread of the block has failed."""


def current():
    """(epoch, block, thread) of the kernel's thread that runs; None outside of kernels."""
    me = _here.get()
    return None if me is None else (me.epoch, me.block.index, me.index)


def _me(what):
    me = _here.get()
    if me is None:
        raise RuntimeError(f"cute.arch.{what}() is known in kernels only; launch the function as a kernel")
    return me


class arch:
    """What a thread knows of its place, and barriers."""

    @staticmethod
    def thread_idx():
        if active():
            return active().place("threadIdx")
        return _me("thread_idx").thread

    @staticmethod
    def block_idx():
        if active():
            return active().place("blockIdx")
        return _me("block_idx").block.index

    @staticmethod
    def block_dim():
        if active():
            return active().block
        return _me("block_dim").block.shape

    @staticmethod
    def grid_dim():
        if active():
            return tuple(active().let("index", f"gridDim.{axis}", positive=True) for axis in "xyz")
        return _me("grid_dim").block.grid

    @staticmethod
    def lane_idx():
        if active():
            return active().linear_thread() % 32
        return _me("lane_idx").index % 32

    @staticmethod
    def warp_idx():
        if active():
            return active().linear_thread() // 32
        return _me("warp_idx").index // 32

    @staticmethod
    def sync_threads():
        """Waits until every thread of the block is here."""
        if active():
            return active().line("__syncthreads();")
        me = _me("sync_threads")
        me.turns.barrier(me)

    barrier = sync_threads

    @staticmethod
    def alloc_smem(dtype, count):
        """A pointer to the block's own memory; the n-th call of every thread gives the same place."""
        from ._cute_tensor import Pointer
        if active():
            return Pointer(active().allocate(count, dtype, "smem"))
        me = _me("alloc_smem")
        me.allocations += 1
        if me.allocations not in me.block.memory:
            me.block.memory[me.allocations] = Pointer.allocate(count, dtype, "smem")
        return me.block.memory[me.allocations]


class _Turns:
    """Lets one thread of a block run at a time, in the order of their numbers."""

    def __init__(self, count):
        self.alive, self.waiting, self.next = list(range(count)), set(), 0
        self.change, self.failure = threading.Condition(), None

    def wait_for(self, i):
        with self.change:
            self.change.wait_for(lambda: self.failure is not None or self.next == i)
            if self.failure is not None:
                raise Stopped

    def _hand_over(self):
        """pre: change is held"""
        ready = [t for t in self.alive if t not in self.waiting]
        if not ready and self.alive:
            self.waiting.clear()
            ready = self.alive
        self.next = ready[0] if ready else -1
        self.change.notify_all()

    def barrier(self, me):
        with self.change:
            self.waiting.add(me.index)
            self._hand_over()
            self.change.wait_for(lambda: self.failure is not None or (self.next == me.index and me.index not in self.waiting))
            if self.failure is not None:
                raise Stopped
        me.epoch += 1

    def leave(self, i, failure=None):
        with self.change:
            self.alive.remove(i)
            if failure is None and self.waiting and self.alive and all(t in self.waiting for t in self.alive):
                failure = RuntimeError(f"thread {i} ended while threads {sorted(self.waiting)[:4]} wait at a barrier that it "
                                       "never reached; every thread of a block must reach each barrier")
            if failure is not None and self.failure is None:
                self.failure = failure
            self._hand_over()


def _run_block(function, arguments, block):
    x, y, z = block.shape
    turns = _Turns(x * y * z)

    def body(i):
        me = _Thread(block, i, (i % x, i // x % y, i // (x * y)))
        me.turns = turns
        failure = None
        try:
            turns.wait_for(i)
            _here.set(me)
            function(*arguments)
        except Stopped:
            pass
        except BaseException as e:  # noqa: B902  handed to the caller of the launch
            failure = e
        turns.leave(i, failure)
    threads = [threading.Thread(target=body, args=(i,), daemon=True) for i in range(x * y * z)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if turns.failure is not None:
        raise turns.failure


def _three(extents, what):
    extents = tuple(extents) if isinstance(extents, (tuple, list)) else (extents,)
    extents = extents + (1,) * (3 - len(extents))
    if len(extents) != 3 or any(e < 1 for e in extents):
        raise ValueError(f"{what} is {extents}; it has up to three extents of 1 or more")
    return extents


def _tensors(arguments):
    """Arrays become tensors; whatever else there is stays."""
    from ._cute_tensor import as_tensor, is_array
    return [as_tensor(a) if is_array(a) else a for a in arguments]


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
    for i in range(gx * gy * gz):
        _run_block(function, arguments, _Block((i % gx, i // gx % gy, i // (gx * gy)), grid, block))


class Launch:
    """A kernel with its arguments, ready to be launched."""

    def __init__(self, function, arguments):
        self.function, self.arguments = function, arguments

    def launch(self, *, grid, block, **_):
        launch(self.function, self.arguments, grid, block)


def kernel(function):
    """Makes a function a kernel: kernel(arguments).launch(grid=..., block=...)."""
    @functools.wraps(function)
    def made(*arguments):
        return Launch(function, arguments)
    return made


def jit(function):
    """Marks a function that launches kernels, or that kernels call; arrays among its arguments become tensors."""
    @functools.wraps(function)
    def made(*arguments, **named):
        if not active():
            return function(*_tensors(arguments), **named)
        try:
            return rewritten(function, active())(*arguments, **named)
        except Left:
            return None
    return made
