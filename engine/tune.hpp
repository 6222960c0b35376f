// Measuring the best few plans on the given tensors and remembering which was fastest, in this process and on disk.
#pragma once

#include "engine/plan_cache.hpp"

namespace tilewright::engine {

/// post: the plan is kept for the key; the destination holds the copied elements
/// cost: a few runs of each candidate, the first time for a key on a machine
std::shared_ptr<ready_plan const> tuned(plan_key const& key, void const* src, void* dst);

}  // namespace tilewright::engine
