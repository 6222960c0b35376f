// The matrix operation of a warpgroup for given element types and tile: the one with the largest N that divides the tile's.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/mma/sm90_gmma.hpp"
#include "tilewright/mma/sm90_sparse_gmma.hpp"

namespace tilewright {
namespace detail {

/// The largest N of an operation that divides a tile's; 0 if none does. Common: 8, 16, 32, 64, 96, 128, 192 and 256 alone.
TILEWRIGHT_FN constexpr int gmma_n_for(int tile_n, bool is_integer, bool common) {
  for (int n = 256; n >= 8; n -= 8) {
    bool const is_common = n == 8 || n == 16 || n == 32 || n % 64 == 0 || n == 96;
    bool const exists = common ? is_common : !is_integer || n == 8 || n == 24 || n % 16 == 0;
    if (exists && tile_n % n == 0) return n;
  }
  return 0;
}

template <class D, class A, class B>
inline constexpr bool gmma_has_types =
    (std::is_same_v<A, half_t> && std::is_same_v<B, half_t> &&
     (std::is_same_v<D, half_t> || std::is_same_v<D, float>)) ||
    (std::is_same_v<A, bfloat16_t> && std::is_same_v<B, bfloat16_t> && std::is_same_v<D, float>) ||
    (std::is_same_v<A, tfloat32_t> && std::is_same_v<B, tfloat32_t> && std::is_same_v<D, float>) ||
    ((std::is_same_v<A, float_e4m3_t> ||
      std::is_same_v<A, float_e5m2_t>)&&(std::is_same_v<B, float_e4m3_t> ||
                                         std::is_same_v<B, float_e5m2_t>)&&(std::is_same_v<D, half_t> ||
                                                                            std::is_same_v<D, float>)) ||
    ((std::is_same_v<A, std::int8_t> ||
      std::is_same_v<A, std::uint8_t>)&&(std::is_same_v<B, std::int8_t> ||
                                         std::is_same_v<B, std::uint8_t>)&&std::is_same_v<D, std::int32_t>);

template <bool HasTypes, bool HasShape>
struct gmma_can_be_selected {
  static constexpr bool value = HasTypes && HasShape;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        HasTypes,
        "ss_op_selector: no matrix operation of a warpgroup has these element types; use f16, bf16, tf32, fp8 or "
        "8-bit integers with results of f32, f16 or s32 (docs/errors.md#gmma_selector)");
    static_assert(
        !HasTypes || HasShape,
        "ss_op_selector: the tile is not static, or its M is not a multiple of 64, its N of 8, or its K of 256 "
        "bits (512 with a sparse A); choose such a tile (docs/errors.md#gmma_selector)");
    return invalid_layout{};
  }
};

template <class Tile, int Mode>
TILEWRIGHT_FN constexpr int extent_of_tile() {
  if constexpr (is_static_v<Tile>) return static_cast<int>(decltype(size<Mode>(Tile{}))::value);
  else return 0;
}
TILEWRIGHT_FN constexpr SM90::GMMA::ScaleIn nth_sign(int) { return SM90::GMMA::ScaleIn::One; }
template <class... More>
TILEWRIGHT_FN constexpr SM90::GMMA::ScaleIn nth_sign(int n, SM90::GMMA::ScaleIn first, More... more) {
  return n == 0 ? first : nth_sign(n - 1, more...);
}

/// TF32 operations are chosen for tiles of floats.
template <class T>
using gmma_element = std::conditional_t<std::is_same_v<T, float>, tfloat32_t, T>;

/// The last argument that is a selector.
TILEWRIGHT_FN constexpr SM90::GMMA::SparseSel last_selector() { return SM90::GMMA::SparseSel::Zero; }
template <class First, class... More>
TILEWRIGHT_FN constexpr SM90::GMMA::SparseSel last_selector(First first, More... more) {
  if constexpr (sizeof...(More) == 0 && std::is_same_v<First, SM90::GMMA::SparseSel>) return first;
  else return last_selector(more...);
}
template <class... More>
TILEWRIGHT_FN constexpr SM90::GMMA::ScaleIn nth_sign(int n, SM90::GMMA::SparseSel, More... more) {
  return nth_sign(n, more...);
}

template <bool ReadsA, bool Common, class A, class B, class D, class Tile, SM90::GMMA::Major MajorA,
          SM90::GMMA::Major MajorB, auto... Signs>
