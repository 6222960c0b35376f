// The run-time compiler as the engine asks for it: opened when something has to be compiled, and not to find out which
// release it is. Opening takes some 20 ms of a library of 100 MB, a kernel from the folder of kernels less; so what the
// compiler was when last opened is noted in that folder, and believed while its file is the same.
#pragma once

#include "engine/cuda/disk_cache.hpp"
#include "engine/cuda/nvrtc.hpp"

#include <memory>
#include <mutex>
#include <optional>

namespace tilewright::gpu {

/// What is noted of a compiler, with what tells whether its file is still the same; nothing for a file that is not there.
std::optional<std::string> note_of(compiler_facts const& facts);
/// Nothing for a note whose file has changed or gone.
std::optional<compiler_facts> read_note(std::string const& note);
/// The note's key: all that the search for a compiler depends on.
std::string key_of_note(int driver_release);

class run_time_compiler {
 public:
  /// `driver_release`: 13000 for CUDA 13.0.
  run_time_compiler(disk_cache const& notes, int driver_release) : notes_(notes), driver_release_(driver_release) {}

  /// Which compiler there is, none if there is none; may be remembered from another process.
  /// error: as find_nvrtc
  std::optional<compiler_facts> facts();

  /// The compiler itself, or null; after this, facts() are its own.
  nvrtc const* open();

  /// post: true where there is one and this call opened it
  bool open_now();

 private:
  nvrtc const* open_locked();

  disk_cache const& notes_;
  int driver_release_;
  std::mutex mutex_;
  std::optional<compiler_facts> facts_;
  std::unique_ptr<nvrtc const> compiler_;
  bool searched_ = false;
};

}  // namespace tilewright::gpu
