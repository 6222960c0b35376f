// Any layout to any layout without a kernel: two tensors that are known at run time, and copy. A row-major matrix becomes
// column-major, and then one whose rows are cut into pairs.
#pragma once

#include "tilewright/engine/copy.hpp"
#include "tilewright/layout/text.hpp"

#include <cstdio>
#include <numeric>
#include <vector>

namespace tilewright::examples {

inline int run_any_layout() {
  std::vector<float> rows(3 * 4), columns(rows.size()), pairs(rows.size());
  std::iota(rows.begin(), rows.end(), 0.0f);
  const_tensor_view const src{rows.data(), composed(parse_layout("(3,4):(4,1)")), element_type::f32};         // (M, N)
  tensor_view const by_column{columns.data(), composed(parse_layout("(3,4):(1,3)")), element_type::f32};      // (M, N)
  tensor_view const by_pair{pairs.data(), composed(parse_layout("(3,(2,2)):(2,(1,6))")), element_type::f32};  // (M, N)
  copy(src, by_column);
  copy(by_column, by_pair);
  for (auto const* memory : {&rows, &columns, &pairs}) {
    for (float const value : *memory) std::printf("%3.0f", static_cast<double>(value));
    std::printf("\n");
  }

  // What cannot be done is an error with a sentence, here as a value.
  copy_status const refused = try_copy(src, {columns.data(), composed(parse_layout("(4,3)")), element_type::f32});
  std::printf("%s\n", name_of(refused.code));
  return refused.code == copy_errc::different_shapes ? 0 : 1;
}

}  // namespace tilewright::examples
