// Writes, reads and compares runs.
#include "apps/cli/bench/record.hpp"

#include "apps/cli/command.hpp"
#include "apps/cli/output.hpp"
#include "tilewright/render/writers.hpp"

#include <fmt/format.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tilewright::cli {
namespace {

using tilewright::bench::timing;
using json = nlohmann::ordered_json;

constexpr char const* format_name = "tilewright-bench";
constexpr int format_version = 1;

json json_of(trial_result const& r, timing const& t, std::string const& what) {
  json out{{"median_seconds", t.median},
           {"min_seconds", t.fastest},
           {"lower_quartile_seconds", t.lower_quartile},
           {"upper_quartile_seconds", t.upper_quartile},
           {"max_seconds", t.slowest},
           {"gb_per_second", 1e-9 * static_cast<double>(r.bytes) / t.median}};
  if (!what.empty()) out["what"] = what;
  return out;
}

double seconds_of(json const& run, char const* which) { return run.at("copy").at(which).get<double>(); }

/// error: usage_error that names the file, with a reason
[[noreturn]] void refuse(std::string const& file, std::string const& reason) {
  throw usage_error(fmt::format("bench: {} {}", in_quotation(file), reason));
}

std::string without_columns(std::string const& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

}  // namespace

std::string bench_case::text() const {
  std::string out = fmt::format("{} to {}, {}", src, dst, element);
  if (device != "cpu") return out + ", " + device;
  return threads.empty() ? out : fmt::format("{}, {} thread{}", out, threads, threads == "1" ? "" : "s");
}

json json_of(bench_case const& c, trial const& t, trial_result const& r) {
  json out{{"src", c.src},
           {"dst", c.dst},
           {"element", name_of(t.element)},
           {"device", c.device},
           {"machine", r.plan.machine.name},
           {"path", name_of(r.plan.path)},
           {"kernel", r.way},
           {"elements", r.elements},
           {"checked", true},
           {"bytes", r.bytes},
           {"rounds", r.next_to_memcpy.count}};
  if (t.where.kind == device_kind::cpu) out["threads"] = r.plan.machine.processors;
  if (!c.threads.empty()) out["threads_asked"] = c.threads;
  out["copy"] = json_of(r, r.next_to_memcpy.own, "");
  out["memcpy"] = json_of(r, r.next_to_memcpy.other, r.baseline);
  out["naive"] = json_of(r, r.next_to_naive.other, r.naive);
  out["share_of_memcpy"] = r.next_to_memcpy.other.median / r.next_to_memcpy.own.median;
  out["times_naive"] = r.next_to_naive.other.median / r.next_to_naive.own.median;
  return out;
}

std::vector<json> read_runs(std::string const& file) {
  errno = 0;
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file))
    refuse(file, fmt::format("cannot be read: {}", std::strerror(errno == 0 ? EISDIR : errno)));
  std::ostringstream text;
  text << in.rdbuf();
  json const all = json::parse(text.str(), nullptr, false);
  if (!all.is_object() || all.value("format", "") != format_name)
    refuse(file, "holds no saved runs; write one with tilewright bench --save FILE");
  if (all.value("version", 0) != format_version)
    refuse(file, fmt::format("is of version {}, and this command reads version {}; measure anew with --save",
                             all.value("version", 0), format_version));
  std::vector<json> runs;
  for (json const& run : all.value("runs", json::array())) {
    bool whole = run.is_object() && run.contains("copy");
    for (char const* key : {"src", "dst", "element", "device"})
      whole = whole && run.contains(key) && run[key].is_string();
    for (char const* key : {"median_seconds", "lower_quartile_seconds", "upper_quartile_seconds"})
      whole = whole && run["copy"].contains(key) && run["copy"][key].is_number() && run["copy"][key].get<double>() > 0;
    if (!whole) refuse(file, fmt::format("lacks figures in its run {}; measure anew with --save", runs.size() + 1));
    runs.push_back(run);
  }
  if (runs.empty()) refuse(file, "holds no runs; write one with tilewright bench --save FILE");
  return runs;
}

bench_case case_of(json const& run) {
  return {run["src"], run["dst"], run["element"], run["device"], run.value("threads_asked", "")};
}

void save_run(std::string const& file, json const& run) {
  std::error_code none;
  std::vector<json> runs;
  if (std::filesystem::is_regular_file(file, none)) runs = read_runs(file);
  bool replaced = false;
  for (json& known : runs)
    if (case_of(known) == case_of(run)) {
      known = run;
      replaced = true;
    }
  if (!replaced) runs.push_back(run);
  json const all{{"format", format_name}, {"version", format_version}, {"runs", runs}};
  render::save_text(all.dump(2) + "\n", file);
}

double compared_run::ratio() const { return seconds_of(saved, "median_seconds") / seconds_of(now, "median_seconds"); }

std::string compared_run::verdict() const {
  if (seconds_of(now, "upper_quartile_seconds") < seconds_of(saved, "lower_quartile_seconds")) return "faster";
  if (seconds_of(now, "lower_quartile_seconds") > seconds_of(saved, "upper_quartile_seconds")) return "slower";
  return "the same";
}

json json_of(compared_run const& c) {
  return {{"src", c.now["src"]},
          {"dst", c.now["dst"]},
          {"element", c.now["element"]},
          {"device", c.now["device"]},
          {"same_machine", c.saved["machine"] == c.now["machine"]},
          {"saved_median_seconds", seconds_of(c.saved, "median_seconds")},
          {"median_seconds", seconds_of(c.now, "median_seconds")},
          {"ratio", c.ratio()},
          {"verdict", c.verdict()}};
}

std::string table_of(std::vector<compared_run> const& all) {
  constexpr std::size_t max_width = 70;
  std::size_t width = 4;
  for (compared_run const& c : all) width = std::max(width, case_of(c.now).text().size());
  width = std::min(width, max_width);
  std::string out =
      fmt::format("{:<{}}  {:>21}  {:>21}  {:>6}\n", "copy", width, "saved (spread)", "now (spread)", "ratio");
  auto const timed = [](json const& run) {
    double const median = seconds_of(run, "median_seconds");
    double const spread = seconds_of(run, "upper_quartile_seconds") - seconds_of(run, "lower_quartile_seconds");
    return fmt::format("{} ({:.0f} %)", time_text(median), 100 * spread / median);
  };
  for (compared_run const& c : all) {
    out += fmt::format("{:<{}}  {:>21}  {:>21}  {:>6.2f}  {}\n", without_columns(case_of(c.now).text(), width), width,
                       timed(c.saved), timed(c.now), c.ratio(), c.verdict());
    if (c.saved["machine"] != c.now["machine"])
      out += fmt::format("  saved on another machine: {}\n", c.saved["machine"].get<std::string>());
  }
  return out + "ratio: times as fast as the saved run, by medians; spread: of the middle half of the rounds\n";
}

std::string time_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.2f} us", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.3f} ms", seconds * 1e3) : fmt::format("{:.3f} s", seconds);
}

}  // namespace tilewright::cli
