// The machine as copies see it: everything of this_machine() that costs no measurement.
#pragma once

#include "tilewright/engine/tensor_view.hpp"

namespace tilewright::engine {

/// post: bytes_per_second is 0 for a CPU
machine_model unmeasured_machine(device where, int threads);

}  // namespace tilewright::engine
