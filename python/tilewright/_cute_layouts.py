"""Layouts and their algebra in kernels: the operations of this package, which take tensors as well, under the names and the
keywords of CuTe's Python DSL."""
import functools
import operator

from . import _operations as _algebra
from ._cute_numbers import number_type
from ._cute_ssa import TensorSSA, larger, smaller
from ._cute_tree import mapped
from ._cute_tensor import Coordinates, Pointer, Tensor, seen, swizzling_of
from ._cute_values import active, Value
from ._core import LayoutError
from ._layout import Layout, Swizzle, evaluate, leaves_of, product as _product, text_of


__all__ = ["ComposedLayout", "append", "assume", "blocked_product", "ceil_div", "coalesce", "complement", "composition", "cosize", "crd2idx",
           "depth", "dice", "elem_less", "filter", "filter_zeros", "flat_divide", "flat_product", "flatten", "flatten_to_tuple", "get",
           "group_modes", "idx2crd", "is_congruent", "is_static", "is_weakly_congruent", "left_inverse", 
           "logical_divide", "logical_product", "make_composed_layout", "make_identity_layout",
           "make_identity_tensor", "make_layout", "make_layout_image_mask", "make_layout_tv", "make_ordered_layout", "make_rmem_tensor",
           "make_rmem_tensor_like", "make_swizzle", "make_tensor", "max", "min", "prepend", "product", "product_each",
           "product_like", "raked_product", "rank", "repeat", "repeat_like",
           "right_inverse", "round_up", "select", "shape", "size", "size_in_bytes", "slice_", "tile_to_shape", "tiled_divide",
           "tiled_product", "zipped_divide", "zipped_product"]


# --- what makes layouts and tensors ----------------------------------------------------------------------------------
def make_layout(shape, *, stride=None, **_):
    """A layout of a shape; without strides they are compact, first mode fastest. Of a tuple of layouts: each one mode."""
    if isinstance(shape, tuple) and shape and all(isinstance(s, Layout) for s in shape):
        return Layout(tuple(s.shape for s in shape), tuple(s.stride for s in shape))
    return Layout(shape, stride)


def make_ordered_layout(shape, order, **_):
    """Compact strides; the mode of the smallest entry of `order` is fastest."""
    return _algebra.compact_order(shape, order)


def make_identity_layout(shape, **_):
    """The layout whose offsets are coordinates."""
    return _algebra.identity_layout(shape)


def make_identity_tensor(shape, **_):
    """A tensor whose elements are their own coordinates; divided and partitioned as the data are, it tells where an element is."""
    layout = _algebra.identity_layout(shape)

    def origin(s):
        return tuple(map(origin, s)) if isinstance(s, tuple) else 0
    return Tensor(Coordinates(origin(layout.shape)), layout)


def make_layout_tv(thr_layout, val_layout, **_):
    """(tiler, layout): the tile that threads of these values cover, and the map from (thread, value) to its indices."""
    tiler = evaluate(f"shape(raked_product({thr_layout}, {val_layout}))")
    tiler = tuple(evaluate(f"size({text_of(m)})") for m in tiler) if isinstance(tiler, tuple) else (tiler,)
    return tiler, _algebra.make_layout_tv(thr_layout, val_layout)


def make_tensor(iterator, layout, **_):
    """The memory at a pointer, seen through a layout; behind the pointer's swizzle, where it has one."""
    layout = layout if isinstance(layout, Layout) else Layout(layout)
    if not isinstance(iterator, (Pointer, Coordinates)):
        raise TypeError(f"make_tensor is of a pointer and a layout, and {iterator!r} is no pointer; give x.iterator of a tensor, make_ptr or "
                        "alloc_smem; from_dlpack(x) is the tensor of an array")
    return seen(iterator, layout, getattr(iterator, "swizzle", "")) if isinstance(iterator, Pointer) else Tensor(iterator, layout)


def make_rmem_tensor(layout_or_shape, dtype, **_):
    """A tensor of this thread's own; compact.  `shape` may be a Layout."""
    layout = layout_or_shape if isinstance(layout_or_shape, Layout) else Layout(layout_or_shape)
    return Tensor(Pointer.allocate(layout.cosize, dtype, "rmem"), layout)


