// Thread-value maps, their inverses, and tiled copies with their rounds.
#include "engine/render/views.hpp"

#include "tilewright/layout/text.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace tilewright::render {
namespace {

struct owner {
  long long thread = 0, value = 0;
};

/// Which threads copy each index of a tile.
struct owners {
  long long threads = 0, values = 0;
  std::vector<std::vector<owner>> of_index;

  /// error: render_error when a (thread, value) is outside of the tile
  owners(layout_value const& tv, domain const& tile) {
    if (tv.rank() != 2 || !tv.is_tuple(tv.root()))
      throw render_error("a thread-value map has two modes, (thread, value), not the " + std::to_string(tv.rank()) +
                         " of " + format_layout(tv) + "; group its modes");
    threads = size(mode(tv, 0).value()).value();
    values = size(mode(tv, 1).value()).value();
    domain_of(tv, "the thread-value map " + format_layout(tv));  // refuses empty and huge ones
    of_index.resize(static_cast<std::size_t>(tile.size()));
    for (long long v = 0; v < values; ++v) {
      for (long long t = 0; t < threads; ++t) {
        long long const index = tv(t + threads * v);
        if (index < 0 || index >= tile.size())
          throw render_error("thread " + std::to_string(t) + " has value " + std::to_string(v) + " at index " +
                             std::to_string(index) + ", outside the tile of " + std::to_string(tile.size()) +
                             (tile.size() == 1 ? " element" : " elements") +
                             "; give the tile that the map was made for");
        of_index[static_cast<std::size_t>(index)].push_back({t, v});
      }
    }
  }
  std::vector<owner> const& at(long long index) const { return of_index[static_cast<std::size_t>(index)]; }
};

/// With leading zeros, so that T00 … T31 are equally wide.
std::string numbered(char letter, long long number, long long count) {
  std::string const digits = std::to_string(number), widest = std::to_string(count - 1);
  return letter + std::string(widest.size() - std::min(widest.size(), digits.size()), '0') + digits;
}

cell owned_cell(owners const& who, long long tile_index) {
  std::vector<owner> const& all = who.at(tile_index);
  cell c;
  if (all.empty()) {
    c.text = "–";
    return c;
  }
  c.thread = all[0].thread;
  c.value = all[0].value;
  c.link = all[0].thread + who.threads * all[0].value;
  c.colour = all.size() == 1 ? static_cast<int>(all[0].thread) : several;
  c.text = numbered('T', all[0].thread, who.threads);
  if (all.size() == 1 && who.values > 1) c.text += "\n" + numbered('V', all[0].value, who.values);
  if (all.size() > 1) c.text += "\n+" + std::to_string(all.size() - 1);
  return c;
}

/// What one atom moves at a time is one cell with one label, where its elements are a rectangle: the thread, and which of
/// its values where it has more. Atoms that `is_labelled` leaves out keep their colour and get no text.
template <class IsLabelled>
void label_atoms(grid& g, owners const& who, elements atom, IsLabelled const& is_labelled) {
  struct part {
    int row = 0, column = 0, last_row = 0, last_column = 0;
    long long cells = 0, first_value = 0;
  };
  std::map<std::array<long long, 3>, part> parts;
  long long const of_atom = std::clamp<long long>(atom.count, 1, who.values);
  for (int r = 0; r < g.rows; ++r)
    for (int c = 0; c < g.columns; ++c) {
      cell& from = g.at(r, c);
      if (!from.exists || !from.thread || from.colour == several) continue;
      if (!is_labelled(from)) from.text.clear();
      std::array<long long, 3> const id{*from.thread, *from.value / of_atom, from.round.value_or(0)};
      auto const [at, is_new] = parts.try_emplace(id, part{r, c, r, c, 0, 0});
      part& p = at->second;
      p.first_value = *from.value / of_atom * of_atom;
      p.last_row = std::max(p.last_row, r);
      p.column = std::min(p.column, c);
      p.last_column = std::max(p.last_column, c);
      ++p.cells;
    }
  for (auto const& [id, p] : parts) {
    int const down = p.last_row - p.row + 1, across = p.last_column - p.column + 1;
    if (of_atom == 1 || p.cells != static_cast<long long>(down) * across) continue;
    for (int r = p.row; r <= p.last_row; ++r)
      for (int c = p.column; c <= p.last_column; ++c) g.at(r, c).text.clear();
    cell& first = g.at(p.row, p.column);
    first.across = across;
    first.down = down;
    if (!is_labelled(first)) continue;
    first.text = numbered('T', id[0], who.threads);
    if (who.values > of_atom)
      first.text += "\n" + numbered('V', p.first_value, who.values) + "–" + std::to_string(p.first_value + of_atom - 1);
  }
}

/// Lines where another thread begins, across a whole row or column, besides those that are there.
void separate_threads(grid& g) {
  auto const differs = [&](int row, int column, int row_before, int column_before) {
    return g.at(row, column).thread != g.at(row_before, column_before).thread;
  };
  for (int r = 1; r < g.rows; ++r) {
    bool all = true;
    for (int c = 0; c < g.columns && all; ++c) all = !g.at(r, c).exists || differs(r, c, r - 1, c);
    int& weight = g.row_lines[static_cast<std::size_t>(r)];
    if (all) weight = std::max(weight, 1);
  }
  for (int c = 1; c < g.columns; ++c) {
    bool all = true;
    for (int r = 0; r < g.rows && all; ++r) all = !g.at(r, c).exists || differs(r, c, r, c - 1);
    int& weight = g.column_lines[static_cast<std::size_t>(c)];
    if (all) weight = std::max(weight, 1);
  }
}

/// What is to say about coverage: nothing wrong, or how much.
std::string coverage_text(owners const& who) {
  std::size_t never = 0, more = 0;
  for (std::vector<owner> const& all : who.of_index) {
    never += all.empty() ? 1 : 0;
    more += all.size() > 1 ? 1 : 0;
  }
  if (never == 0 && more == 0) return "every element is copied exactly once";
  std::string out;
  auto const are = [](std::size_t n) { return std::to_string(n) + (n == 1 ? " element is" : " elements are"); };
  if (never > 0) out += are(never) + " copied by no thread";
  if (more > 0) out += (out.empty() ? "" : ", ") + are(more) + " copied more than once";
  return out;
}

std::string counts_text(owners const& who) {
  return std::to_string(who.threads) + (who.threads == 1 ? " thread, " : " threads, ") + std::to_string(who.values) +
         (who.values == 1 ? " value" : " values") + (who.threads == 1 ? "" : " each");
}

/// With an atom, one label for each; else one for each value.
std::vector<panel> owner_panels(std::string const& title, int_tree const& tile, owners const& who,
                                elements atom = {1}) {
  domain const d = domain_of(tile, "the tile " + format_tuple(tile));
  std::vector<panel> out = panels_of(title, grids_of(d, [&](long long index) { return owned_cell(who, index); }),
                                     palette::owner, static_cast<int>(who.threads));
  for (panel& p : out) {
    separate_threads(p.cells);
    if (atom.count > 1) label_atoms(p.cells, who, atom, [](cell const&) { return true; });
  }
  return out;
}

/// Rows are threads, columns values; the cells say where in the tile.
panel inverse_panel(layout_value const& tv, domain const& tile, owners const& who) {
  panel p;
  p.title = "(thread, value) → tile";
  p.colours = palette::owner;
  p.classes = static_cast<int>(who.threads);
  grid& g = p.cells;
  g.rows = static_cast<int>(who.threads);
  g.columns = static_cast<int>(who.values);
  g.row_labels = counted(who.threads);
  g.column_labels = counted(who.values);
  g.row_title = "thread";
  g.column_title = "value";
  g.row_lines = nested_lines(tv, tv.mode(0), who.threads);
  g.column_lines = nested_lines(tv, tv.mode(1), who.values);
  for (long long t = 0; t < who.threads; ++t) {
    for (long long v = 0; v < who.values; ++v) {
      cell c;
      c.index = tv(t + who.threads * v);
      c.coordinate = format_tuple(idx2crd(*c.index, tile.shape).value());
      c.text = c.coordinate;
      c.thread = t;
      c.value = v;
      c.link = t + who.threads * v;
      c.colour = static_cast<int>(t);
      g.cells.push_back(std::move(c));
    }
  }
  return p;
}

/// A declaration's grid: threads or values at their coordinates.
panel declared(std::string const& title, layout_value const& layout, char letter, long long threads) {
  domain const d = domain_of(layout, title);
  long long const n = d.size();
  bool const of_threads = letter == 'T';
  std::vector<panel> out = panels_of(title,
                                     grids_of(d,
                                              [&](long long index) {
                                                cell c;
                                                long long const number = layout(index);
                                                c.text = numbered(letter, number, n);
                                                c.colour = of_threads ? static_cast<int>(number) : 0;
                                                (of_threads ? c.thread : c.value) = number;
                                                return c;
                                              }),
                                     of_threads ? palette::owner : palette::plain, static_cast<int>(threads));
  if (out.size() > 1) out[0].lines.push_back("… and the same for the other modes");
  return std::move(out.front());
}

/// Each mode of a tensor as (in the tile, tile).
struct tiled_domain {
  domain whole;
  std::vector<long long> tile;

