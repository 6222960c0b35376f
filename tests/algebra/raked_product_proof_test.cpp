// What a tiled copy rests on, for random compact thread layouts A and value layouts B of any rank and nesting: in the
// raked product, offset modulo size(A) is the thread, offset divided by size(A) the value; and the thread-value layout
// made from it is its inverse.
#include "generators.hpp"
#include "laws.hpp"

namespace tilewright::tests {
namespace {

/// The indices of A and B that index x of the raked product stands for: mode i is (b_i, a_i).
std::pair<long long, long long> parts_of(long long x, layout_value const& raked, layout_value const& a,
                                         layout_value const& b) {
  long long in_a = 0, in_b = 0, position_a = 1, position_b = 1;
  auto const mode_size = [](layout_value const& t, int i) { return i < t.rank() ? extent(mode_of(t, i)) : 1; };
  for (int i = 0; i < raked.rank(); ++i) {
    long long const na = mode_size(a, i), nb = mode_size(b, i);
    in_b += x % nb * position_b;
    x /= nb;
    in_a += x % na * position_a;
    x /= na;
    position_a *= na;
    position_b *= nb;
  }
  return {in_a, in_b};
}

RC_GTEST_PROP(raked_product, splits_into_thread_and_value, ()) {
  layout_value const a = any_compact_layout(4, {1, 2, 3, 4}), b = any_compact_layout(3, {1, 2, 3, 5});
  RC_LOG() << "A = " << a << ", B = " << b << '\n';
  auto const raked = raked_product(a, b);
  RC_ASSERT(static_cast<bool>(raked));
  long long const threads = extent(a), values = extent(b);
  RC_ASSERT(extent(*raked) == threads * values);
  for (long long x = 0; x < threads * values; ++x) {
    auto const [in_a, in_b] = parts_of(x, *raked, a, b);
    RC_ASSERT((*raked)(x) % threads == a(in_a));
    RC_ASSERT((*raked)(x) / threads == b(in_b));
  }
  auto const tv = with_shape(*right_inverse(*raked), tuple_of({threads, values}));
  RC_ASSERT(static_cast<bool>(tv));
  for (long long t = 0; t < threads; ++t)
    for (long long v = 0; v < values; ++v) RC_ASSERT((*raked)((*tv)(t + threads * v)) == t + threads * v);
}

}  // namespace
}  // namespace tilewright::tests
