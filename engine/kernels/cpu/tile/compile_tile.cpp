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
#include <numeric>
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
  /// Windows of an image may reach behind its end, where there is room; those of the source itself stay within its spans.
  window_cover(source_image const& from, std::int64_t width, bool is_image, bool may_be_lines = true)
      : from_(from),
        width_(width),
        is_image_(is_image),
        may_be_lines_(may_be_lines && width == line && (is_image || from.spans.size() == 1)) {}

  /// Chooses between windows that start where an element does and windows that are whole lines of the image: reading
  /// across the end of a line costs two accesses.
  void choose(std::int64_t const* address, int count) {
    for (int i = 0; i < count; ++i) sorted_[static_cast<std::size_t>(i)] = address[i] * line + i;
    std::sort(sorted_.begin(), sorted_.begin() + count);
    cover(count, 1);
    if (windows.size() < 2 || !may_be_lines_) return;
    std::vector<std::int64_t> const other = windows;
    std::array<int, 64> const other_owner = owner;
    std::int64_t const plain = cost();
    cover(count, line);
    if (cost() < plain) return;
    windows = other;
    owner = other_owner;
  }
  /// The last window of the span that has this address.
  std::int64_t last_window(std::int64_t address) const {
    return is_image_ ? from_.bytes : address / from_.pitch * from_.pitch + from_.span_bytes - width_;
  }
  bool may_be_lines() const { return may_be_lines_; }

  std::vector<std::int64_t> windows;  // where each starts, lowest first
  std::array<int, 64> owner{};        // of each byte: its window

 private:
  void cover(int count, std::int64_t granule) {
    windows.clear();
    for (int i = 0; i < count; ++i) {
      std::int64_t const address = sorted_[static_cast<std::size_t>(i)] / line;
      if (windows.empty() || address >= windows.back() + width_)
        windows.push_back(std::min(address / granule * granule, last_window(address)));
      owner[static_cast<std::size_t>(sorted_[static_cast<std::size_t>(i)] % line)] =
          static_cast<int>(windows.size()) - 1;
    }
  }
  std::int64_t cost() const {
    std::int64_t out = 0;
    for (std::int64_t const w : windows) out += w % line == 0 ? 10 : 19;
    return out;
  }

  source_image const& from_;
  std::int64_t width_;
  bool is_image_, may_be_lines_;
  std::array<std::int64_t, 64> sorted_{};  // addresses, each with its byte
};

/// Collects vectors into patterns. Vectors whose bytes are in the same places relative to each other are found by these,
/// before their windows are chosen.
class pattern_maker {
 public:
  pattern_maker(source_image const& from, std::int64_t element, bool stages_source, bool may_be_lines)
      : from_(from),
        element_(element),
        bytes_(element),
        width_(lookup_width()),
        is_image_(stages_source),
        cover_(from, width_, stages_source, may_be_lines) {
    elements_ = offsets_of(from.modes, from_source);
    for (std::int64_t& e : elements_) e += from.first;
    bytes_ *= static_cast<std::int64_t>(elements_.size());
  }

  /// The vector whose bytes are [at, at + lanes) of the tile, in the destination's order.
  void add(std::vector<lookup_pattern>& out, std::int64_t at, int lanes, std::int64_t place) {
    std::array<std::int64_t, 64> address{};
    std::int64_t const* element = &elements_[static_cast<std::size_t>(at / element_)];
    for (std::int64_t i = 0, k = at % element_; i < lanes; ++i) {
      address[static_cast<std::size_t>(i)] = *element + k;
      if (++k == element_) k = 0, ++element;
    }
    ++vectors;
    std::string key = relative(address.data(), lanes, &out == &patterns);
    auto const seen = seen_.find(key);
    if (seen != seen_.end()) {
      out[seen->second.first].places.push_back(
          {static_cast<std::int32_t>(true_offset(address[0] + seen->second.second)), static_cast<std::int32_t>(place)});
      return;
    }
    cover_.choose(address.data(), lanes);
    std::int64_t const base = cover_.windows[0];
    std::size_t const index = keep(out, pattern_of(address.data(), lanes),
                                   {static_cast<std::int32_t>(true_offset(base)), static_cast<std::int32_t>(place)});
    seen_.emplace(std::move(key), std::pair{index, base - address[0]});
  }
  void add(std::int64_t at, std::int64_t place) {
    add(patterns, at, static_cast<int>(std::min(width_, bytes_ - at)), place);
  }