  /// error: layout_error when a mode is not a whole number of tiles
  tiled_domain(int_tree const& shape, int_tree const& tiler, std::string const& name) : whole(domain_of(shape, name)) {
    int_tree const extents = product_each(tiler).value();
    for (int i = 0; i < extents.leaves; ++i) tile.push_back(extents.shape[i].number);
    if (tile.size() > whole.extents.size())
      raise({errc::rank_mismatch, static_cast<long long>(whole.extents.size()), static_cast<long long>(tile.size())});
    tile.resize(whole.extents.size(), 1);
    for (std::size_t i = 0; i < tile.size(); ++i)
      if (tile[i] < 1 || whole.extents[i] % tile[i] != 0) raise({errc::tiler_does_not_fit, whole.extents[i], tile[i]});
  }
  struct place {
    long long in_tile = 0, round = 0;
  };
  place at(long long index) const {
    place out;
    long long inside = 1, outside = 1;
    for (std::size_t i = 0; i < tile.size(); ++i) {
      long long const x = index % whole.extents[i];
      index /= whole.extents[i];
      out.in_tile += inside * (x % tile[i]);
      out.round += outside * (x / tile[i]);
      inside *= tile[i];
      outside *= whole.extents[i] / tile[i];
    }
    return out;
  }
  std::vector<std::string> rounds() const {
    std::vector<std::string> out;
    long long count = 1;
    for (std::size_t i = 0; i < tile.size(); ++i) count *= whole.extents[i] / tile[i];
    for (long long k = 0; k < count; ++k) {
      std::string name;
      long long rest = k;
      for (std::size_t i = 0; i < tile.size(); ++i) {
        name += (i == 0 ? "(" : ",") + std::to_string(rest % (whole.extents[i] / tile[i]));
        rest /= whole.extents[i] / tile[i];
      }
      out.push_back("tile " + name + ")");
    }
    return out;
  }
};

/// Heavy lines where the next tile begins.
void separate_tiles(grid& g, std::vector<long long> const& tile, bool rows) {
  if (rows)
    for (int r = 1; r < g.rows; ++r)
      if (r % tile[0] == 0) g.row_lines[static_cast<std::size_t>(r)] = 3;
  long long const across = tile[rows ? 1 : 0];
  for (int c = 1; c < g.columns; ++c)
    if (c % across == 0) g.column_lines[static_cast<std::size_t>(c)] = 3;
}

}  // namespace

