// Memory that a thread keeps for the tiles it works on.
#pragma once

#include "engine/cpu/kernels.hpp"

#include <cstddef>

namespace tilewright::cpu_engine {

/// The buffer of the calling thread, at least `bytes` long, aligned to lines; it stays valid until the thread's next call.
byte* thread_buffer(std::size_t bytes);

}  // namespace tilewright::cpu_engine
