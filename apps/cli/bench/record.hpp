// Runs of tilewright bench in a file, and two of one case side by side. The file is JSON, one object for each case:
//   {"format": "tilewright-bench", "version": 1, "runs": [{"src": "(8,8):(8,1)", …, "copy": {"median_seconds": …}}]}
#pragma once

#include "apps/cli/bench/trial.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tilewright::cli {

/// What is asked of one run, as it is written on the command line.
struct bench_case {
  std::string src, dst, element, device, threads;
  friend bool operator==(bench_case const&, bench_case const&) = default;

  /// "(8,8):(8,1) to (8,8):(1,8), f32, 2 threads"
  std::string text() const;
};

/// All that was measured.
nlohmann::ordered_json json_of(bench_case const& c, trial const& t, trial_result const& r);

/// error: usage_error when the file cannot be read or holds something else
std::vector<nlohmann::ordered_json> read_runs(std::string const& file);
bench_case case_of(nlohmann::ordered_json const& run);

/// Adds the run to the file, in place of one of the same case. Makes the file if it does not exist.
void save_run(std::string const& file, nlohmann::ordered_json const& run);

/// How a run compares with the saved one of its case. ratio: how many times as fast, by medians.
struct compared_run {
  nlohmann::ordered_json saved, now;

  double ratio() const;
  /// "faster" or "slower" where the middle halves of the rounds do not overlap, "the same" elsewhere
  std::string verdict() const;
};
nlohmann::ordered_json json_of(compared_run const& c);
/// A row for each, below a heading.
std::string table_of(std::vector<compared_run> const& all);

/// "12.34 us", "1.234 ms", "1.234 s"
std::string time_text(double seconds);

}  // namespace tilewright::cli
