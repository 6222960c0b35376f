// Tiles are as wide as the source's rows allow, so that none is cut off or nearly empty. The strides of the target's image are found
// by trying some against a count of bank conflicts, as in cuda_staged.cpp: where a piece begins in its column depends on the
// destination's stride.
#include "engine/plan/cuda_realigned.hpp"

#include "engine/plan/banks.hpp"
#include "tilewright/base/math.hpp"
#include "tilewright/machine/arch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tilewright::plan {
namespace {

using math::ceil_div;
using std::int64_t;

constexpr architecture gpu = arch(arch_id::sm_90);
constexpr int sector_bytes = 32, row_vector_bytes = 16, max_in_flight = 3;  // vectors of a thread that is being read
constexpr double too_much = 1e9, max_covered = 1.3;
constexpr int64_t max_short_row = 1024;  // bytes
// Where memory gives a processor more bytes a second than this, it waits for the kernel's instructions rather than for memory, and
// tiles of whole rows are faster up to longer ones: 15 copies on an H200 (33e9), and on an H100 (22e9), where they are not (docs/adr/0030).
constexpr double fast_memory = 28e9;
constexpr int64_t max_row_of_bytes = 704, max_row_of_words = 1000;  // of single bytes, of longer elements

/// The fullest bank of one access: a word of 4 bytes, or two, for each lane.
template <class Word>
int fullest_bank(int words_of_access, Word const& word_of_lane) {
  std::array<int64_t, 2 * lanes> words;
  std::size_t n = 0;
  for (int lane = 0; lane < lanes; ++lane)
    for (int w = 0; w < words_of_access; ++w) words[n++] = word_of_lane(lane) + w;
  return plan::fullest_bank(std::span<int64_t const>(words).first(n));
}

struct image {
  int64_t pitch = 0, group = 0;
};

/// The target's image with the fewest bank conflicts: columns are written word by word, lanes across columns, and read by rows, each
/// column from where its piece begins.
image target_image(int element, realigned_shape const& t, int64_t dst_j) {
  int const word = std::max(4, element), per_word = word / element, across = t.tile_j / per_word;
  int const skews = sector_bytes / element, vectors = t.tile_i * element / row_vector_bytes;
  int const groups = (t.tile_i + skews) / per_word, parts = std::max(1, t.threads / across),
            each = (groups - 1 + parts - 1) / parts;
  auto const conflicts = [&](image const& at) {
    double const written = fullest_bank(word / bank_bytes, [&](int lane) {
      return (lane % across * at.pitch + int64_t{lane / across} * each * word) / bank_bytes;
    });
    double read = 0;
    int const step = std::max(1, skews / 4);
    for (int base = 0; base < skews; base += step)
      read += fullest_bank(word / bank_bytes, [&](int lane) {
        int64_t const j = base + lane / vectors, skew = (j * dst_j % skews + skews) % skews;
        return (j % per_word * at.group + j / per_word * at.pitch + (skews / per_word - 1 - skew / per_word) * word +
                lane % vectors * row_vector_bytes) /
               bank_bytes;
      });
    return written + read * step / skews;
  };
  image best;
  double fewest = 1e9;
  for (int pad = 0; pad < 16; ++pad) {
    int64_t const pitch = t.tile_i * element + sector_bytes + int64_t{pad - 1} * word;
    for (int between = 0; between < (per_word > 1 ? 8 : 1); ++between) {
      image const attempt{pitch, pitch * across + int64_t{between} * bank_bytes};
      double const count = conflicts(attempt);
      if (count > fewest - 0.05) continue;
      fewest = count;
      best = attempt;
    }
  }
  return best;
}

/// What a block holds, and how many of them a processor.
struct footprint {
  int rows, row_vectors, read_rounds, read_at_once;
};
footprint footprint_of(int element, realigned_shape const& t) {
  footprint out{t.tile_i + sector_bytes / element, t.tile_j * element / row_vector_bytes + 1, 0, 0};
  int const steps = (out.rows * out.row_vectors + t.threads - 1) / t.threads;
  out.read_rounds = (steps + max_in_flight - 1) / max_in_flight;
  out.read_at_once = (steps + out.read_rounds - 1) / out.read_rounds;
  return out;
}

int64_t shared_bytes_of(int element, realigned_shape const& t, int64_t source_pitch, image const& target) {
  int64_t const rows = footprint_of(element, t).rows, words = std::max(1, 4 / element);
  return ceil_div(rows * source_pitch + words * target.group, int64_t{16}) * 16 + 4 * rows;
}

int blocks_of(int threads, int64_t shared_bytes) {
  int64_t const by_shared = gpu.shared_per_sm.count / (shared_bytes + gpu.shared_reserved.count);
  return static_cast<int>(std::clamp<int64_t>(gpu.threads_per_sm / threads, 1, std::max<int64_t>(1, by_shared)));
}

/// Of the elements in tiles, how many times as many as there are. Pieces of the destination begin up to a sector before their tile.
double covered(int element, realigned_shape const& t, int64_t extent_i, int64_t extent_j) {
  int64_t const pieces = extent_i + sector_bytes / element - 1;
  return static_cast<double>(ceil_div(pieces, int64_t{t.tile_i}) * t.tile_i) / static_cast<double>(extent_i) *
         (static_cast<double>(ceil_div(extent_j, int64_t{t.tile_j}) * t.tile_j) / static_cast<double>(extent_j));
}

/// Tells shapes apart: the logarithm of their time, less what all have. Rounds in which a block waits for memory, processors that are
/// not full, parts of sectors at the ends of rows, and tiles that are beyond the extents. Fitted to 98 copies on an H100
/// (docs/adr/0025).
double off_best(int element, realigned_shape const& t, int64_t extent_i, int64_t extent_j) {
  int64_t const row = int64_t{t.tile_j} * element, column = int64_t{t.tile_i} * element;
  image const about{column + sector_bytes, (column + sector_bytes) * t.tile_j / std::max(1, 4 / element)};
  int64_t const shared = shared_bytes_of(element, t, row + row_vector_bytes, about);
  int const blocks = blocks_of(t.threads, shared);
  if (blocks * (shared + gpu.shared_reserved.count) > gpu.shared_beside_l1.count) return too_much;
  double const beyond = covered(element, t, extent_i, extent_j), warps = static_cast<double>(t.threads) / lanes,
               kib = static_cast<double>(row * t.tile_i) / 1024 / beyond,
               full = std::min(1.0, blocks * t.threads / static_cast<double>(gpu.threads_per_sm));
  return 0.07 * warps * footprint_of(element, t).read_rounds / kib + 0.2 * (1 / full - 1) +
         4 * std::log(1 + row_vector_bytes / static_cast<double>(row)) + 0.5 * std::log(beyond);
}

}  // namespace

