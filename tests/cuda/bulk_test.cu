// archs: 90
// Bulk copies between global and shared memory, whole tensors and stated widths, in all layouts that share a run of 16
// bytes: on the device, and with the host bodies, against the source. Prefetches and
// cache hints only have to be harmless.
#include "support/device.hpp"
#include "support/host_team.hpp"
#include "tilewright/exec/launch.hpp"
#include "tilewright/tilewright.hpp"

using namespace tilewright;
using namespace tilewright::cuda_test;

/// A block's tile to shared memory, each element plus 1 by another thread, and back.
template <class Atom, TMA::CacheHintSm90... Hint>
struct there_and_back {
  template <class In, class Smem, class... Rest>
  TILEWRIGHT_HOST_DEVICE constexpr bytes shared_bytes(In const&, Smem const& smem, Rest const&...) const {
    return bytes{tilewright::shared_bytes<typename Atom::ValType>(smem).count + 128};
  }

  template <class Block, class In, class Smem, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, In in, Smem smem_layout, Out out) const {
    using T = typename Atom::ValType;
    auto tile = shared<T>(block, smem_layout);
    auto bar = shared<std::uint64_t>(block, Shape<_1>{});
    int const t = block.thread(), b = static_cast<int>(block.index().x);
    auto const from = in(_, _, b);
    auto to = out(_, _, b);
    if (t == 0) {
      initialize_barrier(bar(0));
      fence_barrier_init();
      bulk_prefetch(from, Hint...);
    }
    block.sync();
    if (t < 32 && elect_one_sync()) {
      set_barrier_transaction_bytes(bar(0), static_cast<std::uint32_t>(size(tile) * sizeof(T)));
      copy(Atom{}.with(bar(0), Hint...), from, tile);
    }
    wait_barrier(bar(0), 0);
    for (int i = t; i < static_cast<int>(size(tile)); i += block.threads()) tile(i) = static_cast<T>(tile(i) + T(1));
    tma_store_fence();
    block.sync();
    if (t < 32 && elect_one_sync()) {
      Copy_Atom<SM90_BULK_COPY_AUTO, T> const store{};
      if constexpr (sizeof...(Hint) == 0) copy(store, tile, to);
      else copy(store.with(Hint...), tile, to);
      tma_store_arrive();
      tma_store_wait<0>();
    }
  }
};

template <class Atom, TMA::CacheHintSm90... Hint, class Gmem, class Smem>
void test(char const* what, Gmem const& layout, Smem const& smem) {
  using T = typename Atom::ValType;
  int const blocks = 5;
  auto const n = static_cast<std::size_t>(cosize(layout));
  auto const whole = append(layout, make_layout(blocks, static_cast<int>(n)));  // (M, N, block)
  auto const in = random_bits<T>(n * blocks, n + sizeof(T));
  std::vector<T> on_host(n * blocks, T(9));
  alignas(128) static T in_copy[1 << 16], out_copy[1 << 16];
  std::copy(in.begin(), in.end(), in_copy);
  std::copy(on_host.begin(), on_host.end(), out_copy);
  run_on_host(dim3(blocks), 64, there_and_back<Atom, Hint...>{},
              make_tensor(make_gmem_ptr(static_cast<T const*>(in_copy)), whole), smem,
              make_tensor(make_gmem_ptr(static_cast<T*>(out_copy)), whole));
  device_array<T> const in_there(in);
  device_array<T> out_there(on_host);
  launch_cuda_and_wait({.grid = dim3(blocks), .block = 64}, there_and_back<Atom, Hint...>{},
                       make_tensor(make_gmem_ptr(static_cast<T const*>(in_there.data())), whole), smem,
                       make_tensor(make_gmem_ptr(out_there.data()), whole));
  auto const found = out_there.host();
  for (std::size_t i = 0; i < found.size(); ++i) expect(found[i] == out_copy[i], what, static_cast<long long>(i));
  for (int i = 0; i < static_cast<int>(size(whole)); ++i) {
    auto const at = static_cast<std::size_t>(whole(i));
    expect(found[at] == static_cast<T>(in[at] + T(1)), what, i);
  }
}

template <class T>
using whole = Copy_Atom<SM90_BULK_COPY_AUTO, T>;

int main() {
  return run("bulk copies", [] {
    test<whole<std::uint8_t>>("16 bytes", Layout<Shape<_16, _1>>{}, Layout<Shape<_16, _1>>{});
    test<whole<std::uint8_t>>("4112 bytes", Layout<Shape<_16, C<257>>>{}, Layout<Shape<_16, C<257>>>{});
    test<whole<std::uint32_t>>("columns", Layout<Shape<_64, _32>>{}, Layout<Shape<_64, _32>>{});
    test<whole<std::uint32_t>>("rows", Layout<Shape<_64, _32>, Stride<_32, _1>>{},
                               Layout<Shape<_64, _32>, Stride<_32, _1>>{});
    test<whole<std::uint32_t>>("a run for each column", Layout<Shape<_64, _32>, Stride<_1, C<96>>>{},
                               Layout<Shape<_64, _32>>{});
    test<whole<std::uint16_t>>("padded shared memory", Layout<Shape<_8, _16>, Stride<_16, _1>>{},
                               Layout<Shape<_8, _16>, Stride<C<24>, _1>>{});
    test<whole<std::uint16_t>>("swizzled shared memory", Layout<Shape<_64, _8>>{},
                               composition(Swizzle<3, 3, 3>{}, Layout<Shape<_64, _8>>{}));
    test<Copy_Atom<SM90_BULK_COPY_G2S, std::uint64_t>>("loads by name", Layout<Shape<_32, _8>>{},
                                                       Layout<Shape<_32, _8>>{});
    test<Copy_Atom<Copy_Traits<SM90_BULK_COPY_G2S, C<2048>>, std::uint32_t>>(
        "2048 bits at once", Layout<Shape<_64, _32>>{}, Layout<Shape<_64, _32>>{});
    test<whole<std::uint32_t>, TMA::CacheHintSm90::EVICT_FIRST>("evicted first", Layout<Shape<_64, _32>>{},
                                                                Layout<Shape<_64, _32>>{});
    test<whole<std::uint32_t>, TMA::CacheHintSm90::EVICT_LAST>(
        "evicted last", Layout<Shape<_64, _32>, Stride<_1, C<96>>>{}, Layout<Shape<_64, _32>>{});
    test<Copy_Atom<Copy_Traits<SM90_BULK_COPY_G2S, C<2048>>, std::uint32_t>, TMA::CacheHintSm90::EVICT_NORMAL>(
        "2048 bits at once, evicted as ever", Layout<Shape<_64, _32>>{}, Layout<Shape<_64, _32>>{});
  });
}
