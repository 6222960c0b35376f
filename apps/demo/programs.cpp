// The first part of the demonstration: example programs, which need the headers and what runs kernels.
#include "apps/cli/example_programs.hpp"
#include "apps/demo/parts.hpp"
#include "apps/demo/title.hpp"

#include "examples/four_copies.hpp"
#include "examples/slicing.hpp"
#include "examples/tiled_copy_128x128.hpp"
#include "examples/tiled_copy_16x8.hpp"
#include "examples/tiled_copy_preview.hpp"
#include "examples/tiled_copy_row_major.hpp"
#include "examples/tiled_copy_wide.hpp"

#include <array>
#include <cstdio>

namespace tilewright::cli {
namespace {

using namespace examples;

constexpr std::array shown{
    example_program{"tiled_copy_16x8", "One warp copies a 16x8 tile: who owns what, and what arrives",
                    run_tiled_copy_16x8},
    example_program{"tiled_copy_128x128", "The same threads on a 128x128 tile", run_tiled_copy_128x128},
    example_program{"tiled_copy_wide", "Two atoms for each thread", run_tiled_copy_wide},
    example_program{"tiled_copy_row_major", "A row-major tile", run_tiled_copy_row_major},
    example_program{"slicing", "A tile of a matrix, and a thread's part of the tile", run_slicing},
    example_program{"four_copies", "One copy partitioned in four ways", run_four_copies},
    example_program{"tiled_copy_preview", "A tiled copy and its partitions, printed", run_tiled_copy_preview},
};

}  // namespace

std::span<example_program const> demo_programs() { return shown; }

bool show_programs() {
  bool right = true;
  for (example_program const& program : demo_programs()) {
    print_title(program.title);
    std::fflush(stdout);
    if (program.run() != 0) {
      std::printf("this came out WRONG\n");
      right = false;
    }
  }
  return right;
}

}  // namespace tilewright::cli
