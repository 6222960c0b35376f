// Between a thread's fragments, which are tensors of elements, and the registers that an operation's fma takes.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/universal.hpp"
#include "tilewright/mma/mma_traits.hpp"

namespace tilewright {
namespace detail {

template <long long Fragment, long long Registers>
struct fragment_fills_the_registers {
  static constexpr bool value = Fragment == Registers;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "MMA_Atom: a fragment has other bits than the operation's registers; make it by partition_fragment_A, _B or "
        "_C of the same operation (docs/errors.md#mma_fragment)");
    return invalid_layout{};
  }
};

/// The bits of a fragment, 0 where its size is a run-time value.
template <class T>
inline constexpr long long fragment_bits =
    is_static_v<typename T::layout_type>
        ? static_cast<long long>(size_v<typename T::layout_type>) * sizeof_bits_v<typename T::value_type>
        : 0;
/// Of an operation's registers, such as std::uint32_t[4].
template <class R>
struct registers_named;
template <class R, std::size_t N>
struct registers_named<R[N]> {
  using type = R;
  static constexpr int count = static_cast<int>(N);
};
template <class R>
using register_type = typename registers_named<R>::type;
template <class R>
inline constexpr int register_count = registers_named<R>::count;
template <class R>
inline constexpr long long register_bits = static_cast<long long>(register_count<R>) * sizeof_bits_v<register_type<R>>;

/// Of the four operands of an operation.
template <class Op, class D, class A, class B, class C>
using fragments_fill_the_registers =
    all_hold<fragment_fills_the_registers<fragment_bits<D>, register_bits<typename Op::DRegisters>>,
             fragment_fills_the_registers<fragment_bits<A>, register_bits<typename Op::ARegisters>>,
             fragment_fills_the_registers<fragment_bits<B>, register_bits<typename Op::BRegisters>>,
             fragment_fills_the_registers<fragment_bits<C>, register_bits<typename Op::CRegisters>>>;

/// In a thread's own memory, its elements contiguous.
template <class T>
inline constexpr bool is_a_packed_fragment = is_rmem_v<std::remove_cvref_t<decltype(std::declval<T const&>().data())>>&&
                                                 contiguous_elements<typename T::layout_type> >=
                                             static_cast<int>(size_v<typename T::layout_type>);

/// post: registers[i] has the bits of the elements i * n … i * n + n - 1
/// pre: the fragment has as many bits as the registers
template <class R, std::size_t Count, class T>
TILEWRIGHT_FN constexpr void load_registers(T const& fragment, R (&registers)[Count]) {
  constexpr int N = static_cast<int>(Count);
  using Element = typename T::value_type;
  constexpr int bits = sizeof_bits_v<R>;
  if constexpr (std::is_same_v<Element, R>) {
    TILEWRIGHT_UNROLL
    for (int i = 0; i < N; ++i) registers[i] = fragment(i);
  } else if constexpr (is_a_packed_fragment<T>) {
    auto const words = recast_ptr<word<bits>>(first_element(fragment));
    TILEWRIGHT_UNROLL
    for (int i = 0; i < N; ++i) registers[i] = __builtin_bit_cast(R, word<bits>(words[i]));
  } else {
    auto mine = make_tensor<Element>(Shape<C<static_cast<int>(size_v<typename T::layout_type>)>>{});
    TILEWRIGHT_UNROLL
    for (int i = 0; i < static_cast<int>(size_v<typename T::layout_type>); ++i)
      mine(i) = static_cast<Element>(fragment(i));
    load_registers(mine, registers);
  }
}
template <class R, std::size_t Count, class T>
TILEWRIGHT_FN constexpr void store_registers(R const (&registers)[Count], T&& fragment) {
  constexpr int N = static_cast<int>(Count);
  using Fragment = std::remove_cvref_t<T>;
  using Element = typename Fragment::value_type;
  constexpr int bits = sizeof_bits_v<R>;
  if constexpr (std::is_same_v<Element, R>) {
    TILEWRIGHT_UNROLL
    for (int i = 0; i < N; ++i) fragment(i) = registers[i];
  } else if constexpr (is_a_packed_fragment<Fragment>) {
    auto const words = recast_ptr<word<bits>>(first_element(fragment));
    TILEWRIGHT_UNROLL
    for (int i = 0; i < N; ++i) words[i] = __builtin_bit_cast(word<bits>, registers[i]);
  } else {
    auto mine = make_tensor<Element>(Shape<C<static_cast<int>(size_v<typename Fragment::layout_type>)>>{});
    store_registers(registers, mine);
    TILEWRIGHT_UNROLL
    for (int i = 0; i < static_cast<int>(size_v<typename Fragment::layout_type>); ++i)
      fragment(i) = static_cast<Element>(mine(i));
  }
}

/// Op::fma with every register as an argument: those of D, A, B and C.
template <class Op, class D, class A, class B, class C, int... ND, int... NA, int... NB, int... NC>
TILEWRIGHT_FN constexpr void call_fma(D& d, A const& a, B const& b, C const& c, seq<ND...>, seq<NA...>, seq<NB...>,
                                      seq<NC...>) {
  Op::fma(d[ND]..., a[NA]..., b[NB]..., c[NC]...);
}

/// D = A·B + C by Op's fma, or by its run on arrays of registers.
TILEWRIGHT_NO_EXEC_CHECK
template <class Op, class TD, class TA, class TB, class TC>
TILEWRIGHT_FN constexpr void mma_by_registers(TD&& D, TA const& A, TB const& B, TC const& C) {
  using RegD = typename Op::DRegisters;
  using RegA = typename Op::ARegisters;
  using RegB = typename Op::BRegisters;
  using RegC = typename Op::CRegisters;
  using check = fragments_fill_the_registers<Op, std::remove_cvref_t<TD>, TA, TB, TC>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    register_type<RegD> d[register_count<RegD>]{};
    register_type<RegA> a[register_count<RegA>]{};
    register_type<RegB> b[register_count<RegB>]{};
    register_type<RegC> c[register_count<RegC>]{};
    load_registers(A, a);
    load_registers(B, b);
    load_registers(C, c);
    if constexpr (requires { Op::run(d, a, b, c); }) {
      Op::run(d, a, b, c);
    } else {
      call_fma<Op>(d, a, b, c, make_seq<register_count<RegD>>{}, make_seq<register_count<RegA>>{},
                   make_seq<register_count<RegB>>{}, make_seq<register_count<RegC>>{});
    }
    store_registers(d, D);
  }
}

}  // namespace detail

/// One operation on one thread's fragments: D = A·B + C.
/// pre: each fragment has the bits of the operation's registers; all threads of the atom call it
TILEWRIGHT_NO_EXEC_CHECK
template <class Op, class... Parameters, class TD, class TA, class TB, class TC>
TILEWRIGHT_FN constexpr void mma_unpack(MMA_Traits<Op, Parameters...> const&, TD&& D, TA const& A, TB const& B,
                                        TC const& C) {
  detail::mma_by_registers<Op>(D, A, B, C);
}

}  // namespace tilewright
