// Layout grids, banks before and after a swizzle, the order of memory; divisions and products.
#include "engine/render/views.hpp"

#include "tilewright/layout/text.hpp"

#include <algorithm>
#include <numeric>

namespace tilewright::render {
namespace {

constexpr long long drawn_memory = 4096;  // elements
constexpr int memory_row = 32;

panel memory_panel(std::vector<element_offset> const& offsets, domain const& d, offset_range const& range) {
  panel p;
  p.title = "memory, by offset";
  p.colours = palette::order;
  p.classes = order_classes;
  long long const span = range.highest - range.lowest + 1;
  grid& g = p.cells;
  g.columns = static_cast<int>(std::min<long long>(span, memory_row));
  g.rows = static_cast<int>((span + g.columns - 1) / g.columns);
  g.cells.resize(static_cast<std::size_t>(g.rows) * static_cast<std::size_t>(g.columns));
  for (int c = 0; c < g.columns; ++c) g.column_labels.push_back("+" + std::to_string(c));
  for (int r = 0; r < g.rows; ++r)
    g.row_labels.push_back(std::to_string(range.lowest + static_cast<long long>(r) * g.columns));
  g.row_lines.assign(static_cast<std::size_t>(g.rows), 0);
  g.column_lines.assign(static_cast<std::size_t>(g.columns), 0);
  for (std::size_t at = 0; at < g.cells.size(); ++at) {
    g.cells[at].exists = static_cast<long long>(at) < span;
    g.cells[at].offset = range.lowest + static_cast<long long>(at);
  }
  for (long long i = 0; i < d.size(); ++i) {
    long long const offset = *offsets[static_cast<std::size_t>(i)].number;
    cell& c = g.cells[static_cast<std::size_t>(offset - range.lowest)];
    bool const first = c.colour == nobody;
    std::string const coordinate = format_tuple(idx2crd(i, d.shape).value());
    c.colour = first ? range.class_of(offset) : several;
    c.text = first ? coordinate : c.text.substr(0, c.text.find('\n')) + "\n+ more";
    c.coordinate += (first ? "" : " ") + coordinate;
    if (first) c.index = c.link = i;
  }
  return p;
}

void add_path(panel& p) {
  p.path.resize(p.cells.cells.size());
  std::iota(p.path.begin(), p.path.end(), 0);
  auto const offset = [&](int i) { return *p.cells.cells[static_cast<std::size_t>(i)].offset; };
  std::erase_if(p.path, [&](int i) { return !p.cells.cells[static_cast<std::size_t>(i)].exists; });
  std::stable_sort(p.path.begin(), p.path.end(), [&](int a, int b) { return offset(a) < offset(b); });
}

std::string text_in_cell(view what, element_offset const& offset, long long index, domain const& d,
                         plot_options const& options) {
  if (what == view::indices) return std::to_string(index);
  if (what == view::coordinates) return format_tuple(idx2crd(index, d.shape).value());
  if (what == view::banks && offset.number) return std::to_string(bank_of(*offset.number, options));
  return offset.text;
}

/// The panels of a map as it is.
std::vector<panel> map_panels(named_layout const& layout, view what, plot_options const& options) {
  domain const d = domain_of(layout.map.layout, layout.name);
  std::vector<element_offset> const offsets = offsets_of(layout, d.size());
  bool const numbers = offsets[0].number.has_value();
  if (!numbers && (what == view::banks || what == view::order))
    throw render_error("the offsets of " + text_of(layout.map) +
                       " are coordinates, which have neither bank nor order; "
                       "draw it with the view offsets");
  offset_range const range(offsets);
  bool const banks = what == view::banks;
  std::vector<panel> out =
      panels_of(title_of(layout),
                grids_of(d,
                         [&](long long index) {
                           element_offset const& offset = offsets[static_cast<std::size_t>(index)];
                           cell c;
                           c.text = text_in_cell(what, offset, index, d, options);
                           c.offset = offset.number;
                           c.link = index;
                           if (banks) c.bank = bank_of(*offset.number, options);
                           c.colour = !numbers ? 0 : banks ? static_cast<int>(*c.bank) : range.class_of(*offset.number);
                           return c;
                         }),
                !numbers ? palette::plain
                : banks  ? palette::bank
                         : palette::order,
                banks ? static_cast<int>(options.banks) : order_classes);
  if (what != view::order) return out;
  for (panel& p : out) add_path(p);
  if (range.highest - range.lowest < drawn_memory) out.push_back(memory_panel(offsets, d, range));
  else
    out.back().lines.push_back("memory spans " + std::to_string(range.highest - range.lowest + 1) +
                               " elements; not drawn");
  return out;
}

/// The indices of a shape as a layout to divide. Tiles may overhang a mode, so the modes are as far apart as an
/// overhang can reach: an index beyond a mode is not taken for the next one.
struct roomy_indices {
  layout_value layout{};
  std::vector<long long> extent{}, base{};

