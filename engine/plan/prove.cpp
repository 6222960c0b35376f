// Each step of the proof is a function that returns what is wrong, or nothing.
#include "tilewright/plan/prove.hpp"

#include "engine/plan/cpu_interleaved.hpp"
#include "engine/plan/cuda_interleaved.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <vector>

namespace tilewright {
namespace {

using failure = std::optional<std::string>;

failure writes_are_distinct(movement const& m) {
  std::vector<step> const to = destination_steps(m);
  std::int64_t count = 1;
  for (step const& s : to) count *= s.extent;
  if (count != m.elements) return fmt::format("the loops have {} coordinates for {} elements", count, m.elements);
  if (!m.has_loops()) {
    std::int64_t read = 1;
    for (step const& s : m.src_steps) read *= s.extent;
    if (read != count) return fmt::format("the source has {} coordinates and the destination {}", read, count);
  }
  if (has_collision(to) != answer::no) return "two coordinates may share an element of the destination";
  return {};
}

failure tiles_cut_loops(copy_plan const& plan) {
  if (plan.tile.size() != plan.moves.loops.size())
    return fmt::format("{} tile extents for {} loops", plan.tile.size(), plan.moves.loops.size());
  for (std::size_t i = 0; i < plan.tile.size(); ++i)
    if (plan.tile[i] < 1 || plan.tile[i] > plan.moves.loops[i].extent)
      return fmt::format("the tile takes {} of the {} steps of loop {}", plan.tile[i], plan.moves.loops[i].extent, i);
  return {};
}

// --- CPU -----------------------------------------------------------------------------------------------------------------

/// Each loop has one role; what lies inside a tile is a row's, a column's or the unit's, and of rows and columns only
/// the outermost loop may be cut, since a clipped tile has fewer of that loop alone.
failure roles_are_sound(copy_plan const& plan, cpu_schedule const& s) {
  movement const& m = plan.moves;
  std::int64_t const element = m.element_bits / 8;
  std::vector<int> roles(m.loops.size(), 0);
  bool const has_run = !m.loops.empty() && m.loops[0].src == 1 && m.loops[0].dst == 1;
  std::int64_t const unit = has_run ? plan.tile[0] : 1;
  if (s.unit_bytes != unit * element)
    return fmt::format("a unit has {} bytes and not {}", s.unit_bytes, unit * element);
  if (has_run) ++roles[0];
  for (auto const* side : {&s.row_loops, &s.column_loops}) {
    for (std::size_t k = 0; k < side->size(); ++k) {
      auto const i = static_cast<std::size_t>((*side)[k]);
      if (i >= m.loops.size()) return fmt::format("there is no loop {}", i);
      ++roles[i];
      if (k + 1 < side->size() && plan.tile[i] != m.loops[i].extent)
        return fmt::format("loop {} is cut and is not the outermost of its side", i);
    }
  }
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (roles[i] > 1) return fmt::format("loop {} has two roles", i);
    if (roles[i] == 0 && plan.tile[i] != 1)
      return fmt::format("{} steps of loop {} in a tile are nobody's", plan.tile[i], i);
    bool const is_cut = plan.tile[i] < m.loops[i].extent;
    if (is_cut && std::count(plan.order.begin(), plan.order.end(), static_cast<int>(i)) != 1)
      return fmt::format("loop {} is cut into tiles and is not in their order once", i);
  }
  return {};
}

failure runs_are_runs(copy_plan const& plan, cpu_schedule const& s) {
  movement const& m = plan.moves;
  std::int64_t const unit = s.unit_bytes * 8 / m.element_bits;
  std::int64_t next = unit;
  for (int const i : s.row_loops) {
    loop const& l = m.loops[static_cast<std::size_t>(i)];
    if (l.dst != next) return fmt::format("loop {} does not go on in the destination where the row ends", i);
    next *= l.extent;
  }
  next = s.column_loops.empty() ? 0 : m.loops[static_cast<std::size_t>(s.column_loops[0])].src;
  if ((s.kernel == cpu_kernel::turn || s.kernel == cpu_kernel::interleave) && next != unit)
    return "columns do not follow each other in the source";
  for (int const i : s.column_loops) {
    loop const& l = m.loops[static_cast<std::size_t>(i)];
    if (l.src != next) return fmt::format("loop {} does not go on in the source where the columns before it end", i);
    next *= l.extent;
  }
  bool const vector_unit =
      s.unit_bytes == 1 || s.unit_bytes == 2 || s.unit_bytes == 4 || s.unit_bytes == 8 || s.unit_bytes == 16;
  if (s.kernel != cpu_kernel::copy_runs && !vector_unit)
    return fmt::format("no kernel has units of {} bytes", s.unit_bytes);
  return {};
}

/// One side has the channels of a place side by side and its places one after another, in the other the places of each
/// channel follow each other.
failure channels_are_sound(copy_plan const& plan, cpu_schedule const& s) {
  if (s.row_loops.size() != 1 || s.column_loops.size() != 1) return "source and destination need a run each";
  movement const& m = plan.moves;
  std::int64_t const unit = s.unit_bytes * 8 / m.element_bits;
  auto const row = static_cast<std::size_t>(s.row_loops[0]), column = static_cast<std::size_t>(s.column_loops[0]);
  bool const joins = tilewright::plan::joins_channels(m, s);
  std::size_t const across = joins ? row : column;
  loop const channels = m.loops[across], places = m.loops[joins ? column : row];
  if (channels.extent < 2 || channels.extent > 8) return fmt::format("no kernel has {} channels", channels.extent);
  if (plan.tile[across] != channels.extent)
    return fmt::format("a tile has {} of {} channels", plan.tile[across], channels.extent);
  if ((joins ? channels.dst : channels.src) != unit || (joins ? places.dst : places.src) != unit * channels.extent)
    return "the channels do not lie side by side";
  return {};
}

failure cpu_failure(copy_plan const& plan, cpu_schedule const& s) {
  if (s.kernel == cpu_kernel::walk) return {};  // one element after another: nothing is cut
  if (failure f = tiles_cut_loops(plan)) return f;
  if (failure f = roles_are_sound(plan, s)) return f;
  if (failure f = runs_are_runs(plan, s)) return f;
  if (s.kernel == cpu_kernel::interleave) return channels_are_sound(plan, s);
  return {};
}

// --- GPU -----------------------------------------------------------------------------------------------------------------

/// How often each coordinate below `extent` of a loop comes up among the sums of the modes' steps.
failure covers_once(std::vector<cuda_mode> const& modes, int loop, std::int64_t vector, std::int64_t extent,
                    char const* what) {
  std::vector<std::int64_t> at{0};
  auto const spread = [&](std::int64_t step, std::int64_t count) {
    std::size_t const below = at.size();
    for (std::int64_t k = 1; k < count; ++k)
      for (std::size_t i = 0; i < below; ++i)
        if (at[i] + k * step < extent) at.push_back(at[i] + k * step);
  };
  spread(1, vector);
  for (cuda_mode const& m : modes)
    if (m.loop == loop) spread(m.step, m.extent);
  std::sort(at.begin(), at.end());
  for (std::size_t i = 0; i < at.size(); ++i)
    if (at[i] != static_cast<std::int64_t>(i))
      return fmt::format("{}: coordinate {} of loop {} is carried {}", what,
                         std::min<std::int64_t>(at[i], static_cast<std::int64_t>(i)), loop,
                         at[i] < static_cast<std::int64_t>(i) ? "twice" : "never");
  if (static_cast<std::int64_t>(at.size()) != extent)
    return fmt::format("{}: coordinate {} of loop {} is carried never", what, at.size(), loop);
  return {};
}

failure access_covers(copy_plan const& plan, cuda_access const& a, int packed_loop, std::int64_t packed,
                      char const* what) {
  for (std::size_t i = 0; i < plan.tile.size(); ++i) {
    std::vector<cuda_mode> modes = a.threads;
    modes.insert(modes.end(), a.values.begin(), a.values.end());
    auto const loop = static_cast<int>(i);
    if (loop == packed_loop && packed > 1) modes.push_back({loop, 1, packed});
    if (failure f = covers_once(modes, loop, a.loop == loop ? a.vector : 1, plan.tile[i], what)) return f;
  }
  return {};
}

/// Elements by which a column's piece may begin before its tile.
std::int64_t most_skew(copy_plan const& plan, cuda_schedule const& s) {
  return s.images.sector / (plan.moves.element_bits / 8) - 1;
}

/// Column j of tile t takes elements [t·tile - skew(j), (t + 1)·tile - skew(j)) of the destination's run: with one skew for
/// all tiles, each element is in one of them. Both images hold what is put there, and no place twice.
failure images_are_sound(copy_plan const& plan, cuda_schedule const& s) {
  movement const& m = plan.moves;
  std::int64_t const element = m.element_bits / 8, word = std::max<std::int64_t>(4, element), per_word = word / element;
  auto const loops = static_cast<int>(m.loops.size());
  int const i = s.write.loop, j = s.read.loop;
  if (i < 0 || j < 0 || i >= loops || j >= loops || i == j) return "source and destination need a run each";
  if (m.loops[static_cast<std::size_t>(i)].dst != 1 || m.loops[static_cast<std::size_t>(j)].src != 1)
    return "the runs are not runs of stride 1";
  if (m.is_swizzled() || element < 1 || element > 8) return "no realigned copy moves swizzled or such elements";
  for (int l = 0; l < loops; ++l)
    if (l != i && l != j && plan.tile[static_cast<std::size_t>(l)] != 1)
      return fmt::format("a tile has {} steps of loop {}", plan.tile[static_cast<std::size_t>(l)], l);
  std::int64_t const tile_i = plan.tile[static_cast<std::size_t>(i)], tile_j = plan.tile[static_cast<std::size_t>(j)];
  shared_images const& at = s.images;
  if (at.sector < 16 || at.sector % 16 != 0 || tile_i * element % at.sector != 0)
    return fmt::format("tiles of {} bytes along the destination are no whole number of sectors of {}", tile_i * element,
                       at.sector);
  if (tile_j * element % 16 != 0 || tile_j % per_word != 0 || tile_j / per_word > s.threads)
    return fmt::format("rows of {} elements are no whole number of vectors, or more words than threads", tile_j);
  std::int64_t const rows = tile_i + at.sector / element, columns = tile_j / per_word;
  if (at.source_pitch % 16 != 0 || at.source_pitch < tile_j * element + 16)
    return fmt::format("rows of {} bytes and a vector lie {} bytes apart", tile_j * element, at.source_pitch);
  if (at.target_pitch % word != 0 || at.target_pitch < tile_i * element)
    return fmt::format("columns of {} bytes lie {} bytes apart", tile_i * element, at.target_pitch);
  if (at.target_group % word != 0 || at.target_group < columns * at.target_pitch)
    return fmt::format("{} columns lie {} bytes apart", columns, at.target_group);
  if (s.shared_bytes < rows * at.source_pitch + per_word * at.target_group)
    return fmt::format("the images need more than {} bytes", s.shared_bytes);
  return {};
}

/// A thread has one vector of each plane, and the threads' vectors make up the tile.
failure planes_are_sound(copy_plan const& plan, cuda_schedule const& s) {
  movement const& m = plan.moves;
  auto const loops = static_cast<int>(m.loops.size());
  if (s.write.loop < 0 || s.read.loop < 0 || s.write.loop >= loops || s.read.loop >= loops ||
      s.write.loop == s.read.loop)
    return "source and destination need a run each";
  auto const tile = [&](int l) { return plan.tile[static_cast<std::size_t>(l)]; };
  auto const loop_at = [&](int l) { return m.loops[static_cast<std::size_t>(l)]; };
  std::int64_t const element = m.element_bits / 8;
  if (m.is_swizzled() || (element != 1 && element != 2)) return "no interleaved copy moves swizzled or such elements";
  bool const joins = tilewright::plan::joins_planes(m, s);
  int const across = joins ? s.write.loop : s.read.loop, along = joins ? s.read.loop : s.write.loop;
  loop const planes = loop_at(across), places = loop_at(along);
  if (tile(across) != planes.extent) return fmt::format("a tile has {} of {} planes", tile(across), planes.extent);
  if (tile(along) * element != std::int64_t{s.threads} * 16)
    return fmt::format("{} threads of 16 bytes do not make up {} elements of a plane", s.threads, tile(along));
  if ((joins ? planes.dst : planes.src) != 1 || (joins ? places.dst : places.src) != planes.extent ||
      (joins ? places.src : places.dst) != 1)
    return "the planes' elements do not lie side by side";
  for (int l = 0; l < loops; ++l)
    if (l != across && l != along && tile(l) != 1) return fmt::format("a tile has {} steps of loop {}", tile(l), l);
  if (s.shared_bytes < tile(along) * planes.extent * element)
    return fmt::format("a tile needs more than {} bytes", s.shared_bytes);
  return {};
}

failure cuda_failure(copy_plan const& plan, cuda_schedule const& s) {
  if (s.kernel == cuda_kernel::gather) return {};  // the index itself is cut, by the grid's stride
  if (failure f = tiles_cut_loops(plan)) return f;
  for (std::size_t i = 0; i < plan.tile.size(); ++i) {
    loop const& l = plan.moves.loops[i];
    std::int64_t covered = 1;
    std::vector<cuda_mode> tiles;
    for (cuda_mode const& g : s.grid)
      if (g.loop == static_cast<int>(i)) {
        if (g.step % plan.tile[i] != 0)
          return fmt::format("blocks step by {} along loop {} with tiles of {}", g.step, i, plan.tile[i]);
        tiles.push_back({g.loop, g.step / plan.tile[i], g.extent});
        covered *= g.extent;
      }
    bool const is_shifted = s.kernel == cuda_kernel::realigned && static_cast<int>(i) == s.write.loop;
    std::int64_t const extent = l.extent + (is_shifted ? most_skew(plan, s) : 0);
    std::int64_t const needed = (extent + plan.tile[i] - 1) / plan.tile[i];
    if (covered < needed) return fmt::format("the grid has {} tiles along loop {}, which needs {}", covered, i, needed);
    constexpr std::int64_t most_tiles = 1 << 20;
    if (needed <= most_tiles)
      if (failure f = covers_once(tiles, static_cast<int>(i), 1, needed, "grid")) return f;
  }
  if (s.kernel == cuda_kernel::realigned) return images_are_sound(plan, s);
  if (s.kernel == cuda_kernel::interleaved) return planes_are_sound(plan, s);
  if (failure f = access_covers(plan, s.read, s.read.loop, 1, "read")) return f;
  if (s.kernel == cuda_kernel::runs) return {};
  return access_covers(plan, s.write, s.read.loop, s.packed, "write");
}

}  // namespace

