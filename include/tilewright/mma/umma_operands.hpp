// The operands of Blackwell's products (PTX ISA, "tcgen05 Matrix Descriptors", "Canonical Layouts"): tiles of shared memory that
// have a descriptor, the tensor of descriptors that make_fragment_A and make_fragment_B give, and the layouts to make such tiles
// with. The forms are those of a warpgroup's products (mma/gmma_descriptor.hpp), for elements of every width.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/mma/gmma_layouts.hpp"
#include "tilewright/mma/umma_descriptor.hpp"

namespace tilewright {
namespace detail {

/// The swizzle's name in descriptors and the rows it covers; 0 pieces for one that no descriptor has.
template <class SwizzleInBytes>
struct umma_swizzle {
  static constexpr int pieces = gmma_pieces<SwizzleInBytes>, group = 8;
  static constexpr UMMA::LayoutType type = pieces == 8   ? UMMA::LayoutType::SWIZZLE_128B
                                           : pieces == 4 ? UMMA::LayoutType::SWIZZLE_64B
                                           : pieces == 2 ? UMMA::LayoutType::SWIZZLE_32B
                                                         : UMMA::LayoutType::SWIZZLE_NONE;
};
template <>
struct umma_swizzle<Swizzle<2, 5, 2>> {
  static constexpr int pieces = 8, group = 4;
  static constexpr UMMA::LayoutType type = UMMA::LayoutType::SWIZZLE_128B_BASE32B;
};

template <UMMA::Major Major, class T>
TILEWRIGHT_CONSTEXPR gmma_fields umma_fields_of_tensor() {
  using swizzle = umma_swizzle<get_swizzle_t<T>>;
  // In pieces of 32 bytes an operand is MN-major.
  if constexpr (is_static_v<typename T::layout_type> && rank_v<T> == 2 &&
                (swizzle::group == 8 || Major == UMMA::Major::MN))
    return gmma_fields_of < Major == UMMA::Major::K ? SM90::GMMA::Major::K : SM90::GMMA::Major::MN,
           sizeof_bits_v<typename T::value_type>, swizzle::pieces, typename T::layout_type, true, swizzle::group > ();
  else return {};
}

template <bool Exists>
struct umma_layout_has_a_descriptor {
  static constexpr bool value = Exists;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "make_umma_desc: the layout of the tile has no matrix descriptor for this major mode; make the tile with "
        "UMMA::tile_to_mma_shape(UMMA::Layout_K_SW128_Atom<T>{}, shape), or Layout_MN_* for Major::MN "
        "(docs/errors.md#umma_layout)");
    return invalid_layout{};
  }
};
template <UMMA::Major Major, class T>
struct umma_operand {
  static constexpr gmma_fields fields = umma_fields_of_tensor<Major, T>();
  using type = all_hold<gmma_operand_is_shared<typename T::iterator>, umma_layout_has_a_descriptor<fields.exists>>;
};

}  // namespace detail

namespace UMMA {

/// The descriptor of a tile (MN, K) of shared memory, K of 256 bits.
/// pre: a static layout of one of the forms above, else a sentence; the swizzle's period starts at a multiple of its bytes
TILEWRIGHT_NO_EXEC_CHECK
template <Major MajorMode, TensorType T>
TILEWRIGHT_FN constexpr auto make_umma_desc(T const& tensor) {
  auto const plain = as_position_dependent_swizzle_tensor(tensor);
  using Plain = std::remove_const_t<decltype(plain)>;
  using operand = tilewright::detail::umma_operand<MajorMode, Plain>;
  if constexpr (!operand::type::value) {
    return operand::type::sentence();
  } else {
    constexpr tilewright::detail::gmma_fields fields = operand::fields;
    constexpr LayoutType type = tilewright::detail::umma_swizzle<get_swizzle_t<Plain>>::type;
    SmemDescriptor out;
    out.desc_ = static_cast<std::uint64_t>(tilewright::detail::gmma_address(plain.data()) >> 4 & 0x3fff) |
                static_cast<std::uint64_t>(fields.leading & 0x3fff) << 16 |
                static_cast<std::uint64_t>(fields.stride & 0x3fff) << 32 | std::uint64_t{1} << 46 |
                static_cast<std::uint64_t>(type) << 61;
    return out;
  }
}

/// Iterates over descriptors: sums move the start, in units of 16 bytes.
struct DescriptorIterator {
  using element_type = SmemDescriptor;
  using value_type = SmemDescriptor;
  using reference = SmemDescriptor;
  SmemDescriptor desc_{};

