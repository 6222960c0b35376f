#include "bench/support/team.hpp"

#include <algorithm>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

namespace {

/// copy(dst, src, bytes) of each thread's share.
template <class Copy>
void copy_by(team& all, std::byte* dst, std::byte const* src, std::size_t bytes, Copy const& copy) {
  constexpr std::size_t page = 4096;
  auto const threads = static_cast<std::size_t>(threads_of_memcpy(all, bytes));
  if (bytes == 0) return;
  if (threads == 1) {
    copy(dst, src, bytes);
    return;
  }
  std::size_t const share = (bytes / threads + page - 1) / page * page;
  all.run([&](int t) {
    std::size_t const first = std::min(bytes, share * static_cast<std::size_t>(t));
    std::size_t const last = std::min(bytes, first + share);
    copy(dst + first, src + first, last - first);
  });
}

#ifdef __SSE2__
/// pre: dst is a multiple of 16
void stream(std::byte* dst, std::byte const* src, std::size_t bytes) {
  std::size_t at = 0;
  for (; at + 64 <= bytes; at += 64) {
    auto const load = [&](std::size_t k) { return _mm_loadu_si128(reinterpret_cast<__m128i const*>(src + at + k)); };
    auto const store = [&](std::size_t k, __m128i v) { _mm_stream_si128(reinterpret_cast<__m128i*>(dst + at + k), v); };
    __m128i const a = load(0), b = load(16), c = load(32), d = load(48);
    store(0, a), store(16, b), store(32, c), store(48, d);
  }
  std::memcpy(dst + at, src + at, bytes - at);
  _mm_sfence();
}
#endif

}  // namespace

void memcpy_by(team& all, std::byte* dst, std::byte const* src, std::size_t bytes) {
  copy_by(all, dst, src, bytes, [](auto* to, auto* from, std::size_t n) { std::memcpy(to, from, n); });
}

void stream_by(team& all, std::byte* dst, std::byte const* src, std::size_t bytes) {
#ifdef __SSE2__
  copy_by(all, dst, src, bytes, stream);
#else
  memcpy_by(all, dst, src, bytes);
#endif
}

}  // namespace tilewright::bench
