#include "distributed/nvlink/piece_copies.hpp"

#include "engine/cuda/generic_arguments.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <numeric>

namespace tilewright::nvlink {
namespace {

using gpu::check;
using gpu::copy_piece;
using gpu::current_context;
using gpu::piece_task;

constexpr std::int64_t max_units = std::int64_t{1} << 29;
constexpr unsigned far_shared_bytes = 116 << 10;  // of 228 KiB: two of these blocks do not fit

std::int64_t power_of_two_in(std::int64_t n, std::int64_t most) {
  return n == 0 ? most : std::min(most, std::int64_t{1} << std::countr_zero(static_cast<std::uint64_t>(n)));
}

composed_value side_of(exchange_piece const& p, bool source, swizzle_value const& swizzle, std::int64_t offset) {
  distributed_layout layout;
  layout.swizzle = swizzle;
  exchange_piece q = p;
  (source ? q.src : q.dst) = offset;
  return source ? source_layout(q, layout) : destination_layout(q, layout);
}

}  // namespace

std::int64_t alignment_of(void const* pointer) {
  return power_of_two_in(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(pointer) % 16), 16);
}

piece_copies::piece_copies(gpu::gpu_engine& engine, std::vector<target_piece> const& pieces, piece_sides const& sides)
    : engine_(engine),
      own_target_(sides.own_target) {
  if (sides.dst_alignment.size() > gpu::piece_target_capacity)
    throw copy_error(copy_errc::bad_option,
                     fmt::format("a rank stores into {} others, and {} at most can be mapped; give transport::nccl",
                                 sides.dst_alignment.size(), gpu::piece_target_capacity));
  for (target_piece const& p : pieces)
    if (p.piece.elements > 0) add(p, sides);
  upload();
}

void piece_copies::add(target_piece const& p, piece_sides const& sides) {
  exchange_piece const& piece = p.piece;
  std::int64_t const item = sides.element_bits / 8, bytes = piece.elements * item;
  bool const plain = sides.src_swizzle.bits == 0 && sides.dst_swizzle.bits == 0;
  if (!plain) return add_planned(p, sides);
  auto const boxes = engine_boxes(piece, item, p.target == sides.own_target, sides.limits);
  for (engine_box const& b : boxes) boxes_.push_back({p.target, b});
  if (!boxes.empty()) return;
  bool const fits = piece.loops.size() <= gpu::piece_step_capacity - 1;
  std::int64_t const run = piece.loops.empty() ? item : piece.loops[0].extent * item;
  if (fits && ((is_row(piece) && run >= sides.limits.many_pieces_row) || bytes < sides.limits.planned))
    return add_to_batch(p, sides);
  add_planned(p, sides);
}

void piece_copies::add_planned(target_piece const& p, piece_sides const& sides) {
  gpu::gpu_device const& device = engine_.device();
  std::int64_t const item = sides.element_bits / 8;
  planned_copy out{p.target, 0, 0, nullptr, 0};
  copy_request request;
  request.element_bits = sides.element_bits;
  request.src_alignment = sides.src_alignment;
  request.dst_alignment = sides.dst_alignment[static_cast<std::size_t>(p.target)];
  // Offsets become part of the pointers, so that pieces of one form share a kernel; a swizzle needs them.
  bool const src_plain = sides.src_swizzle.bits == 0, dst_plain = sides.dst_swizzle.bits == 0;
  if (src_plain) {
    out.src = p.piece.src * item;
    request.src_alignment = power_of_two_in(out.src, request.src_alignment);
  }
  if (dst_plain) {
    out.dst = p.piece.dst * item;
    request.dst_alignment = power_of_two_in(out.dst, request.dst_alignment);
  }
  request.src = side_of(p.piece, true, sides.src_swizzle, src_plain ? 0 : p.piece.src);
  request.dst = side_of(p.piece, false, sides.dst_swizzle, dst_plain ? 0 : p.piece.dst);
  out.copy = engine_.prepare(plan_copy(request, device.machine));
  // Stores to peers wait for the link: one block of them on a multiprocessor is enough, and leaves room for the rank's own copies.
  if (p.target != sides.own_target && out.copy->method == gpu::copy_method::specialised) {
    out.shared_bytes = std::max(out.copy->shared_bytes, far_shared_bytes);
    current_context const scope(*device.api, device.primary);
    check(*device.api,
          device.api->cuKernelSetAttribute(gpu::kernel_attribute::max_dynamic_shared_bytes,
                                           static_cast<int>(out.shared_bytes), out.copy->code->kernel, device.handle),
          "cuKernelSetAttribute", "give a kernel of a redistribution shared memory");
  }
  planned_.push_back(out);
}

