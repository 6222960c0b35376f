// Implements parallel_ranges with tbb::parallel_for. Nothing else belongs here: see the header.
#include "engine/exec/parallel_ranges.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace tilewright::exec {

void parallel_ranges(std::uint64_t count, void const* owner,
                     void (*run)(void const* owner, std::uint64_t begin, std::uint64_t end)) {
  using range = tbb::blocked_range<std::uint64_t>;
  tbb::parallel_for(range(0, count), [=](range const& part) { run(owner, part.begin(), part.end()); });
}

void parallel_ranges_on(int threads, std::uint64_t count, void* owner,
                        void (*run)(void* owner, std::uint64_t begin, std::uint64_t end)) {
  using range = tbb::blocked_range<std::uint64_t>;
  // A few ranges for each thread: long ones keep neighbours together, a few more even out what a thread was held up.
  int const most = threads > 0 ? threads : hardware_threads();
  std::uint64_t const pieces = static_cast<std::uint64_t>(most) * 8;
  std::uint64_t const grain = count / pieces + 1;
  tbb::task_arena arena(most);
  arena.execute([=] {
    tbb::parallel_for(
        range(0, count, grain), [=](range const& part) { run(owner, part.begin(), part.end()); },
        tbb::simple_partitioner());
  });
}

int hardware_threads() { return tbb::this_task_arena::max_concurrency(); }

}  // namespace tilewright::exec
