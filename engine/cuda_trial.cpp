#include "engine/cuda_trial.hpp"

#include "engine/plan/cuda_ways.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

namespace tilewright::engine {
namespace {

cuda_trial::preparer preparer_for(int ordinal) {
  return [ordinal](copy_plan const& plan) -> std::shared_ptr<gpu::prepared_copy const> {
    gpu::gpu_engine& engine = gpu::engine_of(ordinal);
    if (engine.open_compiler()) background::stop_before_what_was_loaded();
    auto out = engine.prepare(plan);
    // Without a compiler all plans are one kernel.
    return out->method == gpu::copy_method::specialised ? out : nullptr;
  };
}

}  // namespace

bool cuda_trial::is_worth_it(copy_plan const& first, knobs const& k) {
  return plan::has_other_cuda_plans(first) && first.bytes / 2 >= k.least_bytes;
}

cuda_trial::cuda_trial(plan_key key, copy_plan first)
    : cuda_trial(key, std::move(first), preparer_for(key.where.ordinal), background::of_process(), knobs()) {}

cuda_trial::cuda_trial(plan_key key, copy_plan first, preparer prepare, background& worker, knobs const& k)
    : others_(std::make_shared<preparation>()),
      worker_(worker),
      knobs_(k) {
  others_->key = std::move(key);
  others_->first = std::move(first);
  others_->prepare = std::move(prepare);
}

/// One thing at a time, after which the thread may end.
bool cuda_trial::preparation::step() try {
  if (!has_plans) {
    plans = plan::other_cuda_plans(first, key.request);
    std::reverse(plans.begin(), plans.end());
    has_plans = true;
  } else {
    copy_plan one = std::move(plans.back());
    plans.pop_back();
    auto out = std::make_shared<ready_plan>();
    out->reach = reach_of(one.moves);
    out->prepared = prepare(one);
    out->plan = std::move(one);
    if (out->prepared) ready.push_back(std::move(out));
  }
  if (plans.empty()) done = true;
  return !done;
} catch (std::exception const&) {
  // A plan that cannot be prepared is no choice; the planner's goes on as it is.
  if (plans.empty()) done = true;
  return !done;
}

/// Takes the times of runs that the device has done. What cannot be asked for, since the context is gone or a kernel failed, is no
/// fault of the copy that asks: if it concerns that copy, too, its own calls say so.
void cuda_trial::hear() {
  std::erase_if(pending_, [&](pending_run const& run) {
    std::optional<double> seconds = contest::never;
    try {
      seconds = run.timed.seconds();
    } catch (copy_error const&) {}
    if (seconds) contest_->tell(run.entrant, *seconds);
    return seconds.has_value();
  });
}

/// Runs the next entrant. False if all have run, or if this one failed.
bool cuda_trial::run_next(ready_plan const& first, void const* src, void* dst, copy_options const& options) {
  auto const next = contest_->next();
  if (!next) return false;
  gpu::prepared_copy const& copy = *next == 0 ? *first.prepared : *others_->ready[*next - 1]->prepared;
  try {
    pending_.push_back({*next, gpu::timed_run(copy, src, dst, options.stream)});
  } catch (copy_error const& e) {
    if (e.code() != copy_errc::device_failed) {  // the caller's pointers or stream: every plan would refuse them
      contest_->withdraw(*next);
      throw;
    }
    contest_->tell(*next, contest::never);
    return false;
  }
  return true;
}

std::shared_ptr<ready_plan const> cuda_trial::chosen(ready_plan const& first) const {
  std::size_t const winner = contest_ ? contest_->winner() : 0;
  auto out = std::make_shared<ready_plan>(winner == 0 ? first : *others_->ready[winner - 1]);
  out->trial = nullptr;
  out->was_tried = contest_.has_value();
  if (winner != 0)
    out->plan.reasons.push_back(
        fmt::format("Of {} plans that each copied this tensor a few times, it was the fastest: {:.2f} times as fast as "
                    "the one that estimates favour.",
                    others_->ready.size() + 1, contest_->least(0) / contest_->least(winner)));
  return out;
}

std::shared_ptr<ready_plan const> cuda_trial::run(ready_plan const& first, void const* src, void* dst,
                                                  copy_options const& options) {
  std::unique_lock const lock(mutex_, std::try_to_lock);
  if (!lock || gpu::is_captured(*first.prepared->device, options.stream)) {
    run_ready(first, src, dst, options);
    return {};
  }
  if (++runs_ == knobs_.runs_before) worker_.add([all = others_] { return all->step(); });
  if (runs_ <= knobs_.runs_before || !others_->done) {
    run_ready(first, src, dst, options);
    return {};
  }
  if (others_->ready.empty()) {
    run_ready(first, src, dst, options);
    return chosen(first);
  }
  if (!contest_) contest_.emplace(others_->ready.size() + 1, knobs_.rules);
  hear();
  if (contest_->is_over()) {
    auto out = chosen(first);
    run_ready(*out, src, dst, options);
    return out;
  }
  if (!run_next(first, src, dst, options)) run_ready(first, src, dst, options);
  return {};
}

}  // namespace tilewright::engine
