// How vectors of a tile are put together from its source: the image of the source as a layout, the windows that have a vector's bytes,
// and patterns of lookups, which vectors share whose bytes are in the same places relative to each other.
#pragma once

#include "engine/kernels/cpu/tile/lookup.hpp"
#include "engine/memory_units.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <utility>

namespace tilewright::cpu_engine {

inline constexpr std::int64_t line = engine::cache_line;  // bytes of the cache's
inline constexpr std::int64_t few_sets =
    512;  // spans a multiple of so many bytes apart share few sets of the nearest cache

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
inline std::int64_t from_source(tile_mode const& m) { return m.src; }
inline std::int64_t from_destination(tile_mode const& m) { return m.dst; }

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

inline source_image image_of(tile_modes const& modes, std::int64_t element) {
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
  window_cover(source_image const& from, std::int64_t window, bool is_image, bool may_be_lines = true)
      : in_group(window == line ? 2 : 4),
        from_(from),
        window_(window),
        is_image_(is_image),
        may_be_lines_(may_be_lines && window == line && (is_image || from.spans.size() == 1)) {}

  void choose(std::int64_t const* address, int count) {
    windows.clear();
    if (window_ == line) return choose_pairs(address, count);
    for (int b = 0; b * 16 < count; ++b) {  // each block has windows of its own
      cover(address, b * 16, std::min(count, b * 16 + 16), 1);
      auto const all = static_cast<std::size_t>(in_group) * found_.size();
      if (windows.size() < all) windows.resize(all, windows.empty() ? found_[0] : windows[0]);
      for (std::size_t w = 0; w < found_.size(); ++w) windows[w * 4 + static_cast<std::size_t>(b)] = found_[w];
      for (int i = b * 16; i < std::min(count, b * 16 + 16); ++i)
        owner[static_cast<std::size_t>(i)] = owner[static_cast<std::size_t>(i)] * 4 + b;
    }
  }
  /// The last window of the span that has this address.
  std::int64_t last_window(std::int64_t address) const {
    return is_image_ ? from_.bytes : address / from_.pitch * from_.pitch + from_.span_bytes - window_;
  }
  bool may_be_lines() const { return may_be_lines_; }

  std::int64_t in_group;              // windows of a group
  std::vector<std::int64_t> windows;  // where each starts, group by group
  std::array<int, 64> owner{};        // of each byte: its window

 private:
  /// Chooses between windows that start where an element does and windows that are whole lines of the image: reading
  /// across the end of a line costs two accesses.
  void choose_pairs(std::int64_t const* address, int count) {
    cover(address, 0, count, 1);
    windows = found_;
    if (windows.size() < 2 || !may_be_lines_) return;
    std::array<int, 64> const other_owner = owner;
    cover(address, 0, count, line);
    if (cost(found_) < cost(windows)) windows = found_;
    else owner = other_owner;
  }
  /// Finds windows for some bytes of the vector, lowest first.
  void cover(std::int64_t const* address, int begin, int end, std::int64_t granule) {
    for (int i = begin; i < end; ++i) sorted_[static_cast<std::size_t>(i)] = address[i] * line + i;
    std::sort(sorted_.begin() + begin, sorted_.begin() + end);
    found_.clear();
    for (int i = begin; i < end; ++i) {
      std::int64_t const at = sorted_[static_cast<std::size_t>(i)] / line;
      if (found_.empty() || at >= found_.back() + window_)
        found_.push_back(std::min(at / granule * granule, last_window(at)));
      owner[static_cast<std::size_t>(sorted_[static_cast<std::size_t>(i)] % line)] =
          static_cast<int>(found_.size()) - 1;
    }
  }
  static std::int64_t cost(std::vector<std::int64_t> const& all) {
    std::int64_t out = 0;
    for (std::int64_t const w : all) out += w % line == 0 ? 10 : 19;
    return out;
  }

  source_image const& from_;
  std::int64_t window_;
  bool is_image_, may_be_lines_;
  std::vector<std::int64_t> found_;
  std::array<std::int64_t, 64> sorted_{};  // addresses, each with its byte
};

/// Collects vectors into patterns. Vectors whose bytes are in the same places relative to each other are found by these,
/// before their windows are chosen.
class pattern_maker {
 public:
  pattern_maker(source_image const& from, std::int64_t element, std::int64_t window, bool stages_source,
                bool may_be_lines)
      : from_(from),
        element_(element),
        bytes_(element),
        window_(window),
        is_image_(stages_source),
        cover_(from, window_, stages_source, may_be_lines) {
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
    add(patterns, at, static_cast<int>(std::min(line, bytes_ - at)), place);
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
    auto const in_group = static_cast<std::size_t>(cover_.in_group);
    std::int64_t const base = cover_.windows[0];
    std::size_t const windows = cover_.windows.size(), groups = (windows + in_group - 1) / in_group;
    p.windows = cover_.windows;
    p.windows.resize(groups * in_group, cover_.windows.back());
    p.indices.assign(groups * line, 0x80);
    p.masks.assign(groups, 0);
    for (int i = 0; i < lanes; ++i) {
      auto const lane = static_cast<std::size_t>(i);
      auto const window = static_cast<std::size_t>(cover_.owner[lane]), group = window / in_group;
      p.indices[group * line + lane] =
          static_cast<byte>(address[lane] - p.windows[window] + (window % 2 == 1 && window_ == line ? line : 0));
      p.masks[group] |= std::uint64_t{1} << i;
    }
    p.is_odd = window_ == line && windows % 2 != 0;
    p.is_plain = groups == 1 && lanes == line;
    for (int i = 0; i < lanes; ++i) p.is_plain = p.is_plain && true_offset(address[i]) == true_offset(base) + i;
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
  std::int64_t element_, bytes_, window_;
  bool is_image_;
  window_cover cover_;
  std::vector<std::int64_t> elements_;
  std::unordered_map<std::string, std::size_t> known_, known_ends_;
  std::unordered_map<std::string, std::pair<std::size_t, std::int64_t>> seen_;
};

/// What a vector takes, by a few vectors.
inline lookup_count lookups_by(std::int64_t window, source_image const& image, std::int64_t element,
                               std::int64_t bytes) {
  window_cover cover(image, window, true);
  constexpr std::int64_t samples = 8;
  std::int64_t lookups = 0, lines = 0;
  for (std::int64_t k = 0; k < samples; ++k) {
    std::int64_t const at = bytes * k / samples / line * line;
    int const lanes = static_cast<int>(std::min(line, bytes - at));
    std::array<std::int64_t, 64> address{};
    for (int i = 0; i < lanes; ++i)
      address[static_cast<std::size_t>(i)] = image.at((at + i) / element) + (at + i) % element;
    cover.choose(address.data(), lanes);
    lookups += static_cast<std::int64_t>(cover.windows.size());
    for (std::int64_t& a : address) a /= line;
    std::sort(address.begin(), address.begin() + lanes);
    lines += std::unique(address.begin(), address.begin() + lanes) - address.begin();
  }
  auto const mean = [](std::int64_t all, std::int64_t of) {
    return static_cast<double>(all) / static_cast<double>(of);
  };
  return {window, mean(lookups, cover.in_group * samples), mean(lines, samples)};
}

/// The same with those windows of at most `widest` bytes that take least.
inline lookup_count lookups_in(source_image const& image, std::int64_t element, std::int64_t bytes,
                               std::int64_t widest) {
  lookup_count const narrow = lookups_by(16, image, element, bytes);
  if (widest < line) return narrow;
  lookup_count const wide = lookups_by(line, image, element, bytes);
  return wide.cycles() <= narrow.cycles() ? wide : narrow;
}

/// About the cycles in which vectors are put together: each pattern has tables to load first, and what crosses a line is read twice.
/// `is_image`: places are in an image, which starts with a line.
inline double cycles_of(std::vector<lookup_pattern> const& patterns, std::int64_t window, bool is_image) {
  constexpr double start = 20, table = 4, access = 0.5;
  double cycles = 0;
  for (lookup_pattern const& p : patterns) {
    auto const groups = static_cast<double>(p.groups());
    double each = 2 + groups * (groups > lookup_count::few ? 3 : 1);
    if (window != line) each += groups * (4 * access + 1);
    else
      for (std::size_t w = 0; w < p.windows.size() - (p.is_odd ? 1 : 0); ++w)
        each += is_image && (p.places[0].src + p.windows[w]) % line == 0 ? access : 2 * access;
    cycles += start + table * groups + each * static_cast<double>(p.places.size());
  }
  return cycles;
}

}  // namespace tilewright::cpu_engine
