// Widths of accesses are the largest powers of two that divide every offset at which a row can begin.
#include "engine/kernels/cuda/tile/sides.hpp"

#include "engine/kernels/cuda/tile/numbers.hpp"
#include "engine/plan/banks.hpp"
#include "engine/plan/cuda_tiles.hpp"
#include "engine/plan/dense_run.hpp"
#include "tilewright/base/math.hpp"
#include "tilewright/machine/arch.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace tilewright::kernels {
namespace {

using math::ceil_div;
using plan::lanes;
using std::int64_t;

constexpr int64_t min_shifted_bytes = 128;
constexpr int64_t max_fetched_row = 4096;  // bytes; of longer rows the ends are too few to matter

int64_t power_of_two_in(int64_t a, int64_t most) {
  int64_t n = 1;
  while (n < most && a % (2 * n) == 0) n *= 2;
  return n;
}

/// Would more than an eighth of `all` be there for nothing if they came in groups of `each`?
bool leaves_many_idle(int64_t all, int64_t each) { return ceil_div(all, each) * each * 8 > all * 9; }

}  // namespace

int64_t end_of_places(std::vector<int64_t> const& tile, std::vector<int64_t> const& place, int64_t element_bytes) {
  int64_t end = element_bytes;
  for (std::size_t l = 0; l < tile.size(); ++l) end += (tile[l] - 1) * place[l];
  return end;
}

int64_t row_count(tile_side const& side) {
  if (side.packed == 1) return size_of(side.rows);
  int64_t const extent = side.rows.front().extent;
  return size_of(side.rows) / extent * ceil_div(extent, int64_t{side.packed});
}

int64_t access_count(tile_side const& side, bool source, int64_t element_bytes) {
  if (!side.shifted) return size_of(side.run) / side.vector;
  int64_t const bytes = size_of(side.run) * element_bytes, access = side.vector * element_bytes;
  return source ? ceil_div(bytes, access) : bytes / access;
}

cut_rows cut_rows_of(movement const& m, copy_request const& request) {
  std::vector<int> const row = plan::dense_run_of(m).loops;
  if (row.empty() || row.size() == m.loops.size()) return {};
  constexpr architecture gpu = arch(arch_id::sm_90);
  int64_t const element = m.element_bits / 8, sector = gpu.sector.count;
  int64_t length = element, pitch = std::numeric_limits<int64_t>::max();
  for (int const l : row) length *= m.loops[static_cast<std::size_t>(l)].extent;
  bool is_whole = length % sector == 0 && request.dst_alignment % sector == 0 && m.dst_offset * element % sector == 0;
  for (loop const& x : m.loops) {
    int64_t const stride = std::abs(x.dst) * element;
    if (stride < length) continue;
    is_whole = is_whole && stride % sector == 0;
    pitch = std::min(pitch, stride);
  }
  if (is_whole) return {};
  return {length, pitch};
}

cuda_fetch fetch_of(movement const& m, copy_request const& request, machine_model const& machine) {
  if (machine.far_bytes == 0 || m.elements * m.element_bits / 8 <= machine.far_bytes / 4) return cuda_fetch::none;
  auto const [length, pitch] = cut_rows_of(m, request);
  int64_t const sector = arch(arch_id::sm_90).sector.count;
  // Fitted to 87 copies to padded rows, each fetched in every way, on an H200 and an H100 (docs/adr/0022).
  bool const is_sparse = length <= sector && pitch >= 2 * length;
  if (length == 0 || length > max_fetched_row || is_sparse) return cuda_fetch::none;
  return pitch <= 2 * sector ? cuda_fetch::spans : cuda_fetch::sectors;
}

int64_t tile_sides::stride(bool source, int l) const { return std::abs(source ? loop_at(l).src : loop_at(l).dst); }

/// Rows as long as they can be. Rows that end where they would go on along the loop `along` have its coordinates as the first ones
/// that tell them apart; -1: no such loop.
tile_side tile_sides::split_into_rows(bool source, int along) const {
  tile_side out;
  if (along >= 0) out.rows.push_back({along, 1, tile(along)});
  int64_t next = 0;
  bool ends = false;
  for (int const l : plan::loops_by(m_, source)) {
    ends = ends || l == along;
    if (l == along || tile(l) == 1 || stride(source, l) == 0) continue;
    ends = ends || (next != 0 && stride(source, l) != next);
    (ends ? out.rows : out.run).push_back({l, 1, tile(l)});
    next = stride(source, l) * tile(l);
    ends = ends || tile(l) < loop_at(l).extent;  // a loop that is cut ends the row
  }
  return out;
}

