// Planning for a GPU: which kernel serves a movement, on which tile, and why.
#include "engine/kernels/cuda/gather/schedule.hpp"
#include "engine/kernels/cuda/parts/blocks_text.hpp"
#include "engine/kernels/cuda/staged/schedule.hpp"
#include "engine/kernels/cuda/tile/explain.hpp"
#include "engine/kernels/cuda/tile/schedule.hpp"
#include "engine/kernels/cuda/tile/sides.hpp"
#include "engine/plan/cuda_candidates.hpp"
#include "engine/plan/schedule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <utility>

namespace tilewright {

char const* name_of(cuda_kernel kernel) {
  switch (kernel) {
    case cuda_kernel::runs: return "runs";
    case cuda_kernel::staged: return "staged";
    case cuda_kernel::gather: return "gather";
    case cuda_kernel::realigned: return "realigned";
    case cuda_kernel::tile: return "tile";
  }
  return "?";
}

char const* name_of(cuda_fetch fetch) {
  switch (fetch) {
    case cuda_fetch::none: return "none";
    case cuda_fetch::sectors: return "sectors";
    case cuda_fetch::spans: return "spans";
  }
  return "?";
}

namespace plan {
namespace {

using std::int64_t;

void explain(copy_plan& plan, cuda_candidate const& c) {
  if (c.schedule.kernel == cuda_kernel::tile) return kernels::explain_tile(plan, c);
  movement const& m = plan.moves;
  cuda_schedule const& s = c.schedule;
  int const bits = m.element_bits;
  auto& why = plan.reasons;
  if (plan.path == copy_path::contiguous) why.push_back("Both sides are one run, so the copy is one of bytes.");
  else if (s.kernel == cuda_kernel::runs)
    why.push_back(
        fmt::format("Both sides share runs of {} bytes, long enough to be read and written in place of being "
                    "transposed.",
                    m.loops[0].extent * bits / 8));
  else
    why.push_back(
        fmt::format("Source and destination run along different loops ({} and {}), so a tile is transposed in shared "
                    "memory.",
                    s.read.loop, s.write.loop));
  why.push_back(fmt::format("A block's tile is ({}): it reads pieces of {} bytes and writes pieces of {} bytes.",
                            fmt::join(c.tile, ","), c.src_run, c.dst_run));
  if (s.kernel == cuda_kernel::realigned)
    why.push_back(
        fmt::format("Rows begin at any element, so vectors of {} bits are read from before each row and shifted into "
                    "place, and each column of the tile begins where a sector of {} bytes of the destination does.",
                    s.read.vector * bits, s.image.sector));
  else
    why.push_back(fmt::format("Alignments, strides and extents prove reads of {} bits and writes of {} bits.",
                              s.read.vector * bits,
                              (s.kernel == cuda_kernel::runs ? s.read.vector : s.write.vector) * bits));
  if (s.packed > 1)
    why.push_back(
        fmt::format("Words of {} elements are kept in shared memory and transposed in registers, since single "
                    "elements would take {} times the instructions.",
                    s.packed, s.packed));
  if (s.kernel == cuda_kernel::staged)
    why.push_back(
        fmt::format("Padded strides keep an average warp's accesses to shared memory, write and read together, "
                    "at {:.0f} cycles.",
                    kernels::bank_cycles(s, bits)));
  if (std::get<cuda_schedule>(plan.schedule).evict_source_last)
    why.push_back(
        "The copy outgrows the second-level cache, so its loads ask that cache to give up the source's lines last.");
  why.push_back(kernels::blocks_text(s));
  if (s.grid.size() > 1 && (s.kernel == cuda_kernel::staged || s.kernel == cuda_kernel::runs))
    why.push_back("Of all orders, that one is expected to keep the tiles in flight in the fewest pages of memory.");
}

/// A copy that outgrows the second-level cache is 2 to 3 % faster on an H200 when the source's lines leave that cache last
/// (docs/adr/0014). Work on tensors of half the cache or more right afterwards finds some of it taken for one
/// pass, so that smaller copies go without, and machines where it was not measured. Bytes read in words of 32 bits lost by
/// it: 0.83 instead of 0.90 of a copy's speed for rows of 100.
bool should_evict_source_last(copy_plan const& plan, cuda_schedule const& s) {
  std::int64_t const cache = plan.machine.far_bytes;  // 0: unknown
  if (s.stages > 0) return false;                     // asynchronous copies take no such hint
  int const vector = s.kernel != cuda_kernel::tile ? s.read.vector : s.source.shifted ? 1 : s.source.vector;
  bool const is_wide = vector * plan.moves.element_bits >= 64;
  return plan.machine.compute_capability == 90 && cache > 0 && plan.bytes >= 2 * cache && is_wide;
}

bool is_one_run(movement const& m) { return m.loops.size() == 1 && m.loops[0].src == 1 && m.loops[0].dst == 1; }

bool has_source_run(movement const& m) {
  return m.has_loops() && m.element_bits >= 8 && !m.loops.empty() && m.loops[0].src != 0;
}

}  // namespace

void take(copy_plan& plan, cuda_candidate const& c) {
  movement const& m = plan.moves;
  plan.tile = c.tile;
  plan.order = c.order;
  cuda_schedule schedule = c.schedule;
  schedule.evict_source_last = should_evict_source_last(plan, schedule);
  plan.schedule = std::move(schedule);
  plan.path = c.schedule.kernel != cuda_kernel::runs ? copy_path::staged
              : is_one_run(m)                        ? copy_path::contiguous
                                                     : copy_path::rows;
  explain(plan, c);
  plan.seconds = static_cast<double>(plan.bytes) * c.expected / std::max(plan.machine.bytes_per_second, 1.0) +
                 plan.machine.start_seconds;
}

namespace {

/// Do elements run along two sectors or more on both sides, from where accesses of `access_bytes` can begin? The staged kernel
/// transposes words of small ones in registers.
bool has_long_runs(movement const& m, copy_request const& request, int64_t access_bytes) {
  run_facts const f = facts_of(m, request);
  int64_t const bytes = m.element_bits / 8;
  auto const is_long = [&](int along, int vector) {
    return vector * bytes >= access_bytes && m.loops[static_cast<std::size_t>(along)].extent * bytes >= 64;
  };
  return is_long(f.along_src, f.src_vector) && is_long(f.along_dst, f.dst_vector);
}

constexpr double low_cost_of_staged = 1.25;  // of elements of 8 bytes or more
constexpr int64_t short_realigned_row = 64;  // bytes, up to which the lanes of a row have too little each

/// Is the tile kernel faster than the candidate of another? The others are ahead where rows begin at any element (`realigned`, 1.13 to
/// 1.30 times as fast, but slower by 1.19 to 1.61 along rows of 45 to 57 bytes: docs/adr/0050), in transposes of small elements with
/// long runs (`staged`, up to 1.15) and along long shared runs (`runs`, 1.02): docs/adr/0047. Fitted to 433 copies drawn from families
/// on an H100 and, of elements of 8 bytes, 25 on an H200 (docs/measurements/permute_h200.md).
bool prefers_tile(movement const& m, copy_request const& request, cuda_candidate const& other,
                  cuda_candidate const& tile) {
  int64_t const bytes = m.element_bits / 8;
  if (tile.schedule.fetch != cuda_fetch::none) return true;
  switch (other.schedule.kernel) {
    case cuda_kernel::runs: return true;
    case cuda_kernel::realigned: return other.src_run <= short_realigned_row;
    case cuda_kernel::staged:
      if (bytes >= 8 && other.cost >= low_cost_of_staged) return true;
      return bytes <= 8 && !has_long_runs(m, request, bytes == 4 ? 16 : bytes == 8 ? 8 : 4);
    default: return false;
  }
}

/// Is another kernel than `tile` known to be as fast? Short vectors of small elements take more instructions than a tile whose rows
/// are shifted, and a tile reads but once what a source repeats.
bool is_decided_by(movement const& m, cuda_candidate const& other) {
  if (other.schedule.kernel != cuda_kernel::runs) return false;
  bool const repeats = std::any_of(m.loops.begin(), m.loops.end(), [](loop const& l) { return l.src == 0; });
  int const enough_bits = repeats ? 128 : m.element_bits < 32 ? 64 : 32;
  return is_one_run(m) || other.schedule.read.vector * m.element_bits >= enough_bits;
}

std::vector<cuda_candidate> tile_plans_of(copy_plan const& plan, copy_request const& request, std::size_t count) {
  return kernels::tile_candidates(plan.moves, request, plan.machine, loops_by(plan.moves, false), count);
}

}  // namespace

void schedule_cuda(copy_plan& plan, copy_request const& request) {
  plan.moves = widened(plan.moves, request.src_alignment, request.dst_alignment);
  std::vector<cuda_candidate> found;
  if (has_source_run(plan.moves)) found = candidates_of(plan.moves, request, plan.machine, 1);
  bool const is_decided = !found.empty() && is_decided_by(plan.moves, found.front()) &&
                          kernels::fetch_of(plan.moves, request, plan.machine) == cuda_fetch::none;
  if (!is_decided && kernels::serves(plan.moves)) {
    std::vector<cuda_candidate> const tiles = tile_plans_of(plan, request, 1);
    if (!tiles.empty() && (found.empty() || prefers_tile(plan.moves, request, found.front(), tiles.front())))
      return take(plan, tiles.front());
  }
  if (found.empty()) return kernels::schedule_gather(plan, request);
  take(plan, found.front());
}

std::vector<copy_plan> cuda_plans(copy_plan const& plan, copy_request const& request) {
  copy_plan first = plan;
  schedule_cuda(first, request);
  if (std::get<cuda_schedule>(first.schedule).kernel == cuda_kernel::gather) return {first};
  copy_plan blank = plan;
  blank.moves = first.moves;
  std::vector<copy_plan> out{first};
  std::vector<cuda_candidate> others;
  if (has_source_run(blank.moves)) others = variants_of(blank.moves, request, plan.machine);
  for (cuda_candidate& c : tile_plans_of(blank, request, 2)) others.push_back(std::move(c));
  for (cuda_candidate const& c : others) {
    copy_plan one = blank;
    take(one, c);
    if (!(one.schedule == first.schedule)) out.push_back(std::move(one));
  }
  return out;
}

}  // namespace plan
}  // namespace tilewright
