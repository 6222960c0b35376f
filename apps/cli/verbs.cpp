// The table of verbs.
#include "apps/cli/verbs.hpp"

#include <array>

namespace tilewright::cli {
namespace {

constexpr std::array table{
    verb{"eval", "print the values of expressions over layouts", run_eval},
    verb{"tiled-copy", "print a tiled copy's tile and one thread's share of a tensor", run_tiled_copy},
    verb{"plot", "draw layouts, divisions, products, tiled copies, copy atoms and plans", run_plot},
    verb{"mma", "list the matrix operations, or print which thread of one has what", run_mma},
    verb{"explain", "say why a layout, a tiled copy or a plan is right, and why it is fast or slow", run_explain},
    verb{"check", "check conditions on a layout, a tiled copy or a plan, for scripts and CI", run_check},
    verb{"plan", "print how a copy from one layout to another would be run, and why", run_plan},
    verb{"bench", "time a copy on this machine, next to memcpy; save and compare runs", run_bench},
    verb{"convert", "write an array file (.npy, .npz) with its elements in another order", run_convert},
    verb{"redistribute", "write the shards (.npy) of a distributed tensor as those of another distribution",
         run_redistribute},
    verb{"info", "print what a .npy file or a .npz archive holds", run_info},
    verb{"doctor", "say what this machine has: SIMD, GPUs, driver, compiler, kernel cache", run_doctor},
    verb{"examples", "list the example programs, or run one", run_examples},
    verb{"demo", "run the example programs, then move large tensors and compare with memcpy", run_demo},
    verb{"completion", "print the completion script of a shell", run_completion},
    verb{"man", "print a manual page", run_man},
};

}  // namespace

std::span<verb const> verbs() { return table; }

}  // namespace tilewright::cli
