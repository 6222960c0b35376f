// What happens when a file shrinks, or its disk fails, while it is mapped: the system sends SIGBUS to whoever touches the
// page. Here that ends in a sentence rather than in the end of the process: memory of zeros takes the place of the file,
// the copy runs into its next question whether to go on, and the conversion fails without an output.
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