TILEWRIGHT_FN constexpr auto select_gmma() {
  constexpr int m = extent_of_tile<Tile, 0>(), n = extent_of_tile<Tile, 1>(), k = extent_of_tile<Tile, 2>();
  constexpr int operation_n = n > 0 ? gmma_n_for(n, std::is_integral_v<D>, Common) : 0;
  using check = gmma_can_be_selected<gmma_has_types<D, A, B>, m % 64 == 0 && m != 0 && operation_n != 0 && k != 0 &&
                                                                  k * sizeof_bits_v<A> % 256 == 0>;
  if constexpr (!check::value) return check::sentence();
  else
    return warpgroup_mma<operation_n, D, A, B, ReadsA, MajorA, MajorB, nth_sign(0, Signs...), nth_sign(1, Signs...)>{};
}

/// The same with a sparse A: K is a multiple of 512 bits.  Signs: ScaleIn of A and of B, then the SparseSel
template <bool ReadsA, bool Common, class A, class B, class D, class Tile, SM90::GMMA::Major MajorA,
          SM90::GMMA::Major MajorB, auto... Signs>
TILEWRIGHT_FN constexpr auto select_sparse_gmma() {
  constexpr int m = extent_of_tile<Tile, 0>(), n = extent_of_tile<Tile, 1>(), k = extent_of_tile<Tile, 2>();
  constexpr int operation_n = n > 0 ? gmma_n_for(n, std::is_integral_v<D>, Common) : 0;
  using check = gmma_can_be_selected<gmma_has_types<D, A, B>, m % 64 == 0 && m != 0 && operation_n != 0 && k != 0 &&
                                                                  k * sizeof_bits_v<A> % 512 == 0>;
  if constexpr (!check::value) return check::sentence();
  else
    return warpgroup_sparse_mma<operation_n, D, A, B, ReadsA, MajorA, MajorB, nth_sign(0, Signs...),
                                nth_sign(1, Signs...), false, last_selector(Signs...)>{};
}

}  // namespace detail

namespace SM90 {
namespace GMMA {

/// A and B in shared memory.  Signs: ScaleIn of A and of B
template <class ElementA, class ElementB, class ElementC, class TileShape_MNK, Major MajorA = Major::K,
          Major MajorB = Major::K, auto... Signs>
TILEWRIGHT_FN constexpr auto ss_op_selector() {
  return tilewright::detail::select_gmma<true, false, tilewright::detail::gmma_element<ElementA>,
                                         tilewright::detail::gmma_element<ElementB>, ElementC, TileShape_MNK, MajorA,
                                         MajorB, Signs...>();
}
/// A in registers.
template <class ElementA, class ElementB, class ElementC, class TileShape_MNK, Major MajorA = Major::K,
          Major MajorB = Major::K, auto... Signs>
TILEWRIGHT_FN constexpr auto rs_op_selector() {
  return tilewright::detail::select_gmma<false, false, tilewright::detail::gmma_element<ElementA>,
                                         tilewright::detail::gmma_element<ElementB>, ElementC, TileShape_MNK, MajorA,
                                         MajorB, Signs...>();
}

/// The same with a sparse A.  Signs: ScaleIn of A and of B, then the SparseSel
template <class ElementA, class ElementB, class ElementC, class TileShape_MNK, Major MajorA = Major::K,
          Major MajorB = Major::K, auto... Signs>
TILEWRIGHT_FN constexpr auto ss_op_selector_sparse() {
  return tilewright::detail::select_sparse_gmma<true, false, tilewright::detail::gmma_element<ElementA>,
                                                tilewright::detail::gmma_element<ElementB>, ElementC, TileShape_MNK,
                                                MajorA, MajorB, Signs...>();
}
template <class ElementA, class ElementB, class ElementC, class TileShape_MNK, Major MajorA = Major::K,
          Major MajorB = Major::K, auto... Signs>
TILEWRIGHT_FN constexpr auto rs_op_selector_sparse() {
  return tilewright::detail::select_sparse_gmma<false, false, tilewright::detail::gmma_element<ElementA>,
                                                tilewright::detail::gmma_element<ElementB>, ElementC, TileShape_MNK,
                                                MajorA, MajorB, Signs...>();
}

}  // namespace GMMA
}  // namespace SM90
}  // namespace tilewright
