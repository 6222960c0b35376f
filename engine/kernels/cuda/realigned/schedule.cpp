// Tiles are as wide as the source's rows allow, so that none is cut off or nearly empty. How many rows a tile has follows from the
// kernel: a word of a column for each lane of a warp, less the sector by which pieces of columns begin before their tile.
#include "engine/kernels/cuda/realigned/schedule.hpp"
#include "engine/kernels/cuda/realigned/body_row.hpp"
#include "engine/memory_units.hpp"

#include "engine/plan/banks.hpp"
#include "tilewright/base/math.hpp"
#include "tilewright/machine/arch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tilewright::kernels {
namespace {

using math::ceil_div;
using plan::cuda_candidate;
using plan::lanes;
using plan::run_facts;
using std::int64_t;

constexpr architecture sm90 = arch(arch_id::sm_90);
constexpr int sector_bytes = static_cast<int>(engine::gpu_sector), wide_bytes = 16,
              max_at_once = 8;  // vectors of a thread that is being read
constexpr int min_row = 40;
constexpr std::array<int, 4> full_rows{
    248, 176, 120, 56};  // bytes that, with a vector that is shifted in, 32, 23, 16 and 8 lanes read
constexpr double max_covered = 1.3;
constexpr int64_t max_short_row = 1024;  // bytes
// Where memory gives a processor more bytes a second than this, it waits for the kernel's instructions rather than for memory, and
// tiles of whole rows are faster up to longer ones: 15 copies on an H200 (33e9), and on an H100 (22e9), where they are not (docs/adr/0030).
constexpr double fast_memory = 28e9;
constexpr int64_t max_row_of_bytes = 704, max_row_of_words = 1000;  // of single bytes, of longer elements

int word_of(int element) { return std::max(4, element); }
int rows_of(int element) { return lanes * word_of(element) / element; }
int tile_rows(int element) { return rows_of(element) - sector_bytes / element; }

/// Rows next to each other in shared memory are read by lanes next to each other: an odd number of vectors apart, no bank is met twice.
int64_t pitch_of(int row) { return (ceil_div(row, wide_bytes) | 1) * wide_bytes; }

/// Steps in which a block reads its rows; 0: threads that cannot share them out.
int steps_of(int element, realigned_shape const& t) {
  int const warps = t.threads / lanes, at_once = warps * (lanes / row_lanes_of(t.tile_j * element));
  return warps * element % row_vector_bytes == 0 && rows_of(element) % at_once == 0 ? rows_of(element) / at_once : 0;
}

int64_t shared_bytes_of(int element, realigned_shape const& t) {
  return rows_of(element) * pitch_of(t.tile_j * element);
}

/// Warps for which a thread's registers suffice (compiled for sm_90: 48 of them for bytes, 32 for words).
int warps_of(int element, realigned_shape const& t) {
  if (element >= 4) return 64;
  return element == 1 && t.threads > 256 ? 48 : row_lanes_of(t.tile_j * element) == lanes ? 40 : 48;
}

int blocks_of(int element, realigned_shape const& t) {
  int64_t const by_shared = sm90.shared_beside_l1.count / (shared_bytes_of(element, t) + sm90.shared_reserved.count);
  return static_cast<int>(
      std::clamp<int64_t>(warps_of(element, t) * lanes / t.threads, 1, std::max<int64_t>(1, by_shared)));
}

/// Of the elements in tiles, how many times as many as there are. Pieces of the destination begin up to a sector before their tile.
double covered(int element, realigned_shape const& t, int64_t extent_i, int64_t extent_j) {
  int64_t const pieces = extent_i + sector_bytes / element - 1;
  return static_cast<double>(ceil_div(pieces, int64_t{t.tile_i}) * t.tile_i) / static_cast<double>(extent_i) *
         (static_cast<double>(ceil_div(extent_j, int64_t{t.tile_j}) * t.tile_j) / static_cast<double>(extent_j));
}

/// Tells shapes apart: the logarithm of their time, less what all have. Tiles that are beyond the extents, parts of sectors at the
/// ends of rows, and threads that have too little to wait for (docs/adr/0045).
double off_best(int element, realigned_shape const& t, int64_t extent_i, int64_t extent_j) {
  double const row = t.tile_j * element, of_thread = row * rows_of(element) / t.threads;
  return std::log(covered(element, t, extent_i, extent_j)) + 4 / row + 60 / (of_thread * of_thread);
}

}  // namespace

std::vector<realigned_shape> realigned_shapes(int element, int64_t extent_i, int64_t extent_j) {
  std::vector<realigned_shape> out;
  if (tile_rows(element) > extent_i) return out;
  std::vector<int> across;
  for (int const widest : full_rows) {
    int64_t const parts = ceil_div(extent_j * element, int64_t{widest});
    auto const each = static_cast<int>(std::min<int64_t>(
        extent_j,
        ceil_div(ceil_div(extent_j, parts) * element, int64_t{row_vector_bytes}) * row_vector_bytes / element));
    if (each * element >= min_row && std::find(across.begin(), across.end(), each) == across.end())
      across.push_back(each);
  }
  for (int const tile_j : across)
    for (int const threads : {128, 256, 512}) {
      realigned_shape const t{tile_rows(element), tile_j, threads};
      if (steps_of(element, t) > 0) out.push_back(t);
    }
  return out;
}

