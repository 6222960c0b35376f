// The first runs of a large copy on a CPU try a few plans: each copies a part of the tensor while the clock runs, the fastest
// copies what is left, and after a few such runs it is kept. Where it writes past the caches and the last-level cache could hold
// what it writes, whole runs then tell whether it is faster through the caches: each in the state that it leaves them in itself.
// Every run copies every element once, whichever plans take part.
#pragma once

#include "engine/plan/cpu_ways.hpp"
#include "engine/trial.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tilewright::engine {

/// The steps [begin, end) of the loops that are shared out, the first fastest, for one of the ways; -1: for the one that has been
/// the fastest.
struct trial_part {
  std::int64_t begin = 0, end = 0;
  int way = -1;  // an index into the ways
};

class cpu_trial final : public trial {
 public:
  /// Does the plan move as much as cpu_tuning::trial_bytes, by a kernel for which there are others? Or past caches that may hold it?
  static bool is_worth_it(copy_plan const& first);

  /// `first`: the plan that is made for the request.
  cpu_trial(copy_request request, copy_plan const& first);

  /// cost: of the first run: making each plan, and what parts take that slower ones copy
  std::shared_ptr<ready_plan const> run(ready_plan const& first, void const* src, void* dst,
                                        copy_options const& options) override;

  /// The loops that are shared out: one with many steps, of which a part takes several at once, or a few with few steps, of which
  /// each step is a copy of its own.
  std::vector<std::size_t> const& loops() const { return loops_; }
  /// Their parts in the next round; empty where no loops can be shared out, or there is one way only.
  std::vector<trial_part> parts() const;
  std::vector<plan::cpu_way> const& ways() const { return ways_; }

 private:
  struct one_run;
  void prepare();
  void share_out(std::vector<std::size_t> loops, std::int64_t part_steps);
  double seconds_of(one_run& now, trial_part const& part);
  std::shared_ptr<ready_plan const> ready_for_part(trial_part const& part) const;
  std::int64_t start_of(std::int64_t step, bool source) const;
  bool is_slow(int way) const;
  int fastest() const;
  std::shared_ptr<ready_plan const> chosen() const;
  std::shared_ptr<ready_plan const> run_next(ready_plan const& first, void const* src, void* dst,
                                             copy_options const& options);
  std::shared_ptr<ready_plan const> kept_or_compared(std::shared_ptr<ready_plan const> best);
  std::shared_ptr<ready_plan const> run_finalist(void const* src, void* dst, copy_options const& options);

  copy_request request_;
  copy_plan blank_;          // the movement and the machine, without a schedule
  bool tries_ways_ = false;  // on parts of the tensor
  bool is_over_ = false;     // a plan was kept
  std::vector<plan::cpu_way> ways_;
  std::vector<double> seconds_;  // the least of each for a step of the loops
  std::vector<std::size_t> loops_;
  std::int64_t part_steps_ = 0;                                 // 0: nothing is tried
  std::vector<std::shared_ptr<ready_plan const>> ready_parts_;  // of each way, for the first part
  int rounds_ = -1, last_round_ = 2;                            // those that are done; -1: nothing is prepared
  std::vector<std::shared_ptr<ready_plan const>> finalists_;    // the best of the parts, and a plan through the caches
  std::vector<double> final_seconds_;                           // of whole runs of each
  std::mutex mutex_;
};

}  // namespace tilewright::engine
