// Two arrays of Python as the two tensors of a copy.
#pragma once

#include "python/src/arrays.hpp"

#include <optional>

namespace tilewright::python {

inline constexpr std::int64_t worth_releasing = 1
                                                << 14;  // bytes: below it, a copy is shorter than the change of threads

struct pair_of_tensors {
  array_view from, to;
  const_tensor_view src;
  tensor_view dst;
  std::int64_t bytes = 0;
  void* stream = nullptr;  // to copy in: the one that was asked for, else PyTorch's current one; null on a CPU
};

/// Another shape and other strides (in bytes) for an array's memory.
struct reshaping {
  std::optional<std::vector<std::int64_t>> shape, strides;
  void apply(array_view& a) const {
    if (shape) a.shape = *shape;
    if (strides) a.strides = *strides;
  }
};

/// The source is broadcast to the destination's shape, as NumPy does it.
/// `stream` 0: the current one where a tensor is of PyTorch, else the default.
/// error: TypeError for different element types, ValueError for different shapes; those of view_of()
pair_of_tensors read_pair(py::handle dst, py::handle src, std::uintptr_t stream, reshaping const& to = {},
                          reshaping const& from = {});

}  // namespace tilewright::python
