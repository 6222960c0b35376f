// tilewright check: conditions that a layout, a tiled copy or a plan must meet, for build scripts and CI: the exit status
// is 0 only if all of them hold.
#include "apps/cli/option_values.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/report_json.hpp"
#include "apps/cli/shared_options.hpp"
#include "apps/cli/subject.hpp"
#include "tilewright/analysis/explain.hpp"
#include "tilewright/plan/prove.hpp"
#include "tilewright/tiling/warp_access.hpp"

#include <fmt/format.h>

namespace tilewright::cli {
namespace {

using tiling::memory;

constexpr char const* introduction =
    "Checks conditions on a layout, a tiled copy or a plan; the exit status is 0 if all hold, 1 if one does not, 2 if\n"
    "the arguments are wrong.\n\n"
    "  tilewright check --atom-bits 128 --element f32 --thr '(4,8)' --val '(4,1)' --tensor '(16,8):(1,16)' \\\n"
    "                   --covers --vector 128 --no-conflicts --coalesced\n"
    "  tilewright check '(8,8):(8,1)' --injective --contiguous --vector 128\n"
    "  tilewright check '(32,4):(4,1)' --tile '(16,8)' --covers\n"
    "  tilewright check '(512,256):(256,1)' '(512,256):(1,512)' --element f32 --machine sm_90 --covers --vector 128";

constexpr char const* meanings =
    "\nConditions:\n"
    "  --covers        layout: with --tile, every element of the tile is copied once; tiled copy: every element of "
    "its\n"
    "                  tile; plan: every element, to its place in the destination\n"
    "  --injective     layout: no two coordinates share an offset; tiled copy, plan: no two of the destination\n"
    "  --contiguous    layout: the offsets leave no gap\n"
    "  --vector BITS   layout: accesses along one mode are that wide; tiled copy: loads and stores; GPU plan: reads "
    "and\n"
    "                  writes\n"
    "  --no-conflicts  layout: a warp along any mode has no bank conflicts; tiled copy: its accesses to shared memory\n"
    "  --coalesced [PERCENT]\n"
    "                  layout: a warp along some mode uses that share of the bytes it fetches from global memory;\n"
    "                  tiled copy: its accesses; 100 if left out\n";

struct conditions_asked {
  bool covers = false, injective = false, contiguous = false, no_conflicts = false;
  long long vector = 0;     // bits; 0: not asked
  long long coalesced = 0;  // per cent; 0: not asked
};

struct verdict {
  std::string condition;
  bool holds = false;
  std::string reason;
};

[[noreturn]] void cannot(char const* subject_name, char const* condition, char const* instead) {
  throw usage_error(fmt::format("check: {} is not defined for {}; {}", condition, subject_name, instead));
}

bool coalesced_to(tiling::global_traffic const& t, architecture const& machine, long long percent) {
  return 100 * t.bytes_asked >= percent * t.sectors * machine.sector.count;
}

// --- of a layout ----------------------------------------------------------------------------------------------------
struct layout_checks {
  analysis::layout_report const& r;
  architecture const& machine = arch(r.question.machine);

  verdict covers() const {
    if (!r.covered)
      cannot("a layout", "--covers",
             "with --tile, the shape of a tile, the layout is checked as a (thread, value) map");
    return {"", r.covered->holds(), analysis::explain(*r.covered)};
  }
  verdict injective() const { return {"", r.alias.injective(), explain(r.alias)}; }
  verdict contiguous() const {
    if (r.reached) return {"", r.reached->contiguous(), explain(*r.reached)};
    throw std::length_error("check: --contiguous enumerates at most 2^24 elements; check a part of the layout");
  }
  verdict vector(long long bits_wanted) const {
    require_walks("--vector");
    analysis::mode_walk const* const best = r.widest();
    if (best == nullptr) return {"", true, "there is at most one element"};
    return {"", best->width.width.count >= bits_wanted,
            analysis::explain(best->width, best->width.width, r.question.element, tiling::access_kind::load)};
  }
  verdict no_conflicts() const {
    require_walks("--no-conflicts");
    if (!machine.is_gpu()) cannot("a layout on a CPU", "--no-conflicts", "choose another --machine");
    for (analysis::mode_walk const& w : r.walks)
      if (w.shared.shared.conflicts() > 0)
        return {
            "", false,
            fmt::format("{} along mode {}: {}; the first: {}", analysis::detail::counted(w.threads, "thread"), w.mode,
                        analysis::explain(w.shared.shared), analysis::explain(w.first, w.shared.width.width))};
    return {"", true, "a warp along any mode has no bank conflicts"};
  }
  verdict coalesced(long long percent) const {
    require_walks("--coalesced");
    analysis::mode_walk const* best = nullptr;
    for (analysis::mode_walk const& w : r.walks)
      if (best == nullptr || w.global.global.efficiency(machine) > best->global.global.efficiency(machine)) best = &w;
    if (best == nullptr) return {"", true, "there is at most one element"};
    return {"", coalesced_to(best->global.global, machine, percent),
            fmt::format("along mode {}, the best: {}", best->mode, analysis::explain(best->global.global, machine))};
  }

