// Pictures of copy atoms, against what the PTX ISA says of ldmatrix and stmatrix: which thread addresses a row, and which
// thread holds an element.
#include "tilewright/render/atoms.hpp"

#include "tilewright/render/writers.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tilewright::render {
namespace {

scene of(char const* name, int element = 16) {
  plot_options options;
  options.element = {element};
  return atom_scene(atom_named(name), options);
}

struct matrix_atom {
  char const* name;
  int matrices;
  bool transposed, stores;
};
constexpr matrix_atom all[] = {{"SM75_U32x1_LDSM_N", 1, false, false}, {"SM75_U32x2_LDSM_N", 2, false, false},
                               {"SM75_U32x4_LDSM_N", 4, false, false}, {"SM75_U16x2_LDSM_T", 1, true, false},
                               {"SM75_U16x4_LDSM_T", 2, true, false},  {"SM75_U16x8_LDSM_T", 4, true, false},
                               {"SM90_U32x1_STSM_N", 1, false, true},  {"SM90_U32x2_STSM_N", 2, false, true},
                               {"SM90_U32x4_STSM_N", 4, false, true},  {"SM90_U16x2_STSM_T", 1, true, true},
                               {"SM90_U16x4_STSM_T", 2, true, true},   {"SM90_U16x8_STSM_T", 4, true, true}};

/// PTX ISA, "ldmatrix": thread 8m + r gives the address of row r of matrix m; thread t gets elements 2(t%4) and 2(t%4)+1
/// of row t/4 of each matrix, of its transpose with .trans. stmatrix is the same the other way round.
TEST(atoms, matrices_are_those_of_the_ptx_isa) {
  for (matrix_atom const& a : all) {
    scene const s = of(a.name);
    ASSERT_EQ(s.panels.size(), static_cast<std::size_t>(2 * a.matrices)) << a.name;
    for (int side = 0; side < 2; ++side) {
      bool const rows_by_address = (side == 0) != a.stores;
      for (int m = 0; m < a.matrices; ++m) {
        panel const& p = s.panels[static_cast<std::size_t>(side * a.matrices + m)];
        ASSERT_EQ(p.cells.rows, 8);
        ASSERT_EQ(p.cells.columns, 8);
        for (int r = 0; r < 8; ++r)
          for (int c = 0; c < 8; ++c) {
            int const row = a.transposed ? c : r, column = a.transposed ? r : c;
            long long const thread = rows_by_address ? 8 * m + r : 4 * row + column / 2;
            long long const value = rows_by_address ? c : 2 * m + column % 2;
            EXPECT_EQ(p.cells.at(r, c).thread, thread) << a.name << " " << side << " " << m << " " << r << " " << c;
            EXPECT_EQ(p.cells.at(r, c).value, value) << a.name << " " << side << " " << m << " " << r << " " << c;
          }
      }
    }
  }
}

TEST(atoms, a_row_of_one_thread_is_one_label) {
  scene const s = of("SM75_U32x4_LDSM_N");
  cell const& first = s.panels[1].cells.at(3, 0);
  EXPECT_EQ(first.text, "T11 V0–7");
  EXPECT_EQ(first.across, 8);
  EXPECT_EQ(s.panels[1].cells.at(3, 1).text, "");
  EXPECT_EQ(s.panels[4].cells.at(0, 1).text, "T00\nV1");
  EXPECT_TRUE(s.panels[0].new_row && s.panels[4].new_row && !s.panels[1].new_row);
}

TEST(atoms, threads_without_an_address_of_their_own_are_told) {
  EXPECT_EQ(of("SM75_U32x1_LDSM_N").lines.back(),
            "source: the other 24 threads repeat these addresses, and the instruction ignores them");
  EXPECT_EQ(of("SM75_U32x4_LDSM_N").lines.size(), 1u);
}

TEST(atoms, of_one_thread_are_a_row_of_values) {
  scene const s = of("UniversalCopy<uint64_t>");
  ASSERT_EQ(s.panels.size(), 2u);
  EXPECT_EQ(s.panels[0].cells.columns, 4);
  EXPECT_EQ(s.panels[0].cells.at(0, 3).text, "V3");
  EXPECT_EQ(s.lines[0], "1 thread moves 4 elements of 16 bits");
}

TEST(atoms, every_name_is_drawn_by_every_writer) {
  std::set<std::string> titles;
  for (std::string const& name : atom_names()) {
    scene const s = atom_scene(atom_named(name), {.element = {8}});
    titles.insert(s.title);
    for (format const as : {format::text, format::svg, format::html, format::latex, format::json})
      EXPECT_FALSE(write(s, as).empty()) << name;
  }
  EXPECT_EQ(titles.size(), atom_names().size());
}

TEST(atoms, refusals) {
  EXPECT_THROW(atom_named("ldmatrix"), render_error);
  EXPECT_THROW(atom_named("SM90_TMA_LOAD"), render_error);
  EXPECT_THROW(of("SM75_U16x2_LDSM_T", 32), render_error);  // two rows share a register of 32 bits
  EXPECT_THROW(of("SM75_U32x1_LDSM_N", 48), render_error);
  EXPECT_THROW(of("UniversalCopy", 0), render_error);
  EXPECT_NO_THROW(of("SM75_U32x1_LDSM_N", 32));
}

}  // namespace
}  // namespace tilewright::render
