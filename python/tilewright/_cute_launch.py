"""Running kernels on the CPU: the threads of a block take turns, and change over at barriers. Where arguments are in a GPU's
memory, _cute_gpu runs them there; what a thread asks of its place, a trace answers then."""
import functools
import inspect
import itertools

from ._cute_calls import exporting, not_repeated
from ._cute_control import for_a_cpu, returns_early, rewritten
from ._cute_threads import as_thread, Block, Cluster, current, let_others_run, note_addressed, thread_here, thread_of, Thread  # noqa: F401
from ._cute_turns import next_serial, Turns, WARP  # noqa: F401
from ._cute_values import active
from ._cute_tree import mapped

_launches = itertools.count()


def _run_together(function, arguments, blocks):
    """Runs blocks whose threads may wait for each other."""
    x, y, z = blocks[0].shape
    count = x * y * z

    def body(turn):
        i = turn % count
        me = Thread(blocks[turn // count], i, (i % x, i // x % y, i // (x * y)))
        me.turns = turns
        as_thread(me, function, arguments)
    turns = Turns(blocks, count, body, returns_early(function))
    turns.run()
    for phases in {id(p): p for b in blocks for p in b.mbarriers.values()}.values():
        phases.finish()


def _clusters(grid, block, cluster, number, smem=None):
    """The blocks of each cluster in the order of ranks, cluster by cluster."""
    (sx, sy, sz), (cx, cy, cz) = cluster, tuple(g // c for g, c in zip(grid, cluster))
    published: dict = {}
    for at in range(cx * cy * cz):
        index = (at % cx, at // cx % cy, at // (cx * cy))
        made = Cluster(index, cluster, (cx, cy, cz))
        for r in range(sx * sy * sz):
            inside = (r % sx, r // sx % sy, r // (sx * sy))
            Block(tuple(i * s + j for i, s, j in zip(index, cluster, inside)), grid, block, number, made, r, smem, published)
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