tile_side tile_sides::side(bool source, bool may_shift) const {
  tile_side out = split_into_rows(source, -1);
  bool const is_contiguous = out.run.empty() || stride(source, out.run.front().loop) == 1;
  int64_t const most = is_contiguous ? widest_bytes / element_ : 1;
  out.vector = static_cast<int>(vector(source, out, most));
  int64_t const length = size_of(out.run);
  // From wherever a row begins: long rows by the widest accesses, short ones of small elements by words.
  int64_t const access = length * element_ >= min_shifted_bytes ? widest_bytes : word_bytes;
  out.shifted = is_contiguous && out.vector * element_ < access && element_ < access && length * element_ > access;
  out.shifted = out.shifted && may_shift;
  if (out.shifted) out.begins = std::exchange(out.vector, static_cast<int>(access / element_));
  return out;
}

/// Elements, up to `most`, whose bytes divide every offset at which an access can begin.
int64_t tile_sides::vector(bool source, tile_side const& side, int64_t most) const {
  int64_t const alignment = source ? request_.src_alignment : request_.dst_alignment;
  most = std::max<int64_t>(1, std::min(most, alignment / element_));
  int64_t begin = source ? m_.src_offset : m_.dst_offset;
  for (std::size_t l = 0; source && l < m_.loops.size(); ++l)  // backwards, a tile begins with its last coordinate
    if (m_.loops[l].src < 0) begin += (tile_[l] - 1) * m_.loops[l].src;
  int64_t n = power_of_two_in(begin, most);
  auto const divide = [&](int64_t a) { n = power_of_two_in(a, n); };
  std::vector<bool> is_run(m_.loops.size(), false);
  int64_t length = 1;
  for (cuda_mode const& x : side.run) {
    is_run[static_cast<std::size_t>(x.loop)] = true;
    length *= x.extent;
  }
  divide(length);
  for (std::size_t l = 0; l < m_.loops.size(); ++l) {
    int64_t const s = stride(source, static_cast<int>(l)), extent = m_.loops[l].extent;
    if (!is_run[l] && tile_[l] > 1) divide(s);
    if (tile_[l] < extent) divide(s * tile_[l]);
    if (source && m_.loops[l].src < 0 && extent % tile_[l] != 0) divide(s * (tile_[l] - extent % tile_[l]));
  }
  return n;
}

std::vector<tile_side> tile_sides::packed_sources(tile_side const& target, bool may_shift) const {
  std::vector<tile_side> out;
  if (element_ >= word_bytes || target.run.empty()) return out;
  int const along = target.run.front().loop;
  if (stride(false, along) != 1 || stride(true, along) == 0 || leaves_many_idle(tile(along), word_bytes / element_))
    return out;
  tile_side side = split_into_rows(true, along);
  if (side.run.empty() || stride(true, side.run.front().loop) != 1) return out;
  side.packed = static_cast<int>(word_bytes / element_);
  for (int64_t bytes = widest_bytes; bytes >= word_bytes; bytes /= 4) {
    int64_t const most = bytes / element_;
    side.vector = static_cast<int>(vector(true, side, most));
    side.shifted = side.vector < most && size_of(side.run) > most;
    if (side.shifted && may_shift) side.vector = static_cast<int>(most);
    if (side.vector == most) add_lanes(out, side);
  }
  return out;
}

/// With threads along so much of a row and along so many groups of rows that none of them is idle.
void tile_sides::add_lanes(std::vector<tile_side>& out, tile_side side) const {
  int64_t const count = access_count(side, true, element_), rows = row_count(side);
  for (int64_t of_row = std::max<int64_t>(1, lanes / side.vector); of_row < std::min<int64_t>(lanes, count);
       of_row *= 2) {
    side.lanes = static_cast<int>(of_row);
    side.row_lanes = static_cast<int>(lanes / of_row);
    if (!leaves_many_idle(count, of_row) && !leaves_many_idle(rows, side.row_lanes)) out.push_back(side);
  }
  side.lanes = 0;
  side.row_lanes = 1;
  out.push_back(side);
}

std::vector<tile_side> tile_sides::targets(tile_side const& widest) const {
  std::vector<tile_side> out{widest};
  auto const narrow = [&](tile_side side) {
    for (int64_t n = side.vector / 2; element_ < word_bytes && n * element_ >= word_bytes; n /= 2) {
      side.vector = static_cast<int>(n);
      out.push_back(side);
    }
  };
  narrow(widest);
  if (!widest.shifted) return out;
  out.push_back(side(false, false));
  narrow(out.back());
  return out;
}

std::vector<std::array<int, 2>> tile_sides::lane_choices(tile_side const& target) const {
  std::vector<std::array<int, 2>> out{{0, 1}};
  int64_t const count = access_count(target, false, element_), rows = size_of(target.rows);
  for (int64_t const bytes : {128, 64, 32}) {
    int64_t const of_row = bytes / (target.vector * element_), of_rows = lanes / std::max<int64_t>(1, of_row);
    if (of_row < 1 || of_row >= lanes || of_row >= count || of_rows < 2) continue;
    if (target.shifted ? ceil_div(count, of_row) * of_row > count * 5 / 4 : count % of_row != 0) continue;
    if (leaves_many_idle(rows, of_rows)) continue;
    out.push_back({static_cast<int>(of_row), static_cast<int>(of_rows)});
  }
  return out;
}

}  // namespace tilewright::kernels
