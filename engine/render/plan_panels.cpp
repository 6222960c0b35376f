// Fills the grids of a plan's picture.
#include "engine/render/plan_panels.hpp"

#include "tilewright/base/math.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <map>

namespace tilewright::render {
namespace {

constexpr int bank_count = 32, bank_bytes = 4, row_bytes = bank_count * bank_bytes;
constexpr std::int64_t max_shared_rows = 16, items_of_a_row = 32;
constexpr std::int64_t max_drawn_tiles = 512, max_tiles_of_a_side = 32;
constexpr int order_shades = 16;

std::string tuple_text(coordinate const& x) { return fmt::format("({})", fmt::join(x, ",")); }

std::string numbered(char letter, std::int64_t number, std::int64_t count) {
  return fmt::format("{}{:0{}}", letter, number, std::to_string(std::max<std::int64_t>(count - 1, 0)).size());
}

std::int64_t offset_of_item(copy_plan const& plan, bool source, std::int64_t element) {
  movement const& m = plan.moves;
  std::int64_t offset = source ? m.src_offset : m.dst_offset;
  for (step const& s : source ? source_steps(m) : destination_steps(m)) {
    offset += element % s.extent * s.stride;
    element /= s.extent;
  }
  return source ? m.src_swizzle(offset) : m.dst_swizzle(offset);
}

std::string loops_text(std::vector<cuda_mode> const& modes) {
  std::vector<int> loops;
  for (cuda_mode const& m : modes)
    if (std::find(loops.begin(), loops.end(), m.loop) == loops.end()) loops.push_back(m.loop);
  if (loops.empty()) return "";
  return fmt::format("loop{} {}", loops.size() == 1 ? "" : "s", fmt::join(loops, ", "));
}

/// The coordinates along one axis, those of its loops alone.
std::vector<std::string> labels_of(std::vector<cuda_mode> const& modes, std::int64_t count, std::size_t loops) {
  std::vector<std::string> out;
  if (modes.empty()) return {};
  for (std::int64_t i = 0; i < count; ++i) {
    coordinate const x = coordinate_at(modes, i, loops);
    std::vector<std::int64_t> shown;
    std::vector<int> seen;
    for (cuda_mode const& m : modes) {
      if (std::find(seen.begin(), seen.end(), m.loop) != seen.end()) continue;
      seen.push_back(m.loop);
      shown.push_back(x[static_cast<std::size_t>(m.loop)]);
    }
    out.push_back(fmt::format("{}", fmt::join(shown, ",")));
  }
  return out;
}

/// Heavier lines where the first mode begins anew.
std::vector<int> lines_of_modes(std::vector<cuda_mode> const& modes, std::int64_t count) {
  std::vector<int> out(static_cast<std::size_t>(count), 0);
  if (modes.size() < 2) return out;
  for (std::int64_t i = modes[0].extent; i < count; i += modes[0].extent) out[static_cast<std::size_t>(i)] = 2;
  return out;
}

/// Lines where all cells of a row or column are another's than those before.
template <class Key>
void separate(grid& g, Key const& key) {
  auto const differs = [&](int row, int column, int row_before, int column_before) {
    return !g.at(row, column).exists || key(g.at(row, column)) != key(g.at(row_before, column_before));
  };
  for (int r = 1; r < g.rows; ++r) {
    bool all = true;
    for (int c = 0; c < g.columns && all; ++c) all = differs(r, c, r - 1, c);
    if (all) g.row_lines[static_cast<std::size_t>(r)] = std::max(g.row_lines[static_cast<std::size_t>(r)], 1);
  }
  for (int c = 1; c < g.columns; ++c) {
    bool all = true;
    for (int r = 0; r < g.rows && all; ++r) all = differs(r, c, r, c - 1);
    if (all) g.column_lines[static_cast<std::size_t>(c)] = std::max(g.column_lines[static_cast<std::size_t>(c)], 1);
  }
}

/// The cells whose elements follow each other in memory from the lowest on.
std::vector<int> first_run(grid const& g, std::int64_t grain) {
  std::map<long long, int> by_offset;
  for (int i = 0; i < static_cast<int>(g.cells.size()); ++i)
    if (cell const& c = g.cells[static_cast<std::size_t>(i)]; c.exists && c.offset) by_offset.emplace(*c.offset, i);
  std::vector<int> out;
  long long next = by_offset.empty() ? 0 : by_offset.begin()->first;
  for (auto const& [offset, at] : by_offset) {
    if (offset != next || static_cast<std::int64_t>(out.size()) == items_of_a_row) break;
    out.push_back(at);
    next = offset + grain;
  }
  if (out.size() < 2) out.clear();
  return out;
}

/// Cells in the colour of the cache line that they begin in, lines counted in the order of memory.
void colour_by_line(panel& p, movement const& m, int line_bytes) {
  std::map<long long, int> lines;
  auto const line_of = [&](long long offset) { return math::floor_div(offset * m.element_bits, 8LL * line_bytes); };
  for (cell const& c : p.cells.cells)
    if (c.offset) lines.emplace(line_of(*c.offset), 0);
  int n = 0;
  for (auto& [line, number] : lines) number = n++;
  p.colours = palette::group;
  p.classes = std::max(n, 1);
  for (cell& c : p.cells.cells)
    if (c.offset) c.colour = lines[line_of(*c.offset)];
}

}  // namespace

panel side_panel(copy_plan const& plan, plan_window const& w, bool source, gpu_access const* by) {
  movement const& m = plan.moves;
  panel p;
  grid& g = p.cells;
  g.rows = static_cast<int>(w.row_count);
  g.columns = static_cast<int>(w.column_count);
  g.row_labels = labels_of(w.rows, w.row_count, w.loops);
  g.column_labels = labels_of(w.columns, w.column_count, w.loops);
  g.row_title = loops_text(w.rows);
  g.column_title = loops_text(w.columns);
  g.row_lines = lines_of_modes(w.rows, w.row_count);
  g.column_lines = lines_of_modes(w.columns, w.column_count);
  std::int64_t const vectors = by == nullptr ? 1 : by->vectors;
  for (std::int64_t row = 0; row < w.row_count; ++row)
    for (std::int64_t column = 0; column < w.column_count; ++column) {
      coordinate const x = w.at(row, column);
      cell c;
      bool inside = true;
      for (std::size_t l = 0; l < w.loops; ++l) inside = inside && x[l] < plan.tile[l];
      if (!inside) {
        c.exists = false;
        g.cells.push_back(std::move(c));
        continue;
      }
      std::int64_t const index = index_in_tile(plan, x);
      c.coordinate = tuple_text(x);
      c.offset = offset_of(m, source, x);
      c.link = index;
      if (by == nullptr) {
        c.text = std::to_string(*c.offset);
      } else if (carrier const& of = by->carriers[static_cast<std::size_t>(index)]; of.thread >= 0) {
        c.thread = of.thread;
        c.value = of.vector;
        if (vectors > 1 && vectors <= max_rounds) c.round = of.vector;
        c.colour = static_cast<int>(of.thread);
        c.text = numbered('T', of.thread, by->threads);
        if (vectors > 1) c.text += "\n" + numbered('V', of.vector, vectors);
      }
      g.cells.push_back(std::move(c));
    }
  if (by == nullptr) {
    colour_by_line(p, m, plan.machine.line_bytes);
    separate(g, [](cell const& c) { return c.colour; });
  } else {
    p.colours = palette::owner;
    p.classes = static_cast<int>(by->threads);
    separate(g, [](cell const& c) { return std::pair(c.thread, c.value); });
  }
  p.path = first_run(g, w.grain);
  if (!p.path.empty())
    p.lines.push_back(fmt::format("{} elements from the first on are contiguous in memory: the red line",
                                  p.path.size() * static_cast<std::size_t>(w.grain)));
  return p;
}

std::int64_t shared_offset(cuda_schedule const& s, coordinate const& x) {
  std::int64_t at = 0;
  for (std::size_t l = 0; l < x.size(); ++l) at += s.shared[l](x[l]);
  return at;
}

panel shared_panel(copy_plan const& plan, cuda_schedule const& s, std::vector<carrier> const& stores) {
  movement const& m = plan.moves;
  std::int64_t const bytes = m.element_bits / 8, cell_bytes = std::max<std::int64_t>(bytes, bank_bytes);
  std::int64_t const each = cell_bytes / bytes, columns = row_bytes / cell_bytes;
  std::int64_t const all_rows = (s.shared_bytes + row_bytes - 1) / row_bytes,
                     rows = std::min(all_rows, max_shared_rows);
  panel p;
  p.colours = palette::owner;
  p.classes = s.threads;
  grid& g = p.cells;
  g.rows = static_cast<int>(rows);
  g.columns = static_cast<int>(columns);
  g.row_title = "byte";
  g.column_title = "bank";
  g.row_lines.assign(static_cast<std::size_t>(rows), 0);
  g.column_lines.assign(static_cast<std::size_t>(columns), 0);
  for (std::int64_t c = 0; c < columns; ++c) g.column_labels.push_back(std::to_string(c * cell_bytes / bank_bytes));
  for (std::int64_t r = 0; r < rows; ++r) g.row_labels.push_back(std::to_string(r * row_bytes));
  g.cells.resize(static_cast<std::size_t>(rows * columns));
  for (std::size_t i = 0; i < g.cells.size(); ++i) {
    auto const at = static_cast<std::int64_t>(i);
    g.cells[i].bank = at % columns * cell_bytes / bank_bytes;
    if (at * cell_bytes >= s.shared_bytes) g.cells[i].exists = false;
  }
  std::vector<cuda_mode> all;
  std::int64_t elements = 1;
  for (std::size_t l = 0; l < plan.tile.size(); ++l) {
    all.push_back({static_cast<int>(l), 1, plan.tile[l]});
    elements *= plan.tile[l];
  }
  for (std::int64_t i = 0; i < elements; ++i) {
    coordinate const x = coordinate_at(all, i, plan.tile.size());
    std::int64_t const offset = shared_offset(s, x);
    if (offset / each >= rows * columns) continue;
    cell& c = g.cells[static_cast<std::size_t>(offset / each)];
    if (c.offset && *c.offset <= offset) continue;  // a word is shown by its first element
    carrier const& of = stores[static_cast<std::size_t>(i)];
    c.offset = offset;
    c.coordinate = tuple_text(x);
    c.link = i;
    c.thread = of.thread;
    c.value = of.vector;
    c.colour = static_cast<int>(of.thread);
    coordinate shown;
    for (std::size_t l = 0; l < x.size(); ++l)
      if (plan.tile[l] > 1) shown.push_back(x[l]);
    c.text = numbered('T', of.thread, s.threads);
    if (shown.size() <= 2) c.text += fmt::format("\n{}", fmt::join(shown, ","));  // more would be too small to read
  }
  if (rows < all_rows) p.lines.push_back(fmt::format("the first {} of {} rows are drawn", rows, all_rows));
  return p;
}

panel item_panel(copy_plan const& plan, bool source, item_list const& items, cuda_schedule const* gpu) {
  panel p;
  grid& g = p.cells;
  std::int64_t const shown = std::min(items.count, max_items);
  g.columns = static_cast<int>(std::min(shown, items_of_a_row));
  g.rows = static_cast<int>((shown + g.columns - 1) / g.columns);
  g.column_labels = counted(g.columns);
  for (int r = 0; r < g.rows; ++r) g.row_labels.push_back(std::to_string(r * g.columns));
  g.row_title = items.what;
  g.row_lines.assign(static_cast<std::size_t>(g.rows), 0);
  g.column_lines.assign(static_cast<std::size_t>(g.columns), 0);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(g.rows) * g.columns; ++i) {
    cell c;
    c.exists = i < shown;
    if (c.exists) {
      c.index = i;
      c.link = i;
      c.coordinate = fmt::format("({})", i);
      c.offset = offset_of_item(plan, source, i * items.each);
      c.text = std::to_string(*c.offset);
      if (gpu != nullptr) {
        c.thread = i / gpu->write.vector % gpu->threads;
        c.value = i / gpu->write.vector / gpu->threads;
        c.colour = static_cast<int>(*c.thread);
        c.text = numbered('T', *c.thread, gpu->threads) + "\n" + c.text;
      }
    }
    g.cells.push_back(std::move(c));
  }
  if (gpu == nullptr) {
    colour_by_line(p, plan.moves, plan.machine.line_bytes);
  } else {
    p.colours = palette::owner;
    p.classes = gpu->threads;
  }
  return p;
}

