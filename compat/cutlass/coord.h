// Positions and extents of a fixed number of modes, by CUTLASS's names: Coord<2> {3, 5} + Coord<2> {1, 1} = {4, 6}.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"

namespace cutlass {

template <int Rank_, class Index_ = int, class LongIndex_ = std::int64_t>
struct Coord {
  static constexpr int kRank = Rank_;
  using Index = Index_;
  using LongIndex = LongIndex_;
  Index idx[static_cast<std::size_t>(kRank)]{};

  constexpr Coord() = default;
  CUTLASS_HOST_DEVICE constexpr explicit Coord(Index value) {
    for (int i = 0; i < kRank; ++i) idx[i] = value;
  }
  CUTLASS_HOST_DEVICE constexpr Coord(Index const (&values)[static_cast<std::size_t>(kRank)]) {
    for (int i = 0; i < kRank; ++i) idx[i] = values[i];
  }

  CUTLASS_HOST_DEVICE constexpr Index& operator[](int i) { return idx[i]; }
  CUTLASS_HOST_DEVICE constexpr Index const& operator[](int i) const { return idx[i]; }
  template <int Dim>
  CUTLASS_HOST_DEVICE constexpr Index& at() {
    return idx[Dim];
  }
  template <int Dim>
  CUTLASS_HOST_DEVICE constexpr Index const& at() const {
    return idx[Dim];
  }
  CUTLASS_HOST_DEVICE constexpr Index& at(int i) { return idx[i]; }
  CUTLASS_HOST_DEVICE constexpr Index const& at(int i) const { return idx[i]; }
  /// Slice entries from Start on, 0 beyond the last.
  template <int Slice>
  CUTLASS_HOST_DEVICE constexpr Coord<Slice, Index, LongIndex> slice(int start = 0, Index beyond = 0) const {
    Coord<Slice, Index, LongIndex> out;
    for (int i = 0; i < Slice; ++i) out[i] = i + start < kRank ? idx[i + start] : beyond;
    return out;
  }

  CUTLASS_HOST_DEVICE constexpr Coord& operator+=(Coord const& b) {
    for (int i = 0; i < kRank; ++i) idx[i] = static_cast<Index>(idx[i] + b.idx[i]);
    return *this;
  }
  CUTLASS_HOST_DEVICE constexpr Coord& operator-=(Coord const& b) {
    for (int i = 0; i < kRank; ++i) idx[i] = static_cast<Index>(idx[i] - b.idx[i]);
    return *this;
  }
  CUTLASS_HOST_DEVICE constexpr Coord& operator*=(Coord const& b) {
    for (int i = 0; i < kRank; ++i) idx[i] = static_cast<Index>(idx[i] * b.idx[i]);
    return *this;
  }
  CUTLASS_HOST_DEVICE constexpr Coord& operator/=(Coord const& b) {
    for (int i = 0; i < kRank; ++i) idx[i] = static_cast<Index>(idx[i] / b.idx[i]);
    return *this;
  }
  CUTLASS_HOST_DEVICE friend constexpr Coord operator+(Coord a, Coord const& b) { return a += b; }
  CUTLASS_HOST_DEVICE friend constexpr Coord operator-(Coord a, Coord const& b) { return a -= b; }
  CUTLASS_HOST_DEVICE friend constexpr Coord operator*(Coord a, Coord const& b) { return a *= b; }
  CUTLASS_HOST_DEVICE friend constexpr Coord operator/(Coord a, Coord const& b) { return a /= b; }
  CUTLASS_HOST_DEVICE friend constexpr Coord operator*(Index s, Coord a) { return a *= Coord(s); }
  CUTLASS_HOST_DEVICE friend constexpr Coord operator*(Coord a, Index s) { return a *= Coord(s); }
  CUTLASS_HOST_DEVICE friend constexpr Coord operator/(Coord a, Index s) { return a /= Coord(s); }

  CUTLASS_HOST_DEVICE constexpr bool operator==(Coord const& b) const {
    for (int i = 0; i < kRank; ++i)
      if (idx[i] != b.idx[i]) return false;
    return true;
  }
  /// Of all entries.
  CUTLASS_HOST_DEVICE constexpr bool operator<(Coord const& b) const {
    for (int i = 0; i < kRank; ++i)
      if (!(idx[i] < b.idx[i])) return false;
    return true;
  }
  CUTLASS_HOST_DEVICE constexpr bool operator<=(Coord const& b) const {
    for (int i = 0; i < kRank; ++i)
      if (!(idx[i] <= b.idx[i])) return false;
    return true;
  }
  CUTLASS_HOST_DEVICE constexpr bool operator>(Coord const& b) const { return b < *this; }
  CUTLASS_HOST_DEVICE constexpr bool operator>=(Coord const& b) const { return b <= *this; }
  /// Is any entry not 0?
  CUTLASS_HOST_DEVICE constexpr explicit operator bool() const {
    for (int i = 0; i < kRank; ++i)
      if (idx[i] != 0) return true;
    return false;
  }
  CUTLASS_HOST_DEVICE constexpr bool operator!() const { return !static_cast<bool>(*this); }

  CUTLASS_HOST_DEVICE constexpr LongIndex dot(Coord const& b, LongIndex sum = 0) const {
    for (int i = 0; i < kRank; ++i) sum += static_cast<LongIndex>(idx[i]) * b.idx[i];
    return sum;
  }
  CUTLASS_HOST_DEVICE constexpr Index sum() const {
    Index out = idx[0];
    for (int i = 1; i < kRank; ++i) out = static_cast<Index>(out + idx[i]);
    return out;
  }
  CUTLASS_HOST_DEVICE constexpr LongIndex product() const {
    LongIndex out = idx[0];
    for (int i = 1; i < kRank; ++i) out *= idx[i];
    return out;
  }
  CUTLASS_HOST_DEVICE constexpr int max_dim_index() const {
    int at = 0;
    for (int i = 1; i < kRank; ++i)
      if (idx[i] > idx[at]) at = i;
    return at;
  }
  CUTLASS_HOST_DEVICE constexpr int min_dim_index() const {
    int at = 0;
    for (int i = 1; i < kRank; ++i)
      if (idx[i] < idx[at]) at = i;
    return at;
  }
};

template <class Index>
CUTLASS_HOST_DEVICE constexpr Coord<1, Index> make_Coord(Index a) {
  Index const values[1] = {a};
  return Coord<1, Index>(values);
}
template <class Index>
CUTLASS_HOST_DEVICE constexpr Coord<2, Index> make_Coord(Index a, Index b) {
  Index const values[2] = {a, b};
  return Coord<2, Index>(values);
}
template <class Index>
CUTLASS_HOST_DEVICE constexpr Coord<3, Index> make_Coord(Index a, Index b, Index c) {
  Index const values[3] = {a, b, c};
  return Coord<3, Index>(values);
}
template <class Index>
CUTLASS_HOST_DEVICE constexpr Coord<4, Index> make_Coord(Index a, Index b, Index c, Index d) {
  Index const values[4] = {a, b, c, d};
  return Coord<4, Index>(values);
}

}  // namespace cutlass
