#include "bench/support/team.hpp"

#include <algorithm>
#include <cstring>

namespace tilewright::bench {

team::team(int threads) : start_(threads), end_(threads) {
  for (int t = 1; t < threads; ++t)
    others_.emplace_back([this, t] {
      for (;;) {
        start_.arrive_and_wait();
        if (work_ == nullptr) return;
        (*work_)(t);
        end_.arrive_and_wait();
      }
    });
}

team::~team() {
  work_ = nullptr;
  start_.arrive_and_wait();
}

void team::run(std::function<void(int)> const& work) {
  work_ = &work;
  start_.arrive_and_wait();
  work(0);
  end_.arrive_and_wait();
}

int threads_of_memcpy(team const& all, std::size_t bytes) {
  constexpr std::size_t worth_a_thread = std::size_t{1} << 20;
  return bytes < static_cast<std::size_t>(all.threads()) * worth_a_thread ? 1 : all.threads();
}

void memcpy_by(team& all, std::byte* dst, std::byte const* src, std::size_t bytes) {
  constexpr std::size_t page = 4096;
  auto const threads = static_cast<std::size_t>(threads_of_memcpy(all, bytes));
  if (bytes == 0) return;
  if (threads == 1) {
    std::memcpy(dst, src, bytes);
    return;
  }
  std::size_t const share = (bytes / threads + page - 1) / page * page;
  all.run([&](int t) {
    std::size_t const first = std::min(bytes, share * static_cast<std::size_t>(t));
    std::size_t const last = std::min(bytes, first + share);
    std::memcpy(dst + first, src + first, last - first);
  });
}

}  // namespace tilewright::bench
