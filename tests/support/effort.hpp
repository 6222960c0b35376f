// How much of a sweep over random cases a test runs: all of it where TILEWRIGHT_TEST_ALL is set, as in continuous
// integration; otherwise a part, so that `./run test` stays short.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace tilewright::tests {

/// With the thread sanitizer, whose tests are about threads and run some twenty times slower, a 20th of the rounds, and with the address
/// sanitizer, next to a build without it that runs all of them, half; otherwise all, or an eighth without TILEWRIGHT_TEST_ALL; at
/// least one. TILEWRIGHT_ROUNDS=n takes n times as many.
inline std::int64_t rounds(std::int64_t full) {
#if defined(__SANITIZE_THREAD__)
  std::int64_t const parts = 20;
#else
#if defined(__SANITIZE_ADDRESS__)
  constexpr std::int64_t all = 2;
#else
  constexpr std::int64_t all = 1;
#endif
  std::int64_t const parts = std::getenv("TILEWRIGHT_TEST_ALL") == nullptr ? 8 : all;
#endif
  char const* const times = std::getenv("TILEWRIGHT_ROUNDS");
  std::int64_t const factor = times == nullptr ? 1 : std::max(1L, std::atol(times));
  return (full * factor + parts - 1) / parts;
}

}  // namespace tilewright::tests
