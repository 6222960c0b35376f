// The matrix operations of a warpgroup with a sparse A: SM90's wgmma.mma_async.sp. Of 4 neighbours along K (2 of 32 bits) half are
// stored, and metadata name them: 32 bits in each thread, or in half the threads, which the sparsity selector chooses. All of them
// are one template; mma/sm90_sparse_gmma_names.hpp has CuTe's names. They are ordered as the dense ones of mma/sm90_gmma.hpp are.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/ptx/wgmma_sparse.hpp"
#include "tilewright/mma/sm90_gmma.hpp"
#include "tilewright/tensor/sparse.hpp"

namespace tilewright {
namespace SM90 {
namespace GMMA {

/// Which threads of each four have the metadata of operations with 16 and 32-bit elements: 0 and 1, or 2 and 3.
enum class SparseSel { Zero = 0, One = 1 };

/// The metadata, 64 × K: (thread, value) -> m + 64 k of the elements that a thread's metadata are for. Two threads have the same
/// where K is 16 or 32: the selector says which is read.
using ELayout_64x64 =
    Layout<Shape<Shape<_2, _2, _8, _4>, Shape<_32>>, Stride<Stride<_8, C<2048>, _1, _16>, Stride<_64>>>;
using ELayout_64x32 =
    Layout<Shape<Shape<_2, _2, _8, _4>, Shape<_16, _2>>, Stride<Stride<_1024, _0, _1, _16>, Stride<_64, _8>>>;
using ELayout_64x16 =
    Layout<Shape<Shape<_2, _2, _8, _4>, Shape<_8, _2>>, Stride<Stride<_512, _0, _1, _16>, Stride<_64, _8>>>;

}  // namespace GMMA
}  // namespace SM90

namespace detail {

/// The maps of a sparse A, 64 × K, in registers, and of the metadata. They count all elements.
template <int K>
struct sparse_gmma_maps;
template <>
struct sparse_gmma_maps<16> {
  using in_registers =
      Layout<Shape<Shape<_4, _8, _4>, Shape<_2, _2, _2>>, Stride<Stride<_128, _1, _16>, Stride<_64, _8, _512>>>;
  using metadata = SM90::GMMA::ELayout_64x16;
};
template <>
struct sparse_gmma_maps<32> {
  using in_registers = SM90::GMMA::ALayout_64x32;
  using metadata = SM90::GMMA::ELayout_64x32;
};
template <>
struct sparse_gmma_maps<64> {
  using in_registers =
      Layout<Shape<Shape<_4, _8, _4>, Shape<_8, _2, _2>>, Stride<Stride<_512, _1, _16>, Stride<_64, _8, C<2048>>>>;
  using metadata = SM90::GMMA::ELayout_64x64;
};

}  // namespace detail

/// D (64,N) = A (64,K) · B (N,K) + D, K of 512 bits of B; K-major unless the elements have 16 bits.
/// ReadsA: A is in shared memory (SS), else in registers (RS)
template <int N, class D, class A, class B, bool ReadsA, SM90::GMMA::Major MajorA = SM90::GMMA::Major::K,
          SM90::GMMA::Major MajorB = SM90::GMMA::Major::K, SM90::GMMA::ScaleIn ScaleA = SM90::GMMA::ScaleIn::One,
          SM90::GMMA::ScaleIn ScaleB = SM90::GMMA::ScaleIn::One, bool Saturates = false,
          SM90::GMMA::SparseSel Selector = SM90::GMMA::SparseSel::Zero>
struct warpgroup_sparse_mma
    : detail::gmma_registers<
          warpgroup_sparse_mma<N, D, A, B, ReadsA, MajorA, MajorB, ScaleA, ScaleB, Saturates, Selector>, N, D, ReadsA,
          true> {
  using base = detail::gmma_registers<warpgroup_sparse_mma, N, D, ReadsA, true>;
  using typename base::ARegisters;
  using typename base::DRegisters;
  using typename base::register_d;
  using ERegisters = std::uint32_t[1];
  static constexpr int k_extent = 512 / sizeof_bits_v<A>;
  static_assert(sizeof_bits_v<A> != 8 || Selector == SM90::GMMA::SparseSel::Zero,
                "SM90::GMMA::SPARSE: all threads have metadata of operations with 8-bit elements; use SparseSel::Zero");

  /// Starts d = A·B + d, or A·B; A by its descriptor or registers, B by its descriptor.
  /// pre: all threads of the warpgroup call it with the same descriptors, after warpgroup_arrive
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void run(DRegisters& d, ARegisters const& a, std::uint64_t b, std::uint32_t metadata,
                                SM90::GMMA::ScaleOut scale) {
#if TILEWRIGHT_ON_DEVICE
    if constexpr (ReadsA) ptx::wgmma_sparse<types, selector, tail>(d, a[0], b, metadata, static_cast<int>(scale));
    else ptx::wgmma_sparse<types, selector, tail>(d, a, b, metadata, static_cast<int>(scale));
#elif TILEWRIGHT_HOSTED
    register_d* to[base::extent_d];
    for (int i = 0; i < base::registers_d; ++i) to[i] = d + i;
    start_on_host(to, a, b, metadata, scale);
#endif
  }

 private:
  friend base;
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void run_with(DRegisters& d, ARegisters const& a, std::uint64_t b, std::uint32_t metadata,
                                     SM90::GMMA::ScaleOut scale) {
    run(d, a, b, metadata, scale);
  }

#if TILEWRIGHT_ON_DEVICE
  using types = typename ptx::joined<
      ptx::chars<'n'>, typename ptx::number_chars<N>::type, ptx::chars<'k'>, typename ptx::number_chars<k_extent>::type,
      std::conditional_t<Saturates, ptx::chars<'.', 's', 'a', 't', 'f', 'i', 'n', 'i', 't', 'e'>, ptx::chars<>>,
      typename ptx::element_chars<D>::type, typename ptx::element_chars<A>::type,
      typename ptx::element_chars<B>::type>::type;
  using selector = ptx::immediate_chars<static_cast<int>(Selector)>;
  using tail =
      typename ptx::gmma_tail<std::is_integral_v<D>, sizeof_bits_v<A> == 16, ReadsA, static_cast<int>(ScaleA),
                              static_cast<int>(ScaleB), static_cast<int>(MajorA), static_cast<int>(MajorB)>::type;
#elif TILEWRIGHT_HOSTED
  static void start_on_host(register_d* const (&d)[base::extent_d], ARegisters const& a, std::uint64_t b,
                            std::uint32_t metadata, SM90::GMMA::ScaleOut scale) {
    detail::start_gmma_on_host<
        detail::gmma_of<N, D, A, B, k_extent, k_extent / 2, MajorA, MajorB,
                        Saturates ? detail::mma_rule::saturating : detail::mma_rule::multiply_add>>(
        "warpgroup_sparse_mma", d, a, b, metadata, static_cast<int>(Selector), scale == SM90::GMMA::ScaleOut::One,
        {static_cast<int>(ScaleA), static_cast<int>(ScaleB)});
  }
#endif
};

namespace detail {
template <class Op>
struct sparse_gmma_fragments {};
template <int N, class D, class A, class B, SM90::GMMA::Major MajorA, SM90::GMMA::Major MajorB,
          SM90::GMMA::ScaleIn ScaleA, SM90::GMMA::ScaleIn ScaleB, bool Saturates, SM90::GMMA::SparseSel Selector>
struct sparse_gmma_fragments<
    warpgroup_sparse_mma<N, D, A, B, true, MajorA, MajorB, ScaleA, ScaleB, Saturates, Selector>> {
  using FrgTypeA = SM90::GMMA::smem_desc<MajorA>;
  using FrgTypeB = SM90::GMMA::smem_desc<MajorB>;
  using ALayout = SM90::GMMA::ABLayout<64, 512 / sizeof_bits_v<A>>;
};
template <int N, class D, class A, class B, SM90::GMMA::Major MajorA, SM90::GMMA::Major MajorB,
          SM90::GMMA::ScaleIn ScaleA, SM90::GMMA::ScaleIn ScaleB, bool Saturates, SM90::GMMA::SparseSel Selector>
struct sparse_gmma_fragments<
    warpgroup_sparse_mma<N, D, A, B, false, MajorA, MajorB, ScaleA, ScaleB, Saturates, Selector>> {
  using FrgTypeB = SM90::GMMA::smem_desc<MajorB>;
  using ALayout = typename sparse_gmma_maps<512 / sizeof_bits_v<A>>::in_registers;
};
}  // namespace detail

template <int N, class D, class A, class B, bool ReadsA, SM90::GMMA::Major MajorA, SM90::GMMA::Major MajorB,
          SM90::GMMA::ScaleIn ScaleA, SM90::GMMA::ScaleIn ScaleB, bool Saturates, SM90::GMMA::SparseSel Selector>
struct MMA_Traits<warpgroup_sparse_mma<N, D, A, B, ReadsA, MajorA, MajorB, ScaleA, ScaleB, Saturates, Selector>>
    : detail::sparse_gmma_fragments<
          warpgroup_sparse_mma<N, D, A, B, ReadsA, MajorA, MajorB, ScaleA, ScaleB, Saturates, Selector>> {
  static constexpr int k_extent = 512 / sizeof_bits_v<A>;
  using ValTypeD = D;
  using ValTypeA = sparse_elem<2, A>;
  using ValTypeE = sparse_elem<sizeof_bits_v<A> == 32 ? 4 : 8, std::uint8_t>;
  using ValTypeB = B;
  using ValTypeC = D;
  using Shape_MNK = Shape<_64, C<N>, C<k_extent>>;
  using ThrID = Layout<_128>;
  using ELayout = typename detail::sparse_gmma_maps<k_extent>::metadata;
  using BLayout = SM90::GMMA::ABLayout<N, k_extent>;
  using CLayout = SM90::GMMA::CLayout_64xN<N>;

  template <class TD>
  using gemm_check = all_hold<detail::gmma_major_is_k<(sizeof_bits_v<A> == 16 || (MajorA == SM90::GMMA::Major::K &&
                                                                                  MajorB == SM90::GMMA::Major::K)) &&
                                                      (ReadsA || MajorA == SM90::GMMA::Major::K)>,
                              detail::accumulator_is_packed<TD>>;

  /// Whether the next products add to D, or replace it.
  SM90::GMMA::ScaleOut accumulate_ = SM90::GMMA::ScaleOut::One;

  TILEWRIGHT_FN constexpr MMA_Traits with(SM90::GMMA::ScaleOut accumulate) const {
    MMA_Traits out = *this;
    out.accumulate_ = accumulate;
    return out;
  }
};

/// Matrix operations with a sparse A and metadata.
template <class Op>
concept SparseWarpgroupOperation = requires {
  typename Op::ERegisters;
  typename MMA_Traits<Op>::ELayout;
  MMA_Traits<Op>::k_extent;
};

/// Starts D = A·B + C, or A·B where the traits' accumulate_ is Zero. C that is not D is copied to it first.
/// E: the thread's metadata, 32 bits;  pre: D stays where it is until warpgroup_wait
TILEWRIGHT_NO_EXEC_CHECK
template <SparseWarpgroupOperation Op, class TD, class TA, class TE, class TB, class TC>
TILEWRIGHT_FN constexpr void mma_sparse(MMA_Traits<Op> const& traits, TD&& D, TA const& A, TE const& E, TB const& B,
                                        TC const& C) {
  using Traits = MMA_Traits<Op>;
  auto const a_stored = detail::stored_elements(A);
  auto const e_stored = detail::stored_elements(E);
  using check = all_hold<typename Traits::template gemm_check<std::remove_cvref_t<TD>>,
                         detail::fragments_fill_the_registers<Op, std::remove_cvref_t<TD>,
                                                              std::remove_const_t<decltype(a_stored)>, TB, TC>>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    using RegD = typename Op::DRegisters;
    if (!detail::is_the_same_fragment(D, C)) {
      TILEWRIGHT_UNROLL
      for (int i = 0; i < static_cast<int>(size(D)); ++i) D(i) = static_cast<typename Traits::ValTypeD>(C(i));
    }
    typename Op::ARegisters a{};
    if constexpr (detail::register_count<typename Op::ARegisters> == 1) a[0] = A(0).desc_;
    else detail::load_registers(a_stored, a);
    typename Op::ERegisters metadata{};
    detail::load_registers(e_stored, metadata);
    Op::run(reinterpret_cast<RegD&>(D(0)), a, B(0).desc_, metadata[0], traits.accumulate_);
  }
}

}  // namespace tilewright
