// The matrix operations of a warpgroup, 128 threads: SM90's wgmma. All of them are one template over N, the element types,
// where A is, the major modes and the signs; mma/sm90_gmma_names.hpp has CuTe's names. B, and A in operations _SS, are read
// from shared memory by descriptors, which make_fragment_A and make_fragment_B give as fragments.
//
//   warpgroup_arrive();  gemm(mma, tCrA, tCrB, tCrC);  warpgroup_commit_batch();  warpgroup_wait<0>();
//
// A product is asynchronous: its accumulators may be read, and its operands overwritten, after warpgroup_wait.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/ptx/register_count.hpp"
#include "tilewright/atom/ptx/wgmma.hpp"
#include "tilewright/mma/collective.hpp"
#include "tilewright/mma/gmma_descriptor.hpp"
#include "tilewright/mma/gmma_registers.hpp"
#include "tilewright/mma/host_gmma.hpp"

namespace tilewright {
namespace SM90 {
namespace GMMA {

// --- maps of fragments (PTX ISA, "Register Fragments and Shared Memory Matrix Layouts") -------------------------------
/// C, 64 × N: (thread, value) -> m + 64 n
template <int N>
using CLayout_64xN =
    Layout<Shape<Shape<_4, _8, _4>, Shape<_2, _2, C<N / 8>>>, Stride<Stride<_128, _1, _16>, Stride<_64, _8, _512>>>;
using CLayout_64x8 = CLayout_64xN<8>;
using CLayout_64x16 = CLayout_64xN<16>;
using CLayout_64x24 = CLayout_64xN<24>;
using CLayout_64x32 = CLayout_64xN<32>;
using CLayout_64x40 = CLayout_64xN<40>;
using CLayout_64x48 = CLayout_64xN<48>;
using CLayout_64x56 = CLayout_64xN<56>;
using CLayout_64x64 = CLayout_64xN<64>;
using CLayout_64x72 = CLayout_64xN<72>;
using CLayout_64x80 = CLayout_64xN<80>;
using CLayout_64x88 = CLayout_64xN<88>;
using CLayout_64x96 = CLayout_64xN<96>;
using CLayout_64x104 = CLayout_64xN<104>;
using CLayout_64x112 = CLayout_64xN<112>;
using CLayout_64x120 = CLayout_64xN<120>;
using CLayout_64x128 = CLayout_64xN<128>;
using CLayout_64x136 = CLayout_64xN<136>;
using CLayout_64x144 = CLayout_64xN<144>;
using CLayout_64x152 = CLayout_64xN<152>;
using CLayout_64x160 = CLayout_64xN<160>;
using CLayout_64x168 = CLayout_64xN<168>;
using CLayout_64x176 = CLayout_64xN<176>;
using CLayout_64x184 = CLayout_64xN<184>;
using CLayout_64x192 = CLayout_64xN<192>;
using CLayout_64x200 = CLayout_64xN<200>;
using CLayout_64x208 = CLayout_64xN<208>;
using CLayout_64x216 = CLayout_64xN<216>;
using CLayout_64x224 = CLayout_64xN<224>;
using CLayout_64x232 = CLayout_64xN<232>;
using CLayout_64x240 = CLayout_64xN<240>;
using CLayout_64x248 = CLayout_64xN<248>;
using CLayout_64x256 = CLayout_64xN<256>;
/// A in registers, 64 × K: (thread, value) -> m + 64 k. A register has neighbours of k.
using ALayout_64x8 = Layout<Shape<Shape<_4, _8, _4>, Shape<_2, _2>>, Stride<Stride<_64, _1, _16>, Stride<_8, _256>>>;
using ALayout_64x16 = CLayout_64x16;
using ALayout_64x32 =
    Layout<Shape<Shape<_4, _8, _4>, Shape<_4, _2, _2>>, Stride<Stride<_256, _1, _16>, Stride<_64, _8, _1024>>>;
using ALayout_64x64 =
    Layout<Shape<Shape<_4, _8, _4>, Shape<_8, _2, _2>>, Stride<Stride<_512, _1, _16>, Stride<_64, _8, _2048>>>;
/// An operand in shared memory: every thread has all of it.
template <int MN, int K>
using ABLayout = Layout<Shape<_128, Shape<C<MN>, C<K>>>, Stride<_0, Stride<_1, C<MN>>>>;

}  // namespace GMMA
}  // namespace SM90

namespace detail {

template <int K>
struct gmma_registers_a;
template <>
struct gmma_registers_a<8> {
  using type = SM90::GMMA::ALayout_64x8;
};
template <>
struct gmma_registers_a<16> {
  using type = SM90::GMMA::ALayout_64x16;
};
template <>
struct gmma_registers_a<32> {
  using type = SM90::GMMA::ALayout_64x32;
};

/// T: (V, …)
template <class T>
struct accumulator_is_packed {
  using values = std::remove_cvref_t<decltype(layout<0>(std::declval<typename T::layout_type const&>()))>;
  static constexpr bool value = is_rmem_v<typename T::iterator> && is_static_v<values> &&
                                contiguous_elements<values> >= static_cast<int>(size_v<values>);
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "SM90 GMMA: the accumulator's values of one operation are not contiguous in registers; make it by "
                  "partition_fragment_C or make_fragment_C (docs/errors.md#gmma_accumulator)");
    return invalid_layout{};
  }
};
template <bool IsKMajor>
struct gmma_major_is_k {
  static constexpr bool value = IsKMajor;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "SM90 GMMA: operands of 8 and 32 bits, and A in registers, are K-major; use GMMA::Major::K, or 16-bit "
        "elements (docs/errors.md#gmma_major)");
    return invalid_layout{};
  }
};

}  // namespace detail

