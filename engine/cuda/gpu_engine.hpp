// Runs plans on GPUs: decides how (a copy of bytes, a kernel compiled for the plan, or the precompiled one), gets the
// kernel from the caches or the run-time compiler, and starts it in the caller's stream.
#pragma once

#include "engine/cuda/compiler.hpp"
#include "engine/cuda/device.hpp"
#include "engine/cuda/generic_copy.hpp"
#include "engine/cuda/kernel_cache.hpp"
#include "engine/cuda/kernel_source.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tilewright::gpu {

/// A library of the driver and one kernel of it. Loaded code stays until the process ends.
struct loaded_kernel {
  library_handle library = nullptr;
  kernel_handle kernel = nullptr;
};

enum class copy_method : int {
  nothing = 0,      // no elements
  bytes = 1,        // the driver's copy, of few bytes a precompiled kernel
  specialised = 2,  // a kernel compiled for the plan
  generic = 3,      // the precompiled kernel
};
char const* name_of(copy_method method);

/// A plan that is ready to run on one device, any number of times, from any thread.
struct prepared_copy {
  gpu_device const* device = nullptr;
  copy_method method = copy_method::nothing;
  std::shared_ptr<loaded_kernel const> code;
  std::string kernel_name;
  unsigned grid[3] = {1, 1, 1};
  unsigned block = 1;
  unsigned shared_bytes = 0;
  std::uint64_t bytes = 0;                             // copy_method::bytes: how many,
  std::int64_t src_byte = 0, dst_byte = 0;             // and where they begin
  std::unique_ptr<generic_arguments const> arguments;  // copy_method::generic
  int passes = 1;                // launches: 2 for elements of 4 bits, a half of each byte at a time
  std::uintptr_t alignment = 1;  // bytes that both pointers must be multiples of
  std::string movement_text;     // for messages
};

enum class kernel_choice : int {
  best = 0,     // a specialised kernel where there is a compiler
  generic = 1,  // the precompiled one
};

/// What the copies on one device share: the compiler and the kernels.
class gpu_engine {
 public:
  gpu_engine(gpu_device const& device, disk_cache disk);

  /// error: copy_error bad_option for a plan that was made for a CPU; device_failed when the compiler or the driver
  ///        refuses the kernel
  /// cost: of a new kernel about a second, from the folder of kernels some milliseconds
  std::shared_ptr<prepared_copy const> prepare(copy_plan const& plan, kernel_choice choice = kernel_choice::best);

  /// A kernel that is not a copy's, by the same compiler and from the same folder; null where there is no compiler.
  /// error: copy_error device_failed with the compiler's log
  std::shared_ptr<loaded_kernel const> kernel_of(kernel_spec const& spec) { return specialised_kernel(spec); }

  gpu_device const& device() const { return device_; }

  /// Opens the compiler, if there is one: for a thread that is going to prepare copies.
  /// post: true where this call opened it
  bool open_compiler() { return compiler_.open_now(); }

  /// A kernel of generic_copy.cu.
  std::shared_ptr<loaded_kernel const> precompiled(std::string const& name) { return generic_kernel(name); }

 private:
  using code_pointer = std::shared_ptr<loaded_kernel const>;
  code_pointer load(std::string const& code, std::string const& name) const;
  code_pointer specialised_kernel(kernel_spec const& spec);
  code_pointer generic_kernel(std::string const& name);
  void prepare_specialised(prepared_copy& out, copy_plan const& plan);
  void prepare_generic(prepared_copy& out, copy_plan const& plan);
  void prepare_bytes(prepared_copy& out, movement const& m);

  gpu_device const& device_;
  kernel_cache<loaded_kernel> kernels_;
  kernel_cache<loaded_kernel> precompiled_;
  run_time_compiler compiler_;
};

/// The process's engine for a device; kernels are kept in cache_folder().
/// error: copy_error no_device
gpu_engine& engine_of(int ordinal);

/// Starts the copy in the stream, a CUstream. Null: the default stream, and the call returns when the copy is done.
/// pre: the pointers have the alignment that the plan was made for, and the memory that its layouts span
/// error: copy_error bad_pointer for host memory and pointers that are too little aligned; bad_option for a stream of
///        another device; device_failed
/// cost: a few microseconds of host time
void run(prepared_copy const& copy, void const* src, void* dst, void* stream);

/// The same without any check, for a caller that has made the device's context current. `shared_bytes` is what the kernel gets
/// at least: with more, a multiprocessor runs fewer of its blocks.
void start(prepared_copy const& copy, void const* src, void* dst, stream_handle stream, unsigned shared_bytes = 0);

/// Prepares the plan on its first call for the device, then runs it.
void run_cuda(copy_plan const& plan, void const* src, void* dst, int ordinal, void* stream);

/// A run that the device times: events are before and behind it in its stream.
class timed_run {
 public:
  /// Starts the copy as run() does.
  /// error: as run()
  timed_run(prepared_copy const& copy, void const* src, void* dst, void* stream);

  /// What the run took, once the device is past it; nothing until then.
  /// error: copy_error device_failed
  std::optional<double> seconds() const;

  class event;  // of run_cuda.cpp

 private:
  std::shared_ptr<event const> from_, to_;
};

/// Is what goes into the stream captured into a graph, or not known to be run now? Null: the default stream.
bool is_captured(gpu_device const& device, void* stream);

/// Mean seconds of one run on the device, over `runs` runs after a first one that is not counted; waits for them.
double seconds_of(prepared_copy const& copy, void const* src, void* dst, int runs);

/// error: copy_error no_device
machine_model cuda_machine(int ordinal);

/// 0 where there is no driver.
int cuda_device_count() noexcept;

}  // namespace tilewright::gpu
