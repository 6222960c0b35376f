// From a tile's two layouts to its tables. The image of the source is a layout too: what the source's fastest loops cover
// without a gap of a line is one span, and the other loops step from span to span. The image of the destination has the
// tile's elements in the order in which they are written, without gaps.
//
// Example, batches of 3 x 3 floats: the tile (3,3,480):(1,3,9) -> (3,3,480):(3,1,9) is one span of 17280 bytes on both
// sides, and the 64 bytes of a vector come from windows of the source that reach 24 bytes further at most.
#include "engine/kernels/cpu/tile/tile_program.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <unordered_map>

namespace tilewright::cpu_engine {
namespace {

constexpr std::int64_t line = 64;

/// A loop of one tile, in bytes; `loop` is its number in the plan.
struct tile_mode {
  int loop;
  std::int64_t extent, src, dst;
};
using tile_modes = std::vector<tile_mode>;

/// Offsets of all coordinates, the first mode fastest.
template <class Stride>
std::vector<std::int64_t> offsets_of(tile_modes const& modes, Stride const& stride) {
  std::vector<std::int64_t> out{0};
  for (tile_mode const& m : modes) {
    std::size_t const below = out.size();
    out.reserve(below * static_cast<std::size_t>(m.extent));
    for (std::int64_t k = 1; k < m.extent; ++k)
      for (std::size_t i = 0; i < below; ++i) out.push_back(out[i] + k * stride(m));
  }
  return out;
}
std::int64_t from_source(tile_mode const& m) { return m.src; }
std::int64_t from_destination(tile_mode const& m) { return m.dst; }

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

/// Where the elements of a tile are in the image of its source.
struct source_image {
  std::vector<std::int64_t> spans;                    // of the source
  std::int64_t span_bytes = 0, pitch = 0, bytes = 0;  // of a span, from span to span, of all
  tile_modes modes;                                   // the tile's, their `src` in the image
  std::int64_t first = 0;                             // where element 0 is

  std::int64_t at(std::int64_t element) const {
    std::int64_t offset = first;
    for (tile_mode const& m : modes) {
      offset += element % m.extent * m.src;
      element /= m.extent;
    }
    return offset;
  }
};

source_image image_of(tile_modes const& modes, std::int64_t element) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < modes.size(); ++i)
    if (modes[i].src != 0) order.push_back(i);
  auto const step = [&](std::size_t i) { return std::abs(modes[i].src); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return step(a) < step(b); });
  source_image out;
  out.modes = modes;
  out.span_bytes = element;
  std::size_t k = 0;
  for (; k < order.size() && step(order[k]) < out.span_bytes + line; ++k) {
    tile_mode const& m = modes[order[k]];
    out.span_bytes += (m.extent - 1) * step(order[k]);
    if (m.src < 0) out.first -= (m.extent - 1) * m.src;
  }
  out.pitch = (out.span_bytes + line - 1) / line * line;
  constexpr std::int64_t few_sets = 512;  // spans start in different sets of the cache
  if (out.pitch % few_sets == 0) out.pitch += line;
  tile_modes outer;
  out.bytes = out.pitch;
  for (; k < order.size(); ++k) {
    outer.push_back(modes[order[k]]);
    out.modes[order[k]].src = out.bytes;
    out.bytes *= modes[order[k]].extent;
  }
  out.spans = offsets_of(outer, from_source);
  for (std::int64_t& s : out.spans) s -= out.first;
  return out;
}

/// Which windows of the source a vector is put together from.
class window_cover {
 public:
  window_cover(std::int64_t last_window, std::int64_t width) : width_(width), last_window_(last_window) {}

  /// Chooses between windows that start where an element does and windows that are whole lines of the image: reading
  /// across the end of a line costs two accesses.
  void choose(std::int64_t const* address, int count) {
    cover(address, count, 1);
    if (windows.size() < 2 || width_ != line) return;
    window_cover lines(last_window_, width_);
    lines.cover(address, count, line);
    if (lines.cost() < cost()) {
      windows.swap(lines.windows);
      owner.swap(lines.owner);
    }
  }

  std::vector<std::int64_t> windows;  // where each starts, lowest first
  std::array<int, 64> owner{};        // of each byte: its window

