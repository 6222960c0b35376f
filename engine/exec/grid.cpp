// Runs the blocks of a grid: checks the launch, hands blocks to the cores, and decides which failure is the first.
#include "engine/exec/block_runner.hpp"
#include "engine/exec/parallel_ranges.hpp"
#include "engine/exec/sanitizers.hpp"
#include "engine/exec/shuffle.hpp"
#include "tilewright/exec/checked_memory.hpp"

#include <atomic>
#include <deque>
#include <limits>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::exec {
namespace {

std::string extents_text(dim3 const& e) {
  return std::to_string(e.x) + " x " + std::to_string(e.y) + " x " + std::to_string(e.z);
}

void check_extents(char const* what, dim3 const& extents, dim3 const& most) {
  if (extents.x == 0 || extents.y == 0 || extents.z == 0) {
    throw launch_error(std::string("launch: a ") + what + " of " + extents_text(extents) +
                       " is empty; give every extent at least 1");
  }
  if (extents.x > most.x || extents.y > most.y || extents.z > most.z) {
    throw launch_error(std::string("launch: a ") + what + " of " + extents_text(extents) + " exceeds the limits of " +
                       extents_text(most) + "; use smaller extents");
  }
}

void check_cluster(launch_config const& config) {
  dim3 const& c = config.cluster;
  if (c == dim3(1, 1, 1)) return;
  check_extents("cluster", c, {max_blocks_per_cluster, max_blocks_per_cluster, max_blocks_per_cluster});
  if (volume(c) > static_cast<unsigned>(max_blocks_per_cluster)) {
    throw launch_error("launch: a cluster of " + extents_text(c) + " = " + std::to_string(volume(c)) +
                       " blocks exceeds the limit of " + std::to_string(max_blocks_per_cluster) +
                       "; use 8 blocks or fewer, which every device with clusters has");
  }
  if (config.grid.x % c.x != 0 || config.grid.y % c.y != 0 || config.grid.z % c.z != 0) {
    throw launch_error("launch: a grid of " + extents_text(config.grid) +
                       " blocks is not a whole number of clusters of " + extents_text(c) +
                       "; give each extent of the grid a multiple of the cluster's");
  }
}

void check(launch_config const& config) {
  check_extents("grid", config.grid, max_grid_extents);
  check_extents("block", config.block, max_block_extents);
  if (volume(config.block) > static_cast<unsigned>(max_threads_per_block)) {
    throw launch_error("launch: a block of " + extents_text(config.block) + " = " +
                       std::to_string(volume(config.block)) + " threads exceeds the limit of " +
                       std::to_string(max_threads_per_block) + "; use smaller blocks and more of them");
  }
  if (config.shared_limit.count < 0) {
    throw launch_error("launch: a shared_limit of " + std::to_string(config.shared_limit.count) +
                       " bytes is negative; give 0 or more");
  }
  check_cluster(config);
  if (leased_runner::any_on_this_thread()) {
    throw launch_error("launch: a kernel launches a grid of " + extents_text(config.grid) +
                       " blocks; launch it after the kernel, from the host");
  }
}

/// The failure of the lowest block, or cluster. Blocks below it still run, so the result does not depend on timing.
class first_failure {
 public:
  bool is_before(std::uint64_t block) const { return block_.load(std::memory_order_relaxed) < block; }

