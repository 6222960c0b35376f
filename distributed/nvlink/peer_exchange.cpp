#include "distributed/nvlink/peer_exchange.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace tilewright::nvlink {
namespace {

using gpu::check;

constexpr int max_target_streams = 4;
constexpr int polls_before_sleep = 20000, polls_of_a_look = 20;

bool moves(transfer const& t) { return t.elements > 0; }

}  // namespace

peer_exchange::peer_exchange(gpu::gpu_engine& engine, group const& ranks, control& meetings, rank_plan const& plan,
                             piece_sides const& sides)
    : engine_(engine),
      control_(meetings),
      plan_(plan),
      sides_(sides),
      rank_(ranks.rank),
      flags_(engine.device(), ranks, meetings) {
  gpu::gpu_device const& device = engine.device();
  agree(ranks, error_of([&] {
          gpu::current_context const scope(*device.api, device.primary);
          for (transfer const& t : plan.sends)
            if (moves(t)) targets_.push_back(t.to);
          targets_.push_back(rank_);
          memory_.resize(targets_.size());
          sides_.own_target = static_cast<int>(targets_.size()) - 1;
          int const streams = std::min(max_target_streams, static_cast<int>(targets_.size()));
          team_ = std::make_unique<stream_team>(device, streams);
        }));
}

void peer_exchange::publish_target(void* dst, gpu::stream_handle stream) {
  own_memory_ = publish(engine_.device(), dst, control_.is_between_processes(), own_memory_);
  control_.slot(rank_).target = own_memory_;
  for (transfer const& t : plan_.receives)
    if (moves(t)) flags_.tell(t.from, meeting::ready, stream);
}

void peer_exchange::start(void const* src, void* dst, gpu::stream_handle stream) {
  std::vector<void*> pointers;
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    int const rank = targets_[i];
    if (rank != rank_) memory_[i].map(engine_.device(), control_.slot(rank).target, control_.is_in_this_process(rank));
    pointers.push_back(rank == rank_ ? dst : memory_[i].pointer());
  }
  prepare(src, pointers);
  copies_->start_own(src, pointers, *team_, stream);
  for (int const rank : targets_)
    if (rank != rank_) flags_.wait(rank, meeting::ready, stream);
  copies_->start_far(src, pointers, *team_, stream);
  for (int const rank : targets_)
    if (rank != rank_) flags_.tell(rank, meeting::done, stream);
  copies_->join_own(*team_, stream);
}

/// The copies, for pointers of these alignments.
void peer_exchange::prepare(void const* src, std::vector<void*> const& pointers) {
  piece_sides sides = sides_;
  sides.src_alignment = alignment_of(src);
  sides.dst_alignment.clear();
  for (void* const p : pointers) sides.dst_alignment.push_back(alignment_of(p));
  if (copies_ && sides.src_alignment == sides_.src_alignment && sides.dst_alignment == sides_.dst_alignment) return;
  std::vector<target_piece> pieces;
  int target = 0;
  for (transfer const& t : plan_.sends) {
    if (!moves(t)) continue;
    for (exchange_piece const& p : t.pieces) pieces.push_back({target, p});
    ++target;
  }
  for (exchange_piece const& p : plan_.own.pieces) pieces.push_back({sides.own_target, p});
  copies_ = std::make_unique<piece_copies>(engine_, pieces, sides);
  sides_ = sides;
}

void peer_exchange::finish(gpu::stream_handle stream) {
  for (transfer const& t : plan_.receives)
    if (moves(t)) flags_.wait(t.from, meeting::done, stream);
}

void peer_exchange::give_up() {
  if (control_.is_lost()) flags_.release();
  else flags_.keep();
}

void peer_exchange::synchronize(gpu::stream_handle stream) {
  gpu::driver_api const& api = *engine_.device().api;
  bool const waits = control_.is_between_processes() &&
                     (targets_.size() > 1 || std::any_of(plan_.receives.begin(), plan_.receives.end(), moves));
  for (int round = 0; waits; ++round) {
    int const code = api.cuStreamQuery(stream);
    if (code != gpu::cuda_not_ready) break;  // an error is reported below
    if (round < polls_before_sleep) continue;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    if (round % polls_of_a_look != 0) continue;
    if (auto const lost = control_.look_for_ended()) {
      flags_.release();
      throw *lost;
    }
  }
  check(api, api.cuStreamSynchronize(stream), "cuStreamSynchronize", "redistribute");
}

}  // namespace tilewright::nvlink
