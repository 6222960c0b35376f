"""What a trace writes for operations of a warp: matrix copies and matrix multiplications, whose elements are packed in words of 32 bits."""
from ._cute_values import TYPES, bytes_of


class MatrixLines:
    """Part of a Trace."""

    has_matrices = False

    def _words(self, places):
        """Groups of places that are 4 bytes each, and whether their elements are contiguous in one memory from a multiple of 4 bytes on."""
        each = 4 // bytes_of(places[0][0].kind)
        for i in range(0, len(places), each):
            group = places[i:i + each]
            (memory, at), follow = group[0], [at for _, at in group]
            yield group, all(m is memory for m, _ in group) and type(at) is int and at % each == 0 and follow == [*range(at, at + each)]

    def _registers(self, places, kind):
        """The text of 32-bit words of elements in memories."""
        of, words = f"({TYPES[kind]})", []
        for group, together in self._words(places):
            memory, at = group[0]
            if together and memory.kind == kind:
                words.append(f"tw_word_at({memory.name} + {at})")
            else:
                words.append(f"tw_packed({', '.join(f'{of}{m.name}[{self._text(at)}]' for m, at in group)})")
        return ", ".join(words)

    def registers(self, tensor):
        """The same of a tensor's elements."""
        self.has_matrices = True
        memory = tensor.iterator.memory
        return self._registers([(memory, tensor.place(i)) for i in range(tensor.layout.size)], memory.kind)

    def _unpack(self, places, word):
        """Assigns elements of the words of an array to places."""
        for n, (group, together) in enumerate(self._words(places)):
            if together:
                self.line(f"tw_put_word({group[0][0].name} + {group[0][1]}, {word}[{n}]);")
                continue
            for i, (m, at) in enumerate(group):
                self.line(f"{m.name}[{self._text(at)}] = tw_unpacked<{TYPES[m.kind]}>({word}[{n}], {i});")

    def move_matrices(self, op, rows, at, places, loads):
        """ldmatrix or stmatrix of the row at a place and the elements of this thread."""
        self.has_matrices = True
        words, count = self.name("w"), op.num_matrices
        of = f"<{count}, {'true' if op.transpose else 'false'}>"
        if loads:
            self.line(f"unsigned {words}[{count}];")
            self.line(f"tilewright::ptx::ldmatrix{of}({rows.name} + {self._text(at)}, {words});")
            return self._unpack(places, words)
        self.line(f"unsigned const {words}[{count}] = {{{self._registers(places, places[0][0].kind)}}};")
        self.line(f"tilewright::ptx::stmatrix{of}({rows.name} + {self._text(at)}, {words});")

    def multiply(self, name, kinds, d, a, b, c):
        """One matrix operation: d = a * b + c; each is a list of (memory, place), `kinds` are those of the sums and of A and B."""
        self.has_matrices = True
        sums, factors = kinds
        words, of = self.name("w"), "float" if sums == "float32" else "unsigned"
        count = len(d) * bytes_of(sums) // 4
        before = ", ".join(f"{m.name}[{self._text(at)}]" for m, at in c) if sums == "float32" else self._registers(c, sums)
        self.line(f"{of} {words}d[{count}], {words}c[{count}] = {{{before}}};")
        for letter, places in (("a", a), ("b", b)):
            self.line(f"unsigned const {words}{letter}[{len(places) * bytes_of(factors) // 4}] = {{{self._registers(places, factors)}}};")
        self.line(f"tilewright::{name}::run({words}d, {words}a, {words}b, {words}c);")
        if sums != "float32":
            return self._unpack(d, f"{words}d")
        for i, (m, at) in enumerate(d):
            self.line(f"{m.name}[{self._text(at)}] = {words}d[{i}];")
