// The one bridge between the two faces. An operation on types converts its operands' types to a value (lift_value.hpp),
// runs the constexpr algorithm on the values (lift_run.hpp), and expands the result back to a type (lift_type.hpp).
// Here the run-time leaves are computed: the program runs over flat slots by one fold, without loops and without arrays
// in device code; `call` is what every operation of the typed face goes through.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"

#include "tilewright/algebra/lift_type.hpp"

namespace tilewright {
namespace lift {

template <class R, class S>
struct program_slots_of;
template <class R, int... N>
struct program_slots_of<R, seq<N...>> {
  using type = detail::slots_of<seq<N...>, detail::type_list<detail::number_of_t<R::value.nodes[N].type>...>>;
};
template <class R, int Count>
using program_slots = typename program_slots_of<R, make_seq<Count>>::type;

template <op_code op>
struct step {
  template <class T>
  TILEWRIGHT_FN static constexpr T run(T a, T b) {
    if constexpr (op == op_code::add) return checked_sum(a, b);
    else if constexpr (op == op_code::sub) return a - b;
    else if constexpr (op == op_code::mul) return checked_product(a, b);
    else if constexpr (op == op_code::div || op == op_code::mod || op == op_code::ceil_div) return quotient(a, b);
    else if constexpr (op == op_code::min) return a < b ? a : b;
    else if constexpr (op == op_code::max) return a < b ? b : a;
    else if constexpr (op == op_code::abs) return a < T(0) ? -a : a;
    else return static_cast<T>((a > T(0)) - (a < T(0)));
  }

