// The pieces of a redistribution as work of one GPU. Pieces that are one run of bytes are copies of the driver; those that are
// contiguous along the same loop on both sides, and all small ones, are one launch of the kernel in engine/cuda/piece_copy.hpp;
// others, such as transposes, are planned copies, each a kernel of its own.
#pragma once

#include "engine/cuda/device_memory.hpp"
#include "engine/cuda/gpu_engine.hpp"
#include "engine/cuda/piece_copy.hpp"
#include "tilewright/distributed/exchange.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace tilewright::nvlink {

/// An exchange_piece on its way to destination `target`.
struct target_piece {
  int target = 0;
  exchange_piece piece;
};

/// Streams beside the caller's, and the events that join them.
class stream_team {
 public:
  stream_team(gpu::gpu_device const& device, int number);
  ~stream_team();
  stream_team(stream_team const&) = delete;
  stream_team& operator=(stream_team const&) = delete;
  int number() const { return static_cast<int>(streams_.size()); }
  gpu::stream_handle stream(int i) const { return streams_[static_cast<std::size_t>(i)]; }
  /// All of them wait for what `first` has; then `last` for what all of them have.
  void begin(gpu::stream_handle first);
  void end(gpu::stream_handle last);
  /// Streams of targets: one of the batch, then the targets in turn.
  gpu::stream_handle of_batch() const { return streams_[0]; }
  gpu::stream_handle of_target(int target) const {
    return streams_[1 + static_cast<std::size_t>(target) % (streams_.size() - 1)];
  }

 private:
  gpu::gpu_device const& device_;
  std::vector<gpu::stream_handle> streams_;
  std::vector<gpu::event_handle> ends_;
  gpu::event_handle begin_ = nullptr;
};

/// A power of two up to 16 that the address is a multiple of.
std::int64_t alignment_of(void const* pointer);

/// How both sides are stored, and what their addresses are multiples of.
struct piece_sides {
  int element_bits = 32;
  swizzle_value src_swizzle{}, dst_swizzle{};
  std::int64_t src_alignment = 16;
  std::vector<std::int64_t> dst_alignment;  // of each target
  int own_target = -1;                      // this rank's memory; the others are those of peers
};

class piece_copies {
 public:
  /// pre: elements of 8 bits or more
  /// error: copy_error out_of_memory, device_failed; as plan_copy
  piece_copies(gpu::gpu_engine& engine, std::vector<target_piece> const& pieces, piece_sides const& sides);

  /// Ordered in `stream`; in the streams of the team between, where there is more than one launch.
  void start(void const* src, std::vector<void*> const& targets, stream_team& team, gpu::stream_handle stream) const;
  std::int64_t table_bytes() const { return static_cast<std::int64_t>(table_.bytes()); }
  int launches() const { return static_cast<int>(bytes_.size() + planned_.size()) + (tasks_ > 0 ? 1 : 0); }

 private:
  struct byte_copy {
    int target;
    std::int64_t src, dst, bytes;
  };
  struct planned_copy {
    int target;
    std::int64_t src, dst;  // bytes behind the pointers
    std::shared_ptr<gpu::prepared_copy const> copy;
    unsigned shared_bytes;
  };
  void add(target_piece const& p, piece_sides const& sides);
  void add_planned(target_piece const& p, piece_sides const& sides);
  void add_to_batch(target_piece const& p, piece_sides const& sides);
  void upload();
  void start_batch(void const* src, std::vector<void*> const& targets, gpu::stream_handle stream) const;

  gpu::gpu_engine& engine_;
  std::vector<byte_copy> bytes_;
  std::vector<planned_copy> planned_;
  std::vector<gpu::copy_piece> batch_;
  int own_target_ = -1;
  std::int64_t tasks_ = 0;
  std::shared_ptr<gpu::loaded_kernel const> kernel_;
  gpu::device_memory table_;
  gpu::piece_arguments arguments_{};
};

}  // namespace tilewright::nvlink
