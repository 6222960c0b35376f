// archs: 90
// mbarriers: rings of stages that one thread fills by bulk copies and the others empty, phases that threads arrive at
// without waiting, and tests that do not wait: on the device, and with the host bodies.
#include "support/device.hpp"
#include "support/host_team.hpp"
#include "tilewright/exec/launch.hpp"
#include "tilewright/tilewright.hpp"

using namespace tilewright;
using namespace tilewright::cuda_test;

/// Thread 0 of warp 0 produces tiles of 256 words, the threads of the other warps add up what they see of them.
template <int Stages>
struct ring {
  static constexpr bytes shared_bytes{Stages * (1024 + 256) + 256};

  template <class Block, class In, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, In in, Out out) const {
    auto tiles = shared<std::uint32_t>(block, Shape<_256, C<Stages>>{});
    auto full = shared<std::uint64_t>(block, Shape<C<Stages>>{});
    auto empty = shared<std::uint64_t>(block, Shape<C<Stages>>{});
    int const t = block.thread(), rounds = static_cast<int>(size<1>(in)), b = static_cast<int>(block.index().x);
    if (t == 0) {
      for (int s = 0; s < Stages; ++s) {
        initialize_barrier(full(s), 1);
        initialize_barrier(empty(s), block.threads() - 32);
      }
      fence_barrier_init();
    }
    block.sync();
    if (t == 0) {
      for (int r = 0; r < rounds; ++r) {
        int const s = r % Stages, phase = r / Stages % 2;
        wait_barrier(empty(s), phase ^ 1);
        expect_barrier_transaction_bytes(full(s), 512);
        copy(Copy_Atom<SM90_BULK_COPY_AUTO, std::uint32_t>{}.with(full(s)), in(_, r, b), tiles(_, s));
        set_barrier_transaction_bytes(full(s), 512);
      }
    } else if (t >= 32) {
      std::uint32_t sum = 0;
      for (int r = 0; r < rounds; ++r) {
        int const s = r % Stages, phase = r / Stages % 2;
        wait_barrier(full(s), phase);
        for (int i = t - 32; i < 256; i += block.threads() - 32) sum = sum * 31 + tiles(i, s);
        arrive_barrier(empty(s));
      }
      out(t, b) = sum;
    }
    block.sync();
    if (t == 0) {
      for (int s = 0; s < Stages; ++s) {
        invalidate_barrier(full(s));
        invalidate_barrier(empty(s));
      }
    }
  }
};

/// The two halves of a block hand a value to and fro, asking again and again instead of waiting.
struct ask {
  static constexpr bytes shared_bytes{512};

  template <class Block, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Out out) const {
    auto value = shared<std::uint32_t>(block, Shape<_32>{});
    auto turn = shared<std::uint64_t>(block, Shape<_2>{});
    int const t = block.thread(), half = t / 32, lane = t % 32;
    if (t == 0) {
      initialize_barrier(turn(0), 32);
      initialize_barrier(turn(1), 32);
      fence_barrier_init();
    }
    if (half == 0) value(lane) = static_cast<std::uint32_t>(lane);
    block.sync();
    for (int r = 0; r < 6; ++r) {
      if (half == 1 || r > 0) {
        // Half 0 waits for half 1's previous round, half 1 for half 0's of this.
        int const phase = half == 0 ? (r - 1) % 2 : r % 2;
        while (!try_wait_barrier(turn(1 - half), phase)) {}
      }
      value(lane) = value(lane) * 5 + static_cast<std::uint32_t>(half + r);
      arrive_barrier(turn(half));
    }
    block.sync();
    out(t) = value(lane);
  }
};

template <int Stages>
void test_ring(int rounds) {
  int const blocks = 3, threads = 96;
  auto const in = random_bits<std::uint32_t>(static_cast<std::size_t>(256 * rounds * blocks), 7u + Stages);
  std::vector<std::uint32_t> on_host(threads * blocks, 0u);
  auto const run = [&](auto const* from, auto* to, auto const& call) {
    call(ring<Stages>{}, make_tensor(make_gmem_ptr(from), make_shape(_256{}, rounds, blocks)),
         make_tensor(make_gmem_ptr(to), make_shape(threads, blocks)));
  };
  run(in.data(), on_host.data(),
      [&](auto const& kernel, auto const&... args) { run_on_host(blocks, threads, kernel, args...); });
  device_array<std::uint32_t> const in_there(in);
  device_array<std::uint32_t> out_there(on_host.size());
  out_there = std::vector<std::uint32_t>(on_host.size(), 0u);
  run(static_cast<std::uint32_t const*>(in_there.data()), out_there.data(),
      [&](auto const& kernel, auto const&... args) {
        launch_cuda_and_wait({.grid = dim3(blocks), .block = dim3(threads)}, kernel, args...);
      });
  auto const found = out_there.host();
  for (std::size_t i = 0; i < found.size(); ++i) {
    expect(found[i] == on_host[i], "ring", static_cast<long long>(i));
    int const b = static_cast<int>(i) / threads, t = static_cast<int>(i) % threads;
    std::uint32_t sum = 0;
    for (int r = 0; t >= 32 && r < rounds; ++r) {
      for (int k = t - 32; k < 256; k += threads - 32)
        sum = sum * 31 + in[static_cast<std::size_t>((b * rounds + r) * 256 + k)];
    }
    expect(found[i] == sum, "ring against a loop", static_cast<long long>(i));
  }
}

int main() {
  return run("mbarrier", [] {
    test_ring<1>(5);
    test_ring<2>(9);
    test_ring<4>(3);
    test_ring<4>(30);

    std::vector<std::uint32_t> on_host(64);
    run_on_host(1, 64, ask{}, make_tensor(make_gmem_ptr(on_host.data()), Shape<_64>{}));
    device_array<std::uint32_t> out(64);
    out.poison();
    launch_cuda_and_wait({.grid = 1, .block = 64}, ask{}, make_tensor(make_gmem_ptr(out.data()), Shape<_64>{}));
    auto const found = out.host();
    for (std::uint32_t t = 0; t < 64; ++t) {
      std::uint32_t value = t % 32;
      for (std::uint32_t r = 0; r < 6; ++r) value = (value * 5 + r) * 5 + 1 + r;
      expect(found[t] == value && on_host[t] == value, "asking", t);
    }
  });
}