  std::int64_t bytes() const { return bytes_; }
  std::vector<lookup_pattern> patterns, ends;
  std::int64_t vectors = 0;

 private:
  /// What decides about windows and indices: places relative to the first byte's, where that is within a line, and how far it
  /// is to the end of its span where that is near, or spans are many.
  std::string relative(std::int64_t const* address, int lanes, bool is_body) const {
    constexpr std::size_t more = 3;
    std::array<std::int64_t, 64 + more> numbers{lanes * 2 + is_body, cover_.may_be_lines() ? address[0] % line : 0, 0};
    std::int64_t lowest = address[0], highest = address[0];
    for (int i = 0; i < lanes; ++i) {
      numbers[static_cast<std::size_t>(i) + more] = address[i] - address[0];
      lowest = std::min(lowest, address[i]);
      highest = std::max(highest, address[i]);
    }
    bool const is_far = highest <= cover_.last_window(lowest);
    if (!is_image_ && !is_far) numbers[2] = 1 + address[0];
    return {reinterpret_cast<char const*>(numbers.data()),
            (static_cast<std::size_t>(lanes) + more) * sizeof numbers[0]};
  }
  /// From the tile's start, of an address in the image.
  std::int64_t true_offset(std::int64_t address) const {
    if (is_image_) return address;
    return from_.spans[static_cast<std::size_t>(address / from_.pitch)] + address % from_.pitch;
  }
  lookup_pattern pattern_of(std::int64_t const* address, int lanes) const {
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
    p.is_odd = in_group == 2 && cover_.windows.size() % 2 != 0;
    p.is_plain = p.windows.size() == static_cast<std::size_t>(in_group) && lanes == width_;
    for (int i = 0; i < lanes; ++i) p.is_plain = p.is_plain && p.indices[static_cast<std::size_t>(i)] == i;
    for (std::int64_t& w : p.windows) w = true_offset(w) - true_offset(base);
    return p;
  }
  std::size_t keep(std::vector<lookup_pattern>& out, lookup_pattern&& p, lookup_place const& place) {
    std::string key(reinterpret_cast<char const*>(p.windows.data()), p.windows.size() * sizeof p.windows[0]);
    key.append(reinterpret_cast<char const*>(p.indices.data()), p.indices.size());
    auto const [found, is_new] = (&out == &patterns ? known_ : known_ends_).try_emplace(std::move(key), out.size());
    if (is_new) out.push_back(std::move(p));
    out[found->second].places.push_back(place);
    return found->second;
  }

  source_image const& from_;
  std::int64_t element_, bytes_, width_;
  bool is_image_;
  window_cover cover_;
  std::vector<std::int64_t> elements_;
  std::unordered_map<std::string, std::size_t> known_, known_ends_;
  std::unordered_map<std::string, std::pair<std::size_t, std::int64_t>> seen_;
};

/// Whole lines of each span, and what is before and behind them.
void add_lines(pattern_maker& maker, tile_tables& out) {
  auto const add_end = [&](std::int64_t at, std::int64_t bytes, std::int64_t place) {
    if (bytes == 0) return;
    maker.add(maker.ends, at, static_cast<int>(bytes), static_cast<std::int64_t>(out.ends.size()) * line);
    out.ends.push_back({place, bytes});
  };
  for (std::size_t s = 0; s < out.dst_spans.size(); ++s) {
    std::int64_t const first = static_cast<std::int64_t>(s) * out.dst_span_bytes, place = out.dst_spans[s];
    std::int64_t const head = -(out.phase + place) & (line - 1);
    std::int64_t const end = head + (out.dst_span_bytes - head) / line * line;
    add_end(first, head, place);
    for (std::int64_t at = head; at < end; at += line) maker.add(first + at, place + at);
    add_end(first + end, out.dst_span_bytes - end, place + end);
  }
}

