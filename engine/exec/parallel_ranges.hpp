// The one call into oneTBB. It is separate because the thread sanitizer cannot see inside that library: CMake builds
// parallel_ranges.cpp without it, so that it does not take TBB's hand-over of tasks for races.
#pragma once

#include <cstdint>

namespace tilewright::exec {

/// Splits [0, count) into ranges and calls run(owner, begin, end) for each, on all cores; returns when all have
/// returned. Lower ranges tend to run first.
/// pre: run does not throw
void parallel_ranges(std::uint64_t count, void const* owner,
                     void (*run)(void const* owner, std::uint64_t begin, std::uint64_t end));

/// The same on at most `threads` threads, this one among them; 0: on all cores.
void parallel_ranges_on(int threads, std::uint64_t count, void* owner,
                        void (*run)(void* owner, std::uint64_t begin, std::uint64_t end));

/// How many threads that is when 0 is asked for.
int hardware_threads();

}  // namespace tilewright::exec
