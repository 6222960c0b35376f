// print_tensor: a tensor and its values.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor_impl.hpp"
#include "cute/util/print.hpp"

namespace cute {

using tilewright::print_tensor;

#if TILEWRIGHT_HOSTED
/// As operator<<.
template <class E, class L>
inline std::ostream& print_tensor_os(std::ostream& out, Tensor<E, L> const& tensor) {
  return out << tensor;
}
#endif

}  // namespace cute
