// ldmatrix (PTX ISA, "Warp-level matrix load instruction: ldmatrix", sm_75): a warp loads one, two or four 8x8 matrices
// of 16-bit elements from shared memory into the fragments that matrix instructions take, transposing if asked. All 32
// threads take part: with the address of one row of 16 bytes each, and 32 bits of each matrix as the result.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/matrix_fragment.hpp"

namespace tilewright {

namespace detail {

/// The instruction itself: this thread's row, and a register of each matrix.
template <int Matrices, bool Transposed>
struct ldmatrix_instruction {
  using SRegisters = word<128>[1];
  using DRegisters = std::uint32_t[static_cast<std::size_t>(Matrices)];
  TILEWRIGHT_NO_EXEC_CHECK
  template <class... Register>
  requires(sizeof...(Register) == Matrices) TILEWRIGHT_FN static void copy(word<128> const& row, Register&... to) {
    array_of<std::uint32_t, Matrices> registers;
#if TILEWRIGHT_ON_DEVICE
    ptx::ldmatrix<Matrices, Transposed>(&row, registers);
#elif TILEWRIGHT_HOSTED
    ldmatrix_on_host<Matrices, Transposed>(&row, registers);
#endif
    int i = 0;
    ((to = registers[i++]), ...);
  }
};

}  // namespace detail

struct SM75_U32x1_LDSM_N : detail::ldmatrix_instruction<1, false> {};
struct SM75_U32x2_LDSM_N : detail::ldmatrix_instruction<2, false> {};
struct SM75_U32x4_LDSM_N : detail::ldmatrix_instruction<4, false> {};
struct SM75_U16x2_LDSM_T : detail::ldmatrix_instruction<1, true> {};
struct SM75_U16x4_LDSM_T : detail::ldmatrix_instruction<2, true> {};
struct SM75_U16x8_LDSM_T : detail::ldmatrix_instruction<4, true> {};

namespace detail {

template <bool Holds>
struct ldmatrix_memory {
  static constexpr bool value = Holds;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "ldmatrix: loads from shared memory to registers alone; tag the source with make_smem_ptr, or use "
                  "UniversalCopy for "
                  "other memory (docs/errors.md#memory_space)");
    return invalid_layout{};
  }
};
template <bool Holds>
struct ldmatrix_row {
  static constexpr bool value = Holds;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "ldmatrix: a row of 16 bytes is not contiguous in the source; let it run along the mode of stride 1, or "
        "use the transposing variant (docs/errors.md#not_contiguous_source)");
    return invalid_layout{};
  }
};

template <int Matrices, bool Transposed>
struct ldmatrix_traits {
  using ThrID = Layout<_32>;
  using SrcLayout = typename row_map<Matrices>::type;
  using DstLayout = typename fragment_map<Matrices, Transposed>::type;
  using RefLayout = DstLayout;

  template <class Src, class Dst>
  using operands_check =
      all_hold<ldmatrix_memory<is_smem_v<typename Src::iterator> && is_rmem_v<typename Dst::iterator>>,
               ldmatrix_row<holds_a_whole_row<Src>>>;

  /// pre: every thread of the warp calls it; rows aligned to 16 bytes
  TILEWRIGHT_NO_EXEC_CHECK
  template <class Src, class Dst>
  TILEWRIGHT_FN static void copy(Src const& src, Dst&& dst) {
    array_of<std::uint32_t, Matrices> registers;
    auto const row = untagged(recast_ptr<word<128>>(first_element(src)));
#if TILEWRIGHT_ON_DEVICE
    ptx::ldmatrix<Matrices, Transposed>(address_of_row(row), registers);
#elif TILEWRIGHT_HOSTED
    ldmatrix_on_host<Matrices, Transposed>(row, registers);
#endif
    put_registers<Matrices>(registers, dst);
  }
};

}  // namespace detail

template <>
struct Copy_Traits<SM75_U32x1_LDSM_N> : detail::ldmatrix_traits<1, false> {};
template <>
struct Copy_Traits<SM75_U32x2_LDSM_N> : detail::ldmatrix_traits<2, false> {};
template <>
struct Copy_Traits<SM75_U32x4_LDSM_N> : detail::ldmatrix_traits<4, false> {};
template <>
struct Copy_Traits<SM75_U16x2_LDSM_T> : detail::ldmatrix_traits<1, true> {};
template <>
struct Copy_Traits<SM75_U16x4_LDSM_T> : detail::ldmatrix_traits<2, true> {};
template <>
struct Copy_Traits<SM75_U16x8_LDSM_T> : detail::ldmatrix_traits<4, true> {};

}  // namespace tilewright
