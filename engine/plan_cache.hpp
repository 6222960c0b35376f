// Plans that have been made, ready to run, by what they were made for. Many threads look up at once.
#pragma once

#include "engine/cpu/program.hpp"
#include "engine/cuda/gpu_engine.hpp"
#include "engine/overlap.hpp"
#include "tilewright/engine/copy.hpp"

#include <memory>
#include <string>

namespace tilewright::engine {

class trial;

/// A plan with what running it needs.
struct ready_plan {
  copy_plan plan;
  cpu_engine::program program;                         // on a CPU
  std::shared_ptr<gpu::prepared_copy const> prepared;  // on a GPU
  movement_reach reach;
  std::shared_ptr<engine::trial> trial;  // what the first runs of a large copy try; null after it, and for other copies
  bool was_tried = false;                // a trial chose this plan
};

/// What a plan depends on.
struct plan_key {
  copy_request request;
  device where;
  int threads = 0;
};

/// The same of given tensors, whose layouts are too large to be copied for every question.
struct plan_question {
  composed_value const& src;
  composed_value const& dst;
  int element_bits;
  std::int64_t src_alignment, dst_alignment;
  device where;
  int threads;

  plan_key key() const { return {{src, dst, element_bits, src_alignment, dst_alignment}, where, threads}; }
};

/// The key as bytes; equal keys have equal ones.
std::string text_of(plan_key const& key);

/// The plan for the question. Two threads that ask for a new one at the same time may both make it; one of them is kept.
/// cost: some 15 ns for one of the last few questions of the thread, half a microsecond for others that are there
/// error: copy_error; nothing is kept then
std::shared_ptr<ready_plan const> ready_for(plan_question const& question);

/// Puts a plan in the place of the one that is kept for the key.
void keep(plan_key const& key, std::shared_ptr<ready_plan const> plan);

/// The plan that is kept for the key, or null.
std::shared_ptr<ready_plan const> kept_for(plan_key const& key);

/// Makes a plan ready to run.
std::shared_ptr<ready_plan const> make_ready(copy_plan plan, device where);

/// The same for a plan of the CPU, which is kept for the next time.
/// cost: a comparison of plans where it is the one of this thread's last call, a hash and a comparison where it is there
/// error: copy_error; nothing is kept then
std::shared_ptr<ready_plan const> ready_on_cpu(copy_plan const& plan);

/// Runs it on tensors that do not share memory; `options` as for copy().
/// error: copy_error
void run_ready(ready_plan const& ready, void const* src, void* dst, copy_options const& options);

}  // namespace tilewright::engine
