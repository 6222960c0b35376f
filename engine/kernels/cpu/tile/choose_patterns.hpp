// Which lookups put a tile's destination together: of patterns that follow whole lines, start with what repeats or keep all windows in
// registers, those that take the fewest cycles.
#pragma once

#include "engine/kernels/cpu/tile/patterns.hpp"
#include "engine/kernels/cpu/tile/repeated_block.hpp"
#include "engine/kernels/cpu/tile/tile_program.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace tilewright::cpu_engine {

/// Whole lines of each span, and what is before and behind them.
inline void add_lines(pattern_maker& maker, tile_tables& out) {
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

/// Of the next tile's lines, how many are fetched for each of `vectors` that are put together.
inline std::int64_t lines_a_step(tile_tables const& t, std::int64_t vectors) {
  std::int64_t const lines = static_cast<std::int64_t>(t.src_spans.size()) * ((t.src_span_bytes + 127) / line);
  return std::max<std::int64_t>(1, (lines + vectors - 1) / vectors);
}

/// `repeat`: where the destination is put together in an image, vectors start anew after so many bytes, so that what repeats
/// has one set of tables; 0: they follow each other. `in_lines`: windows may be lines of the source's image.
inline void make_patterns(tile_tables& out, source_image const& image, std::int64_t element, std::int64_t window,
                          bool has_ends, std::int64_t repeat = 0, bool in_lines = true) {
  pattern_maker maker(image, element, window, out.stages_source || !out.gathers.empty(), in_lines && repeat == 0);
  if (has_ends) {
    add_lines(maker, out);
  } else if (repeat != 0) {
    for (std::int64_t first = 0; first < maker.bytes(); first += repeat)
      for (std::int64_t at = 0; at < repeat; at += line) {
        std::int64_t const place =
            first + std::min(at, repeat - line);  // the last bytes again if a vector is cut short
        maker.add(place, place);
      }
  } else if (out.dst_pitch != 0) {
    for (std::size_t s = 0; s < out.dst_spans.size(); ++s)
      for (std::int64_t at = 0; at < out.dst_span_bytes; at += line)
        maker.add(maker.patterns, static_cast<std::int64_t>(s) * out.dst_span_bytes + at,
                  static_cast<int>(std::min(line, out.dst_span_bytes - at)),
                  static_cast<std::int64_t>(s) * out.dst_pitch + at);
  } else if (out.stages_destination) {
    for (std::int64_t at = 0; at < maker.bytes(); at += line) maker.add(at, at);
  } else {
    for (std::size_t s = 0; s < out.dst_spans.size(); ++s)
      for (std::int64_t at = 0; at < out.dst_span_bytes; at += line) {
        std::int64_t const from = std::min(at, out.dst_span_bytes - line);  // the last word again if it is cut short
        maker.add(static_cast<std::int64_t>(s) * out.dst_span_bytes + from, out.dst_spans[s] + from);
      }
  }
  out.patterns = std::move(maker.patterns);
  out.end_patterns = std::move(maker.ends);
  if (out.gathers.empty()) out.lines_a_step = lines_a_step(out, maker.vectors);
}

/// The bytes of the tile's fastest modes after which its tables repeat, if vectors start anew there: as few as leave few vectors that
/// are cut short. 0: there are none.
inline std::int64_t repeated_bytes(tile_modes const& modes, std::int64_t element) {
  std::int64_t bytes = element;
  for (std::size_t i = 0; i + 1 < modes.size(); ++i) {
    bytes *= modes[i].extent;
    std::int64_t const whole = (bytes + line - 1) / line * line;
    if (bytes >= line && bytes % line != 0 && 8 * whole <= 9 * bytes) return bytes;
  }
  return 0;
}

inline std::int64_t vectors_of(std::vector<lookup_pattern> const& patterns) {
  std::int64_t out = 0;
  for (lookup_pattern const& p : patterns) out += static_cast<std::int64_t>(p.places.size());
  return out;
}

/// Do fewer vectors share a pattern, in the mean?
inline bool share_few(std::vector<lookup_pattern> const& patterns, std::int64_t wanted) {
  return vectors_of(patterns) < wanted * static_cast<std::int64_t>(patterns.size());
}

/// In how many passes to go through patterns, so that lines that many of them read are still in the nearest cache: at least a few
/// places of each pattern at a time.
inline std::int64_t passes_of(tile_tables const& t, std::int64_t pass_bytes) {
  constexpr std::int64_t few_places = 4, many_reads = 8;
  if (t.patterns.empty()) return 1;
  std::int64_t reads = 0;
  for (lookup_pattern const& p : t.patterns) reads += static_cast<std::int64_t>(p.places.size() * p.windows.size());
  std::int64_t const src_bytes = static_cast<std::int64_t>(t.src_spans.size()) * t.src_span_bytes;
  if (reads * line < many_reads * src_bytes) return 1;
  std::int64_t const max_passes = vectors_of(t.patterns) / few_places / static_cast<std::int64_t>(t.patterns.size());
  return std::clamp<std::int64_t>(src_bytes / pass_bytes, 1, std::max<std::int64_t>(1, max_passes));
}

/// Each pattern that many times, with a part of its places each time.
inline std::vector<lookup_pattern> in_passes(std::vector<lookup_pattern> const& patterns, std::int64_t passes) {
  std::vector<lookup_pattern> out;
  for (std::int64_t pass = 0; pass < passes; ++pass)
    for (lookup_pattern const& p : patterns) {
      auto const count = static_cast<std::int64_t>(p.places.size());
      auto const first = p.places.begin() + count * pass / passes, end = p.places.begin() + count * (pass + 1) / passes;
      if (first == end) continue;
      lookup_pattern part = p;
      part.places.assign(first, end);
      out.push_back(std::move(part));
    }
  return out;
}

/// The patterns that take the fewest cycles: where vectors share few tables, loading these takes longer than all else. Then windows
/// start with what is looked up, wherever lines do, and vectors with what repeats.
/// `has_ends`: see make_patterns(). `bytes`: of the tile
inline void choose_patterns(tile_tables& out, source_image const& image, tile_modes const& modes, std::int64_t element,
                            std::int64_t bytes, tile_program const& p, bool has_ends) {
  tile_tables const empty = out;
  auto const cycles = [&](tile_tables const& t) {
    double const image_cycles = t.stages_destination ? 4 * static_cast<double>(bytes / line) : 0;
    if (!t.block.places.empty()) return image_cycles + cycles_of(t.block);
    return image_cycles + cycles_of(t.patterns, p.window, t.stages_source || !t.gathers.empty());
  };
  make_patterns(out, image, element, p.window, has_ends);
  auto const try_other = [&](bool ends, std::int64_t repeat, bool is_staged) {
    if (!share_few(out.patterns, p.tuning.table_vectors)) return;
    tile_tables other = empty;
    other.stages_destination = is_staged;
    if (!ends) other.phase = 0;
    make_patterns(other, image, element, p.window, ends, repeat, false);
    if (cycles(other) < cycles(out)) out = std::move(other);
  };
  if (p.window == line) try_other(has_ends, 0, out.stages_destination);
  std::int64_t const repeat = repeated_bytes(modes, element);
  bool const is_one_span = out.dst_spans.size() == 1;
  bool const is_staged = empty.stages_destination || p.streaming || !is_one_span;
  if (repeat != 0 && !p.carries) try_other(false, repeat, is_staged);
  if (lookup_window() == line && empty.gathers.empty() && empty.dst_pitch == 0 && !p.carries) {
    tile_tables other = empty;
    other.stages_destination = is_staged;
    other.phase = 0;
    other.block = best_block(out.stages_source ? image.modes : modes, element, out.stages_source ? image.first : 0);
    auto const vectors = static_cast<std::int64_t>(other.block.at.size() * other.block.places.size());
    if (vectors != 0 && cycles(other) < cycles(out)) {
      out = std::move(other);
      out.lines_a_step = lines_a_step(out, vectors);
    }
  }
  if (std::int64_t const passes = passes_of(out, p.tuning.pass_bytes); passes > 1)
    out.patterns = in_passes(out.patterns, passes);
}

}  // namespace tilewright::cpu_engine
