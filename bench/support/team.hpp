// Threads that start together: what memcpy by N threads is measured with.
#pragma once

#include <barrier>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace tilewright::bench {

class team {
 public:
  /// The calling thread is the first of them.
  explicit team(int threads);
  ~team();
  team(team const&) = delete;
  team& operator=(team const&) = delete;

  int threads() const { return static_cast<int>(others_.size()) + 1; }
  /// work(t) for every thread t, at the same time.
  void run(std::function<void(int)> const& work);

 private:
  std::barrier<> start_, end_;
  std::function<void(int)> const* work_ = nullptr;  // none: the threads go home
  std::vector<std::jthread> others_;
};

/// By how many of them memcpy_by copies so many bytes.
int threads_of_memcpy(team const& all, std::size_t bytes);

/// memcpy with the bytes split evenly, at multiples of 4 KiB; by the calling thread alone below 1 MiB a thread.
void memcpy_by(team& all, std::byte* dst, std::byte const* src, std::size_t bytes);

/// The same, with stores that go past the caches; memcpy where the processor has none.
void stream_by(team& all, std::byte* dst, std::byte const* src, std::size_t bytes);

}  // namespace tilewright::bench
