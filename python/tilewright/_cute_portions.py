"""Parts of layouts and questions about tuples: the swizzle of a layout, its compact form, which mode is contiguous, what a slice keeps and where it begins.

    get_swizzle_portion(Sw<3,4,3> o 0 o (8,64):(64,1))     Sw<3,4,3>
    slice_and_offset((2, None), (4,8):(8,1))               (8:1, 16)
"""
from ._cute_layouts import make_swizzle
from ._cute_tensor import swizzling_of, Tensor
from ._cute_values import Value
from ._layout import Layout, leaves_of

__all__ = ["get_nonswizzle_portion", "get_swizzle_portion", "has_scaled_basis", "has_underscore",
           "is_int_tuple_type", "is_major", "is_valid_leaf", "make_layout_like", "slice_and_offset", "static"]


def _layout(x):
    return x.layout if isinstance(x, Tensor) else x if isinstance(x, Layout) or swizzling_of(x) is not None else Layout(x)


def get_swizzle_portion(layout, **_):
    """The swizzle of a layout; one that changes nothing of a layout without."""
    if not isinstance(layout, Layout) and swizzling_of(layout) is None:
        raise TypeError(f"{layout!r} is no layout")
    return layout.inner if swizzling_of(layout) is not None else make_swizzle(0, 4, 3)


def get_nonswizzle_portion(layout, **_):
    """A layout without its swizzle."""
    if not isinstance(layout, Layout) and swizzling_of(layout) is None:
        raise TypeError(f"{layout!r} is no layout")
    return layout.outer if swizzling_of(layout) is not None else layout


def make_layout_like(input, **_):  # noqa: A002  the DSL's name
    """The compact layout of a shape whose modes have the order of a layout's strides; strides of 0 stay 0."""
    layout = _layout(input)
    layout = get_nonswizzle_portion(layout)
    shape, stride = leaves_of(layout.shape), leaves_of(layout.stride)
    if any("@" in str(s) for s in stride):
        return Layout(layout.shape)
    made, next_ = [0] * len(shape), 1
    for i in sorted((i for i in range(len(shape)) if stride[i] != 0), key=lambda i: (stride[i], i)):
        made[i], next_ = next_, next_ * shape[i]
    made = iter([m if e != 1 else 0 for m, e in zip(made, shape)])

    def nested(x):
        return tuple(map(nested, x)) if isinstance(x, tuple) else next(made)
    return Layout(layout.shape, nested(layout.shape))


def slice_and_offset(coord, src, **_):
    """(what the Nones of a coordinate keep, the offset of the rest)."""
    layout = _layout(src)
    kept = layout(*coord) if isinstance(coord, tuple) else layout(coord)

    def zeroed(c):
        return tuple(map(zeroed, c)) if isinstance(c, tuple) else 0 if c is None else c
    offset = layout(zeroed(coord))
    swizzled = swizzling_of(kept) if not isinstance(kept, int) else None
    if swizzled is None:
        return kept, offset
    plain = get_nonswizzle_portion(layout)
    return swizzled.of(plain(*coord)), plain(zeroed(coord))


def is_major(mode, stride, **_):
    """Is a mode, or the leaf that a list of modes names, the contiguous one?"""
    for m in [mode] if isinstance(mode, int) else mode:
        stride = stride[m] if isinstance(stride, tuple) else stride
    return (leaves_of(stride)[0] if isinstance(stride, tuple) else stride) == 1


def has_underscore(a, **_):
    """Is there a None in a coordinate?"""
    return any(map(has_underscore, a)) if isinstance(a, (tuple, list)) else a is None


def has_scaled_basis(a, **_):
    """Is there a stride along a coordinate?"""
    return any(map(has_scaled_basis, a)) if isinstance(a, (tuple, list)) else "@" in str(a)


def is_valid_leaf(a, **_):
    """May a tuple of integers have it as an element?"""
    return a is None or isinstance(a, (int, Value)) or hasattr(a, "__index__") or "@" in str(a)


def is_int_tuple_type(t, **_):
    """Is it the type of nested tuples of integers?"""
    return t is tuple


def static(value, **_):
    """A number that is known; as it is.  Raises TypeError for one that the GPU knows."""
    if isinstance(value, Value):
        raise TypeError(f"static: the number is known on the GPU only{value.trace.where()}")
    return value
