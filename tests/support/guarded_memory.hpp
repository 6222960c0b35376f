// Bytes between two pages that cannot be read or written, at their very beginning or end or anywhere between: a step
// beyond them ends the test, or is seen in the bytes around them, which must stay what they are.
#pragma once

#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

namespace tilewright::tests {

class guarded_memory {
 public:
  enum class place { at_start, at_end, between };

  /// `shift` is the place within a cache line of bytes that are between.
  guarded_memory(std::vector<std::uint8_t> const& content, place where, std::size_t shift = 0) : size_(content.size()) {
    auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    inside_ = (size_ + 256 + page - 1) / page * page;
    all_ = inside_ + 2 * page;
    void* const p = mmap(nullptr, all_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
    memory_ = static_cast<std::uint8_t*>(p);
    first_ = memory_ + page;
    if (mprotect(first_, inside_, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    std::memset(first_, around, inside_);
    at_ = where == place::at_start ? 0 : where == place::at_end ? inside_ - size_ : 64 + shift % 64;
    if (size_ != 0) std::memcpy(data(), content.data(), size_);
  }
  guarded_memory(guarded_memory const&) = delete;
  guarded_memory& operator=(guarded_memory const&) = delete;
  ~guarded_memory() { munmap(memory_, all_); }

  std::uint8_t* data() const { return first_ + at_; }
  /// Are the bytes these, and those around them what they were?
  bool holds(std::vector<std::uint8_t> const& content) const {
    auto const untouched = [](std::uint8_t b) { return b == around; };
    return content.size() == size_ && std::equal(content.begin(), content.end(), data()) &&
           std::all_of(first_, first_ + at_, untouched) &&
           std::all_of(first_ + at_ + size_, first_ + inside_, untouched);
  }

 private:
  static constexpr std::uint8_t around = 0xc3;
  std::uint8_t *memory_ = nullptr, *first_ = nullptr;
  std::size_t size_, inside_ = 0, all_ = 0, at_ = 0;
};

}  // namespace tilewright::tests
