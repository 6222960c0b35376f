// Blackwell's matrix operations, tcgen05.mma, of one block or of two blocks of a cluster. All of them are one template over the
// kind, the extents, the element types, where A is, the major modes and the signs; mma/sm100_names.hpp has CuTe's names. B, and A
// in operations _SS, are read from shared memory by descriptors; A in operations _TS, and the sums, are in tensor memory.
//
//   if (warp == 0) { gemm(mma, tCrA(_,_,k), tCrB(_,_,k), tCtAcc);  mma.accumulate_ = UMMA::ScaleOut::One;  umma_arrive(&barrier); }
//   wait_barrier(barrier, phase);
//
// All threads of a warp call a product and one of them makes it. It is asynchronous: its operands may be overwritten, and its
// sums read by make_tmem_copy, when a barrier has completed that umma_arrive was called for.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/mbarrier.hpp"
#include "tilewright/atom/ptx/tcgen05.hpp"
#include "tilewright/mma/host_umma.hpp"
#include "tilewright/mma/mma_atom.hpp"
#include "tilewright/mma/umma_fragments.hpp"
#include "tilewright/mma/umma_operands.hpp"

namespace tilewright {
namespace detail {

template <class A, class B, class D>
inline constexpr bool umma_types_f16 = (std::is_same_v<A, half_t> || std::is_same_v<A, bfloat16_t>)&&(
    std::is_same_v<B, half_t> ||
    std::is_same_v<B, bfloat16_t>)&&(std::is_same_v<D, float> ||
                                     (std::is_same_v<D, half_t> && std::is_same_v<A, half_t> &&
                                      std::is_same_v<B, half_t>));
template <class T>
inline constexpr bool is_umma_eighth = std::is_same_v<T, float_e4m3_t> || std::is_same_v<T, float_e5m2_t>;
template <class T>
inline constexpr bool is_umma_byte = std::is_same_v<T, std::int8_t> || std::is_same_v<T, std::uint8_t>;

/// Which types a kind multiplies and adds.
template <ptx::umma_kind Kind, class A, class B, class D>
inline constexpr bool umma_has_types = false;
template <class A, class B, class D>
inline constexpr bool umma_has_types<ptx::umma_kind::f16, A, B, D> = umma_types_f16<A, B, D>;
template <class D>
inline constexpr bool umma_has_types<ptx::umma_kind::tf32, tfloat32_t, tfloat32_t, D> = std::is_same_v<D, float>;
template <class A, class B, class D>
inline constexpr bool umma_has_types<ptx::umma_kind::f8f6f4, A, B, D> = is_umma_eighth<A>&& is_umma_eighth<B> &&
                                                                        (std::is_same_v<D, float> ||
                                                                         std::is_same_v<D, half_t>);
template <class A, class B, class D>
inline constexpr bool umma_has_types<ptx::umma_kind::i8, A, B, D> =
    is_umma_byte<A>&& is_umma_byte<B>&& std::is_same_v<D, std::int32_t>;

/// PTX ISA, "tcgen05.mma", table of shapes.
template <int Blocks, int M, int N>
inline constexpr bool umma_has_extents = N >= 8 && N <= 256 &&
                                         (Blocks == 1 ? (M == 64 && N % 8 == 0) || (M == 128 && N % 16 == 0)
                                                      : (M == 128 || M == 256) && N % 16 == 0);

}  // namespace detail

/// D (M,N) = A (M,K) · B (N,K) + D, K of 256 bits.
/// Blocks: 1, or 2 of a cluster, each with half of the rows of A, B and D.  ReadsA: A is in shared memory (SS), else in tensor
/// memory (TS).  Shift: D is divided by 2^Shift before the sum
template <ptx::umma_kind Kind, int Blocks, bool ReadsA, class A, class B, class D, int M, int N, UMMA::Major MajorA,
          UMMA::Major MajorB, UMMA::ScaleIn SignA = UMMA::ScaleIn::One, UMMA::ScaleIn SignB = UMMA::ScaleIn::One,
          UMMA::Saturate Saturates = UMMA::Saturate::False, int Shift = 0>
struct block_mma {
  static_assert(
      detail::umma_has_types<Kind, A, B, D>,
      "SM100_MMA: the kind multiplies no such types; F16BF16: half_t and bfloat16_t to float (half_t to half_t), TF32: "
      "tfloat32_t to float, F8F6F4: float_e4m3_t and float_e5m2_t to float or half_t, S8: int8_t and uint8_t to "
      "int32_t");
  static_assert(
      detail::umma_has_extents<Blocks, M, N>,
      "SM100_MMA: no such extents; one block has M = 64 with N a multiple of 8 or M = 128 with N a multiple of 16, two "
      "have M = 128 or 256 with N a multiple of 16; N is at most 256");
  static_assert(ReadsA || MajorA == UMMA::Major::K, "SM100_MMA: A in tensor memory is K-major");
  static_assert(Shift >= 0 && Shift < 16 && (Shift == 0 || Kind == ptx::umma_kind::f16 || Kind == ptx::umma_kind::tf32),
                "SM100_MMA: D is divided by 2^0 to 2^15, in products of the kinds F16BF16 and TF32");
  using a_type = A;
  using b_type = B;
  using d_type = D;
  static constexpr int rows = M, columns = N, k_extent = 256 / sizeof_bits_v<A>, blocks = Blocks, divides_d_by = Shift,
                       scale_vector = 0;
  static constexpr bool reads_a = ReadsA, negative = SignA != SignB, saturates = Saturates == UMMA::Saturate::True;
  static constexpr UMMA::Major major_a = MajorA, major_b = MajorB;
  using operand_a = std::conditional_t<ReadsA, std::uint64_t, std::uint32_t>;
  using DRegisters = void;
  using ARegisters = operand_a[1];
  using BRegisters = std::uint64_t[1];
  using CRegisters = std::uint32_t[1];

