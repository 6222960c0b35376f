#include "engine/trial.hpp"

#include "engine/cpu_trial.hpp"
#include "engine/cuda_trial.hpp"

#include <cstdlib>
#include <string_view>

namespace tilewright::engine {

std::shared_ptr<trial> trial_of(plan_key const& key, copy_plan const& first) {
  // A switch for whole processes, as the folder of kernels has one: what a plan is must not depend on a measurement there.
  char const* const wanted = std::getenv("TILEWRIGHT_TRIALS");
  if (wanted != nullptr && std::string_view(wanted) == "none") return nullptr;
  if (cpu_trial::is_worth_it(first)) return std::make_shared<cpu_trial>(key.request, first);
  if (cuda_trial::is_worth_it(first)) return std::make_shared<cuda_trial>(key, first);
  return nullptr;
}

}  // namespace tilewright::engine
