// A tuple without padding for constants. Every tuple here is one: empty entries take no space.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/container/tuple.hpp"

namespace cute {

template <class... T>
using packed_tuple = tuple<T...>;

template <class... T>
CUTE_HOST_DEVICE constexpr packed_tuple<T...> make_packed_tuple(T const&... t) {
  return {t...};
}

}  // namespace cute
