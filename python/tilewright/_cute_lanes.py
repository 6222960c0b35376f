"""cute.arch: the exchange of values between the lanes of a warp, votes, and sums and the like over lanes. A mask has a bit for each lane that comes there.

    shuffle_sync_bfly(x, 1)              lanes 0 and 1, 2 and 3, … give each other their values
    vote_ballot_sync(x > 0)              the lanes where it is true, as bits
"""
import functools
import operator

from ._cute_launch import WARP, thread_of
from ._cute_numbers import Boolean, Uint32
from ._cute_ssa import larger, smaller
from ._cute_values import active, Value

_JOINED = {"add": operator.add, "and": operator.and_, "or": operator.or_, "xor": operator.xor, "max": larger, "min": smaller, "fmax": larger,
           "fmin": smaller}


def _source(name, lane, offset, mask_and_clamp):
    """The lane that a lane reads; itself where that is beyond its group. Lane 5 of groups of 8 (0x181f), offset 4: 5 ^ 4 = 1 by 'shfl_xor', 9 by
    'shfl_down', which is beyond lane 7, so 5."""
    made, inside = _asked(name, lane, offset, mask_and_clamp)
    return active().select(inside, made, lane) if isinstance(inside, Value) else made if inside else lane


def _asked(name, lane, offset, mask_and_clamp):
    """(the lane that a lane asks for, whether that is in its group)."""
    segment, clamp = mask_and_clamp >> 8 & WARP - 1, mask_and_clamp & WARP - 1
    first = lane & segment
    last = first | clamp & (WARP - 1 ^ segment)
    offset = offset & WARP - 1
    made = {"shfl": first | offset & (WARP - 1 ^ segment), "shfl_xor": lane ^ offset, "shfl_down": lane + offset, "shfl_up": lane - offset}[name]
    return made, made >= last if name == "shfl_up" else made <= last


def is_inside(kind, offset, mask_and_clamp):
    """Is the lane that this one asks for by 'idx', 'up', 'down' or 'bfly' in its group?"""
    name = {"idx": "shfl", "bfly": "shfl_xor", "up": "shfl_up", "down": "shfl_down"}[kind]
    inside = _asked(name, _lane(), offset, mask_and_clamp)[1]
    return inside if isinstance(inside, Value) else Boolean(inside)


def is_all(mask):
    """Has the mask a bit for each lane of a warp?"""
    return not isinstance(mask, Value) and int(mask) & 0xffffffff == 0xffffffff


def _voted(name, pred, mask, join):
    """A vote of the lanes that have a bit of the mask."""
    if active():
        return active().let("bool", f"__{name}_sync({active().lanes(mask)}, {active().converted(pred, 'bool')})")
    return Boolean(join(thread_of("vote").exchanged(bool(pred), int(mask)).values()))


def _joined_lanes(value, join, mask):
    """The values of some lanes of a traced kernel joined, which each of them reads one after another."""
    if isinstance(mask, Value):
        raise TypeError(f"the lanes of warp_redux_sync are known when the kernel is traced{active().where()}")
    lanes = [i for i in range(WARP) if int(mask) >> i & 1]
    return functools.reduce(join, (active().exchanged("shfl", value, i, WARP, mask) for i in lanes))


