// Element by element: two odometers, one for each side, over the same index. Serves layouts whose modes have
// no common refinement, swizzled ones and those of half bytes among them.
#include "engine/cpu/half_bytes.hpp"
#include "engine/cpu/program.hpp"

#include <array>
#include <cstring>

namespace tilewright::cpu_engine {
namespace {

/// Offsets of a side in the order of the index, the first step fastest.
class odometer {
 public:
  odometer(std::vector<step> const& steps, std::int64_t offset, std::int64_t index)
      : steps_(steps.data()),
        count_(steps.size()),
        offset_(offset) {
    for (std::size_t i = 0; i < count_; ++i) {
      at_[i] = index % steps_[i].extent;
      index /= steps_[i].extent;
      offset_ += at_[i] * steps_[i].stride;
    }
  }
  std::int64_t offset() const { return offset_; }
  void advance() {
    for (std::size_t i = 0; i < count_; ++i) {
      offset_ += steps_[i].stride;
      if (++at_[i] < steps_[i].extent) return;
      offset_ -= steps_[i].extent * steps_[i].stride;
      at_[i] = 0;
    }
  }

 private:
  step const* steps_;
  std::size_t count_;
  std::int64_t offset_;
  std::array<std::int64_t, int_tree::leaf_capacity> at_{};
};

template <class Move>
void for_each(movement const& m, std::vector<step> const& from, std::vector<step> const& to, std::int64_t begin,
              std::int64_t end, Move const& move) {
  odometer src(from, m.src_offset, begin), dst(to, m.dst_offset, begin);
  for (std::int64_t i = begin; i < end; ++i) {
    move(m.src_swizzle(src.offset()), m.dst_swizzle(dst.offset()));
    src.advance();
    dst.advance();
  }
}

template <std::size_t Bytes>
void walk_units(movement const& m, std::vector<step> const& from, std::vector<step> const& to, byte const* src,
                byte* dst, std::int64_t begin, std::int64_t end) {
  for_each(m, from, to, begin, end, [=](std::int64_t a, std::int64_t b) {
    constexpr auto bytes = static_cast<std::int64_t>(Bytes);
    std::memcpy(dst + b * bytes, src + a * bytes, Bytes);
  });
}

}  // namespace

void walk(movement const& m, void const* src_pointer, void* dst_pointer, std::int64_t begin, std::int64_t end) {
  auto const* src = static_cast<byte const*>(src_pointer);
  auto* dst = static_cast<byte*>(dst_pointer);
  std::vector<step> const from = source_steps(m), to = destination_steps(m);
  switch (m.element_bits) {
    case 4:
      return for_each(m, from, to, begin, end,
                      [=](std::int64_t a, std::int64_t b) { put_half(dst, b, half_at(src, a)); });
    case 8: return walk_units<1>(m, from, to, src, dst, begin, end);
    case 16: return walk_units<2>(m, from, to, src, dst, begin, end);
    case 32: return walk_units<4>(m, from, to, src, dst, begin, end);
    case 64: return walk_units<8>(m, from, to, src, dst, begin, end);
    default: return walk_units<16>(m, from, to, src, dst, begin, end);
  }
}

}  // namespace tilewright::cpu_engine