std::optional<panel> tiles_panel(copy_plan const& plan, std::vector<cuda_mode> const& cut) {
  std::int64_t count = 1;
  for (cuda_mode const& m : cut) count *= m.extent;
  bool const small = cut.size() <= 2 && count <= max_drawn_tiles &&
                     std::all_of(cut.begin(), cut.end(), [](auto const& m) { return m.extent <= max_tiles_of_a_side; });
  if (!small) return std::nullopt;
  panel p;
  p.colours = palette::order;
  p.classes = order_shades;
  grid& g = p.cells;
  std::int64_t const columns = cut[0].extent, rows = cut.size() > 1 ? cut[1].extent : 1;
  g.rows = static_cast<int>(rows);
  g.columns = static_cast<int>(columns);
  g.column_labels = counted(columns);
  g.column_title = fmt::format("loop {}", cut[0].loop);
  if (cut.size() > 1) {
    g.row_labels = counted(rows);
    g.row_title = fmt::format("loop {}", cut[1].loop);
  }
  g.row_lines.assign(static_cast<std::size_t>(rows), 0);
  g.column_lines.assign(static_cast<std::size_t>(columns), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    cell c;
    c.text = std::to_string(i);
    c.index = i;
    coordinate const x = coordinate_at(cut, i, plan.moves.loops.size());
    coordinate origin = x;
    for (std::size_t l = 0; l < x.size(); ++l) origin[l] *= plan.tile[l];
    c.coordinate = tuple_text(origin);
    c.colour = static_cast<int>(i * order_shades / count);
    g.cells.push_back(std::move(c));
  }
  return p;
}

}  // namespace tilewright::render
