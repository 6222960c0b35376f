// Planning: the loops of the layouts, then the schedule for the machine.
#include "engine/plan/schedule.hpp"
#include "tilewright/plan/copy_error.hpp"

#include <fmt/format.h>
#include <bit>

namespace tilewright {

copy_plan plan_copy(copy_request const& request, machine_model const& machine) {
  for (std::int64_t const alignment : {request.src_alignment, request.dst_alignment})
    if (alignment < 1 || !std::has_single_bit(static_cast<std::uint64_t>(alignment)))
      throw copy_error(
          copy_errc::bad_option,
          fmt::format("an alignment of {} bytes is invalid; it must be a power of two, 1 or more", alignment));
  copy_plan plan;
  plan.machine = machine;
  plan.moves = make_movement(request.src, request.dst, request.element_bits);
  if (plan.moves.elements == 0) {
    plan.reasons.push_back("The layouts have no elements, so there is nothing to do.");
    return plan;
  }
  plan.bytes = 2 * ((plan.moves.elements * plan.moves.element_bits + 7) / 8);
  if (machine.kind == device_kind::cpu) plan::schedule_cpu(plan, request);
  else plan::schedule_cuda(plan, request);
  return plan;
}

}  // namespace tilewright