class Lanes:
    """Part of cute.arch."""

    @staticmethod
    def _exchanged(name, value, offset, mask_and_clamp, mask):
        """The value of another lane of those that have a bit of the mask, as PTX's shfl has it: bits 8 to 12 of mask_and_clamp are those of a lane that its
        group has in common, bits 0 to 4 the last lane of a group (the first, of 'shfl_up')."""
        usual = 0 if name == "shfl_up" else WARP - 1
        segment = mask_and_clamp >> 8 & WARP - 1
        if active():
            width = WARP - segment if type(mask_and_clamp) is int else 0
            if type(mask_and_clamp) is int and mask_and_clamp & WARP - 1 == usual and width & width - 1 == 0:
                return active().exchanged(name, value, offset, width, mask)
            return active().exchanged("shfl", value, _source(name, _lane(), offset, mask_and_clamp), WARP, mask)
        me = thread_of(name)
        lane = int(_source(name, me.index % WARP, int(offset), int(mask_and_clamp)))
        return me.exchanged(value, int(mask)).get(lane, value)

    @staticmethod
    def shuffle_sync(value, offset, mask=-1, mask_and_clamp=31, **_):
        """The value of lane `offset` of the warp, or of the lane's group, which mask_and_clamp says."""
        return Lanes._exchanged("shfl", value, offset, mask_and_clamp, mask)

    @staticmethod
    def shuffle_sync_bfly(value, offset, mask=-1, mask_and_clamp=31, **_):
        """The value of the lane whose number differs in the bits of `offset`."""
        return Lanes._exchanged("shfl_xor", value, offset, mask_and_clamp, mask)

    @staticmethod
    def shuffle_sync_down(value, offset, mask=-1, mask_and_clamp=31, **_):
        """The value of the lane `offset` above; of lanes beyond the warp, or beyond the group, their own."""
        return Lanes._exchanged("shfl_down", value, offset, mask_and_clamp, mask)

    @staticmethod
    def shuffle_sync_up(value, offset, mask=-1, mask_and_clamp=0, **_):
        """The value of the lane `offset` below; of lanes below the warp's first, or the group's, their own."""
        return Lanes._exchanged("shfl_up", value, offset, mask_and_clamp, mask)

    @staticmethod
    def shuffle_sync_op(value, offset, mask=-1, mask_and_clamp=None, kind="idx", **_):
        """The value of another lane: of number `offset` (kind 'idx'), or that far 'up' or 'down', or by its bits ('bfly')."""
        names = {"idx": "", "up": "_up", "down": "_down", "bfly": "_bfly"}
        name = str(getattr(kind, "name", kind)).lower()
        if name not in names:
            raise ValueError(f"there is no exchange {kind!r}; there are {', '.join(names)}")
        given = {} if mask_and_clamp is None else {"mask_and_clamp": mask_and_clamp}
        return getattr(Lanes, f"shuffle_sync{names[name]}")(value, offset, mask, **given)

    @staticmethod
    def warp_reduction(val, op, threads_in_group=WARP, **_):
        """The values of groups of lanes joined by op(a, b); every lane gets the result."""
        step = threads_in_group // 2
        while step:
            val = op(val, Lanes.shuffle_sync_bfly(val, step))
            step //= 2
        return val

    @staticmethod
    def warp_reduction_sum(val, threads_in_group=WARP, **_):
        """The sum over groups of lanes, in every lane."""
        return Lanes.warp_reduction(val, operator.add, threads_in_group)

    @staticmethod
    def warp_reduction_max(val, threads_in_group=WARP, **_):
        """The largest value of groups of lanes, in every lane."""
        return Lanes.warp_reduction(val, larger, threads_in_group)

    @staticmethod
    def vote_any_sync(pred, mask=-1, **_):
        """Is it true in one lane of the warp, or of those that have a bit of the mask?"""
        return _voted("any", pred, mask, any)

    @staticmethod
    def vote_all_sync(pred, mask=-1, **_):
        """Is it true in all of these lanes?"""
        return _voted("all", pred, mask, all)

    @staticmethod
    def vote_ballot_sync(pred, mask=-1, **_):
        """The lanes in which it is true, as bits of an integer."""
        if active():
            return active().let("uint32", f"__ballot_sync({active().lanes(mask)}, {active().converted(pred, 'bool')})")
        return Uint32(sum(1 << lane for lane, x in thread_of("vote").exchanged(bool(pred), int(mask)).items() if x))

    @staticmethod
    def vote_uni_sync(pred, mask=-1, **_):
        """Is it the same in all of these lanes?"""
        return Lanes.vote_all_sync(pred, mask) | (Lanes.vote_any_sync(pred, mask) ^ True)

    @staticmethod
    def warp_redux_sync(value, kind, mask_and_clamp=-1, abs=None, nan=None, **_):  # noqa: A002  the DSL's name
        """The values of the warp joined by 'add', 'min', 'max', 'and', 'or', 'xor', 'fmin' or 'fmax'; every lane gets the result."""
        if kind not in _JOINED:
            raise ValueError(f"there is no reduction {kind!r}; there are {', '.join(_JOINED)}")
        value, join = larger(value, -value) if abs else value, _JOINED[kind]
        if is_all(mask_and_clamp):
            return Lanes.warp_reduction(value, join)
        if not active():
            given = thread_of("warp_redux_sync").exchanged(value, int(mask_and_clamp))
            return functools.reduce(join, (given[lane] for lane in sorted(given)))
        return _joined_lanes(value, join, mask_and_clamp)


def _lane():
    return active().linear_thread() % WARP if active() else thread_of("lane_idx").index % WARP
