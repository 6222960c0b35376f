// The table of example programs.
#include "apps/cli/example_programs.hpp"
#include "tilewright/machine/arch.hpp"  // its enumerator cpu stands before the engine's constant: -Wshadow

#include "examples/any_layout.hpp"
#include "examples/checked_launch.hpp"
#include "examples/copy_3d.hpp"
#include "examples/explain_copy.hpp"
#include "examples/four_copies.hpp"
#include "examples/manual_partition.hpp"
#include "examples/packed_uint4.hpp"
#include "examples/pipeline.hpp"
#include "examples/ragged_matrix.hpp"
#include "examples/slicing.hpp"
#include "examples/tiled_copy_128x128.hpp"
#include "examples/tiled_copy_16x8.hpp"
#include "examples/tiled_copy_preview.hpp"
#include "examples/tiled_copy_row_major.hpp"
#include "examples/tiled_copy_strided.hpp"
#include "examples/tiled_copy_wide.hpp"

#include <array>

namespace tilewright::cli {
namespace {

using namespace examples;

constexpr bool in_demo = true;

constexpr std::array programs{
    example_program{"tiled_copy_16x8", "One warp copies a 16x8 tile: who owns what, and what arrives",
                    run_tiled_copy_16x8, in_demo},
    example_program{"tiled_copy_128x128", "The same threads on a 128x128 tile", run_tiled_copy_128x128, in_demo},
    example_program{"tiled_copy_wide", "Two atoms for each thread", run_tiled_copy_wide, in_demo},
    example_program{"tiled_copy_row_major", "A row-major tile", run_tiled_copy_row_major, in_demo},
    example_program{"slicing", "A tile of a matrix, and a thread's part of the tile", run_slicing, in_demo},
    example_program{"four_copies", "One copy partitioned in four ways", run_four_copies, in_demo},
    example_program{"tiled_copy_preview", "A tiled copy and its partitions, printed", run_tiled_copy_preview, in_demo},
    example_program{"tiled_copy_strided", "A tensor without stride 1, copied by the scalar atom",
                    run_tiled_copy_strided},
    example_program{"manual_partition", "Threads that partition by hand, without a tiled copy", run_manual_partition},
    example_program{"copy_3d", "Boxes of a volume, read by one tiled copy and written by another", run_copy_3d},
    example_program{"ragged_matrix", "A matrix that is no whole number of tiles", run_ragged_matrix},
    example_program{"packed_uint4", "Elements of four bits, 32 of them in one access", run_packed_uint4},
    example_program{"pipeline", "Bulk copies in four stages, and the same with a wait left out", run_pipeline},
    example_program{"checked_launch", "A missing barrier and an index out of bounds, found", run_checked_launch},
    example_program{"explain_copy", "Why one tiled copy is fast and another slow", run_explain_copy},
    example_program{"any_layout", "Any layout to any layout, without a kernel", run_any_layout},
};

}  // namespace

std::span<example_program const> example_programs() { return programs; }

}  // namespace tilewright::cli