namespace {

/// Best first.
std::vector<realigned_shape> shapes_by_estimate(int element, int64_t extent_i, int64_t extent_j) {
  std::vector<std::pair<double, realigned_shape>> all;
  for (realigned_shape const& t : realigned_shapes(element, extent_i, extent_j))
    all.emplace_back(off_best(element, t, extent_i, extent_j), t);
  std::stable_sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
  std::vector<realigned_shape> out;
  for (auto const& one : all) out.push_back(one.second);
  return out;
}

/// Whether there is a tile for the movement, and which are best.
std::vector<realigned_shape> shapes_for(movement const& m, run_facts const& f) {
  int const element = m.element_bits / 8;
  if (f.along_src == f.along_dst || m.is_swizzled() || m.element_bits < 8 || element > 8) return {};
  loop const &run = m.loops[static_cast<std::size_t>(f.along_dst)],
             &across = m.loops[static_cast<std::size_t>(f.along_src)];
  if (run.dst != 1 || across.src != 1) return {};
  std::vector<realigned_shape> out = shapes_by_estimate(element, run.extent, across.extent);
  if (!out.empty() && covered(element, out[0], run.extent, across.extent) > max_covered) out.clear();
  return out;
}

}  // namespace

std::optional<cuda_candidate> realigned_candidate(movement const& m, run_facts const& f, machine_model const& machine,
                                                  std::vector<int> const& order) {
  std::vector<realigned_shape> const shapes = shapes_for(m, f);
  if (shapes.empty()) return {};
  realigned_shape const& best = shapes[0];
  int const element = m.element_bits / 8;
  loop const &run = m.loops[static_cast<std::size_t>(f.along_dst)],
             &across = m.loops[static_cast<std::size_t>(f.along_src)];
  // Short rows that follow each other are one for other kernels: pairs of words in the source that would be read in parts, and small elements
  // in the destination.
  bool const is_fast = machine.bytes_per_second > fast_memory * machine.processors;
  int64_t const max_written = is_fast       ? (element == 1 ? max_row_of_bytes : max_row_of_words)
                              : element < 4 ? max_short_row / 2
                                            : 0;
  bool const reads_short = run.src == across.extent && across.extent * element <= max_short_row,
             writes_short = across.dst == run.extent && run.extent * element <= max_written;
  bool const has_pairs = run.src * element % wide_bytes == 8;  // of words
  if (writes_short || (element >= 4 && reads_short && has_pairs && best.tile_j < across.extent)) return {};
  return realigned_candidate(m, f, order, best);
}

std::vector<cuda_candidate> realigned_candidates(movement const& m, run_facts const& f, std::vector<int> const& order,
                                                 std::size_t most) {
  std::vector<realigned_shape> const shapes = shapes_for(m, f);
  std::vector<cuda_candidate> out;
  for (std::size_t n = 0; n < std::min(most, shapes.size()); ++n)
    out.push_back(realigned_candidate(m, f, order, shapes[n]));
  return out;
}

cuda_candidate realigned_candidate(movement const& m, run_facts const& f, std::vector<int> const& order,
                                   realigned_shape const& t) {
  int const element = m.element_bits / 8;
  auto const i = static_cast<std::size_t>(f.along_dst), j = static_cast<std::size_t>(f.along_src);
  loop const &run = m.loops[i], &across = m.loops[j];

  cuda_candidate out;
  out.order = order;
  out.tile.assign(m.loops.size(), 1);
  out.tile[i] = t.tile_i;
  out.tile[j] = t.tile_j;
  out.src_run = out.tile[j] * element;
  out.dst_run = t.tile_i * element;

  cuda_schedule& s = out.schedule;
  s.kernel = cuda_kernel::realigned;
  s.threads = t.threads;
  s.read.loop = f.along_src;
  s.write.loop = f.along_dst;
  s.read.vector = row_vector_bytes / element;
  s.write.vector = word_of(element) / element;
  s.read.at_once = std::min(max_at_once, steps_of(element, t));
  s.write.at_once = 1;
  s.image = {sector_bytes, pitch_of(t.tile_j * element)};
  s.shared_bytes = shared_bytes_of(element, t);

  // Pieces of the destination begin up to a sector before their tile, so the last tile may begin behind the end.
  for (int const l : order) {
    auto const k = static_cast<std::size_t>(l);
    int64_t const extent = m.loops[k].extent + (l == f.along_dst ? sector_bytes / element - 1 : 0);
    int64_t const tiles = ceil_div(extent, out.tile[k]);
    if (tiles > 1) s.grid.push_back({l, out.tile[k], tiles});
    s.blocks *= tiles;
  }
  s.blocks_per_processor = blocks_of(element, t);
  constexpr std::array<double, 4> usual{1.12, 1.04, 1.02, 1.02};  // of elements of 1, 2, 4 and 8 bytes
  out.cost = out.expected =
      usual[static_cast<std::size_t>(element == 8 ? 3 : element / 2)] * covered(element, t, run.extent, across.extent);
  return out;
}

}  // namespace tilewright::kernels
