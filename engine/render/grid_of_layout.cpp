// Walks a layout's domain and places its elements.
#include "engine/render/grid_of_layout.hpp"

#include "tilewright/layout/text.hpp"

#include <algorithm>

namespace tilewright::render {
namespace {

constexpr int row_of_rank_1 = 32;  // cells, a warp
constexpr int panel_limit = 64;

/// "(_,_,2,1)" for the k-th coordinate of the modes behind the second.
std::string name_of_rest(domain const& d, long long k) {
  std::string out = "(_,_";
  for (std::size_t i = 2; i < d.extents.size(); ++i) {
    out += "," + std::to_string(k % d.extents[i]);
    k /= d.extents[i];
  }
  return out + ")";
}

grid wrapped_row(domain const& d, describe_cell const& fill) {
  long long const n = d.size();
  grid out;
  out.columns = static_cast<int>(std::min<long long>(n, row_of_rank_1));
  out.rows = static_cast<int>((n + out.columns - 1) / out.columns);
  out.column_labels = counted(out.columns);
  for (int r = 0; r < out.rows; ++r) out.row_labels.push_back(out.rows == 1 ? "" : std::to_string(r * out.columns));
  out.row_lines.assign(static_cast<std::size_t>(out.rows), 0);
  // Lines of nested modes, where the rows do not break them.
  subtree const mode = d.shape.is_tuple(d.shape.root()) && d.shape.rank() == 1 ? d.shape.mode(0) : d.shape.root();
  std::vector<int> const lines = nested_lines(d.shape, mode, n);
  out.column_lines.assign(static_cast<std::size_t>(out.columns), 0);
  for (int c = 1; c < out.columns; ++c) {
    int weight = 3;
    for (long long i = c; i < n; i += out.columns) weight = std::min(weight, lines[static_cast<std::size_t>(i)]);
    out.column_lines[static_cast<std::size_t>(c)] = weight;
  }
  for (long long i = 0; i < static_cast<long long>(out.rows) * out.columns; ++i) {
    if (i < n) out.cells.push_back(fill(i));
    else out.cells.emplace_back().exists = false;
  }
  return out;
}

}  // namespace

long long domain::size() const {
  long long n = 1;
  for (long long const e : extents) n *= e;
  return n;
}

domain domain_of(int_tree const& shape, std::string const& name) {
  long long const n = tilewright::size(shape).value();
  std::string const what = name.empty() ? format_layout(shape) : name;
  if (n == 0) throw render_error(what + " has no elements, so there is nothing to draw; give extents of 1 or more");
  if (n > cell_limit)
    throw render_error(what + " has " + std::to_string(n) + " elements and a picture has " +
                       std::to_string(cell_limit) + " at most; draw a slice or a tile of it");
  domain out{shape, {}};
  int_tree const extents = product_each(shape).value();
  for (int i = 0; i < extents.leaves; ++i) out.extents.push_back(extents.shape[i].number);
  if (out.extents.empty()) out.extents.push_back(1);
  return out;
}

std::vector<std::string> counted(long long count) {
  std::vector<std::string> out;
  for (long long i = 0; i < count; ++i) out.push_back(std::to_string(i));
  return out;
}

std::vector<int> nested_lines(int_tree const& shape, subtree mode, long long extent) {
  std::vector<int> out(static_cast<std::size_t>(extent), 0);
  long long period = 1;
  for (int i = mode.leaf; i < mode.leaf_end; ++i) {
    long long const e = shape.shape[i].number;
    if (e == 1) continue;
    if (period > 1)
      for (long long at = 0; at < extent; at += period)
        out[static_cast<std::size_t>(at)] = std::min(out[static_cast<std::size_t>(at)] + 1, 3);
    period *= e;
  }
  return out;
}

std::vector<drawn_grid> grids_of(domain const& d, describe_cell const& describe) {
  describe_cell const fill = [&](long long index) {
    cell out = describe(index);
    out.index = index;
    out.coordinate = format_tuple(idx2crd(index, d.shape).value());
    return out;
  };
  if (d.extents.size() == 1) return {{"", wrapped_row(d, fill)}};
  long long const m = d.extents[0], n = d.extents[1], rest = d.size() / (m * n);
  if (rest > panel_limit)
    throw render_error("a layout of " + std::to_string(d.extents.size()) + " modes needs a panel for each of its " +
                       std::to_string(rest) + " coordinates beyond the second mode, and a picture has " +
                       std::to_string(panel_limit) + " at most; slice or group its modes");
  std::vector<drawn_grid> out;
  for (long long k = 0; k < rest; ++k) {
    grid g;
    g.rows = static_cast<int>(m);
    g.columns = static_cast<int>(n);
    g.row_labels = counted(m);
    g.column_labels = counted(n);
    g.row_lines = nested_lines(d.shape, d.shape.mode(0), m);
    g.column_lines = nested_lines(d.shape, d.shape.mode(1), n);
    for (long long row = 0; row < m; ++row)
      for (long long column = 0; column < n; ++column) g.cells.push_back(fill(row + m * (column + n * k)));
    bool const new_row = k > 0 && d.extents.size() > 3 && k % d.extents[2] == 0;
    out.push_back({d.extents.size() == 2 ? "" : name_of_rest(d, k), std::move(g), new_row});
  }
  return out;
}

element_offset offset_of(composed_value const& map, long long index) {
  if (map.swizzle.bits != 0 || !map.offset.is(0)) {
    long long const n = crd2idx(index, map).value();
    return {n, std::to_string(n)};
  }
  int_tree const at = offset_at(leaf_tree(constant_leaf(index)), map.layout).value();
  if (at.nodes == 1 && at.leaves == 1) return {at.shape[0].number, std::to_string(at.shape[0].number)};
  return {std::nullopt, format_tuple(at)};
}

std::vector<element_offset> offsets_of(named_layout const& layout, long long size) {
  std::vector<element_offset> out;
  out.reserve(static_cast<std::size_t>(size));
  for (long long i = 0; i < size; ++i) out.push_back(offset_of(layout.map, i));
  return out;
}

std::string text_of(composed_value const& map) {
  bool const plain = map.swizzle.bits == 0 && map.offset.is(0);
  return plain ? format_layout(map.layout) : format_composed(map);
}

std::string extents_text(domain const& d) {
  std::string out;
  for (long long const e : d.extents) out += (out.empty() ? "" : " × ") + std::to_string(e);
  return out;
}

}  // namespace tilewright::render
