// Matrix descriptors of a warpgroup's products (PTX ISA, "Matrix Descriptor Format"): 64 bits that say where a tile of shared
// memory starts, how far its pieces are apart and how they are swizzled. make_gmma_desc finds them from a tensor's layout,
// and refuses layouts that have none. One instruction takes 64 × 256 bits of A and N × 256 bits of B; one with a sparse A, of
// which that is the stored half, N × 512 bits of B. In pieces of 16 bytes, of which a swizzle of W bytes spreads w = W / 16, a
// layout with p (2 or 4) of them along K has a descriptor if it is
//   K-major   INTERLEAVE ((8,n),p):((1,SBO),LBO)      swizzled, w >= p ((8,n),p):((w,SBO),1)
//   MN-major  INTERLEAVE ((1,n),(8,k)):((x,SBO),(1,LBO))   swizzled ((w,n),(8,k)):((1,LBO),(w,SBO))
// with LBO, the leading, and SBO, the stride byte offset.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/ptx/target.hpp"
#include "tilewright/machine/host_thread.hpp"
#include "tilewright/tensor/pointer_swizzle.hpp"
#include "tilewright/tensor/sparse.hpp"

namespace tilewright {

/// The 64 bits, and their fields. Addresses and offsets count in 16 bytes.
union GmmaDescriptor {
  std::uint64_t desc_ = 0;
  std::uint32_t reg32_[2];
  std::uint16_t reg16_[4];
  struct {
    std::uint16_t start_address_ : 14;
    std::uint16_t : 2;
    std::uint16_t leading_byte_offset_ : 14;
    std::uint16_t : 2;
    std::uint16_t stride_byte_offset_ : 14;
    std::uint16_t : 2;
    std::uint8_t : 1;
    std::uint8_t base_offset_ : 3;
    std::uint8_t : 4;
    std::uint8_t : 6;
    std::uint8_t layout_type_ : 2;
  } bitfield;

