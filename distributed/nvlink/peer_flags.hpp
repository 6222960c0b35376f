// Flags by which the streams of several GPUs wait for one another. A rank's flags are in its own memory: peers write them over
// NVLink, from their streams, and its streams poll them. An event between processes takes several microseconds longer each way.
#pragma once

#include "distributed/nvlink/control.hpp"
#include "distributed/nvlink/peer_memory.hpp"
#include "engine/cuda/device_memory.hpp"

#include <cstdint>
#include <vector>

namespace tilewright::nvlink {

class peer_flags {
 public:
  /// Collective, between processes or threads of one host. `meetings` outlives the flags.
  /// error: copy_error device_failed, out_of_memory, no_device, on every rank
  peer_flags(gpu::gpu_device const& device, group const& ranks, control const& meetings);
  ~peer_flags();
  peer_flags(peer_flags const&) = delete;
  peer_flags& operator=(peer_flags const&) = delete;

  /// Each run has a number of its own; all ranks count it, those with an error as well.
  void begin_run() { ++run_; }

  /// `rank` learns, when `stream` is there, that this rank is at the meeting. Writes of the stream before are visible then.
  void tell(int rank, meeting at, gpu::stream_handle stream) const;
  /// `stream` goes on when `rank` has told that it is at the meeting.
  /// pre: `rank` has called tell() for this run, so that no stream of a process waits for work that is queued behind it
  void wait(int rank, meeting at, gpu::stream_handle stream) const;

  /// Ends all waiting, whatever the other ranks do: for when one of them has ended.
  /// pre: no further run
  void release();
  /// After an error of a run: peers may write these flags later, so that their memory is not used again.
  void keep() { is_clean_ = false; }

 private:
  gpu::device_address place(gpu::device_address base, int rank, meeting at) const;

  gpu::gpu_device const& device_;
  int rank_, size_;
  bool between_processes_, is_clean_ = true;
  std::uint32_t run_ = 0;  // flags count runs, modulo 2^32
  gpu::device_memory own_;
  std::vector<peer_memory> peers_;
};

}  // namespace tilewright::nvlink
