// archs: 75 80 90 100
// launch on CUDA: who a thread is, the barriers, shared memory of the kernel's own size, streams and clusters.
#include "support/device.hpp"
#include "tilewright/exec/launch.hpp"
#include "tilewright/tilewright.hpp"

#include <string>

using namespace tilewright;
using namespace tilewright::cuda_test;

/// Every thread writes its own number at its own place.
struct number_threads {
  static constexpr bytes shared_bytes{0};
  template <class Block, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Out out) const {
    auto const block_number = static_cast<int>(linear_index(block.index(), block.grid()));
    auto const in_block = static_cast<int>(linear_index(block.thread_index(), block.extents()));
    out(block.thread(), block_number) = block_number * block.threads() + in_block;
  }
};

/// Reverses a block's elements through shared memory, and each warp's by its own barrier.
struct reverse {
  template <class... Args>
  constexpr bytes shared_bytes(Args const&...) const {
    return tilewright::shared_bytes<int>(Shape<C<256>>{}, Shape<C<20000>>{});
  }

  template <class Block, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Out out) const {
    auto first = shared<int>(block, Shape<C<256>>{});
    auto second = shared<int>(block, Shape<C<20000>>{});  // more than the 48 KiB that a launch has unasked
    int const t = block.thread();
    first(t) = t;
    second(19999 - t) = t;
    block.sync();
    int const a = first(255 - t), b = second(19999 - (255 - t));
    block.sync();
    first(t) = a + b;
    block.sync_warp();
    out(t, static_cast<int>(block.index().x)) = first(t / 32 * 32 + 31 - t % 32);
  }
};

/// The shared memory that a launch without a word on it has.
struct whole_default {
  template <class Block, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Out out) const {
    auto tile = shared<int>(block, Shape<C<12288>>{});
    for (int i = block.thread(); i < 12288; i += block.threads()) tile(i) = i;
    block.sync();
    out(block.thread(), 0) = tile(12287 - block.thread());
  }
};

int main() {
  return run("launch", [] {
    device_array<int> out(24 * 40);
    auto const there = make_tensor(make_gmem_ptr(out.data()), make_shape(40, 24));
    out.poison();
    launch({4, 3, 2}, dim3(5, 4, 2), number_threads{}, there);
    auto found = out.host();
    for (int i = 0; i < 24 * 40; ++i) expect(found[static_cast<std::size_t>(i)] == i, "numbers of threads", i);

    device_array<int> reversed(8 * 256);
    auto const columns = make_tensor(make_gmem_ptr(reversed.data()), make_shape(256, 8));
    cudaStream_t stream{};
    check_cuda(cudaStreamCreate(&stream), "cudaStreamCreate");
    reversed.poison();
    launch_cuda({.grid = 8, .block = 256, .stream = stream}, reverse{}, columns);
    synchronize_cuda(stream);
    found = reversed.host();
    for (int i = 0; i < 8 * 256; ++i) {
      int const t = i % 256 / 32 * 32 + 31 - i % 32;
      expect(found[static_cast<std::size_t>(i)] == 2 * (255 - t), "reversed", i);
    }
    check_cuda(cudaStreamDestroy(stream), "cudaStreamDestroy");

    device_array<int> last(256);
    launch(1, 256, whole_default{}, make_tensor(make_gmem_ptr(last.data()), make_shape(256, 1)));
    found = last.host();
    for (int i = 0; i < 256; ++i) expect(found[static_cast<std::size_t>(i)] == 12287 - i, "default shared memory", i);

    cudaDeviceProp device{};
    check_cuda(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
    if (device.major >= 9) {
      for (unsigned const blocks : {2u, 4u, 8u}) {
        reversed.poison();
        launch_cuda_and_wait({.grid = 8, .block = 256, .cluster = blocks}, reverse{}, columns);
        found = reversed.host();
        expect(found[0] == 2 * (255 - 31), "in clusters", blocks);
      }
    }
  });
}
