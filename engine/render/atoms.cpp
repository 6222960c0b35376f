// The table of copy atoms, and their pictures.
#include "tilewright/render/atoms.hpp"

#include "engine/render/views.hpp"
#include "tilewright/algebra/to_value.hpp"
#include "tilewright/atom/cp_async.hpp"
#include "tilewright/atom/ldmatrix.hpp"
#include "tilewright/atom/stmatrix.hpp"
#include "tilewright/layout/text.hpp"

#include <algorithm>

namespace tilewright::render {
namespace {

constexpr bits matrix_row{128}, half{16};
constexpr int matrix_rows = 8;

template <class Operation>
atom_maps maps_of(std::string name, bits element, bits row, int rows) {
  using traits = Copy_Traits<Operation>;
  return {std::move(name),
          to_value(typename traits::SrcLayout{}),
          to_value(typename traits::DstLayout{}),
          element,
          row,
          rows};
}
template <class Operation>
atom_maps matrices(char const* name) {
  return maps_of<Operation>(name, half, matrix_row, matrix_rows);
}
template <class Operation>
atom_maps one_thread(std::string const& name, char const* type, int width) {
  return maps_of<Operation>(name + "<" + type + ">", {std::min(width, 32)}, {}, 0);
}

/// cp.async, of 16 bytes alone where it passes by L1.
template <template <class, class> class Operation, bool AllWidths>
void add_async(std::vector<atom_maps>& to, std::string const& name) {
  to.push_back(one_thread<Operation<uint128_t, uint128_t>>(name, "uint128_t", 128));
  if constexpr (AllWidths) {
    to.push_back(one_thread<Operation<std::uint64_t, std::uint64_t>>(name, "uint64_t", 64));
    to.push_back(one_thread<Operation<std::uint32_t, std::uint32_t>>(name, "uint32_t", 32));
  }
}

std::vector<atom_maps> make_table() {
  std::vector<atom_maps> out{
      matrices<SM75_U32x1_LDSM_N>("SM75_U32x1_LDSM_N"), matrices<SM75_U32x2_LDSM_N>("SM75_U32x2_LDSM_N"),
      matrices<SM75_U32x4_LDSM_N>("SM75_U32x4_LDSM_N"), matrices<SM75_U16x2_LDSM_T>("SM75_U16x2_LDSM_T"),
      matrices<SM75_U16x4_LDSM_T>("SM75_U16x4_LDSM_T"), matrices<SM75_U16x8_LDSM_T>("SM75_U16x8_LDSM_T"),
      matrices<SM90_U32x1_STSM_N>("SM90_U32x1_STSM_N"), matrices<SM90_U32x2_STSM_N>("SM90_U32x2_STSM_N"),
      matrices<SM90_U32x4_STSM_N>("SM90_U32x4_STSM_N"), matrices<SM90_U16x2_STSM_T>("SM90_U16x2_STSM_T"),
      matrices<SM90_U16x4_STSM_T>("SM90_U16x4_STSM_T"), matrices<SM90_U16x8_STSM_T>("SM90_U16x8_STSM_T")};
  out.push_back(one_thread<UniversalCopy<uint128_t>>("UniversalCopy", "uint128_t", 128));
  out.push_back(one_thread<UniversalCopy<std::uint64_t>>("UniversalCopy", "uint64_t", 64));
  out.push_back(one_thread<UniversalCopy<std::uint32_t>>("UniversalCopy", "uint32_t", 32));
  out.push_back(one_thread<UniversalCopy<std::uint16_t>>("UniversalCopy", "uint16_t", 16));
  out.push_back(one_thread<UniversalCopy<std::uint8_t>>("UniversalCopy", "uint8_t", 8));
  add_async<SM80_CP_ASYNC_CACHEALWAYS, true>(out, "SM80_CP_ASYNC_CACHEALWAYS");
  add_async<SM80_CP_ASYNC_CACHEGLOBAL, false>(out, "SM80_CP_ASYNC_CACHEGLOBAL");
  add_async<SM80_CP_ASYNC_CACHEALWAYS_ZFILL, true>(out, "SM80_CP_ASYNC_CACHEALWAYS_ZFILL");
  add_async<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL, false>(out, "SM80_CP_ASYNC_CACHEGLOBAL_ZFILL");
  return out;
}

std::vector<atom_maps> const& table() {
  static std::vector<atom_maps> const all = make_table();
  return all;
}

std::string without_type(std::string const& name) { return name.substr(0, name.find('<')); }

/// The element and its place that a (thread, value) has.
struct owner {
  long long thread = 0, value = 0;
};

/// Of each element of the atom, its owners.
std::vector<std::vector<owner>> owners_of(atom_maps const& a, layout_value const& map, long long element) {
  long long const threads = size(mode(map, 0).value()).value(), held = size(mode(map, 1).value()).value();
  std::vector<std::vector<owner>> out(static_cast<std::size_t>(a.total().count / element));
  auto const at = [&](long long thread, long long bit) { return map(thread + threads * bit); };
  for (long long v = 0; v * element < held; ++v)
    for (long long t = 0; t < threads; ++t) {
      long long const first = at(t, v * element), last_bit = std::min(held, (v + 1) * element) - 1;
      bool const whole = held % element == 0 && first % element == 0 && at(t, last_bit) == first + element - 1;
      if (!whole)
        throw render_error("an element of " + std::to_string(element) + " bits is not contiguous in " + a.name +
                           ", which moves units of " + std::to_string(a.element.count) + " bits; give --element " +
                           std::to_string(a.element.count) + " or less");
      out[static_cast<std::size_t>(first / element)].push_back({t, v});
    }
  return out;
}

/// With leading zeros, so that T00 … T31 are equally wide.
std::string numbered(char letter, long long number, long long count) {
  std::string const digits = std::to_string(number), widest = std::to_string(std::max(0LL, count - 1));
  return letter + std::string(widest.size() - std::min(widest.size(), digits.size()), '0') + digits;
}

cell cell_of(std::vector<owner> const& who, long long index, long long threads, long long values) {
  cell c;
  c.index = c.offset = c.link = index;
  if (who.empty()) {
    c.text = "–";
    return c;
  }
  c.thread = who[0].thread;
  c.value = who[0].value;
  c.colour = static_cast<int>(who[0].thread);
  c.text = threads > 1 ? numbered('T', who[0].thread, threads) + "\n" : "";
  c.text += numbered('V', who[0].value, values);
  return c;
}

/// A matrix, or all there is, as one panel. A row that one thread has whole is one label.
panel panel_of(atom_maps const& a, std::vector<std::vector<owner>> const& who, long long element, long long threads,
               long long first, int rows, int columns) {
  long long values = 0;
  for (auto const& all : who)
    for (owner const& o : all) values = std::max(values, o.value + 1);
  panel p;
  p.colours = palette::owner;
  p.classes = static_cast<int>(threads);
  grid& g = p.cells;
  g.rows = rows;
  g.columns = columns;
  g.row_labels = rows == 1 ? std::vector<std::string>(1) : counted(rows);
  g.column_labels = counted(columns);
  g.row_lines.assign(static_cast<std::size_t>(rows), 0);
  g.column_lines.assign(static_cast<std::size_t>(columns), 0);
  for (long long i = 0; i < static_cast<long long>(rows) * columns; ++i) {
    g.cells.push_back(cell_of(who[static_cast<std::size_t>(first + i)], first + i, threads, values));
    g.cells.back().bank = (first + i) * element / 32 % 32;
    g.cells.back().coordinate = "bit " + std::to_string((first + i) * element);
  }
  for (int r = 0; r < rows && threads > 1 && a.rows > 0; ++r) {
    cell& begin = g.at(r, 0);
    bool whole = columns > 1;
    for (int c = 1; c < columns; ++c) whole = whole && begin.thread && g.at(r, c).thread == begin.thread;
    if (!whole) continue;
    for (int c = 0; c < columns; ++c) g.at(r, c).text.clear();
    begin.across = columns;
    begin.text = numbered('T', *begin.thread, threads) + " V" + std::to_string(*begin.value) + "–" +
                 std::to_string(*g.at(r, columns - 1).value);
  }
  return p;
}

void add_side(scene& s, atom_maps const& a, layout_value const& map, char const* side, long long element) {
  long long const threads = a.threads();
  std::vector<std::vector<owner>> const who = owners_of(a, map, element);
  auto const elements = static_cast<long long>(who.size());
  bool const in_matrices = a.rows > 0;
  int const columns = static_cast<int>(in_matrices ? a.row.count / element : elements);
  int const rows = in_matrices ? a.rows : 1;
  long long const each = static_cast<long long>(rows) * columns;
  for (long long m = 0; m * each < elements; ++m) {
    panel p = panel_of(a, who, element, threads, m * each, rows, columns);
    if (in_matrices && elements > each) p.title = "matrix " + std::to_string(m);
    p.new_row = m == 0;
    if (m == 0) p.heading = std::string(side) + " " + format_layout(map) + ", (thread, bit) → bit";
    s.panels.push_back(std::move(p));
  }
  std::size_t repeated = 0;
  for (auto const& all : who) repeated = std::max(repeated, all.size());
  if (repeated > 1)
    s.lines.push_back(std::string(side) + ": the other " +
                      std::to_string(threads - threads / static_cast<long long>(repeated)) +
                      " threads repeat these addresses, and the instruction ignores them");
}

}  // namespace

long long atom_maps::threads() const { return size(mode(source, 0).value()).value(); }

bits atom_maps::total() const { return {std::max(cosize(source).value(), cosize(destination).value())}; }

std::vector<std::string> const& atom_names() {
  static std::vector<std::string> const all = [] {
    std::vector<std::string> out;
    for (atom_maps const& a : table())
      if (out.empty() || out.back() != without_type(a.name)) out.push_back(without_type(a.name));
    return out;
  }();
  return all;
}

atom_maps atom_named(std::string const& name) {
  for (atom_maps const& a : table())
    if (a.name == name) return a;
  for (atom_maps const& a : table())
    if (without_type(a.name) == name) return a;
  if (name.find("TMA") != std::string::npos || name.find("BULK") != std::string::npos)
    throw render_error("'" + name +
                       "' is issued by one thread and moves what its descriptor or its size says, so it has no "
                       "thread-value map to draw; draw the layouts that it moves between");
  std::string list;
  for (std::string const& known : atom_names()) list += (list.empty() ? "" : ", ") + known;
  throw render_error("there is no copy atom '" + name + "'; there are " + list);
}

scene atom_scene(atom_maps const& a, plot_options const& options) {
  long long const element = options.element.count;
  if (element < 1 || element > a.total().count || a.total().count % element != 0)
    throw render_error(a.name + " moves " + std::to_string(a.total().count) +
                       " bits, which is not a whole number of elements of " + std::to_string(element) +
                       " bits; give --element " + std::to_string(a.element.count));
  scene s;
  long long const threads = a.threads(), held = size(mode(a.destination, 1).value()).value();
  s.title = options.title.empty() ? "copy atom " + a.name : options.title;
  s.lines.push_back(std::to_string(threads) + (threads == 1 ? " thread moves " : " threads move ") +
                    std::to_string(a.total().count / element) + " elements of " + std::to_string(element) + " bits" +
                    (threads == 1 ? "" : "; each thread holds " + std::to_string(held / element) + " of them"));
  add_side(s, a, a.source, "source", element);
  add_side(s, a, a.destination, "destination", element);
  return checked_scene(std::move(s));
}

}  // namespace tilewright::render