std::vector<panel> thread_value_panels(std::string const& title, layout_value const& tv, int_tree const& tile) {
  return owner_panels(title, tile, owners(tv, domain_of(tile, "the tile " + format_tuple(tile))));
}

scene tv_scene(layout_value const& tv, int_tree const& tile, plot_options const& options) {
  domain const d = domain_of(tile, "the tile " + format_tuple(tile));
  owners const who(tv, d);
  scene s;
  s.title = options.title.empty() ? "thread-value map " + format_layout(tv) : options.title;
  s.lines.push_back(counts_text(who) + " on a tile of " + extents_text(d) + ": " + coverage_text(who));
  s.panels = owner_panels("tile → (thread, value)", tile, who);
  s.panels.push_back(inverse_panel(tv, d, who));
  return checked_scene(std::move(s));
}

scene threads_scene(copy_picture const& copy, plot_options const& options) {
  domain const d = domain_of(copy.tiler, "the tile " + format_tuple(copy.tiler));
  owners const who(copy.tv, d);
  scene s;
  s.title = options.title.empty() ? "which thread copies what" : options.title;
  s.lines.push_back(counts_text(who) + " on a tile of " + extents_text(d) + ": " + coverage_text(who));
  if (copy.thr.nodes > 0 && copy.val.nodes > 0) {
    layout_value vector{};  // a column, as the atom's values extend mode 0
    vector.open(2);
    vector.add_leaf(constant_leaf(copy.atom.count), constant_leaf(1));
    vector.add_leaf(constant_leaf(1), constant_leaf(0));
    panel atom = declared("atom: " + std::to_string(copy.atom.count) + (copy.atom.count == 1 ? " value" : " values"),
                          vector, 'V', 1);
    panel thr = declared("threads " + format_layout(copy.thr), copy.thr, 'T', who.threads);
    panel val = declared("values " + format_layout(copy.val), copy.val, 'V', 1);
    thr.sign = val.sign = "×";
    s.panels = {std::move(atom), std::move(thr), std::move(val)};
  }
  std::vector<panel> map = owner_panels("tile " + format_tuple(copy.tiler), copy.tiler, who, copy.atom);
  if (!s.panels.empty()) map.front().sign = "=";
  for (panel& p : map) s.panels.push_back(std::move(p));
  return checked_scene(std::move(s));
}