 private:
  template <class T>
  TILEWRIGHT_FN static constexpr T checked_sum(T a, T b) {
    if constexpr (verifies && std::is_signed_v<T>) {
      long long r = 0;
      if (!math::add(a, b, r) || r != static_cast<T>(r)) raise(errc::overflow, a, b);
    }
    return a + b;
  }
  template <class T>
  TILEWRIGHT_FN static constexpr T checked_product(T a, T b) {
    if constexpr (verifies && std::is_signed_v<T>) {
      long long r = 0;
      if (!math::multiply(a, b, r) || r != static_cast<T>(r)) raise(errc::overflow, a, b);
    }
    return a * b;
  }
  template <class T>
  TILEWRIGHT_FN static constexpr T quotient(T a, T b) {
    if constexpr (verifies)
      if (b == T(0)) raise(errc::division_by_zero, static_cast<long long>(a), 0);
    if constexpr (op == op_code::div) return a / b;
    else if constexpr (op == op_code::mod) return a % b;
    else return static_cast<T>(a / b + (a % b != T(0) && (a > T(0)) == (b > T(0))));
  }
};

template <bool IsDynamic, long long number>
struct operand {
  template <class T>
  TILEWRIGHT_FN static constexpr T get(detail::slot<static_cast<int>(number), T> const& s) {
    return s.value;
  }
};
template <long long number>
struct operand<false, number> {
  TILEWRIGHT_FN static constexpr auto get(detail::slots_base const&) { return normal_constant<number>::value; }
};

/// One step of a program: node `I`, computed in the type the program gives it, whatever its operands' types are.
template <class R, int I, class Slots>
TILEWRIGHT_FN constexpr auto run_step(Slots const& s) {
  constexpr auto node = R::value.nodes[I];
  using T = detail::number_of_t<node.type>;
  return step<node.op>::template run<T>(static_cast<T>(operand<!node.a.is_static(), node.a.number>::get(s)),
                                        static_cast<T>(operand<!node.b.is_static(), node.b.number>::get(s)));
}

template <class R, int Begin, class Slots, int... N>
TILEWRIGHT_FN constexpr void run_steps(Slots& s, seq<N...>) {
  ((detail::slot_at<Begin + N>(s) = run_step<R, Begin + N>(s)), ...);
}

/// Loads the operands' run-time leaves into the first slots, in the order `value_of` numbers them.
template <class Slots, class... A, int... N>
TILEWRIGHT_FN constexpr void load_all(Slots& s, seq<N...>, A const&... operands) {
  (detail::store<detail::leaves_before<A...>(N)>(s, operands), ...);
}

template <class R, class Out, class Slots, int... N>
TILEWRIGHT_FN constexpr Out collect(Slots const& s, seq<N...>) {
  Out out{};
  ((detail::slot_at<N>(out) = detail::slot_at<R::value.slots[N]>(s)), ...);
  return out;
}
template <class R, class S>
struct leaf_slots_of;
template <class R, int... N>
struct leaf_slots_of<R, seq<N...>> {
  using type =
      detail::slots_of<seq<N...>, detail::type_list<detail::number_of_t<R::value.nodes[R::value.slots[N]].type>...>>;
};

#if TILEWRIGHT_CHECKED && TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
template <class R, class Slots, int... N>
constexpr void verify(Slots const& s, seq<N...>) {
  ((detail::slot_at<R::value.required[N].id>(s) == 0
        ? void()
        : raise(R::value.required[N].what,
                static_cast<long long>(operand<!R::value.nodes[R::value.required[N].id].a.is_static(),
                                               R::value.nodes[R::value.required[N].id].a.number>::get(s)),
                static_cast<long long>(operand<!R::value.nodes[R::value.required[N].id].b.is_static(),
                                               R::value.nodes[R::value.required[N].id].b.number>::get(s)))),
   ...);
}
#endif

template <class R, result_kind Kind, class... A>
TILEWRIGHT_FN constexpr auto evaluate(A const&... operands) {
  constexpr int live = R::value.inputs + R::value.steps;
  using Result = typename type_of_run<R, Kind>::type;
  program_slots<R, live + (verifies ? R::value.checks : 0)> s{};
  load_all(s, make_seq<static_cast<int>(sizeof...(A))>{}, operands...);
#if TILEWRIGHT_CHECKED && TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  if constexpr (R::value.required_count > 0) {
    run_steps<R, R::value.inputs>(s, make_seq<R::value.steps + R::value.checks>{});
    verify<R>(s, make_seq<R::value.required_count>{});
  } else
#endif
    run_steps<R, R::value.inputs>(s, make_seq<R::value.steps>{});
  if constexpr (Kind == result_kind::layout) {
    return collect<R, Result>(s, make_seq<R::value.leaves>{});
  } else {
    using Leaves = typename leaf_slots_of<R, make_seq<R::value.leaves>>::type;
    return detail::gather<Result, 0>(collect<R, Leaves>(s, make_seq<R::value.leaves>{}));
  }
}

template <class T>
inline constexpr bool is_invalid = is_invalid_v<T>;
template <class... T>
inline constexpr bool is_invalid<tuple<T...>> = (is_invalid<T> || ...);
template <class T>
inline constexpr bool is_invalid<as_tiler<T>> = is_invalid<T>;

/// What `call` is: a run, its error, or an invalid operand handed on. Each has `on(operands…)`, so that between the user's
/// line and a sentence there is the called operation alone.
struct result_of_invalid {
  template <class... A>
  TILEWRIGHT_FN static constexpr invalid_layout on(A const&...) {
    return {};
  }
};
template <errc Code>
struct pick_result {
  template <class R>
  using type = operation_failed<Code, R::value.error.first, R::value.error.second>;
};
template <>
struct pick_result<errc::ok> {
  template <class R>
  using type = R;
};
template <bool IsInvalid>
struct pick_call {
  template <class Op, class... In>
  using type = typename pick_result<Run<Op, In...>::value.error.code>::template type<Run<Op, In...>>;
};
template <>
struct pick_call<true> {
  template <class Op, class... In>
  using type = result_of_invalid;
};

/// call<Op, In…>::on(operands…) runs Op on the operands, whose types are read as In… (a type itself, as_tiler<type>).
/// post: the typed result; after an error, one static_assert sentence and invalid_layout
template <class Op, class... In>
using call = typename pick_call<(is_invalid<In> || ...)>::template type<Op, In...>;

template <errc Code>
struct pick_success {
  template <class R>
  using type = operation_failed<Code, R::value.error.first, R::value.error.second>;
};
template <>
struct pick_success<errc::ok> {
  template <class R>
  using type = no_objection;
};
template <bool IsInvalid>
struct pick_check {
  template <class Op, class... In>
  using type = typename pick_success<Run<Op, In...>::value.error.code>::template type<Run<Op, In...>>;
};
template <>
struct pick_check<true> {
  template <class Op, class... In>
  using type = no_objection;
};

/// The check that Op has a result for these operand types. Invalid operands pass, since their sentence is printed.
template <class Op, class... In>
using succeeds = typename pick_check<(is_invalid<In> || ...)>::template type<Op, In...>;

}  // namespace lift
}  // namespace tilewright
