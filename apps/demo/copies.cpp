// The second part of the demonstration: large copies next to memcpy.
#include "apps/cli/large_copies.hpp"
#include "apps/demo/parts.hpp"
#include "apps/demo/title.hpp"

#include <cstdio>
#include <string>
#include <thread>

namespace tilewright::cli {
namespace {

/// post: whether all elements arrived
bool print_result(std::string const& what, measurement const& m) {
  auto const rate = [&](double seconds) { return 2e-9 * static_cast<double>(m.bytes) / seconds; };
  std::printf("%s: %.1f GB/s, %.0f %% of memcpy (%.1f GB/s)\n", what.c_str(), rate(m.seconds),
              100 * m.memcpy_seconds / m.seconds, rate(m.memcpy_seconds));
  std::size_t const elements = m.bytes / 4;
  if (m.wrong == 0) std::printf("  all %zu elements are right\n", elements);
  else std::printf("  %lld of %zu elements are WRONG\n", m.wrong, elements);
  return m.wrong == 0;
}

constexpr char const* what_the_figures_mean =
    "\nmemcpy is the C library's, on as many threads, 1 MB at a time. It usually reads each cache line of the "
    "destination\n"
    "before it writes it, and so moves 3 bytes for each byte copied. A copy that writes past the caches (streaming "
    "stores)\n"
    "moves 2: more than 100 % of memcpy is possible, up to 150 %.\n";

constexpr char const* what_to_try_next =
    "\nNext:\n"
    "  ./run tilewright plan '(4096,4096):(4096,1)' '(4096,4096):(1,4096)' --element f32     what copy() would do, and "
    "why\n"
    "  ./run tilewright explain '(8,8):(8,1)'                                                what a layout costs\n"
    "  ./run tilewright convert in.npy out.npy --permute 1,0                                 transposes a file of any "
    "size\n"
    "  docs/tutorial/README.md: ten chapters, from one layout to a planned copy; ./run install puts the command on "
    "your "
    "path\n";

}  // namespace

bool show_large_copies(int extent, std::size_t bytes) {
  print_title("Large copies");
  progress shown;
  measurement const planned = transpose_matrix(extent, copied_by::plan, shown);
  shown.clear();
  std::printf("%u threads; read and written bytes count\n", std::thread::hardware_concurrency());
  std::string const number = std::to_string(extent);
  std::string const matrices = number + " x " + number + " float, row-major to column-major";
  bool right = print_result(matrices + ", by copy(src, dst)", planned);
  measurement const tiled = transpose_matrix(extent, copied_by::tiled_kernel, shown);
  shown.clear();
  right = print_result(matrices + ", by a kernel of tiled copies", tiled) && right;
  measurement const copied = copy_vector(bytes, shown);
  shown.clear();
  right = print_result(std::to_string(bytes >> 20) + " MB vector, by a kernel of a tiled copy", copied) && right;
  std::printf("%s%s", what_the_figures_mean, what_to_try_next);
  return right;
}

}  // namespace tilewright::cli
