// gemm: D = A·B + C on one thread's fragments, by an atom. The modes say what is meant:
//   (V) × (V) => (V)                     one operation
//   (M) × (N) => (M,N)                   an outer product          (M,K) × (N,K) => (M,N)           a product of matrices
//   (V,M) × (V,N) => (V,M,N)             the same, of atoms        (V,M,K) × (V,N,K) => (V,M,N)
// Without D the result is added to C. Without an atom every product is one multiplication by this thread.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/algorithm/copy.hpp"
#include "tilewright/mma/tiled_mma.hpp"

namespace tilewright {
namespace detail {

template <int RankA, int RankB, int RankC>
struct gemm_has_these_ranks {
  static constexpr bool value =
      RankA == RankB && ((RankA == 1 && (RankC == 1 || RankC == 2)) || (RankA == 2 && (RankC == 2 || RankC == 3)) ||
                         (RankA == 3 && RankC == 3));
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "gemm: the ranks of A, B and C fit no product; give (V)(V)(V), (M)(N)(M,N), (M,K)(N,K)(M,N), "
                  "(V,M)(V,N)(V,M,N) or "
                  "(V,M,K)(V,N,K)(V,M,N) (docs/errors.md#gemm_rank)");
    return invalid_layout{};
  }
};
template <long long M, long long CM, long long N, long long CN, long long AK, long long BK>
struct gemm_extents_agree {
  static constexpr bool value = M == CM && N == CN && AK == BK;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "gemm: the extents of A (M,K), B (N,K) and C (M,N) do not agree; partition all three with one tiled operation "
        "(docs/errors.md#gemm_shape)");
    return invalid_layout{};
  }
};

/// Sizes that may be run-time values: an equal pair where one is unknown, so that the type check passes.
template <class X, class Y>
inline constexpr long long first_of_sizes = static_count<Y> < 0   ? 0
                                            : static_count<X> < 0 ? 0
                                                                  : static_count<X>;
template <class X, class Y>
using sizes_disagree = std::bool_constant<first_of_sizes<X, Y> != first_of_sizes<Y, X>>;

/// An extent of a mode; modes that a tensor lacks are of one.
template <int Mode, class T>
TILEWRIGHT_FN constexpr auto extent_of(T const& t) {
  if constexpr (Mode < rank_v<T>) return size<Mode>(t);
  else return C<1>{};
}

/// Throws (traps in device code) unless both run-time extents are equal.
template <class X, class Y>
TILEWRIGHT_FN constexpr void require_equal_extents(X const& x, Y const& y) {
  if constexpr (!is_constant_v<X> || !is_constant_v<Y>) {
    if (static_cast<long long>(x) == static_cast<long long>(y)) return;
#if TILEWRIGHT_ON_DEVICE || !TILEWRIGHT_HOSTED
    TILEWRIGHT_TRAP();
#else
    raise(error{errc::gemm_shape, static_cast<long long>(x), static_cast<long long>(y)});
#endif
  }
}

/// The tensor with a mode of one value in front.
template <class T>
TILEWRIGHT_FN constexpr auto with_value_mode(T&& t) {
  constexpr int rank = rank_v<std::remove_cvref_t<T>>;
  return make_tensor(t.data(), prepend<rank + 1>(t.layout(), Layout<_1, _0>{}));
}
/// The tensor with a mode K of one.
template <class T>
TILEWRIGHT_FN constexpr auto with_k_mode(T&& t) {
  constexpr int rank = rank_v<std::remove_cvref_t<T>>;
  return make_tensor(t.data(), append<rank + 1>(t.layout(), Layout<_1, _0>{}));
}

