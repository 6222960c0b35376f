// Each step of the proof is a function that returns what is wrong, or nothing.
#include "tilewright/plan/prove.hpp"
#include "engine/memory_units.hpp"

#include "engine/cpu/prove_program.hpp"
#include "engine/kernels/cpu/imaged/schedule_imaged.hpp"
#include "engine/kernels/cpu/imaged/separate.hpp"
#include "engine/kernels/cpu/interleave/schedule_interleave.hpp"
#include "engine/plan/prove_schedule.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

namespace tilewright {
namespace {

using plan::failure;
using plan::tiles_cut_loops;

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

/// Each loop has one role; what is inside a tile is a row's, a column's or the unit's, and of rows and columns only
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
      auto const i = static_cast<std::size_t>((*side)[k]);  // a negative one is beyond all
      if (i >= m.loops.size()) return fmt::format("there is no loop {}", i);
      ++roles[i];
      if (k + 1 < side->size() && plan.tile[i] != m.loops[i].extent)
        return fmt::format("loop {} is cut and is not the outermost of its side", i);
    }
  }
  for (int const i : plan.order)
    if (i < 0 || static_cast<std::size_t>(i) >= m.loops.size())
      return fmt::format("the order of tiles names loop {}, and there are {}", i, m.loops.size());
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (roles[i] > 1) return fmt::format("loop {} has two roles", i);
    if (roles[i] == 0 && plan.tile[i] != 1)
      return fmt::format("{} steps of loop {} in a tile belong to no row, column or unit", plan.tile[i], i);
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
  if ((s.kernel == cpu_kernel::transpose || s.kernel == cpu_kernel::interleave) && next != unit)
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
    return "the channels of a place are not neighbours";
  return {};
}

/// Along the first loop of the order that is cut, each tile's spans of the destination begin where those of the tile before
/// end, and have a cache line or more.
failure spans_go_on(copy_plan const& plan, cpu_schedule const& s) {
  constexpr std::int64_t line = engine::cache_line;
  movement const& m = plan.moves;
  if (!s.streaming) return "only tiles that are written past the caches leave parts of lines to the next one";
  auto const is_cut = [&](int i) {
    return plan.tile[static_cast<std::size_t>(i)] < m.loops[static_cast<std::size_t>(i)].extent;
  };
  auto const first = std::find_if(plan.order.begin(), plan.order.end(), is_cut);
  if (first == plan.order.end()) return "there is no loop along which tiles could leave lines to the next one";
  auto const at = static_cast<std::size_t>(*first);
  std::int64_t span = 1;
  for (std::size_t i = 0; i < m.loops.size() && m.loops[i].dst == span; ++i) {
    span *= plan.tile[i];
    if (i == at) break;
  }
  if (plan.tile[at] * m.loops[at].dst != span)
    return fmt::format("the spans of a tile do not go on along loop {}, which is the first of the order", at);
  if (span * m.element_bits / 8 < line)
    return fmt::format("the spans of a tile have {} bytes, fewer than a line", span * m.element_bits / 8);
  return {};
}

/// The image between has all that a tile reads of the source, once.
failure gathers_all(copy_plan const& plan, cpu_schedule const& s) {
  movement const& m = plan.moves;
  for (int const i : s.gather_loops)
    if (i < 0 || i >= static_cast<int>(m.loops.size())) return fmt::format("there is no loop {} to gather", i);
  for (std::size_t i = 0; i < m.loops.size(); ++i) {
    auto const times = std::count(s.gather_loops.begin(), s.gather_loops.end(), static_cast<int>(i));
    bool const is_needed = plan.tile[i] > 1 && m.loops[i].src != 0;
    if (times > 1 || (is_needed && times == 0)) return fmt::format("loop {} is gathered {} times", i, times);
  }
  return {};
}

