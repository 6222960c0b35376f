"""Where a producer or a consumer of a pipeline is: which stage, in which phase, and the steps that programs write with it.

    state = make_pipeline_state(PipelineUserType.Producer, 3)       stage 0, phase 1: it is empty
    state.advance()                                                 stages 1, 2, 0 in phase 0 …
"""
import copy

from ._cute_agents import PipelineUserType
from ._cute_arch import arch
from ._cute_values import active


class PipelineState:
    """The stage that a thread is at: `index`, and the `phase` that it waits for there; advance() goes on. In a traced kernel both are
    variables, so that a loop of the kernel may advance them."""

    def __init__(self, stages, count=0, index=0, phase=0):
        self.stages, self._trace = stages, active()
        self._values = {"count": count, "index": index, "phase": phase}
        if self._trace:
            names = {what: self._trace.name(f"{what}_of") for what in self._values}
            for what, name in names.items():
                self._trace.arrays.append(f"unsigned {name} = 0;")
                self._trace.line(f"{name} = {self._trace.converted(self._values[what], 'uint32')};")
            self._values = names

    def _get(self, what):
        return self._trace.let("index", f"(long long){self._values[what]}", positive=True) if self._trace else self._values[what]

    @property
    def index(self):
        """The stage."""
        return self._get("index")

    @property
    def phase(self):
        """The parity of the phase that is waited for: 0 or 1."""
        return self._get("phase")

    @property
    def count(self):
        """How often it advanced."""
        return self._get("count")

    def advance(self, **_):
        """Goes on to the next stage, and after the last to the first one's other phase."""
        if self._trace:
            count, index, phase = (self._values[w] for w in ("count", "index", "phase"))
            self._trace.line(f"++{count};")
            self._trace.line(f"if (++{index} == {self.stages}u) {index} = 0, {phase} ^= 1;")
            return
        values = self._values
        values["count"] += 1
        values["index"] = (values["index"] + 1) % self.stages
        values["phase"] ^= values["index"] == 0

    def reset_count(self, **_):
        """Counts from 0 again."""
        if self._trace:
            self._trace.line(f"{self._values['count']} = 0;")
        else:
            self._values["count"] = 0

    def clone(self, **_):
        """Another state at the same stage."""
        return PipelineState(self.stages, self.count, self.index, self.phase)


def make_pipeline_state(type, stages, **_):  # noqa: A002  the DSL's name
    """The state of a producer, or of a side that is both, whose stages are empty at first, or of a consumer."""
    return PipelineState(stages, phase=0 if type == PipelineUserType.Consumer else 1)


class Handle:
    """A stage that a thread holds: its index, its barrier, how many were before it, and commit() or release()."""

    def __init__(self, index, barrier, leave, count=0):
        self.index, self.barrier, self._leave, self.count = index, barrier, leave, count

    def commit(self, **_):
        """Tells the consumers that the stage is full."""
        self._leave()

    release = commit


class Participant:
    """A producer or a consumer, which goes through the stages in order."""

    def __init__(self, pipeline, type):  # noqa: A002
        self._pipeline, self._produces = pipeline, type == PipelineUserType.Producer
        self._state = make_pipeline_state(type, pipeline.num_stages)

    def _waited(self, token=None):
        p, index = self._pipeline, self._state.index
        (p.wait_empty if self._produces else p.wait_full)(index, self._state.phase, token)
        barrier = p.full(index)
        return Handle(index, barrier, lambda: p.arrive_full(index) if self._produces else p.arrive_empty(index), self._state.count)

    def _advance(self, token=None):
        handle = self._waited(token)
        self._state.advance()
        return handle

    def acquire(self, try_acquire_token=None, **_):
        """Waits until the stage that it is at is empty; a Handle of it."""
        return self._waited(try_acquire_token)

    def wait(self, try_wait_token=None, **_):
        """Waits until the stage that it is at is full; a Handle of it."""
        return self._waited(try_wait_token)

    def advance(self, **_):
        """Goes on to the next stage."""
        self._state.advance()

    def clone(self, **_):
        """Another one at the same stage."""
        made = copy.copy(self)
        made._state = self._state.clone()
        return made

    def acquire_and_advance(self, try_acquire_token=None, **_):
        """Waits until the next stage is empty; a Handle of it."""
        return self._advance(try_acquire_token)

    def wait_and_advance(self, try_wait_token=None, **_):
        """Waits until the next stage is full; a Handle of it."""
        return self._advance(try_wait_token)

    def try_acquire(self, **_):
        """Is the next stage empty?"""
        return arch.mbarrier_try_wait(self._pipeline.empty(self._state.index), self._state.phase)

    def try_wait(self, **_):
        """Is the next stage full?"""
        return arch.mbarrier_try_wait(self._pipeline.full(self._state.index), self._state.phase)

    def commit(self, handle=None, **_):
        """Tells the consumers that a stage is full: that of the handle, or the one that it is at."""
        handle.commit() if handle else self._pipeline.arrive_full(self._state.index)

    def release(self, handle=None, **_):
        """Tells the producers that a stage is empty: that of the handle, or the one that it is at."""
        handle.release() if handle else self._pipeline.arrive_empty(self._state.index)

    def tail(self, **_):
        """Waits until the consumers have released all stages."""
        for _ in range(self._pipeline.num_stages):
            self._pipeline._wait_released(self._state.index, self._state.phase)
            self._state.advance()

    def reset(self, **_):
        """Back to the first stage, whose phase begins anew."""
        self._state = make_pipeline_state("producer" if self._produces else "consumer", self._pipeline.num_stages)


Participant.ImmutableResourceHandle = Handle
# The state by the names that it has within the DSL's classes, which programs read too.
Participant._PipelineProducer__state = Participant._PipelineConsumer__state = property(lambda self: self._state)
