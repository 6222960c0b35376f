// Plans as text and as JSON.
#include "engine/plan/bytes_text.hpp"
#include "tilewright/plan/copy_error.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace tilewright {
namespace {

using json = nlohmann::ordered_json;
using plan::bytes_text;
using plan::time_text;

std::string swizzle_text(swizzle_value const& s) {
  return s.bits == 0 ? "none" : fmt::format("Sw<{},{},{}>", s.bits, s.base, s.shift);
}

std::string tiles_of(copy_plan const& plan) {
  std::string out;
  for (std::size_t i = 0; i < plan.moves.loops.size(); ++i) {
    loop const& l = plan.moves.loops[i];
    out += fmt::format("  loop {}: {} steps; source {:+}, destination {:+}; tile {}\n", i, l.extent, l.src, l.dst,
                       i < plan.tile.size() ? plan.tile[i] : 1);
  }
  auto const side = [&](char const* name, std::vector<step> const& steps) {
    if (steps.empty()) return;
    out += fmt::format("  {}:", name);
    for (step const& s : steps) out += fmt::format(" {} steps of {:+}", s.extent, s.stride);
    out += '\n';
  };
  side("source", plan.moves.src_steps);
  side("destination", plan.moves.dst_steps);
  return out;
}

json json_of(swizzle_value const& s) {
  if (s.bits == 0) return nullptr;
  return {{"bits", s.bits}, {"base", s.base}, {"shift", s.shift}};
}

json json_of(movement const& m) {
  json out{{"element_bits", m.element_bits},
           {"elements", m.elements},
           {"src_offset", m.src_offset},
           {"dst_offset", m.dst_offset}};
  out["src_swizzle"] = json_of(m.src_swizzle);
  out["dst_swizzle"] = json_of(m.dst_swizzle);
  out["loops"] = json::array();
  for (loop const& l : m.loops) out["loops"].push_back({{"extent", l.extent}, {"src", l.src}, {"dst", l.dst}});
  auto const steps = [&](char const* name, std::vector<step> const& list) {
    if (list.empty()) return;
    out[name] = json::array();
    for (step const& s : list) out[name].push_back({{"extent", s.extent}, {"stride", s.stride}});
  };
  steps("src_steps", m.src_steps);
  steps("dst_steps", m.dst_steps);
  return out;
}

json json_of(machine_model const& m) {
  return {{"name", m.name},
          {"kind", m.kind == device_kind::cpu ? "cpu" : "cuda"},
          {"processors", m.processors},
          {"widest_access_bits", m.widest_access_bits},
          {"line_bytes", m.line_bytes},
          {"near_bytes", m.near_bytes},
          {"block_bytes", m.block_bytes},
          {"far_bytes", m.far_bytes},
          {"bytes_per_second", m.bytes_per_second},
          {"start_seconds", m.start_seconds},
          {"compute_capability", m.compute_capability}};
}

json json_of(std::vector<cuda_mode> const& modes) {
  json out = json::array();
  for (cuda_mode const& m : modes) out.push_back({{"loop", m.loop}, {"step", m.step}, {"extent", m.extent}});
  return out;
}

json json_of(cuda_access const& a) {
  return {{"threads", json_of(a.threads)},
          {"values", json_of(a.values)},
          {"loop", a.loop},
          {"vector", a.vector},
          {"at_once", a.at_once}};
}

json json_of(tile_side const& t) {
  return {{"run", json_of(t.run)},    {"rows", json_of(t.rows)}, {"vector", t.vector},
          {"shifted", t.shifted},     {"begins", t.begins},      {"lanes", t.lanes},
          {"row_lanes", t.row_lanes}, {"at_once", t.at_once},    {"packed", t.packed}};
}

json json_of(cpu_schedule const& s) {
  return {{"kernel", name_of(s.kernel)},
          {"threads", s.threads},
          {"unit_bytes", s.unit_bytes},
          {"row_loops", s.row_loops},
          {"column_loops", s.column_loops},
          {"buffered", s.buffered},
          {"long_runs", s.long_runs},
          {"whole_lines", s.whole_lines},
          {"streaming", s.streaming},
          {"gather_loops", s.gather_loops},
          {"carries", s.carries}};
}

json json_of(cuda_schedule const& s) {
  json out{{"kernel", name_of(s.kernel)},
           {"threads", s.threads},
           {"blocks", s.blocks},
           {"grid", json_of(s.grid)},
           {"read", json_of(s.read)},
           {"write", json_of(s.write)},
           {"packed", s.packed},
           {"image", {{"sector", s.image.sector}, {"pitch", s.image.pitch}}},
           {"shared_bytes", s.shared_bytes},
           {"evict_source_last", s.evict_source_last},
           {"blocks_per_processor", s.blocks_per_processor}};
  out["shared"] = json::array();
  for (shared_mode const& m : s.shared)
    out["shared"].push_back({{"split", m.split}, {"inner", m.inner}, {"outer", m.outer}});
  if (s.kernel == cuda_kernel::tile) {
    out["source"] = json_of(s.source);
    out["target"] = json_of(s.target);
    out["place"] = s.place;
    out["store_bytes"] = s.store_bytes;
    out["fetch"] = name_of(s.fetch);
    out["stages"] = s.stages;
  }
  return out;
}

json json_of_schedule(copy_plan const& plan) {
  if (auto const* s = std::get_if<cpu_schedule>(&plan.schedule)) return json_of(*s);
  if (auto const* s = std::get_if<cuda_schedule>(&plan.schedule)) return json_of(*s);
  return nullptr;
}

}  // namespace

