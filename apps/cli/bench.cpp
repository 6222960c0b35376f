// tilewright bench: times a copy between two layouts on this machine, next to memcpy and the naive way.
#include "apps/cli/bench/trial.hpp"
#include "apps/cli/command.hpp"
#include "apps/cli/option_values.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tilewright::cli {
namespace {

using tilewright::bench::timing;
using json = nlohmann::ordered_json;

constexpr char const* introduction =
    "Times the copy from one layout to another on this machine: every element is checked first, then the copy and\n"
    "memcpy take turns on the same memory, and so do the copy and the naive loop. GB/s count bytes read and written.\n"
    "The benchmark suites are another door: ./run bench, in the repository.\n\n"
    "  tilewright bench '(4096,4096):(4096,1)' '(4096,4096):(1,4096)' --element f32\n"
    "  tilewright bench '(64,256,56,56):(802816,3136,56,1)' '(64,256,56,56):(802816,1,14336,256)' \\\n"
    "                   --element f16 --threads 1 --json\n"
    "  tilewright bench '(8192,8192):(8192,1)' '(8192,8192):(1,8192)' --element bf16 --device cuda --repeat 50";

element_type read_type(std::string const& text) {
  (void)read_element_option("bench", text);  // refuses with the names there are
  return *element_type_named(text);
}

double rate(trial_result const& r, double seconds) { return 1e-9 * static_cast<double>(r.bytes) / seconds; }

std::string time_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.2f} us", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.3f} ms", seconds * 1e3) : fmt::format("{:.3f} s", seconds);
}

void print(trial_result const& r) {
  auto const line = [](char const* name, std::string const& value) { fmt::print("{:<10}{}\n", name, value); };
  auto const timed = [&](timing const& t) {
    return fmt::format("median {}, min {}, {:.1f} GB/s", time_text(t.median), time_text(t.fastest), rate(r, t.median));
  };
  line("plan", fmt::format("{}, {}, on {}", name_of(r.plan.path), r.way, r.plan.machine.name));
  line("checked", fmt::format("{} elements, every one where the layouts say", r.elements));
  line("bytes", fmt::format("{} read and written", r.bytes));
  line("copy", timed(r.next_to_memcpy.own));
  line("memcpy", fmt::format("{} ({})", timed(r.next_to_memcpy.other), r.baseline));
  line("naive", fmt::format("{} ({})", timed(r.next_to_naive.other), r.naive));
  line("share", fmt::format("{:.2f} of memcpy, {:.1f} times as fast as naive; {} and {} turns",
                            r.next_to_memcpy.other.median / r.next_to_memcpy.own.median,
                            r.next_to_naive.other.median / r.next_to_naive.own.median, r.next_to_memcpy.count,
                            r.next_to_naive.count));
}

json json_of(trial_result const& r, timing const& t, std::string const& what) {
  json out{{"median_seconds", t.median}, {"min_seconds", t.fastest}, {"gb_per_second", rate(r, t.median)}};
  if (!what.empty()) out["what"] = what;
  return out;
}

json json_of(trial const& t, trial_result const& r) {
  json out{{"element", name_of(t.element)},
           {"device", t.where.kind == device_kind::cpu ? "cpu" : "cuda"},
           {"machine", r.plan.machine.name},
           {"path", name_of(r.plan.path)},
           {"kernel", r.way},
           {"elements", r.elements},
           {"checked", true},
           {"bytes", r.bytes},
           {"turns", r.next_to_memcpy.count}};
  if (t.where.kind == device_kind::cpu) out["threads"] = r.plan.machine.processors;
  out["copy"] = json_of(r, r.next_to_memcpy.own, "");
  out["memcpy"] = json_of(r, r.next_to_memcpy.other, r.baseline);
  out["naive"] = json_of(r, r.next_to_naive.other, r.naive);
  out["share_of_memcpy"] = r.next_to_memcpy.other.median / r.next_to_memcpy.own.median;
  out["times_naive"] = r.next_to_naive.other.median / r.next_to_naive.own.median;
  return out;
}

}  // namespace

int run_bench(words const& given) {
  words const devices{"cpu", "cuda"};
  CLI::App app(introduction, "tilewright bench");
  std::string src, dst, element, where, threads, repeat;
  bool as_json = false;
  app.add_option("SRC", src, "the layout to read, in the language of tilewright eval")->type_name("LAYOUT");
  app.add_option("DST", dst, "the layout to write")->type_name("LAYOUT");
  app.add_option("--element", element, "the type of an element")->type_name(choices_of(element_names()));
  app.add_option("--device", where, "where the tensors lie; cpu if left out")->type_name(choices_of(devices));
  app.add_option("--threads", threads, "of the CPU; all if left out")->type_name("NUMBER");
  app.add_option("--repeat", repeat, "turns of the copy and memcpy; enough for 0.3 s, 5 at least, if left out")
      ->type_name("NUMBER");
  app.add_flag("--json", as_json, "print the figures as JSON");
  if (!parse(app, given)) return success;
  if (src.empty() || dst.empty())
    throw usage_error("bench needs two layouts, such as '(64,32):(32,1)' '(64,32):(1,64)'");
  if (element.empty()) throw usage_error("bench needs --element, the type of an element, such as f32");
  trial t;
  t.src = read_layout_option("", src);
  t.dst = read_layout_option("", dst);
  t.element = read_type(element);
  if (!where.empty() && read_word_option("--device", where, devices) == 1) t.where = cuda(0);
  if (!threads.empty()) {
    if (t.where.kind == device_kind::cuda) throw usage_error("bench: --threads is of the CPU, not of --device cuda");
    t.threads = static_cast<int>(read_integer_within("--threads", threads, 1, 1024));
  }
  if (!repeat.empty()) t.limit = {static_cast<int>(read_integer_within("--repeat", repeat, 1, 100'000)), 0};
  trial_result const r = run_trial(t);
  if (as_json) fmt::print("{}\n", json_of(t, r).dump(2));
  else print(r);
  return success;
}

}  // namespace tilewright::cli
