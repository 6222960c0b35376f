// The copy itself, from mapped memory to mapped memory: on the CPU in blocks where the files are larger than memory, on
// a GPU through its memory.
#pragma once

#include "apps/cli/convert/target.hpp"
#include "tilewright/engine/tensor_view.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace tilewright::cli {

struct array_copy {
  conversion const& what;
  element_type element;
  std::byte const* in;  // the first element of each file
  std::byte* out;
  device where = cpu;
  int threads = 0;               // of the CPU; 0: all
  std::int64_t most_memory = 0;  // bytes of both files that should be in memory at a time; 0: as many as there are
  /// Asked now and then, from one thread, with the bytes written so far; false stops the copy.
  std::function<bool(std::int64_t done)> go_on;
  /// Called between blocks.
  std::function<void()> after_block;
};

/// post: true when the copy is complete, false when go_on stopped it
/// error: copy_error
bool copy_array(array_copy const& job);

}  // namespace tilewright::cli
