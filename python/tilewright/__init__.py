"""Layouts as values, and copies between any two layouts at the speed of memory.

>>> import tilewright as tw
>>> a = tw.Layout("(4,8):(8,1)")
>>> a(2, 3), a.size
(19, 32)
>>> tw.composition(a, "(2,2):(1,4)")
Layout('(2,2):(8,1)')

Arrays of NumPy, PyTorch and everything else with the buffer protocol or DLPack:

>>> import numpy as np
>>> x = np.arange(6).reshape(2, 3)
>>> tw.permute(x, (1, 0))
array([[0, 3],
       [1, 4],
       [2, 5]])
"""
from ._core import CopyError, LayoutError, __version__
from . import distributed
from ._copy import Plan, contiguous, copy_, is_settled, permute, plan
from ._int_tuples import (crd2crd, elem_scale, has_none, inner_product, is_int, is_tuple, prefix_product, shape_div, signum, suffix_product,
                          tuple_max)
from ._layout import Layout, evaluate
from ._linear_layout import LinearLayout, from_linear
from ._operations import *  # noqa: F401,F403  every operation of the algebra
from ._operations import __all__ as _names
from ._picture import Picture
from ._rearrange import rearrange
from ._reports import Check, Report, TiledCopy, check, explain, plot
from ._tiled_mma import TiledMMA

__all__ = ["Check", "CopyError", "Layout", "LayoutError", "LinearLayout", "Picture", "Plan", "Report", "TiledCopy", "TiledMMA",
           "__version__", "check", "contiguous", "copy_", "crd2crd", "distributed", "elem_scale", "evaluate", "explain", "from_linear", "has_none",
           "inner_product", "is_int", "is_settled", "is_tuple", "permute", "plan", "plot", "prefix_product", "rearrange", "shape_div", "signum",
           "suffix_product", "tuple_max", *_names]
