// archs: 80 100
// sass: hinted_load LDG\.\S*\.128=1 LDG\.=1 STG\.\S*\.128=1 STG\.=1 LDL=0 STL=0
// Loads and stores with every cache hint, of every width: each moves what a plain copy moves.
#include "support/device.hpp"
#include "tilewright/tilewright.hpp"

#include <cstdint>

using namespace tilewright;
using namespace tilewright::cuda_test;

/// Every thread one word; a block of 128 threads 128 words in a row.
template <class Load, class Store>
__device__ __forceinline__ void copy_words(std::uint32_t const* in, std::uint32_t* out) {
  using LoadAtom = Copy_Atom<Load, std::uint32_t>;
  using StoreAtom = Copy_Atom<Store, std::uint32_t>;
  constexpr int values = LoadAtom::NumValSrc;
  auto const loading = make_tiled_copy(LoadAtom{}, Layout<_128>{}, Layout<C<values>>{});
  auto const storing = make_tiled_copy(StoreAtom{}, Layout<_128>{}, Layout<C<values>>{});
  int const first = int(blockIdx.x) * 128 * values;
  auto const from = make_tensor(make_gmem_ptr(in + first), Shape<C<128 * values>>{});
  auto const to = make_tensor(make_gmem_ptr(out + first), Shape<C<128 * values>>{});
  auto const thr_load = loading.get_slice(int(threadIdx.x));
  auto const thr_store = storing.get_slice(int(threadIdx.x));
  auto const source = thr_load.partition_S(from);  // (Cpy, RestM)
  auto registers = make_fragment_like(source);     // (Cpy, RestM)
  copy(loading, source, registers);
  copy(storing, registers, thr_store.partition_D(to));
}

template <class Load, class Store>
__global__ void with_hints(std::uint32_t const* in, std::uint32_t* out) {
  copy_words<Load, Store>(in, out);
}
/// The instructions that `sass:` counts.
__global__ void hinted_load(std::uint32_t const* in, std::uint32_t* out) {
  copy_words<GlobalLoad<uint128_t, cache::read_only | cache::no_allocate | cache::prefetch_128>,
             GlobalStore<uint128_t, cache::streaming>>(in, out);
}

template <class Load, class Store>
void test_one(char const* what) {
  constexpr int blocks = 3;
  constexpr int values = Copy_Atom<Load, std::uint32_t>::NumValSrc;
  auto const in = random_bits<std::uint32_t>(128 * blocks * values, values);
  device_array<std::uint32_t> const from(in);
  device_array<std::uint32_t> to(in.size());
  to.poison();
  with_hints<Load, Store><<<blocks, 128>>>(from.data(), to.data());
  check_cuda(cudaGetLastError(), what);
  auto const out = to.host();
  for (std::size_t i = 0; i < in.size(); ++i) expect(out[i] == in[i], what, static_cast<long long>(i));
}

template <class S>
void test_width(char const* what) {
  test_one<GlobalLoad<S>, GlobalStore<S>>(what);
  test_one<GlobalLoad<S, cache::read_only>, GlobalStore<S, cache::streaming>>(what);
  test_one<GlobalLoad<S, cache::no_allocate>, GlobalStore<S, cache::no_allocate>>(what);
  test_one<GlobalLoad<S, cache::l2_only | cache::prefetch_64>, GlobalStore<S, cache::write_through>>(what);
  test_one<GlobalLoad<S, cache::streaming | cache::prefetch_256>, UniversalCopy<S>>(what);
  test_one<GlobalLoad<S, cache::evict_first>, GlobalStore<S, cache::evict_last>>(what);
  test_one<GlobalLoad<S, cache::read_only | cache::no_allocate | cache::evict_last | cache::prefetch_128>,
           GlobalStore<S, cache::streaming | cache::evict_first>>(what);
}

int main() {
  return run("cache hints", [] {
    test_width<word<32>>("32 bits");
    test_width<word<64>>("64 bits");
    test_width<word<128>>("128 bits");
    test_width<word<256>>("256 bits");
    test_one<UniversalCopy<uint256_t>, UniversalCopy<uint256_t>>("256 bits without hints");
    test_one<SM100_LOAD_256bit_CACHE_NOALLOCATION, SM100_STORE_256bit_CACHE_NOALLOCATION>("256 bits, not allocated");

    auto const in = random_bits<std::uint32_t>(512, 1);
    device_array<std::uint32_t> const from(in);
    device_array<std::uint32_t> to(in.size());
    hinted_load<<<1, 128>>>(from.data(), to.data());
    check_cuda(cudaGetLastError(), "hinted_load");
    expect(to.host() == in, "hinted_load");
  });
}