  TILEWRIGHT_FN constexpr SmemDescriptor operator*() const { return desc_; }
  template <class I>
  TILEWRIGHT_FN constexpr SmemDescriptor operator[](I const& i) const {
    return *(*this + i);
  }
  template <class I>
  TILEWRIGHT_FN constexpr DescriptorIterator operator+(I const& i) const {
    // The low word alone: a start that wraps around does not reach the other fields.
    DescriptorIterator out;
    auto const low = static_cast<std::uint32_t>(desc_.desc_) + static_cast<std::uint32_t>(static_cast<int>(i));
    out.desc_.desc_ = (desc_.desc_ & 0xffffffff00000000u) | low;
    return out;
  }
};

/// The fragment type of an operand that is read from shared memory: a tensor of descriptors.
template <Major MajorMode>
struct smem_desc : DescriptorIterator {
  /// The check that the tiles of a partition (V, RestMN, RestK, …) have descriptors.
  template <class T>
  using fragment_check = typename tilewright::detail::umma_operand<
      MajorMode, std::remove_cvref_t<decltype(tensor<0>(
                     as_position_dependent_swizzle_tensor(std::declval<std::remove_cvref_t<T> const&>())))>>::type;
  /// pre: fragment_check<T> holds
  template <class T>
  TILEWRIGHT_FN static constexpr auto fragment_of(T const& partition) {
    auto const plain = as_position_dependent_swizzle_tensor(partition);
    auto const descriptors =
        tilewright::detail::layout_of_descriptors<typename std::remove_cvref_t<T>::value_type>(plain.layout());
    return make_tensor(DescriptorIterator{make_umma_desc<MajorMode>(tensor<0>(plain))}, descriptors);
  }
};

// The tiles of shared memory: those of a warpgroup's products.
using SM90::GMMA::Layout_K_INTER_Atom;
using SM90::GMMA::Layout_K_INTER_Atom_Bits;
using SM90::GMMA::Layout_K_INTER_SpAtom;
using SM90::GMMA::Layout_K_SW128_Atom;
using SM90::GMMA::Layout_K_SW128_Atom_Bits;
using SM90::GMMA::Layout_K_SW128_SpAtom;
using SM90::GMMA::Layout_K_SW32_Atom;
using SM90::GMMA::Layout_K_SW32_Atom_Bits;
using SM90::GMMA::Layout_K_SW32_SpAtom;
using SM90::GMMA::Layout_K_SW64_Atom;
using SM90::GMMA::Layout_K_SW64_Atom_Bits;
using SM90::GMMA::Layout_K_SW64_SpAtom;
using SM90::GMMA::Layout_MN_INTER_Atom;
using SM90::GMMA::Layout_MN_INTER_Atom_Bits;
using SM90::GMMA::Layout_MN_SW128_Atom;
using SM90::GMMA::Layout_MN_SW128_Atom_Bits;
using SM90::GMMA::Layout_MN_SW32_Atom;
using SM90::GMMA::Layout_MN_SW32_Atom_Bits;
using SM90::GMMA::Layout_MN_SW64_Atom;
using SM90::GMMA::Layout_MN_SW64_Atom_Bits;
/// In pieces of 32 bytes, for MN-major elements of 32 bits.
using Layout_MN_SW128_32B_Atom_Bits =
    SM90::GMMA::unset_tile<1, Swizzle<2, 8, 2>, Layout<Shape<_1024, _4>, Stride<_1, _1024>>>;
template <class T>
using Layout_MN_SW128_32B_Atom = SM90::GMMA::in_elements<T, Layout_MN_SW128_32B_Atom_Bits>;

template <class T, Major major>
using Layout_INTER_Atom = std::conditional_t<major == Major::MN, Layout_MN_INTER_Atom<T>, Layout_K_INTER_Atom<T>>;
template <class T, Major major>
using Layout_SW32_Atom = std::conditional_t<major == Major::MN, Layout_MN_SW32_Atom<T>, Layout_K_SW32_Atom<T>>;
template <class T, Major major>
using Layout_SW64_Atom = std::conditional_t<major == Major::MN, Layout_MN_SW64_Atom<T>, Layout_K_SW64_Atom<T>>;
template <class T, Major major>
using Layout_SW128_Atom = std::conditional_t<major == Major::MN, Layout_MN_SW128_Atom<T>, Layout_K_SW128_Atom<T>>;

namespace detail {
template <class S, int... I>
TILEWRIGHT_FN constexpr auto tiles_of(S const& shape, seq<I...>) {
  return make_shape(make_shape(get<0, 0>(shape), get<1>(shape)), make_shape(get<0, 1>(shape), get<2>(shape)),
                    get<I + 3>(shape)...);
}
}  // namespace detail

/// An atom repeated over a partition's shape ((MmaMN, MmaK), RestMN, RestK, …), as partition_shape_A and _B give it; the order
/// of modes (MN, K, …) in memory, the first fastest unless given.
/// post: ((MmaMN, MmaK), RestMN, RestK, …)
template <class Atom, IntTuple S, class... Order>
TILEWRIGHT_FN constexpr auto tile_to_mma_shape(Atom const& atom, S const& shape, Order const&... order) {
  auto const tiles = detail::tiles_of(shape, make_seq<tuple_size_v<S> - 3>{});
  return tiled_divide(tile_to_shape(atom, product_each(tiles), order...), product_each(get<0>(shape)));
}

}  // namespace UMMA
}  // namespace tilewright
