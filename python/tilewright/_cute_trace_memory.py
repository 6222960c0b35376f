"""Memory of a traced kernel: pointers and arrays in its text, their elements, and atomic operations."""
from ._cute_packed import PACKED
from ._cute_values import TYPES, Value, bytes_of, kind_of, pointed


class TracedMemory:
    """Memory of a kernel: a pointer or an array in its text."""

    first_byte = 0  # in the allocation that it is a part of

    def __init__(self, trace, name, kind, dtype, space, count):
        self.trace, self.name, self.kind, self.dtype, self.space, self.count = trace, name, kind, dtype, space, count

    def recast(self, dtype):
        """The same bytes as elements of another type."""
        kind = kind_of(dtype)
        self.trace.kinds.add(kind)
        made = TracedMemory(self.trace, f"reinterpret_cast<{pointed(kind)}*>({self.name})", kind, dtype, self.space,
                            int(self.count * bytes_of(self.kind) // bytes_of(kind)))
        made.first_byte = self.first_byte
        return made

    def address_of(self, at):
        """The address of an element: 32 bits in shared memory, 64 in others."""
        if self.space != "smem":
            return self.trace.let("int64", f"(long long)({self._place(at)})", positive=True)
        self.trace.headers.add("tilewright/atom/ptx/target.hpp")
        return self.trace.let("int32", f"(int)tilewright::cast_smem_ptr_to_uint({self._place(at)})", positive=True)

    def part(self, first, count, dtype):
        """So many elements of another type from a byte on."""
        kind = kind_of(dtype)
        self.trace.kinds.add(kind)
        name = f"reinterpret_cast<{pointed(kind)}*>(reinterpret_cast<unsigned char*>({self.name}) + {first})"
        made = TracedMemory(self.trace, f"({name})", kind, dtype, self.space, count)
        made.first_byte = self.first_byte + first
        return made

    def _at(self, at, describe):
        if isinstance(at, Value):
            return self.trace.number(at)
        if not 0 <= at < self.count:
            raise IndexError(f"{describe()} is at offset {at}, outside of the {self.count} elements in {self.space}"
                             + self.trace.where())
        return str(at)

    def load(self, at, describe):
        if self.kind in PACKED:
            return self.trace.let(self.kind, f"tw_half_byte<{TYPES[self.kind]}>({self.name}, {self._at(at, describe)})")
        return self.trace.let(self.kind, f"{self.name}[{self._at(at, describe)}]")

    def _place(self, at):
        if self.kind in PACKED:
            raise TypeError(f"an element of {self.kind} is half a byte and has no address; recast the pointer to Uint8{self.trace.where()}")
        return f"{self.name} + {self.trace.number(at) if isinstance(at, Value) else self._at(at, lambda: 'an element')}"

    def _fenced(self, sem, scope, make):
        """The value that make() gives, ordered as `sem` says."""
        fence = {"cta": "__threadfence_block();", "sys": "__threadfence_system();"}.get(scope, "__threadfence();")
        if sem in ("release", "acq_rel"):
            self.trace.line(fence)
        out = make()
        if sem in ("acquire", "acq_rel"):
            self.trace.line(fence)
        return out

    def change_atomically(self, name, at, values, sem, scope):
        place, kind, given = self._place(at), self.kind, [self.trace.converted(v, self.kind) for v in values]
        wide, system = kind in ("int64", "index", "uint64"), "_system" if scope == "sys" else ""
        if kind not in ATOMIC[name]:
            raise TypeError(f"a GPU has no atomic operation '{name}' of {kind}; it has it of {', '.join(ATOMIC[name])}{self.trace.where()}")
        if kind == "float32" and name in ("max", "min"):
            self.trace.has_float_extremes = True
            call = f"tw_atomic_f{name}({place}, {given[0]})"
        else:
            of = "unsigned long long" if wide and name not in ("max", "min") else TYPES[kind]
            cased = {"cas": "CAS"}.get(name, name.capitalize())
            call = f"({TYPES[kind]})atomic{cased}{system}(reinterpret_cast<{of}*>({place}), {', '.join(f'({of}){g}' for g in given)})"
        return self._fenced(sem, scope, lambda: self.trace.let(kind, call))

    def load_ordered(self, at, sem, scope):
        text = f"*const_cast<{TYPES[self.kind]} const volatile*>({self._place(at)})"
        return self._fenced(sem, scope, lambda: self.trace.let(self.kind, text))

    def store_ordered(self, at, value, sem, scope):
        text = f"*const_cast<{TYPES[self.kind]} volatile*>({self._place(at)}) = {self.trace.converted(value, self.kind)};"
        self._fenced(sem, scope, lambda: self.trace.line(text))

    def store(self, at, value, describe):
        if self.kind in PACKED:
            self.trace.kinds.add(self.kind)
            return self.trace.line(f"tw_set_half_byte({self.name}, {self._at(at, describe)}, {self.trace.converted(value, self.kind)});")
        self.trace.line(f"{self.name}[{self._at(at, describe)}] = {self.trace.converted(value, self.kind)};")


def memory_at(trace, address, dtype, space, count):
    """Memory of a kernel from an address on, which is a number."""
    kind = kind_of(dtype)
    trace.kinds.add(kind)
    text = trace.converted(address, "int64")
    if space == "smem":
        text = f"__cvta_shared_to_generic((unsigned)({text}))"
    return TracedMemory(trace, f"reinterpret_cast<{pointed(kind)}*>({text})", kind, dtype, space, count)


#: Atomic operations of CUDA: name -> element types.
_WORDS = ("int32", "uint32", "int64", "uint64", "index")
ATOMIC = {"add": (*_WORDS, "float32", "float64"), "exch": (*_WORDS, "float32"), "max": (*_WORDS, "float32"), "min": (*_WORDS, "float32"),
          "and": _WORDS, "or": _WORDS, "xor": _WORDS, "cas": _WORDS}
