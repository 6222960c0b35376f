// The standard library's names in namespace cutlass::platform.
#pragma once

#include "tilewright/base/config.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "cutlass/cutlass.h"
#include "cutlass/numeric_types.h"

namespace cutlass::platform {

using std::add_const;
using std::add_cv;
using std::add_volatile;
using std::alignment_of;
using std::bool_constant;
using std::conditional;
using std::conditional_t;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::greater;
using std::integral_constant;
using std::is_arithmetic;
using std::is_base_of;
using std::is_floating_point;
using std::is_fundamental;
using std::is_integral;
using std::is_pointer;
using std::is_same;
using std::is_same_v;
using std::is_signed;
using std::is_trivially_copyable;
using std::is_unsigned;
using std::is_void;
using std::is_volatile;
using std::less;
using std::nullptr_t;
using std::numeric_limits;
using std::plus;
using std::remove_const;
using std::remove_const_t;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_reference;
using std::remove_reference_t;
using std::true_type;
using std::unique_ptr;

template <class T>
CUTLASS_HOST_DEVICE constexpr T const& min(T const& a, T const& b) {
  return b < a ? b : a;
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T const& max(T const& a, T const& b) {
  return a < b ? b : a;
}

}  // namespace cutlass::platform