/// D (64,N) = A (64,K) · B (N,K) + D, K of 256 bits; K-major unless the elements have 16 bits.
/// ReadsA: A is in shared memory (SS), else in registers (RS)
template <int N, class D, class A, class B, bool ReadsA, SM90::GMMA::Major MajorA = SM90::GMMA::Major::K,
          SM90::GMMA::Major MajorB = SM90::GMMA::Major::K, SM90::GMMA::ScaleIn ScaleA = SM90::GMMA::ScaleIn::One,
          SM90::GMMA::ScaleIn ScaleB = SM90::GMMA::ScaleIn::One, bool Saturates = false>
struct warpgroup_mma
    : detail::gmma_registers<warpgroup_mma<N, D, A, B, ReadsA, MajorA, MajorB, ScaleA, ScaleB, Saturates>, N, D, ReadsA,
                             false> {
  using base = detail::gmma_registers<warpgroup_mma, N, D, ReadsA, false>;
  using typename base::ARegisters;
  using typename base::DRegisters;
  using typename base::register_d;
  static constexpr int k_extent = 256 / sizeof_bits_v<A>;
  /// Starts d = A·B + d, or A·B; A by its descriptor or registers, B by its descriptor.
  /// pre: all threads of the warpgroup call it with the same descriptors, after warpgroup_arrive
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void run(DRegisters& d, ARegisters const& a, std::uint64_t b, SM90::GMMA::ScaleOut scale) {
#if TILEWRIGHT_ON_DEVICE
    if constexpr (ReadsA) ptx::wgmma<N, k_extent, types, tail>(d, a[0], b, static_cast<int>(scale));
    else ptx::wgmma<N, k_extent, types, tail>(d, a, b, static_cast<int>(scale));
#elif TILEWRIGHT_HOSTED
    register_d* to[base::extent_d];
    for (int i = 0; i < base::registers_d; ++i) to[i] = d + i;
    start_on_host(to, a, b, 0, scale);
#endif
  }

 private:
  friend base;
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void run_with(DRegisters& d, ARegisters const& a, std::uint64_t b, std::uint32_t,
                                     SM90::GMMA::ScaleOut scale) {
    run(d, a, b, scale);
  }

#if TILEWRIGHT_ON_DEVICE
  using types = typename ptx::joined<
      std::conditional_t<Saturates, ptx::chars<'.', 's', 'a', 't', 'f', 'i', 'n', 'i', 't', 'e'>, ptx::chars<>>,
      typename ptx::element_chars<D>::type, typename ptx::element_chars<A>::type,
      typename ptx::element_chars<B>::type>::type;
  using tail =
      typename ptx::gmma_tail<std::is_integral_v<D>, sizeof_bits_v<A> == 16, ReadsA, static_cast<int>(ScaleA),
                              static_cast<int>(ScaleB), static_cast<int>(MajorA), static_cast<int>(MajorB)>::type;
#elif TILEWRIGHT_HOSTED
  static void start_on_host(register_d* const (&d)[base::extent_d], ARegisters const& a, std::uint64_t b, std::uint32_t,
                            SM90::GMMA::ScaleOut scale) {
    detail::start_gmma_on_host<
        detail::gmma_of<N, D, A, B, k_extent, k_extent, MajorA, MajorB,
                        Saturates ? detail::mma_rule::saturating : detail::mma_rule::multiply_add>>(
        "warpgroup_mma", d, a, b, 0, 0, scale == SM90::GMMA::ScaleOut::One,
        {static_cast<int>(ScaleA), static_cast<int>(ScaleB)});
  }
#endif
};

