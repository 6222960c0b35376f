// Memory in place of a tensor of any size while a few tiles of it are run: only the pages that are accessed exist.
// Bytes are named by their offset from the tensor's pointer.
#pragma once

#include "engine/cpu/kernels.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

namespace tilewright::cpu_engine {

class image {
 public:
  /// Offsets [first, end), and some bytes around them; offset 0 is at an address of this value modulo 64. All bytes are 0.
  /// error: std::bad_alloc
  image(std::int64_t first, std::int64_t end, std::uintptr_t address) : first_(first) {
    auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::size_t const wanted = static_cast<std::size_t>(end - first) + 2 * margin + 64;
    bytes_ = (wanted + page - 1) / page * page;
    void* const p = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
    memory_ = static_cast<byte*>(p);
    // Offset `first` is at memory_ + lead_, at the place within a line that it has in the tensor.
    auto const place = (address + static_cast<std::uintptr_t>(first)) % 64;
    lead_ = margin + (64 + place - (reinterpret_cast<std::uintptr_t>(memory_) + margin) % 64) % 64;
  }
  image(image const&) = delete;
  image& operator=(image const&) = delete;
  ~image() { munmap(memory_, bytes_); }

  byte& operator[](std::int64_t offset) { return memory_[lead_ + static_cast<std::size_t>(offset - first_)]; }
  /// The tensor's pointer, which need not be inside of the image.
  byte* pointer() const {
    return reinterpret_cast<byte*>(reinterpret_cast<std::uintptr_t>(memory_) + lead_ -
                                   static_cast<std::uintptr_t>(first_));
  }
  void clear() {
    if (bytes_ <= (std::size_t{1} << 18)) std::memset(memory_, 0, bytes_);
    else (void)madvise(memory_, bytes_, MADV_DONTNEED);
  }
  /// The bytes other than 0, those around the offsets included.
  std::int64_t count() const {
    auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> resident(bytes_ / page, 1);
    (void)mincore(memory_, bytes_, resident.data());  // a page that was never written holds zeros
    std::int64_t out = 0;
    for (std::size_t i = 0; i < resident.size(); ++i)
      if ((resident[i] & 1) != 0)
        out += std::count_if(memory_ + i * page, memory_ + (i + 1) * page, [](byte b) { return b != 0; });
    return out;
  }

 private:
  static constexpr std::size_t margin = 256;
  byte* memory_ = nullptr;
  std::size_t bytes_ = 0, lead_ = 0;
  std::int64_t first_;
};

}  // namespace tilewright::cpu_engine
