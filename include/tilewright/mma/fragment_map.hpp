// Where the values of a warp's matrix operands are. One rule of the PTX ISA ("Matrix Fragments for mma.m16n8k16" and its
// like) gives all of them: thread t has row t / 4; a register has 32 bits of successive k, those of thread t % 4 after one
// another; the next registers have row t / 4 + 8, then the next four registers of k. So A of m16n8k16 with 16 bits is
// ((4,8),(2,2,2)):((32,1),(16,8,128)).
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tensor/tensor.hpp"

namespace tilewright::detail {

/// A list of modes without those of one element: one mode as it is, none as 1:0.
template <class Shapes, class Strides>
struct modes_of_values {
  using type = tuple<Shapes, Strides>;
};
template <class S, class D>
struct modes_of_values<tuple<S>, tuple<D>> {
  using type = tuple<S, D>;
};
template <>
struct modes_of_values<tuple<>, tuple<>> {
  using type = tuple<_1, _0>;
};
template <class Shapes, class Strides, int... Modes>
struct without_ones;
template <class... S, class... D>
struct without_ones<tuple<S...>, tuple<D...>> : modes_of_values<tuple<S...>, tuple<D...>> {};
template <class... S, class... D, int Extent, int Step, int... More>
struct without_ones<tuple<S...>, tuple<D...>, Extent, Step, More...>
    : without_ones<tuple<S..., C<Extent>>, tuple<D..., C<Step>>, More...> {};
template <class... S, class... D, int Step, int... More>
struct without_ones<tuple<S...>, tuple<D...>, 1, Step, More...> : without_ones<tuple<S...>, tuple<D...>, More...> {};

/// The map with the given threads, and values by pairs of extent and stride.
template <class ThreadShape, class ThreadStride, int... ExtentsAndStrides>
struct fragment_layout {
  using values = typename without_ones<tuple<>, tuple<>, ExtentsAndStrides...>::type;
  using type = Layout<Shape<ThreadShape, tuple_element_t<0, values>>, Stride<ThreadStride, tuple_element_t<1, values>>>;
};

/// A (Rows = M) or B (Rows = N) of a warp: Rows × K, with `Elements` of them in a register.
template <int Rows, int K, int Elements>
using warp_operand = typename fragment_layout<Shape<_4, _8>, Stride<C<Elements * Rows>, _1>, Elements, Rows, Rows / 8,
                                              8, K / (4 * Elements), 4 * Elements * Rows>::type;
/// C of a warp: M × N, two neighbours of a row for each thread.
template <int M, int N>
using warp_result = typename fragment_layout<Shape<_4, _8>, Stride<C<2 * M>, _1>, 2, M, M / 8, 8, N / 8, 8 * M>::type;

}  // namespace tilewright::detail
