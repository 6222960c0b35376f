// A pipeline of four stages: one thread keeps bulk copies in flight, the others add up the tiles as they arrive. Each stage
// has a barrier that ends a phase when its tile is there, and one that ends a phase when all threads have read it. Then the
// same kernel with a wait for the wrong phase: it reads tiles that are not there.
#pragma once

#include "examples/kernel_array.hpp"
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/tilewright.hpp"

#include <cstdio>
#include <vector>

namespace tilewright::examples {

template <bool WaitsForTheRightPhase>
struct add_tiles {
  TILEWRIGHT_NO_EXEC_CHECK  // launch_checked calls it with a block that is the host's alone
      template <class Block, class In, class Out>
      TILEWRIGHT_HOST_DEVICE void operator()(Block& block, In in, Out out) const {
    auto tiles = shared<int>(block, Shape<_64, _4>{});              // (64, stage)
    auto full = shared<std::uint64_t>(block, Shape<_4>{});          // (stage)
    auto empty = shared<std::uint64_t>(block, Shape<_4>{});         // (stage)
    auto const from = in(_, _, static_cast<int>(block.index().x));  // (64, round)
    int const t = block.thread(), rounds = static_cast<int>(size<1>(from));
    if (t == 0) {
      for (int s = 0; s < 4; ++s) {
        initialize_barrier(full(s), 1);
        initialize_barrier(empty(s), block.threads() - 1);
      }
      fence_barrier_init();
    }
    block.sync();
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
      int const s = round % 4, phase = round / 4 % 2;
      if (t == 0) {
        wait_barrier(empty(s), phase ^ 1);
        set_barrier_transaction_bytes(full(s), 64 * sizeof(int));
        copy(Copy_Atom<SM90_BULK_COPY_AUTO, int>{}.with(full(s)), from(_, round), tiles(_, s));
      } else {
        wait_barrier(full(s), WaitsForTheRightPhase ? phase : phase ^ 1);
        for (int i = t - 1; i < 64; i += block.threads() - 1) sum += tiles(i, s);
        arrive_barrier(empty(s));
      }
    }
    out(t, static_cast<int>(block.index().x)) = sum;
  }
};

inline int run_pipeline() {
  constexpr int blocks = 3, rounds = 10, threads = 33;
  std::vector<uint128_t> memory(16 * rounds * blocks);  // aligned to 16 bytes, as bulk copies want it
  int* const data = reinterpret_cast<int*>(memory.data());
  for (int i = 0; i < 64 * rounds * blocks; ++i) data[i] = i / (64 * rounds) + 1;
  auto const in_shape = make_shape(_64{}, rounds, blocks);
  auto const out_shape = make_shape(threads, blocks);

  kernel_array<uint128_t> const in(memory);
  kernel_array<int> out(threads * blocks);
  launch(blocks, threads, add_tiles<true>{},
         make_tensor(make_gmem_ptr(reinterpret_cast<int const*>(in.data())), in_shape),
         make_tensor(make_gmem_ptr(out.data()), out_shape));
  auto sums = out.host();
  auto const sum_of = make_tensor(sums.data(), out_shape);
  bool right = true;
  for (int b = 0; b < blocks; ++b) {
    int total = 0;
    for (int t = 0; t < threads; ++t) total += sum_of(t, b);
    printf("block %d: %d\n", b, total);
    right = right && total == 64 * rounds * (b + 1);
  }
  try {
    launch_checked(blocks, threads, add_tiles<false>{},
                   make_tensor(make_gmem_ptr(static_cast<int const*>(data)), in_shape),
                   make_tensor(make_gmem_ptr(sums.data()), out_shape));
  } catch (execution_error const& error) {
    printf("%s\n", error.what());
    return right ? 0 : 1;
  }
  return 1;
}

}  // namespace tilewright::examples
