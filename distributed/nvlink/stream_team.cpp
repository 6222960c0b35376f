#include "distributed/nvlink/stream_team.hpp"

namespace tilewright::nvlink {

using gpu::check;
using gpu::current_context;

stream_team::stream_team(gpu::gpu_device const& device, int number) : device_(device) {
  gpu::driver_api const& api = *device.api;
  current_context const scope(api, device.primary);
  std::string const doing = "prepare a redistribution";
  for (int i = 0; i < number; ++i) {
    gpu::stream_handle stream = nullptr;
    check(api, api.cuStreamCreate(&stream, gpu::stream_non_blocking), "cuStreamCreate", doing);
    streams_.push_back(stream);
    gpu::event_handle event = nullptr;
    check(api, api.cuEventCreate(&event, gpu::event_without_timing), "cuEventCreate", doing);
    ends_.push_back(event);
  }
  check(api, api.cuEventCreate(&begin_, gpu::event_without_timing), "cuEventCreate", doing);
}

stream_team::~stream_team() {
  try {
    current_context const scope(*device_.api, device_.primary);
    for (gpu::stream_handle const s : streams_) {
      device_.api->cuStreamSynchronize(s);
      device_.api->cuStreamDestroy(s);
    }
    for (gpu::event_handle const e : ends_) device_.api->cuEventDestroy(e);
    if (begin_ != nullptr) device_.api->cuEventDestroy(begin_);
  } catch (copy_error const&) {
    // The context is lost, and its streams with it.
  }
}

void stream_team::fork(gpu::stream_handle from, int first, int end) {
  if (first >= end) return;
  gpu::driver_api const& api = *device_.api;
  check(api, api.cuEventRecord(begin_, from), "cuEventRecord", "start a redistribution");
  for (int i = first; i < end; ++i)
    check(api, api.cuStreamWaitEvent(stream(i), begin_, 0), "cuStreamWaitEvent", "start a redistribution");
}

void stream_team::join(gpu::stream_handle into, int first, int end) {
  gpu::driver_api const& api = *device_.api;
  for (int i = first; i < end; ++i) {
    gpu::event_handle const event = ends_[static_cast<std::size_t>(i)];
    check(api, api.cuEventRecord(event, stream(i)), "cuEventRecord", "end a redistribution");
    check(api, api.cuStreamWaitEvent(into, event, 0), "cuStreamWaitEvent", "end a redistribution");
  }
}

}  // namespace tilewright::nvlink