/// In this thread's registers: the tensor itself, or a copy of it. Operations read tensor memory themselves.
template <class T>
TILEWRIGHT_FN constexpr T const& in_registers(T const& operand) {  // tensors side by side
  return operand;
}
template <TensorType T>
TILEWRIGHT_FN constexpr auto in_registers(T const& t) {
  using Iterator = std::remove_cvref_t<decltype(t.data())>;
  if constexpr (is_rmem_v<Iterator> || space_of<Iterator> == memory_space::tmem || !is_static_v<decltype(t.shape())>) {
    return make_tensor(t.data(), t.layout());
  } else {
    auto mine = make_fragment_like(t);
    copy(t, mine);
    return mine;
  }
}

/// Is each step of a product asked for by a call of gemm, which a program may have for its own operation and these ranks?
template <class Atom>
inline constexpr bool steps_by_gemm = false;
template <class Mma>
struct atom_of_mma {
  using type = Mma;
};
template <class Mma>
requires requires { typename Mma::AtomType; }
struct atom_of_mma<Mma> {
  using type = typename Mma::AtomType;
};
/// What the steps are called with: of a program's operation the atom, for which its gemm is written.
template <class Mma>
TILEWRIGHT_FN constexpr auto const& step_operation(Mma const& mma) {
  if constexpr (steps_by_gemm<typename atom_of_mma<Mma>::type>)
    return static_cast<typename atom_of_mma<Mma>::type const&>(mma);
  else return mma;
}
/// One operation.
TILEWRIGHT_NO_EXEC_CHECK
template <class Mma, class TD, class TA, class TB, class TC>
TILEWRIGHT_FN constexpr void one_operation(Mma const& mma, TD&& D, TA const& A, TB const& B, TC const& C) {
  if constexpr (steps_by_gemm<Mma>) gemm(mma, D, A, B, C);
  else mma.call(D, A, B, C);
}

/// (V,M) × (V,N) => (V,M,N). Neighbouring operations share an operand: odd columns go through the rows backwards.
template <class Atom, class TD, class TA, class TB, class TC>
TILEWRIGHT_FN constexpr void outer_product_by_columns(Atom const& mma, TD& D, TA const& A, TB const& B, TC const& C) {
  auto const rows = size<1>(A);
  auto const columns = size<1>(B);
  using elements = element_count<TD>;
  for_each_number<1, elements, int>(columns, [&](int n) {
    for_each_number<1, elements, int>(rows, [&](int i) {
      int const m = n % 2 != 0 ? static_cast<int>(plain_number(rows)) - 1 - i : i;
      one_operation(mma, D(_, m, n), A(_, m), B(_, n), C(_, m, n));
    });
  });
}
/// The same in pairs of rows, of which every second goes through the columns backwards: two results share an element of B,
/// and an element of A is at hand for the next but one. For operations of one value: on an H200 CUTLASS's sgemm_1 T N ran at
/// 18.8 TFlop/s by columns and at 22.0 by pairs of rows; operations of a warp ran faster by columns.
template <class Atom, class TD, class TA, class TB, class TC>
TILEWRIGHT_FN constexpr void outer_product_by_row_pairs(Atom const& mma, TD& D, TA const& A, TB const& B, TC const& C) {
  int const rows = static_cast<int>(plain_number(size<1>(A))), columns = static_cast<int>(plain_number(size<1>(B)));
  using elements = element_count<TD>;
  for_each_number<1, elements, int>(ceil_div(size<1>(A), _2{}), [&](int half) {
    int const pair = 2 * half;
    for_each_number<1, elements, int>(size<1>(B), [&](int i) {
      int const n = pair % 4 != 0 ? columns - 1 - i : i;
      TILEWRIGHT_UNROLL
      for (int m = pair; m < pair + 2; ++m)
        if (m < rows) one_operation(mma, D(_, m, n), A(_, m), B(_, n), C(_, m, n));
    });
  });
}
template <class Atom, class TD, class TA, class TB, class TC>
TILEWRIGHT_FN constexpr void outer_product(Atom const& mma, TD& D, TA const& A, TB const& B, TC const& C) {
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(size<0>(D))>, tilewright::C<1>>)
    outer_product_by_row_pairs(mma, D, A, B, C);
  else outer_product_by_columns(mma, D, A, B, C);
}

