// operator<< of the objects that print writes: integers, tuples, layouts, swizzles, small floats, tensors. The operators are
// in the namespace of the types, so that argument-dependent lookup finds them in tests and in logging code.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tensor/pointer_swizzle.hpp"
#include "tilewright/tensor/small_float.hpp"

#if TILEWRIGHT_HOSTED && !defined(__CUDACC_RTC__)
#include <cstddef>
#include <iomanip>
#include <istream>
#include <ostream>

namespace tilewright {

template <auto v>
std::ostream& operator<<(std::ostream& out, C<v> const&) {
  return out << '_' << +v;
}
inline std::ostream& operator<<(std::ostream& out, Underscore const&) { return out << '_'; }
template <int Bits, bool IsSigned>
std::ostream& operator<<(std::ostream& out, integer_subbyte<Bits, IsSigned> const& v) {
  return out << static_cast<int>(v);
}
template <class T>
std::ostream& operator<<(std::ostream& out, subbyte_reference<T> const& v) {
  return out << v.get();
}
template <class S, int E, int M, small_float_range R>
std::ostream& operator<<(std::ostream& out, small_float<S, E, M, R> const& v) {
  return out << static_cast<float>(v);
}
/// The nearest number of the type; where no number follows in the stream, it fails and `v` keeps its value.
template <class S, int E, int M, small_float_range R>
std::istream& operator>>(std::istream& in, small_float<S, E, M, R>& v) {
  float x = 0;
  if (in >> x) v = small_float<S, E, M, R>(x);
  return in;
}
template <int D, class T>
std::ostream& operator<<(std::ostream& out, multiple<D, T> const& v) {
  return out << v.number;
}
template <class T, int... I>
std::ostream& operator<<(std::ostream& out, ScaledBasis<T, I...> const& basis) {
  int const indices[] = {I..., 0};
  out << basis.value();
  for (int i = static_cast<int>(sizeof...(I)) - 1; i >= 0; --i) out << '@' << indices[i];
  return out;
}
namespace detail {
template <class T, int... I>
void stream_entries(std::ostream& out, T const& t, seq<I...>) {
  out << '(';
  ((out << (I == 0 ? "" : ",") << get<I>(t)), ...);
  out << ')';
}
}  // namespace detail
template <class S, class D>
std::ostream& operator<<(std::ostream& out, Layout<S, D> const& layout);
template <class A, class O, class B>
std::ostream& operator<<(std::ostream& out, ComposedLayout<A, O, B> const& layout);
template <class... T>
std::ostream& operator<<(std::ostream& out, tuple<T...> const& t) {
  detail::stream_entries(out, t, make_seq<static_cast<int>(sizeof...(T))>{});
  return out;
}
template <class S, class D>
std::ostream& operator<<(std::ostream& out, Layout<S, D> const& layout) {
  return out << layout.shape() << ':' << layout.stride();
}
template <int B, int M, int S>
std::ostream& operator<<(std::ostream& out, Swizzle<B, M, S> const&) {
  return out << "Sw<" << B << ',' << M << ',' << S << '>';
}
template <class A, detail::FlaggedOffset Flag, class B>
std::ostream& operator<<(std::ostream& out, ComposedLayout<A, Flag, B> const& layout) {
  return out << detail::swizzle_of_bytes<detail::flagged_bits<Flag>>(layout.layout_a()) << " o " << C<0>{} << " o "
             << layout.layout_b();
}
template <class A, class O, class B>
std::ostream& operator<<(std::ostream& out, ComposedLayout<A, O, B> const& layout) {
  return out << layout.layout_a() << " o " << layout.offset() << " o " << layout.layout_b();
}

namespace detail {
/// Integers of 8 bits are characters, as in every stream.
template <class Value, class V>
void stream_value(std::ostream& out, V const& v) {
  if constexpr (is_arithmetic_tuple_v<V>) out << "  " << v;
  else out << std::setw(9) << static_cast<Value>(v);
}
template <class T>
void stream_block(std::ostream& out, T const& t) {
  using Value = typename T::value_type;
  if constexpr (rank_v<T> == 1) {
    for (int m = 0; m < static_cast<int>(size(t)); ++m) {
      stream_value<Value>(out, t(m));
      out << '\n';
    }
  } else if constexpr (rank_v<T> == 2) {
    for (int m = 0; m < static_cast<int>(size<0>(t)); ++m) {
      for (int n = 0; n < static_cast<int>(size<1>(t)); ++n) stream_value<Value>(out, t(m, n));
      out << '\n';
    }
  } else {
    for (int i = 0; i < static_cast<int>(size<rank_v<T> - 1>(t)); ++i) {
      if (i != 0)
        for (int k = 0; k < 9 * static_cast<int>(size<1>(t)); ++k) out << (rank_v<T> == 3 ? '-' : '=');
      if (i != 0) out << '\n';
      stream_block(out, t(tuple_cat(wrap(repeat<rank_v<T> - 1>(_)), tuple<int>{i})));
    }
  }
}
}  // namespace detail
/// The layout and the elements: rows along mode 0, columns along mode 1. As CuTe, without the elements of more than four modes.
template <class E, class L>
std::ostream& operator<<(std::ostream& out, Tensor<E, L> const& tensor) {
  out << tensor.layout() << '\n';
  if constexpr (rank_v<L> <= 4) detail::stream_block(out, tensor);
  return out;
}

}  // namespace tilewright
#endif
