// Starting prepared copies, and what a process keeps to do so quickly.
#include "engine/cuda/gpu_engine.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace tilewright::gpu {
namespace {

std::string describe(prepared_copy const& copy) {
  if (copy.method == copy_method::bytes) return fmt::format("copy {} bytes on {}", copy.bytes, copy.device->name);
  return fmt::format("copy ({}) on {} with kernel {}, grid {} x {} x {}, {} threads, {} bytes of shared memory",
                     copy.movement_text, copy.device->name, copy.kernel_name, copy.grid[0], copy.grid[1], copy.grid[2],
                     copy.block, copy.shared_bytes);
}

/// Calls that a copy makes each time: nothing is formatted unless one fails.
void require(prepared_copy const& copy, int code, char const* call) {
  if (code != cuda_success) check(*copy.device->api, code, call, describe(copy));
}

void check_pointer(prepared_copy const& copy, void const* pointer, char const* role) {
  if (pointer == nullptr)
    throw copy_error(copy_errc::bad_pointer, fmt::format("the {} is a null pointer, and the copy has elements", role));
  if (reinterpret_cast<std::uintptr_t>(pointer) % copy.alignment != 0)
    throw copy_error(
        copy_errc::bad_pointer,
        fmt::format("the {} at {} is not a multiple of {} bytes, which the plan takes for granted; plan with "
                    "the pointer's own alignment",
                    role, pointer, copy.alignment));
}

/// The context that the copy runs in: the given stream's, else the one that the memory belongs to, else the current one if
/// it is of the device, else the primary one, which the CUDA run time, PyTorch and CuPy use.
context_handle context_for(prepared_copy const& copy, stream_handle stream, context_handle of_dst,
                           context_handle of_src) {
  gpu_device const& device = *copy.device;
  driver_api const& api = *device.api;
  context_handle out = nullptr;
  if (!is_default(stream)) {
    require(copy, api.cuStreamGetCtx(stream, &out), "cuStreamGetCtx");
    return out;
  }
  if (of_dst != nullptr) return of_dst;
  if (of_src != nullptr) return of_src;
  device_handle current = -1;
  if (api.cuCtxGetDevice(&current) == cuda_success && current == device.handle &&
      api.cuCtxGetCurrent(&out) == cuda_success && out != nullptr)
    return out;
  return device.primary;
}

/// What is current while a copy starts.
class copy_scope {
 public:
  copy_scope(prepared_copy const& copy, void const* src, void* dst, stream_handle stream)
      : scope_(*copy.device->api, checked_context(copy, src, dst, stream)) {
    device_handle of = -1;
    require(copy, copy.device->api->cuCtxGetDevice(&of), "cuCtxGetDevice");
    if (of != copy.device->handle)
      throw copy_error(copy_errc::bad_option,
                       fmt::format("the {} to copy in belongs to CUDA device {} and the tensors to device {}; give a "
                                   "stream of the tensors' device, or none",
                                   is_default(stream) ? "memory" : "stream", of, copy.device->ordinal));
  }

 private:
  static context_handle checked_context(prepared_copy const& copy, void const* src, void* dst, stream_handle stream) {
    check_pointer(copy, src, "source");
    check_pointer(copy, dst, "destination");
    pointer_facts const of_src = facts_of(*copy.device, src), of_dst = facts_of(*copy.device, dst);
    check_reachable(*copy.device, of_src, src, "source");
    check_reachable(*copy.device, of_dst, dst, "destination");
    // Memory of another device, which this one reaches, does not say where to run.
    auto const own = [&](pointer_facts const& f) { return f.ordinal == copy.device->ordinal ? f.context : nullptr; };
    return context_for(copy, stream, own(of_dst), own(of_src));
  }

