// A leaf of a layout's value: a constant, or the name of an expression that is only known at run time; as a stride it
// may also be scaled by a basis element, so that an offset in its direction is a coordinate instead of a number.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/math.hpp"

namespace tilewright {

/// The machine type of a run-time integer; the order is that of promotion.
enum class number_type : int { int32 = 0, uint32 = 1, int64 = 2, uint64 = 3 };

/// A basis element E<i, j, …> as a number: six bits for each level, 0 for "no more"; at most four levels of 0…62.
struct basis_path {
  static constexpr int max_depth = 4;
  static constexpr int max_index = 62;
  int code = 0;

  TILEWRIGHT_CONSTEXPR bool empty() const { return code == 0; }
  TILEWRIGHT_CONSTEXPR int depth() const {
    int n = 0;
    for (int c = code; c != 0; c >>= 6) ++n;
    return n;
  }
  /// pre: level < depth()
  TILEWRIGHT_CONSTEXPR int index(int level) const { return (code >> (6 * level) & 63) - 1; }
  /// pre: depth() < max_depth, 0 <= i <= max_index; post: the path with i as its last level.
  TILEWRIGHT_CONSTEXPR basis_path then(int i) const { return {code | (i + 1) << (6 * depth())}; }
  /// post: the path without its first level.
  TILEWRIGHT_CONSTEXPR basis_path rest() const { return {code >> 6}; }
  friend TILEWRIGHT_CONSTEXPR bool operator==(basis_path, basis_path) = default;
};

/// A constant or an expression, perhaps times a basis element. Members have no initialisers here and in what algorithms
/// hold arrays of (expression, obligation): arrays of trivial types stay small in constant evaluation, which is a third
/// of clang's time. Write leaf{} for the constant 0.
struct leaf {
  long long number;  // the constant, or the expression's id in its `arithmetic`
  int flags;         // bit 0: dynamic; bits 1-2: number_type of a dynamic leaf; from bit 3: basis_path

  TILEWRIGHT_HOST_DEVICE constexpr bool is_static() const { return (flags & 1) == 0; }
  TILEWRIGHT_CONSTEXPR number_type type() const {
    if (!is_static()) return static_cast<number_type>(flags >> 1 & 3);
    return number < int32_min || number > int32_max ? number_type::int64 : number_type::int32;
  }
  TILEWRIGHT_CONSTEXPR basis_path basis() const { return {flags >> 3}; }
  /// Is this the plain constant `n`? A multiple of a basis element never is.
  TILEWRIGHT_CONSTEXPR bool is(long long n) const { return flags == 0 && number == n; }
  friend TILEWRIGHT_CONSTEXPR bool operator==(leaf const&, leaf const&) = default;
};

TILEWRIGHT_CONSTEXPR leaf constant_leaf(long long n) { return {n, 0}; }
TILEWRIGHT_CONSTEXPR leaf dynamic_leaf(long long id, number_type type) { return {id, 1 | static_cast<int>(type) << 1}; }
TILEWRIGHT_CONSTEXPR leaf with_basis(leaf a, basis_path path) { return {a.number, (a.flags & 7) | path.code << 3}; }
TILEWRIGHT_CONSTEXPR leaf without_basis(leaf a) { return {a.number, a.flags & 7}; }

}  // namespace tilewright