 private:
  void cover(std::int64_t const* address, int count, std::int64_t granule) {
    windows.clear();
    owner.fill(-1);
    for (int left = count; left > 0;) {
      std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
      for (int i = 0; i < count; ++i)
        if (owner[static_cast<std::size_t>(i)] < 0) lowest = std::min(lowest, address[i]);
      std::int64_t const window = std::min(lowest / granule * granule, last_window_);
      for (int i = 0; i < count; ++i) {
        int& o = owner[static_cast<std::size_t>(i)];
        if (o >= 0 || address[i] < window || address[i] >= window + width_) continue;
        o = static_cast<int>(windows.size());
        --left;
      }
      windows.push_back(window);
    }
  }
  std::int64_t cost() const {
    std::int64_t out = 0;
    for (std::int64_t const w : windows) out += w % line == 0 ? 10 : 19;
    return out;
  }

  std::int64_t width_, last_window_;
};

/// Collects vectors into patterns.
class pattern_maker {
 public:
  pattern_maker(source_image const& from, std::int64_t element, bool stages_source)
      : element_(element),
        bytes_(element),
        width_(lookup_width()),
        cover_(stages_source ? from.bytes : from.span_bytes - width_, width_) {
    elements_ = offsets_of(from.modes, from_source);
    for (std::int64_t& e : elements_) e += from.first;
    bytes_ *= static_cast<std::int64_t>(elements_.size());
  }

  /// The vector whose first byte is byte `at` of the tile, in the destination's order.
  void add(std::int64_t at, std::int64_t place) {
    int const lanes = static_cast<int>(std::min(width_, bytes_ - at));
    std::array<std::int64_t, 64> address{};
    for (int i = 0; i < lanes; ++i)
      address[static_cast<std::size_t>(i)] =
          elements_[static_cast<std::size_t>((at + i) / element_)] + (at + i) % element_;
    cover_.choose(address.data(), lanes);
    lookup_pattern p;
    std::int64_t const base = cover_.windows[0], in_group = width_ == line ? 2 : 1;
    auto const groups = (static_cast<std::int64_t>(cover_.windows.size()) + in_group - 1) / in_group;
    p.windows = cover_.windows;
    p.windows.resize(static_cast<std::size_t>(groups * in_group), cover_.windows.back());
    p.indices.assign(static_cast<std::size_t>(groups * width_), 0x80);
    p.masks.assign(static_cast<std::size_t>(groups), 0);
    for (int i = 0; i < lanes; ++i) {
      auto const lane = static_cast<std::size_t>(i);
      auto const window = static_cast<std::size_t>(cover_.owner[lane]),
                 group = window / static_cast<std::size_t>(in_group);
      p.indices[group * static_cast<std::size_t>(width_) + lane] =
          static_cast<byte>(address[lane] - p.windows[window] + (window % 2 == 1 && in_group == 2 ? line : 0));
      p.masks[group] |= std::uint64_t{1} << i;
    }
    for (std::int64_t& w : p.windows) w -= base;
    keep(std::move(p), {static_cast<std::int32_t>(base), static_cast<std::int32_t>(place)});
  }

  std::int64_t bytes() const { return bytes_; }
  std::vector<lookup_pattern> patterns;
  std::int64_t vectors = 0;

 private:
  void keep(lookup_pattern&& p, lookup_place const& place) {
    std::string key(reinterpret_cast<char const*>(p.windows.data()), p.windows.size() * sizeof p.windows[0]);
    key.append(reinterpret_cast<char const*>(p.indices.data()), p.indices.size());
    auto const [found, is_new] = known_.try_emplace(std::move(key), patterns.size());
    if (is_new) patterns.push_back(std::move(p));
    patterns[found->second].places.push_back(place);
    ++vectors;
  }

  std::int64_t element_, bytes_, width_;
  window_cover cover_;
  std::vector<std::int64_t> elements_;
  std::unordered_map<std::string, std::size_t> known_;
};

void make_patterns(tile_tables& out, source_image const& image, std::int64_t element) {
  pattern_maker maker(image, element, out.stages_source);
  std::int64_t const width = lookup_width();
  if (out.stages_destination) {
    for (std::int64_t at = 0; at < maker.bytes(); at += width) maker.add(at, at);
  } else {
    for (std::size_t s = 0; s < out.dst_spans.size(); ++s)
      for (std::int64_t at = 0; at < out.dst_span_bytes; at += width) {
        std::int64_t const from = std::min(at, out.dst_span_bytes - width);  // the last word again if it is cut short
        maker.add(static_cast<std::int64_t>(s) * out.dst_span_bytes + from, out.dst_spans[s] + from);
      }
  }
  out.patterns = std::move(maker.patterns);
  if (!out.stages_source)  // places count from the tile's start, images from the span's
    for (lookup_pattern& one : out.patterns)
      for (lookup_place& at : one.places) at.src += static_cast<std::int32_t>(image.spans[0]);
  std::int64_t const lines = static_cast<std::int64_t>(out.src_spans.size()) * ((out.src_span_bytes + 127) / line);
  out.lines_a_step = std::max<std::int64_t>(1, (lines * width / line + maker.vectors - 1) / maker.vectors);
}