  TILEWRIGHT_FN static constexpr UMMA::InstrDescriptor instruction() {
    return UMMA::make_instr_desc<A, B, D, M, N, MajorA, MajorB, SignA, SignB, Saturates>();
  }

  /// Starts tmem_c = A·B, or A·B + tmem_c where scale_c is 1. A by its descriptor or its address, B by its descriptor; the
  /// instruction's descriptor is in the upper half of `instruction`.
  /// pre: all threads of the warp call it; of two blocks, a warp of the block of even rank
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void fma(operand_a const& a, std::uint64_t const& b, std::uint32_t const& tmem_c,
                                std::uint32_t const& scale_c, std::uint64_t const& instruction) {
    if (elect_one_sync() == 0) return;
#if TILEWRIGHT_ON_DEVICE
    using kind = typename ptx::umma_kind_chars<Kind>::type;
    auto const descriptor = static_cast<std::uint32_t>(instruction >> 32);
    if constexpr (ReadsA && Shift == 0) ptx::umma<Blocks, kind>(tmem_c, a, b, descriptor, scale_c);
    else if constexpr (ReadsA) ptx::umma_scaled<Blocks, kind, Shift>(tmem_c, a, b, descriptor, scale_c);
    else if constexpr (Shift == 0) ptx::umma_of_tmem<Blocks, kind>(tmem_c, a, b, descriptor, scale_c);
    else ptx::umma_of_tmem_scaled<Blocks, kind, Shift>(tmem_c, a, b, descriptor, scale_c);
#elif TILEWRIGHT_HOSTED
    detail::start_umma_on_host<block_mma>(tmem_c, a, b, scale_c, instruction);
#endif
  }
};

namespace detail {

/// (block, (row, k)) -> row + Extent * k, each block with its part of the rows.
template <int Blocks, int Extent, class Other>
struct umma_block_value {
  using type =
      Layout<Shape<C<Blocks>, Shape<C<Extent / Blocks>, Other>>, Stride<C<Extent / Blocks>, Stride<_1, C<Extent>>>>;
};
template <int Extent, class Other>
struct umma_block_value<1, Extent, Other> {
  using type = Layout<Shape<_1, Shape<C<Extent>, Other>>, Stride<_0, Stride<_1, C<Extent>>>>;
};
template <int Blocks, bool ReadsA, class A, UMMA::Major MajorA>
using umma_fragment_a =
    std::conditional_t<ReadsA, UMMA::smem_desc<MajorA>, UMMA::tmem_frg<A, A, Blocks, UMMA::TmemAllocMode::Duplicated>>;

template <class D>
struct accumulator_is_in_tensor_memory {
  static constexpr bool value = is_tmem_v<iterator_of<D>>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "SM100_MMA: the sums are in tensor memory; make the accumulator by make_fragment_C of the tiled operation and "
        "assign its address: accumulator.data() = address (docs/errors.md#tensor_memory)");
    return invalid_layout{};
  }
};

/// What the traits of all of Blackwell's products have.
template <class Op>
struct umma_traits {
  using ValTypeD = typename Op::d_type;
  using ValTypeA = typename Op::a_type;
  using ValTypeB = typename Op::b_type;
  using ValTypeC = ValTypeD;
  using FrgTypeA = umma_fragment_a<Op::blocks, Op::reads_a, ValTypeA, Op::major_a>;
  using FrgTypeB = UMMA::smem_desc<Op::major_b>;
  using FrgTypeC = UMMA::tmem_frg<ValTypeD, std::int32_t, Op::blocks, UMMA::TmemAllocMode::NonInterleaved>;
  static constexpr int K = Op::k_extent;
  using Shape_MNK = Shape<C<Op::rows>, C<Op::columns>, C<K>>;
  /// "Threads" are the blocks that multiply together.
  using ThrID = Layout<C<Op::blocks>, std::conditional_t<Op::blocks == 1, _0, _1>>;
  using ALayout = typename umma_block_value<Op::blocks, Op::rows, C<K>>::type;
  using BLayout = typename umma_block_value<Op::blocks, Op::columns, C<K>>::type;
  using CLayout = typename umma_block_value<Op::blocks, Op::rows, C<Op::columns>>::type;

