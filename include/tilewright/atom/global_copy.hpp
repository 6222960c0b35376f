// Copies between global memory and elsewhere with cache hints: GlobalLoad<S, hints> loads one S with them and stores it
// as an ordinary copy does, GlobalStore<S, hints> the other way round. The maps are those of UniversalCopy. On the host
// both copy.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/global_access.hpp"
#include "tilewright/atom/universal.hpp"

namespace tilewright {

/// One load of the width of S from global memory. S: 4, 8, 16 or 32 bytes; 32 are two loads before sm_100.
template <class S, cache Hints = cache::normal>
struct GlobalLoad {};
/// One store of the width of S to global memory.
template <class S, cache Hints = cache::normal>
struct GlobalStore {};

/// The field's names for the widest ones.
using SM100_LOAD_256bit_CACHE_NOALLOCATION = GlobalLoad<uint256_t, cache::no_allocate>;
using SM100_STORE_256bit_CACHE_NOALLOCATION = GlobalStore<uint256_t, cache::no_allocate>;

namespace detail {

template <int Bits>
struct hinted_access_carries {
  static constexpr bool value = Bits == 32 || Bits == 64 || Bits == 128 || Bits == 256;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "GlobalLoad, GlobalStore: an access with cache hints carries 4, 8, 16 or 32 bytes; carry several "
                  "elements at once, or use UniversalCopy (docs/errors.md#global_access_width)");
    return invalid_layout{};
  }
};

TILEWRIGHT_CONSTEXPR bool at_most_one_of(cache hints) {
  auto const bits = static_cast<unsigned>(hints);
  return (bits & (bits - 1)) == 0;
}
template <cache Hints>
struct load_hints_go_together {
  static constexpr cache l1 = cache::l2_only | cache::streaming | cache::no_allocate;
  static constexpr cache prefetch = cache::prefetch_64 | cache::prefetch_128 | cache::prefetch_256;
  static constexpr cache eviction = cache::evict_first | cache::evict_last;
  static constexpr bool value = !has_hint(Hints, cache::write_through) && at_most_one_of(Hints & l1) &&
                                at_most_one_of(Hints & prefetch) && at_most_one_of(Hints & eviction);
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "GlobalLoad: no load has these cache hints; give at most one of l2_only, streaming and no_allocate, "
                  "one prefetch and one eviction, and write_through to stores alone (docs/errors.md#cache_hints)");
    return invalid_layout{};
  }
};
template <cache Hints>
struct store_hints_go_together {
  static constexpr cache of_loads =
      cache::read_only | cache::l2_only | cache::prefetch_64 | cache::prefetch_128 | cache::prefetch_256;
  static constexpr cache l1 = cache::write_through | cache::streaming | cache::no_allocate;
  static constexpr cache eviction = cache::evict_first | cache::evict_last;
  static constexpr bool value =
      !has_hint(Hints, of_loads) && at_most_one_of(Hints & l1) && at_most_one_of(Hints & eviction);
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "GlobalStore: no store has these cache hints; give at most one of write_through, streaming and "
                  "no_allocate and one eviction, and the hints of loads to loads alone (docs/errors.md#cache_hints)");
    return invalid_layout{};
  }
};

template <bool IsGlobal>
struct hinted_memory {
  static constexpr bool value = IsGlobal;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "GlobalLoad, GlobalStore: the hinted side is global memory; tag its pointer with make_gmem_ptr, or use "
        "UniversalCopy for other memory (docs/errors.md#memory_space)");
    return invalid_layout{};
  }
};
template <bool Contiguous>
struct hinted_access_is_contiguous {
  static constexpr bool value = Contiguous;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "GlobalLoad, GlobalStore: the atom's values are not contiguous in source and destination; let the "
                  "value layout run along the mode of stride 1, or use a narrower atom "
                  "(docs/errors.md#not_contiguous_source)");
    return invalid_layout{};
  }
};

/// Is an iterator taken for one of global memory? compat/ takes pointers without a memory space too, as CuTe does.
template <class It>
inline constexpr bool may_be_global = is_gmem_v<It>;

/// Moves one word; the side that is global memory is accessed with the hints.
template <int Bits, cache Hints, bool IsLoad, class Src, class Dst>
TILEWRIGHT_FN constexpr void copy_word_hinted(Src const& src, Dst& dst) {
#if TILEWRIGHT_ON_DEVICE
  auto const from = untagged(recast_ptr<word<Bits>>(first_element(src)));
  auto const to = untagged(recast_ptr<word<Bits>>(first_element(dst)));
  // An iterator of one's own does its accesses itself.
  constexpr bool is_address =
      std::is_pointer_v<std::remove_const_t<std::conditional_t<IsLoad, decltype(from), decltype(to)>>>;
  if constexpr (!is_address) *to = *from;
  else if constexpr (IsLoad) *to = ptx::load_global<Hints>(static_cast<word<Bits> const*>(from));
  else ptx::store_global<Hints>(to, static_cast<word<Bits>>(*from));
#else
  copy_word<Bits>(src, dst);
#endif
}

template <class S, cache Hints, bool IsLoad>
struct hinted_copy_traits {
  using is_possible =
      all_hold<hinted_access_carries<sizeof_bits_v<S>>,
               std::conditional_t<IsLoad, load_hints_go_together<Hints>, store_hints_go_together<Hints>>>;
  static constexpr int bits = hinted_access_carries<sizeof_bits_v<S>>::value ? sizeof_bits_v<S> : 128;
  using ThrID = Layout<_1, _0>;
  using SrcLayout = Layout<Shape<_1, C<bits>>, Stride<_0, _1>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;

  template <class Src, class Dst>
  using operands_check =
      all_hold<is_possible, hinted_memory<may_be_global<typename std::conditional_t<IsLoad, Src, Dst>::iterator>>,
               hinted_access_is_contiguous<holds_contiguous_bits<Src, bits> && holds_contiguous_bits<Dst, bits>>>;

  template <class Src, class Dst>
  TILEWRIGHT_FN static constexpr void copy(Src const& src, Dst&& dst) {
    copy_word_hinted<bits, Hints, IsLoad>(src, dst);
  }
};

}  // namespace detail

template <class S, cache Hints>
struct Copy_Traits<GlobalLoad<S, Hints>> : detail::hinted_copy_traits<S, Hints, true> {};
template <class S, cache Hints>
struct Copy_Traits<GlobalStore<S, Hints>> : detail::hinted_copy_traits<S, Hints, false> {};

}  // namespace tilewright
