// Constants of a kernel's body as CUDA C++.
#pragma once

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

}  // namespace tilewright::kernels
