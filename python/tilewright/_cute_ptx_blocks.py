"""Several instructions of inline PTX on the CPU, one after another, with registers of their own:

    { .reg .pred p; setp.ne.b32 p, $1, 0; vote.sync.ballot.b32 $0, p, $2; }     the lanes whose operand is not 0
    { .reg .pred p; setp.lt.f32 p, $1, $2; @p mov.f32 $0, $2; @!p mov.f32 $0, $1; }
"""
import operator
import re
import struct

import numpy as np

from ._cute_numbers import Float32, Int32, Uint32

_COMPARES = {"eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
             "lo": operator.lt, "ls": operator.le, "hi": operator.gt, "hs": operator.ge}
_TYPES = {"f32": Float32, "s32": lambda x: Int32((int(x) + (1 << 31)) % (1 << 32) - (1 << 31)), "u32": lambda x: Uint32(int(x) & 0xffffffff)}
_TYPES["b32"] = _TYPES["u32"]
_PREDICATES = {"and": operator.and_, "or": operator.or_, "xor": operator.xor}


class NotComputed(Exception):
    """An instruction that the CPU does not compute."""


def _literal(word):
    """A number as PTX writes it, 7, 0x1f or 0f3F800000; None for another word."""
    if re.fullmatch(r"0[fF][0-9a-fA-F]{8}", word):
        return np.float32(struct.unpack(">f", bytes.fromhex(word[2:]))[0])
    if re.fullmatch(r"-?(0[xX][0-9a-fA-F]+|\d+)U?", word):
        return int(word.rstrip("U"), 0)
    return float(word) if re.fullmatch(r"-?\d+\.\d*", word) else None


class Block:
    """The registers of a sequence of instructions and what the operands are."""

    def __init__(self, types, operands, single, special, arch):
        """single(name): the function of an instruction that has one result; special: name -> a function that gives its value"""
        self.count, self.single, self.special, self.arch = len(types), single, special, arch
        self.values = {f"${i + len(types)}": x for i, x in enumerate(operands)}
        self.registers: set = set()

    def run(self, text):
        """The results in order.  error: NotComputed, with the instruction"""
        text = re.sub(r"//[^\n]*", "", text)
        for statement in (s.strip(" \t\n{}") for s in text.split(";")):
            if statement.startswith(".reg"):
                self.registers.update(n.strip() for n in statement.split(None, 2)[2].split(","))
            elif statement:
                self._do(statement)
        results = [self.values.get(f"${i}") for i in range(self.count)]
        if any(r is None for r in results):
            raise NotComputed(text.strip())
        return results

    def _do(self, statement):
        guard = re.match(r"@(!?)(%?\w+)\s+", statement)
        if guard:
            statement = statement[guard.end():]
        name, _, rest = statement.partition(" ")
        words = [w.strip() for w in rest.split(",")]
        to = words[0]
        if not re.fullmatch(r"\$\d+", to) and to not in self.registers:
            raise NotComputed(statement)
        if guard and bool(self._of(guard[2], statement)) == bool(guard[1]):
            return
        self.values[to] = self._computed(name, [self._of(w, statement) for w in words[1:]], statement)

    def _of(self, word, statement):
        negated = word.startswith("!")
        word = word.lstrip("!")
        found = self.values.get(word)
        if found is None:
            found = self.special[word]() if word in self.special else _literal(word)
        if found is None:
            raise NotComputed(statement)
        return not found if negated else found

    def _computed(self, name, given, statement):
        parts = name.split(".")
        kind = parts[-1]
        if parts[0] == "setp" and len(parts) == 3 and parts[1] in _COMPARES and kind in _TYPES:
            return bool(_COMPARES[parts[1]](*map(_TYPES[kind], given)))
        if parts[0] == "selp" and kind in _TYPES:
            return _TYPES[kind](given[0] if given[2] else given[1])
        if parts[:2] == ["vote", "sync"]:
            vote = {"any": self.arch.vote_any_sync, "all": self.arch.vote_all_sync, "uni": self.arch.vote_uni_sync,
                    "ballot": self.arch.vote_ballot_sync}.get(parts[2])
            if vote is not None:
                return vote(bool(given[0]), given[1])
        if kind == "pred" and parts[0] in _PREDICATES:
            return _PREDICATES[parts[0]](bool(given[0]), bool(given[1]))
        if kind == "pred" and parts[0] in ("not", "mov"):
            return bool(given[0]) != (parts[0] == "not")
        compute = self.single(name)
        if compute is None:
            raise NotComputed(statement)
        return compute(*(Uint32(x & 0xffffffff) if type(x) is int else x for x in given))
