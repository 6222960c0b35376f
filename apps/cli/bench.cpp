// tilewright bench: times a copy between two layouts on this machine, next to memcpy and the naive way; saves the run,
// and compares it with one that was saved.
#include "apps/cli/bench/record.hpp"
#include "apps/cli/bench/trial.hpp"
#include "apps/cli/command.hpp"
#include "apps/cli/option_values.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/shared_options.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tilewright::cli {
namespace {

using tilewright::bench::timing;
using json = nlohmann::ordered_json;

constexpr char const* introduction =
    "Times the copy from one layout to another on this machine: every element is checked first, then the copy and\n"
    "memcpy run alternately on the same memory, and so do the copy and the naive loop. GB/s count bytes read and\n"
    "written. ./run bench, in the repository, runs the benchmark suites.\n\n"
    "  tilewright bench '(4096,4096):(4096,1)' '(4096,4096):(1,4096)' --element f32\n"
    "  tilewright bench '(64,256,56,56):(802816,3136,56,1)' '(64,256,56,56):(802816,1,14336,256)' \\\n"
    "                   --element f16 --threads 1 --json\n"
    "  tilewright bench '(8192,8192):(8192,1)' '(8192,8192):(1,8192)' --element bf16 --device cuda --repeat 50\n"
    "  tilewright bench '(4096,4096):(4096,1)' '(4096,4096):(1,4096)' --element f32 --save before.json\n"
    "  tilewright bench --compare before.json                    all runs of the file again, with the ratios";

struct given {
  bench_case what;
  std::string repeat, save, compare;
  bool json = false;
};

void print(trial_result const& r) {
  auto const line = [](char const* name, std::string const& value) { say("{:<10}{}\n", name, value); };
  auto const timed = [&](timing const& t) {
    return fmt::format("median {}, quartiles {} and {}, min {}, max {}; {:.1f} GB/s", time_text(t.median),
                       time_text(t.lower_quartile), time_text(t.upper_quartile), time_text(t.fastest),
                       time_text(t.slowest), 1e-9 * static_cast<double>(r.bytes) / t.median);
  };
  auto const rounds = [](int n) { return fmt::format("{} round{}", n, n == 1 ? "" : "s"); };
  line("plan", fmt::format("{}, {}, on {}", name_of(r.plan.path), r.way, r.plan.machine.name));
  line("checked", r.elements == 1 ? "1 element, where the layouts say"
                                  : fmt::format("{} elements, every one where the layouts say", r.elements));
  line("bytes", fmt::format("{} read and written", r.bytes));
  line("copy", timed(r.next_to_memcpy.own));
  line("memcpy", fmt::format("{} ({})", timed(r.next_to_memcpy.other), r.baseline));
  line("naive", fmt::format("{} ({})", timed(r.next_to_naive.other), r.naive));
  line("share", fmt::format("{:.2f} of memcpy in {}, {:.1f} times as fast as naive in {}",
                            r.next_to_memcpy.other.median / r.next_to_memcpy.own.median, rounds(r.next_to_memcpy.count),
                            r.next_to_naive.other.median / r.next_to_naive.own.median, rounds(r.next_to_naive.count)));
}

trial read_trial(bench_case const& c, std::string const& repeat) {
  trial t;
  t.src = read_layout_option("", c.src);
  t.dst = read_layout_option("", c.dst);
  t.element = read_element_type("bench", c.element);
  t.where = read_device("bench", c.device);
  t.threads = read_threads("bench", c.threads);
  if (!c.threads.empty() && t.where.kind == device_kind::cuda)
    throw usage_error("bench: --threads is for the CPU; leave it out with --device cuda");
  if (!repeat.empty()) t.limit = {static_cast<int>(read_integer_within("bench: --repeat", repeat, 1, 100'000)), 0};
  return t;
}

/// The saved runs to compare with: all of the file, or the one of the case that is asked for.
/// error: usage_error
std::vector<json> runs_to_compare(given const& g) {
  std::vector<json> const all = read_runs(g.compare);
  if (g.what.src.empty()) return all;
  std::vector<json> out;
  for (json const& run : all)
    if (case_of(run) == g.what) out.push_back(run);
  if (out.empty())
    throw usage_error(fmt::format("bench: {} holds no run of {}; the first it holds is {}", in_quotation(g.compare),
                                  g.what.text(), case_of(all[0]).text()));
  return out;
}

int compare(given const& g) {
  std::vector<compared_run> all;
  for (json const& saved : runs_to_compare(g)) {
    bench_case const c = case_of(saved);
    trial const t = read_trial(c, g.repeat);
    all.push_back({saved, json_of(c, t, run_trial(t))});
    if (!g.save.empty()) save_run(g.save, all.back().now);
  }
  if (!g.json) {
    put(table_of(all));
    return success;
  }
  json out{{"compared_with", g.compare}, {"runs", json::array()}};
  for (compared_run const& c : all) out["runs"].push_back(json_of(c));
  say("{}\n", out.dump(2));
  return success;
}

}  // namespace

int run_bench(words const& arguments) {
  CLI::App app(introduction, "tilewright bench");
  given g;
  app.add_option("SRC", g.what.src, "layout to read, in the language of tilewright eval")->type_name("LAYOUT");
  app.add_option("DST", g.what.dst, "layout to write")->type_name("LAYOUT");
  add_element_option(app, g.what.element);
  add_device_option(app, g.what.device);
  add_threads_option(app, g.what.threads);
  app.add_option("--repeat", g.repeat, "rounds of the copy and memcpy; enough for 0.3 s, 5 at least, if left out")
      ->type_name("NUMBER");
  app.add_option("--save", g.save, "file to add the run to; a run of the same copy in it is replaced")
      ->type_name("FILE");
  app.add_option("--compare", g.compare, "file of saved runs to compare with; without layouts all of them run again")
      ->type_name("FILE");
  add_result_options(app, g.json);
  if (!parse(app, arguments)) return success;
  bool const whole_file = !g.compare.empty() && g.what.src.empty();
  if (whole_file && !(g.what.element + g.what.device + g.what.threads).empty())
    throw usage_error(
        "bench --compare without layouts runs what the file holds; leave --element, --device and --threads out");
  if (!whole_file && (g.what.src.empty() || g.what.dst.empty()))
    throw usage_error("bench needs two layouts, such as '(64,32):(32,1)' '(64,32):(1,64)'");
  if (!whole_file && g.what.element.empty())
    throw usage_error("bench needs --element, the type of an element, such as f32");
  if (g.what.device.empty()) g.what.device = "cpu";
  if (!whole_file) g.what.element = name_of(read_element_type("bench", g.what.element));
  if (!g.compare.empty()) return compare(g);
  trial const t = read_trial(g.what, g.repeat);
  trial_result const r = run_trial(t);
  if (!g.save.empty()) save_run(g.save, json_of(g.what, t, r));
  if (g.json) say("{}\n", json_of(g.what, t, r).dump(2));
  else print(r);
  return success;
}

}  // namespace tilewright::cli
