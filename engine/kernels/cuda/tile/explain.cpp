#include "engine/kernels/cuda/tile/explain.hpp"

#include "engine/kernels/cuda/parts/blocks_text.hpp"
#include "engine/kernels/cuda/tile/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

namespace tilewright::kernels {
namespace {

std::string access_text(tile_side const& side, int bits) {
  if (side.shifted) return fmt::format("accesses of {} bits from wherever a row begins", side.vector * bits);
  return fmt::format("accesses of {} bits", side.vector * bits);
}

std::vector<int> loops_of(std::vector<cuda_mode> const& modes) {
  std::vector<int> out;
  for (cuda_mode const& mode : modes) out.push_back(mode.loop);
  return out;
}

}  // namespace

void explain_tile(copy_plan& plan, plan::cuda_candidate const& c) {
  cuda_schedule const& s = c.schedule;
  int const bits = plan.moves.element_bits;
  auto& why = plan.reasons;
  why.push_back(
      fmt::format("A block's tile is ({}), so that rows are contiguous on both sides: the source's along loop {}, "
                  "{} bytes, the destination's along loop {}, {} bytes.",
                  fmt::join(c.tile, ","), fmt::join(loops_of(s.source.run), ", "), c.src_run,
                  fmt::join(loops_of(s.target.run), ", "), c.dst_run));
  why.push_back(
      fmt::format("Strides, extents, offsets and alignments allow {} of the source and {} of the destination.",
                  access_text(s.source, bits), access_text(s.target, bits)));
  if (s.source.packed > 1)
    why.push_back(fmt::format(
        "A thread reads {} rows of the source at once, neighbours along loop {}, and transposes them in registers.",
        s.source.packed, s.source.rows.front().loop));
  tile_numbers::side const write = numbers_of(plan).write;
  if ((write.patterned || write.pattern_pieces) && write.pattern.unit > 0)
    why.push_back(fmt::format(
        "Accesses of the destination have their elements equally placed in shared memory, so that {} loads of {} bits, "
        "permuted in registers, replace {} of single elements.",
        write.pattern.units.size(), write.pattern.unit * 8, write.vector));
  if (s.fetch != cuda_fetch::none)
    why.push_back(
        "Rows of the destination end or begin with parts of sectors before a gap: the second-level cache fetches those "
        "sectors while the tile is read, since memory takes longer to merge what is written in part.");
  if (s.stages > 0)
    why.push_back(
        fmt::format("Instructions would bound the copy, so blocks stay for many tiles and keep places in registers: {} "
                    "tiles are in {} bytes of shared memory, read by asynchronous copies of {} bytes while one is "
                    "written.",
                    s.stages, s.shared_bytes, granule_bytes));
  else
    why.push_back(
        fmt::format("The tile is stored in {} bytes of shared memory, padded against bank conflicts.", s.shared_bytes));
  why.push_back(blocks_text(s));
}

}  // namespace tilewright::kernels
