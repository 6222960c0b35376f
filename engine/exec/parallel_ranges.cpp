// Implements parallel_ranges with tbb::parallel_for. Nothing else belongs here: see the header.
#include "engine/exec/parallel_ranges.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace tilewright::exec {

void parallel_ranges(std::uint64_t count, void const* owner,
                     void (*run)(void const* owner, std::uint64_t begin, std::uint64_t end)) {
  using range = tbb::blocked_range<std::uint64_t>;
  tbb::parallel_for(range(0, count), [=](range const& part) { run(owner, part.begin(), part.end()); });
}

}  // namespace tilewright::exec
