// How eval computes the operations of algebra/operations.def, and some of threads. Layouts with symbols go through the algebra on
// leaves; swizzled layouts go through the value face's own functions, which need constants.
#include "apps/cli/operations.hpp"

#include "apps/cli/nearest.hpp"
#include "tilewright/algebra/value_face.hpp"
#include "tilewright/mma/operand_view.hpp"
#include "tilewright/tiling/thread_value_view.hpp"

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

subtree part(in f, int_tree const& a) {
  int const i = f.count() > 1 ? f.mode(1) : 0;
  if (f.count() == 1) return a.root();
  if (i < 0 || i >= a.rank()) f.numbers.fail(errc::mode_out_of_range, i, a.rank());
  return f.numbers.failed() ? a.root() : a.mode(i);
}
// Functions of the operations' names. Those that take one form alone are made of the table, and those here hide them.
namespace lifted {
#define TILEWRIGHT_X_SIMPLIFY(NAME, ...) \
  operand NAME(in f) { return layout(alg::NAME(f.numbers, f.layout(0))); }
#define TILEWRIGHT_X_INVERT TILEWRIGHT_X_SIMPLIFY
#define TILEWRIGHT_X_DIVIDE(NAME, ...) \
  operand NAME(in f) { return layout(alg::NAME(f.numbers, f.layout(0), f.tiler(1))); }
#define TILEWRIGHT_X_PRODUCT TILEWRIGHT_X_DIVIDE
#define TILEWRIGHT_X_BY_LAYOUT(NAME, ...) \
  operand NAME(in f) { return layout(alg::NAME(f.numbers, f.layout(0), f.layout(1))); }
#include "tilewright/algebra/operations.def"
}  // namespace lifted

namespace by_name {
using namespace lifted;

// --- measures -------------------------------------------------------------------------------------------------------
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

operand slice_or_dice(in f, bool keep) {
  auto const [x, l] = order_of(f);
  int_tree const coordinate = f.coordinate(x);
  if (auto const* a = f.get<composed_value>(l); a != nullptr && keep)
    return f.answer_of(tilewright::slice(coordinate, *a));
  layout_value const a = f.layout(l);
  require_in_range(f.numbers, coordinate, a);
  return layout(f.numbers.failed() ? int_tree(a) : alg::slice_or_dice(f.numbers, coordinate, a, keep));
}
operand slice(in f) { return slice_or_dice(f, true); }
operand dice(in f) { return slice_or_dice(f, false); }
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
operand is_compatible(in f, bool weakly) {
  int_tree const a = f.shape(0), b = f.shape(1);
  return alg::is_compatible(f.numbers, a, a.root(), b, b.root(), weakly);
}
operand compatible(in f) { return is_compatible(f, false); }
operand weakly_compatible(in f) { return is_compatible(f, true); }

// --- layouts of a shape ---------------------------------------------------------------------------------------------
operand compact_left(in f) { return layout(alg::compact_left(f.numbers, f.shape(0))); }
operand compact_right(in f) { return layout(alg::compact_right(f.numbers, f.shape(0))); }
operand compact_order(in f) { return layout(alg::compact_order(f.numbers, f.shape(0), f.tuple(1))); }
operand identity_layout(in f) { return layout(alg::identity(f.numbers, f.shape(0))); }

// --- simplifying, composing, inverting ------------------------------------------------------------------------------
operand coalesce(in f) {
  if (f.count() == 1) return lifted::coalesce(f);
  layout_value const a = f.layout(0);
  return layout(alg::coalesce(f.numbers, a, f.coordinate(1)));
}
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
  if (f.count() == 1) return lifted::complement(f);
  layout_value const a = f.layout(0);
  return layout(alg::complement(f.numbers, a, f.shape(1)));
}
operand max_common_layout(in f) { return layout(alg::max_common_layout(f.numbers, f.layout(0), f.layout(1))); }
operand max_common_vector(in f) {
  for (int i = 0; i < 2; ++i) {
    if (auto const* a = f.get<composed_value>(i))
      return number(constant_leaf(f.answer_of(tilewright::max_common_vector(*a, f.layout(1 - i)))));
  }
  return number(alg::max_common_vector(f.numbers, f.layout(0), f.layout(1)));
}