  TILEWRIGHT_FN constexpr operator std::uint64_t() const { return desc_; }
};

namespace SM90 {
namespace GMMA {

/// The mode that is contiguous: the product's inner one (K), or the rows of A and columns of B (MN).
enum class Major { K = 0, MN = 1 };
/// The bytes that a swizzle spreads over the banks.
enum class LayoutType : std::uint8_t { INTERLEAVE = 0, B128 = 1, B64 = 2, B32 = 3 };
/// D = A·B (Zero) or D = A·B + D (One).
enum class ScaleOut { Zero = 0, One = 1 };
/// The sign of A or of B.
enum class ScaleIn { Neg = -1, One = 1 };

TILEWRIGHT_FN constexpr char const* to_string(LayoutType t) {
  switch (t) {
    case LayoutType::INTERLEAVE: return "INTERLEAVE";
    case LayoutType::B128: return "B128";
    case LayoutType::B64: return "B64";
    case LayoutType::B32: return "B32";
  }
  return "?";
}

}  // namespace GMMA
}  // namespace SM90
namespace GMMA {
using namespace SM90::GMMA;
}

namespace detail {

/// Pieces of 16 bytes in a row of the swizzle; 0 for one that no descriptor has.
template <class SwizzleInBytes>
inline constexpr int gmma_pieces = 0;
template <int M, int S>
inline constexpr int gmma_pieces<Swizzle<0, M, S>> = 1;
template <>
inline constexpr int gmma_pieces<Swizzle<1, 4, 3>> = 2;
template <>
inline constexpr int gmma_pieces<Swizzle<2, 4, 3>> = 4;
template <>
inline constexpr int gmma_pieces<Swizzle<3, 4, 3>> = 8;

/// A stride that is a constant, else -1.
template <class D>
inline constexpr long long known_stride = -1;
template <auto v>
inline constexpr long long known_stride<C<v>> = static_cast<long long>(v);

/// A layout of (MN, K) elements with the tiler's two modes of two, and its four strides.
template <class L, class Tiler, bool Divides>
struct gmma_strides_of {
  static constexpr long long inner_mn = -1, outer_mn = -1, inner_k = -1, outer_k = -1;
};
template <class L, class Tiler>
struct gmma_strides_of<L, Tiler, true> {
  using tiled = decltype(composition(L{}, Tiler{}));
  template <int I, int J>
  static constexpr long long at = known_stride<std::remove_cvref_t<decltype(stride<I, J>(tiled{}))>>;
  static constexpr long long inner_mn = at<0, 0>, outer_mn = at<0, 1>, inner_k = at<1, 0>, outer_k = at<1, 1>;
};
template <class L, class Tiler>
using gmma_strides = gmma_strides_of<L, Tiler, lift::succeeds<op::composition, L, lift::as_tiler<Tiler>>::value>;

/// What the descriptor of a static layout (MN, K) has, in units of 16 bytes.
struct gmma_fields {
  bool exists = false;
  int layout_type = 0;
  long long leading = 0, stride = 0;
};
/// AnyWidth: Blackwell's, where elements of 8 and 32 bits may be MN-major too, and K may be longer than the 256 bits of one product;
/// Group: the rows of an MN-major operand that a swizzle covers
template <SM90::GMMA::Major Major, int Bits, int Pieces, class L, bool AnyWidth = false, int Group = 8>
TILEWRIGHT_CONSTEXPR gmma_fields gmma_fields_of() {
  constexpr int rows = static_cast<int>(decltype(size<0>(L{}))::value);
  constexpr int all_columns = static_cast<int>(decltype(size<1>(L{}))::value);
  constexpr int columns = AnyWidth && all_columns * Bits % 256 == 0 ? 256 / Bits : all_columns;
  constexpr int piece = 128 / Bits;  // elements
  gmma_fields out;
  out.layout_type = Pieces == 8 ? 1 : Pieces == 4 ? 2 : Pieces == 2 ? 3 : 0;
  constexpr int pieces_k = columns / piece;
  if constexpr (Pieces == 0 || (columns * Bits != 256 && (AnyWidth || columns * Bits != 512))) {
    return out;
  } else if constexpr (Major == SM90::GMMA::Major::K) {
    if constexpr (rows % 8 == 0) {
      using S = gmma_strides<L, Tile<Layout<Shape<_8, C<rows / 8>>>, Layout<Shape<C<piece>, C<pieces_k>>>>>;
      out.exists = (Pieces == 1 || Pieces >= pieces_k) && S::inner_k == 1 && S::inner_mn == Pieces * piece &&
                   S::outer_k % piece == 0 && S::outer_k > 0 && S::outer_mn % piece == 0 && S::outer_mn >= 0 &&
                   (Pieces == 1 || S::outer_k == piece);
      out.leading = Pieces == 1 ? S::outer_k / piece : 1;
      out.stride = rows == 8 ? 0 : S::outer_mn / piece;
    }
  } else {
    // The first rows of a swizzle's row may be an operand by themselves.
    constexpr int row = rows % piece == 0 && Pieces * piece % rows == 0 ? rows : Pieces * piece;
    if constexpr ((AnyWidth || Bits == 16) && rows % row == 0 && columns > Group) {
      using S =
          gmma_strides<L, Tile<Layout<Shape<C<row>, C<rows / row>>>, Layout<Shape<C<Group>, C<columns / Group>>>>>;
      out.exists = S::inner_mn == 1 && S::inner_k == Pieces * piece && S::outer_mn % piece == 0 && S::outer_mn >= 0 &&
                   S::outer_k % piece == 0 && S::outer_k > 0;
      long long const next_mn = rows == row ? 0 : S::outer_mn / piece, next_k = S::outer_k / piece;
      out.leading = Pieces == 1 ? next_k : next_mn;
      out.stride = Pieces == 1 ? next_mn : next_k;
    }
  }
  return out;
}

template <class It>
struct gmma_operand_is_shared {
  static constexpr bool value = is_smem_v<It>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "make_gmma_desc: an operand of a warpgroup's product is read from shared memory; tag its pointer with "
        "make_smem_ptr, or use an operation _RS for A in registers (docs/errors.md#gmma_memory)");
    return invalid_layout{};
  }
};
template <bool Exists>
struct gmma_layout_has_a_descriptor {
  static constexpr bool value = Exists;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "make_gmma_desc: the layout of the tile has no matrix descriptor for this major mode; make the tile with "
        "tile_to_shape(GMMA::Layout_K_SW128_Atom<T>{}, shape), or Layout_MN_* for Major::MN "
        "(docs/errors.md#gmma_layout)");
    return invalid_layout{};
  }
};
/// The layout of what is stored of a tensor of which 1 of S elements is.
template <int S, class L>
TILEWRIGHT_FN constexpr auto layout_of_stored(L const& layout) {
  if constexpr (S == 1) return layout;
  else return upcast<S>(layout);
}
template <SM90::GMMA::Major Major, class T>
TILEWRIGHT_CONSTEXPR gmma_fields gmma_fields_of_tensor() {
  using Element = typename T::value_type;
  if constexpr (is_static_v<typename T::layout_type> && rank_v<T> == 2)
    return gmma_fields_of<Major, stored_bits<Element>, gmma_pieces<get_swizzle_t<T>>,
                          decltype(layout_of_stored<sparsity_of<Element>>(typename T::layout_type{}))>();
  else return {};
}
/// The descriptor of a tensor of type T, whose swizzle is in its pointer.
template <SM90::GMMA::Major Major, class T>
struct gmma_operand {
  static constexpr gmma_fields fields = gmma_fields_of_tensor<Major, T>();
  using type = all_hold<gmma_operand_is_shared<typename T::iterator>, gmma_layout_has_a_descriptor<fields.exists>>;
};

