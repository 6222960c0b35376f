"""What the threads of a kernel wait for on the CPU: barriers of threads, or conditions, which many threads share.

    waiting = Waiting(3)
    waiting[0] = ("block", 0)                      thread 0 waits at the block's barrier
    waiting[1] = Condition(is_full, "stage 0")     thread 1 until is_full(); others with that key wait for the same
    waiting.first_ready(alive)                     2
"""
import heapq


class Waiting(dict):
    """thread -> what it waits for; knows which threads can run, and which wait for the same condition."""

    def __init__(self, count):
        super().__init__()
        self.ready = list(range(count))  # a heap of threads, of which those that wait or have ended are passed over
        self.groups: dict = {}           # key of a condition -> a heap of the threads that wait for it

    def __setitem__(self, thread, wanted):
        super().__setitem__(thread, wanted)
        if callable(wanted):
            heapq.heappush(self.groups.setdefault(_key(wanted), []), thread)

    def __delitem__(self, thread):
        super().__delitem__(thread)
        heapq.heappush(self.ready, thread)

    def first_ready(self, alive):
        """The lowest number of a thread that can run; None if all wait or have ended."""
        ready = self.ready
        while ready and (ready[0] in self or ready[0] not in alive):
            heapq.heappop(ready)
        return ready[0] if ready else None

    def first_of_groups(self):
        """[(the first thread that waits for a condition, the condition)], in order."""
        out = []
        for key, heap in list(self.groups.items()):
            while heap and not (callable(self.get(heap[0])) and _key(self[heap[0]]) == key):
                heapq.heappop(heap)
            if heap:
                out.append((heap[0], self[heap[0]]))
            else:
                del self.groups[key]
        return sorted(out, key=lambda x: x[0])


class Condition:
    """A condition that holds for several threads at the same time: those that give the same key."""

    def __init__(self, function, key):
        self.function, self.key = function, key

    def __call__(self):
        return self.function()


def _key(condition):
    """What conditions that hold at the same time share."""
    return getattr(condition, "key", None) or id(condition)
