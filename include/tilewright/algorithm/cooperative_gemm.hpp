// cooperative_gemm: the threads of a tiled operation multiply two tiles of shared memory, without a partition declared for it:
//   C = store(alpha * (load_a(A) · load_b(B)) + beta * load_c(C))        C in shared memory, or
//   C += load_a(A) · load_b(B)                                           C the calling thread's partition_C, in registers.
// A is (M,K), B is (N,K), C is (M,N). Tiles that are whole multiples of the operation's are loaded by copies that may be
// named; elements beyond others count as 0 and are not written.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/algorithm/elementwise.hpp"
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/tiled/make_tiled_copy_mma.hpp"

namespace tilewright {
namespace detail {

struct same_value {
  template <class T>
  TILEWRIGHT_FN constexpr T operator()(T const& x) const {
    return x;
  }
};
template <int RankA, int RankB, int RankC>
struct cooperative_gemm_has_these_ranks {
  static constexpr bool value = RankA == 2 && RankB == 2 && RankC >= 2;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "cooperative_gemm: A is (M,K), B is (N,K), and C is (M,N) in shared memory or a thread's "
                  "(V,RestM,RestN); slice the "
                  "tensors to these modes (docs/errors.md#cooperative_gemm)");
    return invalid_layout{};
  }
};
template <class A, class B>
struct operands_are_static_tiles {
  static constexpr bool value = is_static_v<decltype(std::declval<A const&>().shape())> &&
                                is_static_v<decltype(std::declval<B const&>().shape())>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "cooperative_gemm: the shapes of A and B must be static; make their extents compile-time constants "
                  "(docs/errors.md#cooperative_gemm)");
    return invalid_layout{};
  }
};

template <class Mma, int I, int J, class T>
TILEWRIGHT_CONSTEXPR bool has_whole_tiles() {
  using S = decltype(product_each(std::declval<typename T::layout_type const&>().shape()));
  return tuple_element_t<0, S>::value % decltype(Mma::template tile_size_mnk<I>())::value == 0 &&
         tuple_element_t<1, S>::value % decltype(Mma::template tile_size_mnk<J>())::value == 0;
}

/// The coordinates of a tensor, rounded up to whole tiles.
template <class Mma, int I, int J, class T>
TILEWRIGHT_FN constexpr auto padded_coordinates(T const&) {
  using S = decltype(product_each(std::declval<typename T::layout_type const&>().shape()));
  constexpr int ti = decltype(Mma::template tile_size_mnk<I>())::value,
                tj = decltype(Mma::template tile_size_mnk<J>())::value;
  constexpr int i = tuple_element_t<0, S>::value, j = tuple_element_t<1, S>::value;
  return make_identity_tensor(Shape<C<(i + ti - 1) / ti * ti>, C<(j + tj - 1) / tj * tj>>{});
}

/// fragment(i) = load(tensor(coordinates(i))), 0 beyond the tensor.
template <class T, class Coordinates, class F, class Fragment>
TILEWRIGHT_FN constexpr void load_within(T const& tensor, Coordinates const& at, F const& load, Fragment& fragment) {
  using Value = typename T::value_type;
  using Element = typename Fragment::value_type;
  TILEWRIGHT_UNROLL
  for (int i = 0; i < static_cast<int>(size_v<typename Fragment::layout_type>); ++i) {
    auto const x = at(i);
    bool const inside = get<0>(x) < size<0>(tensor) && get<1>(x) < size<1>(tensor);
    Value const value = inside ? static_cast<Value>(tensor(get<0>(x), get<1>(x))) : Value{};
    fragment(i) = static_cast<Element>(inside ? load(value) : decltype(load(value)){});
  }
}

