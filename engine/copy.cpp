// The public door of the engine: checks the tensors, finds or makes the plan, runs it.
#include "tilewright/engine/copy.hpp"

#include "engine/cpu/prove_program.hpp"
#include "engine/cuda/host_copy.hpp"
#include "engine/overlap.hpp"
#include "engine/plan_cache.hpp"
#include "engine/this_machine.hpp"
#include "engine/trial.hpp"
#include "engine/tune.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <mutex>
#include <new>

namespace tilewright {
namespace {

using engine::plan_key;
using engine::ready_plan;

[[noreturn]] void fail(copy_errc code, std::string const& sentence) { throw copy_error(code, sentence); }

/// What a plan may count on, in bytes; more than a cache line is of no use.
std::int64_t alignment_of(void const* p) {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  return address == 0 ? 64 : std::int64_t{1} << std::min(6, std::countr_zero(address));
}

/// A GPU's loads and stores need addresses that are multiples of the element; a CPU's move bytes.
void check_alignment(void const* pointer, element_type element, device where, char const* role) {
  if (where.kind != device_kind::cuda) return;
  std::int64_t const bytes = bits_of(element) / 8;
  if (bytes < 2 || reinterpret_cast<std::uintptr_t>(pointer) % static_cast<std::uintptr_t>(bytes) == 0) return;
  fail(copy_errc::bad_pointer,
       fmt::format("the {} at {} is not a multiple of the {} bytes of an element of {}, which a GPU's loads and stores "
                   "need; let the tensor start at an element, or copy it as one of u8",
                   role, pointer, bytes, name_of(element)));
}

void check(const_tensor_view const& src, tensor_view const& dst, copy_options const& options) {
  if (src.element != dst.element)
    fail(copy_errc::bad_element,
         fmt::format("the source has elements of {} and the destination of {}; a copy converts nothing",
                     name_of(src.element), name_of(dst.element)));
  if (src.where.kind == dst.where.kind && src.where.ordinal != dst.where.ordinal)
    fail(copy_errc::no_device,
         fmt::format(
             "the source is in the memory of CUDA device {} and the destination in that of device {}; copy between "
             "the devices first",
             src.where.ordinal, dst.where.ordinal));
  if (options.threads < 0)
    fail(copy_errc::bad_option,
         fmt::format("{} threads cannot run; give 0 for all or a number above it", options.threads));
  if (options.stream != nullptr && src.where.kind == device_kind::cpu && dst.where.kind == device_kind::cpu)
    fail(copy_errc::bad_option, "a stream orders copies on a GPU, and these tensors are in the CPU's memory");
  check_alignment(src.pointer, src.element, src.where, "source");
  check_alignment(dst.pointer, dst.element, dst.where, "destination");
}

engine::plan_question question_of(const_tensor_view const& src, tensor_view const& dst, copy_options const& options) {
  return {src.layout,
          dst.layout,
          bits_of(src.element),
          alignment_of(src.pointer),
          alignment_of(dst.pointer),
          src.where,
          src.where.kind == device_kind::cpu ? options.threads : 0};
}

struct cpu_progress {
  std::function<bool(std::int64_t, std::int64_t)> const& call;
  std::int64_t tiles, bytes;
  std::mutex mutex;
  std::int64_t told = 0;