namespace detail {
template <class Op>
struct gmma_fragments {};
template <int N, class D, class A, class B, SM90::GMMA::Major MajorA, SM90::GMMA::Major MajorB,
          SM90::GMMA::ScaleIn ScaleA, SM90::GMMA::ScaleIn ScaleB, bool Saturates>
struct gmma_fragments<warpgroup_mma<N, D, A, B, true, MajorA, MajorB, ScaleA, ScaleB, Saturates>> {
  using FrgTypeA = SM90::GMMA::smem_desc<MajorA>;
  using FrgTypeB = SM90::GMMA::smem_desc<MajorB>;
  using ALayout = SM90::GMMA::ABLayout<64, 256 / sizeof_bits_v<A>>;
};
template <int N, class D, class A, class B, SM90::GMMA::Major MajorA, SM90::GMMA::Major MajorB,
          SM90::GMMA::ScaleIn ScaleA, SM90::GMMA::ScaleIn ScaleB, bool Saturates>
struct gmma_fragments<warpgroup_mma<N, D, A, B, false, MajorA, MajorB, ScaleA, ScaleB, Saturates>> {
  using FrgTypeB = SM90::GMMA::smem_desc<MajorB>;
  using ALayout = typename gmma_registers_a<256 / sizeof_bits_v<A>>::type;
};
}  // namespace detail

template <int N, class D, class A, class B, bool ReadsA, SM90::GMMA::Major MajorA, SM90::GMMA::Major MajorB,
          SM90::GMMA::ScaleIn ScaleA, SM90::GMMA::ScaleIn ScaleB, bool Saturates>
struct MMA_Traits<warpgroup_mma<N, D, A, B, ReadsA, MajorA, MajorB, ScaleA, ScaleB, Saturates>>
    : detail::gmma_fragments<warpgroup_mma<N, D, A, B, ReadsA, MajorA, MajorB, ScaleA, ScaleB, Saturates>> {
  using ValTypeD = D;
  using ValTypeA = A;
  using ValTypeB = B;
  using ValTypeC = D;
  using Shape_MNK = Shape<_64, C<N>, C<256 / sizeof_bits_v<A>>>;
  using ThrID = Layout<_128>;
  using BLayout = SM90::GMMA::ABLayout<N, 256 / sizeof_bits_v<A>>;
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

namespace detail {
/// Does a fragment start at the same address as another?
template <class T, class U>
TILEWRIGHT_FN bool is_the_same_fragment(T const& t, U const& u) {
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(t.data())>, std::remove_cvref_t<decltype(u.data())>>)
    return t.data() == u.data();
  else return static_cast<void const*>(&t(0)) == static_cast<void const*>(&u(0));
}
}  // namespace detail

/// Starts D = A·B + C, or A·B where the traits' accumulate_ is Zero. C that is not D is copied to it first.
/// pre: D stays where it is until warpgroup_wait
TILEWRIGHT_NO_EXEC_CHECK
template <int N, class VD, class VA, class VB, bool ReadsA, SM90::GMMA::Major MajorA, SM90::GMMA::Major MajorB,
          SM90::GMMA::ScaleIn ScaleA, SM90::GMMA::ScaleIn ScaleB, bool Saturates, class TD, class TA, class TB,
          class TC>
TILEWRIGHT_FN constexpr void mma_unpack(
    MMA_Traits<warpgroup_mma<N, VD, VA, VB, ReadsA, MajorA, MajorB, ScaleA, ScaleB, Saturates>> const& traits, TD&& D,
    TA const& A, TB const& B, TC const& C) {
  using Op = warpgroup_mma<N, VD, VA, VB, ReadsA, MajorA, MajorB, ScaleA, ScaleB, Saturates>;
  using Traits = MMA_Traits<Op>;
  using check = all_hold<typename Traits::template gemm_check<std::remove_cvref_t<TD>>,
                         detail::fragments_fill_the_registers<Op, std::remove_cvref_t<TD>, TA, TB, TC>>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    using RegD = typename Op::DRegisters;
    if (!detail::is_the_same_fragment(D, C)) {
      TILEWRIGHT_UNROLL
      for (int i = 0; i < static_cast<int>(size(D)); ++i) D(i) = static_cast<VD>(C(i));
    }
    typename Op::ARegisters a{};
    if constexpr (ReadsA) a[0] = A(0).desc_;
    else detail::load_registers(A, a);
    auto* const first = &D(0);
    Op::run(reinterpret_cast<RegD&>(*first), a, B(0).desc_, traits.accumulate_);
  }
}

