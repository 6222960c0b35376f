"""cutlass.experimental.primitives: PTX's instructions by their names, of barriers, of lanes, of asynchronous copies and of atomic operations.

    prims.mbarrier_init(bar, 1)                                        if prims.elect_sync(): …
    prims.shfl_sync(0xffffffff, x, 1, 31, prims.Shfl.BFLY)             the value of the lane beside
    prims.redux_sync(x, prims.ReductionKind.ADD, 0xffffffff)           the sum over the warp

They are functions of cute.arch with other parameters: a barrier is a pointer, or an array whose first element it is.
"""
import enum
import functools

from . import _cute_bulk as _bulk
from ._cute_arch import arch
from ._cute_barriers import Barriers, SharedSpace, thread_count
from ._cute_lanes import is_inside, Lanes
from ._cute_launch import thread_of, WARP
from . import _cute_matrix_rows as _matrices
from ._cute_names import Names
from ._cute_numbers import Boolean, number_type, Uint32
from ._cute_tensor import Pointer, Tensor
from ._cute_tensor_maps import load_by_map, prefetch_map, store_by_map
from ._cute_values import active, kind_of_number, Value
from ._layout import Layout


def _pointer(x):
    """The pointer to an array's first element; pointers as they are.  error: TypeError for anything else"""
    x = x.iterator if isinstance(x, Tensor) else getattr(x, "ptr", x)
    if not isinstance(x, Pointer):
        raise TypeError(f"expected a pointer or an array, found {x!r}")
    return x


class PeerPointer(Pointer):
    """A pointer into another block's shared memory, which knows the same place here and the block's rank."""

    def __init__(self, there, here, rank):
        super().__init__(there.memory, there.offset, there.origin, there.swizzle)
        self.here, self.rank = here, rank


def _barrier(x):
    """(the pointer to a barrier in this block, the rank of the block whose barrier at that place is meant, or None)"""
    x = _pointer(x)
    return (x.here, x.rank) if isinstance(x, PeerPointer) else (x, None)


def _word(x):
    """The name of an enumerator, or a text, in small letters."""
    return str(getattr(x, "name", x)).rpartition(".")[2].lower()


def _names_of(name, words, doc):
    made = enum.Enum(name, {w: w.lower() for w in words.split()}, module=__name__)
    made.__doc__ = doc
    return made


Shfl = _names_of("Shfl", "IDX UP DOWN BFLY", "Which lane shfl_sync reads.")
VoteSync = _names_of("VoteSync", "ALL ANY UNI BALLOT", "What vote_sync asks.")
ReductionKind = _names_of("ReductionKind", "ADD MIN MAX UMIN UMAX AND OR XOR FMIN FMAX", "How redux_sync joins the values of lanes.")
ReductionOp = _names_of("ReductionOp", "ADD MIN MAX AND OR XOR INC DEC", "How red joins a value with memory.")
ReductionType = _names_of("ReductionType", "U32 S32 U64 S64 F16 F16X2 BF16 BF16X2 F32 F64 B32 B64", "What red joins.")
MemOrder = _names_of("MemOrder", "RELAXED ACQUIRE RELEASE ACQ_REL WEAK", "How an atomic operation orders other accesses.")
MemScope = _names_of("MemScope", "CTA CLUSTER GPU SYS", "The threads that an atomic operation orders.")
Proxy = _names_of("Proxy", "ALIAS ASYNC ASYNC_GLOBAL ASYNC_SHARED TENSORMAP GENERIC", "Which accesses fence_proxy orders.")
GridDepAction = _names_of("GridDepAction", "WAIT LAUNCH_DEPENDENTS", "What griddepcontrol does.")
SetMaxRegisterAction = _names_of("SetMaxRegisterAction", "INCREASE DECREASE", "What setmaxregister does.")
CTAGroup = _names_of("CTAGroup", "CTA_1 CTA_2", "One block, or the two blocks of a pair.")
MBarrierWait = _names_of("MBarrierWait", "TRY TEST", "Whether mbarrier_wait_parity may wait a while.")
_KINDS = {"s32": "int32", "u32": "uint32", "s64": "int64", "u64": "uint64", "f32": "float32", "f64": "float64", "f16": "float16",
          "bf16": "bfloat16"}