scene copy_scene(copy_picture const& copy, std::vector<named_layout> const& sides, plot_options const& options) {
  if (sides.empty() || sides.size() > 2)
    throw render_error("a copy has a source and perhaps a destination, not " + std::to_string(sides.size()) +
                       " layouts; give one or two");
  check_banks(options);
  owners const who(copy.tv, domain_of(copy.tiler, "the tile " + format_tuple(copy.tiler)));
  scene s;
  s.title = options.title.empty() ? "tiled copy" : options.title;
  std::optional<tiled_domain> first;
  for (named_layout const& side : sides) {
    tiled_domain const d(side.map.layout, copy.tiler, side.name);
    if (!first) first = d;
    if (first->whole.extents != d.whole.extents)
      throw render_error("the source is " + extents_text(first->whole) + " elements and the destination " +
                         extents_text(d.whole) + "; give both the same extents");
    std::vector<element_offset> const offsets = offsets_of(side, d.whole.size());
    std::vector<panel> panels = panels_of(title_of(side),
                                          grids_of(d.whole,
                                                   [&](long long index) {
                                                     tiled_domain::place const at = d.at(index);
                                                     element_offset const& o = offsets[static_cast<std::size_t>(index)];
                                                     cell c = owned_cell(who, at.in_tile);
                                                     c.round = at.round;
                                                     c.offset = o.number;
                                                     if (o.number) c.bank = bank_of(*o.number, options);
                                                     c.link = index;
                                                     return c;
                                                   }),
                                          palette::owner, static_cast<int>(who.threads));
    for (panel& p : panels) {
      separate_threads(p.cells);
      label_atoms(p.cells, who, copy.atom, [](cell const& c) { return c.round == 0; });
      bool const rows = d.whole.extents.size() > 1;
      if (rows || p.cells.rows == 1) separate_tiles(p.cells, d.tile, rows);
    }
    if (!s.panels.empty()) panels.front().sign = "→";
    for (panel& p : panels) s.panels.push_back(std::move(p));
  }
  s.rounds = first->rounds();
  s.lines.push_back(counts_text(who) + ", " + std::to_string(copy.atom.count) + " at a time; tile " +
                    format_tuple(copy.tiler) + ", " + std::to_string(s.rounds.size()) +
                    (s.rounds.size() == 1 ? " round: " : " rounds: ") + coverage_text(who));
  return checked_scene(std::move(s));
}

}  // namespace tilewright::render
