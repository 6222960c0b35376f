#include "engine/kernels/cuda/tile/lane_cycles.hpp"

#include "engine/kernels/cuda/tile/sides.hpp"
#include "engine/plan/banks.hpp"
#include "tilewright/base/math.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

namespace tilewright::kernels {
namespace {

using math::ceil_div;
using plan::lanes;
using std::int64_t;

/// Elements by which the accesses of a row of the destination that begins anywhere are behind those of the first row, as
/// their alignment differs.
int64_t lead(movement const& m, tile_side const& side, int64_t row) {
  if (!side.shifted) return 0;
  int64_t offset = 0;
  for (cuda_mode const& mode : side.rows) {
    offset += row % mode.extent * std::abs(m.loops[static_cast<std::size_t>(mode.loop)].dst);
    row /= mode.extent;
  }
  return offset % side.vector;
}

std::array<int64_t, 2> position(tile_side const& side, int64_t item, int64_t count) {
  if (side.lanes == 0) return {item / count, item % count};
  int64_t const groups = ceil_div(count, side.lanes), each = int64_t{side.lanes} * side.row_lanes;
  int64_t const group = item / each;
  return {group / groups * side.row_lanes + item / side.lanes % side.row_lanes,
          group % groups * side.lanes + item % side.lanes};
}

/// Of element x of a row, along the modes of the row and then of the rows.
void add_coordinates(std::vector<std::int32_t>& out, tile_side const& side, int64_t row, int64_t x) {
  auto const take = [&](std::vector<cuda_mode> const& modes, int64_t index) {
    for (cuda_mode const& mode : modes) {
      out.push_back(static_cast<std::int32_t>(index % mode.extent));
      index /= mode.extent;
    }
  };
  take(side.run, x);
  if (side.packed > 1) {  // the first row of a group
    int64_t const groups = ceil_div(side.rows.front().extent, int64_t{side.packed});
    row = row / groups * side.rows.front().extent + row % groups * side.packed;
  }
  take(side.rows, row);
}

}  // namespace

lane_probes::lane_probes(movement const& m, tile_side const& side, bool source, int threads) {
  for (auto const* modes : {&side.run, &side.rows})
    for (cuda_mode const& mode : *modes) loops_.push_back(mode.loop);
  int64_t const count = access_count(side, source, m.element_bits / 8), items = count * row_count(side);
  int64_t const warps = std::max<int64_t>(1, ceil_div(std::min<int64_t>(items, threads), int64_t{lanes}));
  // Two warps, at the start of accesses and, of the destination, in their middle.
  for (int64_t const warp : {int64_t{0}, warps / 2}) {
    for (int64_t const part : {int64_t{0}, source ? 0 : int64_t{side.vector} / 2}) {
      probe one;
      for (int64_t lane = 0; lane < lanes && warp * lanes + lane < items; ++lane, ++one.filled) {
        auto const [row, access] = position(side, warp * lanes + lane, count);
        int64_t const x = access * side.vector + part - (source ? 0 : lead(m, side, row));
        add_coordinates(one.at, side, row, std::clamp<int64_t>(x, 0, size_of(side.run) - 1));
      }
      probes_.push_back(std::move(one));
      if (source || side.vector < 2) break;
    }
    if (warps < 2) break;
  }
}

double lane_probes::cycles(std::vector<int64_t> const& place, int64_t width) const {
  std::vector<int64_t> step;
  for (int const l : loops_) step.push_back(place[static_cast<std::size_t>(l)]);
  double total = 0;
  for (probe const& one : probes_) {
    std::array<int64_t, lanes> at{};
    for (int lane = 0; lane < one.filled; ++lane)
      at[static_cast<std::size_t>(lane)] =
          std::inner_product(step.begin(), step.end(), one.at.begin() + lane * std::ssize(step), int64_t{0});
    total += static_cast<double>(plan::bank_cycles(std::span(at).first(static_cast<std::size_t>(one.filled)), width) *
                                 lanes) /
             one.filled;
  }
  return total / static_cast<double>(probes_.size());
}

}  // namespace tilewright::kernels
