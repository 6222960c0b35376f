// What the ranks of a redistribution tell each other: at its start through the caller's group, in each run through memory that
// the processes of one host share. A run has two meetings, `ready` and `done`, at which each rank publishes its errors, so that all
// of them throw the same one.
#pragma once

#include "distributed/error_of.hpp"
#include "engine/cuda/driver.hpp"
#include "tilewright/distributed/nvlink.hpp"
#include "tilewright/plan/copy_error.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace tilewright::nvlink {

/// Collective. What each rank gives, by rank.
template <class T>
std::vector<T> gathered(group const& ranks, T const& mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(static_cast<std::size_t>(ranks.size));
  if (ranks.size == 1) all[0] = mine;
  else ranks.all_gather(&mine, all.data(), sizeof(T));
  return all;
}

/// Collective. Does nothing when no rank has an error; else throws that of the lowest rank that has one, on every rank.
void agree(group const& ranks, std::optional<copy_error> const& mine);

/// A destination as its rank publishes it.
struct published_memory {
  std::uint64_t pointer = 0, base = 0, bytes = 0, buffer = 0;
  gpu::ipc_handle handle{};
  std::int32_t ordinal = 0;
  bool is_exported = false;
  friend bool operator==(published_memory const&, published_memory const&) = default;
};

enum class meeting : int { ready = 0, done = 1 };

/// One rank's part of the shared memory.
struct alignas(64) rank_slot {
  std::atomic<std::uint64_t> run[2];  // the last one that the rank has published, of each meeting
  std::int32_t code[2];
  char text[2][400];
  published_memory target;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

class control {
 public:
  /// Collective. pre: all ranks are processes, or threads, of one host
  /// error: copy_error device_failed, on every rank
  control(group const& ranks, double timeout_seconds);
  ~control();
  control(control const&) = delete;
  control& operator=(control const&) = delete;

  rank_slot& slot(int rank) const { return slots_[rank]; }
  int process_of(int rank) const { return processes_[static_cast<std::size_t>(rank)]; }
  bool is_in_this_process(int rank) const;
  /// Is a rank in another process than this one?
  bool is_between_processes() const;

  /// This rank is at the meeting of its next run, with or without an error; then waits for all others.
  /// post: the error of the lowest rank that has one
  std::optional<copy_error> meet(meeting at, std::optional<copy_error> const& mine);

  /// A rank has ended or did not come; all later meetings fail.
  bool is_lost() const { return lost_.has_value(); }
  /// The sentence of a rank whose process has ended, if there is one. cost: a system call for each rank
  std::optional<copy_error> look_for_ended();

 private:
  std::optional<copy_error> wait_for(int rank, meeting at);

  int rank_, size_;
  double timeout_seconds_;
  rank_slot* slots_ = nullptr;
  std::vector<int> processes_;
  std::uint64_t runs_[2] = {0, 0};
  std::optional<copy_error> lost_;  // a rank ended, or did not come: nothing more is possible
};

/// A text that is the same in all processes of one host, and of no other.
std::string host_name();

}  // namespace tilewright::nvlink
