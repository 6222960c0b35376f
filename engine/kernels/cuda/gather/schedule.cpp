#include "engine/kernels/cuda/gather/schedule.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace tilewright::kernels {
namespace {

using std::int64_t;

/// As many elements as a thread can put into one word of the destination.
int gathered_vector(movement const& m, std::int64_t alignment) {
  if (!m.has_loops() || m.loops.empty() || m.loops[0].dst != 1) return 1;
  int64_t n = std::min<int64_t>(alignment, 16) * 8 / m.element_bits;
  n = std::min<int64_t>(n, m.element_bits < 8 ? 8 : 16);
  auto const limit = [&](int64_t a) {
    while (n > 1 && a % n != 0) n /= 2;
  };
  limit(m.loops[0].extent);
  limit(m.dst_offset);
  for (std::size_t l = 1; l < m.loops.size(); ++l) limit(m.loops[l].dst);
  if (m.dst_swizzle.bits != 0) limit(int64_t{1} << std::min(m.dst_swizzle.base, 10));
  return static_cast<int>(std::max<int64_t>(n, 1));
}

}  // namespace

void schedule_gather(copy_plan& plan, copy_request const& request) {
  movement const& m = plan.moves;
  cuda_schedule s;
  s.kernel = cuda_kernel::gather;
  s.threads = 256;
  s.write.vector = gathered_vector(m, request.dst_alignment);
  s.write.at_once = std::max(1, 8 / s.write.vector);
  int64_t const each = int64_t{s.threads} * s.write.at_once * s.write.vector;
  s.blocks = std::min<int64_t>((m.elements + each - 1) / each, int64_t{1} << 24);
  plan.path = copy_path::walk;
  plan.tile.assign(m.loops.size(), 1);
  if (!plan.tile.empty()) plan.tile[0] = s.write.vector;
  plan.order.resize(m.loops.size());
  std::iota(plan.order.begin(), plan.order.end(), 0);
  if (!m.has_loops())
    plan.reasons.push_back(
        "The layouts' modes have no common refinement, so each side takes an element's index apart by itself.");
  else if (m.element_bits < 8) plan.reasons.push_back("Elements of half a byte are moved one by one.");
  else plan.reasons.push_back("The source has no run that a tile could be read along.");
  plan.reasons.push_back(
      s.write.vector > 1
          ? fmt::format("A thread gathers {} elements and writes them together, {} bits at once.", s.write.vector,
                        s.write.vector * m.element_bits)
          : std::string("A thread writes an element at a time, because the destination's strides, offset "
                        "or alignment allow no more."));
  double const sectors = 32.0 * 8 / m.element_bits;  // an element alone costs a sector of its source
  plan.seconds = static_cast<double>(plan.bytes) * (0.5 + 0.5 * std::min(sectors, 8.0)) /
                     std::max(plan.machine.bytes_per_second, 1.0) +
                 plan.machine.start_seconds;
  plan.schedule = s;
}

}  // namespace tilewright::kernels
