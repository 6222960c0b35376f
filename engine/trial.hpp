// The first runs of a large copy try several plans: which is the fastest no estimate tells, and every run is a whole copy
// anyway (docs/adr/0032, 0033).
#pragma once

#include "engine/plan_cache.hpp"

#include <memory>

namespace tilewright::engine {

class trial {
 public:
  trial() = default;
  trial(trial const&) = delete;
  trial& operator=(trial const&) = delete;
  virtual ~trial() = default;

  /// Copies, as run_ready() does, and learns. Runs on other threads meanwhile use the first plan.
  /// first: the plan that was made for the request, whose trial this is
  /// post: the plan to keep from now on; null: the trial goes on
  /// error: copy_error; nothing is learnt then
  virtual std::shared_ptr<ready_plan const> run(ready_plan const& first, void const* src, void* dst,
                                                copy_options const& options) = 0;
};

/// The trial of a plan that was just made for the key; null where it moves too little or there is no choice.
std::shared_ptr<trial> trial_of(plan_key const& key, copy_plan const& first);

}  // namespace tilewright::engine
