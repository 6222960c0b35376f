// archs: 80
// launch_cuda_checked: what leaves its tensor does not happen, and the first fault is thrown with block, thread and
// coordinate, in the words of launch_checked. The engine's one source that this takes is compiled in.
#include "../../engine/exec/report.cpp"
#include "support/device.hpp"
#include "tilewright/exec/cuda/launch_checked.hpp"
#include "tilewright/tilewright.hpp"

#include <string>

using namespace tilewright;
using namespace tilewright::cuda_test;

/// Through shared memory with cp.async and back by vectors, all within bounds: 64 × 32 of each block.
struct correct {
  static constexpr bytes shared_bytes{64 * 32 * 4};

  template <class Block, class In, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, In in, Out out) const {
    auto const tiler = Shape<_64, _32>{};
    auto const where = make_coord(static_cast<int>(block.index().x), static_cast<int>(block.index().y));
    auto const tiled = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, float>{},
                                       Layout<Shape<_16, _8>>{}, Layout<Shape<_4, _1>>{});
    auto const back = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_16, _8>>{},
                                      Layout<Shape<_4, _1>>{});
    auto tile = shared<float>(block, tiler);
    auto const bring = tiled.get_slice(block.thread());
    auto const take = back.get_slice(127 - block.thread());
    copy(tiled, bring.partition_S(local_tile(in, tiler, where)), bring.partition_D(tile));
    cp_async_fence();
    cp_async_wait<0>();
    block.sync();
    auto registers = make_fragment_like(take.partition_S(tile));
    copy(back, take.partition_S(tile), registers);
    for (int i = 0; i < size(registers); ++i) registers(i) += 1.0f;
    copy(back, registers, take.partition_D(local_tile(out, tiler, where)));
  }
};
/// ldmatrix from watched shared memory: rows 0 … 31, `shift` elements further.
struct load_matrices {
  static constexpr bytes shared_bytes{32 * 8 * 2};
  int shift = 0;

  template <class Block, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Out out) const {
    auto rows = shared<std::uint16_t>(block, Shape<_8, _32>{});
    for (int i = 0; i < 8; ++i) rows(i, block.thread()) = static_cast<std::uint16_t>(8 * block.thread() + i);
    block.sync();
    auto const mine = make_tensor(rows.data() + (8 * block.thread() + shift), Shape<_8>{});
    auto fragment = make_tensor<std::uint16_t>(Shape<_8>{});
    copy(Copy_Atom<SM75_U32x4_LDSM_N, std::uint16_t>{}, mine, fragment);
    for (int i = 0; i < 8; ++i) out(i, block.thread()) = fragment(i);
  }
};

/// Thread 5 of block (1,0,0) reads beyond the end; the element read is written out.
struct reads_beyond {
  template <class Block, class In, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, In in, Out out) const {
    bool const errs = block.index().x == 1 && block.thread() == 5;
    auto const beyond = make_tensor(in.data(), Shape<_1024>{});
    float const x = beyond(errs ? 130 : block.thread());
    if (errs) out(0) = x;
  }
};
/// Thread 7 writes in front of the tensor.
struct writes_before {
  template <class Block, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Out out) const {
    if (block.thread() == 7) *(out.data() + -1) = 1.0f;
    else out(block.thread()) = 2.0f;
  }
};
/// The last thread's vector of 4 overhangs by 2 elements.
struct vector_tail {
  template <class Block, class In, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, In in, Out out) const {
    auto const from = make_tensor(in.data() + 4 * block.thread(), Shape<_4>{});
    auto const to = make_tensor(out.data() + 4 * block.thread(), Shape<_4>{});
    copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, from, to);
  }
};
/// A vector of 4 that starts at element 1.
struct misaligned_vector {
  template <class Block, class In, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, In in, Out out) const {
    auto registers = make_tensor<float>(Shape<_4>{});
    copy(Copy_Atom<GlobalLoad<uint128_t, cache::read_only>, float>{},
         make_tensor(in.data() + (block.thread() == 3 ? 1 : 0), Shape<_4>{}), registers);
    if (block.thread() == 3) out(0) = registers(0);
  }
};
/// The second of two shared tensors of 32, at its element 32; what block.shared gives is watched tensor by tensor.
struct shared_overflow {
  template <class Block, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Out out) const {
    auto first = shared<int>(block, Shape<_32>{});
    auto second = shared<int>(block, Shape<_32>{});
    first(block.thread()) = 1;
    second(block.thread()) = 2;
    block.sync();
    auto const longer = make_tensor(second.data(), Shape<_64>{});
    longer(block.thread() + (block.thread() == 31 ? 1 : 0)) = 3;
    block.sync();
    out(block.thread()) = first(block.thread());
  }
};
/// A shared tensor that the launch has no room for.
struct shared_beyond_launch {
  template <class Block, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Out out) const {
    auto tile = shared<int>(block, Shape<_256>{});
    tile(block.thread()) = 1;
    tile(32 + block.thread()) = 1;
    out(block.thread()) = tile(block.thread());
  }
};

template <class Launch>
void expect_fault(char const* what, fault kind, dim3 block, int thread, std::string const& sentence,
                  Launch const& start) {
  try {
    start();
    expect(false, what);
  } catch (execution_error const& e) {
    execution_report const& r = e.report();
    bool const fits = r.kind == kind && r.block == block && r.thread == thread && e.what() == sentence;
    if (!fits) std::printf("  %s: %s\n", what, e.what());
    expect(fits, what);
  }
}

