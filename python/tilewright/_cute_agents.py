"""cutlass.pipeline: who waits for whom, and barriers of some threads by number."""
import enum

from ._cute_arch import arch


class Agent:
    """What a group counts."""

    Thread, Warp, ThreadBlock, ThreadBlockCluster = "thread", "warp", "block", "cluster"


class PipelineOp(enum.Enum):
    """What a side of a pipeline does, which a program names."""

    AsyncThread, TCGen05Mma, TmaLoad, ClcLoad, TmaStore, Composite, AsyncLoad = range(1, 8)


class PipelineUserType:
    """On which side of a pipeline a state is."""

    Producer, Consumer, ProducerConsumer = "producer", "consumer", "both"


class CooperativeGroup:
    """So many threads that arrive at a barrier."""

    def __init__(self, agent, size=1, alignment=None):
        self.agent, self.size = agent, size


class NamedBarrier:
    """A barrier of some of the block's threads."""

    def __init__(self, barrier_id=0, num_threads=None, **_):
        self.barrier_id, self.num_threads = barrier_id, num_threads

    def arrive_and_wait(self, **_):
        """Waits until every thread is here."""
        arch.barrier(barrier_id=self.barrier_id, number_of_threads=self.num_threads)

    sync = wait = arrive_and_wait

    def arrive(self, **_):
        """Arrives without waiting."""
        arch.barrier_arrive(barrier_id=self.barrier_id, number_of_threads=self.num_threads)

    arrive_unaligned = arrive


def agent_sync(group, is_relaxed=False, **_):
    """Waits until all threads of a warp, a block or a cluster are here.  error: ValueError for another agent"""
    waits = {Agent.Thread: lambda: None, Agent.Warp: arch.sync_warp, Agent.ThreadBlock: arch.sync_threads}
    if group == Agent.ThreadBlockCluster:
        (arch.cluster_arrive_relaxed if is_relaxed else arch.cluster_arrive)()
        return arch.cluster_wait()
    if group not in waits:
        raise ValueError(f"there is no agent {group!r}; use Agent.Warp, Agent.ThreadBlock or Agent.ThreadBlockCluster")
    return waits[group]()


def sync(barrier_id=0, **_):
    """Waits until every thread of the block is here."""
    arch.barrier(barrier_id=barrier_id)


def arrive_and_wait(barrier_id=0, num_threads=None, **_):
    """Waits until so many threads of the block are at the barrier of that number."""
    arch.barrier(barrier_id=barrier_id, number_of_threads=num_threads)


def arrive(barrier_id=0, num_threads=None, **_):
    """Arrives at the barrier of that number, without waiting."""
    arch.barrier_arrive(barrier_id=barrier_id, number_of_threads=num_threads)