_REDUCED = {"umin": "min", "umax": "max"}


def _elected(membermask):
    """Is this the lowest of the lanes that have a bit?"""
    mask = int(membermask) & 0xffffffff
    if not mask:
        raise ValueError("elect_sync of no lanes; the mask has a bit for each lane that comes there")
    lane = active().linear_thread() % WARP if active() else thread_of("elect_sync").index % WARP
    return lane == (mask & -mask).bit_length() - 1


class primitives(metaclass=Names):
    """PTX's instructions by their names."""

    Shfl, VoteSync, ReductionKind, ReductionOp, ReductionType = Shfl, VoteSync, ReductionKind, ReductionOp, ReductionType
    MemOrder, MemScope, Proxy, SharedSpace, GridDepAction = MemOrder, MemScope, Proxy, SharedSpace, GridDepAction
    SetMaxRegisterAction, CTAGroup, MBarrierWait = SetMaxRegisterAction, CTAGroup, MBarrierWait
    MMALayout, LoadShape, StoreShape, LoadSrcFormat = _matrices.MMALayout, _matrices.LoadShape, _matrices.StoreShape, _matrices.LoadSrcFormat

    # --- threads and lanes --------------------------------------------------------------------------------------------------
    @staticmethod
    def elect_sync(membermask=0xffffffff, **_):
        """Is this thread the one of its warp, or of the lanes that have a bit, that is chosen? The lowest lane is."""
        return _elected(membermask)

    @staticmethod
    def bar_warp_sync(mask=0xffffffff, **_):
        """Waits until the lanes that have a bit of the mask are here."""
        arch.sync_warp(mask)

    @staticmethod
    def shfl_sync(mask, value, offset, mask_and_clamp=31, kind=Shfl.IDX, *, return_value_and_is_valid=False, **_):
        """The value of another lane, as shfl.sync has it; with return_value_and_is_valid also whether that lane is in the group."""
        made = Lanes.shuffle_sync_op(value, offset, mask, mask_and_clamp, _word(kind))
        return (made, is_inside(_word(kind), offset, mask_and_clamp)) if return_value_and_is_valid else made

    @staticmethod
    def vote_sync(mask, pred, kind=VoteSync.ALL, **_):
        """A vote of the lanes that have a bit of the mask: ALL, ANY, UNI give true or false, BALLOT the lanes as bits."""
        return getattr(Lanes, f"vote_{_word(kind)}_sync")(pred, mask)

    @staticmethod
    def redux_sync(value, kind, mask=0xffffffff, *, abs=False, nan=False, **_):  # noqa: A002  the DSL's name
        """The values of the lanes that have a bit joined; each of those lanes gets the result."""
        word = _word(kind)
        if word not in _REDUCED:
            return Lanes.warp_redux_sync(value, word, mask, abs=abs, nan=nan)
        given = number_type(kind_of_number(value)) if isinstance(value, Value) else type(value)
        joined = Lanes.warp_redux_sync(value.to(Uint32) if hasattr(value, "to") else Uint32(value), _REDUCED[word], mask)
        return joined.to(given) if hasattr(joined, "to") and hasattr(given, "width") else joined

    # --- barriers of threads ------------------------------------------------------------------------------------------------
    @staticmethod
    def barrier_cta_sync(barrier_id=0, thread_count=None, **_):
        """Waits until the block's threads, or so many of them, are at the barrier of that number."""
        Barriers.barrier(barrier_id=barrier_id, number_of_threads=thread_count)

    barrier_cta_sync_aligned = barrier_cta_sync

    @staticmethod
    def barrier_cta_arrive(barrier_id=0, thread_count=None, **_):
        """Arrives at the barrier of that number, for which others wait."""
        Barriers.barrier_arrive(barrier_id=barrier_id, number_of_threads=thread_count)

    @staticmethod
    def barrier_cta_red(pred, barrier_id=0, kind="or", thread_count=None, **_):
        """Waits for the block's threads; is the condition true for one of them ('or'), for all ('and'), or for how many ('popc')?"""
        return _voted_by_block(pred, _word(kind), thread_count)

    @staticmethod
    def barrier_cluster_arrive(**_):
        """Arrives at the barrier of the cluster's threads."""
        arch.cluster_arrive()

    @staticmethod
    def barrier_cluster_arrive_relaxed(**_):
        """The same; on a GPU it orders no accesses to memory."""
        arch.cluster_arrive_relaxed()

    @staticmethod
    def barrier_cluster_wait(**_):
        """Waits until every thread of the cluster has arrived."""
        arch.cluster_wait()

    @staticmethod
    def cluster_ctarank(**_):
        """The block's number in its cluster."""
        return arch.block_idx_in_cluster()

    # --- barriers in shared memory ------------------------------------------------------------------------------------------
    @staticmethod
    def mbarrier_init(mbar, count, **_):
        """Makes 8 bytes of shared memory a barrier of so many arrivals."""
        Barriers.mbarrier_init(_pointer(mbar), count)

    @staticmethod
    def mbarrier_inval(mbar, **_):
        """The 8 bytes are no barrier from here on."""
        if active():
            return active().line(f"asm volatile(\"mbarrier.inval.shared::cta.b64 [%0];\" : : \"r\"((unsigned)__cvta_generic_to_shared("
                                 f"{active().address_text(_pointer(mbar))})) : \"memory\");")
        from ._cute_barriers import _address, phases_at
        phases_at(_pointer(mbar))
        del thread_of("mbarrier_inval").block.mbarriers[_address(_pointer(mbar))]

    @staticmethod
    def fence_mbarrier_init(**_):
        """Shows barriers that were made to asynchronous copies and to the cluster."""
        Barriers.mbarrier_init_fence()

    @staticmethod
    def mbarrier_arrive(mbar, count=1, **_):
        """Arrives at a barrier of this block, or by mapa of another block. Its state, of which the phase is used, for mbarrier_try_wait."""
        here, rank = _barrier(mbar)
        if active() or rank is not None:
            return Barriers.mbarrier_arrive(here, rank, count)
        from ._cute_barriers import phases_at
        phase = phases_at(here).phase & 1
        Barriers.mbarrier_arrive(here, None, count)
        return phase

    @staticmethod
    def mbarrier_arrive_expect_tx(mbar, txcount, **_):
        """Arrives, and the phase ends when copies have written so many bytes more."""
        here, rank = _barrier(mbar)
        Barriers.mbarrier_arrive_and_expect_tx(here, txcount, rank)

    @staticmethod
    def mbarrier_expect_tx(mbar, txcount, **_):
        """The phase ends when copies have written so many bytes more."""
        here, rank = _barrier(mbar)
        Barriers.mbarrier_expect_tx(here, txcount, rank)

    @staticmethod
    def mbarrier_try_wait_parity(mbar, phase, time_limit=None, **_):
        """Has the phase of that parity ended? It may wait a while for it."""
        return Barriers.mbarrier_try_wait(_pointer(mbar), phase)

    mbarrier_try_wait_parity_timelimit = mbarrier_test_wait_parity = mbarrier_try_wait_parity

    @staticmethod
    def mbarrier_wait_parity(mbar, phase, kind=MBarrierWait.TRY, **_):
        """The same as mbarrier_try_wait_parity."""
        return Barriers.mbarrier_try_wait(_pointer(mbar), phase)

    @staticmethod
    def mbarrier_try_wait(mbar, state, time_limit=None, **_):
        """Has the phase ended in which mbarrier_arrive gave that state?  Raises TypeError in a kernel on a GPU, which waits by parity."""
        if state is None:
            raise TypeError("a kernel on a GPU waits for phases by their parity; use mbarrier_try_wait_parity")
        return Barriers.mbarrier_try_wait(_pointer(mbar), state)

    mbarrier_try_wait_timelimit = mbarrier_try_wait

    @staticmethod
    def mapa(address, rank, **_):
        """The same place in the shared memory of the block of that rank; of an array its first element."""
        here = _pointer(address)
        return PeerPointer(arch.mapa(here, rank), here, rank)

    @staticmethod
    def fence_proxy(kind=None, space=None, **_):
        """Orders this thread's accesses to shared memory before asynchronous copies that start later."""
        Barriers.fence_proxy()

    # --- copies -------------------------------------------------------------------------------------------------------------
    @staticmethod
    def cp_async_shared_global(dst, src, size, modifier="ca", cp_size=None, **_):
        """Copies 4, 8 or 16 bytes from global to shared memory."""
        arch.cp_async_shared_global(_pointer(dst), _pointer(src), size, _word(modifier), cp_size=cp_size)

    @staticmethod
    def cp_async_commit_group(**_):
        """The copies that this thread has started since are one group."""
        arch.cp_async_commit_group()

    @staticmethod
    def cp_async_wait_group(n=0, **_):
        """Waits until at most n groups are not complete."""
        arch.cp_async_wait_group(n)

    @staticmethod
    def cp_async_mbarrier_arrive(mbar, noinc=True, **_):
        """Arrives at a barrier when the asynchronous copies that this thread has issued are done."""
        if not noinc:
            raise ValueError("cp_async_mbarrier_arrive counts the arrival that mbarrier_init was told of; give noinc=True")
        Barriers.cp_async_mbarrier_arrive_noinc(_pointer(mbar))

    @staticmethod
    def cp_async_bulk_shared_cluster_global(dst, src, mbar, size, **_):
        """Copies contiguous bytes from global memory to this block's shared memory; a barrier counts them."""
        _copied_in_bulk(_bulk.CopyBulkG2SOp(), src, dst, size, _pointer(mbar))

    cp_async_bulk_shared_cta_global = cp_async_bulk_shared_cluster_global

    @staticmethod
    def cp_async_bulk_global_shared_cta(dst, src, size, **_):
        """Copies contiguous bytes from shared to global memory; complete after cp_async_bulk_wait_group."""
        _copied_in_bulk(_bulk.CopyBulkS2GOp(), src, dst, size, None)

    @staticmethod
    def cp_async_bulk_prefetch(*_, **__):
        """Nothing: a hint to the caches."""

    @staticmethod
    def cp_async_bulk_commit_group(**_):
        """The bulk copies that this thread has started since are one group."""
        arch.cp_async_bulk_commit_group()

    @staticmethod
    def cp_async_bulk_wait_group(n=0, read=None, **_):
        """Waits until at most n groups of bulk copies are not complete."""
        arch.cp_async_bulk_wait_group(n, read=read)

    @staticmethod
    def prefetch_tensormap(tensor_map, **_):
        """Brings a map near before the first copy."""
        prefetch_map(tensor_map)

    @staticmethod
    def cp_async_bulk_tensor_shared_cta_global(dst, tensor_map, coordinate, mbar, im2col_offsets=(), **_):
        """Loads the box at a coordinate, whose first number counts contiguous elements, by TMA; a barrier counts the bytes."""
        load_by_map(_pointer(dst), tensor_map, coordinate, _pointer(mbar), None, im2col_offsets)

    @staticmethod
    def cp_async_bulk_tensor_shared_cluster_global(dst, tensor_map, coordinate, mbar, im2col_offsets=(), multicast_mask=None, group=CTAGroup.CTA_1, **_):
        """The same into the blocks of the cluster that have a bit of the mask; group=CTA_2: the block of even rank counts the bytes of its pair."""
        load_by_map(_pointer(dst), tensor_map, coordinate, _pointer(mbar), multicast_mask, im2col_offsets, _word(group) == "cta_2")

    @staticmethod
    def cp_async_bulk_tensor_global_shared_cta(tensor_map, src, coordinate, **_):
        """Stores a box by TMA; complete after cp_async_bulk_wait_group."""
        store_by_map(tensor_map, _pointer(src), coordinate)

    @staticmethod
    def ldmatrix(src, num, layout=_matrices.MMALayout.ROW, *, shape=None, **_):
        """Loads 1, 2 or 4 matrices of 8 x 8 elements of 16 bits, whose rows the lanes point to; the 32 bits that this lane has of each."""
        return _matrices.ldmatrix(_pointer(src), num, layout, shape)

    @staticmethod
    def stmatrix(dst, registers, layout=_matrices.MMALayout.ROW, *, shape=None, **_):
        """Stores matrices of 8 x 8 elements of 16 bits, of each of which a lane gives 32 bits, to the rows that the lanes point to."""
        _matrices.stmatrix(_pointer(dst), registers, layout, shape)

    # --- others -------------------------------------------------------------------------------------------------------------
    @staticmethod
    def red(op, kind, ptr, value, *, mem_order=None, mem_scope=None, **_):
        """The element at a pointer joined with a value in one step."""
        pointer, word = _pointer(ptr), _word(kind)
        if word in _KINDS and getattr(pointer.dtype, "kind_name", None) not in (_KINDS[word], None) and number_type(_KINDS[word]).width == pointer.dtype.width:
            pointer = pointer.recast(number_type(_KINDS[word]))
        order = None if mem_order is None or _word(mem_order) == "weak" else _word(mem_order)
        arch.red(pointer, value, op=_word(op), sem=order, scope=None if mem_scope is None else _word(mem_scope))

    @staticmethod
    def griddepcontrol(kind=None, **_):
        """Nothing: a launch begins when those before it have ended."""

    @staticmethod
    def setmaxregister(count, action, **_):
        """How many registers the threads of a warpgroup have from here on."""
        (arch.setmaxregister_increase if _word(action) == "increase" else arch.setmaxregister_decrease)(count)

    @staticmethod
    def print_runtime(text="", *arguments, **_):
        """Prints from a kernel or a host function, as cute.printf."""
        from ._cute_print import printf
        printf(text, *arguments)