std::vector<realigned_shape> realigned_shapes(int element, int64_t extent_i, int64_t extent_j) {
  std::vector<realigned_shape> out;
  int const in_vector = row_vector_bytes / element;
  std::vector<int> across;
  for (int parts = 1; std::ssize(across) < 5; ++parts) {
    int64_t const each = ceil_div(ceil_div(extent_j, int64_t{parts}), int64_t{in_vector}) * in_vector;
    if (each * element < 48) break;
    if (each * element <= 256 && (across.empty() || across.back() != each)) across.push_back(static_cast<int>(each));
  }
  for (int const tile_j : across)
    for (int const bytes_i : {96, 128, 192})
      for (int const threads : {256, 384, 512}) {
        realigned_shape const t{bytes_i / element, tile_j, threads};
        footprint const f = footprint_of(element, t);
        if (t.tile_i <= extent_i && t.tile_j <= extent_j && threads <= f.rows * f.row_vectors) out.push_back(t);
      }
  return out;
}

namespace {

/// Those that fit, best first.
std::vector<realigned_shape> shapes_by_estimate(int element, int64_t extent_i, int64_t extent_j) {
  std::vector<std::pair<double, realigned_shape>> all;
  for (realigned_shape const& t : realigned_shapes(element, extent_i, extent_j))
    if (double const off = off_best(element, t, extent_i, extent_j); off < too_much) all.emplace_back(off, t);
  std::stable_sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
  std::vector<realigned_shape> out;
  for (auto const& one : all) out.push_back(one.second);
  return out;
}

}  // namespace

