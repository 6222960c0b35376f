"""Tiles of tensors, the part of a tensor that a thread has, tensors from a coordinate on, and tensors and layouts seen as elements of another type."""
from . import _operations as _algebra
from ._cute_layouts import product_each, rank, round_up, zipped_divide
from ._cute_numbers import number_type
from ._cute_tensor import extended_offset, Pointer, swizzling_of, Tensor
from ._cute_values import Value
from ._layout import Layout, text_of

__all__ = ["domain_offset", "local_partition", "local_tile", "recast_layout", "recast_ptr", "recast_tensor"]


def local_tile(input, tiler, coord, proj=None, **_):  # noqa: A002  the DSL's name
    """The tile of a tensor at a coordinate of tiles; None keeps all of them: (tile..., kept...). `proj` names by 1 the modes of
    tiler and coordinate that the tensor has."""
    if proj is not None:
        more = coord[len(proj):]  # of modes that are not tiled
        tiler, coord = (tuple(e for e, p in zip(x, proj) if p is not None) for x in (tiler, coord))
        coord += more
    divided = zipped_divide(input, tiler)
    rest = divided.layout[1]
    coord = coord if isinstance(coord, tuple) else (coord,)
    coord = coord + (None,) * (rank(rest) - len(coord))
    # A mode of one tile has stride 0 among the tiles; a tile beyond it begins beyond it, as where there are more tiles.
    tiles = tiler if isinstance(tiler, tuple) else (tiler,)
    beyond = [isinstance(t, int) and r == 1 and isinstance(c, (int, Value)) and not (type(c) is int and c == 0)
              for t, r, c in zip(tiles, rest.shape if isinstance(rest.shape, tuple) else (rest.shape,), coord)]
    if any(beyond) and isinstance(input, Tensor):
        first = [c * t if b else 0 for c, t, b in zip(coord, tiles, beyond)]
        input = domain_offset((*first, *(0,) * (rank(input.layout) - len(first))), input)
        divided, coord = zipped_divide(input, tiler), tuple(0 if b else c for b, c in zip(beyond, coord)) + coord[len(beyond):]
    return divided[_whole(divided.layout[0]), coord if isinstance(rest.shape, tuple) else coord[0]]


def whole_tiles(layout, tiler):
    """A layout whose modes have whole tiles, as those of tensors have that a copy with bounds cuts up: (3,8):(8,1) for tiles of (4,8) is (4,8):(8,1).
    The elements beyond must not be accessed. Nested and swizzled modes stay as they are."""
    modes = list(layout) if isinstance(layout.shape, tuple) else [layout]
    if swizzling_of(layout) is not None or len(tiler) > len(modes):
        return layout
    sizes = [t if type(t) is int else t.size for t in tiler]
    if not any(type(m.shape) is int and type(t) is int and m.shape % t for m, t in zip(modes, sizes)):
        return layout
    shape = [round_up(m.shape, t) if type(m.shape) is int and type(t) is int else m.shape for m, t in zip(modes, sizes)]
    shape += [m.shape for m in modes[len(sizes):]]
    return Layout(f"{text_of(tuple(shape))}:{text_of(layout.stride)}") if isinstance(layout.shape, tuple) else Layout(f"{shape[0]}:{text_of(layout.stride)}")


def local_partition(target, tiler, index, proj=1, **_):
    """The elements of one thread: each mode divided by the thread layout's, interleaved."""
    layout = tiler if isinstance(tiler, Layout) else Layout(tiler)
    divided = zipped_divide(target, product_each(layout.shape) if isinstance(layout.shape, tuple) else layout.shape)
    place = _thread_place(layout, index)
    return divided[place, _whole(divided.layout[1])]


def _whole(layout):
    """The coordinate that keeps all of a mode."""
    return (None,) * rank(layout) if isinstance(layout.shape, tuple) else None


def _thread_place(layout, index):
    """The coordinate of thread number `index` in a layout of threads."""
    modes = list(layout) if isinstance(layout.shape, tuple) else [layout]
    at = tuple((index // m.stride) % m.shape if m.stride else 0 for m in modes)
    return at if isinstance(layout.shape, tuple) else at[0]


def domain_offset(coord, tensor, **_):
    """The tensor from a coordinate on, which may be outside of its extents."""
    return Tensor(tensor.iterator + extended_offset(coord, tensor.plain), tensor.layout)


def recast_layout(new_type_bits, old_type_bits, src_layout, **_):
    """A layout of elements of old bits, as one of elements of new bits."""
    return _algebra.recast(src_layout, old_type_bits, new_type_bits)


def recast_ptr(ptr, swizzle_=None, dtype=None, **_):
    """The same memory as elements of another type, and behind a swizzle of bytes, or none."""
    made = ptr if dtype is None else ptr.recast(dtype)
    return Pointer(made.memory, made.offset, made.origin if swizzle_ else None, swizzle_ or "")


def recast_tensor(src, dtype, **_):
    """The same bytes as elements of another type: the last-level contiguous mode grows or shrinks."""
    made = number_type(dtype)
    return Tensor(src.iterator.recast(made), recast_layout(made.width, number_type(src.element_type).width, src.layout))
