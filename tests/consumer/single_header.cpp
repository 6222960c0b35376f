// A program that has one file of the library, and nothing else: an operation on types, one on values, and a tiled copy.
#include "tilewright.hpp"

#include <cstdio>
#include <numeric>
#include <vector>

int main() {
  using namespace tilewright;
  print(composition(Layout<Shape<_8, _8>>{}, make_tile(_4{}, _2{})));
  print("\n");
  auto const answer = composition(parse_layout("(6,2):(8,2)"), parse_layout("(4,3):(3,1)"));
  print(format_layout(answer.value()).c_str());
  print("\n");

  auto const matrix = Layout<Shape<_16, _8>>{};
  std::vector<float> in(128), out(128, -1.0f);
  std::iota(in.begin(), in.end(), 0.0f);
  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_1, _1>>{});
  for (int thread = 0; thread < 32; ++thread) {
    auto const mine = tiled_copy.get_slice(thread);
    copy(tiled_copy, mine.partition_S(make_tensor(in.data(), matrix)),
         mine.partition_D(make_tensor(out.data(), matrix)));
  }
  return in == out ? 0 : 1;
}
