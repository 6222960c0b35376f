// Runs one block of a kernel on the CPU, or one cluster of blocks, with a std::thread for each of its threads, so that the
// host bodies of the atoms can be compared with the device's in a program that links nothing but the CUDA runtime.
#pragma once

#include "tilewright/exec/dim3.hpp"
#include "tilewright/exec/shared_layout.hpp"
#include "tilewright/machine/host_thread.hpp"

#include <barrier>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace tilewright::cuda_test {

struct host_team {
  struct warp {
    std::barrier<> barrier{warp_size};
    alignas(16) unsigned char slots[2][warp_size * 128];  // up to the registers of A and B of a matrix operation
  };
  explicit host_team(int n) : threads(n), barrier(n), warps(static_cast<std::size_t>(n / warp_size)), memory(1 << 18) {
    for (auto& w : warps) w = std::make_unique<warp>();
    shared = memory.data() + (1024 - reinterpret_cast<std::uintptr_t>(memory.data()) % 1024);
  }
  int threads;
  std::barrier<> barrier;
  std::vector<std::unique_ptr<warp>> warps;
  std::vector<unsigned char> memory;
  unsigned char* shared = nullptr;  // aligned as a block's shared memory is
};

/// The blocks that run at once.
struct host_team_cluster {
  host_team_cluster(dim3 of_blocks, int threads)
      : shape(of_blocks),
        barrier(threads * static_cast<int>(volume(shape))) {
    for (unsigned i = 0; i < volume(shape); ++i) blocks.push_back(std::make_unique<host_team>(threads));
  }
  dim3 shape;
  std::barrier<> barrier;
  std::vector<std::unique_ptr<host_team>> blocks;
  host_barrier_copies copies;
};

class host_team_block final : public host_thread_services {
 public:
  host_team_block(host_team_cluster& cluster, unsigned rank, int thread, dim3 grid, dim3 index)
      : cluster_(&cluster),
        rank_(rank),
        team_(cluster.blocks[rank].get()),
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
  TILEWRIGHT_HOST_DEVICE int cluster_rank() const { return static_cast<int>(rank_); }
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_HOST_DEVICE void cluster_sync() { cluster_->barrier.arrive_and_wait(); }
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_HOST_DEVICE void sync_warp() { warp().barrier.arrive_and_wait(); }
  TILEWRIGHT_NO_EXEC_CHECK
  template <class T, class L>
  TILEWRIGHT_HOST_DEVICE auto shared(L const& layout_or_shape) {
    auto const layout = exec::layout_of_shared(layout_or_shape);
    unsigned const begin = exec::aligned_shared(used_, exec::alignment_of_shared<L>);
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
  host_async_copies& bulk_copies() override { return bulk_copies_; }
  host_async_copies& matrix_products() override { return products_; }
  host_barrier_copies& barrier_copies() override { return cluster_->copies; }
  int thread_number() const override { return thread_; }
  bool yield(char const*) override {
    std::this_thread::yield();
    return true;
  }
  void barrier_changed(bool) override {}
  host_cluster cluster() const override {
    dim3 const& s = cluster_->shape;
    return {{grid_.x / s.x, grid_.y / s.y, grid_.z / s.z},
            {index_.x / s.x, index_.y / s.y, index_.z / s.z},
            s,
            index_3d(rank_, s),
            rank_,
            static_cast<std::uint32_t>(volume(s))};
  }
  void* map_shared(void const* own, unsigned rank) override {
    return cluster_->blocks[rank]->shared + (static_cast<unsigned char const*>(own) - team_->shared);
  }
  std::uint32_t shared_offset(void const* own) const override {
    return static_cast<std::uint32_t>(static_cast<unsigned char const*>(own) - team_->shared);
  }
  unsigned char const* read_shared(std::uint32_t offset, int) override { return team_->shared + offset; }
  unsigned char const* read_shared_of(unsigned rank, std::uint32_t offset, int bytes) override {
    if (rank != cluster().rank) raise({errc::cluster_rank, rank, cluster().blocks});
    return read_shared(offset, bytes);
  }
  /// No program of these tests has tensor memory.
  host_tensor_memory& tensor_memory(unsigned) override { raise({errc::tmem_address, 0, 0}); }
  void cluster_arrive() override { arrival_.emplace(cluster_->barrier.arrive()); }
  void cluster_wait() override {
    cluster_->barrier.wait(std::move(*arrival_));
    arrival_.reset();
  }

 private:
  host_team::warp& warp() { return *team_->warps[static_cast<std::size_t>(thread_ / warp_size)]; }

  host_team_cluster* cluster_;
  unsigned rank_;
  host_team* team_;
  int thread_;
  dim3 grid_;
  dim3 index_;
  unsigned used_ = 0;
  int half_ = 0;
  host_async_copies copies_;
  host_async_copies bulk_copies_;
  host_async_copies products_;
  std::optional<std::barrier<>::arrival_token> arrival_;
};

/// Every cluster of the grid, one after another.
/// pre: threads is a multiple of 32, the grid of the cluster
template <class Kernel, class... Args>
void run_on_host(dim3 grid, dim3 cluster, int threads, Kernel const& kernel, Args const&... args) {
  dim3 const clusters(grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z);
  for (unsigned long long c = 0; c < volume(clusters); ++c) {
    host_team_cluster team(cluster, threads);
    std::vector<std::jthread> running;
    for (unsigned rank = 0; rank < volume(cluster); ++rank) {
      dim3 const of = index_3d(c, clusters), in = index_3d(rank, cluster);
      dim3 const index(of.x * cluster.x + in.x, of.y * cluster.y + in.y, of.z * cluster.z + in.z);
      for (int t = 0; t < threads; ++t) {
        running.emplace_back([&, rank, index, t] {
          host_team_block block(team, rank, t, grid, index);
          host_thread = &block;
          kernel(block, args...);
          host_thread = nullptr;
        });
      }
    }
  }
}

/// Every block of the grid, one after another.
template <class Kernel, class... Args>
void run_on_host(dim3 grid, int threads, Kernel const& kernel, Args const&... args) {
  run_on_host(grid, dim3(1), threads, kernel, args...);
}

}  // namespace tilewright::cuda_test
