// What a launch needs to know of the GPU: which one, how many multiprocessors, how many clusters fit. Where CUDA's runtime is not
// installed no device can be asked.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"
#include "cutlass/detail/launch_attributes.h"

#include <cstdint>

#if __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>
#endif

namespace cutlass {

struct KernelHardwareInfo {
  int device_id = 0;
  int sm_count = 0;
  int max_active_clusters = 0;
  tilewright::dim3 cluster_shape{0, 0, 0}, cluster_shape_fallback{0, 0, 0};

  /// 0 where the device cannot be asked.
  static int query_device_multiprocessor_count(int device_id = 0) {
#if __has_include(<cuda_runtime_api.h>)
    int count = 0;
    return cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device_id) == cudaSuccess ? count : 0;
#else
    static_cast<void>(device_id);
    return 0;
#endif
  }

  /// How many clusters of a kernel the current device runs at a time; 0 where that cannot be asked.
  /// kernel: without dynamic shared memory; threads: of a block
  static int query_device_max_active_clusters(tilewright::dim3 cluster, std::uint32_t threads, void const* kernel) {
#if __has_include(<cuda_runtime_api.h>)
    cudaLaunchAttribute attribute = detail::cluster_attribute(cluster);
    cudaLaunchConfig_t config{};
    config.gridDim = cluster;
    config.blockDim = dim3(threads);
    config.attrs = &attribute;
    config.numAttrs = 1;
    int count = 0;
    return cudaOccupancyMaxActiveClusters(&count, kernel, &config) == cudaSuccess ? count : 0;
#else
    static_cast<void>(cluster), static_cast<void>(threads), static_cast<void>(kernel);
    return 0;
#endif
  }

  /// For a kernel of such a type (GemmUniversal); what is not given is asked of the device.
  template <class KernelType>
  static KernelHardwareInfo make_kernel_hardware_info(int device_id = 0, int sm_count = 0,
                                                      int max_active_clusters = 0) {
    return make_kernel_hardware_info(device_id, sm_count, max_active_clusters);
  }
  /// What is not given is asked of the device.
  static KernelHardwareInfo make_kernel_hardware_info(int device_id = 0, int sm_count = 0,
                                                      int max_active_clusters = 0) {
    KernelHardwareInfo out;
    out.device_id = device_id;
    out.sm_count = sm_count > 0 ? sm_count : query_device_multiprocessor_count(device_id);
    out.max_active_clusters = max_active_clusters;
    return out;
  }
};

}  // namespace cutlass
