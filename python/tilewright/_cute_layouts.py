"""Layouts and their algebra in kernels: the operations of this package, which take tensors as well, under the names and the
keywords of CuTe's Python DSL."""
import functools
import operator

from . import _operations as _algebra
from ._cute_numbers import number_type
from ._cute_ssa import TensorSSA, larger, smaller
from ._cute_tensor import Coordinates, Pointer, Tensor, extended_offset
from ._cute_values import active, Value
from ._layout import Layout, evaluate, text_of


__all__ = ["ComposedLayout", "append", "assume", "blocked_product", "ceil_div", "coalesce", "complement", "composition", "cosize", "crd2idx",
           "depth", "dice", "domain_offset", "elem_less", "filter", "filter_zeros", "flat_divide", "flat_product", "flatten", "get",
           "group_modes", "idx2crd", "is_congruent", "is_static", "is_weakly_congruent", "left_inverse", "local_partition",
           "local_tile", "logical_divide", "logical_product", "make_composed_layout", "make_identity_layout",
           "make_identity_tensor", "make_layout", "make_layout_tv", "make_ordered_layout", "make_rmem_tensor",
           "make_rmem_tensor_like", "make_swizzle", "make_tensor", "max", "min", "prepend", "product", "product_each",
           "product_like", "raked_product", "rank", "recast_layout", "recast_ptr", "recast_tensor", "repeat", "repeat_like",
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
    """The memory at a pointer, seen through a layout."""
    return Tensor(iterator, layout if isinstance(layout, Layout) else Layout(layout))


def make_rmem_tensor(shape, dtype, **_):
    """A tensor of this thread's own; compact.  `shape` may be a Layout."""
    layout = shape if isinstance(shape, Layout) else Layout(shape)
    return Tensor(Pointer.allocate(layout.cosize, dtype, "rmem"), layout)


def make_rmem_tensor_like(like, dtype=None, **_):
    """A compact tensor of this thread's own, of the shape of another."""
    shape = like.shape if isinstance(like, (Tensor, TensorSSA, Layout)) else like
    return make_rmem_tensor(shape, dtype or like.element_type)


def make_swizzle(bits, base, shift, **_):
    """A swizzle, for make_composed_layout."""
    return f"Sw<{bits},{base},{shift}>"


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
        else:
            at = self.offset + at
        return self.inner(at)

    def __repr__(self):
        return f"{getattr(self.inner, '__name__', self.inner)} o {text_of(self.offset)} o {self.outer}"


# --- the algebra ---------------------------------------------------------------------------------------------------------
def _on_layout(name):
    operation = getattr(_algebra, name)

    def of(x, *arguments, tiler=None, target_profile=None, loc=None, ip=None):
        arguments += tuple(a for a in (tiler, target_profile) if a is not None)
        if isinstance(x, Tensor):
            return Tensor(x.iterator, operation(x.layout, *arguments))
        return operation(x, *arguments)
    of.__name__ = of.__qualname__ = name
    of.__doc__ = operation.__doc__ + "\n\nOf a tensor: the tensor with that layout."
    return of


coalesce, flatten, filter_zeros = _on_layout("coalesce"), _on_layout("flatten"), _on_layout("filter_zeros")
filter = _on_layout("filter")  # noqa: A001  the DSL's name
logical_divide, zipped_divide = _on_layout("logical_divide"), _on_layout("zipped_divide")
tiled_divide, flat_divide = _on_layout("tiled_divide"), _on_layout("flat_divide")
logical_product, zipped_product = _on_layout("logical_product"), _on_layout("zipped_product")
tiled_product, flat_product = _on_layout("tiled_product"), _on_layout("flat_product")
blocked_product, raked_product = _on_layout("blocked_product"), _on_layout("raked_product")
complement, right_inverse, left_inverse = _on_layout("complement"), _on_layout("right_inverse"), _on_layout("left_inverse")
append, prepend, dice = _on_layout("append"), _on_layout("prepend"), _algebra.dice
tile_to_shape = _on_layout("tile_to_shape")


def composition(a, b, **_):
    """a visited in b's order, mode by mode where b is a tuple (None keeps a mode).

    Of a tensor: the tensor with that layout.  Raises LayoutError where there is no answer.
    """
    if isinstance(a, Tensor):
        return Tensor(a.iterator, composition(a.layout, b))
    return _algebra.composition(a, b)


def group_modes(x, begin, end=-1, **_):
    """The modes begin … end-1 as one; without an end, all from begin on."""
    return _on_layout("group")(x, begin, rank(x) if end == -1 else end)


def layout_of(x):
    """The layout of a tensor; a layout or a shape as it is."""
    return x.layout if isinstance(x, Tensor) else x


def _mode(x, mode):
    layout = layout_of(x)
    for m in [mode] if isinstance(mode, int) else mode or []:
        layout = (layout if isinstance(layout, Layout) else Layout(layout))[m]
    return layout


def select(x, mode):
    """The modes named, in that order; of a layout, a tensor, or a tuple."""
    if isinstance(x, (tuple, list)):
        return tuple(x[m] for m in mode)
    return _on_layout("select")(x, *mode)


def get(x, mode):
    """One mode of a layout, a tensor, or a tuple; a list of modes goes inwards."""
    if isinstance(x, Tensor):
        return Tensor(x.iterator, _mode(x, mode))
    for m in [mode] if isinstance(mode, int) else mode:
        x = x[m]
    return x


def slice_(x, coordinate, **_):
    """What the Nones of a coordinate keep: of a tensor, a layout, or a tuple."""
    if isinstance(x, (Tensor, TensorSSA)):
        return x[coordinate]
    if isinstance(x, Layout):
        return x(*coordinate) if isinstance(coordinate, tuple) else x(coordinate)
    return tuple(e for e, c in zip(x, coordinate) if c is None)


def _number_of(out):
    return active().from_text(out) if isinstance(out, str) and active() else out


def size(x, mode=None, **_):
    """The number of coordinates, of one mode (a list of modes goes inwards)."""
    if isinstance(x, TensorSSA) and mode is None:
        return len(x)
    return _number_of(evaluate(f"size({text_of(_mode(x.shape if isinstance(x, (TensorSSA, ComposedLayout)) else x, mode))})"))


def shape(x, mode=None, **_):
    """The extents, of one mode."""
    layout = _mode(x, mode)
    return layout.shape if hasattr(layout, "shape") else layout


def rank(x, mode=None, **_):
    """The number of modes."""
    layout = _mode(x, mode)
    return layout.rank if isinstance(layout, Layout) else len(layout) if isinstance(layout, tuple) else 1


def depth(x, **_):
    """How deep the shape is nested; 0 for an integer."""
    return evaluate(f"depth({text_of(layout_of(x))})")


def cosize(x, mode=None, **_):
    """How many elements of memory there must be."""
    return _mode(x, mode).cosize


def size_in_bytes(dtype, layout, **_):
    """The bytes that elements of a layout span."""
    return number_type(dtype).width * cosize(layout) // 8


def crd2idx(coordinate, x, **_):
    """The offset of a coordinate in a layout or a shape."""
    layout = x if isinstance(x, Layout) else Layout(x)
    return _number_of(evaluate(f"crd2idx({text_of(coordinate)}, {layout})"))


def idx2crd(index, shape, **_):  # noqa: A002
    """The coordinate of an index in a shape, first mode fastest."""
    return _algebra.idx2crd(index, shape)


def product(x, **_):
    """The product of the leaves of a tuple."""
    return functools.reduce(operator.mul, map(product, x), 1) if isinstance(x, (tuple, list)) else x


def product_each(x, **_):
    """The product of each mode."""
    return tuple(map(product, x)) if isinstance(x, (tuple, list)) else x


def product_like(x, profile):
    """The product of each part of x that is a leaf of the profile."""
    return tuple(map(product_like, x, profile)) if isinstance(profile, tuple) else product(x)


def ceil_div(a, b, **_):
    """a / b rounded up; of tuples mode by mode."""
    if isinstance(a, (tuple, list)):
        b = tuple(b) + (1,) * (len(a) - len(b)) if isinstance(b, (tuple, list)) else (b,) + (1,) * (len(a) - 1)
        return tuple(map(ceil_div, a, b))
    return -(-a // product(b))


def round_up(a, b, **_):
    """The multiple of b that is a or next above it; of tuples mode by mode."""
    return tuple(map(round_up, a, b)) if isinstance(a, tuple) else ceil_div(a, b) * b


def repeat_like(value, like, **_):
    """The value at each leaf of a tuple, or of a shape."""
    if isinstance(like, (Layout, Tensor)):
        like = like.shape
    return tuple(repeat_like(value, x) for x in like) if isinstance(like, tuple) else value


def repeat(value, count, **_):
    """A tuple of a value, so many times; of one: the value."""
    return value if count == 1 else (value,) * count


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


def assume(x, divby=None, **_):
    """The value itself; a layout's facts say what is known of names (facts=["M%8=0"])."""
    return x


def elem_less(a, b, **_):
    """Is each entry of a coordinate less than that of another, or of a shape?"""
    if not isinstance(a, (tuple, list)):
        return a < product(b)
    b = b if isinstance(b, (tuple, list)) else (b,)
    if len(a) != len(b):
        raise ValueError(f"elem_less: {a} has {len(a)} modes and {b} has {len(b)}; give one entry for each mode")
    out = True
    for x, y in zip(a, b):
        less = elem_less(x, y)
        out = less if out is True else out if less is True else less & out
    return out


def min(*values):  # noqa: A001
    """The smallest of numbers."""
    return functools.reduce(smaller, values[0] if len(values) == 1 else values)


def max(*values):  # noqa: A001
    """The largest of numbers."""
    return functools.reduce(larger, values[0] if len(values) == 1 else values)


# --- tiles and types ---------------------------------------------------------------------------------------------------------
def local_tile(tensor, tiler, coord, proj=None, **_):
    """The tile of a tensor at a coordinate of tiles; None keeps all of them: (tile..., kept...). `proj` names by 1 the modes of
    tiler and coordinate that the tensor has."""
    if proj is not None:
        tiler, coord = (tuple(e for e, p in zip(x, proj) if p is not None) for x in (tiler, coord))
    divided = zipped_divide(tensor, tiler)
    coord = coord if isinstance(coord, tuple) else (coord,)
    coord = coord + (None,) * (rank(divided.layout[1]) - len(coord))
    return divided[(None,) * rank(divided.layout[0]), coord]


def local_partition(target, tiler, index, proj=1, **_):
    """The elements of one thread: each mode divided by the thread layout's, interleaved."""
    layout = tiler if isinstance(tiler, Layout) else Layout(tiler)
    divided = zipped_divide(target, product_each(layout.shape) if isinstance(layout.shape, tuple) else layout.shape)
    place = _thread_place(layout, index)
    return divided[place, (None,) * rank(divided.layout[1])]


def _thread_place(layout, index):
    """The coordinate of thread number `index` in a layout of threads."""
    modes = list(layout) if isinstance(layout.shape, tuple) else [layout]
    at = tuple((index // m.stride) % m.shape if m.stride else 0 for m in modes)
    return at if isinstance(layout.shape, tuple) else at[0]


def domain_offset(coord, tensor, **_):
    """The tensor from a coordinate on, which may be outside of its extents."""
    return Tensor(tensor.iterator + extended_offset(coord, tensor.plain), tensor.layout)


def recast_layout(new_type_bits, old_type_bits, layout, **_):
    """A layout of elements of old bits, as one of elements of new bits."""
    return _algebra.recast(layout, old_type_bits, new_type_bits)


def recast_ptr(pointer, dtype=None, swizzle_=None, **_):
    """The same memory as elements of another type."""
    return pointer if dtype is None else pointer.recast(dtype)


def recast_tensor(tensor, dtype, **_):
    """The same bytes as elements of another type: the last-level contiguous mode grows or shrinks."""
    made = number_type(dtype)
    return Tensor(tensor.iterator.recast(made), recast_layout(made.width, number_type(tensor.element_type).width, tensor.layout))
