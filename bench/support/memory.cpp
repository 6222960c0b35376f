#include "bench/support/memory.hpp"

#include <sys/mman.h>
#include <cstdint>
#include <cstring>
#include <new>

namespace tilewright::bench {

void large_buffer::release() {
  if (mapped_ != nullptr) munmap(mapped_, mapped_bytes_);
  mapped_ = nullptr;
  mapped_bytes_ = 0;
}

void large_buffer::resize(std::size_t bytes) {
  std::size_t const wanted = (bytes + 2 * alignment - 1) / alignment * alignment;
  if (wanted > mapped_bytes_) {
    release();
    void* const fresh = mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED) throw std::bad_alloc();
    madvise(fresh, wanted, MADV_HUGEPAGE);  // advice: without such pages, all have small ones
    mapped_ = fresh;
    mapped_bytes_ = wanted;
    std::memset(fresh, 0, wanted);
  }
  auto const start = reinterpret_cast<std::uintptr_t>(mapped_);
  data_ = static_cast<std::byte*>(mapped_) + (alignment - start % alignment) % alignment;
  size_ = bytes;
}

void large_buffer::fill(std::byte value) { std::memset(data_, std::to_integer<int>(value), size_); }

}  // namespace tilewright::bench
