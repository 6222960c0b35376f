// How the host reads an operand of a matrix product from shared memory, as a matrix descriptor says where it is: in pieces of 16
// bytes that a swizzle spreads over rows of 16 to 128 bytes (PTX ISA, "Shared Memory Matrix Layouts").
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/machine/host_thread.hpp"

namespace tilewright::detail {

#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE

struct operand_place {
  std::uint32_t start, leading, stride, width;  // bytes; width of a row of the swizzle
  bool wide_pieces = false;                     // the swizzle moves 32 bytes at once, in groups of four rows
  int rank = -1;                                // of the block in the cluster; -1 for the own

  /// The fields that all descriptors have; what the swizzle is differs.
  static operand_place of_descriptor(std::uint64_t descriptor, std::uint32_t width) {
    return {static_cast<std::uint32_t>(descriptor & 0x3fff) << 4,
            static_cast<std::uint32_t>(descriptor >> 16 & 0x3fff) << 4,
            static_cast<std::uint32_t>(descriptor >> 32 & 0x3fff) << 4, width};
  }
  /// The 16 bytes at a byte address, after the swizzle.
  unsigned char const* piece(std::uint32_t address) const {
    std::uint32_t const bits = wide_pieces ? 3 : width / 16 - 1;  // a mask
    std::uint32_t const at = address ^ ((address >> 7 & bits) << (wide_pieces ? 5 : 4));
    return rank < 0 ? host_thread->read_shared(at, 16)
                    : host_thread->read_shared_of(static_cast<unsigned>(rank), at, 16);
  }
};

template <class T, bool KMajor>
struct operand_reader : operand_place {
  /// Elements k = 0 … K - 1 of a row, of M or N.
  template <std::size_t K>
  void read_row(int row, T (&to)[K]) const {
    auto const r = static_cast<std::uint32_t>(row);
    constexpr unsigned size = sizeof(T), per_piece = 16 / size;
    if constexpr (KMajor) {
      for (unsigned p = 0; p < K / per_piece; ++p) {
        std::uint32_t const next = width == 16 ? leading : 16;
        __builtin_memcpy(to + p * per_piece, piece(start + r % 8 * width + r / 8 * stride + p * next), 16);
      }
    } else {
      std::uint32_t const p = r / per_piece, in_row = width / 16, group = wide_pieces ? 4 : 8;
      for (unsigned k = 0; k < static_cast<unsigned>(K); ++k) {
        std::uint32_t const at = width == 16
                                     ? k % 8 * 16 + k / 8 * leading + p * stride
                                     : p % in_row * 16 + p / in_row * leading + k % group * width + k / group * stride;
        __builtin_memcpy(to + k, piece(start + at) + r % per_piece * size, size);
      }
    }
  }
};

#endif

}  // namespace tilewright::detail
