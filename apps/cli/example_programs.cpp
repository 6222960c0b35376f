// The table of example programs: those of the demonstration (apps/demo) and the others.
#include "apps/cli/example_programs.hpp"
#include "tilewright/machine/arch.hpp"  // its enumerator cpu is declared before the engine's constant: -Wshadow

#include "examples/any_layout.hpp"
#include "examples/checked_launch.hpp"
#include "examples/copy_3d.hpp"
#include "examples/explain_copy.hpp"
#include "examples/gemm_sm80.hpp"
#include "examples/gemm_sm90.hpp"
#include "examples/manual_partition.hpp"
#include "examples/packed_uint4.hpp"
#include "examples/pipeline.hpp"
#include "examples/ragged_matrix.hpp"
#include "examples/tiled_copy_strided.hpp"

#include <array>
#include <vector>

namespace tilewright::cli {
namespace {

using namespace examples;

constexpr std::array others{
    example_program{"tiled_copy_strided", "A tensor without stride 1, copied by the scalar atom",
                    run_tiled_copy_strided},
    example_program{"manual_partition", "Threads that partition by hand, without a tiled copy", run_manual_partition},
    example_program{"copy_3d", "Boxes of a volume, read by one tiled copy and written by another", run_copy_3d},
    example_program{"ragged_matrix", "A matrix that is not a whole number of tiles", run_ragged_matrix},
    example_program{"packed_uint4", "Elements of four bits, 32 of them in one access", run_packed_uint4},
    example_program{"pipeline", "Bulk copies in four stages, and the same with a wait left out", run_pipeline},
    example_program{"gemm_sm80", "A product of matrices on tensor cores, and the same without its barriers",
                    run_gemm_sm80},
    example_program{"gemm_sm90", "The same by warpgroups and TMA, and with stages that are released too early",
                    run_gemm_sm90},
    example_program{"checked_launch", "A missing barrier and an index out of bounds, found", run_checked_launch},
    example_program{"explain_copy", "Why one tiled copy is fast and another slow", run_explain_copy},
    example_program{"any_layout", "Any layout to any layout, without a kernel", run_any_layout},
};

}  // namespace

std::span<example_program const> example_programs() {
  static std::vector<example_program> const all = [] {
    std::vector<example_program> programs(demo_programs().begin(), demo_programs().end());
    programs.insert(programs.end(), others.begin(), others.end());
    return programs;
  }();
  return all;
}

}  // namespace tilewright::cli