template <int N>
auto tensor_on(device_array<float> const& values) {
  return make_tensor(make_gmem_ptr(values.data()), Shape<C<N>>{});
}

int main() {
  return run("checked launches", [] {
    auto const in = random_bits<std::uint32_t>(128 * 96, 4);
    std::vector<float> numbers(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) numbers[i] = static_cast<float>(in[i] % 1000);
    device_array<float> const from(numbers);
    device_array<float> to(numbers.size());
    to.poison();
    auto const whole = Layout<Shape<_128, C<96>>>{};
    launch_cuda_checked({.grid = {2, 3}, .block = 128}, correct{},
                        make_tensor(make_gmem_ptr(static_cast<float const*>(from.data())), whole),
                        make_tensor(make_gmem_ptr(to.data()), whole));
    auto found = to.host();
    for (std::size_t i = 0; i < in.size(); ++i)
      expect(found[i] == numbers[i] + 1.0f, "a correct kernel", static_cast<long long>(i));

    device_array<std::uint16_t> fragments(256);
    auto const by_thread = make_tensor(make_gmem_ptr(fragments.data()), Shape<_8, _32>{});
    launch_cuda_checked({.grid = 1, .block = 32}, load_matrices{}, by_thread);
    auto const loaded = fragments.host();
    for (int t = 0; t < 32; ++t)
      for (int v = 0; v < 8; ++v)
        expect(loaded[static_cast<std::size_t>(8 * t + v)] == 64 * (v / 2) + 8 * (t / 4) + 2 * (t % 4) + v % 2,
               "ldmatrix", 8 * t + v);
    expect_fault("ldmatrix beyond the tile", fault::out_of_bounds, {0, 0, 0}, 31,
                 "out_of_bounds: thread 31 of block (0,0,0) accesses offset 256 (byte 512) of shared memory 0, which "
                 "is outside of it",
                 [&] { launch_cuda_checked({.grid = 1, .block = 32}, load_matrices{8}, by_thread); });

    device_array<float> out(128);
    auto const target = tensor_on<128>(out);
    auto const source = tensor_on<128>(from);  // of 128 × 96: what lies beyond is memory all the same
    out.poison();
    expect_fault("a read beyond", fault::out_of_bounds, {1, 0, 0}, 5,
                 "out_of_bounds: thread 5 of block (1,0,0) accesses offset 130 (byte 520) of argument 0, which is "
                 "outside of it",
                 [&] { launch_cuda_checked({.grid = 2, .block = 128}, reads_beyond{}, source, target); });
    expect(out.host()[0] == 0.0f, "a read beyond gives zero");

    auto const inner = make_tensor(make_gmem_ptr(out.data() + 32), Shape<_32>{});
    out = std::vector<float>(128, 9.0f);
    expect_fault("a write before", fault::out_of_bounds, {0, 0, 0}, 7,
                 "out_of_bounds: thread 7 of block (0,0,0) accesses offset -1 (byte -4) of argument 0, which is "
                 "outside of it",
                 [&] { launch_cuda_checked({.grid = 1, .block = 32}, writes_before{}, inner); });
    found = out.host();
    expect(found[31] == 9.0f && found[32] == 2.0f && found[39] == 9.0f && found[64] == 9.0f,
           "a write before is dropped");

    out = std::vector<float>(128, 9.0f);
    expect_fault("a vector's tail", fault::out_of_bounds, {0, 0, 0}, 31,
                 "out_of_bounds: thread 31 of block (0,0,0) accesses offset 126 (byte 504) of argument 1, which is "
                 "outside of it",
                 [&] { launch_cuda_checked({.grid = 1, .block = 32}, vector_tail{}, source, tensor_on<126>(out)); });
    found = out.host();
    expect(found[123] == numbers[123] && found[124] == 9.0f && found[127] == 9.0f, "a vector's tail is dropped");

    expect_fault(
        "a misaligned vector", fault::misaligned, {0, 0, 0}, 3,
        "misaligned: thread 3 of block (0,0,0) accesses coordinate (1), offset 1 (byte 4) of argument 0 with a "
        "type of stricter alignment",
        [&] { launch_cuda_checked({.grid = 1, .block = 32}, misaligned_vector{}, source, target); });
    expect(out.host()[0] == 0.0f, "a misaligned read gives zero");

    device_array<int> ints(32);
    auto const numbers_there = make_tensor(make_gmem_ptr(ints.data()), Shape<_32>{});
    expect_fault("a shared tensor's end", fault::out_of_bounds, {0, 0, 0}, 31,
                 "out_of_bounds: thread 31 of block (0,0,0) accesses offset 32 (byte 128) of shared memory 1, which "
                 "is outside of it",
                 [&] { launch_cuda_checked({.grid = 1, .block = 32}, shared_overflow{}, numbers_there); });
    expect(ints.host()[31] == 1, "other shared tensors stay as they are");
    expect_fault("more shared memory than the launch has", fault::out_of_bounds, {0, 0, 0}, 0,
                 "out_of_bounds: thread 0 of block (0,0,0) accesses offset 32 (byte 128) of shared memory 0, which "
                 "is outside of it",
                 [&] {
                   launch_cuda_checked({.grid = 1, .block = 1, .shared_bytes = {128}}, shared_beyond_launch{},
                                       numbers_there);
                 });
    launch_cuda_checked({.grid = 1, .block = 32}, shared_beyond_launch{}, numbers_there);  // with the default's 48 KiB
  });
}