void piece_copies::add_to_batch(target_piece const& p, piece_sides const& sides) {
  exchange_piece const& piece = p.piece;
  std::int64_t const item = sides.element_bits / 8;
  std::vector<loop> loops;
  for (loop const& l : piece.loops) loops.push_back({l.extent, l.src * item, l.dst * item});
  std::int64_t unit = item, row_bytes = 0;
  if (is_row(piece) && !loops.empty()) {
    unit = power_of_two_in(loops[0].extent * item, 16);
    unit = power_of_two_in(piece.src * item, unit);
    unit = power_of_two_in(piece.dst * item, unit);
    unit = std::min({unit, sides.src_alignment, sides.dst_alignment[static_cast<std::size_t>(p.target)]});
    for (std::size_t k = 1; k < loops.size(); ++k)
      unit = power_of_two_in(loops[k].src, power_of_two_in(loops[k].dst, unit));
    std::int64_t const run = loops[0].extent * item;
    if (unit < 16 && run >= sides.limits.shifted_row) {
      row_bytes = run;
      loops[0] = {(run + 14) / 16 + 1, 0, 0};
    } else loops[0] = {run / unit, unit, unit};
    if (loops[0].extent == 1) loops.erase(loops.begin());
  }
  std::int64_t const units =
      row_bytes != 0 ? piece.elements * item / row_bytes * loops[0].extent : piece.elements * item / unit;
  if (units >= max_units) {  // in two parts along the outermost loop
    target_piece parts[2] = {p, p};
    std::size_t const k = piece.loops.size() - 1;
    std::int64_t const half = piece.loops[k].extent / 2, rest = piece.loops[k].extent - half;
    parts[0].piece.loops[k].extent = half;
    parts[1].piece.loops[k].extent = rest;
    parts[1].piece.src += half * piece.loops[k].src;
    parts[1].piece.dst += half * piece.loops[k].dst;
    for (int i = 0; i < 2; ++i) {
      exchange_piece& one = parts[i].piece;
      one.elements = piece.elements / piece.loops[k].extent * (i == 0 ? half : rest);
      if (one.loops[k].extent == 1) one.loops.pop_back();
      add_to_batch(parts[i], sides);
    }
    return;
  }
  movement m;
  m.element_bits = 8;
  m.elements = units;
  m.loops = loops;
  gpu::generic_arguments const steps = gpu::arguments_of(m);
  copy_piece out{};
  out.row_bytes = row_bytes;
  out.src = piece.src * item;
  out.dst = piece.dst * item;
  out.units = static_cast<std::uint32_t>(units);
  out.unit_bytes = static_cast<std::uint32_t>(unit);
  out.target = static_cast<std::uint32_t>(p.target);
  out.steps = steps.steps;
  std::copy_n(steps.step, steps.steps, out.step);
  batch_.push_back(out);
}

/// The tasks: those to peers first, one of each peer after the other, so that all links are busy.
void piece_copies::upload() {
  std::vector<std::vector<piece_task>> by_target;
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    copy_piece const& p = batch_[i];
    by_target.resize(std::max<std::size_t>(by_target.size(), p.target + 1));
    std::uint32_t const each = gpu::piece_task_bytes / (p.row_bytes != 0 ? 16 : p.unit_bytes);
    for (std::uint32_t first = 0; first < p.units; first += each)
      by_target[p.target].push_back({static_cast<std::uint32_t>(i), first});
  }
  std::vector<piece_task> tasks;
  std::size_t longest = 0;
  for (auto const& t : by_target) longest = std::max(longest, t.size());
  for (std::size_t i = 0; i < longest; ++i)
    for (std::size_t t = 0; t < by_target.size(); ++t)
      if (static_cast<int>(t) != own_target_ && i < by_target[t].size()) tasks.push_back(by_target[t][i]);
  arguments_.number[0] = static_cast<std::uint32_t>(tasks.size());
  if (own_target_ >= 0 && static_cast<std::size_t>(own_target_) < by_target.size())
    tasks.insert(tasks.end(), by_target[static_cast<std::size_t>(own_target_)].begin(),
                 by_target[static_cast<std::size_t>(own_target_)].end());
  tasks_ = static_cast<std::int64_t>(tasks.size());
  arguments_.number[1] = static_cast<std::uint32_t>(tasks.size()) - arguments_.number[0];
  arguments_.far_blocks = arguments_.number[0] == 0 ? 0 : arguments_.number[1] == 0 ? 4 : 2;
  if (tasks.empty()) return;
  kernel_ = engine_.precompiled("tilewright_pieces");
  std::size_t const piece_bytes = batch_.size() * sizeof(copy_piece), task_bytes = tasks.size() * sizeof(piece_task);
  std::uint32_t const counters[3] = {};
  table_ = gpu::device_memory(engine_.device(), piece_bytes + task_bytes + sizeof counters);
  table_.upload(batch_.data(), piece_bytes);
  table_.upload(tasks.data(), task_bytes, piece_bytes);
  table_.upload(counters, sizeof counters, piece_bytes + task_bytes);
  auto* const at = static_cast<std::byte*>(table_.data());
  arguments_.pieces = reinterpret_cast<copy_piece const*>(at);
  arguments_.tasks = reinterpret_cast<piece_task const*>(at + piece_bytes);
  arguments_.taken = reinterpret_cast<std::uint32_t*>(at + piece_bytes + task_bytes);
}

