// Coalescing and filtering: the same function with the fewest modes, the same offsets without repetition.
#include "families.hpp"
#include "laws.hpp"

namespace tilewright::tests {
namespace {

constexpr bool is_flat(layout_value const& a) { return depth(a) <= 1; }

/// No mode of extent 1, no two neighbours that go on where the first ends.
constexpr bool is_shortest(layout_value const& a) {
  if (a.rank() == 1) return !a.is_tuple(a.root());
  for (int i = 0; i < a.leaves; ++i) {
    if (a.shape[i].number == 1) return false;
    if (i > 0 && a.stride[i].number == a.shape[i - 1].number * a.stride[i - 1].number) return false;
  }
  return true;
}

constexpr bool coalesce_law(layout_value const& a) {
  auto const r = coalesce(a);
  return r && same_function(a, *r) && is_flat(*r) && is_shortest(*r);
}

constexpr bool coalesce_each_law(layout_value const& a) {
  auto const r = coalesce_each(a);
  if (!r || !same_function(a, *r)) return false;
  if (a.rank() == 1) return *r == *coalesce(a);
  if (r->rank() != a.rank()) return false;
  for (int i = 0; i < a.rank(); ++i)
    if (!(mode_of(*r, i) == *coalesce(mode_of(a, i)))) return false;
  return true;
}

constexpr bool filter_law(layout_value const& a) {
  auto const zeros = filter_zeros(a), r = filter(a);
  if (!zeros || !r || !same_profile(a, a.root(), *zeros, zeros->root())) return false;
  for (int i = 0; i < a.leaves; ++i) {
    bool const zero = a.stride[i].number == 0;
    if (!(zeros->stride[i] == a.stride[i]) || zeros->shape[i].number != (zero ? 1 : a.shape[i].number)) return false;
  }
  if (!same_function(*zeros, *r) || !is_shortest(*r)) return false;
  return extent(a) == 0 || same_image(table_of(a), table_of(*r));
}

static_assert(holds_for(family(2, {0, 1, 2, 4}, {0, 1, 2, 4}), 1, coalesce_law));
static_assert(holds_for(family(3, {1, 2}, {0, 1, 2}, family::nesting::left), 3, coalesce_each_law));
static_assert(holds_for(family(2, {1, 2, 4}, {0, 1, 4}), 1, filter_law));

TEST(coalesce, keeps_the_function_in_fewest_modes) {
  expect_for_all(every_layout(), coalesce_law);
  expect_for_all(signed_layouts(), coalesce_law);
}

TEST(coalesce, of_each_mode) {
  expect_for_all(every_layout(), coalesce_each_law);
  expect_for_all(signed_layouts(), coalesce_each_law);
}

TEST(coalesce, below_a_profile) {
  auto const a = parse_layout("((2,(1,6)),(2,2)):((1,(6,2)),(12,24))");
  auto const by = [&](char const* profile) { return text_of(coalesce(a, parse_tuple(profile))); };
  EXPECT_EQ(by("0"), "48:1");
  EXPECT_EQ(by("(0,0)"), "(12,4):(1,12)");
  EXPECT_EQ(by("(_,(_,_))"), "(12,(2,2)):(1,(12,24))");
  EXPECT_EQ(by("(0)"), "(12,(2,2)):(1,(12,24))");
  EXPECT_EQ(by("(0,0,0)"), "rank_mismatch");
  expect_for_all({{3, {1, 2, 3}, {0, 1, 2}, family::nesting::left}}, [](layout_value const& x) {
    auto const r = coalesce(x, tuple_of({0, 0}));
    return r && same_function(x, *r) && mode_of(*r, 0) == *coalesce(mode_of(x, 0)) &&
           mode_of(*r, 1) == *coalesce(mode_of(x, 1));
  });
}

TEST(filter, keeps_the_offsets_and_drops_repetition) {
  expect_for_all(every_layout(), filter_law);
  expect_for_all(signed_layouts(), filter_law);
}

}  // namespace
}  // namespace tilewright::tests
