// The operations of Blackwell as nvcc hands them to its host compiler: traits with the descriptors of their instructions, which
// programs make on the host and pass to kernels.
// Prints "passed".
#include <cutlass/util/device_memory.h>
#include <cute/atom/mma_traits_sm100.hpp>
#include <cute/tensor.hpp>

#include <cstdio>

using namespace cute;

template <class Mma>
__global__ void keep(std::uint32_t* out, Mma mma) {
  *out = static_cast<std::uint32_t>(mma.idesc_);
}

int main() {
  constexpr auto k_major = UMMA::Major::K;
  auto const halves = make_tiled_mma(SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 256, k_major, k_major>{});
  auto const scaled = make_tiled_mma(
      SM100_MMA_MXF4_SS<float_e2m1_t, float_e2m1_t, float, float_ue4m3_t, 128, 256, 16, k_major, k_major>{});
  bool right = static_cast<std::uint32_t>(halves.idesc_) == (1u << 4 | 32u << 17 | 8u << 24) &&
               static_cast<std::uint32_t>(scaled.idesc_) == (1u << 7 | 1u << 10 | 32u << 17 | 1u << 27);
  cutlass::DeviceAllocation<std::uint32_t> kept(1);
  std::uint32_t word = 0;
  keep<<<1, 1>>>(kept.get(), halves);
  kept.copy_to_host(&word);
  right = right && word == static_cast<std::uint32_t>(halves.idesc_);
  std::printf(right ? "passed\n" : "failed\n");
  return right ? 0 : 1;
}