template <class Atom, class TD, class TA, class TB, class TC>
TILEWRIGHT_FN constexpr void one_step(Atom const& mma, TD& D, TA const& A, TB const& B, TC const& C) {
  if constexpr (steps_by_gemm<Atom>) gemm(mma, D, A, B, C);
  else outer_product(mma, D, A, B, C);
}

/// (V,M,K) × (V,N,K) => (V,M,N).
template <class Atom, class TD, class TA, class TB, class TC>
TILEWRIGHT_FN constexpr void product(Atom const& mma, TD& D, TA const& A, TB const& B, TC const& C) {
  // Unrolled unless A or D are too many for registers: a long D makes the steps long too.
  using elements = std::conditional_t<is_long_loop<element_count<TD>>, element_count<TD>, element_count<TA>>;
  for_each_number<1, elements, int>(size<2>(A), [&](int k) {
    auto const a = in_registers(A(_, _, k));
    auto const b = in_registers(B(_, _, k));
    if (k == 0) one_step(mma, D, a, b, C);
    else one_step(mma, D, a, b, D);
  });
}

template <class Atom, class TD, class TA, class TB, class TC>
TILEWRIGHT_FN constexpr void gemm_by_rank(Atom const& mma, TD&& D, TA const& A, TB const& B, TC const& C) {
  constexpr int rank = rank_v<TA>, c_rank = rank_v<TC>;
  if constexpr (rank == 1 && c_rank == 1) {
    mma.call(D, A, B, C);
  } else if constexpr (c_rank == 2) {
    auto d = with_value_mode(D);
    auto const c = with_value_mode(C);
    if constexpr (rank == 1)
      outer_product(mma, d, in_registers(with_value_mode(A)), in_registers(with_value_mode(B)), c);
    else product(mma, d, with_value_mode(A), with_value_mode(B), c);
  } else if constexpr (rank == 2) {
    outer_product(mma, D, in_registers(A), in_registers(B), C);
  } else {
    product(mma, D, A, B, C);
  }
}

/// The mode M of A, B (there N) and C; K follows in A and B, N in C.
template <class TC>
inline constexpr int gemm_mode_m = rank_v<TC> == 1 ? 1 : rank_v<TC> - 2;
template <int Mode, class T>
using extent_type = std::remove_cvref_t<decltype(extent_of<Mode>(std::declval<T const&>()))>;
template <class M, class CM, class N, class CN, class AK, class BK>
using known_extents_agree = gemm_extents_agree<first_of_sizes<M, CM>, first_of_sizes<CM, M>, first_of_sizes<N, CN>,
                                               first_of_sizes<CN, N>, first_of_sizes<AK, BK>, first_of_sizes<BK, AK>>;
template <class TA, class TB, class TC>
using operands_agree = known_extents_agree<extent_type<gemm_mode_m<TC>, TA>, extent_type<gemm_mode_m<TC>, TC>,
                                           extent_type<gemm_mode_m<TC>, TB>, extent_type<gemm_mode_m<TC> + 1, TC>,
                                           extent_type<gemm_mode_m<TC> + 1, TA>, extent_type<gemm_mode_m<TC> + 1, TB>>;
