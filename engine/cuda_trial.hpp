// The first runs of a large copy on a GPU: while the planner's kernel copies, others are compiled in the background; then each
// copies a few times while the device's clock runs, and the fastest is kept. Every run is a whole copy by one of them.
#pragma once

#include "engine/background.hpp"
#include "engine/contest.hpp"
#include "engine/trial.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace tilewright::engine {

class cuda_trial final : public trial {
 public:
  struct knobs {
    std::int64_t least_bytes = 16 << 20;  // that a copy writes
    int runs_before = 2;                  // what is made this often is made again: from then on others are compiled
    contest_rules rules{};
  };
  /// Does the plan move so much, by a kernel for which there are others?
  static bool is_worth_it(copy_plan const& first, knobs const& k);
  static bool is_worth_it(copy_plan const& first) { return is_worth_it(first, knobs()); }

  /// What makes a plan ready to run, or null where that is no choice; called in the background.
  using preparer = std::function<std::shared_ptr<gpu::prepared_copy const>(copy_plan const&)>;

  /// By the process's engine for the key's device.
  cuda_trial(plan_key key, copy_plan first);
  cuda_trial(plan_key key, copy_plan first, preparer prepare, background& worker, knobs const& k);

  /// Runs that go into a graph, and those for whose times the device has not come far enough, are of the first plan.
  /// cost: two events, some microseconds
  std::shared_ptr<ready_plan const> run(ready_plan const& first, void const* src, void* dst,
                                        copy_options const& options) override;

  /// Are all other plans compiled?
  bool is_prepared() const { return others_->done; }
  /// The plans that were, the first not among them.
  /// pre: is_prepared()
  std::size_t others() const { return others_->ready.size(); }

 private:
  struct preparation {
    plan_key key;
    copy_plan first;
    preparer prepare;
    bool has_plans = false;
    std::vector<copy_plan> plans;  // those that are not prepared yet, the last first
    std::vector<std::shared_ptr<ready_plan const>> ready;
    std::atomic<bool> done{false};  // `ready` changes no more
    bool step();
  };
  struct pending_run {
    std::size_t entrant;
    gpu::timed_run timed;
  };

  void hear();
  bool run_next(ready_plan const& first, void const* src, void* dst, copy_options const& options);
  std::shared_ptr<ready_plan const> chosen(ready_plan const& first) const;

  std::shared_ptr<preparation> others_;
  background& worker_;
  knobs knobs_;
  int runs_ = 0;
  std::optional<contest> contest_;
  std::vector<pending_run> pending_;
  std::mutex mutex_;
};

}  // namespace tilewright::engine
