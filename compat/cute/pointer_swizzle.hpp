// Swizzled pointers and tensors over them.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/pointer.hpp"
#include "cute/swizzle_layout.hpp"
#include "tilewright/tensor/pointer_swizzle.hpp"

namespace cute {

using tilewright::as_position_dependent_swizzle_tensor;  // the library's own: the way back
using tilewright::as_position_independent_swizzle_layout;
using tilewright::as_position_independent_swizzle_tensor;
using tilewright::get_swizzle_t;
using tilewright::make_swizzle_ptr;
using tilewright::swizzle_ptr;

/// get_swizzle_t as a trait: of a pointer, a tensor or a layout.
template <class T>
struct get_swizzle {
  using type = get_swizzle_t<T>;
};
template <class T>
struct is_swizzle_ptr : bool_constant<tilewright::is_swizzle_ptr_v<std::remove_cvref_t<T>>> {};

}  // namespace cute