std::optional<cuda_candidate> realigned_candidate(movement const& m, run_facts const& f, machine_model const& machine,
                                                  std::vector<int> const& order) {
  int const element = m.element_bits / 8;
  if (f.along_src == f.along_dst || m.is_swizzled() || m.element_bits < 8 || element > 8) return {};
  loop const &run = m.loops[static_cast<std::size_t>(f.along_dst)],
             &across = m.loops[static_cast<std::size_t>(f.along_src)];
  if (run.dst != 1 || across.src != 1) return {};
  std::vector<realigned_shape> const shapes = shapes_by_estimate(element, run.extent, across.extent);
  if (shapes.empty() || covered(element, shapes[0], run.extent, across.extent) > max_covered) return {};
  realigned_shape const& best = shapes[0];
  // Short rows that follow each other are one for other kernels: pairs of words in the source that would be read in parts, and small elements
  // in the destination.
  bool const is_fast = machine.bytes_per_second > fast_memory * machine.processors;
  int64_t const max_written = is_fast       ? (element == 1 ? max_row_of_bytes : max_row_of_words)
                              : element < 4 ? max_short_row / 2
                                            : 0;
  bool const reads_short = run.src == across.extent && across.extent * element <= max_short_row,
             writes_short = across.dst == run.extent && run.extent * element <= max_written;
  bool const has_pairs = run.src * element % row_vector_bytes == 8;  // of words
  if (writes_short || (element >= 4 && reads_short && has_pairs && best.tile_j < across.extent)) return {};
  return realigned_candidate(m, f, order, best);
}

std::vector<cuda_candidate> realigned_candidates(movement const& m, run_facts const& f, std::vector<int> const& order,
                                                 std::size_t most) {
  int64_t const extent_i = m.loops[static_cast<std::size_t>(f.along_dst)].extent,
                extent_j = m.loops[static_cast<std::size_t>(f.along_src)].extent;
  std::vector<realigned_shape> const shapes = shapes_by_estimate(m.element_bits / 8, extent_i, extent_j);
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
  out.src_run = t.tile_j * element;
  out.dst_run = t.tile_i * element;

  cuda_schedule& s = out.schedule;
  s.kernel = cuda_kernel::realigned;
  s.threads = t.threads;
  s.read.loop = f.along_src;
  s.write.loop = f.along_dst;
  s.read.vector = s.write.vector = row_vector_bytes / element;
  s.read.at_once = footprint_of(element, t).read_at_once;
  s.write.at_once = 1;
  image const target = target_image(element, t, across.dst);
  s.images = {sector_bytes, t.tile_j * element + row_vector_bytes, target.pitch, target.group};
  s.shared_bytes = shared_bytes_of(element, t, s.images.source_pitch, target);

  // Pieces of the destination begin up to a sector before their tile, so the last tile may begin behind the end.
  for (int const l : order) {
    auto const k = static_cast<std::size_t>(l);
    int64_t const extent = m.loops[k].extent + (l == f.along_dst ? sector_bytes / element - 1 : 0);
    int64_t const tiles = ceil_div(extent, out.tile[k]);
    if (tiles > 1) s.grid.push_back({l, out.tile[k], tiles});
    s.blocks *= tiles;
  }
  s.blocks_per_processor = blocks_of(t.threads, s.shared_bytes);
  constexpr std::array<double, 4> usual{1.12, 1.04, 1.02, 1.02};  // of elements of 1, 2, 4 and 8 bytes
  out.cost = out.expected =
      usual[static_cast<std::size_t>(element == 8 ? 3 : element / 2)] * covered(element, t, run.extent, across.extent);
  return out;
}

}  // namespace tilewright::plan
