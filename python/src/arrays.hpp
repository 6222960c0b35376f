// What Python hands over as a tensor: any object with the buffer protocol, DLPack, `__array_interface__` or
// `__cuda_array_interface__`. An array_view holds the memory for as long as it lives; a copy sees it as a tensor of bits,
// since moving an element needs its width alone.
#pragma once

#include "tilewright/engine/copy.hpp"

#include <pybind11/pybind11.h>
#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::python {

namespace py = pybind11;

enum class access { read, write };

/// Shape in elements, strides in bytes (also negative and 0), as NumPy holds them.
struct array_view {
  void* data = nullptr;
  std::vector<std::int64_t> shape, strides;
  std::int64_t item_bytes = 0;
  device where = cpu;
  py::object dtype;    // null where the object says none
  std::string format;  // of the protocol by which it was read, where the object has no dtype
  py::object keeper;   // what keeps the memory alive and exported
  bool of_torch = false;
};

/// A tensor of PyTorch itself or a parameter, not of a class that was derived from it.
bool is_torch_tensor(py::handle object);

/// PyTorch's current stream on a device, as copies take it: never 0, which is 1 for the default stream.
std::uintptr_t torch_stream(int ordinal);

/// error: TypeError for an object of another kind; ValueError for memory that cannot be written, or that no copy can
///        reach (strides of no whole bytes); BufferError as the exporter raises it
array_view view_of(py::handle object, access how, std::uintptr_t stream = 0);

/// The elements of `a` as bits, one extent and one stride for each of its axes, in the order of the axes; elements whose
/// width is no power of two become an extra axis of smaller ones. `unit` is the width that both sides of a copy use, in
/// bytes.
/// pre: unit divides the item, every stride and the address
tensor_view tensor_of(array_view const& a, std::int64_t unit);

/// The widest unit, 1 to 16 bytes, that divides what tensor_of() needs divided.
std::int64_t common_unit(array_view const& a);

/// "a float32 array of shape (3, 4)", for messages.
std::string describe(array_view const& a);
/// "an int", "a float"
std::string with_article(std::string const& words);

}  // namespace tilewright::python
