// What the generated rows speak of: type equality, and a tiled copy row's parts as types.
#pragma once

#include "tilewright/tiled/make_tiled_copy.hpp"

using namespace tilewright;

template <class A, class B>
inline constexpr bool same = std::is_same_v<A, B>;

template <int AtomBits, int ElementBits, class Thr, class Val, class TensorLayout>
struct tiled_copy_row {
  using atom = Copy_Atom<UniversalCopy<uint_bit_t<AtomBits>>, uint_bit_t<ElementBits>>;
  using copy = decltype(make_tiled_copy(atom{}, Thr{}, Val{}));
  using tiler = typename copy::Tiler_MN;
  using tv = typename copy::TiledLayout_TV;

  // A counting tensor's data is the offset at which the thread's share starts.
  static constexpr auto share(int thread) {
    return copy{}.get_slice(thread).partition_S(make_counting_tensor(TensorLayout{}));
  }
  using partition = decltype(share(0).layout());
  static constexpr int offset(int thread) { return *share(thread).data(); }
};
