// Small matrices of constant extents, row-major: Matrix<int, 2, 2>{1, 2, 3, 4} * {5, 6, 7, 8} = {19, 22, 43, 50}.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/array.h"
#include "cutlass/coord.h"
#include "cutlass/matrix_coord.h"

namespace cutlass {

template <class Element_, int Rows, int Columns>
struct Matrix {
  using Element = Element_;
  static constexpr int kRows = Rows, kColumns = Columns, kCount = Rows * Columns;
  Array<Element, kCount> data{};

  constexpr Matrix() = default;
  /// By rows.
  template <class... T>
  requires(sizeof...(T) == kCount && kCount > 1) CUTLASS_HOST_DEVICE constexpr Matrix(T const&... values) {
    Element const all[static_cast<std::size_t>(kCount)] = {static_cast<Element>(values)...};
    for (int i = 0; i < kCount; ++i) set(i, all[i]);
  }

  CUTLASS_HOST_DEVICE static constexpr Matrix uniform(Element const& value) {
    Matrix out;
    for (int i = 0; i < kCount; ++i) out.set(i, value);
    return out;
  }
  CUTLASS_HOST_DEVICE static constexpr Matrix identity() {
    Matrix out;
    for (int i = 0; i < kCount; ++i) out.set(i, Element(i / Columns == i % Columns ? 1 : 0));
    return out;
  }

  CUTLASS_HOST_DEVICE constexpr decltype(auto) at(int row, int column) {
    return data[static_cast<std::size_t>(row * Columns + column)];
  }
  CUTLASS_HOST_DEVICE constexpr decltype(auto) at(int row, int column) const {
    return data[static_cast<std::size_t>(row * Columns + column)];
  }
  CUTLASS_HOST_DEVICE constexpr decltype(auto) at(Coord<2> const& at_) { return at(at_[0], at_[1]); }
  CUTLASS_HOST_DEVICE constexpr decltype(auto) at(Coord<2> const& at_) const { return at(at_[0], at_[1]); }

  CUTLASS_HOST_DEVICE constexpr Matrix<Element, Columns, Rows> transpose() const {
    Matrix<Element, Columns, Rows> out;
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Columns; ++j) out.at(j, i) = at(i, j);
    return out;
  }
  CUTLASS_HOST_DEVICE friend constexpr Matrix operator+(Matrix a, Matrix const& b) {
    for (int i = 0; i < kCount; ++i) a.set(i, a.get(i) + b.get(i));
    return a;
  }
  CUTLASS_HOST_DEVICE friend constexpr Matrix operator-(Matrix a, Matrix const& b) {
    for (int i = 0; i < kCount; ++i) a.set(i, a.get(i) - b.get(i));
    return a;
  }
  CUTLASS_HOST_DEVICE friend constexpr Matrix operator*(Matrix a, Element const& b) {
    for (int i = 0; i < kCount; ++i) a.set(i, a.get(i) * b);
    return a;
  }
  CUTLASS_HOST_DEVICE friend constexpr Matrix operator*(Element const& a, Matrix b) {
    for (int i = 0; i < kCount; ++i) b.set(i, a * b.get(i));
    return b;
  }
  /// The matrix product.
  template <int N>
  CUTLASS_HOST_DEVICE constexpr Matrix<Element, Rows, N> operator*(Matrix<Element, Columns, N> const& b) const {
    Matrix<Element, Rows, N> out;
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < N; ++j) {
        Element sum = Element(0);
        for (int k = 0; k < Columns; ++k) sum = static_cast<Element>(sum + at(i, k) * b.at(k, j));
        out.at(i, j) = sum;
      }
    return out;
  }

 private:
  CUTLASS_HOST_DEVICE constexpr Element get(int i) const { return data[static_cast<std::size_t>(i)]; }
  template <class T>
  CUTLASS_HOST_DEVICE constexpr void set(int i, T const& value) {
    data[static_cast<std::size_t>(i)] = static_cast<Element>(value);
  }
};

template <class Element>
using Matrix2x2 = Matrix<Element, 2, 2>;
template <class Element>
using Matrix3x3 = Matrix<Element, 3, 3>;
template <class Element>
using Matrix4x4 = Matrix<Element, 4, 4>;

}  // namespace cutlass
