// tilewright demo: the example programs one after another, then large copies next to memcpy. Whatever comes out wrong
// makes the exit status 1.
#include "apps/cli/command.hpp"
#include "apps/cli/large_copies.hpp"
#include "apps/demo/parts.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace tilewright::cli {
namespace {

nlohmann::ordered_json json_of(char const* what, measurement const& m) {
  return {{"copy", what},
          {"bytes", 2 * m.bytes},  // read and written
          {"seconds", m.seconds},
          {"memcpy_seconds", m.memcpy_seconds},
          {"share_of_memcpy", m.memcpy_seconds / m.seconds},
          {"wrong_elements", m.wrong}};
}

/// The large copies alone: programs print what they print.
int run_as_json(int extent, std::size_t bytes) {
  progress quiet(true);
  measurement const planned = transpose_matrix(extent, copied_by::plan, quiet),
                    tiled = transpose_matrix(extent, copied_by::tiled_kernel, quiet),
                    copied = copy_vector(bytes, quiet);
  nlohmann::ordered_json const out{
      {"threads", std::thread::hardware_concurrency()},
      {"copies",
       {json_of("planned transpose", planned), json_of("tiled transpose", tiled), json_of("tiled vector", copied)}}};
  fmt::print("{}\n", out.dump(2));
  return planned.wrong == 0 && tiled.wrong == 0 && copied.wrong == 0 ? success : check_failed;
}

long long option_value(CLI::Option const* option, std::string const& text, long long most, long long granule) {
  long long const value = parse_integer(text);
  if (value < 1 || value > most || value % granule != 0)
    throw usage_error(
        fmt::format("demo: {} is a multiple of {} up to {}, not {}", option->get_name(), granule, most, value));
  return value;
}

}  // namespace

int run_demo(words const& given) {
  CLI::App app(
      "Runs the example programs, then moves a matrix from row-major to column-major and a vector through tiled\n"
      "copies on all cores, checks every element, and compares with memcpy on as many cores.\n\n"
      "  tilewright demo\n"
      "  tilewright demo --matrix 1024 --vector-mb 64",
      "tilewright demo");
  std::string extent = "4096", megabytes = "256";
  auto const* matrix = app.add_option("--matrix", extent, "extent of the matrix, a multiple of 256; 4096 if left out")
                           ->type_name("NUMBER");
  auto const* vector =
      app.add_option("--vector-mb", megabytes, "size of the vector in MB of 2^20 bytes; 256 if left out")
          ->type_name("NUMBER");
  bool json = false;
  app.add_flag("--json", json, "leave the programs out and print the figures of the large copies as JSON");
  if (!parse(app, given)) return success;
  auto const n = static_cast<int>(option_value(matrix, extent, 16384, matrix_granule));
  auto const bytes = static_cast<std::size_t>(option_value(vector, megabytes, 4096, 1)) << 20;

  if (json) return run_as_json(n, bytes);
  bool const programs = show_programs(), copies = show_large_copies(n, bytes);
  return programs && copies ? success : check_failed;
}

}  // namespace tilewright::cli
