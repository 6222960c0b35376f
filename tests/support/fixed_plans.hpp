// Plans written down by hand, small enough to be looked at: pictures of them stay as they are while the planner learns.
#pragma once

#include "tilewright/engine/tensor_view.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/plan/copy_plan.hpp"

namespace tilewright::tests {

inline copy_plan plan_between(char const* src, char const* dst, int bits, device_kind kind) {
  copy_plan plan;
  plan.moves = make_movement(composed(parse_layout(src)), composed(parse_layout(dst)), bits);
  plan.bytes = 2 * plan.moves.elements * bits / 8;
  plan.seconds = 2.5e-6;
  plan.machine.name = kind == device_kind::cpu ? "a CPU" : "a GPU";
  plan.machine.kind = kind;
  plan.machine.line_bytes = kind == device_kind::cpu ? 64 : 32;
  return plan;
}

/// A (16,16) transpose in tiles of 8 x 8: 16 threads read four elements at a time, turn them in shared memory, whose rows
/// are 12 elements apart, and write pairs.
inline copy_plan fixed_cuda_plan() {
  copy_plan plan = plan_between("(16,16):(16,1)", "(16,16):(1,16)", 32, device_kind::cuda);
  plan.path = copy_path::staged;
  plan.tile = {8, 8};
  plan.order = {0, 1};
  cuda_schedule s;
  s.kernel = cuda_kernel::staged;
  s.threads = 16;
  s.blocks = 4;
  s.grid = {{0, 8, 2}, {1, 8, 2}};
  s.read = {{{1, 4, 2}, {0, 1, 8}}, {}, 1, 4, 1};
  s.write = {{{0, 2, 4}, {1, 1, 4}}, {{1, 4, 2}}, 0, 2, 2};
  s.shared = {{1, 0, 12}, {1, 0, 1}};
  s.shared_bytes = 8 * 12 * 4;
  plan.schedule = s;
  plan.reasons = {"Source and destination run along different loops, so a tile is transposed in shared memory."};
  return plan;
}

/// A (32,24) transpose on a CPU, in tiles of 16 x 8, put together in a buffer.
inline copy_plan fixed_cpu_plan() {
  copy_plan plan = plan_between("(32,24):(24,1)", "(32,24):(1,32)", 32, device_kind::cpu);
  plan.path = copy_path::staged;
  plan.tile = {16, 8};
  plan.order = {1, 0};
  cpu_schedule s;
  s.kernel = cpu_kernel::transpose;
  s.threads = 2;
  s.unit_bytes = 4;
  s.row_loops = {0};
  s.column_loops = {1};
  s.buffered = s.streaming = true;
  plan.schedule = s;
  plan.reasons = {"Tiles of 4-byte units are transposed in vector registers."};
  return plan;
}

/// Layouts without common loops: element by element.
inline copy_plan fixed_walk_plan() {
  copy_plan plan = plan_between("((4,6)):((6,1))", "((6,4)):((1,6))", 32, device_kind::cpu);
  plan.path = copy_path::walk;
  plan.schedule = cpu_schedule{};
  plan.reasons = {"The layouts take the index apart in ways that have no common loops."};
  return plan;
}

}  // namespace tilewright::tests
