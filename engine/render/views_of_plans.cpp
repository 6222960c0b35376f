// A plan's picture: one tile as it is read, as it waits in shared memory, and as it is written, then how tiles follow
// each other. On a GPU the colours are threads, on a CPU cache lines. Everything is worked out from the plan's numbers.
#include "engine/plan/bytes_text.hpp"
#include "engine/render/plan_panels.hpp"
#include "tilewright/plan/prove.hpp"
#include "tilewright/tiling/banks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>

namespace tilewright::render {
namespace {

std::string swizzle_text(swizzle_value const& s) {
  return s.bits == 0 ? "no swizzle" : fmt::format("Sw<{},{},{}>", s.bits, s.base, s.shift);
}

// --- what is said ------------------------------------------------------------------------------------------------------

std::string steps_text(std::vector<step> const& steps) {
  std::vector<std::string> words;
  for (step const& s : steps) words.push_back(fmt::format("{} of {:+}", s.extent, s.stride));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<std::string> facts_of(copy_plan const& plan) {
  movement const& m = plan.moves;
  std::vector<std::string> out;
  if (m.elements > 0)
    out.push_back(fmt::format("{}: {} read and written, expected in {}", plan.machine.name,
                              plan::bytes_text(plan.bytes), plan::time_text(plan.seconds)));
  for (std::size_t i = 0; i < m.loops.size(); ++i) {
    loop const& l = m.loops[i];
    out.push_back(fmt::format("loop {}: {} steps, source {:+}, destination {:+}{}", i, l.extent, l.src, l.dst,
                              i < plan.tile.size() ? fmt::format("; tile {}", plan.tile[i]) : ""));
  }
  if (!m.has_loops()) {
    out.push_back("source: steps " + steps_text(m.src_steps));
    out.push_back("destination: steps " + steps_text(m.dst_steps));
  }
  if (m.src_offset != 0 || m.dst_offset != 0)
    out.push_back(fmt::format("the source starts at element {}, the destination at {}", m.src_offset, m.dst_offset));
  if (m.is_swizzled())
    out.push_back(fmt::format("source {}, destination {}", swizzle_text(m.src_swizzle), swizzle_text(m.dst_swizzle)));
  for (std::string const& reason : plan.reasons) out.push_back("– " + reason);
  return out;
}

// --- one tile ----------------------------------------------------------------------------------------------------------

std::string window_text(copy_plan const& plan, plan_window const& w) {
  std::vector<std::int64_t> tile;
  for (std::int64_t const t : plan.tile) tile.push_back(t);
  std::string const whole = fmt::format("tile ({}) of loops 0 to {}", fmt::join(tile, ","), tile.size() - 1);
  std::string const cells = w.grain > 1 ? fmt::format("; a cell is {} elements", w.grain) : "";
  if (w.is_whole) return whole + cells;
  return fmt::format("{}{}; the first {} × {} cells are drawn", whole, cells, w.row_count, w.column_count);
}

// --- GPU ---------------------------------------------------------------------------------------------------------------

std::string access_text(copy_plan const& plan, cuda_access const& a, std::int64_t packed) {
  std::int64_t threads = 1;
  for (cuda_mode const& m : a.threads) threads *= m.extent;
  std::int64_t const vectors = vectors_of(a);
  return fmt::format("{} threads, {} vector{} each of {} element{} ({} bits) along loop {}{}", threads, vectors,
                     vectors == 1 ? "" : "s", a.vector, a.vector == 1 ? "" : "s", a.vector * plan.moves.element_bits,
                     a.loop, packed > 1 ? fmt::format(", {} such together", packed) : "");
}

/// The first warp's first access to shared memory, by the bank model of the analysis.
tiling::bank_report first_warp(copy_plan const& plan, cuda_schedule const& s, cuda_access const& a,
                               tiling::access_kind kind, std::int64_t elements) {
  tiling::warp_access access{};
  access.kind = kind;
  access.width = {elements * plan.moves.element_bits};
  std::int64_t threads = 1;
  for (cuda_mode const& m : a.threads) threads *= m.extent;
  for (int lane = 0; lane < tiling::warp_access::max_lanes && lane < threads; ++lane)
    access.set(lane,
               {shared_offset(s, coordinate_at(a.threads, lane, plan.moves.loops.size())) * plan.moves.element_bits});
  return tiling::bank_conflicts(access, arch(arch_id::sm_90));
}

std::string shared_mode_text(shared_mode const& m, std::size_t loop) {
  if (m.split == 1) return fmt::format("loop {}: x·{}", loop, m.outer);
  return fmt::format("loop {0}: (x mod {1})·{2} + (x div {1})·{3}", loop, m.split, m.inner, m.outer);
}

stage shared_stage(copy_plan const& plan, cuda_schedule const& s, std::vector<carrier> const& stores) {
  stage out;
  out.title = fmt::format("shared memory, {}", plan::bytes_text(s.shared_bytes));
  out.picture = shared_panel(plan, s, stores);
  std::vector<std::string> where;
  for (std::size_t l = 0; l < plan.tile.size(); ++l)
    if (plan.tile[l] > 1) where.push_back(shared_mode_text(s.shared[l], l));
  out.lines.push_back(
      fmt::format("element {} (thread that stores it above); white is padding", fmt::join(where, " + ")));
  auto const store = first_warp(plan, s, s.read, tiling::access_kind::store, s.read.vector);
  auto const load = first_warp(plan, s, s.write, tiling::access_kind::load, s.packed);
  out.lines.push_back(fmt::format("the first warp stores in {} wavefronts for {} phases and loads in {} for {}",
                                  store.wavefronts, store.phases, load.wavefronts, load.phases));
  return out;
}

void add_rounds(scene& s, gpu_access const& readers, gpu_access const& writers) {
  std::int64_t const rounds = std::max(readers.vectors, writers.vectors);
  if (rounds < 2 || rounds > max_rounds) return;
  for (std::int64_t v = 0; v < rounds; ++v) s.rounds.push_back(fmt::format("vector {} of each thread", v));
}

void add_gpu_tile(scene& s, std::vector<stage>& stages, copy_plan const& plan, cuda_schedule const& g) {
  plan_window const w = window_of(plan);
  bool const staged = g.kernel == cuda_kernel::staged;
  cuda_access const& writes = staged ? g.write : g.read;
  std::int64_t const packed = staged ? g.packed : 1;
  gpu_access const readers{g.threads, vectors_of(g.read), carriers_of(plan, g.read, 0, 1)};
  gpu_access const writers =
      staged ? gpu_access{g.threads, vectors_of(writes), carriers_of(plan, writes, g.read.loop, packed)} : readers;
  stages.push_back(
      {"read the source", {window_text(plan, w), access_text(plan, g.read, 1)}, side_panel(plan, w, true, &readers)});
  if (staged) stages.push_back(shared_stage(plan, g, readers.carriers));
  stages.push_back(
      {"write the destination", {access_text(plan, writes, packed)}, side_panel(plan, w, false, &writers)});
  add_rounds(s, readers, writers);
}

/// A tile whose rows begin at any element.
void add_realigned_tile(scene& s, std::vector<stage>& stages, copy_plan const& plan, cuda_schedule const& g) {
  plan_window const w = window_of(plan);
  auto const with_owners = [&](std::vector<carrier> owners) {
    std::int64_t vectors = 1;
    for (carrier const& c : owners) vectors = std::max(vectors, c.vector + 1);
    return gpu_access{g.threads, vectors, std::move(owners)};
  };
  gpu_access const readers = with_owners(realigned_readers(plan, g)), writers = with_owners(realigned_writers(plan, g));
  stages.push_back({"read the source",
                    {window_text(plan, w),
                     fmt::format("{} threads read vectors of {} elements, from the one that each row begins in",
                                 g.threads, g.read.vector)},
                    side_panel(plan, w, true, &readers)});
  stages.push_back(
      {fmt::format("shared memory, {}", plan::bytes_text(g.shared_bytes)),
       {fmt::format("rows of the source, {} bytes apart, shifted to begin at multiples of 16 bytes", g.image.pitch),
        fmt::format("with those of a sector of {} bytes before the tile", g.image.sector)},
       std::nullopt});
  stages.push_back(
      {"write the destination",
       {fmt::format("{} threads write words of {} elements, a warp whole sectors; what has no colour is the next "
                    "tile's",
                    g.threads, g.write.vector)},
       side_panel(plan, w, false, &writers)});
  add_rounds(s, readers, writers);
}

/// A kernel whose threads share their elements out in a way of its own: cache lines have the colours.
void add_other_tile(std::vector<stage>& stages, copy_plan const& plan, cuda_schedule const& g) {
  plan_window const w = window_of(plan);
  int const bits = plan.moves.element_bits;
  std::string const lines =
      fmt::format("a colour is a sector of {} bytes; the number is the offset", plan.machine.line_bytes);
  stages.push_back({"read the source",
                    {window_text(plan, w), lines,
                     fmt::format("kernel {}: {} threads read {} bits at a time", name_of(g.kernel), g.threads,
                                 g.read.vector * bits)},
                    side_panel(plan, w, true, nullptr)});
  if (g.shared_bytes > 0)
    stages.push_back({fmt::format("shared memory, {}", plan::bytes_text(g.shared_bytes)),
                      {"where threads exchange elements"},
                      std::nullopt});
  stages.push_back({"write the destination",
                    {fmt::format("{} bits at a time", g.write.vector * bits)},
                    side_panel(plan, w, false, nullptr)});
}

// --- CPU ---------------------------------------------------------------------------------------------------------------

std::string buffer_text(copy_plan const& plan, cpu_schedule const& c) {
  if (c.kernel == cpu_kernel::imaged)
    return c.buffered
               ? "runs of the sides that other kernels do not reach have images, and another kernel copies between"
               : "half bytes are joined to whole bytes, which another kernel copies into the destination";
  std::int64_t bytes = c.unit_bytes;
  for (int const l : c.row_loops) bytes *= plan.tile[static_cast<std::size_t>(l)];
  return fmt::format("each row is collected, {} long, then written as contiguous bytes", plan::bytes_text(bytes));
}

void add_cpu_tile(std::vector<stage>& stages, copy_plan const& plan, cpu_schedule const& c) {
  plan_window const w = window_of(plan);
  std::string const lines =
      fmt::format("a colour is a cache line of {} bytes; the number is the offset", plan.machine.line_bytes);
  stages.push_back({"read the source",
                    {window_text(plan, w), lines, fmt::format("units of {}", plan::bytes_text(c.unit_bytes))},
                    side_panel(plan, w, true, nullptr)});
  if (c.kernel == cpu_kernel::imaged || c.buffered)
    stages.push_back({"a buffer in the cache", {buffer_text(plan, c)}, std::nullopt});
  stages.push_back({"write the destination",
                    {c.streaming ? "whole cache lines are written past the caches" : "written through the caches"},
                    side_panel(plan, w, false, nullptr)});
}

// --- element by element ------------------------------------------------------------------------------------------------

void add_items(std::vector<stage>& stages, copy_plan const& plan, item_list const& items, cuda_schedule const* gpu) {
  std::vector<std::string> lines;
  if (items.count > max_items)
    lines.push_back(fmt::format("the first {} of {} {}s are drawn", max_items, items.count, items.what));
  lines.push_back(
      gpu == nullptr
          ? fmt::format("a colour is a cache line of {} bytes; the number is the offset", plan.machine.line_bytes)
          : fmt::format("a thread collects {} elements; the number is the offset", gpu->write.vector));
  stages.push_back({"read the source", lines, item_panel(plan, true, items, gpu)});
  stages.push_back({"write the destination", {}, item_panel(plan, false, items, gpu)});
}

// --- all tiles ---------------------------------------------------------------------------------------------------------

/// The tiles in the order in which they follow each other, as a picture while it is small, and in words.
stage tiles_stage(copy_plan const& plan) {
  std::vector<cuda_mode> cut;  // in tiles
  if (auto const* g = std::get_if<cuda_schedule>(&plan.schedule)) {
    for (cuda_mode const& m : g->grid)
      if (m.extent > 1) cut.push_back({m.loop, m.step / plan.tile[static_cast<std::size_t>(m.loop)], m.extent});
  } else {
    for (int const l : plan.order)
      if (std::int64_t const n = tiles_along(plan, static_cast<std::size_t>(l)); n > 1) cut.push_back({l, 1, n});
  }
  std::int64_t count = 1;
  for (cuda_mode const& m : cut) count *= m.extent;
  stage out;
  out.title = count == 1 ? "one tile" : "tiles";
  if (count == 1) return out;
  std::vector<std::string> words;
  for (cuda_mode const& m : cut) words.push_back(fmt::format("{} along loop {}", m.extent, m.loop));
  out.lines.push_back(fmt::format("{} = {} {}, in order along the first loop named", fmt::join(words, " × "), count,
                                  count == 1 ? "tile" : "tiles"));
  if (auto const* c = std::get_if<cpu_schedule>(&plan.schedule))
    out.lines.push_back(c->threads == 1 ? "one thread copies them all"
                                        : fmt::format("{} threads copy ranges of neighbouring tiles", c->threads));
  else out.lines.push_back("a block copies one tile");
  out.picture = tiles_panel(plan, cut);
  return out;
}

// --- tables of planes -----------------------------------------------------------------------------------------------

constexpr double max_tile_elements = 1 << 22;

[[noreturn]] void refuse(std::string const& why) {
  throw render_error(fmt::format("the plan cannot be drawn: {}; draw one that plan_copy made", why));
}

void require_modes(std::vector<cuda_mode> const& modes, std::size_t loops) {
  for (cuda_mode const& m : modes)
    if (m.loop < 0 || static_cast<std::size_t>(m.loop) >= loops || m.step < 1 || m.extent < 1)
      refuse(fmt::format("a mode has {} steps of {} along loop {} of {}", m.extent, m.step, m.loop, loops));
}

void require_access(cuda_access const& a, std::size_t loops) {
  require_modes(a.threads, loops);
  require_modes(a.values, loops);
  if (a.vector < 1 || a.loop < 0 || static_cast<std::size_t>(a.loop) >= loops)
    refuse(fmt::format("vectors have {} elements along loop {} of {}", a.vector, a.loop, loops));
}

/// What the panels take for granted; the rest is what prove() asks for.
void require_drawable(copy_plan const& plan) {
  std::size_t const loops = plan.moves.loops.size();
  if (auto const* c = std::get_if<cpu_schedule>(&plan.schedule))
    for (auto const* side : {&c->row_loops, &c->column_loops})
      for (int const l : *side)
        if (l < 0 || static_cast<std::size_t>(l) >= loops) refuse(fmt::format("there is no loop {}", l));
  for (int const l : plan.order)
    if (l < 0 || static_cast<std::size_t>(l) >= loops) refuse(fmt::format("there is no loop {}", l));
  if (auto const* g = std::get_if<cuda_schedule>(&plan.schedule)) {
    if (g->threads < 1 || g->packed < 1 || g->write.vector < 1 || plan.moves.element_bits < 1)
      refuse(fmt::format("{} threads move {} × {} elements of {} bits", g->threads, g->packed, g->write.vector,
                         plan.moves.element_bits));
    if (g->kernel != cuda_kernel::gather) {
      if (plan.moves.element_bits < 8) refuse("tiles have no elements of less than a byte");
      require_modes(g->grid, loops);
      require_access(g->read, loops);
      if (g->kernel == cuda_kernel::staged) require_access(g->write, loops);
      if (g->kernel == cuda_kernel::staged && g->shared.size() != loops)
        refuse(fmt::format("{} modes of shared memory for {} loops", g->shared.size(), loops));
      for (shared_mode const& m : g->shared)
        if (m.split < 1 || m.inner < 0 || m.outer < 0) refuse("a stride of shared memory is negative");
    }
  }
  double elements = 1;  // of a tile, each of which gets an owner
  for (std::int64_t const t : plan.tile) elements *= static_cast<double>(t);
  if (std::holds_alternative<cuda_schedule>(plan.schedule) && elements > max_tile_elements)
    refuse(fmt::format("its tile has {:.0f} elements", elements));
  if (plan_proof const proof = prove(plan); !proof) refuse(proof.failure);
}

}  // namespace

scene plan_scene(copy_plan const& plan, plot_options const& options) {
  movement const& m = plan.moves;
  scene s;
  s.title = !options.title.empty() ? options.title
                                   : fmt::format("plan of {} elements of {} bits, path: {}", m.elements, m.element_bits,
                                                 name_of(plan.path));
  if (m.elements > 0) require_drawable(plan);
  s.lines = facts_of(plan);
  auto const* cpu = std::get_if<cpu_schedule>(&plan.schedule);
  auto const* gpu = std::get_if<cuda_schedule>(&plan.schedule);
  if (m.elements == 0) return s;
  std::vector<stage> stages;
  if (cpu != nullptr && plan.path == copy_path::contiguous) {
    std::int64_t const piece = plan.tile.empty() ? 1 : plan.tile[0];
    add_items(stages, plan, {(m.elements + piece - 1) / piece, piece, "piece"}, nullptr);
  } else if (cpu != nullptr && cpu->kernel == cpu_kernel::walk) {
    add_items(stages, plan, {m.elements, 1, "element"}, nullptr);
  } else if (gpu != nullptr && gpu->kernel == cuda_kernel::gather) {
    add_items(stages, plan, {m.elements, 1, "element"}, gpu);
  } else {
    if (cpu != nullptr) add_cpu_tile(stages, plan, *cpu);
    else if (gpu->kernel == cuda_kernel::realigned) add_realigned_tile(s, stages, plan, *gpu);
    else if (gpu->kernel == cuda_kernel::staged || gpu->kernel == cuda_kernel::runs)
      add_gpu_tile(s, stages, plan, *gpu);
    else add_other_tile(stages, plan, *gpu);
    stages.push_back(tiles_stage(plan));
  }
  s.panels = stages_scene("", stages).panels;
  return checked_scene(std::move(s));
}

}  // namespace tilewright::render
