"""Writes _operations.pyi of the built package in the folder given: a signature for each operation of the algebra, which the
package makes from the extension's table when it is imported, so that editors and type checkers see them."""
import os
import pathlib
import sys


def stubs(operations):
    names = [name for name, *_ in operations if name not in ("min", "max", "abs", "sign")]
    lines = ["from typing import Any, Sequence", "", "from ._layout import Layout, Operand", "",
             f"__all__ = {names + ['group_modes', 'make_layout', 'product', 'slice_']!r}", "",
             "def make_layout(*parts: Operand | Sequence[Operand], facts: Sequence[str] = ...) -> Layout: ..."]
    for name, parameters, purpose, _ in operations:
        if name not in names:
            continue
        lines.append(f"def {name}(*arguments: Operand, facts: Sequence[str] = ...) -> Any:")
        lines.append(f'    """{name}({parameters}): {purpose}."""')
    lines += ["group_modes = group", "product = size", "slice_ = slice"]
    return "\n".join(lines) + "\n"


def main(folder):
    sys.path.insert(0, str(folder))
    from tilewright import _core
    path = pathlib.Path(folder) / "tilewright" / "_operations.pyi"
    beside = path.with_suffix(".part")
    beside.write_text(stubs(_core.operations()), encoding="utf-8")
    os.replace(beside, path)


if __name__ == "__main__":
    main(sys.argv[1])
