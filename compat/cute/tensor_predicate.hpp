// Predicates of copy_if that are no tensors of bool: one answer for all, a function of the coordinate, and a tensor whose
// elements are made by a function when they are read. Coordinates themselves are make_identity_tensor's.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor_impl.hpp"

namespace cute {

/// The same answer everywhere.
template <class T>
struct ConstantTensor {
  T val_{};
  template <class... X>
  CUTE_HOST_DEVICE constexpr T const& operator()(X const&...) const {
    return val_;
  }
};
struct TrivialPredTensor {
  template <class... X>
  CUTE_HOST_DEVICE constexpr true_type operator()(X const&...) const {
    return {};
  }
};
template <class F>
struct FunctionPredTensor {
  F fn_;
  CUTE_HOST_DEVICE constexpr explicit FunctionPredTensor(F const& fn) : fn_(fn) {}
  template <class... X>
  CUTE_HOST_DEVICE constexpr auto operator()(X const&... x) const {
    return fn_(x...);
  }
};

/// *it is f of what another iterator points to.
template <class It, class F>
struct transform_iter {
  using reference = std::remove_cvref_t<std::invoke_result_t<F const&, iter_reference_t<It>>>;
  using element_type = reference;
  using value_type = reference;
  It ptr;
  F fn;
  CUTE_HOST_DEVICE constexpr reference operator*() const { return fn(*ptr); }
  template <class I>
  CUTE_HOST_DEVICE constexpr auto operator+(I const& i) const {
    auto const next = ptr + i;
    return transform_iter<std::remove_const_t<decltype(next)>, F>{next, fn};
  }
  template <class I>
  CUTE_HOST_DEVICE constexpr auto operator[](I const& i) const {
    return *(*this + i);
  }
};

template <class It, class F>
CUTE_HOST_DEVICE void print(transform_iter<It, F> const& it) {
  printf("trans_");
  print(it.ptr);
}

template <class F, class It>
CUTE_HOST_DEVICE constexpr auto make_transform_iter(F const& fn, It const& ptr) {
  return transform_iter<It, F>{ptr, fn};
}

namespace lazy {
/// The tensor of f(t(c)), computed at each access.
template <class T, class F>
requires(tilewright::TensorType<T>) CUTE_HOST_DEVICE constexpr auto transform(T const& t, F const& f) {
  auto const data = t.data();
  return make_tensor(transform_iter<std::remove_const_t<decltype(data)>, F>{data, f}, t.layout());
}
}  // namespace lazy

}  // namespace cute
