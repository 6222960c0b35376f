// Descriptors of Blackwell's products (PTX ISA, "tcgen05 shared memory descriptor" and "instruction descriptor"): 64 bits
// that say where an operand starts in shared memory, how far its pieces are apart and how they are swizzled, and 32 bits that
// say what the instruction multiplies.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tensor/in_a_byte.hpp"

namespace tilewright::UMMA {

/// The mode that is contiguous: the product's inner one (K), or the rows of A and columns of B (MN).
enum class Major : std::uint8_t { K = 0, MN = 1 };
/// The sign of A or of B.
enum class ScaleIn : std::uint8_t { One = 0, Neg = 1 };
/// D = A·B (Zero) or D = A·B + D (One).
enum class ScaleOut : std::uint8_t { Zero = 0, One = 1 };
/// Of 8-bit integers: do sums end at the largest and the smallest number?
enum class Saturate : std::uint8_t { False = 0, True = 1 };
/// The bytes that a swizzle spreads over the banks; BASE32B: in pieces of 32 bytes, not 16.
enum class LayoutType : std::uint8_t {
  SWIZZLE_NONE = 0,
  SWIZZLE_128B_BASE32B = 1,
  SWIZZLE_128B = 2,
  SWIZZLE_64B = 4,
  SWIZZLE_32B = 6,
};
/// Types of A and B, by the kind of instruction, and of D.
enum class F16F32Format : std::uint8_t { F16 = 0, BF16 = 1, TF32 = 2 };
enum class S8Format : std::uint8_t { UINT8 = 0, INT8 = 1 };
enum class MXF8F6F4Format : std::uint8_t { E4M3 = 0, E5M2 = 1, E2M3 = 3, E3M2 = 4, E2M1 = 5, INVALID = 7 };
enum class MXF4Format : std::uint8_t { E2M1 = 1 };
enum class CFormat : std::uint8_t { F16 = 0, F32 = 1, S32 = 2 };
/// The factors of block-scaled products.
enum class ScaleFormat : std::uint8_t { UE4M3 = 0, UE8M0 = 1 };
/// Rows by which the instructions of one warp may shift A.
enum class MaxShift : std::uint8_t { NoShift = 0, MaxShift8 = 1, MaxShift16 = 2, MaxShift32 = 3 };

TILEWRIGHT_FN constexpr char const* to_string(LayoutType t) {
  switch (t) {
    case LayoutType::SWIZZLE_NONE: return "SWIZZLE_NONE";
    case LayoutType::SWIZZLE_128B_BASE32B: return "SWIZZLE_128B_BASE32B";
    case LayoutType::SWIZZLE_128B: return "SWIZZLE_128B";
    case LayoutType::SWIZZLE_64B: return "SWIZZLE_64B";
    case LayoutType::SWIZZLE_32B: return "SWIZZLE_32B";
  }
  return "?";
}

/// An operand in shared memory. Addresses and offsets count in 16 bytes; version_ is 1 on Blackwell.
union SmemDescriptor {
  std::uint64_t desc_ = 0;
  TILEWRIGHT_EXTENSION struct {
    std::uint16_t start_address_ : 14;
    std::uint16_t : 2;
    std::uint16_t leading_byte_offset_ : 14;
    std::uint16_t : 2;
    std::uint16_t stride_byte_offset_ : 14;
    std::uint16_t version_ : 2;
    std::uint8_t : 1;
    std::uint8_t base_offset_ : 3;
    std::uint8_t lbo_mode_ : 1;
    std::uint8_t : 3;
    std::uint8_t : 5;
    std::uint8_t layout_type_ : 3;
  };
  TILEWRIGHT_EXTENSION struct { std::uint32_t lo, hi; };

  TILEWRIGHT_FN constexpr operator std::uint64_t() const noexcept { return desc_; }
};

/// An instruction. n_dim_ counts in 8 columns, m_dim_ in 16 rows.
union InstrDescriptor {
  std::uint32_t desc_;
  TILEWRIGHT_EXTENSION struct {
    std::uint16_t sparse_id2_ : 2;
    std::uint16_t sparse_flag_ : 1;
    std::uint16_t saturate_ : 1;
    std::uint16_t c_format_ : 2;
    std::uint16_t : 1;
    std::uint16_t a_format_ : 3;
    std::uint16_t b_format_ : 3;
    std::uint16_t a_negate_ : 1;
    std::uint16_t b_negate_ : 1;
    std::uint16_t a_major_ : 1;
    std::uint16_t b_major_ : 1;
    std::uint16_t n_dim_ : 6;
    std::uint16_t : 1;
    std::uint16_t m_dim_ : 5;
    std::uint16_t : 1;
    std::uint16_t max_shift_ : 2;
  };

