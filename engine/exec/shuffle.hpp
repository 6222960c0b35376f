// A shuffle that is the same on every machine, for checked launches: a seed names one order of threads and blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace tilewright::exec {

/// SplitMix64.
constexpr std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

template <class T>
constexpr void shuffle(std::span<T> items, std::uint64_t& state) {
  for (std::size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[next_random(state) % left]);
}

}  // namespace tilewright::exec
