// print_latex: a layout of rank 1 or 2, or the shares of a tiled copy's threads, as a LaTeX document with one picture.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/util/print.hpp"

namespace cute {

namespace detail {

CUTE_HOST_DEVICE void latex_begin() {
  printf(
      "\\documentclass[convert]{standalone}\n\\usepackage{tikz}\n\\begin{document}\n"
      "\\begin{tikzpicture}[x={(0cm,-1cm)},y={(1cm,0cm)},every node/.style={minimum size=1cm, outer sep=0pt, draw}]\n");
}
CUTE_HOST_DEVICE void latex_end() { printf("\\end{tikzpicture}\n\\end{document}\n"); }
/// Eight shades, so that neighbouring numbers differ.
CUTE_HOST_DEVICE void latex_cell(int m, int n, int shade) {
  printf("\\node[fill=black!%d] at (%d,%d) ", 5 * (shade % 8), m, n);
}
CUTE_HOST_DEVICE void latex_labels(int rows, int columns) {
  for (int m = 0; m < rows; ++m) printf("\\node[draw=none] at (%d,-1) {\\Large{\\texttt{%d}}};\n", m, m);
  for (int n = 0; n < columns; ++n) printf("\\node[draw=none] at (-1,%d) {\\Large{\\texttt{%d}}};\n", n, n);
}

}  // namespace detail

template <class L>
requires(tilewright::AnyLayout<L>) CUTE_HOST_DEVICE void print_latex(L const& layout) {
  static_assert(rank_v<L> <= 2, "print_latex: draws layouts of rank 1 and 2; group or slice the modes first");
  int const rows = static_cast<int>(size<0>(layout));
  int const columns = static_cast<int>(size(layout)) / (rows > 0 ? rows : 1);
  printf("%% Layout: ");
  print(layout);
  printf("\n");
  detail::latex_begin();
  for (int n = 0; n < columns; ++n) {
    for (int m = 0; m < rows; ++m) {
      long long const offset = static_cast<long long>(layout(m + rows * n));
      detail::latex_cell(m, n, static_cast<int>(offset & 7));
      printf("{%lld};\n", offset);
    }
  }
  detail::latex_labels(rows, columns);
  detail::latex_end();
}

/// Which thread (T) carries which of its values (V), for source and destination alike.
template <class Atom, class TV, class Tiler>
CUTE_HOST_DEVICE void print_latex(TiledCopy<Atom, TV, Tiler> const& tiled) {
  auto const share = tiled.get_layoutS_MN();  // (m, n) -> thr_idx + threads * val_idx
  constexpr int threads = TiledCopy<Atom, TV, Tiler>::TiledNumThr::value;
  int const rows = static_cast<int>(size<0>(share));
  int const columns = static_cast<int>(size(share)) / rows;
  detail::latex_begin();
  for (int n = 0; n < columns; ++n) {
    for (int m = 0; m < rows; ++m) {
      int const index = static_cast<int>(share(m + rows * n));
      detail::latex_cell(m, n, index % threads);
      printf("{\\shortstack{T%d \\\\ V%d}};\n", index % threads, index / threads);
    }
  }
  detail::latex_labels(rows, columns);
  detail::latex_end();
}

}  // namespace cute
