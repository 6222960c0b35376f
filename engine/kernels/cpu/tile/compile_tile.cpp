// From a tile's two layouts to its tables. The image of the source is a layout too: what the source's fastest loops cover
// without a gap of a line is one span, and the other loops step from span to span. The image of the destination has the
// tile's elements in the order in which they are written, without gaps. An image between has them in an order from which vectors
// take fewer lookups than from the source, or, where transposes need columns that follow each other and the source has gaps, in that
// of the source.
//
// Example, batches of 3 x 3 floats: the tile (3,3,480):(1,3,9) -> (3,3,480):(3,1,9) is one span of 17280 bytes on both
// sides, and the 64 bytes of a vector come from windows of the source that reach 24 bytes further at most.
#include "engine/cpu/kernels.hpp"
#include "engine/kernels/cpu/tile/choose_patterns.hpp"
#include "engine/kernels/cpu/tile/reached_lines.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace tilewright::cpu_engine {
namespace {

/// The modes of the plan's tile, or of one that is clipped in the loops where `clipped` says so.
template <class Clipped>
tile_modes modes_of(copy_plan const& plan, Clipped const& clipped) {
  std::int64_t const element = plan.moves.element_bits / 8;
  tile_modes out;
  for (std::size_t i = 0; i < plan.moves.loops.size(); ++i) {
    loop const& l = plan.moves.loops[i];
    std::int64_t const extent = clipped(i) ? l.extent % plan.tile[i] : plan.tile[i];
    if (extent > 1) out.push_back({static_cast<int>(i), extent, l.src * element, l.dst * element});
  }
  return out;
}

/// Would the spans of an image without gaps share few sets of the nearest cache?
bool share_sets(tile_tables const& t) {
  constexpr std::size_t many = 8;
  return t.dst_spans.size() > many && t.dst_span_bytes % few_sets == 0;
}

/// The modes of these loops, in their order.
tile_modes in_order(tile_modes const& modes, std::vector<int> const& loops) {
  tile_modes out;
  for (int const i : loops)
    for (tile_mode const& m : modes)
      if (m.loop == i) out.push_back(m);
  return out;
}

/// The modes, their `src` in an image without gaps that has modes in this order.
tile_modes gathered(tile_modes modes, tile_modes const& ordered, std::int64_t element) {
  std::int64_t next = element;
  for (tile_mode const& m : ordered) {
    for (tile_mode& c : modes)
      if (c.loop == m.loop) c.src = next;
    next *= m.extent;
  }
  return modes;
}

/// Gathers the tile's elements into an image without gaps.
/// post: the modes, their `src` in that image
tile_modes make_gathers(tile_tables& out, tile_modes const& modes, std::int64_t element, cpu_schedule const& s,
                        tile_program& p) {
  tile_modes const ordered = in_order(modes, s.gather_loops);
  source_image const from = image_of(ordered, element);
  pattern_maker maker(from, element, p.gather_window, out.stages_source, true);
  for (std::int64_t at = 0; at < maker.bytes(); at += line) maker.add(at, at);
  p.gathered_image_bytes = std::max(p.gathered_image_bytes, (maker.bytes() + 3 * line) / line * line);
  out.gathers = std::move(maker.patterns);
  out.lines_a_step = lines_a_step(out, maker.vectors);
  return gathered(modes, ordered, element);
}

void make_transposes(tile_tables& out, source_image const& image, tile_modes const& modes, std::int64_t element,
                     cpu_schedule const& s, tile_program& p) {
  tile_modes from = out.stages_source ? image.modes : modes, rows, columns, others;
  if (!s.gather_loops.empty()) from = make_gathers(out, modes, element, s, p);
  std::int64_t next = element;
  transpose_place first;
  for (tile_mode& m : from) {
    if (out.dst_pitch != 0 && next == out.dst_span_bytes) next = out.dst_pitch;
    if (out.stages_destination) m.dst = next;
    next *= m.extent;
    auto const is_of = [&](std::vector<int> const& loops) {
      return std::find(loops.begin(), loops.end(), m.loop) != loops.end();
    };
    if (is_of(s.row_loops)) rows.push_back(m);
    else if (is_of(s.column_loops)) {
      if (m.src < 0) {  // columns ascend in the source: the last comes first
        first.src += (m.extent - 1) * m.src;
        first.dst += (m.extent - 1) * m.dst;
        m.src = -m.src;
        m.dst = -m.dst;
      }
      columns.push_back(m);
    } else if (m.src != element || m.dst != element) others.push_back(m);  // else it is the unit
  }
  std::sort(columns.begin(), columns.end(), [](tile_mode const& a, tile_mode const& b) { return a.src < b.src; });
  transpose_steps& t = out.transposes;
  t.unit = static_cast<int>(s.unit_bytes);
  t.rows = offsets_of(rows, from_source);
  t.columns = offsets_of(columns, from_destination);
  std::int64_t const row_bytes = static_cast<std::int64_t>(t.rows.size()) * t.unit;
  std::int64_t const column_bytes = static_cast<std::int64_t>(t.columns.size()) * t.unit;
  if (column_bytes < 16) t.unreadable = unreadable_rows(t.rows, column_bytes);
  t.columns_follow = std::adjacent_find(t.columns.begin(), t.columns.end(), [&](std::int64_t a, std::int64_t b) {
                       return b - a != row_bytes;
                     }) == t.columns.end();
  t.strips = out.stages_destination && column_bytes >= p.tuning.strip_bytes;
  std::vector<std::int64_t> const src = offsets_of(others, from_source), dst = offsets_of(others, from_destination);
  for (std::size_t i = 0; i < src.size(); ++i) t.places.push_back({first.src + src[i], first.dst + dst[i]});
}

bool fit_in_32_bits(std::vector<std::int64_t> const& offsets, std::int64_t more) {
  return std::all_of(offsets.begin(), offsets.end(),
                     [&](std::int64_t x) { return std::abs(x) + more < std::numeric_limits<std::int32_t>::max(); });
}

/// Is it better to read spans into an image first? Windows there can be whole lines, and vectors that are put together from
/// many find them in the nearest cache; but everything is copied twice then.
bool is_image_better(source_image const& image, std::int64_t bytes, double lookups) {
  auto const read = static_cast<double>(static_cast<std::int64_t>(image.spans.size()) * image.span_bytes);
  return 2 * lookups > 4 * read / static_cast<double>(bytes);
}

/// Vectors are put together in the order of the destination, or, where the processor's prefetcher does not follow that, of the source,
/// if spans of both sides are long: lines of the destination that do not follow each other take longer to write. Vectors of
/// pieces from many places jump more.
/// `step`: from tile to tile in the source
void order_vectors(tile_tables& t, std::int64_t window, std::int64_t step, cpu_tuning const& tuning) {
  auto const is_reached = [&] {
    return tuning.prefetcher_streams > 0 && prefetcher_reaches(t.patterns, window, step, tuning);
  };
  t.is_reached = is_reached();
  bool const is_simple =
      std::all_of(t.patterns.begin(), t.patterns.end(), [](lookup_pattern const& p) { return p.groups() == 1; });
  std::int64_t const long_bytes = tuning.ordered_destination_bytes * (is_simple ? 1 : 4);
  if (t.is_reached || t.src_span_bytes < tuning.ordered_source_bytes || t.dst_span_bytes < long_bytes) return;
  for (lookup_pattern& p : t.patterns)
    std::stable_sort(p.places.begin(), p.places.end(),
                     [](lookup_place const& a, lookup_place const& b) { return a.src < b.src; });
  t.is_reached = is_reached();
}

/// `phase`: how far behind the start of a line the tile starts.
tile_tables tables_of(tile_modes const& modes, std::int64_t element, cpu_schedule const& s, tile_program& p,
                      std::int64_t phase) {
  source_image const image = image_of(modes, element);
  tile_tables out;
  out.src_spans = image.spans;
  out.src_span_bytes = image.span_bytes;
  out.pitch = image.pitch;
  out.dst_span_bytes = element;
  std::size_t k = 0;
  std::int64_t bytes = element;
  for (tile_mode const& m : modes) bytes *= m.extent;
  for (; k < modes.size() && modes[k].dst == out.dst_span_bytes; ++k) out.dst_span_bytes *= modes[k].extent;
  out.dst_spans = offsets_of({modes.begin() + static_cast<std::ptrdiff_t>(k), modes.end()}, from_destination);
  auto const in_lines = [](std::int64_t x) { return x % line == 0; };
  bool const whole_lines = s.whole_lines && in_lines(out.dst_span_bytes) &&
                           std::all_of(out.dst_spans.begin(), out.dst_spans.end(), in_lines);
  bool const is_gathered = !s.gather_loops.empty();
  std::int64_t const window = is_gathered ? p.gather_window : p.window;
  bool const fits = fit_in_32_bits(image.spans, image.span_bytes) && image.span_bytes >= window;
  if (p.carries) out.dst_pitch = p.dst_pitch;
  if (s.row_loops.empty()) {
    bool const has_ends = s.streaming && !s.whole_lines && !s.buffered && out.dst_span_bytes >= 2 * line &&
                          fit_in_32_bits(out.dst_spans, out.dst_span_bytes);
    auto const first_lookups = [&] {
      tile_modes const ordered = is_gathered ? in_order(modes, s.gather_loops) : modes;
      return lookups_by(window, image_of(ordered, element), element, bytes).lookups;
    };
    out.stages_source = !fits || (image.spans.size() != 1 && is_image_better(image, bytes, first_lookups()));
    out.stages_destination = p.carries || (!has_ends && (!fit_in_32_bits(out.dst_spans, out.dst_span_bytes) ||
                                                         (s.streaming ? !whole_lines : out.dst_span_bytes < line)));
    out.phase = has_ends ? phase : 0;
    source_image const between = is_gathered ? image_of(make_gathers(out, modes, element, s, p), element) : image;
    choose_patterns(out, between, modes, element, bytes, p, has_ends);
    p.dst_image_bytes = std::max(p.dst_image_bytes, static_cast<std::int64_t>(out.ends.size()) * line);
    if (s.streaming && !out.stages_source && !out.patterns.empty() && !is_gathered && !p.grid.empty())
      order_vectors(out, p.window, p.grid[0].src, p.tuning);
  } else {
    auto const bytes_of = [&](std::vector<int> const& loops) {
      std::int64_t of = s.unit_bytes;
      for (tile_mode const& m : modes)
        if (std::find(loops.begin(), loops.end(), m.loop) != loops.end()) of *= m.extent;
      return of;
    };
    // Columns shorter than a line are written a vector at a time.
    bool const has_whole = vector_bytes() >= line || bytes_of(s.column_loops) >= line;
    out.stages_destination =
        p.carries || s.buffered || (s.streaming && !(has_whole && whole_lines && in_lines(bytes_of(s.row_loops))));
    out.stages_source = !s.gather_loops.empty() && !fits;
    if (out.stages_destination && !p.carries && share_sets(out)) out.dst_pitch = out.dst_span_bytes + line;
    make_transposes(out, image, modes, element, s, p);
  }
  if (out.stages_source) p.src_image_bytes = std::max(p.src_image_bytes, image.bytes + 2 * line);
  if (out.dst_pitch != 0)
    p.dst_image_bytes =
        std::max(p.dst_image_bytes, static_cast<std::int64_t>(out.dst_spans.size()) * out.dst_pitch + 3 * line);
  else if (out.stages_destination) p.dst_image_bytes = std::max(p.dst_image_bytes, (bytes + 3 * line) / line * line);
  return out;
}

/// From span to span of an image in which each has the part of a line left to it in front of it: spans start in different sets of
/// the cache.
std::int64_t carried_pitch(std::int64_t span_bytes) {
  std::int64_t const pitch = (span_bytes + line - 1) / line * line + carried_bytes;
  return pitch / line % 2 == 0 ? pitch + line : pitch;
}

tile_modes whole_tile(copy_plan const& plan) {
  return modes_of(plan, [](std::size_t) { return false; });
}

lookup_count lookups_of(tile_modes const& modes, std::int64_t element, std::int64_t widest) {
  source_image const image = image_of(modes, element);
  std::int64_t bytes = element;
  for (tile_mode const& m : image.modes) bytes *= m.extent;
  return lookups_in(image, element, bytes, widest);
}

}  // namespace