def make_rmem_tensor_like(src, dtype=None, **_):
    """A compact tensor of this thread's own, of the shape of another."""
    shape = src.shape if isinstance(src, (Tensor, TensorSSA, Layout)) else src
    return make_rmem_tensor(shape, dtype or src.element_type)


def make_swizzle(b, m, s, **_):
    """A swizzle, for make_composed_layout."""
    return Swizzle(f"Sw<{b},{m},{s}>")


def make_composed_layout(inner, offset, outer, **_):
    """x -> inner(offset + outer(x)): a swizzled layout, or a Python function of offsets or coordinates."""
    if isinstance(inner, str):
        return evaluate(f"{inner} o {text_of(offset)} o {outer}")
    return ComposedLayout(inner, offset, outer)


class ComposedLayout:
    """A Python function of the offsets, or coordinates, of a layout."""

    def __init__(self, inner, offset, outer):
        self.inner, self.offset, self.outer = inner, offset, outer

    @property
    def shape(self):
        """The extents of the layout within."""
        return self.outer.shape

    def __call__(self, *coordinate):
        at = self.outer(*coordinate)
        if isinstance(self.offset, tuple):
            at = tuple(map(operator.add, self.offset, at))
        elif not isinstance(at, tuple):
            at = self.offset + at
        elif self.offset != 0:  # 0 is the origin of coordinates, too
            raise ValueError(f"the offset {self.offset} is added to coordinates such as {at}; give a tuple")
        return self.inner(at)

    def __repr__(self):
        return f"{getattr(self.inner, '__name__', self.inner)} o {text_of(self.offset)} o {self.outer}"


# --- the algebra ---------------------------------------------------------------------------------------------------------
#: What the DSL calls the first argument of an operation, and those behind it.
_FIRST = ("input", "target", "block", "atom", "a")
_FURTHER = ("tiler", "target_profile", "cotarget", "elem", "up_to_rank", "trg_shape", "order")


_OF_MODES = ("append", "prepend")  # which change the modes of a swizzled layout's plain one alone


def _on_layout(name):
    operation = getattr(_algebra, name)

    def of(*arguments, loc=None, ip=None, **named):
        unknown = [n for n in named if n not in _FIRST + _FURTHER]
        if unknown:
            raise TypeError(f"{name}() has no argument {unknown[0]!r}")
        arguments = (*(named[n] for n in _FIRST if n in named), *arguments, *(named[n] for n in _FURTHER if named.get(n) is not None))
        if not arguments:
            raise TypeError(f"{name}() needs a layout or a tensor")
        x, *arguments = arguments
        if isinstance(x, Tensor):
            return Tensor(x.iterator, on(x.layout, *arguments))
        return on(x, *arguments)

    def on(x, *arguments):
        swizzling = swizzling_of(x) if name in _OF_MODES and isinstance(x, Layout) else None
        return operation(x, *arguments) if swizzling is None else swizzling.of(operation(swizzling.plain, *arguments))
    of.__name__ = of.__qualname__ = name
    of.__doc__ = operation.__doc__ + "\n\nOf a tensor: the tensor with that layout."
    return of


def _beginning_beyond(layout, tiler, divided, name):
    """A divided layout of coordinates whose modes of one tile have the tile's step, so that a tile beyond begins beyond, as it does where there are
    more tiles: (8,8):(1@0,1@1) in tiles of (64,64) is ((64,64),(1,1)):((1@0,1@1),(64@0,64@1)), where the algebra has steps of 0."""
    tiles, modes = tiler if isinstance(tiler, tuple) else (tiler,), list(layout) if isinstance(layout.shape, tuple) else [layout]
    if len(tiles) > len(modes) or not all(type(t) is int for t in tiles):
        return divided
    one = [type(m.shape) is int and m.shape <= t for m, t in zip(modes, tiles)] + [False] * (len(modes) - len(tiles))
    if not any(one):
        return divided
    shape = tuple(2 * t if o else m.shape for m, t, o in zip(modes, (*tiles, *modes), one))
    grown = getattr(_algebra, name)(Layout(f"{text_of(shape)}:{text_of(tuple(m.stride for m in modes))}") if isinstance(layout.shape, tuple)
                                    else Layout(f"{shape[0]}:{text_of(layout.stride)}"), tiler)
    return Layout(f"{text_of(divided.shape)}:{text_of(grown.stride)}")