def _copied_in_bulk(op, src, dst, size, barrier):
    """A bulk copy of so many bytes between two places."""
    src, dst = _pointer(src), _pointer(dst)
    width = number_type(dst.dtype).width // 8
    if width < 1 or int(size) % width:
        raise ValueError(f"a bulk copy of {size} bytes is no number of elements of {number_type(dst.dtype)!r}")
    tensors = [Tensor(p, Layout(int(size) // width, 1)) for p in (src, dst)]
    _bulk.copy_bulk(op, *tensors, barrier)


def _voted_by_block(pred, kind, count):
    """error: ValueError for a part of the block, whose votes bar.red would count on a GPU only"""
    if kind not in ("or", "and", "popc"):
        raise ValueError(f"there is no reduction {kind!r} of a block; there are or, and, popc")
    if count not in (None, thread_count()):
        raise ValueError(f"barrier_cta_red asks all {thread_count()} threads of the block, and thread_count is {count}")
    if active():
        name = {"or": "or", "and": "and", "popc": "count"}[kind]
        made = active().let("int32", f"__syncthreads_{name}({active().converted(pred, 'bool')})")
        return made if kind == "popc" else made != 0
    me = thread_of("barrier_cta_red")
    me.asked_for["barrier_cta_red"] = number = me.asked_for.get("barrier_cta_red", 0) + 1
    given = me.block.exchanges.setdefault(("block", number), {})
    given[me.index] = bool(pred)
    me.sync()
    found = given.values()
    return sum(found) if kind == "popc" else Boolean(functools.reduce(lambda a, b: a or b if kind == "or" else a and b, found))