plan_proof prove(copy_plan const& plan) {
  if (plan.moves.elements == 0) return {true, {}};
  failure f = writes_are_distinct(plan.moves);
  if (!f) {
    if (auto const* c = std::get_if<cpu_schedule>(&plan.schedule)) f = cpu_failure(plan, *c);
    else if (auto const* g = std::get_if<cuda_schedule>(&plan.schedule)) f = cuda_failure(plan, *g);
    else f = "the plan has no schedule";
  }
  return f ? plan_proof{false, *f} : plan_proof{true, {}};
}

plan_proof prove(copy_plan const& plan, copy_request const& request) {
  if (plan_proof const p = prove(plan); !p) return p;
  movement const& m = plan.moves;
  std::int64_t const wider = m.element_bits / request.element_bits;
  auto const offset_at = [](std::vector<step> const& steps, std::int64_t base, swizzle_value const& s,
                            std::int64_t index) {
    for (step const& l : steps) {
      base += index % l.extent * l.stride;
      index /= l.extent;
    }
    return s(base);
  };
  std::vector<step> const from = source_steps(m), to = destination_steps(m);
  std::vector<std::pair<std::int64_t, std::int64_t>> moved, wanted;
  for (std::int64_t i = 0; i < m.elements; ++i) {
    std::int64_t const a = offset_at(from, m.src_offset, m.src_swizzle, i),
                       b = offset_at(to, m.dst_offset, m.dst_swizzle, i);
    for (std::int64_t k = 0; k < wider; ++k) moved.emplace_back(b * wider + k, a * wider + k);
  }
  std::int64_t size = 1;
  for (int i = 0; i < request.src.layout.leaves; ++i) size *= request.src.layout.shape[i].number;
  for (std::int64_t i = 0; i < size; ++i)
    wanted.emplace_back(request.dst.swizzle(request.dst.offset.number + request.dst.layout(i)),
                        request.src.swizzle(request.src.offset.number + request.src.layout(i)));
  std::sort(moved.begin(), moved.end());
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());  // the same element moved again and again
  for (std::size_t i = 0; i < std::max(moved.size(), wanted.size()); ++i) {
    if (i >= moved.size()) return {false, fmt::format("element {} of the destination is not written", wanted[i].first)};
    if (i >= wanted.size() || moved[i] != wanted[i])
      return {false, fmt::format("element {} of the destination is written from {}", moved[i].first, moved[i].second)};
  }
  return {true, {}};
}

}  // namespace tilewright
