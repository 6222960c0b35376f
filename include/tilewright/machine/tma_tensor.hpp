// What a TMA descriptor says (CUDA driver API, "Tensor Map Object Management": cuTensorMapEncodeTiled): a tensor of up to
// five modes in global memory, the box of it that one instruction moves, and the swizzle of the box in shared memory.
// The driver answers a broken rule with one code for all of them; here each rule has its sentence. The host bodies of
// the TMA atoms read this description; the device reads the driver's encoding of it.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/error.hpp"
#include "tilewright/base/traits.hpp"

namespace tilewright {

/// The engine's element types, in the driver's order (CU_TENSOR_MAP_DATA_TYPE_…).
enum class tma_element : int {
  uint8,
  uint16,
  uint32,
  int32,
  uint64,
  int64,
  float16,
  float32,
  float64,
  bfloat16,
  tfloat32 = 12,
  unpacked_4 = 14,  // 16U4_ALIGN16B
  unpacked_6 = 15   // 16U6_ALIGN16B
};
/// The bits in global memory of an element that a copy unpacks to a byte each; 0 of others.
constexpr int unpacked_bits(tma_element e) {
  return e == tma_element::unpacked_4 ? 4 : e == tma_element::unpacked_6 ? 6 : 0;
}
/// How 16-byte chunks move within the rows of a box, by address: chunk ^= row, over 2, 4 or 8 rows.
/// These are Swizzle<1,4,3>, <2,4,3> and <3,4,3> on bytes.
enum class tma_swizzle : int { none, span_32_bytes, span_64_bytes, span_128_bytes };

constexpr int swizzle_bits(tma_swizzle s) { return static_cast<int>(s); }
/// The bytes that a row of the box may have: those a swizzle moves chunks in.
constexpr int span_bytes(tma_swizzle s) { return s == tma_swizzle::none ? 0 : 16 << swizzle_bits(s); }

struct tma_tensor {
  static constexpr int max_rank = 5;
  static constexpr int max_box = 256;                       // elements of one mode
  static constexpr long long max_extent = 1LL << 32;        // elements
  static constexpr long long max_stride = (1LL << 40) - 1;  // bytes
  static constexpr int alignment = 16;                      // of the address and the strides, in bytes

  void* address = nullptr;
  long long extent[max_rank]{};  // elements; mode 0 is contiguous
  long long stride[max_rank]{};  // bytes; stride[0] is one element
  int box[max_rank]{};           // elements
  int rank = 0;
  int element_bytes = 0;  // in shared memory
  tma_element element = tma_element::uint8;
  tma_swizzle swizzle = tma_swizzle::none;

