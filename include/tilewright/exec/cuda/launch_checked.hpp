// launch_cuda_checked runs the kernels of launch_cuda and watches the bounds of what they access: the tensors among the
// arguments, each within the span of its layout, and the tensors of block.shared. Its words are those of launch_checked;
// what needs the order of accesses (races, barriers, uninitialised reads) only launch_checked sees.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/exec/cuda/checked_block.hpp"
#include "tilewright/exec/cuda/launch.hpp"
#include "tilewright/exec/watch.hpp"

#if defined(__CUDACC__)
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#endif

namespace tilewright {

#if defined(__CUDACC__)

namespace exec {

/// What the host keeps of an argument, to name an element of it.
struct watched_argument {
  std::ptrdiff_t origin = 0;
  coordinate_text coordinate;
};

/// The arguments of one launch, and its record of the first fault.
class cuda_session {
 public:
  explicit cuda_session(cudaStream_t stream) {
    check_cuda(cudaMalloc(&record_, sizeof(device_fault)), "cudaMalloc");
    check_cuda(cudaMemsetAsync(record_, 0, sizeof(device_fault), stream), "cudaMemsetAsync");
  }
  cuda_session(cuda_session const&) = delete;
  cuda_session& operator=(cuda_session const&) = delete;
  ~cuda_session() { (void)cudaFree(record_); }

  device_fault* record() const { return record_; }
  /// The number of the argument: 0, 1, 2 …
  int add_argument(watched_argument a) {
    arguments_.push_back(std::move(a));
    return static_cast<int>(arguments_.size()) - 1;
  }

  /// Throws execution_error if the grid, which has ended, noted a fault.
  void raise_fault() const {
    device_fault found{};
    check_cuda(cudaMemcpy(&found, record_, sizeof found, cudaMemcpyDeviceToHost), "cudaMemcpy to the host");
    if (found.taken == 0) return;
    execution_report r;
    r.kind = found.kind;
    r.block = r.other_block = {found.block[0], found.block[1], found.block[2]};
    r.thread = found.thread;
    r.allocation = (found.shared ? "shared memory " : "argument ") + std::to_string(found.number);
    watched_argument const none{};
    watched_argument const& of = found.shared ? none : arguments_[static_cast<std::size_t>(found.number)];
    r.byte_offset = found.byte_offset - of.origin;
    long long const bits = r.byte_offset * 8;
    r.element_offset = bits / found.element_bits - (bits % found.element_bits < 0 ? 1 : 0);
    if (of.coordinate) r.coordinate = of.coordinate(r.element_offset);
    raise_exception(execution_error(std::move(r)));
  }

 private:
  device_fault* record_ = nullptr;
  std::vector<watched_argument> arguments_;
};

/// As `watch` for a launch on the CPU: a tensor over raw memory becomes a watched one.
template <class Argument>
std::decay_t<Argument> watch_on_device(cuda_session& session, Argument const& argument) {
  session.add_argument({});
  return argument;
}
template <class It, class L>
auto watch_on_device(cuda_session& session, Tensor<ViewEngine<It>, L> const& tensor) {
  auto const address = untagged(tensor.data());
  if constexpr (!is_address<std::remove_const_t<decltype(address)>>) {
    session.add_argument({});
    return tensor;
  } else {
    using T = iter_element_t<It>;
    auto const span = span_of(tensor);
    watched_range memory;
    memory.begin = const_cast<unsigned char*>(reinterpret_cast<unsigned char const*>(span.begin));
    memory.bytes = static_cast<long long>(span.bytes);
    memory.record = session.record();
    memory.number = session.add_argument({span.origin, coordinates_of(tensor.layout())});
    memory.element_bits = sizeof_bits_v<T>;
    device_checked_iterator<T> const watched(memory, span.first_bit);
    if constexpr (space_of<It> == memory_space::untagged) return make_tensor(watched, tensor.layout());
    else return make_tensor(tagged_ptr<device_checked_iterator<T>, space_of<It>>{watched}, tensor.layout());
  }
}

/// The kernel, called with a checked block.
template <class Kernel>
struct checked_cuda_kernel {
  Kernel kernel;
  device_fault* record;

  template <class... Args>
  __device__ void operator()(cuda_block&, Args const&... args) const {
    cuda_checked_block block(record);
    kernel(block, args...);
  }
};

template <class Kernel, class... Watched>
void launch_watched(cuda_config const& config, cuda_session& session, Kernel const& kernel, Watched const&... args) {
  static_assert(
      std::is_invocable_v<Kernel const&, cuda_checked_block&, Watched const&...>,
      "launch_cuda_checked: the kernel cannot be called with a cuda_checked_block and watched tensors; write it as a "
      "function object with a TILEWRIGHT_HOST_DEVICE call operator that is a template over the block and the tensors");
  launch_cuda_and_wait(config, checked_cuda_kernel<Kernel>{kernel, session.record()}, args...);
  session.raise_fault();
}

}  // namespace exec

/// As launch_cuda, and waits. An access of any width that leaves its tensor, or is less aligned than its width, does not
/// happen: it reads zero or writes nothing, and the first one is thrown as execution_error when the grid has ended.
/// Throws cuda_error where the grid itself fails. Needs tilewright::engine, as launch_checked does.
template <class Kernel, class... Args>
void launch_cuda_checked(cuda_config config, Kernel const& kernel, Args const&... args) {
  if (config.shared_bytes.count < 0) config.shared_bytes = exec::declared_shared_bytes(kernel, args...);
  exec::cuda_session session(config.stream);
  // Braces: the arguments are numbered from left to right.
  std::tuple<decltype(exec::watch_on_device(session, args))...> const watched{exec::watch_on_device(session, args)...};
  std::apply([&](auto const&... each) { exec::launch_watched(config, session, kernel, each...); }, watched);
}

#endif

}  // namespace tilewright
