// A redistribution between ranks of one host that map each other's destinations.
#pragma once

#include "distributed/nvlink/control.hpp"
#include "distributed/nvlink/peer_flags.hpp"
#include "distributed/nvlink/peer_memory.hpp"
#include "distributed/nvlink/piece_copies.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace tilewright::nvlink {

class peer_exchange {
 public:
  /// Collective. `control` outlives the exchange.
  peer_exchange(gpu::gpu_engine& engine, group const& ranks, control& meetings, rank_plan const& plan,
                piece_sides const& sides);
  peer_exchange(peer_exchange const&) = delete;
  peer_exchange& operator=(peer_exchange const&) = delete;

  /// Each run on each rank begins with it.
  void begin_run() { flags_.begin_run(); }
  /// What this rank tells the others before they write. Not collective.
  void publish_target(void* dst, gpu::stream_handle stream);
  /// Between the two meetings: maps the targets that have moved, and starts all copies.
  void start(void const* src, void* dst, gpu::stream_handle stream);
  /// After the second meeting: the stream waits for those that wrote into this rank's memory.
  void finish(gpu::stream_handle stream);
  /// Waits for the stream, after finish().
  /// error: copy_error device_failed where a rank's process ends meanwhile
  void synchronize(gpu::stream_handle stream);
  /// After an error of a run.
  void give_up();
  std::int64_t table_bytes() const { return copies_ ? copies_->table_bytes() : 0; }

 private:
  void prepare(void const* src, std::vector<void*> const& pointers);

  gpu::gpu_engine& engine_;
  control& control_;
  rank_plan const& plan_;
  piece_sides sides_;
  int rank_;
  std::vector<int> targets_;  // ranks that this one sends to, itself the last
  std::vector<peer_memory> memory_;
  peer_flags flags_;
  published_memory own_memory_;
  std::unique_ptr<piece_copies> copies_;
  std::unique_ptr<stream_team> team_;
};

}  // namespace tilewright::nvlink