/// The bits of one operation's values: of mode 0, or of one element where C is (M,N); 0 where they are a run-time value.
template <class T, class TC>
TILEWRIGHT_CONSTEXPR long long bits_of_operand() {
  using Mode0 = std::remove_cvref_t<decltype(size<0>(std::declval<T const&>()))>;
  if constexpr (rank_v<TC> == 2) return sizeof_bits_v<typename T::value_type>;
  else if constexpr (is_constant_v<Mode0>)
    return static_cast<long long>(Mode0::value) * sizeof_bits_v<typename T::value_type>;
  else return 0;
}
template <class T, class TC>
inline constexpr long long operand_bits = bits_of_operand<T, TC>();
template <class Op, class TD, class TA, class TB, class TC>
struct operands_fill_the_registers {
  template <class T, class Registers>
  using fills = fragment_fills_the_registers<operand_bits<T, TC>, register_bits<Registers>>;
  using type = all_hold<fills<TD, typename Op::DRegisters>, fills<TA, typename Op::ARegisters>,
                        fills<TB, typename Op::BRegisters>, fills<TC, typename Op::CRegisters>>;
};
/// Of an operation on tensor memory: B by its descriptors.
template <class Op, class TD, class TA, class TB, class TC>
requires(std::is_void_v<typename Op::DRegisters>) struct operands_fill_the_registers<Op, TD, TA, TB, TC> {
  using type = fragment_fills_the_registers<operand_bits<TB, TC>, register_bits<typename Op::BRegisters>>;
};
template <class TD, class TA, class TB, class TC>
using gemm_has_operands = all_hold<is_writable<TD>, gemm_has_these_ranks<rank_v<TA>, rank_v<TB>, rank_v<TC>>>;
/// What an operation's traits ask besides.
template <class Mma, class TD>
struct operation_check_of {
  using type = no_objection;
};
template <class Mma, class TD>
requires requires { typename Mma::Traits::template gemm_check<TD>; }
struct operation_check_of<Mma, TD> {
  using type = typename Mma::Traits::template gemm_check<TD>;
};
template <class Mma, class TD, class TA, class TB, class TC,
          bool HasOperands = gemm_has_operands<TD, TA, TB, TC>::value>
struct gemm_check_of {
  using type = gemm_has_operands<TD, TA, TB, TC>;
};
template <class Mma, class TD, class TA, class TB, class TC>
struct gemm_check_of<Mma, TD, TA, TB, TC, true> {
  using type = operands_agree<TA, TB, TC>;
};
template <class Mma, class TD, class TA, class TB, class TC>
requires requires { typename Mma::MMA_Op::DRegisters; }
struct gemm_check_of<Mma, TD, TA, TB, TC, true> {
  using type = all_hold<operands_agree<TA, TB, TC>,
                        typename operands_fill_the_registers<typename Mma::MMA_Op, TD, TA, TB, TC>::type,
                        typename operation_check_of<Mma, TD>::type>;
};
template <class Mma, class TD, class TA, class TB, class TC>
using gemm_check = typename gemm_check_of<Mma, TD, TA, TB, TC>::type;
/// By a thread's own multiplications, where (V) × (V) => (V) goes element by element.
template <class TA, class TB, class TC>
using thread_gemm_check =
    typename std::conditional_t<rank_v<TA> == 1 && rank_v<TC> == 1, failed_check<no_objection>,
                                gemm_check_of<MMA_Atom<UniversalFMA<typename TC::value_type, typename TA::value_type,
                                                                    typename TB::value_type, typename TC::value_type>>,
                                              TC, TA, TB, TC>>::type;

}  // namespace detail

/// D = A·B + C by an atom, or by what is made of one (a tiled operation, a thread's slice), on this thread's fragments.
/// pre: the extents agree; every thread of the atom calls it; K is not 0, or D is C
TILEWRIGHT_NO_EXEC_CHECK
template <MmaAtomType Mma, TensorType TD, TensorType TA, TensorType TB, TensorType TC>
TILEWRIGHT_FN constexpr void gemm(Mma const& mma, TD&& D, TA const& A, TB const& B, TC const& C) {
  using check = detail::gemm_check<Mma, std::remove_cvref_t<TD>, TA, TB, TC>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    constexpr int mode_m = detail::gemm_mode_m<TC>;
    detail::require_equal_extents(detail::extent_of<mode_m>(A), detail::extent_of<mode_m>(C));
    detail::require_equal_extents(detail::extent_of<mode_m>(B), detail::extent_of<mode_m + 1>(C));
    detail::require_equal_extents(detail::extent_of<mode_m + 1>(A), detail::extent_of<mode_m + 1>(B));
    detail::gemm_by_rank(detail::step_operation(mma), D, A, B, C);
  }
}
/// C = A·B + C.
TILEWRIGHT_NO_EXEC_CHECK
template <MmaAtomType Mma, TensorType TA, TensorType TB, TensorType TC>
TILEWRIGHT_FN constexpr void gemm(Mma const& mma, TA const& A, TB const& B, TC&& C) {
  using check = detail::gemm_check<Mma, std::remove_cvref_t<TC>, TA, TB, std::remove_cvref_t<TC>>;
  if constexpr (!check::value) (void)check::sentence();
  else gemm(mma, C, A, B, C);
}