  current_context scope_;
};

/// Of what a kernel is made from; the plan's words and estimates are not, and cost time.
std::size_t hash_of_kernel(copy_plan const& plan, int ordinal) {
  movement const& m = plan.moves;
  std::uint64_t hash = static_cast<std::uint64_t>(ordinal);
  auto const add = [&](std::int64_t n) {
    hash = (hash ^ static_cast<std::uint64_t>(n)) * 0x9e3779b97f4a7c15u + (hash >> 29);
  };
  for (std::int64_t const n : {std::int64_t(m.element_bits), m.elements, m.src_offset, m.dst_offset}) add(n);
  for (loop const& l : m.loops)
    for (std::int64_t const n : {l.extent, l.src, l.dst}) add(n);
  for (auto const* steps : {&m.src_steps, &m.dst_steps})
    for (step const& one : *steps)
      for (std::int64_t const n : {one.extent, one.stride}) add(n);
  for (std::int64_t const n : plan.tile) add(n);
  return static_cast<std::size_t>(hash);
}
bool same_kernel(copy_plan const& a, copy_plan const& b) {
  return a.moves == b.moves && a.path == b.path && a.tile == b.tile && a.order == b.order && a.schedule == b.schedule &&
         a.machine.kind == b.machine.kind;
}

/// Plans that were run, ready to run again. A handful of layouts is what programs use; one that uses ever new ones keeps
/// the last few hundred.
class prepared_copies {
 public:
  std::shared_ptr<prepared_copy const> get(copy_plan const& plan, int ordinal) {
    std::size_t const hash = hash_of_kernel(plan, ordinal);
    if (auto found = find(hash, plan, ordinal)) return found;
    auto made = engine_of(ordinal).prepare(plan);
    std::unique_lock const lock(mutex_);
    if (entries_.size() >= capacity) entries_.clear();
    entries_.emplace(hash, entry{plan, ordinal, made});
    return made;
  }

 private:
  static constexpr std::size_t capacity = 512;
  struct entry {
    copy_plan plan;
    int ordinal;
    std::shared_ptr<prepared_copy const> copy;
  };

  std::shared_ptr<prepared_copy const> find(std::size_t hash, copy_plan const& plan, int ordinal) const {
    std::shared_lock const lock(mutex_);
    auto const [from, to] = entries_.equal_range(hash);
    for (auto at = from; at != to; ++at)
      if (at->second.ordinal == ordinal && same_kernel(at->second.plan, plan)) return at->second.copy;
    return nullptr;
  }

  mutable std::shared_mutex mutex_;
  std::unordered_multimap<std::size_t, entry> entries_;
};

}  // namespace

gpu_engine& engine_of(int ordinal) {
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<gpu_engine>> engines;
  gpu_device const& device = device_of(ordinal);
  std::lock_guard const lock(mutex);
  auto& entry = engines[ordinal];
  if (!entry) entry = std::make_unique<gpu_engine>(device, disk_cache(cache_folder()));
  return *entry;
}

void start(prepared_copy const& copy, void const* src, void* dst, stream_handle stream, unsigned shared_bytes) {
  driver_api const& api = *copy.device->api;
  auto const launch = [&](void** arguments) {
    require(copy,
            api.cuLaunchKernel(copy.code->kernel, copy.grid[0], copy.grid[1], copy.grid[2], copy.block, 1, 1,
                               std::max(copy.shared_bytes, shared_bytes), stream, arguments, nullptr),
            "cuLaunchKernel");
  };
  switch (copy.method) {
    case copy_method::nothing: break;
    case copy_method::bytes: {
      auto from = reinterpret_cast<device_address>(src) + static_cast<device_address>(copy.src_byte);
      auto to = reinterpret_cast<device_address>(dst) + static_cast<device_address>(copy.dst_byte);
      std::uint64_t bytes = copy.bytes;
      void* arguments[] = {&from, &to, &bytes};
      if (copy.code) launch(arguments);
      else require(copy, api.cuMemcpyAsync(to, from, bytes, stream), "cuMemcpyAsync");
      break;
    }
    case copy_method::specialised: {
      void* arguments[] = {&src, &dst};
      launch(arguments);
      break;
    }
    case copy_method::generic: {
      generic_arguments one = *copy.arguments;
      one.src = src;
      one.dst = dst;
      void* arguments[] = {&one};
      for (int pass = 0; pass < copy.passes; ++pass) {
        one.half = pass;
        launch(arguments);
      }
      break;
    }
  }
}