lookup_count lookups_per_vector(copy_plan const& plan, std::int64_t widest) {
  return lookups_of(whole_tile(plan), plan.moves.element_bits / 8, widest);
}

lookups_in_two_steps lookups_per_vector(copy_plan const& plan, std::int64_t widest,
                                        std::vector<int> const& gather_loops) {
  std::int64_t const element = plan.moves.element_bits / 8;
  tile_modes const modes = whole_tile(plan), ordered = in_order(modes, gather_loops);
  return {lookups_of(ordered, element, widest), lookups_of(gathered(modes, ordered, element), element, widest)};
}

tile_program compile_tiles(copy_plan const& plan) {
  auto const& s = std::get<cpu_schedule>(plan.schedule);
  movement const& m = plan.moves;
  std::int64_t const element = m.element_bits / 8;
  tile_program p;
  if (s.gather_loops.empty()) {
    p.window = lookups_per_vector(plan, lookup_window()).window;
  } else {
    auto const both = lookups_per_vector(plan, lookup_window(), s.gather_loops);
    p.window = both.patterns.window, p.gather_window = both.gathers.window;
  }
  p.tuning = plan.machine.tuning;
  p.streaming = s.streaming;
  p.carries = s.carries;
  p.src_base = m.src_offset * element;
  p.dst_base = m.dst_offset * element;
  p.tiles = 1;
  p.tile_bytes = element;
  std::vector<std::size_t> clipped;  // loops whose last tile is smaller
  for (std::int64_t const t : plan.tile) p.tile_bytes *= t;
  for (int const i : plan.order) {
    auto const at = static_cast<std::size_t>(i);
    loop const& l = m.loops[at];
    std::int64_t const tile = plan.tile[at], tiles = (l.extent + tile - 1) / tile;
    if (tiles == 1) continue;
    tile_step step{tiles, tile * l.src * element, tile * l.dst * element, 0};
    if (l.extent % tile != 0) {
      step.clipped = std::size_t{1} << clipped.size();
      clipped.push_back(at);
    }
    step.backwards = p.grid.empty() && !p.carries && are_taken_backwards(step.src, p.streaming, p.tuning);
    p.grid.push_back(step);
    p.tiles *= tiles;
  }
  if (s.streaming && !s.whole_lines && !s.buffered && s.row_loops.empty()) {
    for (tile_step const& l : p.grid) p.phase_step = std::gcd(p.phase_step, l.dst);
    p.phases = line / p.phase_step;
    p.first_phase = p.dst_base & (line - 1);
  }
  if (p.carries) p.dst_pitch = carried_pitch(p.grid[0].dst);
  for (std::size_t v = 0; v < std::size_t{1} << clipped.size(); ++v) {
    auto const is_clipped = [&](std::size_t i) {
      auto const found = std::find(clipped.begin(), clipped.end(), i);
      return found != clipped.end() && (v >> (found - clipped.begin()) & 1) != 0;
    };
    for (std::int64_t k = 0; k < p.phases; ++k)
      p.variants.push_back(
          tables_of(modes_of(plan, is_clipped), element, s, p, (p.first_phase + k * p.phase_step) % line));
  }
  return p;
}

}  // namespace tilewright::cpu_engine