/// A · B onto this thread's C, all of it in whole tiles.
template <class Thr, class Mma, class TA, class TB, class TC, class LoadA, class LoadB, class CopyA, class CopyB>
TILEWRIGHT_FN constexpr void multiply_whole_tiles(int thread, Mma const& mma, Thr const& thr, TA const& sA,
                                                  TB const& sB, TC& rC, LoadA const& load_a, LoadB const& load_b,
                                                  CopyA const&, CopyB const&) {
  using ValueA = typename TA::value_type;
  using ValueB = typename TB::value_type;
  auto const copy_a = make_tiled_copy_A(Copy_Atom<CopyA, ValueA>{}, mma);
  auto const copy_b = make_tiled_copy_B(Copy_Atom<CopyB, ValueB>{}, mma);
  auto const thr_copy_a = copy_a.get_slice(thread);
  auto const thr_copy_b = copy_b.get_slice(thread);
  auto rA = thr.partition_fragment_A(sA);          // (V, RestM, RestK)
  auto rB = thr.partition_fragment_B(sB);          // (V, RestN, RestK)
  auto raw_a = make_fragment_like<ValueA>(rA);     // (V, RestM, RestK)
  auto raw_b = make_fragment_like<ValueB>(rB);     // (V, RestN, RestK)
  auto const from_a = thr_copy_a.partition_S(sA);  // ((Cpy, Rest), CpyM, CpyK)
  auto const from_b = thr_copy_b.partition_S(sB);  // ((Cpy, Rest), CpyN, CpyK)
  auto to_a = thr_copy_a.retile_D(raw_a);          // ((Cpy, Rest), CpyM, CpyK)
  auto to_b = thr_copy_b.retile_D(raw_b);          // ((Cpy, Rest), CpyN, CpyK)
  copy(copy_a, from_a, to_a);
  copy(copy_b, from_b, to_b);
  TILEWRIGHT_UNROLL
  for (int i = 0; i < static_cast<int>(size_v<decltype(rA.layout())>); ++i)
    rA(i) = static_cast<typename Mma::FrgTypeA>(load_a(static_cast<ValueA>(raw_a(i))));
  TILEWRIGHT_UNROLL
  for (int i = 0; i < static_cast<int>(size_v<decltype(rB.layout())>); ++i)
    rB(i) = static_cast<typename Mma::FrgTypeB>(load_b(static_cast<ValueB>(raw_b(i))));
  gemm(mma, rA, rB, rC);
}

/// The same for tiles that overhang.
template <class Thr, class Mma, class TA, class TB, class TC, class LoadA, class LoadB>
TILEWRIGHT_FN constexpr void multiply_within(Mma const& mma, Thr const& thr, TA const& sA, TB const& sB, TC& rC,
                                             LoadA const& load_a, LoadB const& load_b) {
  auto const at_a = thr.partition_A(padded_coordinates<Mma, 0, 2>(sA));  // (V, RestM, RestK)
  auto const at_b = thr.partition_B(padded_coordinates<Mma, 1, 2>(sB));  // (V, RestN, RestK)
  auto rA = make_tensor<typename Mma::FrgTypeA>(at_a.shape());
  auto rB = make_tensor<typename Mma::FrgTypeB>(at_b.shape());
  load_within(sA, at_a, load_a, rA);
  load_within(sB, at_b, load_b, rB);
  gemm(mma, rA, rB, rC);
}

/// C = store(alpha * acc + beta * load(C)) for this thread's elements; a beta of 0 does not read C.
template <class Coordinates, class Accumulators, class Alpha, class Beta, class TC, class Load, class Store>
TILEWRIGHT_FN constexpr void store_results(Coordinates const& at, Accumulators const& rC, Alpha const& alpha,
                                           Beta const& beta, TC& sC, Load const& load, Store const& store) {
  using Value = typename TC::value_type;
  TILEWRIGHT_UNROLL
  for (int i = 0; i < static_cast<int>(size_v<typename Accumulators::layout_type>); ++i) {
    auto const x = at(i);
    if (!(get<0>(x) < size<0>(sC) && get<1>(x) < size<1>(sC))) continue;
    auto&& c = sC(get<0>(x), get<1>(x));
    auto const product = alpha * rC(i);
    if (beta == Beta{}) c = static_cast<Value>(store(static_cast<Value>(product)));
    else c = static_cast<Value>(store(static_cast<Value>(product + beta * load(static_cast<Value>(c)))));
  }
}

