// Tensor memory on the CPU (Blackwell; PTX ISA, "Tensor Memory"): what a block has of it, 128 lanes of 512 columns of 32 bits,
// and which columns are taken. An address has the lane in bits 31 to 16 and the column in bits 15 to 0.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/error.hpp"
#include "tilewright/base/traits.hpp"

namespace tilewright {

#if TILEWRIGHT_HOSTED

class host_tensor_memory {
 public:
  static constexpr int lanes = 128, columns = 512, slice = 32;

  host_tensor_memory() = default;
  host_tensor_memory(host_tensor_memory const&) = delete;
  host_tensor_memory& operator=(host_tensor_memory const&) = delete;
  ~host_tensor_memory() { delete[] words_; }

  /// Takes the first `n` columns that are free and aligned to n.
  /// post: their address, or none where there is no such place now
  /// error: layout_error tmem_columns unless n is a power of two from 32 to 512; tmem_released
  bool allocate(int n, std::uint32_t& address) {
    require_columns(n);
    if (released_) raise({errc::tmem_released, n, columns});
    for (int first = 0; first < columns; first += n) {
      if (taken(first, n)) continue;
      for (int s = first / slice; s < (first + n) / slice; ++s) size_of_[s] = n;
      address = static_cast<std::uint32_t>(first);
      return true;
    }
    return false;
  }
  /// error: layout_error tmem_columns unless these columns were allocated together
  void free(std::uint32_t address, int n) {
    require_columns(n);
    auto const first = static_cast<int>(address & 0xffff);
    bool together = address >> 16 == 0 && first % n == 0 && first + n <= columns;
    for (int s = first / slice; together && s < (first + n) / slice; ++s) together = size_of_[s] == n;
    if (!together) raise({errc::tmem_columns, n, static_cast<long long>(address)});
    for (int s = first / slice; s < (first + n) / slice; ++s) size_of_[s] = 0;
  }
  /// No thread of the block will allocate again.
  void release() { released_ = true; }
  /// Columns that no one has freed.
  int allocated() const {
    int n = 0;
    for (int s : size_of_) n += s != 0 ? slice : 0;
    return n;
  }

  /// error: layout_error tmem_address where the lane or column does not exist or is not allocated
  std::uint32_t& word(int lane, int column) {
    if (lane < 0 || lane >= lanes || column < 0 || column >= columns || size_of_[column / slice] == 0)
      raise({errc::tmem_address, lane, column});
    if (words_ == nullptr) words_ = new std::uint32_t[lanes * columns]{};
    return words_[lane * columns + column];
  }

 private:
  static void require_columns(int n) {
    if (n < slice || n > columns || (n & (n - 1)) != 0) raise({errc::tmem_columns, n, columns});
  }
  bool taken(int first, int n) const {
    for (int s = first / slice; s < (first + n) / slice; ++s)
      if (size_of_[s] != 0) return true;
    return false;
  }

  std::uint32_t* words_ = nullptr;
  int size_of_[columns / slice]{};  // columns of the allocation that a slice belongs to; 0 for none
  bool released_ = false;
};

#endif

}  // namespace tilewright
