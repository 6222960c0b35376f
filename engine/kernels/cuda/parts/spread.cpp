// Threads are spread over the modes of a tile by a small exhaustive search.
#include "engine/kernels/cuda/parts/spread.hpp"

#include "engine/plan/cuda_modes.hpp"
#include "tilewright/analysis/footprint.hpp"
#include "tilewright/base/math.hpp"
#include "tilewright/machine/arch.hpp"

#include <algorithm>

namespace tilewright::kernels {
namespace {

using math::ceil_div;
using plan::size_of;
using std::int64_t;

// Of the GPU that the costs were fitted on.
constexpr architecture fitted_gpu = arch(arch_id::sm_90);
constexpr int64_t processor_shared_bytes = fitted_gpu.shared_per_block.count;

struct spreading {
  std::vector<int64_t> threads, best;
  int64_t values = 0;
};

/// Does another mode carry the loop on where this one ends? Then an index beyond its end would be another mode's.
bool goes_on(std::vector<cuda_mode> const& modes, std::size_t i) {
  return std::any_of(modes.begin(), modes.end(),
                     [&](cuda_mode const& m) { return m.loop == modes[i].loop && m.step > modes[i].step; });
}

/// Tries thread counts for mode i on; keeps the ones with the fewest values, among them the one with most threads early.
void try_threads(std::vector<cuda_mode> const& modes, std::size_t i, int64_t left, int64_t values, spreading& s) {
  if (s.values != 0 && values >= s.values) return;
  if (i == modes.size()) {
    s.values = values;
    s.best = s.threads;
    return;
  }
  int64_t const extent = modes[i].extent;
  // The first modes make an access coalesced: they keep at least half of the threads that they can use.
  int64_t const least = i == 0 ? std::min<int64_t>(extent, 8) : 1;
  int64_t last = 0;
  for (int64_t each = ceil_div(extent, left); each <= extent; ++each) {
    int64_t const threads = ceil_div(extent, each);
    if (threads < least) break;
    if (threads == last || (extent % threads != 0 && goes_on(modes, i))) continue;
    last = threads;
    s.threads[i] = threads;
    try_threads(modes, i + 1, left / threads, values * ceil_div(extent, threads), s);
    if (left / threads > 64 && i > 0 && each > 4 * ceil_div(extent, left)) break;
  }
}

}  // namespace

void spread(std::vector<cuda_mode> const& modes, int threads, cuda_access& access) {
  spreading s;
  s.threads.assign(modes.size(), 1);
  try_threads(modes, 0, threads, 1, s);
  access.threads.clear();
  access.values.clear();
  for (std::size_t i = 0; i < modes.size(); ++i) {
    cuda_mode const& m = modes[i];
    int64_t const share = s.best[i], rest = ceil_div(m.extent, share);
    if (share > 1) access.threads.push_back({m.loop, m.step, share});
    if (rest > 1) access.values.push_back({m.loop, m.step * share, rest});
  }
}

void set_grid(cuda_schedule& s, movement const& m, std::vector<int64_t> const& tile, std::vector<int> const& order) {
  s.grid.clear();
  for (int const l : order) {
    auto const i = static_cast<std::size_t>(l);
    int64_t const tiles = ceil_div(m.loops[i].extent, tile[i]);
    if (tiles > 1) s.grid.push_back({l, tile[i], tiles});
  }
  if (s.grid.empty()) s.grid.push_back({0, tile[0], 1});
  s.blocks = size_of(s.grid);
  // What a thread holds between its loads and its stores, and some for offsets: more blocks than that would spill.
  int64_t const bytes = m.element_bits / 8;
  int64_t const read = std::min<int64_t>(size_of(s.read.values), s.read.at_once) * ceil_div(s.read.vector * bytes, 4);
  int64_t const write =
      std::min<int64_t>(size_of(s.write.values), s.write.at_once) * s.write.vector * ceil_div(bytes, 4);
  bool const few_offsets = s.read.vector * bytes == 16 && s.packed == 1;
  int64_t const registers = (few_offsets ? 20 : 32) + std::max(read, write);
  int64_t blocks =
      analysis::footprint_of(s.threads, registers, bits{32}, true, tilewright::bytes{0}, fitted_gpu).blocks;
  if (s.threads > 512) blocks = std::max<int64_t>(blocks, 2);  // one alone would wait for memory twice a tile
  if (s.shared_bytes > 0)
    blocks = std::min<int64_t>(blocks, processor_shared_bytes / (s.shared_bytes + fitted_gpu.shared_reserved.count));
  s.blocks_per_processor = static_cast<int>(std::max<int64_t>(1, blocks));
}

}  // namespace tilewright::kernels
