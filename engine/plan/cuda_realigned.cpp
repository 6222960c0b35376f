// Tiles and thread counts are the best of some 400 that were measured on an H200, for each size of element. The strides
// of the target's image are found by trying some against a count of bank conflicts, as in cuda_staged.cpp: what each
// column is shifted by depends on the destination's stride.
#include "engine/plan/cuda_realigned.hpp"

#include "engine/plan/banks.hpp"
#include "tilewright/machine/arch.hpp"

#include <algorithm>
#include <array>

namespace tilewright::plan {
namespace {

using std::int64_t;

constexpr int sector_bytes = 32, row_vector_bytes = 16;

struct shape {
  int tile_i, tile_j, threads, read_at_once, unroll;
  double cost;  // of whole tiles, in shares of a plain copy's time
};
constexpr std::array<shape, 4> shapes{{{192, 128, 512, 4, 1, 1.37},  // of elements of 1, 2, 4 and 8 bytes
                                       {96, 64, 384, 3, 1, 1.18},
                                       {32, 64, 256, 3, 4, 1.06},
                                       {32, 64, 512, 3, 2, 1.05}}};

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

/// The target's image with the fewest bank conflicts: columns are written word by word, lanes across columns and each
/// column shifted by its skew, and read by rows.
image target_image(int element, shape const& t, int64_t dst_j) {
  int const word = std::max(4, element), per_word = word / element, across = t.tile_j / per_word;
  int const skews = sector_bytes / element, vectors = t.tile_i * element / row_vector_bytes;
  auto const conflicts = [&](image const& at) {
    double written = 0, read = 0;
    int const step = std::max(1, skews / 8);
    for (int base = 0; base < skews; base += step)
      written += fullest_bank(word / bank_bytes, [&](int lane) {
        int64_t const j = lane % across;
        int64_t const skew = ((base + j * per_word * dst_j) % skews + skews) % skews, within = skew % per_word;
        return (j * at.pitch - (skews - skew + within) / per_word * word + lane / across * int64_t{5} * word) /
               bank_bytes;
      });
    for (int const first : {0, lanes})
      read += fullest_bank(word / bank_bytes, [&](int lane) {
        int const x = first + lane, j = x / vectors;
        return (j % per_word * at.group + j / per_word * at.pitch + x % vectors * row_vector_bytes) / bank_bytes;
      });
    return written * step / skews + read / 2;
  };
  image best;
  double fewest = 1e9;
  for (int pad = 0; pad < 16; ++pad) {
    int64_t const pitch = t.tile_i * element + int64_t{pad} * word;
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

}  // namespace

std::optional<cuda_candidate> realigned_candidate(movement const& m, run_facts const& f,
                                                  std::vector<int> const& order) {
  int const element = m.element_bits / 8;
  if (f.along_src == f.along_dst || m.is_swizzled() || m.element_bits < 8 || element > 8) return {};
  auto const i = static_cast<std::size_t>(f.along_dst), j = static_cast<std::size_t>(f.along_src);
  loop const &run = m.loops[i], &across = m.loops[j];
  if (run.dst != 1 || across.src != 1) return {};
  shape const& t = shapes[static_cast<std::size_t>(element == 8 ? 3 : element / 2)];
  if (run.extent < t.tile_i || across.extent < t.tile_j) return {};

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
  int const halo = sector_bytes / element, rows = t.tile_i + halo,
            row_vectors = t.tile_j * element / row_vector_bytes + 1;
  s.read.at_once = std::min(t.read_at_once, (rows * row_vectors + t.threads - 1) / t.threads);
  s.write.at_once = t.unroll;
  image const target = target_image(element, t, across.dst);
  s.images = {sector_bytes, t.tile_j * element + row_vector_bytes, target.pitch, target.group};
  s.shared_bytes = rows * s.images.source_pitch + target.group * std::max(1, 4 / element);
  s.shared_bytes = (s.shared_bytes + row_vector_bytes - 1) / row_vector_bytes * row_vector_bytes;

  // Pieces of the destination begin up to a sector before their tile, so the last tile may begin behind the end.
  double covered = 1;
  for (int const l : order) {
    auto const k = static_cast<std::size_t>(l);
    int64_t const extent = m.loops[k].extent + (l == f.along_dst ? halo - 1 : 0);
    int64_t const tiles = (extent + out.tile[k] - 1) / out.tile[k];
    if (tiles > 1) s.grid.push_back({l, out.tile[k], tiles});
    s.blocks *= tiles;
    covered *= static_cast<double>(tiles * out.tile[k]) / static_cast<double>(m.loops[k].extent);
  }
  constexpr architecture gpu = arch(arch_id::sm_90);
  constexpr int64_t processor_threads = gpu.threads_per_sm, processor_shared_bytes = gpu.shared_per_block.count;
  s.blocks_per_processor = static_cast<int>(
      std::max<int64_t>(1, std::min(processor_threads / s.threads, processor_shared_bytes / (s.shared_bytes + 1024))));
  out.cost = out.expected = t.cost * covered;
  return out;
}

}  // namespace tilewright::plan
