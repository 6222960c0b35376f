// Copies with cache hints: the maps of a plain copy of the width, and on the host the same bytes.
#include "tilewright/atom/global_copy.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <type_traits>

#include "tilewright/algorithm/copy.hpp"
#include "tilewright/tiled/make_tiled_copy.hpp"

namespace tilewright {
namespace {

// --- hints -----------------------------------------------------------------------------------------------------------
static_assert(has_hint(cache::read_only | cache::evict_first, cache::evict_first));
static_assert(!has_hint(cache::read_only | cache::evict_first, cache::streaming) &&
              !has_hint(cache::normal, cache::normal));
static_assert(static_cast<std::uint64_t>(TMA::CacheHintSm90::EVICT_NORMAL) == 0x1000000000000000u &&
              static_cast<std::uint64_t>(TMA::CacheHintSm90::EVICT_FIRST) == 0x12F0000000000000u &&
              static_cast<std::uint64_t>(TMA::CacheHintSm90::EVICT_LAST) == 0x14F0000000000000u);

// --- maps ------------------------------------------------------------------------------------------------------------
using Load = Copy_Atom<GlobalLoad<uint256_t, cache::read_only | cache::no_allocate>, float>;
static_assert(Load::NumThreads == 1 && Load::NumValSrc == 8 && Load::NumValDst == 8);
static_assert(std::is_same_v<Load::ValLayoutSrc, Copy_Atom<UniversalCopy<uint256_t>, float>::ValLayoutSrc>);
static_assert(Copy_Atom<GlobalStore<word<32>, cache::streaming>, std::uint8_t>::NumValDst == 4);
static_assert(Copy_Atom<SM100_LOAD_256bit_CACHE_NOALLOCATION, double>::NumValSrc == 4 &&
              Copy_Atom<SM100_STORE_256bit_CACHE_NOALLOCATION, double>::NumValSrc == 4);

// --- host bodies -----------------------------------------------------------------------------------------------------
/// 64 elements by 4 threads through each thread's registers.
template <class LoadOp, class StoreOp, class T>
bool moves_everything() {
  constexpr int n = Copy_Atom<LoadOp, T>::NumValSrc;
  constexpr int size = 8 * n;
  alignas(32) std::array<T, size> from{}, to{};
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<T>(i + 1);
  auto const source = make_tensor(make_gmem_ptr(static_cast<T const*>(from.data())), Shape<C<size>>{});
  auto const target = make_tensor(make_gmem_ptr(to.data()), Shape<C<size>>{});
  auto const loading = make_tiled_copy(Copy_Atom<LoadOp, T>{}, Layout<_4>{}, Layout<C<n>>{});
  auto const storing = make_tiled_copy(Copy_Atom<StoreOp, T>{}, Layout<_4>{}, Layout<C<n>>{});
  for (int t = 0; t < 4; ++t) {
    auto const mine = loading.get_slice(t).partition_S(source);  // (Cpy, Rest)
    auto registers = make_fragment_like(mine);                   // (Cpy, Rest)
    copy(loading, mine, registers);
    copy(storing, registers, storing.get_slice(t).partition_D(target));
  }
  return from == to;
}
template <class S, class T>
bool moves_everything_with_any_hint() {
  return moves_everything<GlobalLoad<S>, GlobalStore<S>, T>() &&
         moves_everything<GlobalLoad<S, cache::read_only | cache::evict_last>, GlobalStore<S, cache::streaming>, T>() &&
         moves_everything<GlobalLoad<S, cache::l2_only | cache::prefetch_256>, GlobalStore<S, cache::write_through>,
                          T>() &&
         moves_everything<GlobalLoad<S, cache::no_allocate>, GlobalStore<S, cache::no_allocate | cache::evict_first>,
                          T>();
}

TEST(CacheHints, CopyOnTheHost) {
  EXPECT_TRUE((moves_everything_with_any_hint<word<32>, std::uint8_t>()));
  EXPECT_TRUE((moves_everything_with_any_hint<word<64>, std::uint16_t>()));
  EXPECT_TRUE((moves_everything_with_any_hint<word<128>, float>()));
  EXPECT_TRUE((moves_everything_with_any_hint<word<256>, double>()));
  EXPECT_TRUE((moves_everything_with_any_hint<float, float>()));
}

/// Registers that hold whole words of 256 bits are aligned to them.
TEST(CacheHints, WidestWordsFitRegisters) {
  static_assert(decltype(make_tensor<float>(Shape<_8>{}))::engine_type::alignment == 32);
  static_assert(decltype(make_tensor<float>(Shape<_4>{}))::engine_type::alignment == 16);
  EXPECT_TRUE((moves_everything<UniversalCopy<uint256_t>, UniversalCopy<uint256_t>, float>()));
}

/// A global address that is less aligned than the access is refused, as the instruction would.
TEST(CacheHints, RefusesMisalignedAddresses) {
  if constexpr (TILEWRIGHT_CHECKED) {
    alignas(32) std::array<float, 16> from{};
    auto registers = make_tensor<float>(Shape<_8>{});
    auto const source = make_tensor(make_gmem_ptr(from.data() + 4), Shape<_8>{});
    EXPECT_THROW((copy(Load{}, source, registers)), layout_error);
  }
}

}  // namespace
}  // namespace tilewright