/// A pointer of shared memory as instructions take it. On the host, where the block's shared memory is 0.
template <class It>
TILEWRIGHT_FN std::uint32_t gmma_address(It const& it) {
  auto const p = without_sparsity(without_swizzle(it).get());
#if TILEWRIGHT_ON_DEVICE || !TILEWRIGHT_HOSTED
  // An iterator of the host's own: the device's compiler reads the code but never runs it.
  if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(p)>>) return cast_smem_ptr_to_uint(p);
  else return 0;
#else
  void const* address;
  if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(p)>>) address = p;
  else if constexpr (requires { p.base; }) address = p.base;
  else address = p.unwatched();
  return host_thread == nullptr ? cast_smem_ptr_to_uint(address) : host_thread->shared_offset(address);
#endif
}

}  // namespace detail

namespace SM90 {
namespace GMMA {

/// The descriptor of a tile (MN, K) of shared memory.
/// pre: a static layout of one of the forms above, else a sentence; the swizzle's period starts at a multiple of its bytes
TILEWRIGHT_NO_EXEC_CHECK
template <Major MajorMode, TensorType T>
TILEWRIGHT_FN constexpr auto make_gmma_desc(T const& tensor) {
  auto const plain = as_position_dependent_swizzle_tensor(tensor);
  using operand = tilewright::detail::gmma_operand<MajorMode, std::remove_const_t<decltype(plain)>>;
  if constexpr (!operand::type::value) {
    return operand::type::sentence();
  } else {
    constexpr tilewright::detail::gmma_fields fields = operand::fields;
    GmmaDescriptor out;
    out.desc_ = static_cast<std::uint64_t>(tilewright::detail::gmma_address(plain.data()) >> 4 & 0x3fff) |
                static_cast<std::uint64_t>(fields.leading & 0x3fff) << 16 |
                static_cast<std::uint64_t>(fields.stride & 0x3fff) << 32 |
                static_cast<std::uint64_t>(fields.layout_type) << 62;
    return out;
  }
}

/// Iterates over descriptors: sums move the start, in units of 16 bytes.
struct DescriptorIterator {
  using element_type = GmmaDescriptor;
  using value_type = GmmaDescriptor;
  using reference = GmmaDescriptor;
  GmmaDescriptor desc_{};

  TILEWRIGHT_FN constexpr GmmaDescriptor operator*() const { return desc_; }
  template <class I>
  TILEWRIGHT_FN constexpr GmmaDescriptor operator[](I const& i) const {
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
  using fragment_check = typename tilewright::detail::gmma_operand<
      MajorMode, std::remove_cvref_t<decltype(tensor<0>(
                     as_position_dependent_swizzle_tensor(std::declval<std::remove_cvref_t<T> const&>())))>>::type;
  /// pre: fragment_check<T> holds
  template <class T>
  TILEWRIGHT_FN static constexpr auto fragment_of(T const& partition);
};

}  // namespace GMMA
}  // namespace SM90

namespace detail {
/// The layout of descriptors (1, RestMN, RestK, …) of a partition's (V, RestMN, RestK, …), in units of 16 bytes.
template <class T, class L>
TILEWRIGHT_FN constexpr auto layout_of_descriptors(L const& layout) {
  return recast_bits<stored_bits<T>, 128>(layout_of_stored<sparsity_of<T>>(replace<0>(layout, Layout<_1, _0>{})));
}
}  // namespace detail

template <SM90::GMMA::Major MajorMode>
template <class T>
TILEWRIGHT_FN constexpr auto SM90::GMMA::smem_desc<MajorMode>::fragment_of(T const& partition) {
  auto const plain = as_position_dependent_swizzle_tensor(partition);
  auto const descriptors =
      tilewright::detail::layout_of_descriptors<typename std::remove_cvref_t<T>::value_type>(plain.layout());
  return make_tensor(DescriptorIterator{make_gmma_desc<MajorMode>(tensor<0>(plain))}, descriptors);
}

}  // namespace tilewright
