// print_svg: a layout of rank 1 or 2, or the shares of a tiled copy's threads, as one SVG picture on standard output.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/detail/copy_atom.hpp"
#include "cute/detail/mma_atom.hpp"
#include "cute/util/print.hpp"

namespace cute {

namespace detail {

inline constexpr int svg_cell = 40;

CUTE_HOST_DEVICE void svg_begin(int rows, int columns) {
  printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"monospace\"\n",
         (columns + 1) * svg_cell, (rows + 1) * svg_cell);
  printf("     font-size=\"12\" text-anchor=\"middle\" dominant-baseline=\"central\">\n");
}
/// A cell's square; eight shades of grey, so that neighbouring numbers differ.
CUTE_HOST_DEVICE void svg_square(int m, int n, int shade) {
  int const grey = 255 - 14 * (shade % 8);
  printf("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"rgb(%d,%d,%d)\" stroke=\"black\"/>\n",
         (n + 1) * svg_cell, (m + 1) * svg_cell, svg_cell, svg_cell, grey, grey, grey);
}
/// Row m, column n; the labels are row -1 and column -1.  `line` of `lines`, from the top.
CUTE_HOST_DEVICE void svg_text(int m, int n, int line, int lines, char const* prefix, long long number) {
  int const y = (m + 1) * svg_cell + svg_cell * (2 * line + 1) / (2 * lines);
  printf("<text x=\"%d\" y=\"%d\">%s%lld</text>\n", (n + 1) * svg_cell + svg_cell / 2, y, prefix, number);
}
CUTE_HOST_DEVICE void svg_end(int rows, int columns) {
  for (int m = 0; m < rows; ++m) svg_text(m, -1, 0, 1, "", m);
  for (int n = 0; n < columns; ++n) svg_text(-1, n, 0, 1, "", n);
  printf("</svg>\n");
}

}  // namespace detail

template <class L>
requires(tilewright::AnyLayout<L>) CUTE_HOST_DEVICE void print_svg(L const& layout) {
  static_assert(rank_v<L> <= 2, "print_svg: draws layouts of rank 1 and 2; group or slice the modes first");
  int const rows = static_cast<int>(size<0>(layout));
  int const columns = static_cast<int>(size(layout)) / (rows > 0 ? rows : 1);
  detail::svg_begin(rows, columns);
  for (int m = 0; m < rows; ++m) {
    for (int n = 0; n < columns; ++n) {
      long long const offset = static_cast<long long>(layout(m + rows * n));
      detail::svg_square(m, n, static_cast<int>(offset & 7));
      detail::svg_text(m, n, 0, 1, "", offset);
    }
  }
  detail::svg_end(rows, columns);
}

/// Which thread (T) carries which of its values (V) of the source.
template <class Atom, class TV, class Tiler>
CUTE_HOST_DEVICE void print_svg(tilewright::TiledCopy<Atom, TV, Tiler> const& tiled) {
  auto const share = tiled.get_layoutS_MN();  // (m, n) -> thr_idx + threads * val_idx
  constexpr int threads = tilewright::TiledCopy<Atom, TV, Tiler>::TiledNumThr::value;
  int const rows = static_cast<int>(size<0>(share));
  int const columns = static_cast<int>(size(share)) / rows;
  detail::svg_begin(rows, columns);
  for (int m = 0; m < rows; ++m) {
    for (int n = 0; n < columns; ++n) {
      int const index = static_cast<int>(share(m + rows * n));
      detail::svg_square(m, n, index % threads);
      detail::svg_text(m, n, 0, 2, "T", index % threads);
      detail::svg_text(m, n, 1, 2, "V", index / threads);
    }
  }
  detail::svg_end(rows, columns);
}

namespace detail {
/// The thread (T) and the value (V) of each element, from row `top` and column `left` on.
/// tv:  (thread, value) -> i + rows * j
template <bool Transposed, class TV>
CUTE_HOST_DEVICE void svg_shares(TV const& tv, int rows, int top, int left) {
  int const threads = static_cast<int>(size<0>(tv)), values = static_cast<int>(size<1>(tv));
  for (int t = 0; t < threads; ++t)
    for (int v = 0; v < values; ++v) {
      int const place = static_cast<int>(tv(t, v)), i = place % rows, j = place / rows;
      int const m = top + (Transposed ? j : i), n = left + (Transposed ? i : j);
      svg_square(m, n, t);
      svg_text(m, n, 0, 2, "T", t);
      svg_text(m, n, 1, 2, "V", v);
    }
}
}  // namespace detail

/// Which thread carries which of its values of C, with A on the left of it and B, transposed, above.
template <class Atom, class Atoms, class Permutation>
CUTE_HOST_DEVICE void print_svg(tilewright::TiledMMA<Atom, Atoms, Permutation> const& mma) {
  auto const shape = mma.tile_shape();
  int const m = static_cast<int>(get<0>(shape)), n = static_cast<int>(get<1>(shape)),
            k = static_cast<int>(get<2>(shape));
  TiledMMA<Atom, Atoms, Permutation> const whole(mma);
  detail::svg_begin(k + 1 + m, k + 1 + n);
  detail::svg_shares<false>(whole.get_layoutC_TV(), m, k + 1, k + 1);
  detail::svg_shares<false>(whole.get_layoutA_TV(), m, k + 1, 0);
  detail::svg_shares<true>(whole.get_layoutB_TV(), n, 0, k + 1);
  printf("</svg>\n");
}
template <class... P>
CUTE_HOST_DEVICE void print_svg(tilewright::MMA_Atom<P...> const& atom) {
  print_svg(make_tiled_mma(atom));
}

// Colours as functions, as for print_latex.
struct TSVGColor_White {
  CUTE_HOST_DEVICE char const* operator()(int) const { return "255,255,255"; }
};
struct TSVGColor_BWx8 {
  CUTE_HOST_DEVICE char const* operator()(int idx) const {
    static char const* const shades[] = {"255,255,255", "230,230,230", "205,205,205", "180,180,180",
                                         "155,155,155", "130,130,130", "105,105,105", "80,80,80"};
    return shades[idx & 7];
  }
};
struct SVGColor_TV {
  CUTE_HOST_DEVICE char const* operator()(int tid, int) const {
    static char const* const colours[] = {"175,175,255", "175,255,175", "255,255,175", "255,175,175",
                                          "210,210,255", "210,255,210", "255,255,210", "255,210,210"};
    return colours[tid & 7];
  }
};

}  // namespace cute
