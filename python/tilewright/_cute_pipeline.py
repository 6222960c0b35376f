"""cutlass.pipeline on a CPU: producers and consumers of stages of shared memory, who wait for each other by barriers with phases.

A stage is full after all producers have committed it, and empty after all consumers have released it. A wait for a phase orders the
waiting thread with everything that was done before the phase ended.
"""
from ._cute_arch import arch
from ._cute_launch import next_serial, thread_of
from ._cute_values import active


class Agent:
    """What a group counts."""

    Thread, ThreadBlock, ThreadBlockCluster = "thread", "block", "cluster"


class CooperativeGroup:
    """So many threads that arrive at a barrier."""

    def __init__(self, agent, size=1, alignment=None):
        self.agent, self.size = agent, size


class NamedBarrier:
    """A barrier of the block's threads."""

    def __init__(self, barrier_id=0, num_threads=None, **_):
        self.barrier_id, self.num_threads = barrier_id, num_threads

    def arrive_and_wait(self, **_):
        """Waits until every thread is here."""
        arch.barrier(barrier_id=self.barrier_id, number_of_threads=self.num_threads)


class _Phases:
    """A barrier that flips its phase each time `expected` threads have arrived."""

    def __init__(self, expected):
        self.expected, self.arrived, self.phase, self.ended = expected, 0, 0, -1

    def arrive(self):
        self.arrived += 1
        if self.arrived == self.expected:
            self.arrived, self.phase, self.ended = 0, self.phase ^ 1, next_serial()

    def wait(self, phase):
        me = thread_of("pipeline")
        me.turns.wait_until(me, lambda: self.phase != phase)
        me.acquired = max(me.acquired, self.ended)


class Handle:
    """A stage that a thread holds: its index, and commit() or release()."""

    def __init__(self, index, leave):
        self.index, self._leave = index, leave

    def commit(self, **_):
        """Tells the consumers that the stage is full."""
        self._leave()

    def release(self, **_):
        """Tells the producers that the stage is empty."""
        self._leave()


class Participant:
    """A producer or a consumer, which goes through the stages in order."""

    def __init__(self, waits, arrives, phase):
        self._waits, self._arrives, self._phase, self._index = waits, arrives, phase, 0

    def _advance(self):
        index = self._index
        self._waits[index].wait(self._phase)
        self._index = (index + 1) % len(self._waits)
        self._phase ^= self._index == 0
        return Handle(index, self._arrives[index].arrive)

    def acquire_and_advance(self, **_):
        """Waits until the next stage is empty; a Handle of it."""
        return self._advance()

    def wait_and_advance(self, **_):
        """Waits until the next stage is full; a Handle of it."""
        return self._advance()

    def commit(self, handle, **_):
        """Tells the consumers that a stage is full."""
        handle.commit()

    def release(self, handle, **_):
        """Tells the producers that a stage is empty."""
        handle.release()

    def tail(self, **_):
        """Waits until the consumers have released all stages."""
        for _ in range(len(self._waits)):
            self._advance()

    def reset(self, **_):
        """Back to the first stage."""
        self._index = 0


class PipelineAsync:
    """Stages between groups of producers and consumers; every thread makes it, and all get the same barriers."""

    def __init__(self, full, empty):
        self._full, self._empty = full, empty

    @classmethod
    def create(cls, *, num_stages, producer_group, consumer_group, barrier_storage=None, **_):
        """The pipeline of barriers at `barrier_storage`.  Raises TypeError in a kernel that is traced for a GPU."""
        if active():
            raise TypeError(f"cutlass.pipeline runs on a CPU only; use cp_async groups or sync_threads on a GPU{active().where()}")
        me = thread_of("pipeline")
        made = me.block.pipelines.setdefault(id(barrier_storage.memory), tuple(
            [_Phases(group.size) for _ in range(num_stages)] for group in (producer_group, consumer_group)))
        return cls(*made)

    def make_participants(self, **_):
        """(producer, consumer) of this thread."""
        return self.make_producer(), self.make_consumer()

    def make_producer(self, **_):
        """The producer of this thread."""
        return Participant(self._empty, self._full, 1)

    def make_consumer(self, **_):
        """The consumer of this thread."""
        return Participant(self._full, self._empty, 0)