  void note(std::uint64_t block, std::exception_ptr failure) {
    std::lock_guard const lock(mutex_);
    if (block >= block_.load(std::memory_order_relaxed)) return;
    block_.store(block, std::memory_order_relaxed);
    failure_ = std::move(failure);
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<std::uint64_t> block_{std::numeric_limits<std::uint64_t>::max()};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

// What the thread sanitizer is shown: blocks run after their launch began and before it returns. The counters outlive
// every launch, so that their own beginning needs no order, and establish none between blocks.
[[maybe_unused]] std::atomic<int> launches{0};
[[maybe_unused]] std::atomic<int> ranges{0};

void launch_begins() {
  if constexpr (thread_sanitizer) launches.fetch_add(1, std::memory_order_release);
}
void blocks_begin() {
  if constexpr (thread_sanitizer) (void)launches.load(std::memory_order_acquire);
}
void blocks_end() {
  if constexpr (thread_sanitizer) ranges.fetch_add(1, std::memory_order_release);
}
void launch_ends() {
  if constexpr (thread_sanitizer) (void)ranges.load(std::memory_order_acquire);
}

/// The grid's extents in clusters; divisions cost more than the rest of an empty launch.
dim3 clusters_of(launch_config const& config) {
  dim3 const& grid = config.grid;
  dim3 const& cluster = config.cluster;
  if (cluster == dim3(1, 1, 1)) return grid;
  return {grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z};
}

/// One launch, as its blocks see it.
class grid_run {
 public:
  grid_run(launch_config const& config, erased_kernel kernel)
      : config_(config),
        kernel_(kernel),
        clusters_(clusters_of(config)) {}

  void run() {
    auto const clusters = volume(clusters_);
    launch_begins();
    if (clusters == 1) {
      run_range(0, 1);
    } else {
      parallel_ranges(clusters, this, [](void const* self, std::uint64_t begin, std::uint64_t end) {
        static_cast<grid_run const*>(self)->run_range(begin, end);
      });
    }
    launch_ends();
    failure_.rethrow();
  }

 private:
  void run_range(std::uint64_t begin, std::uint64_t end) const {
    blocks_begin();
    if (!failure_.is_before(begin)) {
      if (volume(config_.cluster) == 1) run_blocks(begin, end);
      else run_clusters(begin, end);
    }
    blocks_end();
  }

  void run_blocks(std::uint64_t begin, std::uint64_t end) const {
    leased_runner const runner;
    runner->prepare(config_, kernel_, nullptr);
    for (auto linear = begin; linear != end && !failure_.is_before(linear); ++linear) {
      if (auto thrown = runner->run(index_3d(linear, config_.grid))) failure_.note(linear, std::move(thrown));
    }
  }

  void run_clusters(std::uint64_t begin, std::uint64_t end) const {
    std::deque<leased_runner> leases;
    std::vector<block_runner*> blocks;
    for (unsigned rank = 0; rank < volume(config_.cluster); ++rank) {
      blocks.push_back(&*leases.emplace_back());
      blocks.back()->prepare(config_, kernel_, nullptr);
    }
    for (auto linear = begin; linear != end && !failure_.is_before(linear); ++linear) {
      cluster_state cluster;
      cluster.grid = clusters_;
      cluster.shape = config_.cluster;
      cluster.index = index_3d(linear, clusters_);
      cluster.blocks = blocks;
      for (unsigned rank = 0; rank < blocks.size(); ++rank) {
        auto const inside = index_3d(rank, cluster.shape);
        dim3 const index(cluster.index.x * cluster.shape.x + inside.x, cluster.index.y * cluster.shape.y + inside.y,
                         cluster.index.z * cluster.shape.z + inside.z);
        blocks[rank]->begin(index, rank, cluster);
      }
      if (auto thrown = run_together(cluster)) failure_.note(linear, std::move(thrown));
    }
  }

  launch_config const& config_;
  erased_kernel kernel_;
  dim3 const clusters_;
  mutable first_failure failure_;
};

}  // namespace

void run_grid(launch_config const& config, erased_kernel kernel) {
  check(config);
  grid_run(config, kernel).run();
}

void run_grid_checked(launch_config const& config, erased_kernel kernel, checked_session& session) {
  check(config);
  if (volume(config.cluster) > 1) {
    throw launch_error("launch_checked: a cluster of " + extents_text(config.cluster) +
                       " blocks runs together, which is not watched; check the kernel without a cluster, and run the "
                       "cluster under launch");
  }
  session.begin_launch();
  leased_runner const runner;
  runner->prepare(config, kernel, &session);
  auto const run_block = [&](std::uint64_t linear) {
    if (auto thrown = runner->run(index_3d(linear, config.grid))) std::rethrow_exception(thrown);
    if (auto const& report = session.first_report()) throw execution_error(*report);
  };
  auto const blocks = volume(config.grid);
  if (session.seed() == 0) {
    for (std::uint64_t linear = 0; linear < blocks; ++linear) run_block(linear);
  } else {
    std::vector<std::uint64_t> order(blocks);
    std::iota(order.begin(), order.end(), std::uint64_t(0));
    auto random = session.seed();
    shuffle(std::span(order), random);
    for (auto const linear : order) run_block(linear);
  }
}

}  // namespace tilewright::exec