/// Tiles of the tile kernel cut loops anywhere, and each tile moves all that is in it. Of transposes, the rows follow each
/// other in the destination and the columns, forwards or backwards, in the source.
failure spans_are_sound(copy_plan const& plan, cpu_schedule const& s) {
  movement const& m = plan.moves;
  for (std::size_t i = 0; i < m.loops.size(); ++i)
    if (plan.tile[i] < m.loops[i].extent && std::count(plan.order.begin(), plan.order.end(), static_cast<int>(i)) != 1)
      return fmt::format("loop {} is cut into tiles and is not in their order once", i);
  if (s.carries)
    if (failure f = spans_go_on(plan, s)) return f;
  if (!s.gather_loops.empty())
    if (failure f = gathers_all(plan, s)) return f;
  std::int64_t const unit = s.unit_bytes * 8 / m.element_bits;
  if (s.row_loops.empty() && s.column_loops.empty()) return {};
  bool const is_run = m.loops[0].src == 1 && m.loops[0].dst == 1 && m.loops[0].extent == unit && plan.tile[0] == unit;
  if (unit != 1 && !is_run)
    return fmt::format("a unit has {} bytes, which are not one run of both sides", s.unit_bytes);
  if (s.unit_bytes > 16 || !std::has_single_bit(static_cast<std::uint64_t>(s.unit_bytes)))
    return fmt::format("no kernel has units of {} bytes", s.unit_bytes);
  std::vector<int> all = s.row_loops;
  all.insert(all.end(), s.column_loops.begin(), s.column_loops.end());
  std::sort(all.begin(), all.end());
  if (std::adjacent_find(all.begin(), all.end()) != all.end()) return "a loop has two roles";
  if (s.row_loops.empty() != s.column_loops.empty()) return "a transpose needs rows and columns";
  if (!all.empty() && (all.front() < 0 || all.back() >= static_cast<int>(m.loops.size())))
    return fmt::format("there is no loop {}", all.front() < 0 ? all.front() : all.back());
  for (auto const* side : {&s.row_loops, &s.column_loops}) {
    bool const is_row = side == &s.row_loops;
    std::int64_t next = unit;
    for (std::size_t k = 0; k < side->size(); ++k) {
      auto const i = static_cast<std::size_t>((*side)[k]);
      std::int64_t const step = is_row ? m.loops[i].dst : std::abs(m.loops[i].src);
      bool const goes_on = !is_row && !s.gather_loops.empty();  // columns follow each other in the image
      if (!goes_on && step != next)
        return fmt::format("loop {} does not follow the one before it in its {}", i, is_row ? "row" : "column");
      next *= plan.tile[i];
      if (!goes_on && k + 1 < side->size() && plan.tile[i] != m.loops[i].extent)
        return fmt::format("loop {} is cut and is not the outermost of its side", i);
    }
  }
  return {};
}

failure images_are_sound(copy_plan const& plan, cpu_schedule const& s) {
  movement const& m = plan.moves;
  if (s.unit_bytes != std::max(1, m.element_bits / 8))
    return fmt::format("a unit has {} bytes, an element {} bits", s.unit_bytes, m.element_bits);
  if (!s.buffered && !tilewright::plan::joins_pairs(m, plan.tile))
    return "a run of half bytes that is joined with another ends in a byte";
  if (!tilewright::plan::swizzles_separate(m, plan.tile))
    return "a swizzle's bits depend on a tile's place and on a place in the tile together";
  return {};
}

failure numbers_are_sound(copy_plan const& plan, cpu_schedule const& s) {
  if (s.kernel == cpu_kernel::walk) return {};  // one element after another: nothing is cut
  if (failure f = tiles_cut_loops(plan)) return f;
  if (s.kernel == cpu_kernel::tile) return spans_are_sound(plan, s);
  if (s.kernel == cpu_kernel::imaged) return images_are_sound(plan, s);
  if (failure f = roles_are_sound(plan, s)) return f;
  if (failure f = runs_are_runs(plan, s)) return f;
  if (s.kernel == cpu_kernel::interleave) return channels_are_sound(plan, s);
  return {};
}

failure cpu_failure(copy_plan const& plan, cpu_schedule const& s) {
  if (failure f = numbers_are_sound(plan, s)) return f;
  // What runs: at the start of a cache line, and an element behind it.
  for (std::uintptr_t const address : {std::uintptr_t{0}, static_cast<std::uintptr_t>(plan.moves.element_bits / 8)})
    if (failure f = cpu_engine::program_failure(plan, address)) return f;
  return {};
}

}  // namespace

plan_proof prove(copy_plan const& plan) {
  if (plan.moves.elements == 0) return {true, {}};
  failure f = writes_are_distinct(plan.moves);
  if (!f) {
    if (auto const* c = std::get_if<cpu_schedule>(&plan.schedule)) f = cpu_failure(plan, *c);
    else if (auto const* g = std::get_if<cuda_schedule>(&plan.schedule)) f = tilewright::plan::cuda_failure(plan, *g);
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