def _with_own_modes(layout, tiler, name):
    """A divided layout whose modes are not tuples of one mode. With a tiler of one mode the algebra gives (128,K) in tiles of (8,) as
    ((8),16,K) and 16 as ((8),(2)); flat_divide gives (8,16,K) and (8,2), tiled_divide ((8),16,K) and ((8),2)."""
    first = {"flat_divide": 0, "tiled_divide": 1}.get(name)
    if first is None or not isinstance(tiler, tuple) or len(tiler) != 1:
        return layout
    swizzling = swizzling_of(layout)
    plain = layout if swizzling is None else swizzling.plain

    def own(modes):
        return (*modes[:first], *(m[0] if isinstance(m, tuple) and len(m) == 1 else m for m in modes[first:2]), *modes[2:])
    made = Layout(f"{text_of(own(plain.shape))}:{text_of(own(plain.stride))}")
    return made if swizzling is None else swizzling.of(made)


def _divide(name):
    """A division, of which tiles of tensors of coordinates begin beyond them."""
    plain = _on_layout(name)

    @functools.wraps(plain)
    def of(*arguments, **named):
        made = plain(*arguments, **named)
        x, tiler = [*(named[n] for n in _FIRST if n in named), *arguments, *(named[n] for n in _FURTHER if n in named)][:2]
        if not isinstance(made, Tensor):
            return _with_own_modes(made, tiler, name)
        layout = _beginning_beyond(x.layout, tiler, made.layout, name) if isinstance(made.iterator, Coordinates) else made.layout
        return Tensor(made.iterator, _with_own_modes(layout, tiler, name))
    return of


coalesce, filter_zeros = _on_layout("coalesce"), _on_layout("filter_zeros")
_flatten = _on_layout("flatten")
filter = _on_layout("filter")  # noqa: A001  the DSL's name
logical_divide, zipped_divide, tiled_divide, flat_divide = map(_divide, ("logical_divide", "zipped_divide", "tiled_divide", "flat_divide"))
logical_product, zipped_product = _on_layout("logical_product"), _on_layout("zipped_product")
tiled_product, flat_product = _on_layout("tiled_product"), _on_layout("flat_product")
blocked_product, raked_product = _on_layout("blocked_product"), _on_layout("raked_product")
complement, right_inverse, left_inverse = _on_layout("complement"), _on_layout("right_inverse"), _on_layout("left_inverse")
append, prepend = _on_layout("append"), _on_layout("prepend")
tile_to_shape = _on_layout("tile_to_shape")


def flatten(a=None, **named):
    """A layout or a tensor of one level; of a tuple its values in order, as a tuple."""
    return tuple(leaves_of(a)) if isinstance(a, tuple) else _flatten(*(() if a is None else (a,)), **named)


def flatten_to_tuple(a, **_):
    """The values of nested tuples in order; (a,) for a number."""
    return tuple(leaves_of(tuple(a) if isinstance(a, list) else a))


def dice(src, dicer, **_):
    """What a coordinate keeps where it has no None: of a layout, or a tuple."""
    return _algebra.dice(src, dicer)


def composition(lhs, rhs, **_):
    """lhs visited in the order of rhs, mode by mode where rhs is a tuple (None keeps a mode).

    Beyond the domain of lhs its last mode goes on, as in CuTe. Of a tensor: the tensor with that layout.  Raises LayoutError where there
    is no answer.
    """
    if isinstance(lhs, Tensor):
        return Tensor(lhs.iterator, composition(lhs.layout, rhs))
    try:
        return _algebra.composition(lhs, rhs)
    except LayoutError as error:
        if "#out_of_domain" not in str(error) or not isinstance(lhs, Layout) or swizzling_of(lhs) is not None:
            raise
    return _composed_beyond(lhs, rhs)


