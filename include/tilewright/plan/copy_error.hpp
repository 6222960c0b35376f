// What can be wrong with a copy between two layouts: a code to act on, and one sentence with the layouts and numbers in
// it. Planning and running throw copy_error; the C interface and try_copy hand the same two on as values.
#pragma once

#include "tilewright/base/config.hpp"

#include <stdexcept>
#include <string>

namespace tilewright {

enum class copy_errc : int {
  ok = 0,
  bad_layout = 1,        // run-time leaves, basis strides, negative extents, an offset beyond 64 bits, a bad swizzle
  different_shapes = 2,  // the two layouts do not map the same coordinates
  writes_twice = 3,      // two coordinates share an element of the destination
  bad_element = 4,       // element types differ, or no such width
  bad_pointer = 5,       // a null pointer, or one that is not aligned to its elements where it has to be
  overlapping = 6,       // source and destination share memory
  bad_option = 7,        // a number of threads below zero, a stream without a device, …
  no_device = 8,         // no such device, no driver, tensors on different devices
  device_failed = 9,     // the driver or the run-time compiler reported an error
  out_of_memory = 10,
  cancelled = 11,  // the progress callback asked for it
  internal = 12,
};

/// "writes_twice" and so on: the name of the enumerator.
char const* name_of(copy_errc code);

class copy_error : public std::runtime_error {
 public:
  copy_error(copy_errc code, std::string const& sentence) : std::runtime_error(sentence), code_(code) {}
  copy_errc code() const { return code_; }

 private:
  copy_errc code_;
};

}  // namespace tilewright
