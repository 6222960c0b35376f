// The pieces of a redistribution as work of one GPU. Large pieces of whole rows that go to a peer are copies of the driver's copy
// engines, which fill the link and leave the multiprocessors to the rank's own part; other pieces that are contiguous along the
// same loop on both sides, and all small ones, are one launch of the kernel in engine/cuda/piece_copy.hpp; others, such as
// transposes, are planned copies, each a kernel of its own.
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
  /// Streams [first, end) wait for what `from` has; then `into` for what they have.
  void fork(gpu::stream_handle from, int first, int end);
  void join(gpu::stream_handle into, int first, int end);

 private:
  gpu::gpu_device const& device_;
  std::vector<gpu::stream_handle> streams_;
  std::vector<gpu::event_handle> ends_;
  gpu::event_handle begin_ = nullptr;
};

/// A power of two up to 16 that the address is a multiple of.
std::int64_t alignment_of(void const* pointer);

/// From how many bytes on which means moves a piece; measured on two H200 (docs/measurements/redistribute.md).
struct piece_limits {
  std::int64_t run_copy = 1 << 20;     // of a piece that is one run, for the driver's copy
  std::int64_t box_copy = 4 << 20;     // of one box of rows, for the driver's copy engines
  std::int64_t box_row = 256;          // of a row of a box; rows of 128 and less waste the link
  std::int64_t engine_segment = 8192;  // of a row that the engines move at once; half of it takes as long
  std::int64_t many_pieces_row = 32;   // of a row, for the kernel of many pieces
  std::int64_t planned = 256 << 10;    // of a piece that is no rows, for a kernel of its own
  std::int64_t shifted_row = 256;      // of a row that is copied by words of 16 wherever it begins
};

/// How both sides are stored, and what their addresses are multiples of.
struct piece_sides {
  int element_bits = 32;
  swizzle_value src_swizzle{}, dst_swizzle{};
  std::int64_t src_alignment = 16;
  std::vector<std::int64_t> dst_alignment;  // of each target
  int own_target = -1;                      // this rank's memory; the others are those of peers
  piece_limits limits{};
};

class piece_copies {
 public:
  /// pre: elements of 8 bits or more
  /// error: copy_error out_of_memory, device_failed; as plan_copy
  piece_copies(gpu::gpu_engine& engine, std::vector<target_piece> const& pieces, piece_sides const& sides);

  /// Three steps, each of them ordered in `stream`: what moves within this rank's memory and nothing else, beside what follows;
  /// what goes to peers; the end of both. Independent copies use the streams of the team.
  void start_own(void const* src, std::vector<void*> const& targets, stream_team& team,
                 gpu::stream_handle stream) const;
  void start_far(void const* src, std::vector<void*> const& targets, stream_team& team,
                 gpu::stream_handle stream) const;
  void join_own(stream_team& team, gpu::stream_handle stream) const;
  /// All three.
  void start(void const* src, std::vector<void*> const& targets, stream_team& team, gpu::stream_handle stream) const;
  std::int64_t table_bytes() const { return static_cast<std::int64_t>(table_.bytes()); }

 private:
  /// What the driver's copy engines move with one call.
  struct engine_copy {
    int target;
    std::int64_t src, dst;  // bytes behind the pointers
    gpu::memory_box box;    // without addresses
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
  bool add_for_engines(target_piece const& p, piece_sides const& sides);
  void start_copies(int target, void const* src, std::vector<void*> const& targets, gpu::stream_handle stream) const;
  bool has_copies(int target) const;
  bool has_far_batch() const { return tasks_ > 0 && arguments_.number[0] > 0; }
  bool has_far() const;
  bool has_own() const { return (tasks_ > 0 && !has_far_batch()) || has_copies(own_target_); }
  void start_batch(void const* src, std::vector<void*> const& targets, gpu::stream_handle stream) const;

  gpu::gpu_engine& engine_;
  std::vector<engine_copy> boxes_;
  std::vector<planned_copy> planned_;
  std::vector<gpu::copy_piece> batch_;
  int own_target_ = -1;
  std::int64_t tasks_ = 0;
  std::shared_ptr<gpu::loaded_kernel const> kernel_;
  gpu::device_memory table_;
  gpu::piece_arguments arguments_{};
};

}  // namespace tilewright::nvlink
