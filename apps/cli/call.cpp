// Fetches the arguments of an operation as what it needs, and runs it.
#include "apps/cli/operations.hpp"

#include "tilewright/algebra/value_face.hpp"

#include <limits>

namespace tilewright::cli {
namespace {

/// pre: both subtrees exist
void require_in_range(arithmetic& c, int_tree const& x, subtree w, int_tree const& a, subtree u) {
  if (x.is_kept(w) || c.failed()) return;
  if (x.is_leaf(w)) {
    leaf const at = x.shape[w.leaf], extent = algebra::size(c, a, u);
    bool const outside = at.is_static() && (at.number < 0 || (extent.is_static() && at.number >= extent.number));
    if (outside && !c.failed())
      c.fail(errc::coordinate_out_of_range, at.number, extent.is_static() ? extent.number : 0);
    return;
  }
  if (!a.is_tuple(u) || a.rank(u) != x.rank(w)) return c.fail(errc::rank_mismatch, a.rank(u), x.rank(w));
  subtree p = x.first_mode(w), q = a.first_mode(u);
  for (int i = 0; i < a.rank(u); ++i, p = x.next(p), q = a.next(q)) require_in_range(c, x, p, a, q);
}

}  // namespace

void require_in_range(arithmetic& numbers, int_tree const& coordinate, int_tree const& layout) {
  require_in_range(numbers, coordinate, coordinate.root(), layout, layout.root());
}

composed_value swizzled(arithmetic& numbers, swizzle_value const& s, leaf offset, layout_value const& below) {
  composed_value const out{s, offset, below};
  // The value face's functions check what is below a swizzle; symbols are taken to fit.
  if (auto const valid = coalesce(out); !valid && valid.error().code != errc::not_static)
    numbers.fail(valid.error().code, valid.error().first, valid.error().second);
  return out;
}

operand call::result() {
  auto const* whole = get<composed_value>(0);
  if (whole == nullptr || !op_.below_swizzle) return op_.run(*this);
  composed_value out = *whole;
  arguments_[0].value = layout_operand{out.layout};
  operand inner = op_.run(*this);
  auto const* changed = std::get_if<layout_operand>(&inner);
  if (changed == nullptr) return inner;
  out.layout = changed->layout;
  return out;
}

void call::refuse(int i, char const* expected) const {
  throw text_error("argument " + std::to_string(i + 1) + " of " + signature(op_) + " must be " + expected + ", not " +
                       describe(value(i)),
                   text_.text(), at(i).at);
}

int_tree const& call::extents(int i) const {
  auto const& t = std::get<tuple_operand>(value(i));
  for (int k = 0; k < t.tree.leaves; ++k) {
    leaf const extent = t.tree.shape[k];
    if ((extent.is_static() && extent.number < 0) || !extent.basis().empty())
      text_.fail_at("expected an extent of 0 or more", t.negative_at != nowhere ? t.negative_at : at(i).at);
  }
  return t.tree;
}

int_tree call::shape(int i) const {
  if (auto const* a = get<layout_operand>(i)) return a->layout;
  auto const* t = get<tuple_operand>(i);
  if (t == nullptr || t->kept_at != nowhere || t->layout_at != nowhere) refuse(i, "a shape");
  return extents(i);
}

layout_value call::layout(int i) const {
  if (auto const* a = get<layout_operand>(i)) return a->layout;
  auto const* t = get<tuple_operand>(i);
  if (t == nullptr || t->kept_at != nowhere || t->layout_at != nowhere) refuse(i, "a layout");
  return layout_value(algebra::compact_left(numbers, shape(i)));
}

int_tree call::tuple(int i) const {
  auto const* t = get<tuple_operand>(i);
  if (t == nullptr || t->kept_at != nowhere || t->layout_at != nowhere) refuse(i, "a tuple of integers");
  return t->tree;
}

int_tree call::coordinate(int i) const {
  auto const* t = get<tuple_operand>(i);
  if (t == nullptr || t->layout_at != nowhere) refuse(i, "a coordinate");
  return t->tree;
}

int_tree call::tiler(int i) const {
  if (auto const* a = get<layout_operand>(i)) return tiler_value::of(a->layout).tree;
  if (get<tuple_operand>(i) == nullptr) refuse(i, "a tiler");
  return extents(i);
}

leaf call::integer(int i) const {
  leaf const* number = integer_in(value(i));
  if (number == nullptr) refuse(i, "an integer");
  return *number;
}

long long call::constant(int i) const {
  leaf const number = integer(i);
  if (!number.is_static() || !number.basis().empty()) refuse(i, "a constant integer");
  return number.number;
}

int call::mode(int i) const {
  long long const number = constant(i);
  if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max()) refuse(i, "a mode");
  return static_cast<int>(number);
}

}  // namespace tilewright::cli