void make_transposes(tile_tables& out, source_image const& image, tile_modes const& modes, std::int64_t element,
                     cpu_schedule const& s) {
  tile_modes from = out.stages_source ? image.modes : modes, rows, columns, others;
  std::int64_t next = element;
  transpose_place first;
  for (tile_mode& m : from) {
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
  std::vector<std::int64_t> const src = offsets_of(others, from_source), dst = offsets_of(others, from_destination);
  for (std::size_t i = 0; i < src.size(); ++i) t.places.push_back({first.src + src[i], first.dst + dst[i]});
}

bool fit_in_32_bits(std::vector<std::int64_t> const& offsets, std::int64_t more) {
  return std::all_of(offsets.begin(), offsets.end(),
                     [&](std::int64_t x) { return std::abs(x) + more < std::numeric_limits<std::int32_t>::max(); });
}

tile_tables tables_of(tile_modes const& modes, std::int64_t element, cpu_schedule const& s, tile_program& p) {
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
  std::int64_t const width = lookup_width();
  auto const in_lines = [](std::int64_t x) { return x % line == 0; };
  bool const whole_lines = s.whole_lines && in_lines(out.dst_span_bytes) &&
                           std::all_of(out.dst_spans.begin(), out.dst_spans.end(), in_lines);
  if (s.row_loops.empty()) {
    out.stages_source =
        image.spans.size() != 1 || image.span_bytes < width || !fit_in_32_bits(image.spans, image.span_bytes);
    out.stages_destination = !fit_in_32_bits(out.dst_spans, out.dst_span_bytes) ||
                             (s.streaming ? !whole_lines || width != line : out.dst_span_bytes < width);
    make_patterns(out, image, element);
  } else {
    std::int64_t row_bytes = s.unit_bytes;
    for (tile_mode const& m : modes)
      if (std::find(s.row_loops.begin(), s.row_loops.end(), m.loop) != s.row_loops.end()) row_bytes *= m.extent;
    out.stages_destination = s.streaming && !(whole_lines && in_lines(row_bytes));
    make_transposes(out, image, modes, element, s);
  }
  if (out.stages_source) p.src_image_bytes = std::max(p.src_image_bytes, image.bytes + 2 * line);
  if (out.stages_destination) p.dst_image_bytes = std::max(p.dst_image_bytes, (bytes + 3 * line) / line * line);
  return out;
}

}  // namespace

double lookups_per_vector(copy_plan const& plan, std::int64_t width) {
  std::int64_t const element = plan.moves.element_bits / 8;
  source_image const image = image_of(modes_of(plan, [](std::size_t) { return false; }), element);
  std::int64_t bytes = element;
  for (tile_mode const& m : image.modes) bytes *= m.extent;
  window_cover cover(image.bytes, width);
  constexpr std::int64_t samples = 8;
  std::int64_t lookups = 0;
  for (std::int64_t k = 0; k < samples; ++k) {
    std::int64_t const at = bytes * k / samples / width * width;
    int const lanes = static_cast<int>(std::min(width, bytes - at));
    std::array<std::int64_t, 64> address{};
    for (int i = 0; i < lanes; ++i)
      address[static_cast<std::size_t>(i)] = image.at((at + i) / element) + (at + i) % element;
    cover.choose(address.data(), lanes);
    lookups += static_cast<std::int64_t>(cover.windows.size());
  }
  return static_cast<double>(lookups) / (width == line ? 2 : 1) / samples;
}

tile_program compile_tiles(copy_plan const& plan) {
  auto const& s = std::get<cpu_schedule>(plan.schedule);
  movement const& m = plan.moves;
  std::int64_t const element = m.element_bits / 8;
  tile_program p;
  p.width = lookup_width();
  p.tuning = plan.machine.tuning;
  p.streaming = s.streaming;
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
    p.grid.push_back(step);
    p.tiles *= tiles;
  }
  for (std::size_t v = 0; v < std::size_t{1} << clipped.size(); ++v) {
    auto const is_clipped = [&](std::size_t i) {
      auto const found = std::find(clipped.begin(), clipped.end(), i);
      return found != clipped.end() && (v >> (found - clipped.begin()) & 1) != 0;
    };
    p.variants.push_back(tables_of(modes_of(plan, is_clipped), element, s, p));
  }
  return p;
}

}  // namespace tilewright::cpu_engine
