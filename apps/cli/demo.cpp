// tilewright demo: the example programs one after another, then large copies next to memcpy. Whatever comes out wrong
// makes the exit status 1.
#include "apps/cli/command.hpp"
#include "apps/cli/large_copies.hpp"
#include "apps/cli/option_values.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/shared_options.hpp"
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
  say("{}\n", out.dump(2));
  return planned.wrong == 0 && tiled.wrong == 0 && copied.wrong == 0 ? success : check_failed;
}

/// error: usage_error when the value is not a multiple of the granule or too large; both are named as the user writes them
long long checked_value(char const* option, long long value, std::string const& text, long long max, long long granule,
                        char const* range) {
  if (value < 1 || value > max || value % granule != 0)
    throw usage_error(fmt::format("demo: {} must be a multiple of {}, not {}", option, range, text));
  return value;
}

}  // namespace

int run_demo(words const& given) {
  CLI::App app(
      "Runs the example programs, then moves a matrix from row-major to column-major and a vector through tiled\n"
      "copies on all cores, checks every element, and compares with memcpy on as many cores. With --json only the\n"
      "copies run.\n\n"
      "  tilewright demo\n"
      "  tilewright demo --matrix 1024 --bytes 64M",
      "tilewright demo");
  std::string extent = "4096", size = "256M", megabytes;
  app.add_option("--matrix", extent, "extent of the matrix, a multiple of 256; 4096 if left out")->type_name("NUMBER");
  app.add_option("--bytes", size, "size of the vector, a multiple of 1M; 256M if left out")->type_name("BYTES");
  app.add_option("--vector-mb", megabytes)->group("");  // as it was called before
  bool json = false;
  add_json_option(app, json);
  if (!parse(app, given)) return success;
  auto const n = static_cast<int>(checked_value("--matrix", read_integer_option("demo: --matrix", extent), extent,
                                                16384, matrix_granule, "256 up to 16384"));
  if (!megabytes.empty()) size = megabytes + "M";
  auto const bytes = static_cast<std::size_t>(
      checked_value("--bytes", read_bytes("demo: --bytes", size), size, 1LL << 32, vector_granule, "1M up to 4G"));

  if (json) return run_as_json(n, bytes);
  finish_output();
  bool const programs = show_programs();
  finish_output();
  bool const copies = show_large_copies(n, bytes);
  return programs && copies ? success : check_failed;
}

}  // namespace tilewright::cli