 private:
  void require_walks(char const* condition) const {
    if (r.question.tile)
      cannot("a (thread, value) map", condition, "describe the tiled copy by --thr, --val and --tensor instead");
  }
};

// --- of a tiled copy ------------------------------------------------------------------------------------------------
struct copy_checks {
  analysis::copy_report const& r;
  architecture const& machine = arch(r.question.machine);

  verdict covers() const { return {"", r.covered.holds(), analysis::explain(r.covered)}; }
  verdict injective() const {
    analysis::aliasing const alias = analysis::find_aliasing(r.destination.question.layout).value();
    return {"", alias.injective(), "destination, " + explain(alias)};
  }
  verdict contiguous() const { cannot("a tiled copy", "--contiguous", "check its layouts"); }
  verdict vector(long long bits_wanted) const {
    return on_sides([](memory space) { return space != memory::registers; },
                    [&](analysis::side_report const& s) { return s.cost.width.width.count >= bits_wanted; }, 0,
                    "neither side is in memory");
  }
  verdict no_conflicts() const {
    if (!machine.is_gpu()) cannot("a CPU's tiled copy", "--no-conflicts", "choose another --machine");
    return on_sides([](memory space) { return space == memory::shared; },
                    [](analysis::side_report const& s) { return s.cost.shared.conflicts() == 0; }, 1,
                    "neither side is in shared memory");
  }
  verdict coalesced(long long percent) const {
    return on_sides([](memory space) { return space == memory::global; },
                    [&](analysis::side_report const& s) { return coalesced_to(s.cost.global, machine, percent); }, 1,
                    "neither side is in global memory");
  }

 private:
  /// The sides that the condition speaks of; the reason is that of the first that breaks it, else of all. `line` is the
  /// side's sentence that says so, where bytes are whole.
  template <class Concerns, class Holds>
  verdict on_sides(Concerns const& concerns, Holds const& holds, std::size_t line, char const* none) const {
    verdict out{"", true, ""};
    for (analysis::side_report const* side : {&r.source, &r.destination}) {
      if (!concerns(side->question.space)) continue;
      bool const is_source = side == &r.source;
      analysis::lines const all =
          analysis::explain(*side, is_source ? "source" : "destination", r.atom(), r.map.element,
                            is_source ? r.question.loads_as() : r.question.stores_as(), machine);
      std::string const reason = all[line == 0 ? 0 : all.size() - 1];
      bool const possible = !r.question.copy.matrix || analysis::holds_rows(side->cost.width);
      if (!possible || !holds(*side)) return {"", false, reason + remedy()};
      out.reason += (out.reason.empty() ? "" : "; ") + reason;
    }
    if (out.reason.empty()) out.reason = none;
    return out;
  }
  std::string remedy() const {
    if (r.better) return "; " + explain(*r.better, machine);
    for (analysis::side_report const* side : {&r.source, &r.destination})
      if (side->better_swizzle) return "; better with " + analysis::explain(*side->better_swizzle);
    return "";
  }
};

// --- of a plan ------------------------------------------------------------------------------------------------------
struct plan_checks {
  plan_subject const& asked;

