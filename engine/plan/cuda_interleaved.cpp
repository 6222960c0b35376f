// Costs were measured on an H200: whole vectors on both sides move at a copy's speed, and what stores to the planes in
// smaller words writes sectors in parts.
#include "engine/plan/cuda_interleaved.hpp"

#include <cstdlib>

namespace tilewright::plan {
namespace {

using std::int64_t;

constexpr int vector_bytes = 16, threads = 256;

/// The largest power of two, up to a vector, that divides all the byte offsets.
int64_t common_alignment(std::initializer_list<int64_t> offsets) {
  int64_t n = vector_bytes;
  for (int64_t const at : offsets)
    while (at % n != 0) n /= 2;
  return n;
}

}  // namespace

bool joins_planes(movement const& m, cuda_schedule const& s) {
  return m.loops[static_cast<std::size_t>(s.write.loop)].extent < m.loops[static_cast<std::size_t>(s.read.loop)].extent;
}

std::optional<cuda_candidate> interleaved_candidate(movement const& m, copy_request const& request, run_facts const& f,
                                                    std::vector<int> const& order) {
  int const element = m.element_bits / 8;
  if (f.along_src == f.along_dst || m.is_swizzled() || (element != 1 && element != 2)) return {};
  auto const loop_at = [&](int l) { return m.loops[static_cast<std::size_t>(l)]; };
  // Either the source's run or the destination's is the one across the planes.
  for (bool const joins : {true, false}) {
    int const across = joins ? f.along_dst : f.along_src, along = joins ? f.along_src : f.along_dst;
    loop const planes = loop_at(across), places = loop_at(along);
    int64_t const joined_place = joins ? places.dst : places.src, plane = joins ? planes.src : planes.dst;
    if ((joins ? planes.dst : planes.src) != 1 || (joins ? places.src : places.dst) != 1) continue;
    if (planes.extent > 7 || planes.extent % 2 == 0 || joined_place != planes.extent) continue;
    int64_t const tile = int64_t{threads} * vector_bytes / element;
    if (planes.extent < 3 || places.extent < tile) continue;
    int64_t joined = common_alignment({joins ? request.dst_alignment : request.src_alignment,
                                       (joins ? m.dst_offset : m.src_offset) * element}),
            planar = common_alignment({joins ? request.src_alignment : request.dst_alignment,
                                       (joins ? m.src_offset : m.dst_offset) * element, plane * element});
    for (int const l : order) {
      if (l == across || l == along) continue;
      joined = std::min(joined, common_alignment({(joins ? loop_at(l).dst : loop_at(l).src) * element}));
      planar = std::min(planar, common_alignment({(joins ? loop_at(l).src : loop_at(l).dst) * element}));
    }
    if (joined < vector_bytes || planar < 4) continue;

    cuda_candidate out;
    out.order = order;
    out.tile.assign(m.loops.size(), 1);
    out.tile[static_cast<std::size_t>(across)] = planes.extent;
    out.tile[static_cast<std::size_t>(along)] = tile;
    int64_t const joined_run = tile * planes.extent * element, planar_run = tile * element;
    out.src_run = joins ? planar_run : joined_run;
    out.dst_run = joins ? joined_run : planar_run;
    cuda_schedule& s = out.schedule;
    s.kernel = cuda_kernel::interleaved;
    s.threads = threads;
    s.read.loop = f.along_src;
    s.write.loop = f.along_dst;
    s.read.vector = static_cast<int>((joins ? planar : joined) / element);
    s.write.vector = static_cast<int>((joins ? joined : planar) / element);
    s.shared_bytes = joined_run;
    set_grid(s, m, out.tile, order);
    s.blocks_per_processor = planes.extent < 4 ? 8 : 6;  // what a thread holds of every plane, twice, has to fit
    double const covered =
        static_cast<double>((places.extent + tile - 1) / tile * tile) / static_cast<double>(places.extent);
    out.cost = out.expected = (joins || planar == 16 ? 1.01 : planar == 8 ? 1.24 : 1.65) * (1 + 0.2 * (covered - 1));
    return out;
  }
  return {};
}

}  // namespace tilewright::plan
