// A tile has all channels of as many places as make a tile worth its start. Elements are put together in registers or, when the
// destination is written past the caches, in a buffer from which whole lines go out wherever each plane begins.
#include "engine/kernels/cpu/interleave/schedule_interleave.hpp"
#include "engine/memory_units.hpp"

#include "engine/plan/bytes_text.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>

namespace tilewright::plan {
namespace {

using engine::cache_line;
constexpr std::int64_t max_channels = 8;

}  // namespace

std::optional<channel_loops> channel_loops_of(movement const& m) {
  bool const runs = !m.loops.empty() && m.loops[0].src == 1 && m.loops[0].dst == 1;
  std::int64_t const unit = runs ? m.loops[0].extent : 1, unit_bytes = unit * m.element_bits / 8;
  if (unit_bytes > 16 || !std::has_single_bit(static_cast<std::uint64_t>(unit_bytes))) return {};
  int const count = static_cast<int>(m.loops.size());
  int along_src = -1, along_dst = -1;
  for (int i = runs ? 1 : 0; i < count; ++i) {
    loop const& l = m.loops[static_cast<std::size_t>(i)];
    if (l.src == unit) along_src = i;
    if (l.dst == unit) along_dst = i;
  }
  if (along_src < 0 || along_dst < 0 || along_src == along_dst) return {};
  for (bool const joins : {false, true}) {
    channel_loops const c =
        joins ? channel_loops{along_dst, along_src, true} : channel_loops{along_src, along_dst, false};
    std::int64_t const channels = m.loops[static_cast<std::size_t>(c.channels)].extent;
    loop const& places = m.loops[static_cast<std::size_t>(c.places)];
    if (channels <= max_channels && places.extent > channels && places.extent * unit_bytes >= cache_line &&
        (joins ? places.dst : places.src) == channels * unit)
      return c;
  }
  return {};
}

bool joins_channels(movement const& m, cpu_schedule const& s) {
  return m.loops[static_cast<std::size_t>(s.row_loops[0])].extent <
         m.loops[static_cast<std::size_t>(s.column_loops[0])].extent;
}

void schedule_interleaved(copy_plan& plan, cpu_schedule& s, channel_loops const& c, cpu_knobs const& knobs) {
  auto const channel_at = static_cast<std::size_t>(c.channels), place_at = static_cast<std::size_t>(c.places);
  std::int64_t const channels = plan.moves.loops[channel_at].extent, places = plan.moves.loops[place_at].extent;
  s.kernel = cpu_kernel::interleave;
  s.row_loops = {c.joins ? c.channels : c.places};
  s.column_loops = {c.joins ? c.places : c.channels};
  // Pieces of about the same size, each a whole number of vectors long.
  std::int64_t const vector = cache_line / s.unit_bytes;
  std::int64_t const wanted = std::max(vector, knobs.tile_bytes / (channels * s.unit_bytes));
  std::int64_t const pieces = (places + wanted - 1) / wanted;
  std::int64_t const each = ((places + pieces - 1) / pieces + vector - 1) / vector * vector;
  std::int64_t const tile = std::min(places, each);
  plan.tile[channel_at] = channels;
  plan.tile[place_at] = tile;
  std::int64_t const planar = tile * s.unit_bytes, joined = planar * channels;
  // The ends of each run are parts of lines, so runs must be long.
  s.streaming = s.streaming && (c.joins ? joined : planar) >= plan.machine.tuning.long_row_bytes;
  plan.path = s.streaming ? copy_path::staged : copy_path::direct;

  auto const say = [&](std::string text) { plan.reasons.push_back(std::move(text)); };
  if (c.joins)
    say(
        fmt::format("{} planes become neighbours in the destination, so {}-byte units of each are put side by side by "
                    "byte shuffles.",
                    channels, s.unit_bytes));
  else
    say(
        fmt::format("{} neighbours in the source go to a plane each, so {}-byte units are sorted into planes by byte "
                    "shuffles.",
                    channels, s.unit_bytes));
  say(c.joins ? fmt::format("A tile is read in {} runs of {} and written in one of {}.", channels, bytes_text(planar),
                            bytes_text(joined))
              : fmt::format("A tile is read in one run of {} and written in {} of {}.", bytes_text(joined), channels,
                            bytes_text(planar)));
  if (s.streaming)
    say(
        fmt::format("{} would push everything else out of the caches, so a buffer collects whole lines, which are "
                    "written past them.",
                    bytes_text(plan.bytes / 2)));
  else if (knobs.streaming) say("Runs this short are written through the caches.");
  else say("The destination fits the caches, so it is written through them.");
}

}  // namespace tilewright::plan
