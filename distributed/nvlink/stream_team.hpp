// Streams beside the caller's, on which independent copies of one redistribution run side by side.
#pragma once

#include "engine/cuda/device.hpp"

#include <vector>

namespace tilewright::nvlink {

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

}  // namespace tilewright::nvlink
