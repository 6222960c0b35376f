// What happens when a file shrinks, or its disk fails, while it is mapped: the system sends SIGBUS to the thread that accesses
// the page. Here this ends in a message and not in the end of the process: memory of zeros replaces the file, the copy
// stops when it next asks whether to continue, and the conversion fails without an output.
#pragma once

#include <cstddef>
#include <optional>

namespace tilewright::cli {

/// Watches mapped files for as long as it lives; one at a time.
class fault_watch {
 public:
  fault_watch();
  fault_watch(fault_watch const&) = delete;
  fault_watch& operator=(fault_watch const&) = delete;
  ~fault_watch();

  static constexpr int capacity = 4;

  /// pre: at most `capacity` ranges, each a mapping that outlives the watch
  /// post: the range's number
  int add(std::byte const* begin, std::size_t bytes, bool is_written);

  /// The first byte of that range, counted from its begin, that could not be reached.
  std::optional<std::size_t> fault_in(int range) const;

  /// Has any range failed? Threads may ask at any time.
  bool any() const;
};

}  // namespace tilewright::cli
