// The product of a run of words and its coefficients, with the widest vectors of the machine.
#include "engine/npy/position_sums.hpp"

#include <cstring>

#define HWY_TARGET_INCLUDE "engine/npy/weighted_sum.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tilewright::npy::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class Word>
std::uint64_t sum_one_by_one(std::byte const* bytes, std::uint32_t const* coefficients, std::size_t count) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Word word;
    std::memcpy(&word, bytes + i * sizeof(Word), sizeof(Word));
    sum += std::uint64_t{word} * coefficients[i];
  }
  return sum;
}

/// `D32` is a parameter so that a target whose vectors have one lane compiles the plain loop alone.
template <class Word, class D32>
std::uint64_t sum_of(D32 d32, std::byte const* bytes, std::uint32_t const* coefficients, std::size_t count) {
  std::size_t i = 0;
  std::uint64_t sum = 0;
  if constexpr (hn::MaxLanes(D32{}) > 1) {
    hn::Repartition<std::uint64_t, D32> const d64;
    hn::Rebind<Word, D32> const dword;
    auto const* words = reinterpret_cast<Word const*>(bytes);
    auto even = hn::Zero(d64), odd = hn::Zero(d64);
    auto const upper = [&](auto x) { return hn::BitCast(d32, hn::ShiftRight<32>(hn::BitCast(d64, x))); };
    for (; i + hn::Lanes(d32) <= count; i += hn::Lanes(d32)) {
      auto const c = hn::LoadU(d32, coefficients + i);
      auto v = hn::Zero(d32);
      if constexpr (sizeof(Word) == 4) v = hn::LoadU(d32, words + i);
      else v = hn::PromoteTo(d32, hn::LoadU(dword, words + i));
      even = hn::Add(even, hn::MulEven(v, c));
      odd = hn::Add(odd, hn::MulEven(upper(v), upper(c)));
    }
    HWY_ALIGN std::uint64_t lanes[hn::MaxLanes(hn::Repartition<std::uint64_t, D32>{})];
    hn::Store(hn::Add(even, odd), d64, lanes);
    for (std::size_t k = 0; k < hn::Lanes(d64); ++k) sum += lanes[k];
  }
  return sum + sum_one_by_one<Word>(bytes + i * sizeof(Word), coefficients + i, count - i);
}

std::uint64_t sum_of_words(std::byte const* words, std::int64_t word_bytes, std::uint32_t const* coefficients,
                           std::size_t count) {
  hn::ScalableTag<std::uint32_t> const d32;
  switch (word_bytes) {
    case 1: return sum_of<std::uint8_t>(d32, words, coefficients, count);
    case 2: return sum_of<std::uint16_t>(d32, words, coefficients, count);
    default: return sum_of<std::uint32_t>(d32, words, coefficients, count);
  }
}

}  // namespace tilewright::npy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilewright::npy {
namespace {

HWY_EXPORT(sum_of_words);

}  // namespace

std::uint64_t weighted_sum(std::byte const* words, std::int64_t word_bytes, std::uint32_t const* coefficients,
                           std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(sum_of_words)(words, word_bytes, coefficients, count);
}

}  // namespace tilewright::npy
#endif  // HWY_ONCE