char const* name_of(copy_path path) {
  switch (path) {
    case copy_path::nothing: return "nothing";
    case copy_path::contiguous: return "contiguous";
    case copy_path::rows: return "rows";
    case copy_path::staged: return "staged";
    case copy_path::direct: return "direct";
    case copy_path::walk: return "walk";
  }
  return "?";
}

char const* name_of(copy_errc code) {
  switch (code) {
    case copy_errc::ok: return "ok";
    case copy_errc::bad_layout: return "bad_layout";
    case copy_errc::different_shapes: return "different_shapes";
    case copy_errc::writes_twice: return "writes_twice";
    case copy_errc::bad_element: return "bad_element";
    case copy_errc::bad_pointer: return "bad_pointer";
    case copy_errc::overlapping: return "overlapping";
    case copy_errc::bad_option: return "bad_option";
    case copy_errc::no_device: return "no_device";
    case copy_errc::device_failed: return "device_failed";
    case copy_errc::out_of_memory: return "out_of_memory";
    case copy_errc::cancelled: return "cancelled";
    case copy_errc::internal: return "internal";
  }
  return "unknown";
}

std::string explain(copy_plan const& plan) {
  movement const& m = plan.moves;
  std::string out = fmt::format("{} elements of {} bits on {}; path: {}\n", m.elements, m.element_bits,
                                plan.machine.name, name_of(plan.path));
  if (m.elements == 0) return out + "  " + fmt::format("{}\n", fmt::join(plan.reasons, "\n  "));
  out += tiles_of(plan);
  if (m.is_swizzled())
    out += fmt::format("  swizzles: source {}, destination {}\n", swizzle_text(m.src_swizzle),
                       swizzle_text(m.dst_swizzle));
  if (auto const* s = std::get_if<cpu_schedule>(&plan.schedule))
    out += fmt::format("  kernel {}: units of {}, {} threads\n", name_of(s->kernel), bytes_text(s->unit_bytes),
                       s->threads);
  if (auto const* s = std::get_if<cuda_schedule>(&plan.schedule))
    out += fmt::format("  kernel {}: {} blocks of {} threads, {} of shared memory\n", name_of(s->kernel), s->blocks,
                       s->threads, bytes_text(s->shared_bytes));
  out += fmt::format("  {} read and written, expected in {}\n", bytes_text(plan.bytes), time_text(plan.seconds));
  for (std::string const& reason : plan.reasons) out += "  - " + reason + "\n";
  return out;
}

std::string to_json(copy_plan const& plan, int indent) {
  json out{{"path", name_of(plan.path)}, {"moves", json_of(plan.moves)}, {"tile", plan.tile},
           {"order", plan.order},        {"bytes", plan.bytes},          {"seconds", plan.seconds}};
  out["schedule"] = json_of_schedule(plan);
  out["machine"] = json_of(plan.machine);
  out["reasons"] = plan.reasons;
  return out.dump(indent);
}

}  // namespace tilewright
