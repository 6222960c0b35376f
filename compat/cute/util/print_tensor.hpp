// print_tensor: a tensor and its values.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor_impl.hpp"
#include "cute/util/print.hpp"

namespace cute {

using tilewright::print_tensor;

/// The values alone, or after the tensor itself; without the values where a tensor has more than four modes, as CuTe.
template <class E, class L>
CUTE_HOST_DEVICE void print_tensor(Tensor<E, L> const& tensor, bool with_layout) {
  if (with_layout) {
    print(tensor);
    print(":\n");
  }
  if constexpr (tilewright::rank_v<L> <= 4) tilewright::detail::print_block(tensor);
}
template <class E, class L>
requires(tilewright::rank_v<L> > 4) CUTE_HOST_DEVICE void print_tensor(Tensor<E, L> const& tensor) {
  cute::print_tensor(tensor, true);
}

#if TILEWRIGHT_HOSTED
/// As operator<<.
template <class E, class L>
inline std::ostream& print_tensor_os(std::ostream& out, Tensor<E, L> const& tensor) {
  return out << tensor;
}
#endif

}  // namespace cute
