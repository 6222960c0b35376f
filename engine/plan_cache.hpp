// Plans that have been made, ready to run, by what they were made for. Many threads look up at once.
#pragma once

#include "engine/cpu/program.hpp"
#include "engine/cuda/gpu_engine.hpp"
#include "tilewright/engine/copy.hpp"

#include <memory>
#include <string>

namespace tilewright::engine {

/// A plan with what running it needs.
struct ready_plan {
  copy_plan plan;
  cpu_engine::program program;                         // on a CPU
  std::shared_ptr<gpu::prepared_copy const> prepared;  // on a GPU
};

/// What a plan depends on.
struct plan_key {
  copy_request request;
  device where;
  int threads = 0;
};

/// The key as bytes; equal keys have equal ones.
std::string text_of(plan_key const& key);

/// The plan for the key. Two threads that ask for a new one at the same time may both make it; one of them is kept.
/// cost: less than a microsecond when it is there
/// error: copy_error; nothing is kept then
std::shared_ptr<ready_plan const> ready_for(plan_key const& key);

/// Puts a plan in the place of the one that is kept for the key.
void keep(plan_key const& key, std::shared_ptr<ready_plan const> plan);

/// Makes a plan ready to run.
std::shared_ptr<ready_plan const> make_ready(copy_plan plan, device where);

}  // namespace tilewright::engine
