// What a matrix operation D = A·B + C is: data plus one call. The operation has registers and fma; its traits say which threads
// take part, the shape M × N × K, and where each thread's values of A, B and C are. With them is UniversalFMA, the operation
// of one thread on one value of each, which every machine has.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tensor/tensor.hpp"

namespace tilewright {

/// The maps of an operation. A specialisation has
///   ValTypeD, ValTypeA, ValTypeB, ValTypeC   the element types
///   Shape_MNK                                 (M, N, K)
///   ThrID     (thread of the atom) -> thread index
///   ALayout   (thread, value) -> m + M * k
///   BLayout   (thread, value) -> n + N * k
///   CLayout   (thread, value) -> m + M * n
/// and may have FrgTypeA, FrgTypeB, FrgTypeC: the element types of fragments, where they are others.
template <class Operation, class... Parameters>
struct MMA_Traits;

namespace detail {

/// Where an operation's traits are. Specialised where programs have them elsewhere: compat/ takes those in namespace cute.
template <class Operation>
struct mma_traits_named {
  using type = MMA_Traits<Operation>;
};

namespace own_fma {
TILEWRIGHT_FN void fma() = delete;  // by the arguments' types alone
/// Has a program an fma(d, a, b, c) for its types?
template <class D, class A, class B, class C>
concept is_declared = (std::is_class_v<D> || std::is_class_v<A> || std::is_class_v<B> ||
                       std::is_class_v<C>)&&requires(D& d, A const& a, B const& b, C const& c) {
  fma(d, a, b, c);
};
TILEWRIGHT_NO_EXEC_CHECK
template <class D, class A, class B, class C>
TILEWRIGHT_FN constexpr void call(D& d, A const& a, B const& b, C const& c) {
  fma(d, a, b, c);
}
}  // namespace own_fma

/// a * b + c in the type of c, so that products of narrow numbers are not rounded before they are added.
template <class C, class A, class B>
TILEWRIGHT_FN constexpr auto multiply_add(A const& a, B const& b, C const& c) {
  if constexpr (std::is_same_v<A, C> && std::is_same_v<B, C>) return a * b + c;
  else if constexpr (requires { static_cast<C>(static_cast<C>(a) * static_cast<C>(b) + c); })
    return static_cast<C>(a) * static_cast<C>(b) + c;
  else return a * b + c;
}

}  // namespace detail

/// d = a * b + c by one thread; arithmetic in C's type.
template <class D, class A = D, class B = A, class C = D>
struct UniversalFMA {
  using DRegisters = D[1];
  using ARegisters = A[1];
  using BRegisters = B[1];
  using CRegisters = C[1];
  TILEWRIGHT_FN static constexpr void fma(D& d, A const& a, B const& b, C const& c) {
    if constexpr (detail::own_fma::is_declared<D, A, B, C>) detail::own_fma::call(d, a, b, c);
    else d = static_cast<D>(detail::multiply_add(a, b, c));
  }
};

template <class D, class A, class B, class C>
struct MMA_Traits<UniversalFMA<D, A, B, C>> {
  using ValTypeD = D;
  using ValTypeA = A;
  using ValTypeB = B;
  using ValTypeC = C;
  using Shape_MNK = Shape<_1, _1, _1>;
  using ThrID = Layout<_1>;
  using ALayout = Layout<Shape<_1, _1>>;
  using BLayout = Layout<Shape<_1, _1>>;
  using CLayout = Layout<Shape<_1, _1>>;
};

}  // namespace tilewright
