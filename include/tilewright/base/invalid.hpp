// What an operation on types returns after its one sentence: something that every further operation accepts silently and
// hands on, so that one mistake prints one sentence. It replaces a layout, a tensor, a tiled copy or an element.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/traits.hpp"

namespace tilewright {

struct invalid_layout {
  static constexpr int rank = 1;
  static constexpr int value = 1;

  /// As a number or an element.
  TILEWRIGHT_FN constexpr operator long long() const { return 0; }
  template <class T>
  TILEWRIGHT_FN constexpr invalid_layout operator=(T const&) const {
    return {};
  }
  template <class T>
  TILEWRIGHT_FN constexpr invalid_layout operator+=(T const&) const {
    return {};
  }
  template <class T>
  TILEWRIGHT_FN constexpr invalid_layout operator-=(T const&) const {
    return {};
  }
  template <class T>
  TILEWRIGHT_FN constexpr invalid_layout operator*=(T const&) const {
    return {};
  }

  /// As a layout.
  template <class... T>
  TILEWRIGHT_FN constexpr invalid_layout operator()(T const&...) const {
    return {};
  }
  template <class T>
  TILEWRIGHT_FN constexpr invalid_layout operator[](T const&) const {
    return {};
  }
  template <class... T>
  TILEWRIGHT_FN constexpr invalid_layout compose(T const&...) const {
    return {};
  }
  template <class... T>
  TILEWRIGHT_FN constexpr invalid_layout with_shape(T const&...) const {
    return {};
  }
  template <class T>
  TILEWRIGHT_FN constexpr invalid_layout get_hier_coord(T const&) const {
    return {};
  }
  template <class T>
  TILEWRIGHT_FN constexpr invalid_layout get_flat_coord(T const&) const {
    return {};
  }
  template <class T>
  TILEWRIGHT_FN constexpr invalid_layout get_1d_coord(T const&) const {
    return {};
  }
  TILEWRIGHT_FN constexpr invalid_layout shape() const { return {}; }
  TILEWRIGHT_FN constexpr invalid_layout stride() const { return {}; }

  /// As a tensor.
  TILEWRIGHT_FN constexpr invalid_layout data() const { return {}; }
  TILEWRIGHT_FN constexpr invalid_layout layout() const { return {}; }
  TILEWRIGHT_FN constexpr invalid_layout size() const { return {}; }

  /// As a tiled copy or a thread's slice of one.
  template <class T>
  TILEWRIGHT_FN constexpr invalid_layout get_slice(T const&) const {
    return {};
  }
  template <class T>
  TILEWRIGHT_FN constexpr invalid_layout get_thread_slice(T const&) const {
    return {};
  }
  template <class T>
  TILEWRIGHT_FN constexpr invalid_layout partition_S(T const&) const {
    return {};
  }
  template <class T>
  TILEWRIGHT_FN constexpr invalid_layout partition_D(T const&) const {
    return {};
  }
  template <class T>
  TILEWRIGHT_FN constexpr invalid_layout retile_S(T const&) const {
    return {};
  }
  template <class T>
  TILEWRIGHT_FN constexpr invalid_layout retile_D(T const&) const {
    return {};
  }
  template <class T>
  TILEWRIGHT_FN constexpr invalid_layout tidfrg_S(T const&) const {
    return {};
  }
  template <class T>
  TILEWRIGHT_FN constexpr invalid_layout tidfrg_D(T const&) const {
    return {};
  }
  TILEWRIGHT_FN constexpr invalid_layout get_layoutS_TV() const { return {}; }
  TILEWRIGHT_FN constexpr invalid_layout get_layoutD_TV() const { return {}; }
  TILEWRIGHT_FN constexpr invalid_layout get_layoutS_MN() const { return {}; }
  TILEWRIGHT_FN constexpr invalid_layout get_layoutD_MN() const { return {}; }
  TILEWRIGHT_FN constexpr bool active() const { return false; }
};

template <class T>
inline constexpr bool is_invalid_v = std::is_same_v<std::remove_cvref_t<T>, invalid_layout>;

/// What the silent overloads of functions take: arguments of which one is invalid.
template <class... T>
concept AnyInvalid = (is_invalid_v<T> || ...);

/// What a function takes that ignores its arguments: one function then serves all types, and its sentence comes once.
struct anything {
  constexpr anything() = default;
  template <class T>
  TILEWRIGHT_HOST_DEVICE constexpr anything(T const&) {}
};

// A check of the typed face is a class with the condition as `value` and the static_assert in `sentence`: a function of its
// own, because some compilers give up on a function or a class in which one fails and would report their other uses as
// further errors; and one whose result type is deduced, so that it is instantiated at once, with the line of the user's
// that leads to it. The function that the user calls asks for `value` and calls `sentence` itself: each function between
// the two costs up to three lines of diagnostics.

/// The condition of a check, for places that a user's line leads to directly; where it does not hold, its sentence is
/// printed, with one function more between.
template <class Check>
TILEWRIGHT_FN constexpr bool holds() {
  if constexpr (!Check::value) (void)decltype(Check::sentence()){};
  return Check::value;
}

/// False, as a condition that depends on types: of checks that are asked only after all overloads have failed.
template <class... T>
inline constexpr bool never = false;

/// A check that always holds.
struct no_objection {
  static constexpr bool value = true;
  TILEWRIGHT_FN static constexpr invalid_layout sentence() { return {}; }
};

/// The first of several checks that does not hold, or the last.
template <class Check, class... More>
struct first_failing {
  using type = Check;
};
template <bool Holds>
struct failing_or {
  template <class Check, class...>
  using type = Check;
};
template <>
struct failing_or<true> {
  template <class Check, class... More>
  using type = typename first_failing<More...>::type;
};
template <class Check, class Next, class... More>
struct first_failing<Check, Next, More...> {
  using type = typename failing_or<Check::value>::template type<Check, Next, More...>;
};
/// A check that all of these hold, with the sentence of the first that does not. Those after it are not looked at.
template <class... Checks>
using all_hold = typename first_failing<Checks...>::type;

}  // namespace tilewright