/// `repeat`: where the destination is put together in an image, vectors start anew after so many bytes, so that what repeats
/// has one set of tables; 0: they follow each other.
void make_patterns(tile_tables& out, source_image const& image, std::int64_t element, bool has_ends,
                   std::int64_t repeat = 0) {
  pattern_maker maker(image, element, out.stages_source, repeat == 0);
  std::int64_t const width = lookup_width();
  if (has_ends) {
    add_lines(maker, out);
  } else if (repeat != 0) {
    for (std::int64_t first = 0; first < maker.bytes(); first += repeat)
      for (std::int64_t at = 0; at < repeat; at += width) {
        std::int64_t const place =
            first + std::min(at, repeat - width);  // the last bytes again if a vector is cut short
        maker.add(place, place);
      }
  } else if (out.stages_destination) {
    for (std::int64_t at = 0; at < maker.bytes(); at += width) maker.add(at, at);
  } else {
    for (std::size_t s = 0; s < out.dst_spans.size(); ++s)
      for (std::int64_t at = 0; at < out.dst_span_bytes; at += width) {
        std::int64_t const from = std::min(at, out.dst_span_bytes - width);  // the last word again if it is cut short
        maker.add(static_cast<std::int64_t>(s) * out.dst_span_bytes + from, out.dst_spans[s] + from);
      }
  }
  out.patterns = std::move(maker.patterns);
  out.end_patterns = std::move(maker.ends);
  std::int64_t const lines = static_cast<std::int64_t>(out.src_spans.size()) * ((out.src_span_bytes + 127) / line);
  out.lines_a_step = std::max<std::int64_t>(1, (lines * width / line + maker.vectors - 1) / maker.vectors);
}

std::int64_t table_bytes(tile_tables const& t) {
  std::int64_t bytes = 0;
  for (lookup_pattern const& p : t.patterns) bytes += static_cast<std::int64_t>(p.indices.size());
  return bytes;
}

/// The bytes of the tile's fastest modes after which its tables repeat: those of all but the slowest, if that is long enough
/// for few vectors to be cut short. 0: there are none.
std::int64_t repeated_bytes(tile_modes const& modes, std::int64_t element) {
  constexpr std::int64_t few_vectors = 8;
  std::int64_t bytes = element;
  for (std::size_t i = 0; i + 1 < modes.size(); ++i) bytes *= modes[i].extent;
  return bytes >= few_vectors * line && bytes % line != 0 ? bytes : 0;
}

/// The modes that have places in the source, its fastest first.
tile_modes in_source_order(tile_modes const& modes) {
  tile_modes out;
  for (tile_mode const& m : modes)
    if (m.src != 0) out.push_back(m);
  std::stable_sort(out.begin(), out.end(),
                   [](tile_mode const& a, tile_mode const& b) { return std::abs(a.src) < std::abs(b.src); });
  return out;
}

/// Gathers the tile's elements into an image without gaps, in the order of the source.
/// post: the modes, their `src` in that image; how many bytes it has
tile_modes make_gathers(tile_tables& out, tile_modes const& modes, std::int64_t element, std::int64_t& bytes) {
  tile_modes const ordered = in_source_order(modes);
  source_image const from = image_of(ordered, element);
  pattern_maker maker(from, element, out.stages_source, true);
  for (std::int64_t at = 0; at < maker.bytes(); at += lookup_width()) maker.add(at, at);
  bytes = maker.bytes();
  out.gathers = std::move(maker.patterns);
  std::int64_t const lines = static_cast<std::int64_t>(out.src_spans.size()) * ((out.src_span_bytes + 127) / line);
  out.lines_a_step = std::max<std::int64_t>(1, (lines * lookup_width() / line + maker.vectors - 1) / maker.vectors);
  tile_modes compact = modes;
  std::int64_t next = element;
  for (tile_mode const& m : ordered) {
    for (tile_mode& c : compact)
      if (c.loop == m.loop) c.src = next;
    next *= m.extent;
  }
  return compact;
}

