// What the compiler says of functions whose headers tilewright.hpp leaves out: which header has them. The header defines
// the class of its name, NAME_is_included, after which the overload here does not take part.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/invalid.hpp"

namespace tilewright {
namespace detail {

template <class... A>
struct launch_is_included;
template <class... A>
struct launch_needs_its_header {
  static constexpr bool value = sizeof...(A) > 1000;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "launch: its header is not included; add #include <tilewright/exec/launch.hpp> and link tilewright::engine "
        "(docs/errors.md#missing_header)");
    return invalid_layout{};
  }
};

template <class... A>
struct launch_cpu_is_included;
template <class... A>
struct launch_cpu_needs_its_header {
  static constexpr bool value = sizeof...(A) > 1000;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "launch_cpu: its header is not included; add #include <tilewright/exec/launch.hpp> and link tilewright::engine "
        "(docs/errors.md#missing_header)");
    return invalid_layout{};
  }
};

template <class... A>
struct launch_checked_is_included;
template <class... A>
struct launch_checked_needs_its_header {
  static constexpr bool value = sizeof...(A) > 1000;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "launch_checked: its header is not included; add #include <tilewright/exec/launch_checked.hpp> and "
                  "link tilewright::engine "
                  "(docs/errors.md#missing_header)");
    return invalid_layout{};
  }
};

template <class... A>
struct make_tma_copy_is_included;
template <class... A>
struct make_tma_copy_needs_its_header {
  static constexpr bool value = sizeof...(A) > 1000;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "make_tma_copy: its header is not included; add #include <tilewright/tiled/make_tma_copy.hpp> "
                  "(docs/errors.md#missing_header)");
    return invalid_layout{};
  }
};

}  // namespace detail

template <class... A>
requires(!requires { sizeof(detail::launch_is_included<A...>); }) TILEWRIGHT_FN constexpr auto launch(A const&...) {
  return detail::launch_needs_its_header<A...>::sentence();
}
template <class... A>
requires(!requires { sizeof(detail::launch_cpu_is_included<A...>); }) TILEWRIGHT_FN
    constexpr auto launch_cpu(A const&...) {
  return detail::launch_cpu_needs_its_header<A...>::sentence();
}
template <class... A>
requires(!requires { sizeof(detail::launch_checked_is_included<A...>); }) TILEWRIGHT_FN
    constexpr auto launch_checked(A const&...) {
  return detail::launch_checked_needs_its_header<A...>::sentence();
}
template <class... A>
requires(!requires { sizeof(detail::make_tma_copy_is_included<A...>); }) TILEWRIGHT_FN
    constexpr auto make_tma_copy(A const&...) {
  return detail::make_tma_copy_needs_its_header<A...>::sentence();
}

}  // namespace tilewright
