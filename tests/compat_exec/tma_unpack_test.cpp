// A TMA copy that unpacks floats of 4 bits, with CUTLASS's names: tensors of the unpacked type, tiles of bytes, and the type as an
// argument of make_tma_copy for tensors of the packed one.
#include "tilewright/exec/launch_checked.hpp"

#include <cutlass/float_subbyte.h>
#include <gtest/gtest.h>
#include <cute/tensor.hpp>
#include <cutlass/pipeline/sm90_pipeline.hpp>

#include <vector>

using namespace cute;

namespace {

using Unpacked = cutlass::detail::float_e2m1_unpacksmem_t;
using Smem = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<std::uint8_t>{}, Shape<_16, _128>{}));

struct unpack {
  template <class Block, class Tma>
  void operator()(Block& block, Tma const& tma, std::uint8_t* out) const {
    auto sA = block.template shared<std::uint8_t>(Smem{});
    auto barrier = block.template shared<std::uint64_t>(Shape<_1>{});
    auto const gA = local_tile(tma.get_tma_tensor(make_shape(16, 256)), Shape<_16, _128>{}, make_coord(0, 1));
    auto const [tAgA, tAsA] = tma_partition(tma, Int<0>{}, Layout<_1>{}, group_modes<0, 2>(sA), group_modes<0, 2>(gA));
    if (block.thread() == 0) {
      initialize_barrier(barrier(0), 1);
      tilewright::fence_barrier_init();
      set_barrier_transaction_bytes(barrier(0), 16 * 128 * sizeof_bits_v<float_e2m1_t> / 8);
      copy(tma.with(barrier(0)), tAgA, tAsA);
    }
    block.sync();
    wait_barrier(barrier(0), 0);
    for (int i = block.thread(); i < 16 * 128; i += 32)
      if (i / 16 % 16 < 8) out[i] = sA(i);  // of 16 bytes, 8 are used
  }
};

TEST(compat_tma_unpack, tiles_have_sixteen_elements_in_sixteen_bytes) {
  alignas(32) static unsigned char packed[16 * 128];
  for (int i = 0; i < 16 * 128; ++i) packed[i] = static_cast<unsigned char>(i * 7 + i / 128);
  auto const layout = make_layout(make_shape(16, 256), make_stride(256, _1{}));
  auto const check = [&](auto const& tma) {
    std::vector<std::uint8_t> out(16 * 128);
    tilewright::launch_checked(1, 32, unpack{}, tma, out.data());
    for (int m = 0; m < 16; ++m)
      for (int k = 0; k < 128; ++k) {
        int const expected = k % 16 < 8 ? packed[m * 128 + 64 + k / 16 * 8 + k % 16] : 0;
        ASSERT_EQ(int(out[static_cast<std::size_t>(m + 16 * k)]), expected) << m << "," << k;
      }
  };
  check(make_tma_copy(SM90_TMA_LOAD{}, make_tensor(recast_ptr<Unpacked>(packed), layout), Smem{}));
  check(make_tma_copy<Unpacked>(SM90_TMA_LOAD{}, make_tensor(recast_ptr<float_e2m1_t>(packed), layout), Smem{},
                                Shape<_16, _128>{}));
}

}  // namespace
