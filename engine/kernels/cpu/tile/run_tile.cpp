// One tile after another: read, look up, write, while the next tile's lines are on their way.
#include "engine/cpu/thread_buffer.hpp"
#include "engine/kernels/cpu/tile/tile_program.hpp"

namespace tilewright::cpu_engine {
namespace {

bool starts_at_a_line(byte const* p) { return (reinterpret_cast<std::uintptr_t>(p) & 63) == 0; }

class tile_runner {
 public:
  explicit tile_runner(tile_program const& p)
      : p_(p),
        memory_(image_bytes(p) == 0 ? nullptr : thread_buffer(static_cast<std::size_t>(image_bytes(p)))) {}

  /// `comes`, `goes_on`: see write_carried_spans().
  /// `next` and `next_src`: the tables of the tile that follows and where its source starts; null if there is none.
  void run(tile_tables const& t, byte const* src, byte* dst, bool comes, bool goes_on, tile_tables const* next,
           byte const* next_src) const {
    if (t.stages_source) {
      read_spans(memory_, t.pitch, src, t.src_spans.data(), count_of(t.src_spans), t.src_span_bytes);
      src = memory_;
    }
    if (p_.streaming) fetch_ends(t, dst, !comes, !goes_on);
    byte* const gathered = memory_ + p_.src_image_bytes;
    byte* const image = gathered + p_.gathered_image_bytes + (p_.carries ? carried_bytes : 0);
    byte* const to = t.stages_destination ? image : dst;
    bool const streams = p_.streaming && !t.stages_destination && starts_at_a_line(dst - t.phase);
    fetch_list fetched;
    if (next != nullptr && !next->is_reached)
      fetched = {next_src, next->src_spans.data(), count_of(next->src_spans), next->src_span_bytes, t.lines_a_step};
    if (!t.gathers.empty()) {
      lookup(t.gathers, p_.gather_window, src, gathered, false, fetched);
      src = gathered;
      fetched = {};
    }
    if (t.transposes.unit != 0) transpose_all(t, src, to, streams, next_src);
    else if (!t.block.places.empty()) lookup(t.block, src, to, fetched);
    else lookup(t.patterns, p_.window, src, to, streams, fetched);
    if (p_.carries)
      write_carried_spans(dst, t.dst_spans.data(), count_of(t.dst_spans), t.dst_span_bytes, image, t.dst_pitch, comes,
                          goes_on);
    else if (t.stages_destination)
      write_spans(dst, t.dst_spans.data(), count_of(t.dst_spans), t.dst_span_bytes, image,
                  t.dst_pitch != 0 ? t.dst_pitch : t.dst_span_bytes, p_.streaming, {});
    if (!t.ends.empty()) write_ends(t, src, dst, image);
  }

 private:
  static std::int64_t image_bytes(tile_program const& p) {
    return p.src_image_bytes + p.gathered_image_bytes + p.dst_image_bytes;
  }
  void write_ends(tile_tables const& t, byte const* src, byte* dst, byte* image) const {
    lookup(t.end_patterns, p_.window, src, image, false, {});
    for (std::size_t i = 0; i < t.ends.size(); ++i)
      write_spans(dst, &t.ends[i].dst, 1, t.ends[i].bytes, image + static_cast<std::int64_t>(i) * 64, t.ends[i].bytes,
                  false, {});
  }
  static std::int64_t count_of(std::vector<std::int64_t> const& all) { return static_cast<std::int64_t>(all.size()); }

  /// Lines that are written in part must be read: all at once, while the tile is put together, not one after another.
  static void fetch_ends(tile_tables const& t, byte* dst, bool first, bool last) {
    for (span_end const& e : t.ends) __builtin_prefetch(dst + e.dst, 1, 3);
    if (!t.stages_destination || !(first || last)) return;
    for (std::int64_t const s : t.dst_spans) {
      if (first) __builtin_prefetch(dst + s, 1, 3);
      if (last) __builtin_prefetch(dst + s + t.dst_span_bytes - 1, 1, 3);
    }
  }

  void transpose_all(tile_tables const& t, byte const* src, byte* dst, bool streams, byte const* next_src) const {
    transpose_steps const& steps = t.transposes;
    transpose_tile const first{src,
                               steps.rows.data(),
                               count_of(steps.rows),
                               dst,
                               steps.columns.data(),
                               count_of(steps.columns),
                               false,
                               streams,
                               0,
                               nullptr,
                               p_.tuning,
                               steps.unreadable.empty() ? nullptr : steps.unreadable.data(),
                               steps.columns_follow,
                               steps.strips};
    transpose_each(first, steps.unit, steps.places, !t.stages_source && t.gathers.empty(), next_src);
  }

  tile_program const& p_;
  byte* memory_;
};

}  // namespace

/// The tables for the tile where the cursor is.
static tile_tables const& tables_at(tile_program const& p, tile_cursor const& at, byte const* dst) {
  if (p.phases == 1) return p.variants[at.variant];
  auto const behind = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(dst + at.dst) & 63);
  std::int64_t const phase = ((behind - p.first_phase) & 63) / p.phase_step;
  return p.variants[at.variant * static_cast<std::size_t>(p.phases) + static_cast<std::size_t>(phase)];
}

void run_tiles(tile_program const& p, byte const* src, byte* dst, std::int64_t begin, std::int64_t end) {
  tile_runner const runner(p);
  src += p.src_base;
  dst += p.dst_base;
  tile_cursor at(p.grid, begin);
  bool comes = false;
  for (std::int64_t i = begin; i < end; ++i) {
    tile_tables const& t = tables_at(p, at, dst);
    byte const* const from = src + at.src;
    byte* const to = dst + at.dst;
    if (i + 1 == end) {
      runner.run(t, from, to, comes, false, nullptr, nullptr);
      continue;
    }
    bool const goes_on = p.carries && at.goes_on();
    at.advance();
    runner.run(t, from, to, comes, goes_on, &tables_at(p, at, dst), src + at.src);
    comes = goes_on;
  }
}

}  // namespace tilewright::cpu_engine
