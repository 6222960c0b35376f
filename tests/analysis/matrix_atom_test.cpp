// Tiled copies of ldmatrix and stmatrix on the value face: their sides against the partitions of the typed TiledCopy, and
// the wavefronts that a report counts against the banks of the addresses that the threads of each warp name.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <string>

#include "tilewright/algebra/to_value.hpp"
#include "tilewright/analysis/explain.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/tilewright.hpp"
#include "tilewright/tiling/tiled_copy_value.hpp"

namespace tilewright::tests {
namespace {

template <class Op>
constexpr bool loads = std::is_same_v<typename Copy_Traits<Op>::RefLayout, typename Copy_Traits<Op>::DstLayout>;

template <class Op>
tiling::declaration declared(bits element, layout_value const& thr, layout_value const& val) {
  layout_value const source = to_value(typename Copy_Traits<Op>::SrcLayout{});
  layout_value const destination = to_value(typename Copy_Traits<Op>::DstLayout{});
  tiling::declaration out{{0}, element, thr, val};
  out.matrix = loads<Op> ? tiling::matrix_atom{tiling::access_kind::ldmatrix, source, destination}
                         : tiling::matrix_atom{tiling::access_kind::stmatrix, destination, source};
  out.atom = {size(mode(out.matrix->registers, 1).value()).value()};
  return out;
}

analysis::side_question shared_memory(layout_value const& layout) {
  analysis::side_question out;
  out.layout.layout = layout;
  out.space = tiling::memory::shared;
  out.alignment = {128};
  return out;
}

tiled_copy_value as_value(tiling::declaration const& d) {
  tiling::matrix_atom const& m = *d.matrix;
  bool const load = m.kind == tiling::access_kind::ldmatrix;
  return make_tiled_copy(atom_maps_value{m.registers, load ? m.rows : m.registers, load ? m.registers : m.rows},
                         d.element, d.thr, d.val)
      .value();
}

/// The offsets of a layout and a start, coordinate by coordinate, the first mode fastest.
template <class T>
std::vector<long long> offsets_of(T const& tensor, long long start) {
  std::vector<long long> out;
  for (int i = 0; i < int(size(tensor)); ++i) out.push_back(start + static_cast<long long>(tensor.layout()(i)));
  return out;
}
std::vector<long long> offsets_of(sliced_value const& share) {
  std::vector<long long> out;
  for (long long i = 0, n = size(share.layout).value(); i < n; ++i) out.push_back(share.offset + share.layout(i));
  return out;
}

/// Wavefronts by the words of each bank, phase by phase: a phase is the 8 rows of a matrix, row i being named by thread i
/// of each warp.
long long wavefronts_by_words(std::vector<std::vector<long long>> const& rows_of_thread, long long element_bytes,
                              int matrices) {
  long long wavefronts = 0;
  std::size_t const row = static_cast<std::size_t>(16 / element_bytes);
  for (std::size_t warp = 0; warp < rows_of_thread.size(); warp += 32)
    for (std::size_t from = 0; from < rows_of_thread[warp].size(); from += row)
      for (int matrix = 0; matrix < matrices; ++matrix) {
        std::map<long long, std::set<long long>> words;  // of each bank
        for (int i = 0; i < 8; ++i) {
          long long const first =
              rows_of_thread[warp + static_cast<std::size_t>(8 * matrix + i)][from] * element_bytes / 4;
          for (long long w = first; w < first + 4; ++w) words[w % 32].insert(w);
        }
        std::size_t worst = 0;
        for (auto const& [bank, all] : words) worst = std::max(worst, all.size());
        wavefronts += static_cast<long long>(worst);
      }
  return wavefronts;
}

template <class Op, class Element, class Thr, class Val, class Tile>
void agrees(Thr const& thr, Val const& val, Tile const& layout, int matrices) {
  std::vector<Element> data(static_cast<std::size_t>(int(cosize(layout))));
  auto const tensor = make_tensor(data.data(), layout);
  auto const typed = make_tiled_copy(Copy_Atom<Op, Element>{}, thr, val);
  tiling::declaration const d = declared<Op>({8 * sizeof(Element)}, to_value(thr), to_value(val));
  tiled_copy_value const copy = as_value(d);
  std::string const name = format_layout(d.thr) + " " + format_layout(d.val) + " " + format_layout(to_value(layout));
  std::vector<std::vector<long long>> rows;
  for (int t = 0; t < int(size(typed)); ++t) {
    auto const mine = typed.get_slice(t);
    auto const source = mine.partition_S(tensor);
    auto const destination = mine.partition_D(tensor);
    std::vector<long long> const read = offsets_of(source, source.data() - data.data());
    std::vector<long long> const written = offsets_of(destination, destination.data() - data.data());
    ASSERT_EQ(offsets_of(partition(copy, t, to_value(layout)).value()), read) << name << " thread " << t;
    ASSERT_EQ(offsets_of(partition(copy, t, to_value(layout), copy.maps.destination).value()), written) << name;
    rows.push_back(loads<Op> ? read : written);
  }
  analysis::copy_question q;
  q.copy = d;
  q.source = shared_memory(to_value(layout));
  if (!loads<Op>) q.source.space = tiling::memory::registers;
  q.destination = q.source;
  q.destination.space = loads<Op> ? tiling::memory::registers : tiling::memory::shared;
  analysis::copy_report const report = analysis::report_of(q).value();
  EXPECT_TRUE(report.covered.holds()) << name;
  analysis::side_report const& side = loads<Op> ? report.source : report.destination;
  ASSERT_TRUE(analysis::holds_rows(side.cost.width)) << name << explain(report)[1];
  EXPECT_EQ(side.cost.shared.wavefronts, wavefronts_by_words(rows, sizeof(Element), matrices)) << name;
  EXPECT_EQ(side.cost.shared.phases, side.cost.shared.instructions * matrices) << name;
}

using half = std::uint16_t;
using rows_of_64 = Layout<Shape<_32, _64>, Stride<_64, _1>>;
using rows_of_72 = Layout<Shape<_32, _64>, Stride<Int<72>, _1>>;
using rows_of_64_by_64 = Layout<Shape<_64, _64>, Stride<_64, _1>>;

TEST(matrix_atom, agrees_with_the_typed_copy_and_with_the_banks) {
  Layout<Shape<_8, _4>, Stride<_4, _1>> const warp;  // a row of a matrix is in the registers of 4 threads
  Layout<Shape<_8, Shape<_4, _2>>, Stride<_4, Stride<_1, _32>>> const two_warps;
  Layout<Shape<_4, _8>> const transposed;  // and a row of the stored matrix is a column of fragments
  Layout<Shape<_4, _2>, Stride<_2, _1>> const x4;
  agrees<SM75_U32x4_LDSM_N, half>(warp, x4, rows_of_64{}, 4);
  agrees<SM75_U32x4_LDSM_N, half>(warp, x4, rows_of_72{}, 4);
  agrees<SM75_U32x4_LDSM_N, half>(two_warps, x4, rows_of_72{}, 4);
  agrees<SM75_U32x4_LDSM_N, half>(two_warps, x4, rows_of_64{}, 4);
  agrees<SM75_U32x4_LDSM_N, half>(warp, Layout<Shape<_8, _2>, Stride<_2, _1>>{}, rows_of_64_by_64{}, 4);
  agrees<SM75_U32x2_LDSM_N, half>(warp, Layout<Shape<_2, _2>, Stride<_2, _1>>{}, rows_of_64{}, 2);
  agrees<SM75_U32x1_LDSM_N, half>(warp, Layout<Shape<_1, _2>>{}, rows_of_64{}, 1);
  agrees<SM75_U32x1_LDSM_N, half>(warp, Layout<Shape<_1, _2>>{}, rows_of_72{}, 1);
  agrees<SM75_U16x2_LDSM_T, half>(transposed, Layout<Shape<_2, _1>>{}, rows_of_64{}, 1);
  agrees<SM75_U16x8_LDSM_T, half>(transposed, Layout<Shape<_8, _1>>{}, rows_of_72{}, 4);
  agrees<SM90_U32x4_STSM_N, half>(warp, x4, rows_of_72{}, 4);
  agrees<SM90_U32x4_STSM_N, half>(two_warps, x4, rows_of_64{}, 4);
  agrees<SM90_U32x1_STSM_N, half>(warp, Layout<Shape<_1, _2>>{}, rows_of_64{}, 1);
  agrees<SM90_U16x4_STSM_T, half>(transposed, Layout<Shape<_4, _1>>{}, rows_of_64{}, 2);
  agrees<SM75_U32x4_LDSM_N, float>(warp, Layout<Shape<_4, _1>>{}, rows_of_64{}, 4);
}

TEST(matrix_atom, refuses_what_is_no_whole_atom) {
  layout_value const thr = parse_layout("(16,1)"), val = parse_layout("(1,8)");
  analysis::copy_question q;
  q.copy = declared<SM75_U32x4_LDSM_N>({16}, thr, val);
  q.source = shared_memory(parse_layout("(32,64):(64,1)"));
  q.destination = q.source;
  q.destination.space = tiling::memory::registers;
  EXPECT_EQ(analysis::report_of(q).error().code, errc::too_few_threads);
  EXPECT_EQ(make_tiled_copy(atom_maps_value{q.copy.matrix->registers, q.copy.matrix->rows, q.copy.matrix->registers},
                            {16}, thr, val)
                .error()
                .code,
            errc::too_few_threads);
  // A transposing load has units of 16 bits: two registers' halves are not one float.
  q.copy = declared<SM75_U16x8_LDSM_T>({32}, parse_layout("(32,1)"), parse_layout("(1,4)"));
  EXPECT_EQ(analysis::report_of(q).error().code, errc::cannot_upcast) << to_string(analysis::report_of(q).error());
}

TEST(matrix_atom, says_why_a_layout_has_no_rows) {
  analysis::copy_question q;
  q.copy = declared<SM75_U32x4_LDSM_N>({16}, parse_layout("(32,1)"), parse_layout("(1,8)"));
  q.source = shared_memory(parse_layout("(32,64):(1,32)"));
  q.destination = q.source;
  q.destination.space = tiling::memory::registers;
  analysis::copy_report const report = analysis::report_of(q).value();
  EXPECT_FALSE(analysis::holds_rows(report.source.cost.width));
  EXPECT_EQ(
      explain(report)[1],
      "source, shared memory: ldmatrix is not possible: it accesses rows of 128 bits, contiguous and aligned to 16 "
      "bytes, and a thread's values run along mode 1, whose stride is 32, not 1");
}

}  // namespace
}  // namespace tilewright::tests
