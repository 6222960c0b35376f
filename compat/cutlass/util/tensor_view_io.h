// TensorView on a stream: elements of the last mode behind commas, its rows by lines, matrices behind an empty line.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/util/stream.hpp"
#include "cutlass/complex.h"
#include "cutlass/core_io.h"
#include "cutlass/tensor_view.h"

#include <ostream>

namespace cutlass {

namespace detail {
/// An element as a number; integers of 8 bits are no characters.
template <class Element>
void write_element(std::ostream& out, Element const& element) {
  if constexpr (sizeof(Element) == 1 && std::is_integral_v<Element>) out << static_cast<int>(element);
  else if constexpr (std::is_arithmetic_v<Element>) out << element;
  else out << static_cast<float>(element);
}
/// The modes from `mode` on, at the coordinate `at` of those before.
template <class Element, class Layout>
void write_modes(std::ostream& out, TensorView<Element, Layout> const& view,
                 typename TensorView<Element, Layout>::TensorCoord at, int mode, std::streamsize width) {
  constexpr int rank = TensorView<Element, Layout>::kRank;
  char const* const between = mode + 1 == rank ? ", " : mode + 2 == rank ? ",\n" : ",\n\n";
  for (int i = 0; i < view.extent(mode); ++i) {
    at[mode] = i;
    out.width(0);
    if (i != 0) out << between;
    if (mode + 1 < rank) {
      write_modes(out, view, at, mode + 1, width);
    } else {
      out.width(width);
      write_element(out, static_cast<std::remove_const_t<Element>>(view.at(at)));
    }
  }
}
}  // namespace detail

template <class Element, class Layout>
std::ostream& TensorViewWrite(std::ostream& out, TensorView<Element, Layout> const& view) {
  detail::write_modes(out, view, typename TensorView<Element, Layout>::TensorCoord{}, 0, out.width());
  return out;
}
template <class Element, class Layout>
std::ostream& operator<<(std::ostream& out, TensorView<Element, Layout> const& view) {
  return TensorViewWrite(out, view);
}

}  // namespace cutlass
