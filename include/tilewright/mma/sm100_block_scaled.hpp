// Blackwell's block-scaled products: A and B are numbers of 4, 6 or 8 bits, and 16 or 32 of them along K share a factor (PTX ISA,
// "tcgen05.mma.block_scale"; OCP Microscaling Formats). The factors are in tensor memory, put there by tcgen05.cp.
//
//   gemm(mma.with(UMMA::ScaleOut::One, tCtSFA, tCtSFB), tCrA(_,_,k), tCrB(_,_,k), tCtAcc);
//
// tCtSFA and tCtSFB are tensors of bytes in tensor memory whose address is that of the factors of this k: row r of A (column r of
// B) has them in lane r % 32 of each quarter of the lanes, in column address + r / 32, from the byte on that the address names.
// Each block of a pair has the factors of its own rows of A, and those of all of B.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/mma/sm100_umma.hpp"

namespace tilewright {
namespace detail {

template <class T>
inline constexpr bool is_in_a_byte = false;
template <class T>
inline constexpr bool is_in_a_byte<UMMA::in_a_byte<T>> = sizeof_bits_v<T> == 4 || sizeof_bits_v<T> == 6;
template <class T>
inline constexpr bool is_mx_byte = is_umma_eighth<T> || is_in_a_byte<T>;

/// Which types a block-scaled kind multiplies by which factors of how many elements.
template <ptx::umma_kind Kind, class A, class B, class F, int Vector>
inline constexpr bool block_scaled_has_types = false;
template <class A, class B>
inline constexpr bool block_scaled_has_types<ptx::umma_kind::mxf8f6f4, A, B, float_ue8m0_t, 32> =
    is_mx_byte<A>&& is_mx_byte<B>;
template <>
inline constexpr bool block_scaled_has_types<ptx::umma_kind::mxf4, float_e2m1_t, float_e2m1_t, float_ue8m0_t, 32> =
    true;
template <>
inline constexpr bool block_scaled_has_types<ptx::umma_kind::mxf4nvf4, float_e2m1_t, float_e2m1_t, float_ue4m3_t, 16> =
    true;
template <>
inline constexpr bool block_scaled_has_types<ptx::umma_kind::mxf4nvf4, float_e2m1_t, float_e2m1_t, float_ue8m0_t, 16> =
    true;

/// MN-major operands are of 8 bits.
template <class T, UMMA::Major Major>
inline constexpr bool block_scaled_has_major = Major == UMMA::Major::K || is_umma_eighth<T>;

}  // namespace detail

/// D (M,N) = Σ over vectors v of F_A(m,v) · F_B(n,v) · (A (M,v) · B (N,v)) + D, K of 256 bits.
/// Blocks: 1 with M = 128, or 2 of a cluster with M = 256.  F: of factors, one for Vector elements of K
template <ptx::umma_kind Kind, int Blocks, class A, class B, class D, class F, int M, int N, int Vector,
          UMMA::Major MajorA, UMMA::Major MajorB, UMMA::ScaleIn SignA = UMMA::ScaleIn::One,
          UMMA::ScaleIn SignB = UMMA::ScaleIn::One>
struct block_scaled_mma {
  static_assert(
      detail::block_scaled_has_types<Kind, A, B, F, Vector> && std::is_same_v<D, float>,
      "SM100_MMA block-scaled: no such types; MXF8F6F4: floats of 8 bits, or of 4 or 6 bits as TMA unpacks them "
      "(UMMA::in_a_byte), with float_ue8m0_t for 32; MXF4: float_e2m1_t with float_ue8m0_t for 32 or "
      "float_ue4m3_t for 16; sums are float");
  static_assert(
      M == 128 * Blocks && N >= 8 * Blocks && N <= 256 && N % (8 * Blocks) == 0,
      "SM100_MMA block-scaled: no such extents; one block has M = 128 with N a multiple of 8, two have M = 256 "
      "with N a multiple of 16; N is at most 256");
  static_assert(detail::block_scaled_has_major<A, MajorA> && detail::block_scaled_has_major<B, MajorB>,
                "SM100_MMA block-scaled: operands of 4 and 6 bits are K-major");
  using a_type = A;
  using b_type = B;
  using d_type = D;
  using factor_type = F;
  static constexpr int rows = M, columns = N, k_extent = 256 / sizeof_bits_v<A>, blocks = Blocks, divides_d_by = 0,
                       scale_vector = Vector;
  static constexpr bool reads_a = true, negative = SignA != SignB, saturates = false;
  static constexpr UMMA::Major major_a = MajorA, major_b = MajorB;
  using DRegisters = void;
  using ARegisters = std::uint64_t[1];
  using BRegisters = std::uint64_t[1];
  using CRegisters = std::uint32_t[1];
  using SFARegisters = std::uint32_t[1];
  using SFBRegisters = std::uint32_t[1];

  TILEWRIGHT_FN static constexpr UMMA::InstrDescriptorBlockScaled instruction() {
    return UMMA::make_instr_desc_block_scaled<A, B, D, F, M, N, MajorA, MajorB, SignA, SignB>();
  }

