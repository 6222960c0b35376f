// copy(src, dst) for whole tensors: any layout to any layout, planned for the machine that holds them, run at the speed
// of its memory. Kernels use the copy of algorithm/copy.hpp instead; that one runs on the calling thread.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/engine/tensor_view.hpp"
#include "tilewright/plan/copy_error.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace tilewright {

/// What to do when source and destination share memory.
enum class on_overlap : int {
  refuse = 0,
  through_temporary = 1,  // as if the whole source were read before the first element is written
};

struct copy_options {
  int threads = 0;  // of the CPU; 0: all
  on_overlap overlap = on_overlap::refuse;
  void* stream =
      nullptr;        // a CUstream; the copy is ordered in it and not waited for. Null: the default stream, waited for
  bool tune = false;  // measure the best few candidates first and remember the fastest
  /// Called now and then, by one thread at a time, with the bytes written so far and in all; false stops the copy. CPU only.
  std::function<bool(std::int64_t done, std::int64_t total)> progress = {};
};

/// pre:  on a GPU, both pointers are multiples of the element's bytes; on a CPU any will do
/// error: copy_error
/// post: every element of dst equals that of src at the same coordinate; nothing else of dst's memory changed
/// cost: planning, the first time; where 16 MB or more are written, trying other plans: on a CPU the first few times, on parts of the
///       tensor (cpu_tuning::trial_bytes); on a GPU some 30 times, after others are compiled on a thread of their own. On a CPU four
///       more runs compare copies of 8 MB and more past the caches with those through them, where a quarter of the last-level cache
///       could hold what is written
void copy(const_tensor_view const& src, tensor_view const& dst, copy_options const& options = {});

/// How a copy went, as a value.
struct copy_status {
  copy_errc code = copy_errc::ok;
  std::string message;
  explicit operator bool() const { return code == copy_errc::ok; }
};
copy_status try_copy(const_tensor_view const& src, tensor_view const& dst, copy_options const& options = {}) noexcept;

/// Is the plan by which copy() moves these tensors final? Not while it still tries others: for programs that time copies.
/// error: as copy() before anything is copied
bool is_settled(const_tensor_view const& src, tensor_view const& dst, copy_options const& options = {});

/// The plan that copy() would run; once it has tried others, the fastest of them.
copy_plan plan_for(const_tensor_view const& src, tensor_view const& dst, copy_options const& options = {});

/// Runs a plan on tensors with the layouts and alignment of the planned ones. What that needs is made the first time, and kept.
/// pre: the pointers have the alignment that the plan was made for, and the memory that its layouts span
void run(copy_plan const& plan, void const* src, void* dst, copy_options const& options = {});

/// The machine behind a device, measured or read off once; `threads` as in copy_options.
/// error: copy_error no_device
machine_model this_machine(device where = cpu, int threads = 0);

}  // namespace tilewright
