"""Instructions in PTX on the shared memory of a cluster's blocks, on the CPU: mapa, st.async, and loads, stores and arrivals with addresses
of 32 bits.

    there = mapa.shared::cluster.u32 of (pointer.toint(), 1)      the address of the same place in block 1
    st.async….f32 [there], 2.5, [bar]                             2.5 is there when a thread asks for the barrier at bar, which counts 4 bytes

An address is the lower 32 bits of one that toint() gave in a thread of the cluster, or one beyond it in the same memory.
"""
import re

import numpy as np

from ._cute_barriers import phases_at
from ._cute_clusters import peer_pointer
from ._cute_launch import next_serial, thread_of
from ._cute_numbers import number_type, Uint32, Uint64
from ._cute_tensor import Pointer

_TYPE, _PLACE = r"\.([busf])(32|64)", r"\[\s*\$(\d+)\s*\]"
_MAPA = re.compile(rf"mapa(?:\.shared::cluster)?\.u(32|64) \$0, \$1, \$2")
_ASYNC = re.compile(rf"st\.async(?:\.weak)?(?:\.shared::cluster)?\.mbarrier::complete_tx::bytes(\.v[24])?{_TYPE} {_PLACE}, (\$\d+|\w+|\{{[^}}]*\}}), {_PLACE}")
_STORE = re.compile(rf"st(?:\.relaxed|\.release)?(?:\.cluster)?\.shared::cluster{_TYPE} {_PLACE}, \$(\d+)")
_LOAD = re.compile(rf"ld(?:\.relaxed|\.acquire)?(?:\.cluster)?\.shared::cluster{_TYPE} \$0, {_PLACE}")
_ARRIVE = re.compile(rf"mbarrier\.arrive(\.expect_tx)?(?:\.release)?(?:\.cluster)?\.shared::cluster\.b64 _, {_PLACE}(?:, \$(\d+))?")
_NUMPY = {"b": "u", "u": "u", "s": "i", "f": "f"}


def place_of(address, width):
    """A pointer to elements of so many bits at an address.  error: RuntimeError for one that is not of the cluster's shared memory"""
    me, found = thread_of("inline_ptx"), None
    for memory in me.block.cluster.addressed.values():
        item, beyond = memory.data.itemsize, (int(address) - memory.data.ctypes.data) & 0xffffffff
        if beyond < memory.data.nbytes and beyond % item == 0:
            pointer = Pointer(memory, beyond // item << memory.halves)
            if memory.dtype.width == width:
                return pointer
            found = found or pointer
    if found is None:
        raise RuntimeError(f"no pointer of this cluster has the address {int(address) & 0xffffffff:#x}; make it by toint() of a pointer to shared "
                           f"memory, or mapa (block {me.block.index}, thread {me.index})")
    return found.recast(number_type(f"uint{width}"))


def _bits(letter, width, x, dtype):
    """A number of an instruction's type as an element of the same bits."""
    made = f"f{width // 8}" if letter == "b" and isinstance(x, (float, np.floating)) else f"{_NUMPY[letter]}{width // 8}"
    return np.asarray(number_type(np.dtype(made))(x)).astype(made).view(dtype)[()]


def _statements(text):
    body = re.sub(r"\s+", " ", text).strip().rstrip(";").strip()
    body = body[1:-1] if body.startswith("{") and body.endswith("}") else body
    return [re.sub(r"\s*,\s*", ", ", s.strip()) for s in body.split(";") if s.strip()]


def _store_async(found, vectors, operand):
    letter, width, given = found[2], int(found[3]), found[5]
    names = re.findall(r"\$(\d+)", given) if "$" in given else [vectors[given][c] for c in "xyzw"[:int((found[1] or ".v1")[2:])]]
    to, phases = place_of(operand(found[4]), width), phases_at(place_of(operand(found[6]), 64))
    data, places = to.memory.data, int(to.offset) + np.arange(len(names))
    what, begun = f"st.async of {len(names)} numbers of {width} bits", next_serial()
    numbers = [_bits(letter, width, operand(n), data.dtype) for n in names]
    to.memory.check_all(places, what, True)

    def finish():
        to.memory.check_since(places, what, begun)
        data[places] = numbers
        phases.change(expected_bytes=-len(names) * width // 8, remote=True)
    phases.pending.append(finish)


def on_shared_memory(types, operands, text):
    """Does what the text says.  (result or None,), or None where it is no such instruction"""
    def operand(number):
        return operands[int(number) - len(types)]
    vectors: dict = {}  # of .reg .v4: name -> part -> operand
    for statement in _statements(text):
        part = re.fullmatch(r"mov\.\w+ (\w+)\.([xyzw]), \$(\d+)", statement)
        if part:
            vectors.setdefault(part[1], {})[part[2]] = part[3]
        elif not statement.startswith(".reg "):
            return _one(types, operand, statement, vectors)
    return None


def _one(types, operand, text, vectors):
    if found := _MAPA.fullmatch(text):
        there = peer_pointer(place_of(operand(1), 32), operand(2), thread_of("mapa")).toint()
        return ((types[0] if types else Uint32)(Uint32(there) if found[1] == "32" else Uint64(there)),)
    if found := _ASYNC.fullmatch(text):
        return _store_async(found, vectors, operand),
    if found := _STORE.fullmatch(text):
        to = place_of(operand(found[3]), int(found[2]))
        to.store(to.dtype(_bits(found[1], int(found[2]), operand(found[4]), to.memory.data.dtype)))
        return (None,)
    if found := _LOAD.fullmatch(text):
        at = place_of(operand(found[3]), int(found[2]))
        at.load()  # checks it
        return (types[0](at.memory.data[int(at.offset):int(at.offset) + 1].view(f"{_NUMPY[found[1]]}{int(found[2]) // 8}")[0]),)
    if found := _ARRIVE.fullmatch(text):
        phases_at(place_of(operand(found[2]), 64)).change(arrivals=1, expected_bytes=int(operand(found[3])) if found[1] else 0, remote=True)
        return (None,)
    return None
