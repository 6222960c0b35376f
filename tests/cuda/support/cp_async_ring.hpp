#pragma once
// Rings of shared stages that every thread fills its part of by cp.async, whose completion arrives at mbarriers.
#include "device.hpp"
#include "host_team.hpp"
#include "tilewright/exec/launch.hpp"
#include "tilewright/tilewright.hpp"

namespace tilewright::cuda_test {

/// Every thread brings elements of each tile and reads those its neighbours brought. Counted: the barrier counts the
/// completion of each thread's copies; else each thread's own arrival, and the phase waits for the copies besides.
template <int Stages, bool Counted>
struct ring {
  static constexpr bytes shared_bytes{Stages * (1024 + 256) + 256};

  template <class Block, class In, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, In in, Out out) const {
    using load_atom = Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, std::uint32_t>;
    auto tiles = shared<std::uint32_t>(block, Shape<_256, C<Stages>>{});
    auto full = shared<std::uint64_t>(block, Shape<C<Stages>>{});
    auto empty = shared<std::uint64_t>(block, Shape<C<Stages>>{});
    int const t = block.thread(), n = block.threads();
    int const rounds = static_cast<int>(size<1>(in)), b = static_cast<int>(block.index().x);
    if (t == 0) {
      for (int s = 0; s < Stages; ++s) {
        initialize_barrier(full(s), n);
        initialize_barrier(empty(s), n);
      }
      fence_barrier_init();
    }
    block.sync();
    std::uint32_t sum = 0;
    for (int k = 0; k < rounds + Stages - 1; ++k) {
      if (k < rounds) {
        int const s = k % Stages;
        wait_barrier(empty(s), k / Stages % 2 ^ 1);
        for (int i = t; i < 64; i += n)
          copy(load_atom{}.with((i + k) % 5 != 0), local_tile(in(_, k, b), Shape<_4>{}, i),
               local_tile(tiles(_, s), Shape<_4>{}, i));
        if constexpr (Counted) {
          cpasync_barrier_arrive_noinc(full(s));
        } else {
          cpasync_barrier_arrive(full(s));
          arrive_barrier(full(s));
        }
      }
      int const r = k - (Stages - 1);
      if (r < 0) continue;
      int const s = r % Stages;
      wait_barrier(full(s), r / Stages % 2);
      for (int i = (t + 37) % n; i < 256; i += n) sum = sum * 31 + tiles(i, s);
      arrive_barrier(empty(s));
    }
    out(t, b) = sum;
  }
};

template <int Stages, bool Counted>
void test_ring(char const* name, int rounds, int threads) {
  int const blocks = 3;
  auto const n = static_cast<std::size_t>(threads * blocks);
  auto const in = random_bits<std::uint32_t>(static_cast<std::size_t>(256 * rounds * blocks), 11u + Stages);
  std::vector<std::uint32_t> on_host(n);
  alignas(16) static std::uint32_t aligned[1 << 16];
  std::copy(in.begin(), in.end(), aligned);
  auto const tensors = [&](std::uint32_t const* from, std::uint32_t* to, auto const& call) {
    call(make_tensor(make_gmem_ptr(from), make_shape(_256{}, rounds, blocks)),
         make_tensor(make_gmem_ptr(to), make_shape(threads, blocks)));
  };
  tensors(aligned, on_host.data(), [&](auto const& from, auto const& to) {
    run_on_host(dim3(static_cast<unsigned>(blocks)), threads, ring<Stages, Counted>{}, from, to);
  });
  device_array<std::uint32_t> const in_there(in);
  device_array<std::uint32_t> out_there(n);
  out_there.poison();
  tensors(in_there.data(), out_there.data(), [&](auto const& from, auto const& to) {
    launch_cuda_and_wait({.grid = dim3(static_cast<unsigned>(blocks)), .block = dim3(static_cast<unsigned>(threads))},
                         ring<Stages, Counted>{}, from, to);
  });
  auto const found = out_there.host();
  for (std::size_t i = 0; i < n; ++i) {
    expect(found[i] == on_host[i], name, static_cast<long long>(i));
    int const b = static_cast<int>(i) / threads, t = static_cast<int>(i) % threads;
    std::uint32_t sum = 0;
    for (int r = 0; r < rounds; ++r)
      for (int k = (t + 37) % threads; k < 256; k += threads)
        sum = sum * 31 + ((k / 4 + r) % 5 != 0 ? in[static_cast<std::size_t>((b * rounds + r) * 256 + k)] : 0);
    expect(found[i] == sum, name, static_cast<long long>(i));
  }
}

}  // namespace tilewright::cuda_test
