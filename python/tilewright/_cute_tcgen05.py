"""cute.nvgpu.tcgen05: the names of products and copies of tensor memory, on the CPU."""
from . import _cute_tmem_copies as _copies
from ._cute_names import Names
from ._cute_tensor_memory import columns_of
from ._cute_tmem_copies import make_tmem_copy, Pack, Repetition, TmemOp, Unpack
from ._cute_umma import commit, CtaGroup, Field, MmaF16BF16Op, MmaF8F6F4Op, MmaFP8Op, MmaI8Op, MmaTF32Op, OperandSource
from ._cute_umma_layouts import tile_to_mma_shape
from ._cute_warpgroup import make_smem_layout_atom, OperandMajorMode, SmemLayoutAtomKind


class _Copies(metaclass=Names):
    """tcgen05.copy: copies of tensor memory."""

    Repetition, Pack, Unpack = Repetition, Pack, Unpack


for _name in ("32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"):
    for _kind in ("Ld", "St"):
        setattr(_Copies, f"{_kind}{_name}Op", getattr(_copies, f"{_kind}{_name}Op"))


class _Mma(metaclass=Names):
    """tcgen05.mma: products."""

    CtaGroup, OperandSource, OperandMajorMode, Field, SmemLayoutAtomKind = CtaGroup, OperandSource, OperandMajorMode, Field, SmemLayoutAtomKind
    MmaF16BF16Op, MmaTF32Op, MmaFP8Op, MmaF8F6F4Op, MmaI8Op = MmaF16BF16Op, MmaTF32Op, MmaFP8Op, MmaF8F6F4Op, MmaI8Op


class tcgen05(metaclass=Names):
    """Products and copies of tensor memory, on the CPU."""

    copy, mma = _Copies, _Mma
    make_tmem_copy, commit, tile_to_mma_shape = staticmethod(make_tmem_copy), staticmethod(commit), staticmethod(tile_to_mma_shape)
    make_smem_layout_atom = staticmethod(make_smem_layout_atom)
    find_tmem_tensor_col_offset = staticmethod(columns_of)

    @staticmethod
    def is_tmem_load(atom, **_):
        """Does the atom load from tensor memory?"""
        op = getattr(getattr(atom, "atom", atom), "op", None)
        return isinstance(op, TmemOp) and op.loads

    @staticmethod
    def is_tmem_store(atom, **_):
        """Does the atom store to tensor memory?"""
        op = getattr(getattr(atom, "atom", atom), "op", None)
        return isinstance(op, TmemOp) and not op.loads


for _part in (_Copies, _Mma):
    for _name, _value in list(vars(_part).items()):
        if not _name.startswith("_"):
            setattr(tcgen05, _name, _value)
