// Constants of a kernel's body as CUDA C++.
#pragma once

#include "tilewright/layout/swizzle_bits.hpp"

#include <fmt/format.h>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::kernels {

template <class... Args>
void line(std::string& out, fmt::format_string<Args...> text, Args&&... args) {
  fmt::format_to(std::back_inserter(out), text, std::forward<Args>(args)...);
  out += '\n';
}

/// A function of an index that is a constant wherever it is unrolled.
template <class T, class Row>
void list_text(std::string& out, char const* name, char const* type, std::vector<T> const& rows, Row const& row) {
  line(out, "  static __device__ __forceinline__ constexpr {} {}(int i) {{", type, name);
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) line(out, "    if (i == {}) return {};", i, row(rows[i]));
  line(out, "    return {};", rows.empty() ? "{}" : row(rows.back()));
  line(out, "  }}");
}

/// The swizzles of both sides, as functions: a kernel takes no address of a constant.
inline void swizzles_text(std::string& out, swizzle_value const& src, swizzle_value const& dst) {
  for (auto const& [name, w] : {std::pair{"src_swizzle", src}, std::pair{"dst_swizzle", dst}})
    line(out,
         "  static __device__ __forceinline__ constexpr tilewright::swizzle_value {}() {{ return {{{}, {}, {}}}; }}",
         name, w.bits, w.base, w.shift);
}

}  // namespace tilewright::kernels
