// Reads a layout argument.
#include "apps/cli/layout_argument.hpp"

#include "apps/cli/expression.hpp"
#include "tilewright/algebra/value_face.hpp"
#include "tilewright/engine/tensor_view.hpp"

namespace tilewright::cli {
namespace {

/// error: text_error where an extent or a stride is no plain integer
void check_integers(int_tree const& a, std::string_view text) {
  for (int i = 0; i < a.leaves; ++i) {
    if (!a.shape[i].is_static() || !a.stride[i].is_static())
      throw text_error("expected a layout of integers, not of names", text, 0);
    if (!a.stride[i].basis().empty())
      throw text_error("expected a layout whose offsets are numbers, not coordinates", text, 0);
  }
}

}  // namespace

composed_value parse_layout_argument(std::string_view text) {
  facts const none;
  symbols names(none);
  operand const read = expression_reader(text, names).read();
  if (auto const* swizzled = std::get_if<composed_value>(&read)) {
    check_integers(swizzled->layout, text);
    if (!swizzled->offset.is_static()) throw text_error("expected a layout of integers, not of names", text, 0);
    return *swizzled;
  }
  if (auto const* plain = std::get_if<layout_operand>(&read)) {
    check_integers(plain->layout, text);
    return composed(plain->layout);
  }
  auto const* shape = std::get_if<tuple_operand>(&read);
  if (shape == nullptr) throw text_error("expected a layout such as (4,8):(8,1), found " + describe(read), text, 0);
  if (shape->negative_at != nowhere) throw text_error("expected an extent of 0 or more", text, shape->negative_at);
  if (shape->kept_at != nowhere) throw text_error("expected a layout without '_'", text, shape->kept_at);
  if (shape->layout_at != nowhere) throw text_error("expected an extent", text, shape->layout_at);
  check_integers(shape->tree, text);
  result<layout_value> const compact = compact_left(shape->tree);
  if (!compact) throw text_error(to_string(compact.error()), text, 0);
  return composed(*compact);
}

}  // namespace tilewright::cli
