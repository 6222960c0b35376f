// A tiled copy explained without a GPU: that of a column-major tile, the same threads on a row-major one, and what the
// searches propose: threads and values for the row-major tile, and a swizzle for a tile that ldmatrix reads.
#pragma once

#include "tilewright/analysis/explain.hpp"
#include "tilewright/layout/text.hpp"

#include <cstdio>

namespace tilewright::examples {

inline void print_report(char const* title, analysis::copy_question const& question) {
  std::printf("%s\n", title);
  for (std::string const& line : analysis::explain(analysis::report_of(question).value()))
    std::printf("  %s\n", line.c_str());
}

inline int run_explain_copy() {
  analysis::copy_question question{};  // 32 threads, each with 4 floats in one 128-bit access
  question.copy = {bits{128}, bits{32}, parse_layout("(4,8):(1,4)"), parse_layout("(4,1):(1,0)")};
  question.machine = arch_id::sm_90;
  question.source.layout = tiling::unswizzled(parse_layout("(16,8):(1,16)"));
  question.destination = {question.source.layout, tiling::memory::shared, bytes{128}};
  print_report("column-major, (16,8):(1,16)", question);

  question.source.layout = question.destination.layout = tiling::unswizzled(parse_layout("(16,8):(8,1)"));
  print_report("row-major, (16,8):(8,1), by the same threads", question);

  auto const better = analysis::report_of(question)->better.value();
  question.copy.thr = better.thr;
  question.copy.val = better.val;
  print_report("row-major, as proposed", question);

  // 64 rows of 64 halves, stored 16 bytes at a time, read by ldmatrix.
  layout_value const tile = parse_layout("(64,64):(64,1)");
  analysis::access_set accesses{bits{16}, 64 * 64, {}};
  auto const stores = tiling::map_of({bits{128}, bits{16}, parse_layout("(16,8):(8,1)"), parse_layout("(1,8):(0,1)")});
  if (add_tiled(accesses, stores.value(), tile, elements{8}, tiling::access_kind::store)) return 1;
  if (add_matrices(accesses, tile, 4, tiling::access_kind::ldmatrix)) return 1;
  auto const swizzle = analysis::search_swizzle(accesses, arch(arch_id::sm_90)).value();
  std::printf("(64,64):(64,1) of halves, stored by 128 bits and read by ldmatrix\n  %s\n",
              analysis::explain(swizzle).c_str());
  return 0;
}

}  // namespace tilewright::examples
