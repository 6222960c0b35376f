// One GPU as the engine uses it: the driver's handle, the primary context, the numbers that plans are made from, and
// what is known of a pointer before a kernel may touch it.
#pragma once

#include "engine/cuda/driver.hpp"
#include "tilewright/plan/machine_model.hpp"

#include <string>

namespace tilewright::gpu {

struct gpu_device {
  driver_api const* api = nullptr;
  int ordinal = 0;
  device_handle handle = 0;
  context_handle primary = nullptr;  // retained once and never released
  int capability = 0;                // 10 * major + minor
  int driver_release = 0;            // the newest CUDA release that the driver knows: 13000 for 13.0
  bool reads_pageable_memory = false;
  std::string name;
  machine_model machine;
};

/// Reads the attributes and retains the primary context.
/// error: copy_error no_device for an ordinal without a device, with the number of devices
gpu_device open_device(driver_api const& api, int ordinal);

/// The process's device of that ordinal, opened at the first call.
/// error: as the_driver, open_device
gpu_device const& device_of(int ordinal);

/// What the driver knows of a pointer.
struct pointer_facts {
  context_handle context = nullptr;  // null for memory that belongs to none: managed, or from a pool
  memory_type type = memory_type::unknown;
  int ordinal = -1;
};
pointer_facts facts_of(gpu_device const& device, void const* pointer);

/// Throws copy_error bad_pointer unless kernels of the device can reach the pointer; `role` is "source" or "destination".
void check_reachable(gpu_device const& device, pointer_facts const& facts, void const* pointer, char const* role);

}  // namespace tilewright::gpu
