// One run of a rank's plan. A rank sends its chunks in order of the distance to the receiver, and receives them in order of the
// distance from the sender, with a fixed number of slots on each side, so that memory is bounded. It cannot block for ever: of
// all chunks that are not delivered yet, one of the least distance is first in line on both of its sides.
#pragma once

#include "distributed/mpi/agree.hpp"
#include "distributed/mpi/chunk.hpp"
#include "distributed/mpi/staging.hpp"
#include "tilewright/engine/copy.hpp"

#include <mpi.h>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tilewright::mpi {

/// A rank's memory.
struct memory_side {
  std::byte* pointer = nullptr;
  swizzle_value swizzle{};
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

class exchange_run {
 public:
  exchange_run(rank_plan const& plan, chunk_limits const& limits, staging& memory, memory_side const& src,
               memory_side const& dst, element_type element, int threads, MPI_Comm comm);

  /// Until everything is sent, received and copied. An error of a copy is kept and the other ranks get their messages all the
  /// same, so that none of them waits for ever.
  std::optional<copy_error> run();

  std::int64_t sent = 0, sent_directly = 0;

 private:
  struct operation {
    chunk what;
    int slot = -1;
    std::int64_t word = 0;  // a slot's number on its way
    std::function<void(operation&)> done;
  };

  bool post_receives();
  bool post_sends();
  bool copy_own();
  bool complete(bool wait);
  void start_send(chunk c, int slot);
  void start_receive(chunk c, int slot);
  void take_shared(operation& op);
  operation& track(std::unique_ptr<operation> op, MPI_Request request);

  void pack(chunk const& c, std::byte* to);
  void unpack(chunk const& c, std::byte const* from);
  std::byte* address(memory_side const& side, std::int64_t offset) const;
  void copy_box(box const& b, memory_side const* src, memory_side const* dst, std::byte* packed);

  bool is_shared(chunk const& c, int peer) const {
    return memory_.is_shared_with(peer) && !(c.src_direct && c.dst_direct);
  }

  chunk_limits limits_;
  std::vector<transfer> own_transfers_;
  chunk_queue sends_, receives_, own_;
  staging& memory_;
  memory_side src_, dst_;
  element_type element_;
  MPI_Comm comm_;
  copy_options options_;
  std::vector<int> free_send_, free_receive_;
  int direct_sends_ = 0, light_receives_ = 0;
  std::vector<MPI_Request> requests_;
  std::vector<std::unique_ptr<operation>> operations_;
  std::optional<copy_error> error_;
};

}  // namespace tilewright::mpi
