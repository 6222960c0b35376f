// stmatrix (PTX ISA, "Warp-level matrix store instruction: stmatrix", sm_90): ldmatrix backwards. A warp stores one, two
// or four 8x8 matrices of 16-bit elements from the fragments of its 32 threads to rows of 16 bytes in shared memory.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/matrix_fragment.hpp"

namespace tilewright {

namespace detail {

/// The instruction itself: a register of each matrix, and this thread's row.
template <int Matrices, bool Transposed>
struct stmatrix_instruction {
  using SRegisters = std::uint32_t[static_cast<std::size_t>(Matrices)];
  using DRegisters = word<128>[1];
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void store(array_of<std::uint32_t, Matrices> const& registers, word<128>& row) {
#if TILEWRIGHT_ON_DEVICE
    ptx::stmatrix<Matrices, Transposed>(&row, registers);
#elif TILEWRIGHT_HOSTED
    stmatrix_on_host<Matrices, Transposed>(&row, registers);
#endif
  }
  TILEWRIGHT_FN static void copy(std::uint32_t const& a, word<128>& row) requires(Matrices == 1) {
    std::uint32_t const registers[]{a};
    store(registers, row);
  }
  TILEWRIGHT_FN static void copy(std::uint32_t const& a, std::uint32_t const& b,
                                 word<128>& row) requires(Matrices == 2) {
    std::uint32_t const registers[]{a, b};
    store(registers, row);
  }
  TILEWRIGHT_FN static void copy(std::uint32_t const& a, std::uint32_t const& b, std::uint32_t const& c,
                                 std::uint32_t const& d, word<128>& row) requires(Matrices == 4) {
    std::uint32_t const registers[]{a, b, c, d};
    store(registers, row);
  }
};

}  // namespace detail

struct SM90_U32x1_STSM_N : detail::stmatrix_instruction<1, false> {};
struct SM90_U32x2_STSM_N : detail::stmatrix_instruction<2, false> {};
struct SM90_U32x4_STSM_N : detail::stmatrix_instruction<4, false> {};
struct SM90_U16x2_STSM_T : detail::stmatrix_instruction<1, true> {};
struct SM90_U16x4_STSM_T : detail::stmatrix_instruction<2, true> {};
struct SM90_U16x8_STSM_T : detail::stmatrix_instruction<4, true> {};

namespace detail {

template <bool Holds>
struct stmatrix_memory {
  static constexpr bool value = Holds;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "stmatrix: stores from registers to shared memory alone; tag the destination with make_smem_ptr, or "
                  "use UniversalCopy for "
                  "other memory (docs/errors.md#memory_space)");
    return invalid_layout{};
  }
};
template <bool Holds>
struct stmatrix_row {
  static constexpr bool value = Holds;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "stmatrix: a row of 16 bytes is not contiguous in the destination; let it run along the mode of stride 1, or "
        "use the transposing variant (docs/errors.md#not_contiguous_destination)");
    return invalid_layout{};
  }
};

template <int Matrices, bool Transposed>
struct stmatrix_traits {
  using ThrID = Layout<_32>;
  using SrcLayout = typename fragment_map<Matrices, Transposed>::type;
  using DstLayout = typename row_map<Matrices>::type;
  using RefLayout = SrcLayout;

  template <class Src, class Dst>
  using operands_check =
      all_hold<stmatrix_memory<is_rmem_v<typename Src::iterator> && is_smem_v<typename Dst::iterator>>,
               stmatrix_row<holds_a_whole_row<Dst>>>;

  /// pre: every thread of the warp calls it; rows aligned to 16 bytes
  TILEWRIGHT_NO_EXEC_CHECK
  template <class Src, class Dst>
  TILEWRIGHT_FN static void copy(Src const& src, Dst&& dst) {
    array_of<std::uint32_t, Matrices> registers;
    get_registers<Matrices>(src, registers);
    auto const row = untagged(recast_ptr<word<128>>(first_element(dst)));
#if TILEWRIGHT_ON_DEVICE
    ptx::stmatrix<Matrices, Transposed>(address_of_row(row), registers);
#elif TILEWRIGHT_HOSTED
    stmatrix_on_host<Matrices, Transposed>(row, registers);
#endif
  }
};

}  // namespace detail

template <>
struct Copy_Traits<SM90_U32x1_STSM_N> : detail::stmatrix_traits<1, false> {};
template <>
struct Copy_Traits<SM90_U32x2_STSM_N> : detail::stmatrix_traits<2, false> {};
template <>
struct Copy_Traits<SM90_U32x4_STSM_N> : detail::stmatrix_traits<4, false> {};
template <>
struct Copy_Traits<SM90_U16x2_STSM_T> : detail::stmatrix_traits<1, true> {};
template <>
struct Copy_Traits<SM90_U16x4_STSM_T> : detail::stmatrix_traits<2, true> {};
template <>
struct Copy_Traits<SM90_U16x8_STSM_T> : detail::stmatrix_traits<4, true> {};

}  // namespace tilewright