template <class Mma, class TA, class TB>
inline constexpr bool are_whole_tiles = has_whole_tiles<Mma, 0, 2, TA>() && has_whole_tiles<Mma, 1, 2, TB>();

}  // namespace detail

/// C += A·B, C this thread's partition_C (of tiles rounded up to whole ones) in registers.
/// copy_a, copy_b: the operations that load whole tiles, such as SM75_U32x4_LDSM_N{}
/// pre: static shapes; threads from size(mma) onwards take no part; what other threads wrote to A and B is synchronised
template <class Atom, class AtomLayout, class Permutation, TensorType TA, TensorType TB, TensorType TC,
          class LoadA = detail::same_value, class LoadB = detail::same_value, class CopyA = DefaultCopy,
          class CopyB = DefaultCopy>
TILEWRIGHT_FN constexpr void cooperative_gemm(unsigned thread, TiledMMA<Atom, AtomLayout, Permutation> const& mma,
                                              TA const& sA, TB const& sB, TC&& rC, LoadA const& load_a = {},
                                              LoadB const& load_b = {}, CopyA const& copy_a = {},
                                              CopyB const& copy_b = {}) {
  using Mma = TiledMMA<Atom, AtomLayout, Permutation>;
  using check =
      all_hold<detail::cooperative_gemm_has_these_ranks<rank_v<TA>, rank_v<TB>, rank_v<std::remove_cvref_t<TC>>>,
               detail::operands_are_static_tiles<typename TA::layout_type, typename TB::layout_type>>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    auto const thr = mma.get_slice(static_cast<int>(thread));
    if constexpr (detail::are_whole_tiles<Mma, TA, TB>)
      detail::multiply_whole_tiles(static_cast<int>(thread), mma, thr, sA, sB, rC, load_a, load_b, copy_a, copy_b);
    else detail::multiply_within(mma, thr, sA, sB, rC, load_a, load_b);
  }
}

/// C = store_c(alpha * A·B + beta * load_c(C)), C (M,N) in shared memory, in the type of alpha * accumulator.
template <class Atom, class AtomLayout, class Permutation, class Alpha, TensorType TA, TensorType TB, class Beta,
          TensorType TC, class LoadA = detail::same_value, class LoadB = detail::same_value,
          class LoadC = detail::same_value, class StoreC = detail::same_value, class CopyA = DefaultCopy,
          class CopyB = DefaultCopy, class CopyLoadC = DefaultCopy, class CopyStoreC = DefaultCopy>
requires(!TensorType<Alpha> && !TensorType<Beta>) TILEWRIGHT_FN
    constexpr void cooperative_gemm(unsigned thread, TiledMMA<Atom, AtomLayout, Permutation> const& mma,
                                    Alpha const& alpha, TA const& sA, TB const& sB, Beta const& beta, TC&& sC,
                                    LoadA const& load_a = {}, LoadB const& load_b = {}, LoadC const& load_c = {},
                                    StoreC const& store_c = {}, CopyA const& copy_a = {}, CopyB const& copy_b = {},
                                    CopyLoadC const& = {}, CopyStoreC const& = {}) {
  using Mma = TiledMMA<Atom, AtomLayout, Permutation>;
  using check = all_hold<detail::cooperative_gemm_has_these_ranks<rank_v<TA>, rank_v<TB>, 3>,
                         detail::operands_are_static_tiles<typename TA::layout_type, typename TB::layout_type>>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    auto const thr = mma.get_slice(static_cast<int>(thread));
    auto const at = thr.partition_C(detail::padded_coordinates<Mma, 0, 1>(sC));  // (V, RestM, RestN)
    auto rC = make_tensor<typename Mma::FrgTypeC>(at.shape());
    clear(rC);
    cooperative_gemm(thread, mma, sA, sB, rC, load_a, load_b, copy_a, copy_b);
    if (static_cast<int>(thread) < decltype(size(mma))::value)
      detail::store_results(at, rC, alpha, beta, sC, load_c, store_c);
  }
}

}  // namespace tilewright
