// Memory that a thread keeps for the tiles it works on.
#pragma once

#include "engine/cpu/kernels.hpp"

#include <cstddef>

namespace tilewright::cpu_engine {

/// Whose buffer it is: a kernel's, or that of one whose tiles other kernels copy.
enum class buffer_user { kernel, around_kernels };

/// The buffer of the calling thread, at least `bytes` long, aligned to lines; it stays valid until the thread's next call for the same user.
byte* thread_buffer(std::size_t bytes, buffer_user user = buffer_user::kernel);

}  // namespace tilewright::cpu_engine
