#include "engine/cuda/compiler.hpp"

#include <sys/stat.h>

#include <fmt/format.h>
#include <charconv>
#include <cstdlib>
#include <system_error>

namespace tilewright::gpu {
namespace {

/// "size time" of a file, or nothing.
std::optional<std::string> stamp_of(std::string const& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return std::nullopt;
  return fmt::format("{} {}.{:09}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

}  // namespace

// The lines: file, stamp, "major minor architecture…".
std::optional<std::string> note_of(compiler_facts const& facts) {
  auto const stamp = stamp_of(facts.library);
  if (!stamp) return std::nullopt;
  std::string out = fmt::format("{}\n{}\n{} {}", facts.library, *stamp, facts.major, facts.minor);
  for (int const architecture : facts.architectures) out += fmt::format(" {}", architecture);
  return out;
}

// Without streams: a module that carries a C++ library of its own may be loaded into a process with another one, and then
// cannot count on a stream's locale.
std::optional<compiler_facts> read_note(std::string const& note) {
  compiler_facts out;
  std::size_t const first = note.find('\n'), second = note.find('\n', first == std::string::npos ? first : first + 1);
  if (second == std::string::npos) return std::nullopt;
  out.library = note.substr(0, first);
  if (stamp_of(out.library) != note.substr(first + 1, second - first - 1)) return std::nullopt;
  std::vector<int> numbers;
  char const *at = note.data() + second + 1, *const end = note.data() + note.size();
  for (;;) {
    while (at != end && *at == ' ') ++at;
    int number = 0;
    auto const [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) break;
    numbers.push_back(number);
    at = next;
  }
  if (numbers.size() < 3) return std::nullopt;
  out.major = numbers[0], out.minor = numbers[1];
  out.architectures.assign(numbers.begin() + 2, numbers.end());
  return out;
}

std::string key_of_note(int driver_release) {
  std::string out = fmt::format("compiler of driver {}", driver_release);
  for (char const* const name :
       {"TILEWRIGHT_NVRTC", "LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV", "CONDA_PREFIX"}) {
    char const* const value = std::getenv(name);
    out += fmt::format("\n{}={}", name, value == nullptr ? "" : value);
  }
  return out;
}

std::optional<compiler_facts> run_time_compiler::facts() {
  std::lock_guard const lock(mutex_);
  if (facts_ || searched_) return facts_;
  if (auto const note = notes_.load(key_of_note(driver_release_))) facts_ = read_note(*note);
  if (!facts_) open_locked();
  return facts_;
}

nvrtc const* run_time_compiler::open() {
  std::lock_guard const lock(mutex_);
  return open_locked();
}

bool run_time_compiler::open_now() {
  std::lock_guard const lock(mutex_);
  return !searched_ && open_locked() != nullptr;
}

nvrtc const* run_time_compiler::open_locked() {
  if (searched_) return compiler_.get();
  compiler_ = find_nvrtc(driver_release_);
  searched_ = true;
  facts_ = compiler_ ? std::optional(compiler_->facts()) : std::nullopt;
  if (facts_)
    if (auto const note = note_of(*facts_)) notes_.store(key_of_note(driver_release_), *note);
  return compiler_.get();
}

}  // namespace tilewright::gpu
