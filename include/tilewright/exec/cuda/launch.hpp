// launch_cuda runs a kernel as a CUDA grid: the callable that launch runs on the CPU, with a cuda_block as its block
// context. Write it as a function object whose call operator is TILEWRIGHT_HOST_DEVICE (or __device__) and a template
// over the block; it needs no compiler flag.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/exec/cuda/block.hpp"
#include "tilewright/exec/cuda/error.hpp"

#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)
#include <type_traits>
#include <utility>
#endif

namespace tilewright {

#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)

namespace exec {

/// What a grid gets: one parameter, which stays where the launch put it, so that the address of a part of it is that of
/// constant memory (as TMA descriptors need).
template <class... Args>
struct grid_arguments {};
template <class First, class... Rest>
struct grid_arguments<First, Rest...> {
  First first;
  grid_arguments<Rest...> rest;
};
template <class Kernel, class... Done>
__device__ __forceinline__ void call_kernel(Kernel const& kernel, cuda_block& block, grid_arguments<> const&,
                                            Done const&... arguments) {
  kernel(block, arguments...);
}
template <class Kernel, class First, class... Rest, class... Done>
__device__ __forceinline__ void call_kernel(Kernel const& kernel, cuda_block& block,
                                            grid_arguments<First, Rest...> const& left, Done const&... arguments) {
  call_kernel(kernel, block, left.rest, arguments..., left.first);
}
template <class Kernel, class... Args>
__global__ void cuda_grid(__grid_constant__ grid_arguments<Kernel, Args...> const all) {
  cuda_block block;
  call_kernel(all.first, block, all.rest);
}

/// The same for a kernel that declares the threads of its largest block, `static constexpr int max_threads`: the compiler
/// gives each thread as many registers as such a block leaves it.
template <class Kernel, class... Args>
__global__ void __launch_bounds__(Kernel::max_threads, 1)
    bounded_cuda_grid(__grid_constant__ grid_arguments<Kernel, Args...> const all) {
  cuda_block block;
  call_kernel(all.first, block, all.rest);
}
template <class Kernel, class... Args>
constexpr auto entry_of_grid() {
  if constexpr (requires { Kernel::max_threads; }) return &bounded_cuda_grid<Kernel, Args...>;
  else return &cuda_grid<Kernel, Args...>;
}

inline grid_arguments<> arguments_of_grid() { return {}; }
template <class First, class... Rest>
grid_arguments<First, Rest...> arguments_of_grid(First const& first, Rest const&... rest) {
  return {first, arguments_of_grid(rest...)};
}

/// The kernel's own word on its shared memory: a static member `shared_bytes`, or a function of the arguments.
template <class Kernel, class... Args>
bytes declared_shared_bytes(Kernel const& kernel, Args const&... args) {
  if constexpr (requires { bytes{kernel.shared_bytes(args...)}; }) return kernel.shared_bytes(args...);
  else if constexpr (requires { bytes{Kernel::shared_bytes}; }) return Kernel::shared_bytes;
  else return {48 * 1024};
}

template <class Kernel>
[[noreturn]] void throw_launch_failure(cudaError_t code, cuda_config const& config) {
  raise_exception(cuda_error(
      code,
      sentence_of(code, "launch: kernel " + name_of_type<Kernel>() + " on " + text_of(config)) + remedy_of(code)));
}

/// Compute capability 9.0 or later; false where there is no device to ask.
inline bool device_has_clusters() {
  int device = 0, major = 0;
  bool const known = cudaGetDevice(&device) == cudaSuccess &&
                     cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess;
  if (!known) (void)cudaGetLastError();
  return known && major >= 9;
}

template <class Kernel, class... Args>
void start_cuda_grid(cuda_config const& config, Kernel const& kernel, Args const&... args) {
  static_assert(
      (true && ... && std::is_trivially_copyable_v<Args>)&&std::is_trivially_copyable_v<Kernel>,
      "launch: a CUDA kernel and its arguments are copied bytewise to the device; pass pointers, tensors over "
      "pointers and plain values");
  void (*const entry)(grid_arguments<Kernel, Args...>) = entry_of_grid<Kernel, Args...>();
  auto const check = [&](cudaError_t code) {
    if (code == cudaSuccess) return;
    (void)cudaGetLastError();  // a failed launch leaves its code behind
    throw_launch_failure<Kernel>(code, config);
  };
  auto const shared = static_cast<int>(config.shared_bytes.count);
  if (shared > 48 * 1024) check(cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = config.cluster.x;
  cluster.val.clusterDim.y = config.cluster.y;
  cluster.val.clusterDim.z = config.cluster.z;
  auto const blocks = volume(config.cluster);
  if (blocks > 8) check(cudaFuncSetAttribute(entry, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  cudaLaunchConfig_t launch{};
  launch.gridDim = config.grid;
  launch.blockDim = config.block;
  launch.dynamicSmemBytes = static_cast<std::size_t>(shared);
  launch.stream = config.stream;
  launch.attrs = &cluster;
  // Clusters of one block are clusters too: without the attribute, instructions that address a cluster are illegal.
  launch.numAttrs = blocks > 1 || device_has_clusters() ? 1 : 0;
  auto all = arguments_of_grid<Kernel, Args...>(kernel, args...);
  void* parameters[] = {&all};
  check(cudaLaunchKernelExC(&launch, reinterpret_cast<void const*>(entry), parameters));
}

template <class Kernel, class... Args>
constexpr bool runs_on_cuda = std::is_invocable_v<Kernel const&, cuda_block&, Args const&...>;

}  // namespace exec

/// Starts kernel(block, args...) on every thread of a CUDA grid and returns at once; config.shared_bytes bounds what
/// block.shared<T>() hands out. Arguments are copied to the device, pointers in them must be the device's.
/// Throws cuda_error with kernel and configuration if the grid cannot start.
template <class Kernel, class... Args>
void launch_cuda(cuda_config config, Kernel const& kernel, Args&&... args) {
  static_assert(
      exec::runs_on_cuda<Kernel, std::decay_t<Args>...>,
      "launch_cuda: the kernel cannot be called with a cuda_block and these arguments; write it as a function "
      "object with a TILEWRIGHT_HOST_DEVICE call operator that is a template over the block");
  if (config.shared_bytes.count < 0) config.shared_bytes = exec::declared_shared_bytes(kernel, args...);
  exec::start_cuda_grid<Kernel, std::decay_t<Args>...>(config, kernel, args...);
}

/// Waits for everything started on the stream; throws cuda_error for a kernel that failed.
inline void synchronize_cuda(cudaStream_t stream = nullptr) {
  check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

/// launch_cuda, and waits for the grid; the kernel's own failures carry its configuration too.
template <class Kernel, class... Args>
void launch_cuda_and_wait(cuda_config config, Kernel const& kernel, Args&&... args) {
  if (config.shared_bytes.count < 0) config.shared_bytes = exec::declared_shared_bytes(kernel, args...);
  launch_cuda(config, kernel, std::forward<Args>(args)...);
  if (auto const code = cudaStreamSynchronize(config.stream); code != cudaSuccess) {
    exec::throw_launch_failure<Kernel>(code, config);
  }
}

#endif

}  // namespace tilewright