  static bool step(void* self, std::int64_t tiles_done) {
    auto& p = *static_cast<cpu_progress*>(self);
    std::lock_guard const lock(p.mutex);
    // Threads report out of order; what is told only grows.
    p.told = std::max(p.told, static_cast<std::int64_t>(static_cast<double>(p.bytes) * static_cast<double>(tiles_done) /
                                                        static_cast<double>(p.tiles)));
    return p.call(std::min(p.told, p.bytes), p.bytes);
  }
};

}  // namespace

void engine::run_ready(ready_plan const& ready, void const* src, void* dst, copy_options const& options) {
  if (ready.plan.moves.elements == 0) return;
  if (src == nullptr || dst == nullptr)
    fail(copy_errc::bad_pointer, fmt::format("the {} is a null pointer, and {} elements are to be copied",
                                             src == nullptr ? "source" : "destination", ready.plan.moves.elements));
  if (ready.prepared != nullptr) return gpu::run(*ready.prepared, src, dst, options.stream);
  if constexpr (TILEWRIGHT_CHECKED != 0) cpu_engine::require_proof(ready.plan, dst);
  cpu_engine::program const& p = ready.program;
  int const threads = options.threads > 0 ? options.threads : p.threads;
  if (!options.progress) {
    (void)cpu_engine::run(p, src, dst, threads, nullptr, nullptr);
    return;
  }
  cpu_progress told{options.progress, p.tiles, ready.plan.bytes / 2, {}};
  if (!cpu_engine::run(p, src, dst, threads, cpu_progress::step, &told))
    fail(copy_errc::cancelled, "the copy was stopped by its progress callback; the destination is partly written");
}

namespace {

bool is_empty(composed_value const& a) {
  for (int i = 0; i < a.layout.leaves; ++i)
    if (a.layout.shape[i].is_static() && a.layout.shape[i].number == 0) return true;
  return false;
}

void copy_between_host_and_gpu(const_tensor_view const& src, tensor_view const& dst, copy_options const& options) {
  if (is_empty(src.layout) && is_empty(dst.layout)) return;
  if (src.pointer == nullptr || dst.pointer == nullptr)
    fail(copy_errc::bad_pointer, fmt::format("the {} is a null pointer, and the copy has elements",
                                             src.pointer == nullptr ? "source" : "destination"));
  int const ordinal = src.where.kind == device_kind::cuda ? src.where.ordinal : dst.where.ordinal;
  copy_options on_gpu = options;
  on_gpu.threads = 0;
  on_gpu.progress = {};
  gpu::copy_over_link(gpu::device_of(ordinal), src, dst, options,
                      [&](const_tensor_view const& from, tensor_view const& to) { copy(from, to, on_gpu); });
}

}  // namespace

copy_plan plan_for(const_tensor_view const& src, tensor_view const& dst, copy_options const& options) {
  check(src, dst, options);
  if (src.where.kind != dst.where.kind)
    fail(copy_errc::no_device,
         "a plan is for the memory of one device, and one of the tensors is on the host and the other on a GPU; copy() "
         "copies between the two");
  plan_key const key = question_of(src, dst, options).key();
  machine_model const machine = this_machine(key.where, key.threads);
  copy_plan plan = plan_copy(key.request, machine);
  auto const kept = engine::kept_for(key);
  if (!kept || !kept->was_tried) return plan;
  double const seconds = plan.seconds;
  plan = kept->plan;
  plan.machine = machine;
  plan.seconds = seconds;
  return plan;
}

bool is_settled(const_tensor_view const& src, tensor_view const& dst, copy_options const& options) {
  check(src, dst, options);
  // Between host and GPU each piece is a copy of its own.
  return src.where.kind != dst.where.kind || engine::ready_for(question_of(src, dst, options))->trial == nullptr;
}

void run(copy_plan const& plan, void const* src, void* dst, copy_options const& options) {
  if (plan.moves.elements == 0) return;
  if (plan.machine.kind == device_kind::cuda) {
    int const ordinal = std::max(0, gpu::facts_of(gpu::device_of(0), dst).ordinal);
    return gpu::run_cuda(plan, src, dst, ordinal, options.stream);
  }
  engine::run_ready(*engine::ready_on_cpu(plan), src, dst, options);
}

void copy(const_tensor_view const& src, tensor_view const& dst, copy_options const& options) {
  check(src, dst, options);
  if (src.where.kind != dst.where.kind) return copy_between_host_and_gpu(src, dst, options);
  engine::plan_question const question = question_of(src, dst, options);
  std::shared_ptr<ready_plan const> ready = engine::ready_for(question);
  if (ready->plan.moves.elements == 0) return;
  bool const has_memory = src.pointer != nullptr && dst.pointer != nullptr;
  if (has_memory && !engine::lie_apart(ready->reach, src.pointer, dst.pointer)) {
    engine::overlap const shared = engine::overlap_of(ready->plan.moves, src, dst);
    if (shared == engine::overlap::same_places) return;  // every element is where it should be
    if (shared == engine::overlap::some) {
      if (options.overlap == on_overlap::refuse)
        fail(copy_errc::overlapping,
             fmt::format(
                 "source and destination share memory (at {} and {}), so elements would be overwritten before they "
                 "are read; copy to other memory, or ask for on_overlap::through_temporary",
                 src.pointer, dst.pointer));
      return engine::copy_through_temporary(src, dst, options);
    }
  }
  if (options.tune && has_memory) {
    ready = engine::tuned(question.key(), src.pointer, dst.pointer);
  } else if (ready->trial && has_memory) {
    if (auto chosen = ready->trial->run(*ready, src.pointer, dst.pointer, options))
      engine::keep(question.key(), std::move(chosen));
    return;
  }
  engine::run_ready(*ready, src.pointer, dst.pointer, options);
}

copy_status try_copy(const_tensor_view const& src, tensor_view const& dst, copy_options const& options) noexcept {
  try {
    copy(src, dst, options);
    return {};
  } catch (copy_error const& e) {
    return {e.code(), e.what()};
  } catch (std::bad_alloc const&) {
    return {copy_errc::out_of_memory, "there is not enough memory for the copy's buffers"};
  } catch (std::exception const& e) {
    return {copy_errc::internal, e.what()};
  }
}

}  // namespace tilewright
