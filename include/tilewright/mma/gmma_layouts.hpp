// The shared-memory tiles that a warpgroup's matrix product and TMA agree on: eight rows of 16, 32, 64 or 128 bytes, whose
// 16-byte pieces a swizzle spreads over the banks. Written in bits, and in elements of a type; tile_to_shape repeats them.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/swizzled.hpp"
#include "tilewright/mma/gmma_descriptor.hpp"

namespace tilewright::SM90::GMMA {

/// A tile of elements of Bits bits that has no address yet.
template <int Bits, class Swizzle, class L>
using unset_tile = ComposedLayout<Swizzle, smem_ptr_flag_bits<Bits>, L>;

// A swizzle of 16-byte pieces: in bits they have 2^7.
using Layout_MN_INTER_Atom_Bits = unset_tile<1, Swizzle<0, 7, 3>, Layout<Shape<_128, _8>, Stride<_1, _128>>>;
using Layout_MN_SW32_Atom_Bits = unset_tile<1, Swizzle<1, 7, 3>, Layout<Shape<_256, _8>, Stride<_1, _256>>>;
using Layout_MN_SW64_Atom_Bits = unset_tile<1, Swizzle<2, 7, 3>, Layout<Shape<_512, _8>, Stride<_1, _512>>>;
using Layout_MN_SW128_Atom_Bits = unset_tile<1, Swizzle<3, 7, 3>, Layout<Shape<_1024, _8>, Stride<_1, _1024>>>;

using Layout_K_INTER_Atom_Bits = unset_tile<1, Swizzle<0, 7, 3>, Layout<Shape<_8, _128>, Stride<_128, _1>>>;
using Layout_K_SW32_Atom_Bits = unset_tile<1, Swizzle<1, 7, 3>, Layout<Shape<_8, _256>, Stride<_256, _1>>>;
using Layout_K_SW64_Atom_Bits = unset_tile<1, Swizzle<2, 7, 3>, Layout<Shape<_8, _512>, Stride<_512, _1>>>;
using Layout_K_SW128_Atom_Bits = unset_tile<1, Swizzle<3, 7, 3>, Layout<Shape<_8, _1024>, Stride<_1024, _1>>>;

template <class T, class Bits>
using in_elements = decltype(recast_bits<1, sizeof_bits_v<T>>(Bits{}));

/// (elements along the contiguous mode, 8)
template <class T>
using Layout_MN_INTER_Atom = in_elements<T, Layout_MN_INTER_Atom_Bits>;
template <class T>
using Layout_MN_SW32_Atom = in_elements<T, Layout_MN_SW32_Atom_Bits>;
template <class T>
using Layout_MN_SW64_Atom = in_elements<T, Layout_MN_SW64_Atom_Bits>;
template <class T>
using Layout_MN_SW128_Atom = in_elements<T, Layout_MN_SW128_Atom_Bits>;

/// (8, elements along the contiguous mode)
template <class T>
using Layout_K_INTER_Atom = in_elements<T, Layout_K_INTER_Atom_Bits>;
template <class T>
using Layout_K_SW32_Atom = in_elements<T, Layout_K_SW32_Atom_Bits>;
template <class T>
using Layout_K_SW64_Atom = in_elements<T, Layout_K_SW64_Atom_Bits>;
template <class T>
using Layout_K_SW128_Atom = in_elements<T, Layout_K_SW128_Atom_Bits>;

/// One of the two by the mode that is contiguous.
template <class T, Major major>
using Layout_INTER_Atom = std::conditional_t<major == Major::MN, Layout_MN_INTER_Atom<T>, Layout_K_INTER_Atom<T>>;
template <class T, Major major>
using Layout_SW32_Atom = std::conditional_t<major == Major::MN, Layout_MN_SW32_Atom<T>, Layout_K_SW32_Atom<T>>;
template <class T, Major major>
using Layout_SW64_Atom = std::conditional_t<major == Major::MN, Layout_MN_SW64_Atom<T>, Layout_K_SW64_Atom<T>>;
template <class T, Major major>
using Layout_SW128_Atom = std::conditional_t<major == Major::MN, Layout_MN_SW128_Atom<T>, Layout_K_SW128_Atom<T>>;

/// The same tiles of a sparse A, of which 1 of S elements along K is stored: (elements of MN, S × those of K).
template <class T, int S, int W, Major major>
using sparse_tile =
    ComposedLayout<Swizzle<math::countr_zero(W), math::countr_zero(128 * S / sizeof_bits_v<T>), 3>,
                   smem_sparse_ptr_flag_bits<S, sizeof_bits_v<T>>,
                   std::conditional_t<major == Major::K,
                                      Layout<Shape<Shape<_1, _8>, Shape<C<S>, C<W * 128 / sizeof_bits_v<T>>>>,
                                             Stride<Stride<_0, C<W * 128 * S / sizeof_bits_v<T>>>, Stride<_1, C<S>>>>,
                                      Layout<Shape<Shape<_1, C<W * 128 / sizeof_bits_v<T>>>, Shape<C<S>, _8>>,
                                             Stride<Stride<_0, C<S>>, Stride<_1, C<W * 128 * S / sizeof_bits_v<T>>>>>>>;
template <class T, int S>
using Layout_MN_INTER_SpAtom = sparse_tile<T, S, 1, Major::MN>;
template <class T, int S>
using Layout_MN_SW32_SpAtom = sparse_tile<T, S, 2, Major::MN>;
template <class T, int S>
using Layout_MN_SW64_SpAtom = sparse_tile<T, S, 4, Major::MN>;
template <class T, int S>
using Layout_MN_SW128_SpAtom = sparse_tile<T, S, 8, Major::MN>;
template <class T, int S>
using Layout_K_INTER_SpAtom = sparse_tile<T, S, 1, Major::K>;
template <class T, int S>
using Layout_K_SW32_SpAtom = sparse_tile<T, S, 2, Major::K>;
template <class T, int S>
using Layout_K_SW64_SpAtom = sparse_tile<T, S, 4, Major::K>;
template <class T, int S>
using Layout_K_SW128_SpAtom = sparse_tile<T, S, 8, Major::K>;
template <class T, int S, Major major>
using Layout_INTER_SpAtom = sparse_tile<T, S, 1, major>;
template <class T, int S, Major major>
using Layout_SW32_SpAtom = sparse_tile<T, S, 2, major>;
template <class T, int S, Major major>
using Layout_SW64_SpAtom = sparse_tile<T, S, 4, major>;
template <class T, int S, Major major>
using Layout_SW128_SpAtom = sparse_tile<T, S, 8, major>;

}  // namespace tilewright::SM90::GMMA
