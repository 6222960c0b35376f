// A list of types.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/util/type_traits.hpp"

namespace cute {

template <class... T>
struct type_list {};

/// The index of the first argument that is true; the number of arguments if all are false.
template <bool... Answers>
CUTE_HOST_DEVICE constexpr std::size_t find_true_v_of() {
  bool const answers[] = {Answers..., true};
  std::size_t i = 0;
  while (!answers[i]) ++i;
  return i;
}
template <bool... Answers>
struct find_true {
  static constexpr std::size_t value = find_true_v_of<Answers...>();
};
template <bool... Answers>
inline constexpr std::size_t find_true_v = find_true<Answers...>::value;

}  // namespace cute
