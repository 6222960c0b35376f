// Copies between layouts on the CPU against memcpy, a naive loop, Eigen, oneDNN and NumPy: the part of bench/permute
// that measures. Reads cases as JSON (cases.py), prints a row of JSON for each as soon as it is measured (measure.hpp
// says what is in it), after a first line that says who takes part; run.py makes a table, a file and a plot of them.
#include "measure.hpp"

#include <fmt/core.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

namespace {

using namespace tilewright::bench;

/// OpenMP's threads look for work for a while after each loop, on the cores of the next measurement, unless its
/// run-time library is told otherwise before it starts: so the program starts itself again.
void let_openmp_sleep(char** argv) {
  char const* const name = "OMP_WAIT_POLICY";
  if (std::getenv(name) != nullptr) return;
  if (setenv(name, "passive", 1) == 0) execv("/proc/self/exe", argv);
}

std::string read_file(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(fmt::format("{} cannot be read.", path));
  return {std::istreambuf_iterator<char>(file), {}};
}

void print(nlohmann::json const& row) {
  std::cout << row.dump() << std::endl;  // each row at once, for who reads along
}

}  // namespace

int main(int argc, char** argv) {
  let_openmp_sleep(argv);
  CLI::App app("Measures copies between layouts on the CPU and prints rows of JSON.");
  std::string cases, python, numpy_script;
  std::vector<std::string> peers;
  int threads = static_cast<int>(std::thread::hardware_concurrency());
  limits limit;
  bool quick = false;
  app.add_option("--cases", cases, "JSON file of cases, as cases.py prints it")->required()->check(CLI::ExistingFile);
  app.add_option("--threads", threads, "threads of the library and its peers")->check(CLI::Range(1, 1024));
  app.add_flag("--quick", quick, "fewer rounds");
  app.add_flag("--check", limit.only_check, "check every element of every party and measure nothing");
  app.add_option("--python", python, "the interpreter that has NumPy; without it, NumPy does not take part");
  app.add_option("--numpy-script", numpy_script, "numpy_child.py")->check(CLI::ExistingFile);
  auto const* const only =
      app.add_option("--peers", peers, "only these take part; none: the library and memcpy alone")->delimiter(',');
  CLI11_PARSE(app, argc, argv);
  if (!python.empty() && numpy_script.empty()) {
    fmt::print(stderr, "bench_permute: --python needs --numpy-script, the path of numpy_child.py.\n");
    return 2;
  }
  if (quick) limit = {.rounds = 3, .seconds = 0.1, .only_check = limit.only_check};
  try {
    auto const all = read_cases(read_file(cases));
    bench all_parties(threads, limit, python, numpy_script);
    if (only->count() > 0) all_parties.keep_peers(peers);
    print({{"threads", threads}, {"peers", all_parties.peers()}, {"cases", all.size()}});
    bool right = true;
    for (auto const& one : all) {
      nlohmann::json const row = all_parties.row_of(one);
      right = right && row["wrong"].empty();
      print(row);
    }
    return right ? 0 : 1;
  } catch (std::exception const& e) {
    fmt::print(stderr, "bench_permute: {}\n", e.what());
    return 2;
  }
}
