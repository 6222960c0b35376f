// archs: 75
// sanitizer: no
// What becomes of launches that fail: one exception whose sentence names the kernel and its configuration. The last one
// spoils the device for this process, as kernels that stop themselves do.
#include "support/device.hpp"
#include "tilewright/exec/launch.hpp"

#include <string>

using namespace tilewright;
using namespace tilewright::cuda_test;

struct does_nothing {
  template <class Block>
  TILEWRIGHT_HOST_DEVICE void operator()(Block&) const {}
};
struct wants_too_much {
  template <class Block, class Out>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, Out out) const {
    auto tile = shared<int>(block, Shape<_1024>{});
    tile(block.thread()) = 1;
    block.sync();
    out(block.thread()) = tile(block.threads() - 1 - block.thread());
  }
};

template <class Launch>
void expect_failure(char const* what, std::string const& begins, std::string const& holds, Launch const& start) {
  try {
    start();
    expect(false, what);
  } catch (cuda_error const& e) {
    std::string const sentence = e.what();
    bool const fits = sentence.rfind(begins, 0) == 0 && sentence.find(holds) != std::string::npos;
    if (!fits) std::printf("  %s: %s\n", what, sentence.c_str());
    expect(fits, what);
  }
}

int main() {
  return run("launches that fail", [] {
    expect_failure("too many threads",
                   "launch: kernel does_nothing on grid 3 x 1 x 1, block 1025 x 1 x 1, cluster 1 x 1 x 1, ",
                   "cudaErrorInvalid", [] { launch_cuda({.grid = 3, .block = 1025}, does_nothing{}); });
    expect_failure("too much shared memory", "launch: kernel does_nothing on grid 1 x 1 x 1, block 32 x 1 x 1, ",
                   "300000 bytes of dynamic shared memory failed with cudaErrorInvalidValue",
                   [] { launch_cuda({.grid = 1, .block = 32, .shared_bytes = {300000}}, does_nothing{}); });
    expect_failure("an empty grid", "launch: kernel does_nothing on grid 0 x 1 x 1, ", "cudaErrorInvalid",
                   [] { launch_cuda({.grid = 0, .block = 32}, does_nothing{}); });
    expect_failure("a call", "cudaMalloc failed with cudaErrorMemoryAllocation", "", [] {
      void* p = nullptr;
      check_cuda(cudaMalloc(&p, std::size_t(1) << 50), "cudaMalloc");
    });
    (void)cudaGetLastError();
    launch(1, 32, does_nothing{});  // the device still works

    device_array<int> out(32);
    auto const there = make_tensor(make_gmem_ptr(out.data()), Shape<_32>{});
    expect_failure("shared tiles larger than the launch's memory",
                   "launch: kernel wants_too_much on grid 1 x 1 x 1, block 32 x 1 x 1, cluster 1 x 1 x 1, 4000 bytes",
                   "are its shared tiles within shared_bytes", [&] {
                     launch(launch_config{.grid = 1, .block = 32, .shared_limit = {4000}}, wants_too_much{}, there);
                   });
    std::fflush(stdout);
    if (failures == 0) std::printf("launches that fail: passed (0 failures)\n");
    std::_Exit(failures == 0 ? 0 : 1);  // the destructors would meet the spoilt device
  });
}
