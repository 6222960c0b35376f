// The memory that all parties of a benchmark work on: pages of 2 MiB where the system gives them, all touched.
#pragma once

#include <cstddef>
#include <span>

namespace tilewright::bench {

class large_buffer {
 public:
  static constexpr std::size_t alignment = std::size_t{2} << 20;

  large_buffer() = default;
  large_buffer(large_buffer const&) = delete;
  large_buffer& operator=(large_buffer const&) = delete;
  ~large_buffer() { release(); }

  /// post: size() == bytes, data() aligned to 2 MiB; memory is mapped anew only when it has to grow
  /// error: std::bad_alloc
  void resize(std::size_t bytes);
  void fill(std::byte value);

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::span<std::byte> bytes() const { return {data_, size_}; }

 private:
  void release();

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  void* mapped_ = nullptr;
  std::size_t mapped_bytes_ = 0;
};

}  // namespace tilewright::bench
