// Families of small layouts for laws tested by brute force: every layout of up to three modes with extents and strides
// from given lists, flat or nested, in an order that puts the small ones first, so that the first counterexample is a
// small one. It is reported as text that can be pasted into a test or a command line.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <ostream>
#include <string>
#include <vector>

#include "tilewright/algebra/value_face.hpp"
#include "tilewright/layout/text.hpp"

namespace tilewright {

inline std::ostream& operator<<(std::ostream& out, int_tree const& a) { return out << format_layout(a); }
inline void PrintTo(int_tree const& a, std::ostream* out) { *out << a; }

namespace tests {

/// All layouts of `modes` modes with these extents and strides; three modes may be nested ((a,b),c) or (a,(b,c)).
struct family {
  enum class nesting { flat, left, right };

  int modes = 1;
  int extent_count = 0;
  long long extents[8]{};
  int stride_count = 0;
  long long strides[12]{};
  nesting nested = nesting::flat;

  constexpr family(int n, std::initializer_list<long long> e, std::initializer_list<long long> d,
                   nesting nest = nesting::flat)
      : modes(n),
        nested(nest) {
    for (long long x : e) extents[extent_count++] = x;
    for (long long x : d) strides[stride_count++] = x;
  }

  constexpr long long size() const {
    long long n = 1;
    for (int i = 0; i < modes; ++i) n *= extent_count * stride_count;
    return n;
  }
  constexpr layout_value operator[](long long k) const {
    layout_value out{};
    if (modes != 1) out.open(modes == 3 && nested != nesting::flat ? 2 : modes);
    for (int i = 0; i < modes; ++i) {
      bool const opens = modes == 3 && ((nested == nesting::left && i == 0) || (nested == nesting::right && i == 1));
      if (opens) out.open(2);
      out.add_leaf(constant_leaf(extents[k % extent_count]), constant_leaf(strides[k / extent_count % stride_count]));
      k /= extent_count * stride_count;
    }
    return out;
  }
};

using families = std::vector<family>;

/// Extents 0 and 1, strides 0, equal strides, gaps and overlaps: some 4,000 layouts.
inline families every_layout() {
  return {{1, {0, 1, 2, 3, 4, 6, 8}, {0, 1, 2, 3, 4, 6}},
          {2, {1, 2, 3, 4}, {0, 1, 2, 3, 4, 6, 8}},
          {2, {0, 2, 3}, {0, 1, 3}},
          {3, {1, 2, 3}, {0, 1, 2, 6}},
          {3, {2, 3}, {1, 2, 4, 6}, family::nesting::left},
          {3, {2, 4}, {0, 1, 2, 8}, family::nesting::right}};
}
/// Negative strides among the others.
inline families signed_layouts() {
  return {{1, {1, 2, 3, 4}, {-3, -2, -1}}, {2, {1, 2, 3}, {-4, -2, -1, 0, 1, 3}}, {3, {2, 3}, {-2, -1, 1, 6}}};
}
/// Fewer, for laws about pairs.
inline families left_operands() {
  return {{1, {0, 1, 4, 6, 8}, {0, 1, 2}}, {2, {1, 2, 3, 4}, {0, 1, 2, 4, 6}}, {3, {2, 3}, {1, 2, 5, 6}}};
}
inline families right_operands() {
  return {{1, {0, 1, 2, 3, 4, 6, 8}, {0, 1, 2, 3, 4, 5, 6}}, {2, {1, 2, 3, 4}, {0, 1, 2, 3, 4, 6}}};
}

inline long long count(families const& all) {
  long long n = 0;
  for (family const& f : all) n += f.size();
  return n;
}

/// Expects law(a) for every member; reports the first counterexample.
template <class Law>
void expect_for_all(families const& all, Law const& law) {
  for (family const& f : all)
    for (long long k = 0; k < f.size(); ++k)
      if (layout_value const a = f[k]; !law(a)) {
        ADD_FAILURE() << "counterexample: " << a;
        return;
      }
}

/// Expects law(a, b) for every pair.
template <class Law>
void expect_for_all(families const& left, families const& right, Law const& law) {
  std::vector<layout_value> seconds;
  for (family const& g : right)
    for (long long k = 0; k < g.size(); ++k) seconds.push_back(g[k]);
  for (family const& f : left)
    for (long long k = 0; k < f.size(); ++k) {
      layout_value const a = f[k];
      for (layout_value const& b : seconds)
        if (!law(a, b)) {
          ADD_FAILURE() << "counterexample: " << a << " ; " << b;
          return;
        }
    }
}

/// The same in constant evaluation: does every `step`-th member (pair) obey the law?
template <class Law>
constexpr bool holds_for(family const& f, long long step, Law const& law) {
  for (long long k = 0; k < f.size(); k += step)
    if (!law(f[k])) return false;
  return true;
}
template <class Law>
constexpr bool holds_for(family const& f, long long f_step, family const& g, long long g_step, Law const& law) {
  for (long long i = 0; i < f.size(); i += f_step)
    for (long long k = 0; k < g.size(); k += g_step)
      if (!law(f[i], g[k])) return false;
  return true;
}

/// A flat layout (a leaf for one mode) from pairs of extent and stride.
struct mode_pair {
  long long extent, stride;
};
constexpr layout_value make(std::initializer_list<mode_pair> modes) {
  layout_value out{};
  if (modes.size() != 1) out.open(static_cast<int>(modes.size()));
  for (mode_pair const& m : modes) out.add_leaf(constant_leaf(m.extent), constant_leaf(m.stride));
  return out;
}
/// A flat tuple, or an integer.
constexpr int_tree tuple_of(std::initializer_list<long long> numbers) {
  int_tree out{};
  if (numbers.size() != 1) out.open(static_cast<int>(numbers.size()));
  for (long long n : numbers) out.add_leaf(constant_leaf(n));
  return out;
}

/// The text of an answer: the layout, or the name of the error.
template <TreeValue T>
std::string text_of(result<T> const& r) {
  return r ? format_layout(*r) : std::string(describe(r.error().code).name);
}
inline std::string text_of(result<long long> const& r) {
  return r ? std::to_string(*r) : std::string(describe(r.error().code).name);
}
inline std::string text_of(result<composed_value> const& r) {
  return r ? format_composed(*r) : std::string(describe(r.error().code).name);
}

}  // namespace tests
}  // namespace tilewright