  TILEWRIGHT_FN constexpr explicit operator std::uint32_t() const noexcept { return desc_; }
};

/// A block-scaled product (PTX ISA, "Instruction descriptor" of the kinds mxf8f6f4, mxf4 and mxf4nvf4). The factors' ids say
/// which of the bytes of a column of tensor memory has them; k_size_: of mxf4, 0 for K = 64, 1 for K = 96.
union InstrDescriptorBlockScaled {
  std::uint32_t desc_;
  TILEWRIGHT_EXTENSION struct {
    std::uint16_t sparse_id2_ : 2;
    std::uint16_t sparse_flag_ : 1;
    std::uint16_t : 1;
    std::uint16_t b_sf_id_ : 2;
    std::uint16_t : 1;
    std::uint16_t a_format_ : 3;
    std::uint16_t b_format_ : 3;
    std::uint16_t a_negate_ : 1;
    std::uint16_t b_negate_ : 1;
    std::uint16_t a_major_ : 1;
    std::uint16_t b_major_ : 1;
    std::uint16_t n_dim_ : 6;
    std::uint16_t scale_format_ : 1;
    std::uint16_t m_dim_ : 5;
    std::uint16_t a_sf_id_ : 2;
    std::uint16_t k_size_ : 1;
  };

  TILEWRIGHT_FN constexpr explicit operator std::uint32_t() const noexcept { return desc_; }
};

using tilewright::in_a_byte;

namespace detail {
template <class T>
TILEWRIGHT_FN constexpr std::uint32_t bits(T value, int at) {
  return static_cast<std::uint32_t>(value) << at;
}
}  // namespace detail

/// The three bits of a type of A or B. float_e2m1_t is that of the kinds of four bits; in a byte of its own it has another.
template <class T>
TILEWRIGHT_FN constexpr std::uint8_t to_format_bits() {
  if constexpr (std::is_same_v<T, half_t>) return static_cast<std::uint8_t>(F16F32Format::F16);
  else if constexpr (std::is_same_v<T, bfloat16_t>) return static_cast<std::uint8_t>(F16F32Format::BF16);
  else if constexpr (std::is_same_v<T, tfloat32_t>) return static_cast<std::uint8_t>(F16F32Format::TF32);
  else if constexpr (std::is_same_v<T, std::uint8_t>) return static_cast<std::uint8_t>(S8Format::UINT8);
  else if constexpr (std::is_same_v<T, std::int8_t>) return static_cast<std::uint8_t>(S8Format::INT8);
  else if constexpr (std::is_same_v<T, float_e4m3_t>) return static_cast<std::uint8_t>(MXF8F6F4Format::E4M3);
  else if constexpr (std::is_same_v<T, in_a_byte<float_e2m3_t>>) return static_cast<std::uint8_t>(MXF8F6F4Format::E2M3);
  else if constexpr (std::is_same_v<T, in_a_byte<float_e3m2_t>>) return static_cast<std::uint8_t>(MXF8F6F4Format::E3M2);
  else if constexpr (std::is_same_v<T, in_a_byte<float_e2m1_t>>) return static_cast<std::uint8_t>(MXF8F6F4Format::E2M1);
  else if constexpr (std::is_same_v<T, float_e2m1_t>) return static_cast<std::uint8_t>(MXF4Format::E2M1);
  else {
    static_assert(std::is_same_v<T, float_e5m2_t>,
                  "make_instr_desc: no instruction multiplies elements of this type; half_t, bfloat16_t, tfloat32_t, "
                  "int8_t, uint8_t, float_e4m3_t, float_e5m2_t, float_e2m1_t and 6-bit floats in a byte have one");
    return static_cast<std::uint8_t>(MXF8F6F4Format::E5M2);
  }
}

template <class T>
TILEWRIGHT_FN constexpr CFormat to_CFormat() {
  if constexpr (std::is_same_v<T, half_t>) return CFormat::F16;
  else if constexpr (std::is_same_v<T, float>) return CFormat::F32;
  else {
    static_assert(std::is_same_v<T, std::int32_t>, "make_instr_desc: sums are half_t, float or int32_t");
    return CFormat::S32;
  }
}

/// The descriptor of a product of M x N sums.
/// pre: N is a multiple of 8 up to 256, M one of 16 up to 256 (which of these an instruction has, PTX says)
template <class TA, class TB, class TC, int M, int N, Major MajorA, Major MajorB, ScaleIn NegA = ScaleIn::One,
          ScaleIn NegB = ScaleIn::One, Saturate Sat = Saturate::False, bool IsSparse = false,
          MaxShift Shift = MaxShift::NoShift>
TILEWRIGHT_FN constexpr InstrDescriptor make_instr_desc() {
  static_assert(N % 8 == 0 && N >= 8 && N <= 256 && M % 16 == 0 && M >= 16 && M <= 256,
                "make_instr_desc: N is a multiple of 8, M one of 16, both at most 256");
  using detail::bits;
  InstrDescriptor out{};  // not in braces: nvcc prints those to its host compiler without the type
  out.desc_ = bits(IsSparse, 2) | bits(Sat, 3) | bits(to_CFormat<TC>(), 4) | bits(to_format_bits<TA>(), 7) |
              bits(to_format_bits<TB>(), 10) | bits(NegA, 13) | bits(NegB, 14) | bits(MajorA, 15) | bits(MajorB, 16) |
              bits(N / 8, 17) | bits(M / 16, 24) | bits(Shift, 30);
  return out;
}

template <class T>
TILEWRIGHT_FN constexpr ScaleFormat to_ScaleFormat() {
  if constexpr (std::is_same_v<T, float_ue8m0_t>) return ScaleFormat::UE8M0;
  else {
    static_assert(std::is_same_v<T, float_ue4m3_t> || std::is_same_v<T, float_e4m3_t>,
                  "make_instr_desc_block_scaled: factors are float_ue8m0_t or float_ue4m3_t");
    return ScaleFormat::UE4M3;
  }
}

/// The descriptor of a block-scaled product, with factors of type TF in byte 0.
/// pre: as make_instr_desc; M is 128 or 256
template <class TA, class TB, class TC, class TF, int M, int N, Major MajorA, Major MajorB, ScaleIn NegA = ScaleIn::One,
          ScaleIn NegB = ScaleIn::One, bool IsSparse = false>
TILEWRIGHT_FN constexpr InstrDescriptorBlockScaled make_instr_desc_block_scaled() {
  static_assert(std::is_same_v<TC, float>, "make_instr_desc_block_scaled: sums are float");
  static_assert(N % 8 == 0 && N >= 8 && N <= 256 && (M == 128 || M == 256),
                "make_instr_desc_block_scaled: N is a multiple of 8, at most 256; M is 128 or 256");
  using detail::bits;
  InstrDescriptorBlockScaled out{};
  out.desc_ = bits(IsSparse, 2) | bits(to_format_bits<TA>(), 7) | bits(to_format_bits<TB>(), 10) | bits(NegA, 13) |
              bits(NegB, 14) | bits(MajorA, 15) | bits(MajorB, 16) | bits(N / 8, 17) | bits(to_ScaleFormat<TF>(), 23) |
              bits(M / 16, 24);
  return out;
}
/// The 64 bits that its instruction takes, with the bytes of the factors at two addresses: the upper two bits of each.
TILEWRIGHT_FN constexpr std::uint64_t make_runtime_instr_desc_block_scaled(InstrDescriptorBlockScaled desc,
                                                                           std::uint32_t factors_of_a = 0,
                                                                           std::uint32_t factors_of_b = 0) {
  return std::uint64_t{desc.desc_ | (factors_of_a >> 30) << 29 | (factors_of_b >> 30) << 4} << 32;
}

/// The 64 bits that an instruction takes: the descriptor in the upper half. Of a sparse product the lower half has the address of the
/// metadata in tensor memory, and `sparse_id` chooses among its columns.
template <bool IsSparse = false>
TILEWRIGHT_FN constexpr std::uint64_t make_runtime_instr_desc(InstrDescriptor desc, std::uint16_t sparse_id = 0,
                                                              std::uint32_t tmem_e = 0) {
  if constexpr (IsSparse) return std::uint64_t{desc.desc_ | (sparse_id & 3u)} << 32 | tmem_e;
  else return std::uint64_t{desc.desc_} << 32;
}

}  // namespace tilewright::UMMA
