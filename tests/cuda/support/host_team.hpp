// Runs one block of a kernel on the CPU with a std::thread for each of its threads, so that the host bodies of the atoms
// can be compared with the device's in a program that links nothing but the CUDA runtime.
#pragma once

#include "tilewright/exec/dim3.hpp"
#include "tilewright/exec/shared_layout.hpp"
#include "tilewright/machine/host_thread.hpp"

#include <barrier>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace tilewright::cuda_test {

struct host_team {
  struct warp {
    std::barrier<> barrier{warp_size};
    alignas(16) unsigned char slots[2][warp_size * 16];
  };
  explicit host_team(int n) : threads(n), barrier(n), warps(static_cast<std::size_t>(n / warp_size)), memory(1 << 18) {
    for (auto& w : warps) w = std::make_unique<warp>();
    shared = memory.data() + (128 - reinterpret_cast<std::uintptr_t>(memory.data()) % 128);
  }
  int threads;
  std::barrier<> barrier;
  std::vector<std::unique_ptr<warp>> warps;
  std::vector<unsigned char> memory;
  unsigned char* shared = nullptr;  // aligned as a block's shared memory is
};

class host_team_block final : public host_thread_services {
 public:
  host_team_block(host_team& team, int thread, dim3 grid, dim3 index)
      : team_(&team),
        thread_(thread),
        grid_(grid),
        index_(index) {}

  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_HOST_DEVICE int thread() const { return thread_; }
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_HOST_DEVICE int threads() const { return team_->threads; }
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_HOST_DEVICE dim3 index() const { return index_; }
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_HOST_DEVICE dim3 grid() const { return grid_; }
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_HOST_DEVICE void sync() { team_->barrier.arrive_and_wait(); }
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_HOST_DEVICE void sync_warp() { warp().barrier.arrive_and_wait(); }
  TILEWRIGHT_NO_EXEC_CHECK
  template <class T, class L>
  TILEWRIGHT_HOST_DEVICE auto shared(L const& layout_or_shape) {
    auto const layout = exec::layout_of_shared(layout_or_shape);
    unsigned const begin = exec::aligned_shared(used_);
    used_ = begin + static_cast<unsigned>(exec::bytes_of_elements<T>(static_cast<std::size_t>(cosize(layout))));
    return make_tensor(make_smem_ptr(reinterpret_cast<T*>(team_->shared + begin)), layout);
  }

  int lane() const override { return thread_ % warp_size; }
  unsigned char const* exchange(char const*, void const* mine, int bytes) override {
    unsigned char* const slots = warp().slots[half_];
    half_ ^= 1;
    std::memcpy(slots + lane() * bytes, mine, static_cast<std::size_t>(bytes));
    warp().barrier.arrive_and_wait();
    return slots;
  }
  host_async_copies& async_copies() override { return copies_; }

 private:
  host_team::warp& warp() { return *team_->warps[static_cast<std::size_t>(thread_ / warp_size)]; }

  host_team* team_;
  int thread_;
  dim3 grid_;
  dim3 index_;
  unsigned used_ = 0;
  int half_ = 0;
  host_async_copies copies_;
};

/// Every block of the grid, one after another.
/// pre: threads is a multiple of 32
template <class Kernel, class... Args>
void run_on_host(dim3 grid, int threads, Kernel const& kernel, Args const&... args) {
  for (unsigned long long b = 0; b < volume(grid); ++b) {
    host_team team(threads);
    std::vector<std::jthread> running;
    for (int t = 0; t < threads; ++t) {
      running.emplace_back([&, t] {
        host_team_block block(team, t, grid, index_3d(b, grid));
        host_thread = &block;
        kernel(block, args...);
        host_thread = nullptr;
      });
    }
  }
}

}  // namespace tilewright::cuda_test
