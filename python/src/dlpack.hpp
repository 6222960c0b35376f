// The part of DLPack's binary interface (github.com/dmlc/dlpack) that a consumer reads: the structures behind a capsule
// named "dltensor" (version 0) or "dltensor_versioned" (version 1).
#pragma once

#include <cstdint>

namespace tilewright::python::dlpack {

enum device_type : std::int32_t { cpu = 1, cuda = 2, cuda_host = 3, cuda_managed = 13 };

struct device_id {
  std::int32_t type;
  std::int32_t ordinal;
};
struct data_type {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
/// Strides count elements; null: the last axis is fastest.
struct tensor {
  void* data;
  device_id device;
  std::int32_t rank;
  data_type type;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
};
struct managed_tensor {
  tensor of;
  void* context;
  void (*deleter)(managed_tensor*);
};

struct versioned_tensor {
  std::uint32_t major;
  std::uint32_t minor;
  void* context;
  void (*deleter)(versioned_tensor*);
  std::uint64_t flags;
  tensor of;
};
inline constexpr std::uint64_t read_only = 1, is_a_copy = 2, small_elements_are_padded = 4;

}  // namespace tilewright::python::dlpack
