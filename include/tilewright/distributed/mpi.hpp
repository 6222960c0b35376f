// Redistribution over MPI. Every rank of a communicator calls with its own part of the tensor:
//   mpi::redistribute({mine.data(), parse_distributed("distribute((8,8),2,S0)")},
//                     {other.data(), parse_distributed("distribute((8,8),2,S1)")}, element_type::f32, MPI_COMM_WORLD);
// Each rank computes its own plan, packs with planned copies while messages are in flight, and sends contiguous pieces as they
// are. Every function here is collective: an error of one rank is thrown on all of them, with the rank in the sentence.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/distributed/exchange.hpp"
#include "tilewright/engine/copy.hpp"
#include "tilewright/engine/element_type.hpp"

#include <cstdint>
#include <functional>
#include <memory>

#if __has_include(<mpi.h>)
#include <mpi.h>

namespace tilewright::mpi {

struct options {
  std::int64_t staging_bytes = std::int64_t{64} << 20;  // of each rank, at most; 64 KiB or more
  int threads = 1;                                      // of each rank's copies; 0: all of the machine
  bool shared_memory = true;                            // ranks of one machine exchange packed elements through it
  /// Where a rank's source and destination share memory: refuse, or copy the rank's source first.
  on_overlap overlap = on_overlap::refuse;
  /// Called on this rank after each message with the bytes copied so far and in all; false cancels the run. The ranks still
  /// exchange their messages, without packing, so that none waits, and all of them throw copy_errc::cancelled.
  std::function<bool(std::int64_t done, std::int64_t total)> progress = {};
};

/// A redistribution that is prepared once and run any number of times.
class redistribution {
 public:
  /// Collective. All ranks give equal layouts, element and options.
  /// error: copy_error, the same on every rank: layouts that differ between ranks, more ranks than the communicator has, …
  redistribution(distributed_layout const& src, distributed_layout const& dst, element_type element, MPI_Comm comm,
                 options const& how = {});
  /// Collective.
  ~redistribution();
  redistribution(redistribution const&) = delete;
  redistribution& operator=(redistribution const&) = delete;

  /// Collective. src and dst are the rank's memory: local_span(layout, rank) elements each; null where that is 0.
  /// post:  each rank's dst holds its elements; nothing else of its memory changed
  /// error: copy_error, the same on every rank; dst is then unspecified
  void run(void const* src, void* dst);

  rank_plan const& plan() const;
  /// What the rank allocated for packing: never more than options::staging_bytes.
  std::int64_t staging_bytes() const;
  /// Bytes that run() sent to other ranks since the start, and how many of them without packing.
  std::int64_t sent_bytes() const;
  std::int64_t unpacked_bytes() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

struct const_part {
  void const* pointer = nullptr;
  distributed_layout layout;
};
struct part {
  void* pointer = nullptr;
  distributed_layout layout;
};

/// One run of a redistribution.
void redistribute(const_part const& src, part const& dst, element_type element, MPI_Comm comm, options const& how = {});

}  // namespace tilewright::mpi

#endif
