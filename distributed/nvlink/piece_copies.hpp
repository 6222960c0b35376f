// The pieces of a redistribution as work of one GPU. Large pieces of whole rows that go to a peer are copies of the driver's copy
// engines, which fill the link and leave the multiprocessors to the rank's own part; other pieces that are contiguous along the
// same loop on both sides, and all small ones, are one launch of the kernel in engine/cuda/piece_copy.hpp; others, such as
// transposes, are planned copies, each a kernel of its own.
#pragma once

#include "distributed/nvlink/engine_boxes.hpp"
#include "distributed/nvlink/stream_team.hpp"
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

/// A power of two up to 16 that the address is a multiple of.
std::int64_t alignment_of(void const* pointer);

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
  struct target_box {
    int target;
    engine_box box;
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
  void start_copies(int target, void const* src, std::vector<void*> const& targets, gpu::stream_handle stream) const;
  bool has_copies(int target) const;
  bool has_far_batch() const { return tasks_ > 0 && arguments_.number[0] > 0; }
  bool has_far() const;
  bool has_own() const { return (tasks_ > 0 && !has_far_batch()) || has_copies(own_target_); }
  void start_batch(void const* src, std::vector<void*> const& targets, gpu::stream_handle stream) const;

  gpu::gpu_engine& engine_;
  std::vector<target_box> boxes_;
  std::vector<planned_copy> planned_;
  std::vector<gpu::copy_piece> batch_;
  int own_target_ = -1;
  std::int64_t tasks_ = 0;
  std::shared_ptr<gpu::loaded_kernel const> kernel_;
  gpu::device_memory table_;
  gpu::piece_arguments arguments_{};
};

}  // namespace tilewright::nvlink
