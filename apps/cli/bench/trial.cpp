// The two machines of a trial.
#include "apps/cli/bench/trial.hpp"

#include "apps/cli/bench/buffers.hpp"
#include "apps/cli/command.hpp"
#include "bench/support/reference.hpp"
#include "bench/support/team.hpp"
#include "engine/cuda/device_memory.hpp"
#include "engine/cuda/gpu_engine.hpp"

#include <fmt/format.h>
#include <cstring>

namespace tilewright::cli {
namespace {

using tilewright::bench::alternate;
using tilewright::bench::by_clock;
using tilewright::bench::modes;
using tilewright::bench::timed_work;

[[noreturn]] void report_wrong(std::string const& complaint) { throw copy_error(copy_errc::internal, complaint); }

/// The loops that one writes by hand, where the copy has such.
modes loops_of(movement const& m) {
  modes out;
  for (loop const& l : m.loops) out.push_back({l.extent, l.src, l.dst});
  return out;
}

void on_cpu(trial const& t, trial_buffers& b, trial_result& out) {
  int const bits = bits_of(t.element);
  const_tensor_view const src{b.source(), t.src, t.element, cpu};
  tensor_view const dst{b.destination(), t.dst, t.element, cpu};
  copy_options options;
  options.threads = t.threads;
  out.plan = plan_for(src, dst, options);
  auto const& schedule = std::get<cpu_schedule>(out.plan.schedule);
  out.way = name_of(schedule.kernel);
  copy(src, dst, options);
  if (std::string const wrong = complaint_about(b.dst.data(), b, t.dst, bits); !wrong.empty()) report_wrong(wrong);

  tilewright::bench::team threads(out.plan.machine.processors);
  auto const payload = static_cast<std::size_t>(out.bytes / 2);
  timed_work const ours = by_clock([&] { copy(src, dst, options); });
  timed_work const theirs = by_clock([&] { memcpy_by(threads, b.dst.data(), b.src.data(), payload); });
  movement const plain = make_movement(t.src, t.dst, bits);
  bool const has_loops = plain.has_loops() && !plain.is_swizzled() && bits >= 8;
  modes const loops = loops_of(plain);
  std::int64_t const bytes = bits / 8;
  timed_work const naive = by_clock([&] {
    if (has_loops)
      copy_naively(loops, bits / 8, b.source() + plain.src_offset * bytes, b.destination() + plain.dst_offset * bytes);
    else copy_by_index(t.src, t.dst, bits, b.source(), b.destination());
  });
  int const copying = threads_of_memcpy(threads, payload);
  out.baseline = copying == 1 ? "memcpy by one thread" : fmt::format("memcpy by {} threads", copying);
  out.naive = has_loops ? "nested loops in the destination's order, one thread" : "index by index, one thread";
  theirs(1);
  out.next_to_memcpy = alternate(ours, theirs, t.limit);
  naive(1);
  out.next_to_naive = alternate(ours, naive, {t.limit.rounds, t.limit.seconds / 6});
}

void on_gpu(trial const& t, trial_buffers& b, trial_result& out) {
  int const bits = bits_of(t.element);
  gpu::gpu_device const& device = gpu::device_of(t.where.ordinal);
  gpu::gpu_engine& engine = gpu::engine_of(t.where.ordinal);
  gpu::device_memory from(device, b.src.size()), to(device, b.dst.size());
  from.upload(b.src.data(), b.src.size());
  to.upload(b.dst.data(), b.dst.size());
  auto* const source = static_cast<std::byte*>(from.data()) - b.from.first_byte;
  auto* const destination = static_cast<std::byte*>(to.data()) - b.to.first_byte;
  out.plan = plan_for({source, t.src, t.element, t.where}, {destination, t.dst, t.element, t.where});
  auto const prepared = engine.prepare(out.plan);
  out.way = gpu::name_of(prepared->method);
  gpu::run(*prepared, source, destination, nullptr);
  to.download(b.dst.data(), b.dst.size());
  if (std::string const wrong = complaint_about(b.dst.data(), b, t.dst, bits); !wrong.empty()) report_wrong(wrong);

  auto const timed = [](gpu::prepared_copy const& copy, void const* src, void* dst) -> timed_work {
    return [&copy, src, dst](int repeats) { return repeats * gpu::seconds_of(copy, src, dst, repeats); };
  };
  composed_value const run = composed(layout_value(leaf_tree(constant_leaf(out.bytes / 2), constant_leaf(1))));
  auto const bytes = engine.prepare(
      plan_for({from.data(), run, element_type::u8, t.where}, {to.data(), run, element_type::u8, t.where}));
  auto const generic = engine.prepare(out.plan, gpu::kernel_choice::generic);
  timed_work const ours = timed(*prepared, source, destination);
  out.baseline = "cudaMemcpy on the device";
  out.naive = "the precompiled kernel, element by element";
  out.next_to_memcpy = alternate(ours, timed(*bytes, from.data(), to.data()), t.limit);
  out.next_to_naive = alternate(ours, timed(*generic, source, destination), {t.limit.rounds, t.limit.seconds / 6});
}

}  // namespace

trial_result run_trial(trial const& t) {
  // Refuses what no copy serves before memory is taken.
  int const bits = bits_of(t.element);
  movement const moves = make_movement(t.src, t.dst, bits);
  if (moves.elements == 0) throw usage_error("bench: the layouts have no elements, so there is nothing to time");
  trial_buffers b;
  try {
    prepare(b, t.src, t.dst, bits);
  } catch (std::bad_alloc const&) {
    throw usage_error("bench: there is not enough memory for the tensors; time smaller ones");
  }
  trial_result out;
  out.elements = moves.elements;
  out.bytes = 2 * ((moves.elements * bits + 7) / 8);
  if (t.where.kind == device_kind::cpu) on_cpu(t, b, out);
  else on_gpu(t, b, out);
  return out;
}

}  // namespace tilewright::cli
