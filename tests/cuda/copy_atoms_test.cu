// archs: 80
// Copies through shared memory by UniversalCopy and every cp.async, in all widths: on the device, and with the atoms'
// host bodies, against the source.
#include "support/device.hpp"
#include "support/host_team.hpp"
#include "tilewright/exec/block.hpp"
#include "tilewright/tilewright.hpp"

using namespace tilewright;
using namespace tilewright::cuda_test;

/// 64 × 32 elements of a block through shared memory and back, each thread taking back what others brought.
template <class T>
struct through_shared {
  static constexpr bytes shared_bytes{64 * 32 * sizeof(T)};

  template <class Block, class There, class Back, class In, class Smem, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, There there, Back back, In in, Smem smem_layout, Out out) const {
    auto const where = make_coord(static_cast<int>(block.index().x), static_cast<int>(block.index().y));
    auto const from = local_tile(in, Shape<_64, _32>{}, where);
    auto const to = local_tile(out, Shape<_64, _32>{}, where);
    auto tile = shared<T>(block, smem_layout);
    auto const bring = there.get_slice(block.thread());
    auto const take = back.get_slice(block.thread());
    copy(there, bring.partition_S(from), bring.partition_D(tile));
    cp_async_fence();
    cp_async_wait<0>();
    block.sync();
    copy(back, take.partition_S(tile), take.partition_D(to));
  }
};

/// The same with zeros where (thread + round) % 3 is not 0.
template <class T>
struct zero_fill {
  static constexpr bytes shared_bytes{64 * 32 * sizeof(T)};

  template <class Block, class Tiled, class In, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Tiled tiled, In in, Out out) const {
    auto tile = shared<T>(block, Shape<_64, _32>{});
    auto const thr = tiled.get_slice(block.thread());
    auto const from = thr.partition_S(in);
    auto moves = make_tensor<bool>(shape(take<1, 3>(from.layout())));
    for (int i = 0; i < size(moves); ++i) moves(i) = (block.thread() + i) % 3 == 0;
    copy_if(tiled, moves, from, thr.partition_D(tile));
    cp_async_wait_all();
    copy(thr.partition_S(tile), thr.partition_D(out));
  }
};

template <class T, class Call>
void compare(char const* what, std::vector<T> const& in, std::vector<T>* on_both, Call const& call, dim3 grid,
             int threads) {
  std::vector<T> on_host(in.size(), T(1));
  call([&](auto const& kernel, auto const&... args) { run_on_host(grid, threads, kernel, args...); }, in.data(),
       on_host.data());
  device_array<T> const in_there(in);
  device_array<T> out_there(in.size());
  out_there.poison();
  call([&](auto const& kernel,
           auto const&... args) { launch_cuda_and_wait({.grid = grid, .block = unsigned(threads)}, kernel, args...); },
       static_cast<T const*>(in_there.data()), out_there.data());
  *on_both = out_there.host();
  for (std::size_t i = 0; i < in.size(); ++i) expect((*on_both)[i] == on_host[i], what, static_cast<long long>(i));
}

template <class Op, class T, class Smem>
void test_copy(char const* what, Smem const& smem_layout) {
  auto const in = random_bits<T>(128 * 96, sizeof(T) + sizeof(Op));
  // 8 × 8 threads; both directions of the tile, so that threads swap elements.
  constexpr int values = Copy_Atom<Op, T>::NumValSrc > 8 ? Copy_Atom<Op, T>::NumValSrc : 8;
  auto const there =
      make_tiled_copy(Copy_Atom<Op, T>{}, Layout<Shape<C<64 / values>, C<values>>>{}, Layout<Shape<C<values>, _1>>{});
  auto const back = make_tiled_copy(Copy_Atom<UniversalCopy<T>, T>{}, Layout<Shape<_8, _8>, Stride<_8, _1>>{},
                                    Layout<Shape<_1, _2>>{});
  std::vector<T> out;
  compare(
      what, in, &out,
      [&](auto const& run, auto* from, auto* to) {
        auto const layout = Layout<Shape<_128, C<96>>>{};
        run(through_shared<T>{}, there, back, make_tensor(make_gmem_ptr(from), layout), smem_layout,
            make_tensor(make_gmem_ptr(to), layout));
      },
      dim3(2, 3), 64);
  for (std::size_t i = 0; i < in.size(); ++i) expect(out[i] == in[i], what, static_cast<long long>(i));
}

template <class Op, class T>
void test_copy(char const* what) {
  test_copy<Op, T>(what, Layout<Shape<_64, _32>>{});
  test_copy<Op, T>(what, composition(Swizzle<2, 4, 3>{}, Layout<Shape<_64, _32>>{}));
}

template <class Op, class T>
void test_zero_fill(char const* what) {
  auto const in = random_bits<T>(64 * 32, 5);
  constexpr int values = Copy_Atom<Op, T>::NumValSrc;
  auto const tiled =
      make_tiled_copy(Copy_Atom<Op, T>{}, Layout<Shape<C<64 / values>, C<values>>>{}, Layout<Shape<C<values>, _1>>{});
  std::vector<T> out;
  compare(
      what, in, &out,
      [&](auto const& run, auto* from, auto* to) {
        run(zero_fill<T>{}, tiled, make_tensor(make_gmem_ptr(from), Layout<Shape<_64, _32>>{}),
            make_tensor(make_gmem_ptr(to), Layout<Shape<_64, _32>>{}));
      },
      dim3(1), 64);
  for (int i = 0; i < 64 * 32; ++i) {
    int const thread = i % 64 / values + (64 / values) * (i / 64 % values), round = i / 64 / values;
    T const expected = (thread + round) % 3 == 0 ? in[static_cast<std::size_t>(i)] : T(0);
    expect(out[static_cast<std::size_t>(i)] == expected, what, i);
  }
}

int main() {
  return run("copy atoms", [] {
    test_copy<UniversalCopy<std::uint8_t>, std::uint8_t>("8 bits");
    test_copy<UniversalCopy<word<16>>, std::uint8_t>("16 bits of bytes");
    test_copy<UniversalCopy<word<32>>, std::uint16_t>("32 bits of halfs");
    test_copy<UniversalCopy<word<64>>, std::uint16_t>("64 bits of halfs");
    test_copy<UniversalCopy<word<128>>, std::uint8_t>("128 bits of bytes");
    test_copy<UniversalCopy<word<128>>, std::uint32_t>("128 bits of words");
    test_copy<UniversalCopy<word<128>>, std::uint64_t>("128 bits of double words");
    test_copy<AutoVectorizingCopy, std::uint32_t>("auto-vectorising");
    test_copy<SM80_CP_ASYNC_CACHEALWAYS<word<32>>, std::uint32_t>("cp.async.ca 4");
    test_copy<SM80_CP_ASYNC_CACHEALWAYS<word<64>>, std::uint16_t>("cp.async.ca 8");
    test_copy<SM80_CP_ASYNC_CACHEALWAYS<word<128>>, std::uint8_t>("cp.async.ca 16");
    test_copy<SM80_CP_ASYNC_CACHEGLOBAL<word<128>>, std::uint32_t>("cp.async.cg 16");
    test_zero_fill<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<word<32>>, std::uint32_t>("cp.async.ca 4 zero-fill");
    test_zero_fill<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<word<64>>, std::uint32_t>("cp.async.ca 8 zero-fill");
    test_zero_fill<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<word<128>>, std::uint16_t>("cp.async.ca 16 zero-fill");
    test_zero_fill<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<word<128>>, std::uint32_t>("cp.async.cg 16 zero-fill");
  });
}