// --- multiplying ----------------------------------------------------------------------------------------------------
operand tile_to_shape(in f) {
  if (f.count() == 2) return layout(alg::tile_to_shape(f.numbers, f.layout(0), f.shape(1)));
  int_tree const order = f.tuple(2);
  return layout(alg::tile_to_shape(f.numbers, f.layout(0), f.shape(1), order));
}

// --- threads --------------------------------------------------------------------------------------------------------
operand make_layout_tv(in f) {
  layout_value const threads = f.layout(0), values = f.layout(1);
  int_tree const map = alg::right_inverse(f.numbers, alg::raked_product(f.numbers, threads, values));
  int_tree counts{};
  counts.open(2);
  counts.add_leaf(alg::size(f.numbers, threads));
  counts.add_leaf(alg::size(f.numbers, values));
  return layout(f.numbers.failed() ? map : alg::with_shape(f.numbers, map, counts));
}
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
operand min(in f) { return number(f.numbers.min(f.integer(0), f.integer(1))); }
operand max(in f) { return number(f.numbers.max(f.integer(0), f.integer(1))); }
operand abs(in f) { return number(f.numbers.abs(f.integer(0))); }
operand sign(in f) { return number(f.numbers.sign(f.integer(0))); }

}  // namespace by_name

// Of a swizzled layout: the layout below the swizzle, which stays where it is, or the whole.
constexpr bool below = true, whole = false;

/// A heading is an entry without a function.
#define TILEWRIGHT_X_GROUP(TITLE) {TITLE},
#define TILEWRIGHT_X(NAME, PARAMETERS, PURPOSE) {#NAME, PARAMETERS, PURPOSE, by_name::NAME, whole},
#define TILEWRIGHT_X_OWN(NAME, SWIZZLED, PARAMETERS, PURPOSE) {#NAME, PARAMETERS, PURPOSE, by_name::NAME, SWIZZLED},
#define TILEWRIGHT_X_VALUE TILEWRIGHT_X_OWN
#define TILEWRIGHT_X_LIFTED(NAME, PARAMETERS, PURPOSE) {#NAME, PARAMETERS, PURPOSE, by_name::NAME, below},
#define TILEWRIGHT_X_INVERT TILEWRIGHT_X
constexpr operation entries[] = {
#include "tilewright/algebra/operations.def"
    {"Threads of tiled copies and matrix operations"},
    {"make_layout_tv", "thr, val", "(thread, value) -> index in the tile that both cover", by_name::make_layout_tv},
    {"copy_view", "A, tiler, tv, ref, side", "A as (thread, value, rest) of one side of a tiled copy",
     by_name::copy_view, below},
    {"retile", "F, tiler, tv, n", "the fragment F in atoms of n values of a tiled copy", by_name::retile},
    {"mma_view", "A, perm, atom, tv, threads", "A as (thread, value) of an operand of a tiled matrix operation",
     by_name::mma_view, below},
    {"mma_tv", "perm, atom, tv, thr, i, j", "(thread, value) -> index in the tile of an operand", by_name::mma_tv},
};

std::vector<operation_group> grouped() {
  std::vector<operation_group> out;
  for (operation const& entry : entries) {
    if (entry.run == nullptr) out.push_back({entry.name, {&entry + 1, 0}});
    else out.back().operations = {out.back().operations.data(), out.back().operations.size() + 1};
  }
  return out;
}

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

std::span<operation_group const> operation_groups() {
  static std::vector<operation_group> const groups = grouped();
  return groups;
}

operation const* find_operation(std::string_view name) {
  for (alias const& a : aliases)
    if (a.name == name) name = a.stands_for;
  for (operation_group const& group : operation_groups())
    for (operation const& op : group.operations)
      if (op.name == name) return &op;
  return nullptr;
}

std::string_view nearest_operation(std::string_view name) {
  std::vector<std::string_view> names;
  for (operation_group const& group : operation_groups())
    for (operation const& op : group.operations) names.push_back(op.name);
  return nearest(name, names);
}

std::string operation_names() {
  std::string out;
  for (operation_group const& group : operation_groups())
    for (operation const& op : group.operations) out += (out.empty() ? "" : ", ") + std::string(op.name);
  return out;
}

std::string signature(operation const& op) { return std::string(op.name) + "(" + std::string(op.parameters) + ")"; }

}  // namespace tilewright::cli