  template <class TD>
  using gemm_check = accumulator_is_in_tensor_memory<TD>;

  /// Whether the next products add to D, or replace it.
  UMMA::ScaleOut accumulate_ = UMMA::ScaleOut::One;
};

}  // namespace detail

template <ptx::umma_kind Kind, int Blocks, bool ReadsA, class A, class B, class D, int M, int N, UMMA::Major MajorA,
          UMMA::Major MajorB, UMMA::ScaleIn SignA, UMMA::ScaleIn SignB, UMMA::Saturate Saturates, int Shift>
struct MMA_Traits<block_mma<Kind, Blocks, ReadsA, A, B, D, M, N, MajorA, MajorB, SignA, SignB, Saturates, Shift>>
    : detail::umma_traits<
          block_mma<Kind, Blocks, ReadsA, A, B, D, M, N, MajorA, MajorB, SignA, SignB, Saturates, Shift>> {
  using operation = block_mma<Kind, Blocks, ReadsA, A, B, D, M, N, MajorA, MajorB, SignA, SignB, Saturates, Shift>;
  UMMA::InstrDescriptor idesc_ = operation::instruction();

  TILEWRIGHT_FN constexpr MMA_Traits with(UMMA::ScaleOut accumulate) const {
    MMA_Traits out = *this;
    out.accumulate_ = accumulate;
    return out;
  }
};

/// Starts C = A·B + C, or A·B where the traits' accumulate_ is Zero.
/// pre: D is C; all threads of a warp call it
TILEWRIGHT_NO_EXEC_CHECK
template <ptx::umma_kind Kind, int Blocks, bool ReadsA, class VA, class VB, class VD, int M, int N, UMMA::Major MajorA,
          UMMA::Major MajorB, UMMA::ScaleIn SignA, UMMA::ScaleIn SignB, UMMA::Saturate Saturates, int Shift, class TD,
          class TA, class TB, class TC>
TILEWRIGHT_FN constexpr void mma_unpack(
    MMA_Traits<block_mma<Kind, Blocks, ReadsA, VA, VB, VD, M, N, MajorA, MajorB, SignA, SignB, Saturates, Shift>> const&
        traits,
    TD&& D, TA const& A, TB const& B, TC const&) {
  using Op = block_mma<Kind, Blocks, ReadsA, VA, VB, VD, M, N, MajorA, MajorB, SignA, SignB, Saturates, Shift>;
  using check = all_hold<detail::accumulator_is_in_tensor_memory<TD>, detail::accumulator_is_in_tensor_memory<TC>>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    typename Op::operand_a a;
    if constexpr (ReadsA) a = A(0).desc_;
    else a = A.data().column();
    Op::fma(a, B(0).desc_, D.data().column(), static_cast<std::uint32_t>(traits.accumulate_),
            UMMA::make_runtime_instr_desc(traits.idesc_));
  }
}

// --- when products are done -------------------------------------------------------------------------------------------
namespace detail {
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
/// At the barrier of the same place in the blocks of the mask; all of them wait for the same products.
inline void arrive_after_products(std::uint64_t* barrier, std::uint32_t blocks) {
  host_copies_so_far const products = thread_of_a_warp().matrix_products().hand_to_a_barrier();
  for (std::uint32_t rank = 0; rank < 16; ++rank)
    if ((blocks >> rank & 1) != 0) arrive_after(products, map_shared_rank(barrier, rank));
}
#endif
}  // namespace detail

/// The barrier gets an arrival when the products that this thread has started so far are done.
/// pre: all threads of the warp call it; Blocks is that of the products
TILEWRIGHT_NO_EXEC_CHECK
template <int Blocks = 1, class Barrier>
TILEWRIGHT_FN void umma_arrive(Barrier&& smem_barrier) {
  if (elect_one_sync() == 0) return;
  std::uint64_t* const word = detail::barrier_word(smem_barrier);
#if TILEWRIGHT_ON_DEVICE
  ptx::umma_commit<Blocks>(word);
#elif TILEWRIGHT_HOSTED
  detail::arrive_after_products(word, 1u << thread_of_a_warp().cluster().rank);
#endif
}
/// The same at the barriers of the same place in the blocks of a mask: bit r for rank r in the cluster.
TILEWRIGHT_NO_EXEC_CHECK
template <int Blocks = 1, class Barrier>
TILEWRIGHT_FN void umma_arrive_multicast(Barrier&& smem_barrier, std::uint16_t mask) {
  if (elect_one_sync() == 0) return;
  std::uint64_t* const word = detail::barrier_word(smem_barrier);
#if TILEWRIGHT_ON_DEVICE
  ptx::umma_commit_multicast<Blocks>(word, mask);
#elif TILEWRIGHT_HOSTED
  detail::arrive_after_products(word, mask);
#endif
}

}  // namespace tilewright
