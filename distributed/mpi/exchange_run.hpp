// One run of a rank's plan. A rank sends its chunks in order of the distance to the receiver, and receives them in order of the
// distance from the sender, with a fixed number of slots on each side, so that memory is bounded. It cannot block for ever: of
// all chunks that are not delivered yet, one of the least distance is first in line on both of its sides.
#pragma once

#include "distributed/mpi/agree.hpp"
#include "distributed/mpi/staging.hpp"
#include "distributed/packer.hpp"
#include "tilewright/distributed/mpi.hpp"

#include <mpi.h>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tilewright::mpi {

class exchange_run {
 public:
  exchange_run(rank_plan const& plan, distributed::chunk_limits const& limits, staging& memory,
               distributed::memory_side const& src, distributed::memory_side const& dst, element_type element,
               options const& how, MPI_Comm comm);

  /// Until everything is sent, received and copied. An error of a copy, or that the caller cancels, is kept and the other ranks get their messages all the
  /// same, so that none of them waits for ever.
  std::optional<copy_error> run();

  std::int64_t sent = 0, sent_directly = 0;

 private:
  struct operation {
    distributed::chunk what;
    int slot = -1;
    std::int64_t word = 0;  // a slot's number on its way
    std::function<void(operation&)> done;
  };

  bool post_receives();
  bool post_sends();
  bool copy_own();
  bool complete(bool wait);
  void start_send(distributed::chunk c, int slot);
  void start_receive(distributed::chunk c, int slot);
  void take_shared(operation& op);
  operation& track(std::unique_ptr<operation> op, MPI_Request request);

  /// A copy of so many bytes, unless there was an error before.
  template <class Work>
  void attempt(std::int64_t bytes, Work const& work);

  bool is_shared(distributed::chunk const& c, int peer) const {
    return memory_.is_shared_with(peer) && !(c.src_direct && c.dst_direct);
  }

  distributed::chunk_limits limits_;
  std::vector<transfer> own_transfers_;
  distributed::chunk_queue sends_, receives_, own_;
  staging& memory_;
  distributed::packer copies_;
  MPI_Comm comm_;
  std::vector<int> free_send_, free_receive_;
  int direct_sends_ = 0, light_receives_ = 0;
  std::vector<MPI_Request> requests_;
  std::vector<std::unique_ptr<operation>> operations_;
  std::optional<copy_error> error_;
  std::function<bool(std::int64_t, std::int64_t)> progress_;
  std::int64_t copied_ = 0, total_ = 0;  // bytes of this rank
};

}  // namespace tilewright::mpi
