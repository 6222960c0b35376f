// Static layouts, swizzled ones and tilers drawn at random while compiling, the same in every run: drawn_layout<7> is a type.
#pragma once

#include "tilewright/algebra/swizzled.hpp"

namespace tilewright::tests {

/// Numbers below `limit`; splitmix64.
struct random_numbers {
  unsigned long long state;

  constexpr int below(int limit) {
    unsigned long long z = state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<int>((z ^ (z >> 31)) % static_cast<unsigned long long>(limit));
  }
};

/// One to three modes, the first of which may be two; strides compact in any order, with gaps, or any small ones.
constexpr int_tree draw_layout(random_numbers random, int min_modes, bool any_strides) {
  constexpr int extents[] = {1, 2, 3, 4, 6, 8}, strides[] = {0, 1, 2, 3, 4, 8, 12};
  int const modes = min_modes + random.below(4 - min_modes);
  bool const nested = random.below(3) == 0;
  int const gap = 1 + random.below(2), kind = random.below(any_strides ? 3 : 2);
  int_tree out{};
  out.open(modes);
  for (int i = 0; i < modes; ++i) {
    if (nested && i == 0) {
      out.open(2);
      out.add_leaf(constant_leaf(extents[random.below(6)]));
    }
    out.add_leaf(constant_leaf(extents[random.below(6)]));
  }
  int const first = random.below(out.leaves);
  long long next = 1;
  for (int i = 0; i < out.leaves; ++i) {
    int const at = (first + i) % out.leaves;
    out.stride[at] = constant_leaf(kind == 2 ? strides[random.below(7)] : next);
    next *= out.shape[at].number * (kind == 1 ? gap : 1);
  }
  return out;
}

struct draw_layout_operation {
  static constexpr auto kind = lift::result_kind::layout;
};
template <unsigned long long Seed, int MinModes = 1, bool AnyStrides = true>
struct drawn : draw_layout_operation {
  static constexpr int_tree apply(arithmetic&) { return draw_layout({Seed}, MinModes, AnyStrides); }
};
/// Of a layout: a tile of each mode, or an extent of a mode that is no tuple.
template <unsigned long long Seed>
struct drawn_tiler {
  static constexpr auto kind = lift::result_kind::tuple;
  static constexpr int_tree apply(arithmetic&, int_tree const& a) {
    random_numbers random{Seed};
    constexpr int tiles[] = {1, 2, 3, 4};
    int_tree out{};
    int const modes = a.rank() == 1 ? 1 : 1 + random.below(a.rank());
    out.open(modes);
    for (int i = 0; i < modes; ++i) out.add_leaf(constant_leaf(tiles[random.below(4)]));
    return out;
  }
};

template <unsigned long long Seed, int MinModes = 1, bool AnyStrides = true>
using drawn_layout = std::remove_const_t<decltype(lift::call<drawn<Seed, MinModes, AnyStrides>>::on())>;
template <unsigned long long Seed, class L>
using drawn_tiler_of = std::remove_const_t<decltype(lift::call<drawn_tiler<Seed>, L>::on(L{}))>;

}  // namespace tilewright::tests
