// Redistribution between GPUs. Every rank calls with its own part of the tensor, in the memory of its GPU:
//   nvlink::redistribution job(rows, columns, element_type::f32, ranks, 0);  // plans once; `ranks` is an MPI communicator, threads, …
//   job.run(mine, other, stream);                                            // ordered in the stream
// Ranks of one host map the destinations of their peers. One kernel of each rank then reads local memory and stores straight into
// the peers, without staging and without packing. Where peers cannot be mapped, packed elements are sent by NCCL.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/distributed/exchange.hpp"
#include "tilewright/engine/element_type.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::nvlink {

/// The ranks of a redistribution, and how they exchange a few bytes on the host while one is prepared.
struct group {
  int rank = 0, size = 1;
  /// Collective: each rank gives `bytes` bytes and gets those of all ranks, in their order.
  std::function<void(void const* mine, void* all, std::size_t bytes)> all_gather = {};
};

/// Ranks that are threads of this process, one of each.
std::vector<group> groups_of_threads(int ranks);

enum class transport : int {
  automatic = 0,  // peers where all of them can be mapped, else nccl
  peers = 1,
  nccl = 2,
};

struct options {
  transport by = transport::automatic;
  std::int64_t staging_bytes = std::int64_t{64} << 20;  // of packed elements, with nccl alone; 64 KiB or more
  double timeout_seconds = 60;                          // that a rank waits for the call of another
};

/// A redistribution that is prepared once and run any number of times.
class redistribution {
 public:
  /// Collective. All ranks give equal layouts, element and options, each its own CUDA device.
  /// error: copy_error, the same on every rank: layouts that differ between ranks, no such device, peers that cannot be reached, …
  redistribution(distributed_layout const& src, distributed_layout const& dst, element_type element, group const& ranks,
                 int ordinal, options const& how = {});
  ~redistribution();
  redistribution(redistribution const&) = delete;
  redistribution& operator=(redistribution const&) = delete;

  /// Collective. src and dst are memory of the rank's device: local_span(layout, rank) elements each; null where that is 0. The
  /// call returns when all ranks have called; what it started is ordered in the stream, a CUstream, on every rank: no rank
  /// writes dst before this rank's stream is there, and the stream goes on when dst is complete. Null: the default stream,
  /// and the call waits for it.
  /// pre:   dst is not freed before the next run, or the end of the object: peers keep it mapped
  /// error: copy_error, the same on every rank; dst is then unspecified. A rank that has ended, or does not call within the
  ///        timeout, is an error of all others, and the redistribution cannot be run again
  void run(void const* src, void* dst, void* stream = nullptr);

  /// Collective, in place of run() on a rank that has found an error of its own: throws it on every rank.
  void refuse(std::string const& sentence);

  rank_plan const& plan() const;
  transport used() const;
  /// What the rank allocated on its device besides tables: 0 between peers.
  std::int64_t staging_bytes() const;
  /// Of the tables of pieces on the device.
  std::int64_t table_bytes() const;
  /// Bytes that run() sent to other ranks since the start.
  std::int64_t sent_bytes() const;

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

/// One run of a redistribution, which waits for the stream: peers unmap the destination after it.
void redistribute(const_part const& src, part const& dst, element_type element, group const& ranks, int ordinal,
                  void* stream = nullptr, options const& how = {});

}  // namespace tilewright::nvlink
