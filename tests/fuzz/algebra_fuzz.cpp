// Two layouts, one a line, through the whole algebra: every operation must answer with a layout or an error; where the
// operands are small enough to look at every value, the answer must obey its law and the refusal must be justified.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "../support/laws.hpp"
#include "tilewright/layout/text.hpp"

namespace {

using namespace tilewright;

void expect(bool holds, char const* law, layout_value const& a, layout_value const& b) {
  if (holds) return;
  std::fprintf(stderr, "%s: %s ; %s\n", law, format_layout(a).c_str(), format_layout(b).c_str());
  std::abort();
}

/// Few enough elements and short enough strides for the laws' tables.
bool is_small(layout_value const& a) {
  long long n = 1;
  for (int i = 0; i < a.leaves; ++i) {
    long long const s = a.shape[i].number, d = a.stride[i].number;
    if (s > 16 || d > 24 || d < -24 || !a.stride[i].basis().empty()) return false;
    n *= s;
    if (n > 24) return false;
  }
  return a.leaves <= 6;
}

void answer(layout_value const& a, layout_value const& b) {
  shape_value const s = shape_of(a), t = shape_of(b);
  coord_value const x{static_cast<int_tree const&>(t)};
  (void)size(a), (void)cosize(a), (void)coalesce(a), (void)coalesce(a, x), (void)coalesce_each(a), (void)filter(a);
  (void)composition(a, b), (void)complement(a), (void)complement(a, t), (void)left_inverse(a), (void)right_inverse(a);
  (void)nullspace(a), (void)max_common_layout(a, b), (void)with_shape(a, t), (void)zipped_divide(a, b);
  (void)flat_divide(a, tiler_value{b}), (void)zipped_product(a, b), (void)flat_product(a, tiler_value{b});
  (void)blocked_product(a, b), (void)raked_product(a, b), (void)tile_to_shape(a, t),
      (void)tile_to_shape(a, t, stride_of(a));
  (void)upcast(a, 4), (void)downcast(a, 4), (void)recast(a, bits{6}, bits{16}), (void)domain_distribute(s, 32);
  (void)identity_layout(s), (void)compact_order(s, stride_of(b)), (void)slice(x, a), (void)offset_at(x, a),
      (void)offset2crd(3, a);
}

void judge(layout_value const& a, layout_value const& b) {
  using namespace tilewright::tests;
  expect(composition_law(a, b), "composition", a, b);
  expect(complement_law(a, 12), "complement", a, b);
  expect(right_inverse_law(a), "right_inverse", a, b);
  expect(left_inverse_law(a), "left_inverse", a, b);
  expect(nullspace_law(a), "nullspace", a, b);
  expect(max_common_layout_law(a, b), "max_common_layout", a, b);
  expect(logical_divide_law(a, b), "logical_divide", a, b);
  expect(logical_product_law(a, b), "logical_product", a, b);
  expect(upcast_law(a, 2) && upcast_law(a, 4), "upcast", a, b);
  expect(downcast_law(a, 2), "downcast", a, b);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  if (size > 512) return 0;
  std::string const text(reinterpret_cast<char const*>(data), size);
  std::size_t const middle = text.find('\n');
  if (middle == std::string::npos) return 0;
  try {
    layout_value const a = parse_layout(text.substr(0, middle)), b = parse_layout(text.substr(middle + 1));
    answer(a, b);
    if (is_small(a) && is_small(b)) judge(a, b);
  } catch (text_error const&) {
  } catch (layout_error const& e) {  // a law's table was too small for what the operation gave
    if (e.cause().code != errc::too_many_leaves) throw;
  }
  return 0;
}
