// print_latex: a layout of rank 1 or 2, or the shares of a tiled copy's threads, as a LaTeX document with one picture.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/detail/copy_atom.hpp"
#include "cute/detail/mma_atom.hpp"
#include "cute/util/print.hpp"

namespace cute {

// --- colours: functions of an index, or of a thread and a value, to TikZ's words --------------------------------------
/// Eight shades of grey, so that neighbouring numbers differ.
struct TikzColor_BWx8 {
  CUTE_HOST_DEVICE char const* operator()(int idx) const {
    static char const* const shades[] = {"black!00", "black!40", "black!20", "black!60",
                                         "black!10", "black!50", "black!30", "black!70"};
    return shades[idx & 7];
  }
};
struct TikzColor_White {
  CUTE_HOST_DEVICE char const* operator()(int) const { return "white"; }
};
/// Eight pastel colours, one for each thread modulo 8.
struct TikzColor_TV {
  CUTE_HOST_DEVICE char const* operator()(int tid, int) const {
    static char const* const colours[] = {
        "{rgb,255:red,175;green,175;blue,255}", "{rgb,255:red,175;green,255;blue,175}",
        "{rgb,255:red,255;green,255;blue,175}", "{rgb,255:red,255;green,175;blue,175}",
        "{rgb,255:red,210;green,210;blue,255}", "{rgb,255:red,210;green,255;blue,210}",
        "{rgb,255:red,255;green,255;blue,210}", "{rgb,255:red,255;green,210;blue,210}"};
    return colours[tid & 7];
  }
};

namespace detail {

CUTE_HOST_DEVICE void latex_begin() {
  printf(
      "\\documentclass[convert]{standalone}\n\\usepackage{tikz}\n\n\\begin{document}\n"
      "\\begin{tikzpicture}[x={(0cm,-1cm)},y={(1cm,0cm)},every node/.style={minimum size=1cm, outer sep=0pt}]\n\n");
}
CUTE_HOST_DEVICE void latex_end() { printf("\\end{tikzpicture}\n\\end{document}\n"); }
/// The grid's lines and the numbers of rows and columns, of a picture whose first column is at `left`.
CUTE_HOST_DEVICE void latex_frame(int rows, int columns, int left, bool labels_on_the_right) {
  printf("\\draw[color=black,thick,shift={(-0.5,-0.5)}] (0,%d) grid (%d,%d);\n\n", left, rows, left + columns);
  int const beside = labels_on_the_right ? left + columns : left - 1;
  for (int m = 0; m < rows; ++m) printf("\\node at (%d,%d) {\\Large{\\texttt{%d}}};\n", m, beside, m);
  for (int n = 0; n < columns; ++n) printf("\\node at (-1,%d) {\\Large{\\texttt{%d}}};\n", left + n, n);
}

}  // namespace detail

/// A layout of rank 1 or 2 as a LaTeX document with one picture.
template <class L, class Colour = TikzColor_BWx8>
requires(tilewright::AnyLayout<L>) CUTE_HOST_DEVICE void print_latex(L const& layout, Colour const& colour = {}) {
  static_assert(rank_v<L> <= 2, "print_latex: draws layouts of rank 1 and 2; group or slice the modes first");
  int const rows = static_cast<int>(size<0>(layout));
  int const columns = static_cast<int>(size(layout)) / (rows > 0 ? rows : 1);
  printf("%% Layout: ");
  print(tilewright::detail::in_numbers(layout));
  printf("\n");
  detail::latex_begin();
  for (int m = 0; m < rows; ++m)
    for (int n = 0; n < columns; ++n) {
      int const offset = static_cast<int>(layout(m + rows * n));
      printf("\\node[fill=%s] at (%d,%d) {%d};\n", colour(offset), m, n, offset);
    }
  detail::latex_frame(rows, columns, 0, false);
  detail::latex_end();
}

/// A thread-value layout (thread, value) -> offset in a tile of shape (M, N), first mode fastest.
template <class LayoutTV, class Tile, class Colour = TikzColor_TV>
CUTE_HOST_DEVICE void print_latex_tv(LayoutTV const& layout_tv, Tile const& tile_mn, Colour const& colour = {}) {
  int const rows = static_cast<int>(size<0>(tile_mn)), columns = static_cast<int>(size<1>(tile_mn));
  int const threads = static_cast<int>(size<0>(layout_tv)), values = static_cast<int>(size<1>(layout_tv));
  printf("%% Layout TV: ");
  print(layout_tv);
  printf("\n");
  detail::latex_begin();
  for (int t = 0; t < threads; ++t)
    for (int v = 0; v < values; ++v) {
      auto const place = layout_tv(t, v);
      int m = 0, n = 0;
      if constexpr (is_tuple_v<decltype(place)>) {
        m = static_cast<int>(get<0>(place));
        n = static_cast<int>(get<1>(place));
      } else {
        m = static_cast<int>(place) % rows;
        n = static_cast<int>(place) / rows;
      }
      printf("\\node[fill=%s] at (%d,%d) {\\shortstack{T%d \\\\ V%d}};\n", colour(t, v), m, n, t, v);
    }
  detail::latex_frame(rows, columns, 0, false);
  detail::latex_end();
}

namespace detail {
/// A comment with the coordinates of each thread's values.
template <class TV, class Tile>
CUTE_HOST_DEVICE void latex_comment(char const* name, TV const& tv, Tile const& tile) {
  printf("%% %s: ArithTuple(_0,_0) o ", name);
  print(composition(make_identity_layout(tile), tv));
  printf("\n");
}
/// Is (t, v) the first of tv's pairs, by thread, then by value, with this place?
template <class TV>
CUTE_HOST_DEVICE bool is_first_holder(TV const& tv, int t, int v, int place) {
  int const values = static_cast<int>(size<1>(tv));
  for (int other = 0; other <= t; ++other)
    for (int w = 0; w < (other == t ? v : values); ++w)
      if (static_cast<int>(tv(other, w)) == place) return false;
  return true;
}
/// Each element, with the first thread (T) that has it and which of its values (V) it is; an element outside of the tile
/// is left out.
/// tv:  (thread, value) -> i + rows * j;  the corner of the picture is at (top, left)
/// cost: O(threads * values), its square where several threads have an element
template <bool Transposed, class TV, class Colour>
CUTE_HOST_DEVICE void latex_shares(TV const& tv, int rows, int columns, int top, int left, Colour const& colour) {
  int const threads = static_cast<int>(size<0>(tv)), values = static_cast<int>(size<1>(tv));
  bool const is_shared = threads * values != rows * columns;
  for (int t = 0; t < threads; ++t)
    for (int v = 0; v < values; ++v) {
      int const place = static_cast<int>(tv(t, v));
      if (is_shared && !is_first_holder(tv, t, v, place)) continue;
      int const i = place % rows, j = place / rows;
      printf("\\node[fill=%s] at (%d,%d) {\\shortstack{T%d \\\\ V%d}};\n", colour(t, v), top + (Transposed ? j : i),
             left + (Transposed ? i : j), t, v);
    }
}
/// The same, and a grid around them.
template <bool Transposed, class TV, class Colour>
CUTE_HOST_DEVICE void latex_operand(TV const& tv, int rows, int columns, int top, int left, Colour const& colour) {
  latex_shares<Transposed>(tv, rows, columns, top, left, colour);
  int const down = Transposed ? columns : rows, across = Transposed ? rows : columns;
  printf("\\draw[color=black,thick,shift={(-0.5,-0.5)}] (%d,%d) grid (%d,%d);\n\n", top, left, top + down,
         left + across);
}
/// Numbers of one operand's coordinates: down the side at column `left`, across the top at row `top`.
CUTE_HOST_DEVICE void latex_numbers_down(int count, int top, int left) {
  for (int i = 0; i < count; ++i) printf("\\node at (%d,%d) {\\Large{\\texttt{%d}}};\n", top + i, left, i);
}
CUTE_HOST_DEVICE void latex_numbers_across(int count, int top, int left) {
  for (int i = 0; i < count; ++i) printf("\\node at (%d,%d) {\\Large{\\texttt{%d}}};\n", top, left + i, i);
}
}  // namespace detail

/// Which thread (T) has which of its values (V) of C, with A on the left of it and B, transposed, above.
/// cost: O(threads² · values²) of an operand
template <class Atom, class Atoms, class Permutation, class Colour = TikzColor_TV>
CUTE_HOST_DEVICE void print_latex(tilewright::TiledMMA<Atom, Atoms, Permutation> const& mma,
                                  Colour const& colour = {}) {
  auto const shape = mma.tile_shape();
  int const m = static_cast<int>(get<0>(shape)), n = static_cast<int>(get<1>(shape)),
            k = static_cast<int>(get<2>(shape));
  TiledMMA<Atom, Atoms, Permutation> const whole(mma);
  auto const c_tv = whole.get_layoutC_TV();
  auto const a_tv = whole.get_layoutA_TV();
  auto const b_tv = whole.get_layoutB_TV();
  detail::latex_comment("LayoutC", c_tv, select<0, 1>(shape));
  detail::latex_comment("LayoutA", a_tv, select<0, 2>(shape));
  detail::latex_comment("LayoutB", b_tv, select<1, 2>(shape));
  detail::latex_begin();
  detail::latex_operand<false>(c_tv, m, n, 0, 0, colour);
  detail::latex_operand<false>(a_tv, m, k, 0, -k - 1, colour);
  detail::latex_numbers_down(m, 0, -k - 2);
  detail::latex_numbers_across(k, -1, -k - 1);
  detail::latex_operand<true>(b_tv, n, k, -k - 1, 0, colour);
  detail::latex_numbers_across(n, -k - 2, 0);
  detail::latex_numbers_down(k, -k - 1, -1);
  detail::latex_end();
}
template <class... P, class Colour = TikzColor_TV>
CUTE_HOST_DEVICE void print_latex(tilewright::MMA_Atom<P...> const& atom, Colour const& colour = {}) {
  print_latex(make_tiled_mma(atom), colour);
}

/// Which thread (T) has which of its values (V): source on the left, destination on the right.
template <class Atom, class TV, class Tiler, class Colour = TikzColor_TV>
CUTE_HOST_DEVICE void print_latex(tilewright::TiledCopy<Atom, TV, Tiler> const& tiled, Colour const& colour = {}) {
  auto const source = tiled.get_layoutS_TV();
  auto const destination = tiled.get_layoutD_TV();
  auto const tile = tiled.tile_shape();
  int const rows = static_cast<int>(get<0>(tile)), columns = static_cast<int>(get<1>(tile));
  detail::latex_comment("Layout S TV", source, tile);
  detail::latex_comment("Layout D TV", destination, tile);
  detail::latex_begin();
  detail::latex_shares<false>(source, rows, columns, 0, 0, colour);
  detail::latex_frame(rows, columns, 0, false);
  detail::latex_shares<false>(destination, rows, columns, 0, columns + 3, colour);
  detail::latex_frame(rows, columns, columns + 3, true);
  detail::latex_end();
}

}  // namespace cute
