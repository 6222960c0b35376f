#include "distributed/nvlink/engine_boxes.hpp"

#include <algorithm>
#include <cstddef>

namespace tilewright::nvlink {

bool is_row(exchange_piece const& p) { return p.loops.empty() || (p.loops[0].src == 1 && p.loops[0].dst == 1); }

namespace {

constexpr std::int64_t max_pitch = (std::int64_t{1} << 31) - 1;  // CU_DEVICE_ATTRIBUTE_MAX_PITCH of every GPU there is

/// Into how many strips rows are cut: where a short last segment would take more than an eighth of the time in vain.
std::int64_t strips_of(std::int64_t run, std::int64_t segment) {
  std::int64_t const rest = run % segment, lost = segment / 2 - rest;
  return run < segment || rest == 0 || 8 * lost <= run ? 1 : (run + segment - 1) / segment;
}

/// Rows of `run` bytes along one of the loops, in bytes, and planes along another, which are then no longer among the loops.
/// False where rows overlap, or are further apart than the driver takes.
bool take_box(gpu::memory_box& box, std::int64_t run, std::vector<loop>& loops) {
  auto const apart = [](loop const& l, std::int64_t src, std::int64_t dst) { return l.src >= src && l.dst >= dst; };
  box.rows = box.depth = box.src_rows = box.dst_rows = 1;
  box.src_pitch = box.dst_pitch = static_cast<std::size_t>(run);
  if (loops.empty()) return true;
  std::size_t row = 0, plane = loops.size();
  for (std::size_t r = 0; r < loops.size() && plane == loops.size(); ++r)
    for (std::size_t k = 0; k < loops.size() && plane == loops.size(); ++k) {
      loop const &a = loops[r], &b = loops[k];
      if (r == k || !apart(a, run, run) || !apart(b, a.src * a.extent, a.dst * a.extent)) continue;
      if (b.src % a.src != 0 || b.dst % a.dst != 0) continue;  // planes are whole numbers of rows apart
      row = r;
      plane = k;
    }
  loop const rows = loops[row];
  if (!apart(rows, run, run) || std::max(rows.src, rows.dst) > max_pitch) return false;
  box.rows = box.src_rows = box.dst_rows = static_cast<std::size_t>(rows.extent);
  box.src_pitch = static_cast<std::size_t>(rows.src);
  box.dst_pitch = static_cast<std::size_t>(rows.dst);
  std::vector<loop> rest;
  for (std::size_t k = 0; k < loops.size(); ++k)
    if (k == plane) {
      box.depth = static_cast<std::size_t>(loops[k].extent);
      box.src_rows = static_cast<std::size_t>(loops[k].src / rows.src);
      box.dst_rows = static_cast<std::size_t>(loops[k].dst / rows.dst);
    } else if (k != row) rest.push_back(loops[k]);
  loops = rest;
  return true;
}

}  // namespace

std::vector<engine_box> engine_boxes(exchange_piece const& piece, std::int64_t item, bool is_own,
                                     piece_limits const& limits) {
  if (!is_row(piece) || piece.loops.empty()) return {};
  std::int64_t const run = piece.loops[0].extent * item, bytes = piece.elements * item;
  bool const is_run = piece.loops.size() == 1;
  if (bytes < (is_run ? limits.run_copy : limits.box_copy)) return {};
  if (!is_run && (is_own || run < limits.box_row)) return {};
  std::vector<loop> rest;  // in bytes; then what a box does not take
  for (std::size_t k = 1; k < piece.loops.size(); ++k)
    rest.push_back({piece.loops[k].extent, piece.loops[k].src * item, piece.loops[k].dst * item});
  gpu::memory_box box;
  if (!take_box(box, run, rest)) return {};
  std::int64_t boxes = 1;
  for (loop const& l : rest) boxes *= l.extent;
  if (!is_run && bytes < boxes * limits.box_copy) return {};
  std::int64_t const strips = is_run ? 1 : strips_of(run, limits.engine_segment);
  std::int64_t const width = strips == 1 ? run : (run / strips + 15) / 16 * 16;
  std::vector<engine_box> out;
  for (std::int64_t b = 0; b < boxes; ++b) {
    std::int64_t left = b, src = piece.src * item, dst = piece.dst * item;
    for (loop const& l : rest) {
      src += left % l.extent * l.src;
      dst += left % l.extent * l.dst;
      left /= l.extent;
    }
    for (std::int64_t at = 0; at < run; at += width) {
      box.row_bytes = static_cast<std::size_t>(std::min(width, run - at));
      out.push_back({src + at, dst + at, box});
    }
  }
  return out;
}

}  // namespace tilewright::nvlink
