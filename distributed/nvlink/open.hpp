// redistribution on a device that the caller opened, for tests on a driver without a GPU.
#pragma once

#include "distributed/nvlink/engine_boxes.hpp"
#include "engine/cuda/gpu_engine.hpp"
#include "tilewright/distributed/nvlink.hpp"

#include <memory>

namespace tilewright::nvlink {

/// As redistribution's constructor and run(); the engine outlives it.
class engine_redistribution {
 public:
  engine_redistribution(distributed_layout const& src, distributed_layout const& dst, element_type element,
                        group const& ranks, std::function<gpu::gpu_engine&()> const& engine, options const& how,
                        piece_limits const& limits = {});
  ~engine_redistribution();
  engine_redistribution(engine_redistribution const&) = delete;
  engine_redistribution& operator=(engine_redistribution const&) = delete;
  void run(void const* src, void* dst, void* stream, std::string const* refusal = nullptr);

  struct state;
  state const& facts() const { return *state_; }

 private:
  std::unique_ptr<state> state_;
};

}  // namespace tilewright::nvlink