// --- the order of products and other accesses -------------------------------------------------------------------------
/// Orders this thread's accesses to registers, and those to shared memory that it has fenced, before the next products.
TILEWRIGHT_FN void warpgroup_arrive() {
#if TILEWRIGHT_ON_DEVICE
  ptx::wgmma_fence();
#endif
}
/// Closes the group of this warpgroup's products since the last one.
TILEWRIGHT_NO_EXEC_CHECK
TILEWRIGHT_FN void warpgroup_commit_batch() {
#if TILEWRIGHT_ON_DEVICE
  ptx::wgmma_commit_group();
#elif TILEWRIGHT_HOSTED
  thread_of_a_warp().matrix_products().commit();
#endif
}
/// Waits until all but the latest N groups are complete.
TILEWRIGHT_NO_EXEC_CHECK
template <int N>
TILEWRIGHT_FN void warpgroup_wait() {
  static_assert(N >= 0 && N <= 7,
                "warpgroup_wait<N>: N groups may stay in flight, 0 to 7 (docs/errors.md#gmma_groups)");
#if TILEWRIGHT_ON_DEVICE
  ptx::wgmma_wait_group<N>();
#elif TILEWRIGHT_HOSTED
  thread_of_a_warp().matrix_products().wait(N);
#endif
}
/// Gives each thread of the warpgroup `Count` registers, which other warpgroups of the block gave up; nothing on the host.
/// pre: all threads of the warpgroup call it; a multiple of 8 from 24 to 256; the kernel's launch bounds are known
template <std::uint32_t Count>
TILEWRIGHT_FN void warpgroup_reg_alloc() {
  static_assert(Count % 8 == 0 && Count >= 24 && Count <= 256, "warpgroup_reg_alloc: a multiple of 8 from 24 to 256");
#if TILEWRIGHT_ON_DEVICE
  ptx::take_registers<Count>();
#endif
}
template <std::uint32_t Count>
TILEWRIGHT_FN void warpgroup_reg_dealloc() {
  static_assert(Count % 8 == 0 && Count >= 24 && Count <= 256, "warpgroup_reg_dealloc: a multiple of 8 from 24 to 256");
#if TILEWRIGHT_ON_DEVICE
  ptx::give_registers<Count>();
#endif
}

/// The compiler keeps accesses of a register, or of a fragment's, on their side of this call.
TILEWRIGHT_FN void warpgroup_fence_operand([[maybe_unused]] float& r) {
#if TILEWRIGHT_ON_DEVICE
  ptx::wgmma_hold_register(r);
#endif
}
TILEWRIGHT_FN void warpgroup_fence_operand([[maybe_unused]] std::uint32_t& r) {
#if TILEWRIGHT_ON_DEVICE
  ptx::wgmma_hold_register(r);
#endif
}
template <TensorType T>
TILEWRIGHT_FN void warpgroup_fence_operand([[maybe_unused]] T&& fragment) {
#if TILEWRIGHT_ON_DEVICE
  using Value = typename std::remove_cvref_t<T>::value_type;
  if constexpr (std::is_same_v<Value, float>) {
    TILEWRIGHT_UNROLL
    for (int i = 0; i < static_cast<int>(size(fragment)); ++i) ptx::wgmma_hold_register(fragment(i));
  } else {
    auto const words = recast_ptr<std::uint32_t>(fragment.data());
    TILEWRIGHT_UNROLL
    for (int i = 0; i < static_cast<int>(size(fragment)) * sizeof_bits_v<Value> / 32; ++i)
      ptx::wgmma_hold_register(words[i]);
  }
#endif
}

namespace detail {

// What names of operations are made of, see sm90_gmma_names.def.
using gmma_major = SM90::GMMA::Major;
using gmma_sign = SM90::GMMA::ScaleIn;
/// Operands that are K-major.
template <int N, class D, class A, class B, bool ReadsA, gmma_sign... Signs>
using warpgroup_mma_tn = warpgroup_mma<N, D, A, B, ReadsA, gmma_major::K, gmma_major::K, Signs...>;
template <int N, class A, class B, bool ReadsA, bool Saturates = false>
using warpgroup_mma_s32 = warpgroup_mma<N, std::int32_t, A, B, ReadsA, gmma_major::K, gmma_major::K, gmma_sign::One,
                                        gmma_sign::One, Saturates>;

}  // namespace detail

}  // namespace tilewright
