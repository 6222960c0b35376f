// Declares a copy between tensor memory and the registers of four warps: each warp moves its quarter of the 128 lanes, and the
// columns that one instruction takes are repeated over the tensor.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/tmem_copy.hpp"
#include "tilewright/tiled/make_tiled_copy.hpp"

namespace tilewright {
namespace detail {

template <class It>
struct tensor_is_in_tensor_memory {
  static constexpr bool value = is_tmem_v<It>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "make_tmem_copy: the tensor is not in tensor memory; give an accumulator of make_fragment_C, or a "
                  "tensor over make_tmem_ptr (docs/errors.md#tensor_memory)");
    return invalid_layout{};
  }
};

/// (thread of four warps, value) -> element of tensor memory
template <class Traits, class T>
struct tmem_thread_value {
  using threads = Layout<Shape<_32, _4>, Stride<_0, C<32 * TMEM::DP<T>::value>>>;
  using values = decltype(coalesce(recast_bits<1, sizeof_bits_v<T>>(typename Traits::ValID{})));
  using type = decltype(make_layout(threads{}, values{}));
};

}  // namespace detail

/// pre: the tensor's layout is static, injective, and has the 128 lanes; its columns are a multiple of the operation's
template <class Op, class T, TensorType Tmem>
TILEWRIGHT_FN constexpr auto make_tmem_copy(Copy_Atom<Op, T> const& atom, Tmem const& tmem) {
  using check = detail::tensor_is_in_tensor_memory<detail::iterator_of<Tmem const>>;
  if constexpr (!check::value) return check::sentence();
  else return make_cotiled_copy(atom, typename detail::tmem_thread_value<Copy_Traits<Op>, T>::type{}, tmem.layout());
}
template <class Op, TensorType Tmem>
requires(!is_copy_atom_v<Op>) TILEWRIGHT_FN constexpr auto make_tmem_copy(Op const&, Tmem const& tmem) {
  return make_tmem_copy(Copy_Atom<Op, typename Tmem::value_type>{}, tmem);
}

namespace TMEM {
namespace detail {
template <class Load>
struct store_of;
template <ptx::tmem_shape Shape_, int Repeat, bool Halves>
struct store_of<tilewright::detail::tmem_load<Shape_, Repeat, Halves>> {
  using type = tilewright::detail::tmem_store<Shape_, Repeat, Halves>;
};
template <class Op, int Bits>
struct repeated;
template <ptx::tmem_shape Shape_, bool Halves, int Bits>
struct repeated<tilewright::detail::tmem_load<Shape_, 1, Halves>, Bits> {
  static constexpr int times = Bits / tilewright::detail::tmem_map<Shape_, 1>::row_bits;
  using type = tilewright::detail::tmem_load<Shape_, times, Halves>;
};
template <ptx::tmem_shape Shape_, bool Halves, int Bits>
struct repeated<tilewright::detail::tmem_store<Shape_, 1, Halves>, Bits> {
  static constexpr int times = Bits / tilewright::detail::tmem_map<Shape_, 1>::row_bits;
  using type = tilewright::detail::tmem_store<Shape_, times, Halves>;
};
}  // namespace detail

/// The store with the pattern of a load.
template <class Load>
TILEWRIGHT_FN constexpr auto tmem_load_to_store(Load const&) {
  return typename detail::store_of<Load>::type{};
}
/// An operation _1x repeated over rows of `Bits` bits.
template <class Op, int Bits>
TILEWRIGHT_FN constexpr auto op_repeater() {
  return typename detail::repeated<Op, Bits>::type{};
}

/// How many columns a tensor reaches over.  pre: its last element is in the last of them
template <TensorType T>
TILEWRIGHT_FN constexpr auto find_tmem_tensor_col_offset(T const& tensor) {
  constexpr int bits = sizeof_bits_v<typename T::value_type>;
  auto const columns = recast_bits<bits, 32>(tensor.layout());
  return C<static_cast<int>((cosize_v<decltype(columns)> - 1) & 0xffff) + 1>{};
}
}  // namespace TMEM

}  // namespace tilewright