def _composed_beyond(lhs, rhs):
    """The composition with a layout that reaches beyond the domain: as in CuTe the last mode goes on, 6:2 o 4:3 = 4:6."""
    if isinstance(rhs, tuple):
        return make_layout(tuple(m if r is None else composition(m, r) for m, r in zip(lhs, rhs)))
    rhs = rhs if isinstance(rhs, Layout) else Layout(rhs)
    times = -(-rhs.cosize // lhs.size)

    def enlarged(shape):
        return (*shape[:-1], enlarged(shape[-1])) if isinstance(shape, tuple) else shape * times
    return _algebra.composition(Layout(f"{text_of(enlarged(lhs.shape))}:{text_of(lhs.stride)}"), rhs)


def group_modes(input, begin, end=-1, **_):  # noqa: A002  the DSL's name
    """The modes begin … end-1 as one; without an end, all from begin on."""
    return _on_layout("group")(input, begin, rank(input) if end == -1 else end)


def layout_of(x):
    """The layout of a tensor; a layout or a shape as it is."""
    return x.layout if isinstance(x, Tensor) else x


def _mode(x, mode):
    layout = layout_of(x)
    for m in [mode] if isinstance(mode, int) else mode or []:
        layout = (layout if isinstance(layout, Layout) else Layout(layout))[m]
    return layout


def select(input, mode):  # noqa: A002  the DSL's name
    """The modes named, in that order; of a layout, a tensor, or a tuple."""
    if isinstance(input, (tuple, list)):
        for m in mode:
            if not -len(input) <= m < len(input):
                raise IndexError(f"there is no mode {m} in {text_of(input)}, which has {len(input)}")
        return tuple(input[m] for m in mode)
    return _on_layout("select")(input, *mode)


def get(input, mode):  # noqa: A002  the DSL's name
    """One mode of a layout, a tensor, or a tuple; a list of modes goes inwards."""
    if isinstance(input, Tensor):
        return Tensor(input.iterator, _mode(input, mode))
    for m in [mode] if isinstance(mode, int) else mode:
        input = input[m]
    return input


def slice_(src, coord, **_):
    """What the Nones of a coordinate keep: of a tensor, a layout, or a tuple."""
    if isinstance(src, (Tensor, TensorSSA)):
        return src[coord]
    if isinstance(src, Layout):
        return src(*coord) if isinstance(coord, tuple) else src(coord)
    return tuple(e for e, c in zip(src, coord) if c is None)


def _number_of(out):
    return active().from_text(out) if isinstance(out, str) and active() else out


def size(a, mode=None, **_):
    """The number of coordinates, of one mode (a list of modes goes inwards); of a tiled copy or a tiled matrix operation its threads."""
    if hasattr(a, "get_slice"):
        return a.size
    if isinstance(a, TensorSSA) and mode is None:
        return len(a)
    return _number_of(evaluate(f"size({text_of(_mode(a.shape if isinstance(a, (TensorSSA, ComposedLayout)) else a, mode))})"))


def shape(input, mode=None, **_):  # noqa: A002  the DSL's name
    """The extents, of one mode."""
    layout = _mode(input, mode)
    return layout.shape if hasattr(layout, "shape") else layout


def rank(a, mode=None, **_):
    """The number of modes."""
    layout = _mode(a, mode)
    return layout.rank if isinstance(layout, Layout) else len(layout) if isinstance(layout, tuple) else 1


def depth(a, **_):
    """How deep the shape is nested; 0 for an integer."""
    return evaluate(f"depth({text_of(layout_of(a))})")


def cosize(a, mode=None, **_):
    """How many elements of memory there must be."""
    return _mode(a, mode).cosize


def size_in_bytes(dtype, layout, **_):
    """The bytes that elements of a layout span; 0 for None."""
    if layout is None:
        return 0
    made = number_type(dtype)
    if not hasattr(made, "width"):
        what = "coordinates, as those of a TMA tensor, have no bytes; give the element type of the array" if dtype is tuple else f"{dtype!r} is no number type"
        raise TypeError(f"size_in_bytes: {what}")
    found = swizzling_of(layout) if isinstance(layout, Layout) else None  # a swizzle of bytes moves elements within their bytes
    return -(-made.width * (cosize(layout) if found is None else found.plain.cosize) // 8)


def crd2idx(coord, layout, **_):
    """The offset of a coordinate in a layout or a shape."""
    layout = layout if isinstance(layout, Layout) else Layout(layout)
    return _number_of(evaluate(f"crd2idx({text_of(coord)}, {layout})"))


def idx2crd(idx, shape, **_):  # noqa: A002
    """The coordinate of an index in a shape, first mode fastest; of a tuple, of each entry in its mode."""
    if isinstance(idx, tuple):
        return tuple(map(idx2crd, idx, shape))
    return mapped(_algebra.idx2crd(idx, shape), _number_of)


def product(a, **_):
    """The product of the leaves of a tuple."""
    return _number_of(_product(a))


def product_each(a, **_):
    """The product of each mode."""
    return tuple(map(product, a)) if isinstance(a, (tuple, list)) else a


def product_like(a, target_profile):
    """The product of each part of a that is a leaf of the profile."""
    return tuple(map(product_like, a, target_profile)) if isinstance(target_profile, tuple) else product(a)


def ceil_div(input, tiler, **_):  # noqa: A002  the DSL's name
    """input / tiler rounded up; of tuples mode by mode."""
    if isinstance(input, (tuple, list)):
        tiler = tuple(tiler) + (1,) * (len(input) - len(tiler)) if isinstance(tiler, (tuple, list)) else (tiler,) + (1,) * (len(input) - 1)
        return tuple(map(ceil_div, input, tiler))
    return -(-input // product(tiler))


def round_up(a, b, **_):
    """The multiple of b that is a or next above it; of tuples mode by mode."""
    return tuple(map(round_up, a, b)) if isinstance(a, tuple) else ceil_div(a, b) * b


def repeat_like(x, target, **_):
    """The value at each leaf of a tuple, or of a shape."""
    if isinstance(target, (Layout, Tensor)):
        target = target.shape
    return tuple(repeat_like(x, part) for part in target) if isinstance(target, tuple) else x


def repeat(x, n, **_):
    """A tuple of a value, so many times; of one: the value."""
    return x if n == 1 else (x,) * n


def is_static(x):
    """Is a layout, a tuple or a number known before the kernel runs?"""
    return not isinstance(x, (str, Value)) if not isinstance(x, (tuple, Layout)) else all(
        map(is_static, (x.shape, x.stride) if isinstance(x, Layout) else x))


def is_congruent(a, b):
    """Are two tuples nested alike?"""
    return evaluate(f"congruent({text_of(a)}, {text_of(b)})")


def is_weakly_congruent(a, b):
    """Is each tuple of a one of b at its place?"""
    return not isinstance(a, tuple) or isinstance(b, tuple) and len(a) == len(b) and all(map(is_weakly_congruent, a, b))


def make_layout_image_mask(lay, coord, mode, **_):
    """The offsets of a layout along one mode from a coordinate on, as bits: the blocks of a cluster that share tiles with one."""
    mask = 0
    for i in range(product(lay.shape[mode])):
        mask = mask | 1 << _number_of(lay(tuple(i if m == mode else c for m, c in enumerate(coord))))
    return mask


def assume(src, divby=None, **_):
    """The value itself; a layout's facts say what is known of names (facts=["M%8=0"])."""
    return src


def elem_less(lhs, rhs, **_):
    """Is each entry of a coordinate less than that of another, or of a shape?"""
    if not isinstance(lhs, (tuple, list)):
        return lhs < product(rhs)
    rhs = rhs if isinstance(rhs, (tuple, list)) else (rhs,)
    if len(lhs) != len(rhs):
        raise ValueError(f"elem_less: {lhs} has {len(lhs)} modes and {rhs} has {len(rhs)}; give one entry for each mode")
    out = True
    for x, y in zip(lhs, rhs):
        less = elem_less(x, y)
        out = less if out is True else out if less is True else less & out
    return out


def min(*values):  # noqa: A001
    """The smallest of numbers."""
    return functools.reduce(smaller, values[0] if len(values) == 1 else values)


def max(*values):  # noqa: A001
    """The largest of numbers."""
    return functools.reduce(larger, values[0] if len(values) == 1 else values)