  /// Starts the product. A and B by their descriptors; factors by their addresses, whose upper two bits name a byte and are in the
  /// descriptor of the instruction too, which is in the upper half of `instruction`.
  /// pre: all threads of the warp call it; of two blocks, a warp of the block of even rank
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void fma(std::uint64_t const& a, std::uint64_t const& b, std::uint32_t const& tmem_c,
                                std::uint32_t const& scale_c, std::uint64_t const& instruction,
                                std::uint32_t const& factors_a, std::uint32_t const& factors_b) {
    if (elect_one_sync() == 0) return;
#if TILEWRIGHT_ON_DEVICE
    using kind = typename ptx::umma_kind_chars<Kind, Vector>::type;
    constexpr std::uint32_t place = 0x00ffffff;  // lane and column
    ptx::umma_block_scaled<Blocks, kind>(tmem_c, a, b, static_cast<std::uint32_t>(instruction >> 32), factors_a & place,
                                         factors_b & place, scale_c);
#elif TILEWRIGHT_HOSTED
    detail::start_umma_on_host<block_scaled_mma>(tmem_c, a, b, scale_c, instruction, {factors_a}, {factors_b});
#endif
  }
};

template <ptx::umma_kind Kind, int Blocks, class A, class B, class D, class F, int M, int N, int Vector,
          UMMA::Major MajorA, UMMA::Major MajorB, UMMA::ScaleIn SignA, UMMA::ScaleIn SignB>
struct MMA_Traits<block_scaled_mma<Kind, Blocks, A, B, D, F, M, N, Vector, MajorA, MajorB, SignA, SignB>>
    : detail::umma_traits<block_scaled_mma<Kind, Blocks, A, B, D, F, M, N, Vector, MajorA, MajorB, SignA, SignB>> {
  using operation = block_scaled_mma<Kind, Blocks, A, B, D, F, M, N, Vector, MajorA, MajorB, SignA, SignB>;
  using ValTypeSFA = F;
  using ValTypeSFB = F;
  using FrgTypeSFA = UMMA::tmem_sf_frg<F, Vector, Blocks, true>;
  using FrgTypeSFB = UMMA::tmem_sf_frg<F, Vector, Blocks, false>;
  static constexpr int SFVecSize = Vector;
  using MMA_ScaleFactor = operation;

  /// Where the factors of the next products are.
  std::uint32_t tsfa_addr_ = 0, tsfb_addr_ = 0;
  UMMA::InstrDescriptorBlockScaled idesc_ = operation::instruction();

  /// With the factors of A and of B: tensors of tensor memory.
  template <TensorType SFA, TensorType SFB>
  TILEWRIGHT_FN constexpr MMA_Traits with(UMMA::ScaleOut accumulate, SFA const& factors_a, SFB const& factors_b) const {
    static_assert(
        is_tmem_v<typename SFA::iterator> && is_tmem_v<typename SFB::iterator>,
        "SM100_MMA block-scaled: factors are in tensor memory; copy them there by SM100_UTCCP_4x32dp128bit_1cta");
    MMA_Traits out = *this;
    out.accumulate_ = accumulate;
    out.tsfa_addr_ = factors_a.data().get();
    out.tsfb_addr_ = factors_b.data().get();
    return out;
  }
  template <TensorType SFA, TensorType SFB>
  TILEWRIGHT_FN constexpr MMA_Traits with(SFA const& factors_a, SFB const& factors_b) const {
    return with(this->accumulate_, factors_a, factors_b);
  }
};

/// Starts C = A·B + C, or A·B where the traits' accumulate_ is Zero.
/// pre: D is C; all threads of a warp call it
TILEWRIGHT_NO_EXEC_CHECK
template <ptx::umma_kind Kind, int Blocks, class VA, class VB, class VD, class F, int M, int N, int Vector,
          UMMA::Major MajorA, UMMA::Major MajorB, UMMA::ScaleIn SignA, UMMA::ScaleIn SignB, class TD, class TA,
          class TB, class TC>
TILEWRIGHT_FN constexpr void mma_unpack(
    MMA_Traits<block_scaled_mma<Kind, Blocks, VA, VB, VD, F, M, N, Vector, MajorA, MajorB, SignA, SignB>> const& traits,
    TD&& D, TA const& A, TB const& B, TC const&) {
  using Op = block_scaled_mma<Kind, Blocks, VA, VB, VD, F, M, N, Vector, MajorA, MajorB, SignA, SignB>;
  using check = all_hold<detail::accumulator_is_in_tensor_memory<TD>, detail::accumulator_is_in_tensor_memory<TC>>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    Op::fma(A(0).desc_, B(0).desc_, D.data().column(), static_cast<std::uint32_t>(traits.accumulate_),
            UMMA::make_runtime_instr_desc_block_scaled(traits.idesc_, traits.tsfa_addr_, traits.tsfb_addr_),
            traits.tsfa_addr_, traits.tsfb_addr_);
  }
}

#define TILEWRIGHT_X(BLOCKS, NAME)                                                                                   \
  template <class A, class B, class D, class F, int M, int N, UMMA::Major MajorA, UMMA::Major MajorB,                \
            UMMA::ScaleIn SignA = UMMA::ScaleIn::One, UMMA::ScaleIn SignB = UMMA::ScaleIn::One>                      \
  using SM100_MMA_MXF8F6F4_##NAME =                                                                                  \
      block_scaled_mma<ptx::umma_kind::mxf8f6f4, BLOCKS, A, B, D, F, M, N, 32, MajorA, MajorB, SignA, SignB>;        \
  template <class A, class B, class D, class F, int M, int N, int VS, UMMA::Major MajorA, UMMA::Major MajorB,        \
            UMMA::ScaleIn SignA = UMMA::ScaleIn::One, UMMA::ScaleIn SignB = UMMA::ScaleIn::One>                      \
  using SM100_MMA_MXF4_##NAME = block_scaled_mma<VS == 32 ? ptx::umma_kind::mxf4 : ptx::umma_kind::mxf4nvf4, BLOCKS, \
                                                 A, B, D, F, M, N, VS, MajorA, MajorB, SignA, SignB>;
TILEWRIGHT_X(1, SS)
TILEWRIGHT_X(2, 2x1SM_SS)
#undef TILEWRIGHT_X

}  // namespace tilewright