void run(prepared_copy const& copy, void const* src, void* dst, void* stream) {
  if (copy.method == copy_method::nothing) return;
  auto const in = static_cast<stream_handle>(stream);
  copy_scope const scope(copy, src, dst, in);
  start(copy, src, dst, in);
  if (stream == nullptr) require(copy, copy.device->api->cuStreamSynchronize(in), "cuStreamSynchronize");
}

void run_cuda(copy_plan const& plan, void const* src, void* dst, int ordinal, void* stream) {
  static prepared_copies kept;
  run(*kept.get(plan, ordinal), src, dst, stream);
}

class timed_run::event {
 public:
  /// pre: the context of the stream that it will be recorded in is current
  explicit event(prepared_copy const& copy) : api_(*copy.device->api) {
    require(copy, api_.cuEventCreate(&handle_, 0), "cuEventCreate");
  }
  ~event() { api_.cuEventDestroy(handle_); }
  event(event const&) = delete;
  event& operator=(event const&) = delete;

  void record(prepared_copy const& copy, stream_handle stream) const {
    require(copy, api_.cuEventRecord(handle_, stream), "cuEventRecord");
  }
  /// post: the device is past both, or nothing is returned
  static std::optional<double> seconds_between(event const& from, event const& to) {
    int const status = to.api_.cuEventQuery(to.handle_);
    if (status == cuda_not_ready) return std::nullopt;
    check(to.api_, status, "cuEventQuery", "time a copy");
    float milliseconds = 0;
    check(to.api_, to.api_.cuEventElapsedTime(&milliseconds, from.handle_, to.handle_), "cuEventElapsedTime",
          "time a copy");
    return static_cast<double>(milliseconds) / 1000;
  }
  void wait(prepared_copy const& copy) const { require(copy, api_.cuEventSynchronize(handle_), "cuEventSynchronize"); }

 private:
  driver_api const& api_;
  event_handle handle_ = nullptr;
};

timed_run::timed_run(prepared_copy const& copy, void const* src, void* dst, void* stream) {
  auto const in = static_cast<stream_handle>(stream);
  copy_scope const scope(copy, src, dst, in);
  from_ = std::make_shared<event const>(copy);
  to_ = std::make_shared<event const>(copy);
  from_->record(copy, in);
  start(copy, src, dst, in);
  to_->record(copy, in);
  if (stream == nullptr) require(copy, copy.device->api->cuStreamSynchronize(in), "cuStreamSynchronize");
}

std::optional<double> timed_run::seconds() const { return event::seconds_between(*from_, *to_); }

bool is_captured(gpu_device const& device, void* stream) {
  int status = 0;
  current_context const scope(*device.api, device.primary);
  return device.api->cuStreamIsCapturing(static_cast<stream_handle>(stream), &status) != cuda_success || status != 0;
}

double seconds_of(prepared_copy const& copy, void const* src, void* dst, int runs) {
  if (copy.method == copy_method::nothing || runs < 1) return 0;
  copy_scope const scope(copy, src, dst, nullptr);
  timed_run::event const from(copy), to(copy);
  start(copy, src, dst, nullptr);
  from.record(copy, nullptr);
  for (int i = 0; i < runs; ++i) start(copy, src, dst, nullptr);
  to.record(copy, nullptr);
  to.wait(copy);
  return timed_run::event::seconds_between(from, to).value_or(0) / runs;
}

machine_model cuda_machine(int ordinal) { return device_of(ordinal).machine; }

int cuda_device_count() noexcept {
  try {
    int count = 0;
    return the_driver().cuDeviceGetCount(&count) == cuda_success ? count : 0;
  } catch (...) {
    return 0;
  }
}

}  // namespace tilewright::gpu
