// Writes the values of the analyses as JSON.
#include "apps/cli/report_json.hpp"

#include "tilewright/analysis/explain.hpp"

namespace tilewright::cli {
namespace {

using namespace analysis;
using json = nlohmann::ordered_json;

char const* name_of_limit(width_limit limit) {
  switch (limit) {
    case width_limit::machine: return "machine";
    case width_limit::atom: return "atom";
    case width_limit::element: return "element";
    case width_limit::values: return "values";
    case width_limit::stride: return "stride";
    case width_limit::run: return "run";
    case width_limit::swizzle: return "swizzle";
    case width_limit::start: return "start";
    case width_limit::offset: return "offset";
    case width_limit::base: return "base";
  }
  return "";
}

json of(access_width const& w) {
  json out{{"bits", w.width.count}, {"elements", w.vector.count}, {"limit", name_of_limit(w.limit)}};
  if (w.along >= 0) out["along_mode"] = w.along;
  if (w.limited()) {
    if (w.mode >= 0) out["limiting_mode"] = w.mode;
    out["found"] = w.found;
    out["needed"] = w.needed;
  }
  return out;
}

json of(global_traffic const& t, architecture const& machine) {
  return {{"requests", t.requests},
          {"bytes_asked", t.bytes_asked},
          {"sectors", t.sectors},
          {"sectors_least", t.sectors_least},
          {"lines", t.lines},
          {"lines_least", t.lines_least},
          {"efficiency", t.efficiency(machine)}};
}

json of(shared_traffic const& t) {
  return {{"instructions", t.instructions},
          {"phases", t.phases},
          {"wavefronts", t.wavefronts},
          {"bank_conflicts", t.conflicts()}};
}

json of(bank_report const& r) {
  json phases = json::array();
  for (int i = 0; i < r.phases; ++i) {
    bank_phase const& p = r.phase[static_cast<std::size_t>(i)];
    phases.push_back({{"first_lane", p.first_lane},
                      {"lanes", p.lanes},
                      {"words", p.words},
                      {"banks", p.banks},
                      {"wavefronts", p.wavefronts},
                      {"busiest_bank", p.busiest}});
  }
  return phases;
}

json of(coverage const& c) {
  constexpr char const* names[] = {"exactly_once", "carried_twice", "never_carried", "outside"};
  json out{{"verdict", names[static_cast<int>(c.verdict)]},
           {"tile", format_tuple(c.tile)},
           {"elements", c.elements},
           {"threads", c.threads},
           {"values", c.values}};
  if (c.holds()) return out;
  out["element"] = c.element;
  if (c.verdict != coverage_verdict::outside) out["coordinate"] = format_tuple(c.coordinate);
  for (owner const& o : {c.first, c.second})
    if (o.thread >= 0) out["owners"].push_back({{"thread", o.thread}, {"value", o.value}});
  return out;
}

char const* name_of_space(memory space) {
  constexpr char const* names[] = {"global", "shared", "registers"};
  return names[static_cast<int>(space)];
}

json of(side_report const& side, architecture const& machine) {
  json out{{"layout", layout_text(side.question.layout)}, {"space", name_of_space(side.question.space)}};
  if (side.question.space == memory::registers) return out;
  out["alignment_bytes"] = side.question.alignment.count;
  out["width"] = of(side.cost.width);
  if (side.question.space == memory::global || !machine.is_gpu()) out["global"] = of(side.cost.global, machine);
  if (side.question.space == memory::shared) {
    out["shared"] = of(side.cost.shared);
    out["first_access_phases"] = of(side.shown.banks);
  }
  if (side.better_swizzle) out["better_swizzle"] = format_swizzle(side.better_swizzle->swizzle);
  return out;
}

}  // namespace

std::string layout_text(composed_value const& a) {
  if (a.swizzle.bits == 0 && a.offset.is(0)) return format_layout(a.layout);
  return (a.swizzle.bits == 0 ? std::string() : format_swizzle(a.swizzle) + " o ") + std::to_string(a.offset.number) +
         " o " + format_layout(a.layout);
}

json to_json(analysis::layout_report const& r) {
  architecture const& machine = arch(r.question.machine);
  json out{{"kind", "layout"},
           {"layout", layout_text(r.question.layout)},
           {"element_bits", r.question.element.count},
           {"arch", machine.name},
           {"elements", r.elements},
           {"span_elements", r.span},
           {"injective", r.alias.injective()}};
  if (!r.alias.injective())
    out["aliased"] = {
        {"first", format_tuple(r.alias.first)}, {"second", format_tuple(r.alias.second)}, {"offset", r.alias.offset}};
  if (r.reached)
    out["image"] = {{"offsets", r.reached->offsets},
                    {"smallest", r.reached->smallest},
                    {"largest", r.reached->largest},
                    {"gaps", r.reached->gaps}};
  if (r.covered) out["coverage"] = of(*r.covered);
  out["modes"] = json::array();
  for (analysis::mode_walk const& w : r.walks) {
    json mode{{"mode", w.mode},
              {"width", of(w.width)},
              {machine.is_gpu() ? "threads" : "elements_of_a_thread", w.threads},
              {"global", of(w.global.global, machine)}};
    if (machine.is_gpu()) {
      mode["shared"] = of(w.shared.shared);
      mode["first_access_phases"] = of(w.first);
    }
    out["modes"].push_back(mode);
  }
  out["sentences"] = explain(r);
  return out;
}

json to_json(copy_report const& r) {
  architecture const& machine = arch(r.question.machine);
  json out{{"kind", "tiled_copy"},
           {"atom_bits", r.question.copy.atom.count},
           {"element_bits", r.map.element.count},
           {"thr", format_layout(r.map.thr)},
           {"val", format_layout(r.map.val)},
           {"tiler", format_tuple(r.map.tiler)},
           {"tv", format_layout(r.map.tv)},
           {"arch", machine.name},
           {"rounds", r.rounds},
           {"coverage", of(r.covered)},
           {"source", of(r.source, machine)},
           {"destination", of(r.destination, machine)}};
  if (r.better) out["better"] = {{"thr", format_layout(r.better->thr)}, {"val", format_layout(r.better->val)}};
  if (machine.is_gpu()) {
    out["registers"] = r.takes.registers;
    out["shared_bytes"] = r.takes.shared.count;
    out["blocks_of_an_sm"] = r.takes.blocks;
    out["clocks"] = {{"least", r.time.clocks()},
                     {"global", r.time.global_clocks},
                     {"shared", r.time.shared_clocks},
                     {"instructions", r.time.instruction_clocks}};
  }
  out["sentences"] = explain(r);
  return out;
}

json to_json(plan_subject const& p) {
  json out{{"kind", "plan"}, {"source", layout_text(p.request.src)}, {"destination", layout_text(p.request.dst)}};
  out["plan"] = json::parse(tilewright::to_json(p.plan));
  return out;
}

}  // namespace tilewright::cli
