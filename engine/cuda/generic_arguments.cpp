#include "engine/cuda/generic_arguments.hpp"

#include "tilewright/plan/copy_error.hpp"

#include <fmt/format.h>
#include <bit>
#include <cstdlib>
#include <vector>

namespace tilewright::gpu {
namespace {

/// Division of indices below 2^digits by extent as a product: with l = ceil(log2(extent)) and
/// m = ceil(2^(digits + l) / extent), i / extent = (i · m) >> (digits + l) for every i < 2^digits (Granlund and Montgomery,
/// 1994: the error of m is below 2^l), and m < 2^(digits + 1) fits the word of digits + 1 bits.
generic_step step_of(std::int64_t extent, std::int64_t src, std::int64_t dst, bool narrow) {
  if (extent < 2) throw copy_error(copy_errc::internal, fmt::format("a movement has a mode of extent {}", extent));
  auto const d = static_cast<std::uint64_t>(extent);
  int const digits = narrow ? 31 : 63, l = static_cast<int>(std::bit_width(d - 1));
  __extension__ using wide = unsigned __int128;
  wide const power = static_cast<wide>(1) << (digits + l);
  auto const multiplier = static_cast<std::uint64_t>((power + d - 1) / d);
  return {d, multiplier, src, dst, static_cast<std::uint32_t>(l - 1)};
}

/// The loops in the order that elements are counted in. What a thread moves at once is the last mode, so a piece of the
/// loop that the source runs along becomes that: the thread then reads one sector and not several.
std::vector<loop> counted(movement const& m) {
  std::vector<loop> out = m.loops;
  int const at_once = elements_at_once(m.element_bits);
  for (std::size_t i = 1; i < out.size(); ++i) {
    loop& l = out[i];
    if (std::abs(l.src) != 1 || l.extent % at_once != 0) continue;
    loop const piece{at_once, l.src, l.dst};
    l = {l.extent / at_once, l.src * at_once, l.dst * at_once};
    if (l.extent == 1) out.erase(out.begin() + static_cast<std::ptrdiff_t>(i));
    out.push_back(piece);
    break;
  }
  return out;
}

generic_swizzle swizzle_of(swizzle_value const& s) {
  return {s.bits == 0 ? 0 : static_cast<std::uint64_t>(s.high_mask()), s.shift};
}

void add(generic_step* steps, std::int32_t& count, generic_step const& one) {
  if (count == generic_step_capacity)
    throw copy_error(copy_errc::bad_layout, fmt::format("the copy has more than {} modes of extent 2 and more, so it "
                                                        "counts more elements than memory holds",
                                                        generic_step_capacity));
  steps[count++] = one;
}

}  // namespace

int elements_at_once(int element_bits) {
  switch (element_bits) {
    case 8: return generic_at_once<8>;
    case 16: return generic_at_once<16>;
    default: return generic_at_once<32>;
  }
}

generic_arguments arguments_of(movement const& m) {
  bool const narrow = has_narrow_index(m);
  generic_arguments out{};
  out.elements = static_cast<std::uint64_t>(m.elements);
  out.src_offset = m.src_offset;
  out.dst_offset = m.dst_offset;
  out.src_swizzle = swizzle_of(m.src_swizzle);
  out.dst_swizzle = swizzle_of(m.dst_swizzle);
  for (loop const& l : counted(m)) add(out.step, out.steps, step_of(l.extent, l.src, l.dst, narrow));
  for (step const& s : m.src_steps)
    if (s.extent > 1) add(out.step, out.steps, step_of(s.extent, s.stride, 0, narrow));
  for (step const& s : m.dst_steps)
    if (s.extent > 1) add(out.own_dst_step, out.own_dst_steps, step_of(s.extent, 0, s.stride, narrow));
  return out;
}

char const* generic_kernel_name(movement const& m) {
  bool const narrow = has_narrow_index(m);
  switch (m.element_bits) {
    case 4: return narrow ? "tilewright_copy_4_32" : "tilewright_copy_4_64";
    case 8: return narrow ? "tilewright_copy_8_32" : "tilewright_copy_8_64";
    case 16: return narrow ? "tilewright_copy_16_32" : "tilewright_copy_16_64";
    case 32: return narrow ? "tilewright_copy_32_32" : "tilewright_copy_32_64";
    case 64: return narrow ? "tilewright_copy_64_32" : "tilewright_copy_64_64";
    case 128: return narrow ? "tilewright_copy_128_32" : "tilewright_copy_128_64";
    default:
      throw copy_error(copy_errc::bad_element, fmt::format("no kernel moves elements of {} bits", m.element_bits));
  }
}

}  // namespace tilewright::gpu