  /// error: layout_error (overflow)
  roomy_indices(int_tree const& shape, long long overhang) : layout(shape) {
    subtree u = shape.first_mode(shape.root());
    long long step = 1;
    bool fits = true;
    for (int i = 0; i < shape.rank() && fits; ++i, u = shape.next(u)) {
      base.push_back(step);
      long long count = 1;
      for (int k = u.leaf; k < u.leaf_end; ++k) {
        long long stride = 0;
        fits = fits && math::multiply(step, count, stride);
        layout.stride[k] = constant_leaf(stride);
        count *= shape.shape[k].number;
      }
      extent.push_back(count);
      fits = fits && math::multiply(step, count + overhang, step);
    }
    if (!fits) raise({errc::overflow, step, overhang});
  }
  /// All of the shape as one mode.
  explicit roomy_indices(int_tree const& shape)
      : layout(compact_left(shape).value()),
        extent{size(shape).value()},
        base{1} {}

  /// The index, first mode fastest; nothing beyond the shape.
  std::optional<long long> index_of(long long roomy) const {
    long long index = 0, below = 1;
    for (long long const e : extent) below *= e;
    for (std::size_t i = extent.size(); i-- > 0;) {
      below /= extent[i];
      if (roomy / base[i] >= extent[i]) return std::nullopt;
      index += roomy / base[i] * below;
      roomy %= base[i];
    }
    return index;
  }
};

/// The operation as `options` name it, or the view's own.
std::string operation_of(plot_options const& options, char const* usual, std::vector<std::string> const& known) {
  std::string const name = options.operation.empty() ? usual : options.operation;
  if (std::find(known.begin(), known.end(), name) != known.end()) return name;
  std::string list;
  for (std::string const& word : known) list += (list.empty() ? "" : ", ") + word;
  throw render_error("there is no operation '" + name + "' here; the operations are " + list);
}

layout_value divided(std::string const& name, layout_value const& a, tiler_value const& t) {
  if (name == "logical") return logical_divide(a, t).value();
  if (name == "tiled") return tiled_divide(a, t).value();
  if (name == "flat") return flat_divide(a, t).value();
  return zipped_divide(a, t).value();
}

layout_value multiplied(std::string const& name, layout_value const& a, tiler_value const& t) {
  bool const one = t.tree.nodes > 0 && t.tree.is_layout(t.tree.root());
  if (name == "blocked" || name == "raked") {
    if (!one)
      throw render_error("the " + name +
                         " product repeats a block by one layout; give one layout, not a tuple of layouts");
    layout_value const by(copy_of(t.tree, t.tree.behind_marker(t.tree.root())));
    return (name == "raked" ? raked_product(a, by) : blocked_product(a, by)).value();
  }
  if (name == "zipped") return zipped_product(a, t).value();
  if (name == "tiled") return tiled_product(a, t).value();
  if (name == "flat") return flat_product(a, t).value();
  return logical_product(a, t).value();
}

/// A panel of a layout whose cells have the colour of a part; link and offset go along.
std::vector<panel> coloured(std::string const& title, layout_value const& a,
                            std::function<int(long long index, long long offset)> const& part_of,
                            std::function<std::optional<long long>(long long index, long long offset)> const& link_of) {
  domain const d = domain_of(a, title);
  return panels_of(title,
                   grids_of(d,
                            [&](long long index) {
                              long long const offset = a(index);
                              cell c;
                              c.text = std::to_string(offset);
                              c.offset = offset;
                              c.colour = part_of(index, offset);
                              c.link = link_of(index, offset);
                              return c;
                            }),
                   palette::group, 1);
}

void add_part_legend(scene& s, char const* word, long long count) {
  for (int i = 0; i < std::min<long long>(count, 8); ++i)
    s.legend.push_back({std::string(word) + " " + std::to_string(i), palette::group, i, 1});
  if (count > 8) s.legend.back().text += " …";
}

void append(scene& s, std::vector<panel> panels, char const* sign) {
  if (!s.panels.empty() && !panels.empty()) panels.front().sign = sign;
  for (panel& p : panels) s.panels.push_back(std::move(p));
}

std::string text_of_tiler(tiler_value const& t) {
  bool const one = t.tree.nodes > 0 && t.tree.is_layout(t.tree.root());
  return one ? format_layout(copy_of(t.tree, t.tree.behind_marker(t.tree.root()))) : format_tuple(t.tree);
}

}  // namespace

std::string title_of(named_layout const& layout) {
  std::string const text = text_of(layout.map);
  return layout.name.empty() || layout.name == text ? text : layout.name + ": " + text;
}

offset_range::offset_range(std::vector<element_offset> const& offsets) {
  bool first = true;
  for (element_offset const& o : offsets) {
    if (!o.number) continue;
    lowest = first ? *o.number : std::min(lowest, *o.number);
    highest = first ? *o.number : std::max(highest, *o.number);
    first = false;
  }
}

int offset_range::class_of(long long offset) const {
  if (highest == lowest) return 0;
  double const share = (static_cast<double>(offset) - static_cast<double>(lowest)) /
                       (static_cast<double>(highest) - static_cast<double>(lowest));
  return static_cast<int>(share * (order_classes - 1) + 0.5);
}

std::vector<panel> panels_of(std::string const& title, std::vector<drawn_grid> grids, palette colours, int classes) {
  std::vector<panel> out;
  bool const row_of_grids = grids.size() > 1;
  for (drawn_grid& g : grids) {
    panel p;
    p.new_row = g.new_row || (row_of_grids && out.empty());
    (row_of_grids ? p.heading : p.title) = out.empty() ? title : "";
    if (row_of_grids) p.title = g.name;
    p.colours = colours;
    p.classes = classes;
    p.cells = std::move(g.cells);
    out.push_back(std::move(p));
  }
  return out;
}

std::vector<panel> layout_panels(named_layout const& layout, view what, plot_options const& options) {
  if (what == view::banks) check_banks(options);
  if (what != view::banks || !layout.swizzled()) return map_panels(layout, what, options);
  named_layout before = layout, after = layout;
  before.map.swizzle = {};
  before.name = layout.name.empty() ? "before" : layout.name + " before";
  after.name = layout.name.empty() ? "after" : layout.name + " after";
  std::vector<panel> out = map_panels(before, what, options);
  std::vector<panel> swizzled = map_panels(after, what, options);
  swizzled.front().sign = "→";
  for (panel& p : swizzled) out.push_back(std::move(p));
  return out;
}

scene layout_scene(std::vector<named_layout> const& layouts, view what, plot_options const& options) {
  if (layouts.empty()) throw render_error("there is no layout to draw; give at least one");
  scene s;
  s.title = options.title;
  constexpr char const* titles[] = {"offset of each coordinate", "index of each coordinate", "coordinates",
                                    "bank of shared memory of each coordinate", "order in memory"};
  if (what > view::order)
    throw render_error("a layout is drawn with the view offsets, indices, coordinates, banks or order, not " +
                       view_names()[static_cast<std::size_t>(what)]);
  if (s.title.empty()) s.title = titles[static_cast<std::size_t>(what)];
  for (named_layout const& layout : layouts)
    for (panel& p : layout_panels(layout, what, options)) s.panels.push_back(std::move(p));
  if (what == view::banks) {
    s.lines.push_back(std::to_string(options.element.count) + "-bit elements, " + std::to_string(options.banks) +
                      " banks of " + std::to_string(options.bank_width.count) + " bytes");
    s.legend = bank_legend(options.banks);
  } else if (s.panels[0].colours == palette::order) {
    s.legend.push_back({"lowest offset", palette::order, 0, order_classes});
    s.legend.push_back({"highest offset", palette::order, order_classes - 1, order_classes});
  }
  return checked_scene(std::move(s));
}

scene divide_scene(layout_value const& a, tiler_value const& tiler, plot_options const& options) {
  std::string const name = operation_of(options, "zipped", {"logical", "zipped", "tiled", "flat"});
  layout_value const result = divided(name, a, tiler);
  // The same division of A's indices says which index each cell of the result is, and its tile.
  long long const cells = domain_of(result, "the division").size();
  roomy_indices roomy(a, cells);
  if (!zipped_divide(roomy.layout, tiler)) roomy = roomy_indices(a);  // a tile that runs through several modes
  layout_value const by_tile = zipped_divide(roomy.layout, tiler).value(),
                     in_result = divided(name, roomy.layout, tiler);
  long long const tile = size(mode(by_tile, 0).value()).value(), tiles = size(mode(by_tile, 1).value()).value();
  std::vector<int> tile_of(static_cast<std::size_t>(size(a).value()), nobody);
  for (long long r = 0; r < tiles; ++r)
    for (long long t = 0; t < tile; ++t)
      if (auto const i = roomy.index_of(by_tile(t + tile * r)))
        tile_of[static_cast<std::size_t>(*i)] = static_cast<int>(r);
  long long beyond = 0;
  for (long long i = 0; i < cells; ++i) beyond += roomy.index_of(in_result(i)) ? 0 : 1;
  scene s;
  s.title =
      options.title.empty() ? name + "_divide(" + format_layout(a) + ", " + text_of_tiler(tiler) + ")" : options.title;
  append(s,
         coloured(
             "A  " + format_layout(a), a, [&](long long i, long long) { return tile_of[static_cast<std::size_t>(i)]; },
             [](long long i, long long) { return i; }),
         "");
  append(s,
         coloured(
             name + "_divide  " + format_layout(result), result,
             [&](long long i, long long) {
               auto const index = roomy.index_of(in_result(i));
               return index ? tile_of[static_cast<std::size_t>(*index)] : nobody;
             },
             [&](long long i, long long) { return roomy.index_of(in_result(i)); }),
         "→");
  if (beyond > 0)
    s.lines.push_back(std::to_string(beyond) + " cells without a colour are outside A: its last tiles overhang");
  if (name == "zipped" && s.panels.size() == 2) {
    s.panels[1].cells.row_title = "in the tile";
    s.panels[1].cells.column_title = "tile";
  }
  s.lines.push_back(std::to_string(tiles) + " tiles of " + std::to_string(tile) +
                    " elements; the number is the offset");
  add_part_legend(s, "tile", tiles);
  return checked_scene(std::move(s));
}

scene product_scene(layout_value const& block, tiler_value const& tiler, plot_options const& options) {
  std::string const name = operation_of(options, "logical", {"logical", "zipped", "tiled", "flat", "blocked", "raked"});
  layout_value const result = multiplied(name, block, tiler), pairs = zipped_product(block, tiler).value();
  long long const inner = size(block).value(), repetitions = size(pairs).value() / std::max(inner, 1LL);
  std::map<long long, int> repetition_of;  // by offset
  for (long long r = repetitions - 1; r >= 0; --r)
    for (long long i = 0; i < inner; ++i) repetition_of[pairs(i + inner * r)] = static_cast<int>(r);
  auto const part = [&](long long, long long offset) {
    auto const found = repetition_of.find(offset);
    return found == repetition_of.end() ? nobody : found->second;
  };
  auto const link = [](long long, long long offset) { return offset; };
  scene s;
  s.title = options.title.empty() ? name + "_product(" + format_layout(block) + ", " + text_of_tiler(tiler) + ")"
                                  : options.title;
  append(s, coloured("block  " + format_layout(block), block, part, link), "");
  if (tiler.tree.nodes > 0 && tiler.tree.is_layout(tiler.tree.root())) {
    layout_value const by(copy_of(tiler.tree, tiler.tree.behind_marker(tiler.tree.root())));
    append(s,
           coloured(
               "repeated by  " + format_layout(by), by, [](long long i, long long) { return static_cast<int>(i); },
               [&](long long i, long long) { return -1 - i; }),
           "×");
  }
  append(s, coloured(name + "_product  " + format_layout(result), result, part, link), "=");
  s.lines.push_back(std::to_string(repetitions) + " repetitions of " + std::to_string(inner) +
                    " elements; the number is the offset");
  add_part_legend(s, "repetition", repetitions);
  return checked_scene(std::move(s));
}

}  // namespace tilewright::render