  verdict covers() const {
    long long const elements = size(asked.request.dst.layout).value();
    bool const walked = elements <= tiling::enumeration_limit;
    plan_proof const proof = walked ? prove(asked.plan, asked.request) : prove(asked.plan);
    if (!proof) return {"", false, proof.failure};
    return {
        "", true,
        fmt::format("copies {} exactly once, each to its place{}", analysis::detail::counted(elements, "element"),
                    walked ? ": every coordinate of both layouts was compared" : ", proved from the plan's numbers")};
  }
  verdict injective() const {
    analysis::aliasing const alias = analysis::find_aliasing(asked.request.dst).value();
    return {"", alias.injective(), "destination, " + explain(alias)};
  }
  verdict contiguous() const { cannot("a plan", "--contiguous", "check its layouts"); }
  verdict vector(long long bits_wanted) const {
    auto const* gpu = std::get_if<cuda_schedule>(&asked.plan.schedule);
    if (asked.plan.path == copy_path::nothing) return {"", true, "there are no elements"};
    if (gpu == nullptr)
      cannot("a CPU's plan", "--vector",
             "it copies contiguous bytes of any length; choose --machine sm_90 or another GPU");
    long long const element = asked.plan.moves.element_bits;
    bool const gathers = gpu->kernel == cuda_kernel::gather;
    long long const reads = gathers ? element : gpu->read.vector * element;
    long long const writes = (gpu->kernel == cuda_kernel::runs ? gpu->read.vector : gpu->write.vector) * element;
    return {"", reads >= bits_wanted && writes >= bits_wanted,
            fmt::format("reads {} bits at a time and writes {}", reads, writes)};
  }
  verdict no_conflicts() const { cannot("a plan", "--no-conflicts", "check a tiled copy"); }
  verdict coalesced(long long) const { cannot("a plan", "--coalesced", "check a tiled copy"); }
};

template <class Checks>
std::vector<verdict> verdicts_of(Checks const& checks, conditions_asked const& asked) {
  std::vector<verdict> out;
  auto const add = [&](std::string const& condition, verdict v) {
    v.condition = condition;
    out.push_back(std::move(v));
  };
  if (asked.covers) add("--covers", checks.covers());
  if (asked.injective) add("--injective", checks.injective());
  if (asked.contiguous) add("--contiguous", checks.contiguous());
  if (asked.vector > 0) add(fmt::format("--vector {}", asked.vector), checks.vector(asked.vector));
  if (asked.no_conflicts) add("--no-conflicts", checks.no_conflicts());
  if (asked.coalesced > 0) add(fmt::format("--coalesced {}", asked.coalesced), checks.coalesced(asked.coalesced));
  return out;
}

std::vector<verdict> verdicts_of(subject const& s, conditions_asked const& asked) {
  if (auto const* plain = std::get_if<layout_subject>(&s)) {
    analysis::layout_report const report = analysis::report_of(plain->question);
    return verdicts_of(layout_checks{report}, asked);
  }
  if (auto const* copy = std::get_if<copy_subject>(&s)) {
    analysis::copy_report const report = analysis::report_of(copy->question).value();
    return verdicts_of(copy_checks{report}, asked);
  }
  return verdicts_of(plan_checks{std::get<plan_subject>(s)}, asked);
}

void print(std::vector<verdict> const& all, bool holds, bool json) {
  if (json) {
    nlohmann::ordered_json out{{"holds", holds}, {"conditions", nlohmann::ordered_json::array()}};
    for (verdict const& v : all)
      out["conditions"].push_back({{"condition", v.condition}, {"holds", v.holds}, {"reason", v.reason}});
    say("{}\n", out.dump(2));
    return;
  }
  for (verdict const& v : all)
    say("{} {}: {}\n", v.holds ? highlighted("holds", colour::green) : highlighted("fails", colour::red), v.condition,
        v.reason);
}

/// "--coalesced 50" as "--coalesced=50": a number behind it is the percentage, not a layout.
words with_percent(words const& given) {
  words out;
  for (std::string const& word : given) {
    bool const number = word.find_first_not_of("0123456789") == std::string::npos && !word.empty();
    if (number && !out.empty() && out.back() == "--coalesced") out.back() += "=" + word;
    else out.push_back(word);
  }
  return out;
}

}  // namespace

int run_check(words const& given) {
  CLI::App app(introduction, "tilewright check");
  subject_texts texts;
  conditions_asked asked;
  std::string vector, percent;
  bool json = false;
  add_subject_options(app, texts);
  app.add_flag("--covers", asked.covers, "every element is copied exactly once");
  app.add_flag("--injective", asked.injective, "no two coordinates share an offset");
  app.add_flag("--contiguous", asked.contiguous, "the offsets leave no gap");
  auto const* wide = app.add_option("--vector", vector, "accesses are at least that wide")->type_name("BITS");
  app.add_flag("--no-conflicts", asked.no_conflicts, "no bank conflicts in shared memory");
  auto const* dense = app.add_flag("--coalesced{100}", percent,
                                   "PERCENT of the bytes fetched from global memory are asked for; 100 if left out");
  add_result_options(app, json);
  app.footer(meanings);
  if (!parse(app, with_percent(given))) return success;
  if (!wide->empty()) asked.vector = read_integer_within("check: --vector", vector, 1, 1 << 16);
  if (!dense->empty()) asked.coalesced = read_integer_within("check: --coalesced", percent, 1, 100);
  bool const any = asked.covers || asked.injective || asked.contiguous || asked.no_conflicts || asked.vector > 0 ||
                   asked.coalesced > 0;
  if (!any)
    throw usage_error(
        "check needs a condition: --covers, --injective, --contiguous, --vector BITS, --no-conflicts or "
        "--coalesced [PERCENT]");
  std::vector<verdict> const all = verdicts_of(read_subject("check", texts), asked);
  bool holds = true;
  for (verdict const& v : all) holds = holds && v.holds;
  print(all, holds, json);
  return holds ? success : check_failed;
}

}  // namespace tilewright::cli
