// Extents of, or a position in, a matrix product: M, N and K, and a batch of them.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/coord.h"

namespace cutlass::gemm {

/// The extents as a type.
template <int M = 1, int N = 1, int K = 1>
struct GemmShape {
  static constexpr int kM = M;
  static constexpr int kN = N;
  static constexpr int kK = K;
  static constexpr int kMN = M * N;
  static constexpr int kMK = M * K;
  static constexpr int kKN = N * K;
  static constexpr int kMNK = M * N * K;
  static constexpr int kCount = kMNK;
  CUTLASS_HOST_DEVICE static constexpr Coord<3> toCoord() { return make_Coord(M, N, K); }
};

struct GemmCoord : Coord<3, int> {
  using Base = Coord<3, int>;
  static constexpr int kM = 0, kN = 1, kK = 2;

  constexpr GemmCoord() = default;
  CUTLASS_HOST_DEVICE constexpr GemmCoord(Base const& coord) : Base(coord) {}
  CUTLASS_HOST_DEVICE constexpr GemmCoord(int m, int n, int k) : Base({m, n, k}) {}
  CUTLASS_HOST_DEVICE constexpr int const& m() const { return idx[kM]; }
  CUTLASS_HOST_DEVICE constexpr int& m() { return idx[kM]; }
  CUTLASS_HOST_DEVICE constexpr int const& n() const { return idx[kN]; }
  CUTLASS_HOST_DEVICE constexpr int& n() { return idx[kN]; }
  CUTLASS_HOST_DEVICE constexpr int const& k() const { return idx[kK]; }
  CUTLASS_HOST_DEVICE constexpr int& k() { return idx[kK]; }
  CUTLASS_HOST_DEVICE constexpr Coord<3> mnk() const { return make_Coord(m(), n(), k()); }
  CUTLASS_HOST_DEVICE constexpr Coord<3> knm() const { return make_Coord(k(), n(), m()); }
  CUTLASS_HOST_DEVICE constexpr Coord<2> nm() const { return make_Coord(n(), m()); }
  CUTLASS_HOST_DEVICE constexpr Coord<2> mn() const { return make_Coord(m(), n()); }
  CUTLASS_HOST_DEVICE constexpr Coord<2> mk() const { return make_Coord(m(), k()); }
  CUTLASS_HOST_DEVICE constexpr Coord<2> km() const { return make_Coord(k(), m()); }
  CUTLASS_HOST_DEVICE constexpr Coord<2> nk() const { return make_Coord(n(), k()); }
  CUTLASS_HOST_DEVICE constexpr Coord<2> kn() const { return make_Coord(k(), n()); }
};

struct BatchedGemmCoord : Coord<4, int> {
  using Base = Coord<4, int>;
  static constexpr int kM = 0, kN = 1, kK = 2, kBatch = 3;

  constexpr BatchedGemmCoord() = default;
  CUTLASS_HOST_DEVICE constexpr BatchedGemmCoord(Base const& coord) : Base(coord) {}
  CUTLASS_HOST_DEVICE constexpr BatchedGemmCoord(int m, int n, int k, int batch) : Base({m, n, k, batch}) {}
  CUTLASS_HOST_DEVICE constexpr int const& m() const { return idx[kM]; }
  CUTLASS_HOST_DEVICE constexpr int& m() { return idx[kM]; }
  CUTLASS_HOST_DEVICE constexpr int const& n() const { return idx[kN]; }
  CUTLASS_HOST_DEVICE constexpr int& n() { return idx[kN]; }
  CUTLASS_HOST_DEVICE constexpr int const& k() const { return idx[kK]; }
  CUTLASS_HOST_DEVICE constexpr int& k() { return idx[kK]; }
  CUTLASS_HOST_DEVICE constexpr int const& batch() const { return idx[kBatch]; }
  CUTLASS_HOST_DEVICE constexpr int& batch() { return idx[kBatch]; }
  CUTLASS_HOST_DEVICE constexpr GemmCoord mnk() const { return {m(), n(), k()}; }
  CUTLASS_HOST_DEVICE constexpr Coord<4> mnkb() const { return make_Coord(m(), n(), k(), batch()); }
};

}  // namespace cutlass::gemm
