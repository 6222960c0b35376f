// Shared to tensor memory by one instruction (Blackwell; PTX ISA, "tcgen05.cp"): rows of 16 or 32 bytes that a matrix descriptor
// names go to lanes, 32 or 64 rows to several quarters of the lanes at once, as factors of block-scaled products need them.
// Asynchronous as a product: in order with the products of the same thread, and done when umma_arrive's barrier is.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/tcgen05.hpp"
#include "tilewright/mma/host_umma.hpp"

namespace tilewright {
namespace detail {

template <ptx::tmem_copy_shape Shape>
struct tmem_copy_rows {
  static constexpr int rows = Shape == ptx::tmem_copy_shape::l32x128b_x4 ? 32
                              : Shape == ptx::tmem_copy_shape::l4x256b   ? 4
                              : Shape == ptx::tmem_copy_shape::l128x256b || Shape == ptx::tmem_copy_shape::l128x128b
                                  ? 128
                                  : 64;
  static constexpr int bytes =
      Shape == ptx::tmem_copy_shape::l128x256b || Shape == ptx::tmem_copy_shape::l4x256b ? 32 : 16;
  /// All lanes get rows, or the rows' number of them from the address's lane on.
  static constexpr bool has_all_lanes = rows != 4;
  /// The row that a lane gets.
  TILEWRIGHT_FN static constexpr int row_of(int lane) {
    int const quarter = lane / 32;
    if constexpr (Shape == ptx::tmem_copy_shape::l64x128b_02_13) return lane % 32 + quarter % 2 * 32;
    else if constexpr (Shape == ptx::tmem_copy_shape::l64x128b_01_23) return lane % 32 + quarter / 2 * 32;
    else return lane % rows;
  }
};

#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
template <ptx::tmem_copy_shape Shape, int Blocks>
struct umma_copy_of_a_thread {
  using rows = tmem_copy_rows<Shape>;
  unsigned first_rank;
  std::uint64_t from;
  std::uint32_t to;

  void operator()() const {
    for (unsigned block = 0; block < static_cast<unsigned>(Blocks); ++block) {
      umma_reader<unsigned char, UMMA::Major::K> const reader(from, first_rank + block);
      host_tensor_memory& memory = host_thread->tensor_memory(first_rank + block);
      int const first = rows::has_all_lanes ? 0 : static_cast<int>(to >> 16);
      int const lanes = rows::has_all_lanes ? host_tensor_memory::lanes : rows::rows;
      for (int lane = first; lane < first + lanes; ++lane) {
        unsigned char row[static_cast<std::size_t>(rows::bytes)];
        reader.read_row(rows::row_of(lane - first), row);
        for (int word = 0; word < rows::bytes / 4; ++word)
          __builtin_memcpy(&memory.word(lane, static_cast<int>(to & 0xffff) + word), row + 4 * word, 4);
      }
    }
  }
};
#endif

/// pre: one thread calls copy, the one that makes the products; of two blocks, one of the block of even rank
template <ptx::tmem_copy_shape Shape, int Blocks>
struct tmem_copy_operation {
  using SRegisters = std::uint64_t[1];
  using DRegisters = std::uint32_t[1];

  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void copy(std::uint64_t const& descriptor, std::uint32_t const& address) {
#if TILEWRIGHT_ON_DEVICE
    ptx::tmem_copy<Blocks, Shape>(descriptor, address);
#elif TILEWRIGHT_HOSTED
    host_thread_services& thread = thread_of_a_warp();
    thread.matrix_products().start(umma_copy_of_a_thread<Shape, Blocks>{thread.cluster().rank, descriptor, address});
#endif
  }
};

}  // namespace detail

#define TILEWRIGHT_X(NAME, SHAPE)                                                                \
  using SM100_UTCCP_##NAME##_1cta = detail::tmem_copy_operation<ptx::tmem_copy_shape::SHAPE, 1>; \
  using SM100_UTCCP_##NAME##_2cta = detail::tmem_copy_operation<ptx::tmem_copy_shape::SHAPE, 2>;
#include "tilewright/mma/umma_copies.def"
#undef TILEWRIGHT_X

}  // namespace tilewright