namespace detail {
/// A partition in shared memory that the operation reads by descriptors.
template <class Fragment, class T>
concept is_read_by_descriptors = is_smem_v<std::remove_cvref_t<decltype(std::declval<T const&>().data())>> &&
    requires(T const& t) {
  Fragment::fragment_of(t);
};
template <class Mma, class TA, class TB>
concept has_partitions_for_descriptors =
    is_read_by_descriptors<typename Mma::FrgTypeA, TA> || is_read_by_descriptors<typename Mma::FrgTypeB, TB>;
template <class Mma, TensorType T>
TILEWRIGHT_FN constexpr auto fragment_a_of(T const& a) {
  if constexpr (is_read_by_descriptors<typename Mma::FrgTypeA, T>) return Mma::make_fragment_A(a);
  else return a;
}
template <class Mma, TensorType T>
TILEWRIGHT_FN constexpr auto fragment_b_of(T const& b) {
  if constexpr (is_read_by_descriptors<typename Mma::FrgTypeB, T>) return Mma::make_fragment_B(b);
  else return b;
}
}  // namespace detail

/// With A or B as partition_A and partition_B give them, in shared memory: their descriptors are made here.
TILEWRIGHT_NO_EXEC_CHECK
template <MmaAtomType Mma, TensorType TA, TensorType TB, TensorType TC>
requires(detail::has_partitions_for_descriptors<Mma, TA, TB>) TILEWRIGHT_FN
    constexpr void gemm(Mma const& mma, TA const& A, TB const& B, TC&& C) {
  gemm(mma, C, detail::fragment_a_of<Mma>(A), detail::fragment_b_of<Mma>(B), C);
}

/// By multiplications of this thread, in C's type. (V) × (V) => (V) goes element by element.
TILEWRIGHT_NO_EXEC_CHECK
template <TensorType TD, TensorType TA, TensorType TB, TensorType TC>
TILEWRIGHT_FN constexpr void gemm(TD&& D, TA const& A, TB const& B, TC const& C) {
  using Fma = UniversalFMA<typename std::remove_cvref_t<TD>::value_type, typename TA::value_type,
                           typename TB::value_type, typename TC::value_type>;
  if constexpr (rank_v<TA> == 1 && rank_v<TC> == 1) {
    detail::for_each_number<4, detail::element_count<TC>, int>(size(C), [&](int i) {
      typename std::remove_cvref_t<TD>::value_type d{};
      Fma::fma(d, A(i), B(i), C(i));
      D(i) = d;
    });
  } else {
    using check = detail::gemm_check<MMA_Atom<Fma>, std::remove_cvref_t<TD>, TA, TB, TC>;
    if constexpr (!check::value) (void)check::sentence();
    else gemm(MMA_Atom<Fma>{}, D, A, B, C);
  }
}
TILEWRIGHT_NO_EXEC_CHECK
template <TensorType TA, TensorType TB, TensorType TC>
TILEWRIGHT_FN constexpr void gemm(TA const& A, TB const& B, TC&& C) {
  using check = detail::thread_gemm_check<TA, TB, std::remove_cvref_t<TC>>;
  if constexpr (!check::value) (void)check::sentence();
  else gemm(C, A, B, C);
}

/// Of the result of a failed operation.
template <class... A>
requires AnyInvalid<A...> TILEWRIGHT_FN constexpr void gemm(A&&...) {}

}  // namespace tilewright
