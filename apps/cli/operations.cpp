// The table of operations. Layouts with symbols go through the algebra on leaves; swizzled layouts go through the value
// face's own functions, which need constants.
#include "apps/cli/operations.hpp"

#include "apps/cli/nearest.hpp"
#include "tilewright/algebra/value_face.hpp"
#include "tilewright/mma/operand_view.hpp"

#include <array>
#include <iterator>

namespace tilewright::cli {
namespace {

namespace alg = tilewright::algebra;
using in = call const&;

operand number(leaf n) { return integer_operand(n); }
operand layout(int_tree const& a) { return layout_operand{layout_value(a)}; }
/// A tuple that an operation made; the reader knows where.
operand tuple(int_tree const& t) {
  tuple_operand out{t};
  for (int i = 0; i < t.nodes; ++i) {
    if (t.profile[i] == kept_node) out.kept_at = 0;
    if (t.profile[i] == layout_node) out.layout_at = 0;
  }
  return out;
}

/// The operation on the layouts or, where the first argument is one, on tuples.
template <class F>
operand rearranged(in f, F const& change) {
  if (f.get<tuple_operand>(0) == nullptr) return layout(change(f.layout(0)));
  return tuple(change(f.coordinate(0)));
}
/// An argument of the same kind as the first.
int_tree alike(in f, int i) { return f.get<tuple_operand>(0) == nullptr ? f.layout(i) : f.coordinate(i); }

// --- measures -------------------------------------------------------------------------------------------------------
subtree part(in f, int_tree const& a) {
  int const i = f.count() > 1 ? f.mode(1) : 0;
  if (f.count() == 1) return a.root();
  if (i < 0 || i >= a.rank()) f.numbers.fail(errc::mode_out_of_range, i, a.rank());
  return f.numbers.failed() ? a.root() : a.mode(i);
}
operand size(in f) {
  int_tree const a = f.shape(0);
  return number(alg::size(f.numbers, a, part(f, a)));
}
operand cosize(in f) {
  if (auto const* a = f.get<composed_value>(0); a != nullptr && f.count() == 1)
    return number(constant_leaf(f.answer_of(tilewright::cosize(*a))));
  layout_value const a = f.layout(0);
  return number(alg::cosize(f.numbers, a, part(f, a)));
}
operand rank(in f) {
  int_tree const a = f.get<tuple_operand>(0) != nullptr ? f.coordinate(0) : f.shape(0);
  return number(constant_leaf(a.rank(part(f, a))));
}
operand depth(in f) {
  int_tree const a = f.get<tuple_operand>(0) != nullptr ? f.coordinate(0) : f.shape(0);
  return number(constant_leaf(tilewright::depth(a, part(f, a))));
}
operand shape(in f) { return tuple(f.shape(0)); }
operand stride(in f) {
  int_tree out = f.layout(0);
  for (int i = 0; i < out.leaves; ++i) out.shape[i] = out.stride[i];
  return tuple(out);
}
operand mode(in f) {
  return rearranged(f, [&](int_tree const& a) { return copy_of(a, part(f, a)); });
}

// --- coordinates ----------------------------------------------------------------------------------------------------
/// Coordinate first, as in code; layout first, as in tables of results, where it is written as a layout.
struct coordinate_and_layout {
  int coordinate, layout;
};
coordinate_and_layout order_of(in f) {
  bool const layout_first = f.get<tuple_operand>(0) == nullptr && f.get<tuple_operand>(1) != nullptr;
  return layout_first ? coordinate_and_layout{1, 0} : coordinate_and_layout{0, 1};
}
operand crd2idx(in f) {
  auto const [x, l] = order_of(f);
  if (auto const* a = f.get<composed_value>(l))
    return number(constant_leaf(f.answer_of(tilewright::crd2idx(f.coordinate(x), *a))));
  layout_value const a = f.layout(l);
  int_tree const coordinate = f.coordinate(x);
  require_in_range(f.numbers, coordinate, a);
  return f.numbers.failed() ? number({}) : tuple(alg::crd2idx(f.numbers, coordinate, a));
}
operand idx2crd(in f) {
  leaf const index = f.integer(0);
  int_tree const extents = f.shape(1);
  require_in_range(f.numbers, leaf_tree(index), extents);
  return f.numbers.failed() ? number({}) : tuple(alg::idx2crd(f.numbers, index, extents));
}
operand offset2crd(in f) { return tuple(f.answer_of(tilewright::offset2crd(f.constant(0), f.layout(1)))); }

template <bool Keep>
operand slice_or_dice(in f) {
  auto const [x, l] = order_of(f);
  int_tree const coordinate = f.coordinate(x);
  if (auto const* a = f.get<composed_value>(l); a != nullptr && Keep)
    return f.answer_of(tilewright::slice(coordinate, *a));
  layout_value const a = f.layout(l);
  require_in_range(f.numbers, coordinate, a);
  return layout(f.numbers.failed() ? int_tree(a) : alg::slice_or_dice(f.numbers, coordinate, a, Keep));
}
operand slice_and_offset(in f) {
  auto const [x, l] = order_of(f);
  int_tree const coordinate = f.coordinate(x);
  layout_value const a = f.layout(l);
  require_in_range(f.numbers, coordinate, a);
  if (f.numbers.failed()) return number({});
  int_tree out{};
  out.open(2);
  out.add_layout_marker();
  out.add(alg::slice(f.numbers, coordinate, a));
  out.add(alg::crd2idx(f.numbers, coordinate, a));
  return tuple(checked(f.numbers, out));
}

// --- comparing ------------------------------------------------------------------------------------------------------
operand congruent(in f) {
  int_tree const a = f.shape(0), b = f.shape(1);
  return same_profile(a, a.root(), b, b.root());
}
template <bool Weakly>
operand is_compatible(in f) {
  int_tree const a = f.shape(0), b = f.shape(1);
  return alg::is_compatible(f.numbers, a, a.root(), b, b.root(), Weakly);
}

// --- layouts of a shape ---------------------------------------------------------------------------------------------
operand compact_left(in f) { return layout(alg::compact_left(f.numbers, f.shape(0))); }
operand compact_right(in f) { return layout(alg::compact_right(f.numbers, f.shape(0))); }
operand compact_order(in f) { return layout(alg::compact_order(f.numbers, f.shape(0), f.tuple(1))); }
operand identity(in f) { return layout(alg::identity(f.numbers, f.shape(0))); }

// --- simplifying, composing, inverting ------------------------------------------------------------------------------
operand coalesce(in f) {
  layout_value const a = f.layout(0);
  return layout(f.count() > 1 ? alg::coalesce(f.numbers, a, f.coordinate(1)) : alg::coalesce(f.numbers, a));
}
operand coalesce_each(in f) { return layout(alg::coalesce_each(f.numbers, f.layout(0))); }
operand filter(in f) { return layout(alg::filter(f.numbers, f.layout(0))); }
operand filter_zeros(in f) { return layout(alg::filter_zeros(f.layout(0))); }
operand composition(in f) {
  if (auto const* s = f.get<swizzle_value>(0)) {
    if (auto const* inner = f.get<composed_value>(1)) return f.answer_of(tilewright::composition(*s, *inner));
    return swizzled(f.numbers, *s, constant_leaf(0), f.layout(1));
  }
  if (f.get<layout_operand>(1) != nullptr) return layout(alg::composition(f.numbers, f.layout(0), f.layout(1)));
  return layout(alg::composition_by_tiler(f.numbers, f.layout(0), f.tiler(1)));
}
operand with_shape(in f) { return layout(alg::with_shape(f.numbers, f.layout(0), f.shape(1))); }
operand complement(in f) {
  layout_value const a = f.layout(0);
  return layout(f.count() > 1 ? alg::complement(f.numbers, a, f.shape(1)) : alg::complement(f.numbers, a));
}
operand right_inverse(in f) { return layout(alg::right_inverse(f.numbers, f.layout(0))); }
operand left_inverse(in f) { return layout(alg::left_inverse(f.numbers, f.layout(0))); }
operand nullspace(in f) { return layout(alg::nullspace(f.numbers, f.layout(0))); }
operand max_common_layout(in f) { return layout(alg::max_common_layout(f.numbers, f.layout(0), f.layout(1))); }
operand max_common_vector(in f) {
  for (int i = 0; i < 2; ++i) {
    if (auto const* a = f.get<composed_value>(i))
      return number(constant_leaf(f.answer_of(tilewright::max_common_vector(*a, f.layout(1 - i)))));
  }
  return number(alg::max_common_vector(f.numbers, f.layout(0), f.layout(1)));
}

// --- dividing and multiplying ---------------------------------------------------------------------------------------
template <auto Operation, alg::reach Reach>
operand by_tiler(in f) {
  return layout(Operation(f.numbers, f.layout(0), f.tiler(1), Reach));
}
template <auto Operation>
constexpr auto divided = by_tiler<Operation, alg::reach::beyond>;
template <auto Operation>
constexpr auto multiplied = by_tiler<Operation, alg::reach::inside>;
operand blocked_product(in f) { return layout(alg::blocked_product(f.numbers, f.layout(0), f.layout(1))); }
operand raked_product(in f) { return layout(alg::raked_product(f.numbers, f.layout(0), f.layout(1))); }
operand tile_to_shape(in f) {
  if (f.count() == 2) return layout(alg::tile_to_shape(f.numbers, f.layout(0), f.shape(1)));
  int_tree const order = f.tuple(2);
  return layout(alg::tile_to_shape(f.numbers, f.layout(0), f.shape(1), order));
}
operand make_layout_tv(in f) {
  layout_value const threads = f.layout(0), values = f.layout(1);
  int_tree const map = alg::right_inverse(f.numbers, alg::raked_product(f.numbers, threads, values));
  int_tree counts{};
  counts.open(2);
  counts.add_leaf(alg::size(f.numbers, threads));
  counts.add_leaf(alg::size(f.numbers, values));
  return layout(f.numbers.failed() ? map : alg::with_shape(f.numbers, map, counts));
}

// --- threads --------------------------------------------------------------------------------------------------------
operand copy_view(in f) {
  layout_value const tensor = f.layout(0);
  int_tree whole{};
  if (!tensor.is_tuple(tensor.root())) whole.open(1);
  whole.add(tensor);
  return layout(
      tiling::partition_view(f.numbers, checked(f.numbers, whole), f.tiler(1), f.layout(2), f.layout(3), f.layout(4)));
}
operand retile(in f) { return layout(tiling::retiled(f.numbers, f.layout(0), f.tiler(1), f.layout(2), f.integer(3))); }
/// An argument that has one entry for each of two modes.
int_tree two_modes(in f, int i, int_tree const& t) {
  if (t.rank() != 2) f.refuse(i, "a tuple of two entries");
  return t;
}
int_tree two_integers(in f, int i) {
  int_tree const t = two_modes(f, i, f.shape(i));
  if (t.leaves != 2) f.refuse(i, "a tuple of two integers");
  for (int m = 0; m < 2; ++m)
    if (t.shape[m].is_static() && t.shape[m].number < 1) f.refuse(i, "a tuple of two integers of 1 or more");
  return t;
}
operand mma_view(in f) {
  return layout(alg::operand_view(f.numbers, f.layout(0), two_modes(f, 1, f.tiler(1)), two_integers(f, 2), f.layout(3),
                                  two_integers(f, 4)));
}
operand mma_tv(in f) {
  layout_value const threads = f.layout(3);
  int const i = f.mode(4), j = f.mode(5);
  if (threads.rank() != 4) f.numbers.fail(errc::rank_mismatch, threads.rank(), 4);
  for (int const m : {i, j})
    if (m < 1 || m > 3) f.numbers.fail(errc::mode_out_of_range, m, 4);
  if (f.numbers.failed()) return layout(threads);
  int_tree counts{};
  counts.open(2);
  for (int const m : {i, j}) counts.add_leaf(alg::size(f.numbers, threads, threads.mode(m)));
  return layout(alg::operand_tv_layout(f.numbers, two_modes(f, 0, f.tiler(0)), two_integers(f, 1), f.layout(2), counts,
                                       threads, i, j));
}

// --- recasting ------------------------------------------------------------------------------------------------------
operand upcast(in f) {
  if (auto const* a = f.get<composed_value>(0)) return f.answer_of(tilewright::upcast(*a, f.constant(1)));
  return layout(alg::upcast(f.numbers, f.layout(0), f.integer(1)));
}
operand downcast(in f) { return layout(alg::downcast(f.numbers, f.layout(0), f.integer(1))); }
operand recast(in f) { return layout(alg::recast(f.numbers, f.layout(0), f.constant(1), f.constant(2))); }
operand domain_distribute(in f) { return layout(alg::domain_distribute(f.numbers, f.shape(0), f.integer(1))); }

// --- modes ----------------------------------------------------------------------------------------------------------
operand group(in f) {
  int const begin = f.mode(1), end = f.mode(2);
  return rearranged(f, [&](int_tree const& a) {
    if (end < 0) f.numbers.fail(errc::mode_out_of_range, end, a.rank());
    return f.numbers.failed() ? a : alg::group(f.numbers, a, begin, end);
  });
}
operand take(in f) {
  int const begin = f.mode(1), end = f.mode(2);
  return rearranged(f, [&](int_tree const& a) { return alg::take(f.numbers, a, begin, end); });
}
operand select(in f) {
  std::vector<int> modes;
  for (int i = 1; i < f.count(); ++i) modes.push_back(f.mode(i));
  return rearranged(
      f, [&](int_tree const& a) { return alg::select(f.numbers, a, modes.data(), static_cast<int>(modes.size())); });
}
operand append(in f) {
  int_tree const b = alike(f, 1);
  return rearranged(f, [&](int_tree const& a) { return alg::append(f.numbers, a, b); });
}
operand prepend(in f) {
  int_tree const b = alike(f, 1);
  return rearranged(f, [&](int_tree const& a) { return alg::prepend(f.numbers, a, b); });
}
operand replace(in f) {
  int const i = f.mode(1);
  int_tree const b = alike(f, 2);
  return rearranged(f, [&](int_tree const& a) { return alg::replace(f.numbers, a, i, b); });
}
operand flatten(in f) {
  if (f.get<tuple_operand>(0) == nullptr) return layout(alg::flatten(f.layout(0)));
  return tuple(alg::flatten(f.tuple(0)));
}
operand unflatten(in f) {
  int_tree const profile = f.tuple(1);
  if (f.get<tuple_operand>(0) == nullptr) return layout(alg::unflatten(f.numbers, f.layout(0), profile));
  return tuple(alg::unflatten(f.numbers, f.tuple(0), profile));
}

// --- integers -------------------------------------------------------------------------------------------------------
operand ceil_div(in f) { return number(f.numbers.ceil_div(f.integer(0), f.integer(1))); }
operand min_of(in f) { return number(f.numbers.min(f.integer(0), f.integer(1))); }
operand greatest_of(in f) { return number(f.numbers.max(f.integer(0), f.integer(1))); }
operand absolute(in f) { return number(f.numbers.abs(f.integer(0))); }
operand sign(in f) { return number(f.numbers.sign(f.integer(0))); }

constexpr bool below = true;  // a swizzle, which stays where it is

constexpr operation measures[] = {
    {"size", "A[, i]", "the number of coordinates, of mode i", 1, 2, size, below},
    {"cosize", "A[, i]", "the span of the offsets, how many elements of memory", 1, 2, cosize},
    {"rank", "A[, i]", "the number of modes", 1, 2, rank, below},
    {"depth", "A[, i]", "the depth of nesting", 1, 2, depth, below},
    {"shape", "A", "the extents", 1, 1, shape, below},
    {"stride", "A", "the strides", 1, 1, stride},
    {"mode", "A, i", "the layout of mode i", 2, 2, mode, below},
};
constexpr operation coordinates[] = {
    {"crd2idx", "x, A", "the offset of a coordinate; also written A(x)", 2, 2, crd2idx},
    {"idx2crd", "i, shape", "the coordinate of an index, first mode fastest", 2, 2, idx2crd},
    {"offset2crd", "o, A", "the coordinate whose offset is o", 2, 2, offset2crd},
    {"slice", "x, A", "the modes at '_'; also written A(x)", 2, 2, slice_or_dice<true>},
    {"dice", "x, A", "the modes at integers", 2, 2, slice_or_dice<false>},
    {"slice_and_offset", "x, A", "the modes at '_' and the offset of the others", 2, 2, slice_and_offset},
};
constexpr operation comparisons[] = {
    {"congruent", "A, B", "are the two nested alike?", 2, 2, congruent},
    {"compatible", "A, B", "is every coordinate of A one of B?", 2, 2, is_compatible<false>},
    {"weakly_compatible", "A, B", "the same, where A's extents divide B's", 2, 2, is_compatible<true>},
};
constexpr operation from_shapes[] = {
    {"compact_left", "shape", "the layout with compact strides, first mode fastest", 1, 1, compact_left},
    {"compact_right", "shape", "the layout with compact strides, last mode fastest", 1, 1, compact_right},
    {"compact_order", "shape, order", "compact strides, the mode of the smallest entry fastest", 2, 2, compact_order},
    {"identity_layout", "shape", "the layout whose offsets are coordinates", 1, 1, identity},
};
constexpr operation functions[] = {
    {"coalesce", "A[, profile]", "the same function of an index with the fewest modes", 1, 2, coalesce, below},
    {"coalesce_each", "A", "each mode coalesced on its own", 1, 1, coalesce_each, below},
    {"filter", "A", "coalesced, without modes of stride 0", 1, 1, filter, below},
    {"filter_zeros", "A", "extents of 1 where the stride is 0", 1, 1, filter_zeros, below},
    {"composition", "A, B", "A visited in B's order, mode by mode for a tiler; also written A o B", 2, 2, composition,
     below},
    {"with_shape", "A, shape", "A seen with another shape", 2, 2, with_shape, below},
    {"complement", "A[, shape]", "what reaches the offsets that A leaves out", 1, 2, complement},
    {"right_inverse", "A", "R with A(R(i)) = i", 1, 1, right_inverse},
    {"left_inverse", "A", "R with R(A(i)) = i", 1, 1, left_inverse},
    {"nullspace", "A", "N with A(N(i)) = 0", 1, 1, nullspace},
    {"max_common_layout", "A, B", "what both hold contiguously in the same order", 2, 2, max_common_layout},
    {"max_common_vector", "A, B", "its size: the elements one vector access may carry", 2, 2, max_common_vector},
};
constexpr operation products[] = {
    {"logical_divide", "A, T", "(tile, rest), of each mode for a tiler", 2, 2, divided<alg::logical_divide>, below},
    {"zipped_divide", "A, T", "((tiles...), (rests...))", 2, 2, divided<alg::zipped_divide>, below},
    {"tiled_divide", "A, T", "((tiles...), rest, rest, ...)", 2, 2, divided<alg::tiled_divide>, below},
    {"flat_divide", "A, T", "(tile, tile, ..., rest, rest, ...)", 2, 2, divided<alg::flat_divide>, below},
    {"logical_product", "A, T", "(block, repetition), of each mode for a tiler", 2, 2, multiplied<alg::logical_product>,
     below},
    {"zipped_product", "A, T", "((blocks...), (repetitions...))", 2, 2, multiplied<alg::zipped_product>, below},
    {"tiled_product", "A, T", "((blocks...), repetition, ...)", 2, 2, multiplied<alg::tiled_product>, below},
    {"flat_product", "A, T", "(block, ..., repetition, ...)", 2, 2, multiplied<alg::flat_product>, below},
    {"blocked_product", "A, B", "A repeated as B says, blocks kept whole", 2, 2, blocked_product},
    {"raked_product", "A, B", "A repeated as B says, blocks interleaved", 2, 2, raked_product},
    {"tile_to_shape", "A, shape[, order]", "A repeated until it covers the shape", 2, 3, tile_to_shape, below},
    {"make_layout_tv", "thr, val", "(thread, value) -> index in the tile that both cover", 2, 2, make_layout_tv},
};
constexpr operation of_threads[] = {
    {"copy_view", "A, tiler, tv, ref, side", "A as (thread, value, rest) of one side of a tiled copy", 5, 5, copy_view,
     below},
    {"retile", "F, tiler, tv, n", "the fragment F in atoms of n values of a tiled copy", 4, 4, retile},
    {"mma_view", "A, perm, atom, tv, threads", "A as (thread, value) of an operand of a tiled matrix operation", 5, 5,
     mma_view, below},
    {"mma_tv", "perm, atom, tv, thr, i, j", "(thread, value) -> index in the tile of an operand", 6, 6, mma_tv},
};
constexpr operation recasts[] = {
    {"upcast", "A, n", "n elements become one", 2, 2, upcast},
    {"downcast", "A, n", "one element becomes n", 2, 2, downcast},
    {"recast", "A, from, to", "elements of `from` bits seen as elements of `to` bits", 3, 3, recast},
    {"domain_distribute", "shape, n", "the shape's coordinates dealt out to n workers", 2, 2, domain_distribute},
};
constexpr operation rearrangements[] = {
    {"group", "A, begin, end", "modes begin ... end-1 become one", 3, 3, group, below},
    {"select", "A, i, j, ...", "the named modes in that order", 2, 64, select, below},
    {"take", "A, begin, end", "modes begin ... end-1", 3, 3, take, below},
    {"append", "A, B", "B as one more mode behind", 2, 2, append},
    {"prepend", "A, B", "B as one more mode in front", 2, 2, prepend},
    {"replace", "A, i, B", "B instead of mode i", 3, 3, replace},
    {"flatten", "A", "all leaves in one tuple", 1, 1, flatten, below},
    {"unflatten", "A, profile", "A's leaves nested like the profile", 2, 2, unflatten},
};
constexpr operation integers[] = {
    {"ceil_div", "a, b", "a / b rounded up", 2, 2, ceil_div},
    {"min", "a, b", "the smaller", 2, 2, min_of},
    {"max", "a, b", "the larger", 2, 2, greatest_of},
    {"abs", "a", "without its sign", 1, 1, absolute},
    {"sign", "a", "-1, 0 or 1", 1, 1, sign},
};

constexpr operation_group groups[] = {
    {"Measures", measures},
    {"Coordinates and offsets", coordinates},
    {"Comparing shapes", comparisons},
    {"Layouts of a shape", from_shapes},
    {"Simplifying, composing, inverting", functions},
    {"Dividing and multiplying", products},
    {"Threads of tiled copies and matrix operations", of_threads},
    {"Other element widths", recasts},
    {"Rearranging modes (of layouts and tuples)", rearrangements},
    {"Integers (next to + - * / %)", integers},
};

// What tables of results call operations that differ in their operands only.
struct alias {
  std::string_view name, stands_for;
};
constexpr alias aliases[] = {
    {"coalesce_bymode", "coalesce_each"},
    {"composition_bymode", "composition"},
    {"logical_divide_bymode", "logical_divide"},
};

}  // namespace

std::span<operation_group const> operation_groups() { return groups; }

operation const* find_operation(std::string_view name) {
  for (alias const& a : aliases)
    if (a.name == name) name = a.stands_for;
  for (operation_group const& group : groups)
    for (operation const& op : group.operations)
      if (op.name == name) return &op;
  return nullptr;
}

std::string_view nearest_operation(std::string_view name) {
  std::vector<std::string_view> names;
  for (operation_group const& group : groups)
    for (operation const& op : group.operations) names.push_back(op.name);
  return nearest(name, names);
}

std::string operation_names() {
  std::string out;
  for (operation_group const& group : groups)
    for (operation const& op : group.operations) out += (out.empty() ? "" : ", ") + std::string(op.name);
  return out;
}

std::string signature(operation const& op) { return std::string(op.name) + "(" + std::string(op.parameters) + ")"; }

}  // namespace tilewright::cli
