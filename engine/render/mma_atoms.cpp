// The table of matrix operations, and their pictures.
#include "tilewright/render/mma_atoms.hpp"

#include "engine/render/mma_table.hpp"
#include "engine/render/views.hpp"
#include "tilewright/layout/text.hpp"

#include <algorithm>

namespace tilewright::render {
namespace {

std::vector<mma_maps> make_table() {
  std::vector<mma_maps> out{
      maps_of<SM61_DP2A>("SM61_DP2A"),
      maps_of<SM61_DP4A>("SM61_DP4A"),
#define TILEWRIGHT_X(NAME, ...) maps_of<NAME>(#NAME),
#include "tilewright/atom/ptx/mma_d2_a1_b1.def"
#include "tilewright/atom/ptx/mma_d2_a2_b1.def"
#include "tilewright/atom/ptx/mma_d2_a4_b2.def"
#include "tilewright/atom/ptx/mma_d4_a2_b1.def"
#include "tilewright/atom/ptx/mma_d4_a4_b2.def"
#include "tilewright/atom/ptx/mma_f64_d2_a1_b1.def"
#include "tilewright/atom/ptx/mma_f64_d4_a2_b1.def"
#include "tilewright/atom/ptx/mma_f64_d4_a4_b2.def"
#include "tilewright/atom/ptx/mma_f64_d4_a8_b4.def"
#include "tilewright/atom/ptx/mma_quad_pair_d4_a2_b2.def"
#include "tilewright/atom/ptx/mma_quad_pair_d8_a2_b2.def"
#undef TILEWRIGHT_X
  };
  for (mma_maps& m : warpgroup_operations()) out.push_back(std::move(m));
  std::sort(out.begin(), out.end(), [](mma_maps const& x, mma_maps const& y) { return x.name < y.name; });
  return out;
}

std::vector<mma_maps> const& table() {
  static std::vector<mma_maps> const all = make_table();
  return all;
}

void add_operand(scene& s, std::string const& title, layout_value const& map, long long rows, long long columns) {
  int_tree tile{};
  tile.open(2);
  tile.add_leaf(constant_leaf(rows));
  tile.add_leaf(constant_leaf(columns));
  for (panel& p : thread_value_panels(title, map, tile)) {
    p.new_row = true;
    s.panels.push_back(std::move(p));
  }
}

}  // namespace

std::vector<std::string> const& mma_families() {
  static std::vector<std::string> const all = [] {
    std::vector<std::string> out;
    for (mma_maps const& m : table()) out.push_back(m.family);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }();
  return all;
}

std::vector<std::string> const& mma_names() {
  static std::vector<std::string> const all = [] {
    std::vector<std::string> out;
    for (mma_maps const& m : table()) out.push_back(m.name);
    return out;
  }();
  return all;
}

mma_maps const& mma_named(std::string const& name) {
  for (mma_maps const& m : table())
    if (m.name == name) return m;
  throw render_error("there is no matrix operation '" + name + "'; docs/reference/mma.md lists them");
}

scene mma_scene(mma_maps const& maps, plot_options const& options) {
  scene s;
  s.title = options.title.empty() ? maps.name : options.title;
  s.lines.push_back("C (" + std::to_string(maps.m) + "," + std::to_string(maps.n) + ") += A (" +
                    std::to_string(maps.m) + "," + std::to_string(maps.k) + ") · B (" + std::to_string(maps.n) + "," +
                    std::to_string(maps.k) + "), by threads " + format_layout(maps.threads));
  if (maps.b_is_shared)
    s.lines.push_back(std::string(maps.a_is_shared ? "A and B are" : "B is") +
                      " in shared memory and read by matrix descriptors; no thread has elements of " +
                      (maps.a_is_shared ? "them." : "it."));
  if (!maps.a_is_shared) add_operand(s, "A (m,k) " + format_layout(maps.a), maps.a, maps.m, maps.k);
  if (!maps.b_is_shared) add_operand(s, "B (n,k) " + format_layout(maps.b), maps.b, maps.n, maps.k);
  add_operand(s, "C (m,n) " + format_layout(maps.c), maps.c, maps.m, maps.n);
  return checked_scene(std::move(s));
}

}  // namespace tilewright::render
