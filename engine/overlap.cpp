// Byte ranges that do not meet are the common case and cost a comparison; only where they do is asked whether the
// strides meet as well.
#include "engine/overlap.hpp"

#include "engine/cuda/device_memory.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace tilewright::engine {
namespace {

/// A bound on where a swizzled side's offsets are: a swizzle changes bits below some power of two only.
offset_range swizzled_bound(offset_range r, swizzle_value const& s) {
  std::int64_t const block = std::int64_t{1} << (s.base + s.bits + (s.shift < 0 ? -s.shift : 0));
  return {r.first / block * block, (r.last / block + 1) * block - 1};
}

/// Of half bytes: the byte of the first, and behind the byte of the last.
byte_reach bytes_of(offset_range r, int bits) { return {r.first * bits >> 3, ((r.last + 1) * bits + 7) >> 3}; }

/// Where they are, by visiting all.
offset_range swizzled_range(std::vector<step> const& steps, std::int64_t offset, swizzle_value const& s) {
  offset_range out{s(offset), s(offset)};
  std::vector<std::int64_t> at(steps.size());
  for (std::size_t i = 0; i < steps.size();) {
    offset += steps[i].stride;
    if (++at[i] < steps[i].extent) {
      out.first = std::min<std::int64_t>(out.first, s(offset));
      out.last = std::max<std::int64_t>(out.last, s(offset));
      i = 0;
      continue;
    }
    offset -= steps[i].extent * steps[i].stride;
    at[i++] = 0;
  }
  return out;
}

bool same_function(movement const& m) {
  if (m.src_offset != m.dst_offset || !(m.src_swizzle == m.dst_swizzle)) return false;
  if (!m.has_loops()) return m.src_steps == m.dst_steps;
  for (loop const& l : m.loops)
    if (l.src != l.dst) return false;
  return true;
}

}  // namespace

movement_reach reach_of(movement const& m) {
  offset_range from = source_range(m), to = destination_range(m);
  if (m.src_swizzle.bits != 0) from = swizzled_bound(from, m.src_swizzle);
  if (m.dst_swizzle.bits != 0) to = swizzled_bound(to, m.dst_swizzle);
  return {bytes_of(from, m.element_bits), bytes_of(to, m.element_bits)};
}

overlap overlap_of(movement const& m, const_tensor_view const& src, tensor_view const& dst) {
  int const bits = m.element_bits;
  if (m.is_swizzled()) {
    offset_range const from = swizzled_range(source_steps(m), m.src_offset, m.src_swizzle);
    offset_range const to = swizzled_range(destination_steps(m), m.dst_offset, m.dst_swizzle);
    if (lie_apart({bytes_of(from, bits), bytes_of(to, bits)}, src.pointer, dst.pointer)) return overlap::none;
  }
  if (src.pointer == dst.pointer && same_function(m)) return overlap::same_places;
  std::int64_t const distance =
      reinterpret_cast<std::intptr_t>(src.pointer) - reinterpret_cast<std::intptr_t>(dst.pointer);
  // Strides are compared in elements; pointers that are not whole elements apart share parts of them.
  if (bits < 8 || m.is_swizzled() || distance % (bits / 8) != 0) return overlap::some;
  std::int64_t const offset = m.src_offset - m.dst_offset + distance / (bits / 8);
  return share_offset(source_steps(m), offset, destination_steps(m)) == answer::no ? overlap::none : overlap::some;
}

void copy_through_temporary(const_tensor_view const& src, tensor_view const& dst, copy_options options) {
  // The temporary has the destination's shape, compact.
  composed_value compact = dst.layout;
  compact.swizzle = {};
  compact.offset = constant_leaf(0);
  arithmetic c{};
  compact.layout = layout_value(algebra::compact_left(c, compact.layout));
  std::int64_t const elements = algebra::size(c, compact.layout).number;
  auto const bytes = static_cast<std::size_t>((elements * bits_of(dst.element) + 7) / 8);
  options.overlap = on_overlap::refuse;
  options.tune = false;
  auto const both_ways = [&](void* memory) {
    tensor_view const between{memory, compact, dst.element, dst.where};
    copy_options first = options;
    first.progress = {};  // told of once, while the destination is written
    copy(src, between, first);
    copy(between, dst, options);
  };
  if (dst.where.kind == device_kind::cuda) {
    options.stream = nullptr;  // the temporary must outlive the copies, so they are waited for
    gpu::device_memory const memory(gpu::device_of(dst.where.ordinal), bytes);
    return both_ways(memory.data());
  }
  struct free_memory {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  std::unique_ptr<std::byte[], free_memory> const memory(new (std::align_val_t{64}) std::byte[bytes]);
  both_ways(memory.get());
}

}  // namespace tilewright::engine
