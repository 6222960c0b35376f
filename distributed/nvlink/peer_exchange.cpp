#include "distributed/nvlink/peer_exchange.hpp"

#include <algorithm>

namespace tilewright::nvlink {
namespace {

using gpu::check;
using gpu::event_handle;

constexpr int max_target_streams = 4;

/// Of both events of a rank, as the others open them.
struct event_names {
  gpu::ipc_handle ready{}, done{};
  event_handle own_ready = nullptr, own_done = nullptr;
};

}  // namespace

peer_exchange::peer_exchange(gpu::gpu_engine& engine, group const& ranks, control& meetings, rank_plan const& plan,
                             piece_sides const& sides)
    : engine_(engine),
      control_(meetings),
      plan_(plan),
      sides_(sides),
      rank_(ranks.rank) {
  gpu::gpu_device const& device = engine.device();
  gpu::driver_api const& api = *device.api;
  for (int r = 0; r < ranks.size; ++r) between_processes_ |= !control_.is_in_this_process(r);
  ready_.resize(static_cast<std::size_t>(ranks.size));
  done_ = ready_;
  event_names mine;
  std::string const doing = "prepare a redistribution between GPUs";
  agree(ranks, error_of([&] {
          gpu::current_context const scope(api, device.primary);
          unsigned const flags = gpu::event_without_timing | (between_processes_ ? gpu::event_between_processes : 0U);
          check(api, api.cuEventCreate(&mine.own_ready, flags), "cuEventCreate", doing);
          check(api, api.cuEventCreate(&mine.own_done, flags), "cuEventCreate", doing);
          if (!between_processes_) return;
          check(api, api.cuIpcGetEventHandle(&mine.ready, mine.own_ready), "cuIpcGetEventHandle", doing);
          check(api, api.cuIpcGetEventHandle(&mine.done, mine.own_done), "cuIpcGetEventHandle", doing);
        }));
  std::vector<event_names> const all = gathered(ranks, mine);
  agree(ranks, error_of([&] {
          gpu::current_context const scope(api, device.primary);
          for (int r = 0; r < ranks.size; ++r) {
            auto const i = static_cast<std::size_t>(r);
            if (control_.is_in_this_process(r)) {
              ready_[i] = all[i].own_ready;
              done_[i] = all[i].own_done;
              continue;
            }
            check(api, api.cuIpcOpenEventHandle(&ready_[i], all[i].ready), "cuIpcOpenEventHandle", doing);
            check(api, api.cuIpcOpenEventHandle(&done_[i], all[i].done), "cuIpcOpenEventHandle", doing);
          }
          for (transfer const& t : plan.sends)
            if (t.elements > 0) targets_.push_back(t.to);
          targets_.push_back(rank_);
          memory_.resize(targets_.size());
          sides_.own_target = static_cast<int>(targets_.size()) - 1;
          int const streams = std::min(max_target_streams, static_cast<int>(targets_.size()));
          team_ = std::make_unique<stream_team>(device, 1 + streams);
        }));
}

peer_exchange::~peer_exchange() {
  try {
    gpu::driver_api const& api = *engine_.device().api;
    gpu::current_context const scope(api, engine_.device().primary);
    for (std::size_t r = 0; r < ready_.size(); ++r) {
      // Events of other ranks in this process are destroyed by them.
      if (static_cast<int>(r) != rank_ && control_.is_in_this_process(static_cast<int>(r))) continue;
      for (event_handle const e : {ready_[r], done_[r]})
        if (e != nullptr) api.cuEventDestroy(e);
    }
  } catch (copy_error const&) {
    // The context is lost, and its events with it.
  }
}

void peer_exchange::publish_target(void* dst, gpu::stream_handle stream) {
  gpu::driver_api const& api = *engine_.device().api;
  control_.slot(rank_).target = publish(engine_.device(), dst, between_processes_);
  check(api, api.cuEventRecord(ready_[static_cast<std::size_t>(rank_)], stream), "cuEventRecord", "redistribute");
}

void peer_exchange::start(void const* src, void* dst, gpu::stream_handle stream) {
  gpu::gpu_device const& device = engine_.device();
  gpu::driver_api const& api = *device.api;
  std::vector<void*> pointers;
  piece_sides sides = sides_;
  sides.src_alignment = alignment_of(src);
  sides.dst_alignment.clear();
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    int const rank = targets_[i];
    if (rank == rank_) pointers.push_back(dst);
    else {
      memory_[i].map(device, control_.slot(rank).target, control_.is_in_this_process(rank));
      pointers.push_back(memory_[i].pointer());
      check(api, api.cuStreamWaitEvent(stream, ready_[static_cast<std::size_t>(rank)], 0), "cuStreamWaitEvent",
            "redistribute");
    }
    sides.dst_alignment.push_back(alignment_of(pointers.back()));
  }
  if (!copies_ || sides.src_alignment != sides_.src_alignment || sides.dst_alignment != sides_.dst_alignment) {
    std::vector<target_piece> pieces;
    std::size_t i = 0;
    for (transfer const& t : plan_.sends) {
      if (t.elements == 0) continue;
      for (exchange_piece const& p : t.pieces) pieces.push_back({static_cast<int>(i), p});
      ++i;
    }
    for (exchange_piece const& p : plan_.own.pieces) pieces.push_back({sides.own_target, p});
    copies_ = std::make_unique<piece_copies>(engine_, pieces, sides);
    sides_ = sides;
  }
  copies_->start(src, pointers, *team_, stream);
  check(api, api.cuEventRecord(done_[static_cast<std::size_t>(rank_)], stream), "cuEventRecord", "redistribute");
}

void peer_exchange::finish(gpu::stream_handle stream) {
  gpu::driver_api const& api = *engine_.device().api;
  for (transfer const& t : plan_.receives)
    if (t.elements > 0)
      check(api, api.cuStreamWaitEvent(stream, done_[static_cast<std::size_t>(t.from)], 0), "cuStreamWaitEvent",
            "redistribute");
}

}  // namespace tilewright::nvlink