void make_transposes(tile_tables& out, source_image const& image, tile_modes const& modes, std::int64_t element,
                     cpu_schedule const& s, tile_program& p) {
  tile_modes from = out.stages_source ? image.modes : modes, rows, columns, others;
  if (s.compacts) {
    std::int64_t bytes = 0;
    from = make_gathers(out, modes, element, bytes);
    p.compact_image_bytes = std::max(p.compact_image_bytes, (bytes + 3 * line) / line * line);
  }
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

/// How many lookups a vector of `width` bytes takes, by a few vectors.
double lookups_in(source_image const& image, std::int64_t element, std::int64_t bytes, std::int64_t width) {
  window_cover cover(image, width, true);
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

/// Is it better to read spans into an image first? Windows there can be whole lines, and vectors that are put together from
/// many find them in the nearest cache; but everything is copied twice then.
bool is_image_better(source_image const& image, std::int64_t bytes, double lookups) {
  auto const read = static_cast<double>(static_cast<std::int64_t>(image.spans.size()) * image.span_bytes);
  return 2 * lookups > 4 * read / static_cast<double>(bytes);
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
  std::int64_t const width = lookup_width();
  auto const in_lines = [](std::int64_t x) { return x % line == 0; };
  bool const whole_lines = s.whole_lines && in_lines(out.dst_span_bytes) &&
                           std::all_of(out.dst_spans.begin(), out.dst_spans.end(), in_lines);
  if (s.row_loops.empty()) {
    bool const fits = fit_in_32_bits(image.spans, image.span_bytes) && image.span_bytes >= width;
    bool const has_ends = s.streaming && !s.whole_lines && !s.buffered && width == line &&
                          out.dst_span_bytes >= 2 * line && fit_in_32_bits(out.dst_spans, out.dst_span_bytes);
    out.stages_source =
        !fits || (image.spans.size() != 1 && is_image_better(image, bytes, lookups_in(image, element, bytes, width)));
    out.stages_destination = !has_ends && (!fit_in_32_bits(out.dst_spans, out.dst_span_bytes) ||
                                           (s.streaming ? !whole_lines || width != line : out.dst_span_bytes < width));
    out.phase = has_ends ? phase : 0;
    make_patterns(out, image, element, has_ends);
    std::int64_t const repeat = has_ends ? 0 : repeated_bytes(modes, element);
    if (repeat != 0 && table_bytes(out) > p.tuning.tile_table_bytes) {
      out.stages_destination = true;
      make_patterns(out, image, element, false, repeat);
    }
    p.dst_image_bytes = std::max(p.dst_image_bytes, static_cast<std::int64_t>(out.ends.size()) * line);
  } else {
    std::int64_t row_bytes = s.unit_bytes;
    for (tile_mode const& m : modes)
      if (std::find(s.row_loops.begin(), s.row_loops.end(), m.loop) != s.row_loops.end()) row_bytes *= m.extent;
    out.stages_destination = s.streaming && !(whole_lines && in_lines(row_bytes));
    out.stages_source = s.compacts && !(fit_in_32_bits(image.spans, image.span_bytes) && image.span_bytes >= width);
    make_transposes(out, image, modes, element, s, p);
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
  return lookups_in(image, element, bytes, width);
}

double lookups_per_compact_vector(copy_plan const& plan, std::int64_t width) {
  std::int64_t const element = plan.moves.element_bits / 8;
  source_image const image = image_of(in_source_order(modes_of(plan, [](std::size_t) { return false; })), element);
  std::int64_t bytes = element;
  for (tile_mode const& m : image.modes) bytes *= m.extent;
  return lookups_in(image, element, bytes, width);
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
  if (s.streaming && !s.whole_lines && !s.buffered && s.row_loops.empty() && p.width == line) {
    for (tile_step const& l : p.grid) p.phase_step = std::gcd(p.phase_step, l.dst);
    p.phases = line / p.phase_step;
    p.first_phase = p.dst_base & (line - 1);
  }
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
