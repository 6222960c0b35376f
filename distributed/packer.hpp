// A rank's share of a redistribution as copies: chunks of its tensor into messages, out of messages, and from its source to its
// destination. The caller sends the messages, by MPI or torch.distributed.
#pragma once

#include "distributed/chunk.hpp"
#include "tilewright/engine/copy.hpp"
#include "tilewright/layout/swizzle_value.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilewright::distributed {

/// A rank's memory.
struct memory_side {
  std::byte* pointer = nullptr;
  swizzle_value swizzle{};
  std::int64_t bytes = 0;  // that the tensor spans; one that exceeds the caches is written past them
};

class packer {
 public:
  packer(chunk_limits const& limits, memory_side const& src, memory_side const& dst, element_type element, int threads);

  /// The chunk's elements, box after box, each compact in the order of its loops. pre: `to` has chunk.bytes
  /// error: copy_error, as copy()
  void pack(chunk const& c, std::byte* to) const;
  void unpack(chunk const& c, std::byte const* from) const;
  /// From the rank's source to its destination.
  void copy_own(chunk const& c) const;

  std::byte* source(box const& b) const { return address(src_, b.src); }
  std::byte* destination(box const& b) const { return address(dst_, b.dst); }

 private:
  std::byte* address(memory_side const& side, std::int64_t offset) const;
  void copy_chunk(chunk const& c, memory_side const* src, memory_side const* dst, std::byte* packed) const;
  void copy_box(box const& b, memory_side const* src, memory_side const* dst, std::byte* packed) const;
  bool is_plain(memory_side const* side) const;
  bool has_long_runs(box const& b, memory_side const* src, memory_side const* dst) const;
  void copy_runs(chunk const& c, memory_side const* src, memory_side const* dst, std::byte* packed) const;

  chunk_limits limits_;
  memory_side src_, dst_;
  element_type element_;
  copy_options options_;
};

/// Transfers in order, each cut into chunks when the one before it is done.
class chunk_queue {
 public:
  chunk_queue(std::vector<transfer> const& all, chunk_limits const& limits) : all_(all), limits_(limits) { fetch(); }
  chunk const* front() const { return at_ < chunks_.size() ? &chunks_[at_] : nullptr; }
  chunk take() {
    chunk out = std::move(chunks_[at_]);
    if (++at_ == chunks_.size()) fetch();
    return out;
  }

 private:
  void fetch() {
    at_ = 0;
    chunks_.clear();
    while (chunks_.empty() && next_ < all_.size()) chunks_ = cut(all_[next_++], limits_);
  }

  std::vector<transfer> const& all_;
  chunk_limits limits_;
  std::size_t next_ = 0, at_ = 0;
  std::vector<chunk> chunks_;
};

}  // namespace tilewright::distributed