  constexpr long long box_elements() const {
    long long n = 1;
    for (int i = 0; i < rank; ++i) n *= box[i];
    return n;
  }
  /// The bytes that a barrier counts: of a copy that unpacks, the packed ones.
  constexpr long long counted_bytes() const {
    int const bits = unpacked_bits(element);
    return bits != 0 ? box_elements() * bits / 8 : box_elements() * element_bytes;
  }
  static constexpr int unpacked_row = 128, unpacked_alignment = 32;  // elements; bytes
};

/// The first rule of the driver that the description breaks, with its values.
inline error broken_rule(tma_tensor const& t) {
  auto const address = reinterpret_cast<std::uintptr_t>(t.address);
  if (t.rank < 1 || t.rank > tma_tensor::max_rank) return {errc::tma_rank, t.rank, tma_tensor::max_rank};
  if (address % tma_tensor::alignment != 0)
    return {errc::tma_address, static_cast<long long>(address % 256), tma_tensor::alignment};
  for (int i = 0; i < t.rank; ++i) {
    if (t.extent[i] < 1 || t.extent[i] > tma_tensor::max_extent) return {errc::tma_extent, i, t.extent[i]};
    if (i > 0 && (t.stride[i] % tma_tensor::alignment != 0 || t.stride[i] < 0 || t.stride[i] > tma_tensor::max_stride))
      return {errc::tma_stride, i, t.stride[i]};
    if (t.box[i] < 1 || t.box[i] > tma_tensor::max_box) return {errc::tma_box, i, t.box[i]};
  }
  if (unpacked_bits(t.element) != 0) {
    constexpr int row = tma_tensor::unpacked_row, alignment = tma_tensor::unpacked_alignment;
    if (address % alignment != 0) return {errc::tma_unpack_address, static_cast<long long>(address % 256), alignment};
    for (int i = 1; i < t.rank; ++i)
      if (t.stride[i] % alignment != 0) return {errc::tma_unpack_address, t.stride[i], alignment};
    if (t.extent[0] % row != 0) return {errc::tma_unpack_row, t.extent[0], row};
    if (t.box[0] != row) return {errc::tma_unpack_row, t.box[0], row};
  }
  long long const row = static_cast<long long>(t.box[0]) * t.element_bytes;
  if (row % tma_tensor::alignment != 0) return {errc::tma_row, row, tma_tensor::alignment};
  if (t.swizzle != tma_swizzle::none && row > span_bytes(t.swizzle))
    return {errc::tma_swizzle_span, row, span_bytes(t.swizzle)};
  return {};
}

/// The same for a tensor that is written: the engine clips reads to the element, but writes to 16 bytes (seen on an H200:
/// the elements beyond the extent, up to the chunk's end, are overwritten).
inline error broken_rule_of_store(tma_tensor const& t) {
  long long const row = t.extent[0] * t.element_bytes;
  if (row % tma_tensor::alignment != 0) return {errc::tma_store_row, row, tma_tensor::alignment};
  return broken_rule(t);
}

#if TILEWRIGHT_HOSTED

/// Where the engine stores a byte of the unswizzled box.
inline unsigned char* swizzled_byte(tma_swizzle s, std::uintptr_t linear) {
  std::uintptr_t const mask = (std::uintptr_t{1} << swizzle_bits(s)) - 1;
  return reinterpret_cast<unsigned char*>(linear ^ ((linear >> 7 & mask) << 4));
}

/// What the engine does with one box, on the host: f(address in the tensor, or null outside of it; address in shared
/// memory) for every element of the box at `coordinate`. `smem` is where the box starts: swizzles go by address, so the
/// pattern is that of a layout only if the tile starts at a multiple of the swizzle's period (8 rows).
template <class F>
void for_each_of_box(tma_tensor const& t, int const (&coordinate)[tma_tensor::max_rank], void* smem, F const& f) {
  int at[tma_tensor::max_rank]{};
  auto const begin = reinterpret_cast<std::uintptr_t>(smem);
  for (long long i = 0, n = t.box_elements(); i < n; ++i) {
    auto* from = static_cast<unsigned char*>(t.address);
    bool inside = true;
    for (int d = 0; d < t.rank; ++d) {
      long long const x = static_cast<long long>(coordinate[d]) + at[d];
      inside = inside && x >= 0 && x < t.extent[d];
      if (inside) from += x * t.stride[d];
    }
    f(inside ? from : nullptr, swizzled_byte(t.swizzle, begin + static_cast<std::uintptr_t>(i * t.element_bytes)));
    for (int d = 0; d < t.rank && ++at[d] == t.box[d]; ++d) at[d] = 0;
  }
}

/// The same of a tensor whose elements are unpacked: f(address of 16 packed elements, or null; address of their 16 bytes in shared
/// memory; packed bytes).
/// error: layout_error tma_unpack_row where the box does not start at a row's multiple
template <class F>
void for_each_packed_16(tma_tensor const& t, int const (&coordinate)[tma_tensor::max_rank], void* smem, F const& f) {
  if (coordinate[0] % tma_tensor::unpacked_row != 0)
    raise({errc::tma_unpack_row, coordinate[0], tma_tensor::unpacked_row});
  int const bytes = 16 * unpacked_bits(t.element) / 8;
  tma_tensor in_16 = t;  // the map in units of 16 elements
  in_16.extent[0] /= 16;
  in_16.box[0] /= 16;
  in_16.stride[0] = bytes;
  in_16.element_bytes = 16;
  int at[tma_tensor::max_rank]{};
  for (int d = 0; d < t.rank; ++d) at[d] = d == 0 ? coordinate[d] / 16 : coordinate[d];
  for_each_of_box(in_16, at, smem, [&](unsigned char* from, unsigned char* to) { f(from, to, bytes); });
}

#endif

}  // namespace tilewright
