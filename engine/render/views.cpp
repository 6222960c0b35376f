// Requests become scenes; small views that need no layout.
#include "engine/render/views.hpp"

#include "tilewright/render/atoms.hpp"
#include "tilewright/render/colour.hpp"
#include "tilewright/render/mma_atoms.hpp"

#include <algorithm>
#include <array>

namespace tilewright::render {
namespace {

constexpr std::array names{"offsets", "indices", "coordinates", "banks",     "order", "divide", "product",
                           "threads", "tv",      "copy",        "conflicts", "plan",  "atom"};

std::string listed(std::vector<std::string> const& words) {
  std::string out;
  for (std::string const& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

void require_layouts(plot_request const& r, std::size_t least, std::size_t most) {
  std::size_t const given = r.layouts.size();
  if (given >= least && given <= most) return;
  std::string const range =
      least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
  throw render_error("the view " + view_names()[static_cast<std::size_t>(r.what)] + " draws " + range +
                     " layouts, not " + std::to_string(given) + "; give that many");
}

layout_value plain(named_layout const& layout, char const* what) {
  if (layout.swizzled() || !layout.map.offset.is(0))
    throw render_error(std::string("the view ") + what + " draws layouts without a swizzle, not " +
                       text_of(layout.map) + "; draw the layout below the swizzle");
  return layout.map.layout;
}

}  // namespace

std::vector<std::string> const& view_names() {
  static std::vector<std::string> const all(names.begin(), names.end());
  return all;
}

view view_of(std::string const& name) {
  auto const found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw render_error("there is no view '" + name + "'; the views are " + listed(view_names()));
  return static_cast<view>(found - names.begin());
}

scene make_scene(plot_request const& r) {
  constexpr std::size_t many = 16;
  switch (r.what) {
    case view::offsets:
    case view::indices:
    case view::coordinates:
    case view::banks:
    case view::order: require_layouts(r, 1, many); return layout_scene(r.layouts, r.what, r.options);
    case view::divide: require_layouts(r, 1, 1); return divide_scene(plain(r.layouts[0], "divide"), r.tiler, r.options);
    case view::product:
      require_layouts(r, 1, 1);
      return product_scene(plain(r.layouts[0], "product"), r.tiler, r.options);
    case view::threads: return threads_scene(r.copy, r.options);
    case view::tv: return tv_scene(r.copy.tv, r.copy.tiler, r.options);
    case view::conflicts: require_layouts(r, 1, 1); return conflict_scene(r.copy, r.layouts[0], r.options);
    case view::copy: require_layouts(r, 1, 2); return copy_scene(r.copy, r.layouts, r.options);
    case view::plan: return plan_scene(r.plan, r.options);
    case view::atom: {
      bool const is_mma = std::count(mma_names().begin(), mma_names().end(), r.atom) > 0;
      return is_mma ? mma_scene(mma_named(r.atom), r.options) : atom_scene(atom_named(r.atom), r.options);
    }
  }
  throw render_error("the request names no view");
}

scene checked_scene(scene s) {
  std::size_t cells = 0;
  for (panel const& p : s.panels) cells += p.cells.cells.size();
  if (cells > static_cast<std::size_t>(cell_limit))
    throw render_error("the picture would have " + std::to_string(cells) + " cells and may have " +
                       std::to_string(cell_limit) + " at most; draw a slice or a tile");
  return s;
}

// --- banks -----------------------------------------------------------------------------------------------------------

void check_banks(plot_options const& o) {
  if (o.element.count >= 1 && o.banks >= 1 && o.bank_width.count >= 1 && o.banks <= cell_limit &&
      o.element.count <= cell_limit && o.bank_width.count <= cell_limit)
    return;
  throw render_error("banks need element bits, a number of banks and a bank width from 1 to " +
                     std::to_string(cell_limit) + ", not " + std::to_string(o.element.count) + ", " +
                     std::to_string(o.banks) + " and " + std::to_string(o.bank_width.count));
}

long long bank_of(long long offset, plot_options const& o) {
  long long first_bit = 0;
  if (!math::multiply(offset, o.element.count, first_bit)) raise({errc::overflow, offset, o.element.count});
  long long const width = to_bits(o.bank_width).count;
  long long const word = first_bit / width - (first_bit % width < 0 ? 1 : 0);
  return (word % o.banks + o.banks) % o.banks;
}

std::vector<legend_entry> bank_legend(long long banks) {
  int const count = static_cast<int>(banks), each = banks <= 8 ? 1 : 4;
  std::vector<legend_entry> out;
  for (int b = 0; b < count && out.size() < 8; b += each) {
    std::string const text =
        each == 1 ? std::to_string(b) : std::to_string(b) + "–" + std::to_string(std::min(b + each, count) - 1);
    out.push_back({out.empty() ? "bank " + text : text, palette::bank, std::min(b + each / 2, count - 1), count});
  }
  return out;
}

scene stages_scene(std::string const& title, std::vector<stage> const& stages) {
  scene s;
  s.title = title;
  for (stage const& step : stages) {
    panel p = step.picture.value_or(panel{});
    p.title = std::to_string(s.panels.size() + 1) + ". " + step.title;
    if (!s.panels.empty()) p.sign = "→";
    p.lines.insert(p.lines.end(), step.lines.begin(), step.lines.end());
    s.panels.push_back(std::move(p));
  }
  return checked_scene(std::move(s));
}

}  // namespace tilewright::render