void piece_copies::start_batch(void const* src, std::vector<void*> const& targets, gpu::stream_handle stream) const {
  gpu::gpu_device const& device = engine_.device();
  gpu::driver_api const& api = *device.api;
  gpu::piece_arguments one = arguments_;
  one.source = src;
  std::copy(targets.begin(), targets.end(), one.target);
  auto const blocks = static_cast<unsigned>(std::min<std::int64_t>(tasks_, 2 * device.machine.processors));
  void* arguments[] = {&one};
  check(api,
        api.cuLaunchKernel(kernel_->kernel, (blocks + 3) / 4 * 4, 1, 1, gpu::piece_threads, 1, 1, 0, stream, arguments,
                           nullptr),
        "cuLaunchKernel", "redistribute");
}

bool piece_copies::has_copies(int target) const {
  auto const goes = [&](auto const& c) { return c.target == target; };
  return std::any_of(boxes_.begin(), boxes_.end(), goes) || std::any_of(planned_.begin(), planned_.end(), goes);
}

bool piece_copies::has_far() const {
  auto const goes = [&](auto const& c) { return c.target != own_target_; };
  return has_far_batch() || std::any_of(boxes_.begin(), boxes_.end(), goes) ||
         std::any_of(planned_.begin(), planned_.end(), goes);
}

/// All copies of a target but those of the kernel of many pieces.
void piece_copies::start_copies(int target, void const* src, std::vector<void*> const& targets,
                                gpu::stream_handle stream) const {
  auto const* const from = static_cast<std::byte const*>(src);
  auto* const to = static_cast<std::byte*>(targets[static_cast<std::size_t>(target)]);
  gpu::driver_api const& api = *engine_.device().api;
  for (target_box const& b : boxes_) {
    if (b.target != target) continue;
    gpu::memory_box box = b.box.box;
    box.src_device = reinterpret_cast<gpu::device_address>(from + b.box.src);
    box.dst_device = reinterpret_cast<gpu::device_address>(to + b.box.dst);
    if (b.box.is_run())
      check(api, api.cuMemcpyAsync(box.dst_device, box.src_device, box.row_bytes, stream), "cuMemcpyAsync",
            "redistribute");
    else check(api, api.cuMemcpy3DAsync(&box, stream), "cuMemcpy3DAsync", "redistribute");
  }
  for (planned_copy const& c : planned_)
    if (c.target == target) gpu::start(*c.copy, from + c.src, to + c.dst, stream, c.shared_bytes);
}

// The first stream of the team is that of the rank's own copies, where there are others; those to peers use the caller's and the
// rest in turn.

void piece_copies::start_own(void const* src, std::vector<void*> const& targets, stream_team& team,
                             gpu::stream_handle stream) const {
  if (!has_own()) return;
  gpu::stream_handle const in = has_far() ? team.stream(0) : stream;
  if (has_far()) team.fork(stream, 0, 1);
  if (tasks_ > 0 && !has_far_batch()) start_batch(src, targets, in);
  if (own_target_ >= 0) start_copies(own_target_, src, targets, in);
}

void piece_copies::start_far(void const* src, std::vector<void*> const& targets, stream_team& team,
                             gpu::stream_handle stream) const {
  std::vector<int> peers;
  for (int t = 0; t < static_cast<int>(targets.size()); ++t)
    if (t != own_target_ && has_copies(t)) peers.push_back(t);
  int const groups = static_cast<int>(peers.size()) + (has_far_batch() ? 1 : 0);
  int const lanes = std::min(groups, team.number());  // the caller's stream, and all of the team but its first
  team.fork(stream, 1, lanes);
  auto const lane = [&](int group) { return group % lanes == 0 ? stream : team.stream(group % lanes); };
  if (has_far_batch()) start_batch(src, targets, stream);
  for (int i = 0; i < static_cast<int>(peers.size()); ++i)
    start_copies(peers[static_cast<std::size_t>(i)], src, targets, lane(i + (has_far_batch() ? 1 : 0)));
  team.join(stream, 1, lanes);
}

void piece_copies::join_own(stream_team& team, gpu::stream_handle stream) const {
  if (has_own() && has_far()) team.join(stream, 0, 1);
}

void piece_copies::start(void const* src, std::vector<void*> const& targets, stream_team& team,
                         gpu::stream_handle stream) const {
  start_own(src, targets, team, stream);
  start_far(src, targets, team, stream);
  join_own(team, stream);
}

}  // namespace tilewright::nvlink
