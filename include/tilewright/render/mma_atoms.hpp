// Matrix operations by name, as pictures need them: which thread has which element of A, B and C. The maps are those of
// MMA_Traits, so a picture shows what a kernel runs.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/render/plot.hpp"

namespace tilewright::render {

/// The maps of a matrix operation.
///   SM80_16x8x16_F32F16F16F32_TN: A ((4,8),(2,2,2)):((32,1),(16,8,128))
struct mma_maps {
  std::string name,
      family;  // the family of SM90_64x128x16_F16F16F16_SS is SM90_64xNx16_F16F16F16_SS; else it is the name
  long long m = 0, n = 0, k = 0;
  std::string type_a, type_b, type_c;
  layout_value threads{};                         // thread of the atom -> thread index
  layout_value a{};                               // (thread, value) -> m + M * k
  layout_value b{};                               // (thread, value) -> n + N * k
  layout_value c{};                               // (thread, value) -> m + M * n
  bool a_is_shared = false, b_is_shared = false;  // read by a descriptor: each "thread" has all of it
};

/// In the order of their names: "SM70_8x8x4_F16F16F16F16_NN" …
std::vector<std::string> const& mma_names();

/// The same with N for the extents of a warpgroup's operations, each family once.
std::vector<std::string> const& mma_families();

/// error: render_error for a name that no operation has
mma_maps const& mma_named(std::string const& name);

/// A (M,K), B (N,K) and C (M,N) with the thread and the value of each element; operands in shared memory are not drawn.
scene mma_scene(mma_maps const& maps, plot_options const& options = {});

}  // namespace tilewright::render
