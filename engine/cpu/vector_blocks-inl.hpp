// Blocks of 16 bytes in vectors: E units of each of E rows are interleaved log2(E) times, and a vector of several blocks holds the same
// columns of several groups of E rows, or several groups of columns of the same rows. Compiled once for each instruction set.
#include <hwy/highway.h>

#include "engine/cpu/kernels.hpp"
#include "engine/memory_units.hpp"

#include <algorithm>
#include <cstring>

#if defined(TILEWRIGHT_ENGINE_CPU_VECTOR_BLOCKS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TILEWRIGHT_ENGINE_CPU_VECTOR_BLOCKS_INL
#undef TILEWRIGHT_ENGINE_CPU_VECTOR_BLOCKS_INL
#else
#define TILEWRIGHT_ENGINE_CPU_VECTOR_BLOCKS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tilewright::cpu_engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The lanes in which units are moved: one each, two for a unit of 16 bytes.
template <int Unit>
using lane_of = hwy::UnsignedFromSize < Unit<8 ? Unit : 8>;

constexpr std::int64_t line = engine::cache_line;

template <class T>
using vector_tag = hn::CappedTag<T, line / sizeof(T)>;

#if HWY_TARGET == HWY_SCALAR  // no vectors of 16 bytes

HWY_INLINE void copy_short(byte* dst, byte const* src, std::int64_t count) {
  std::memcpy(dst, src, static_cast<std::size_t>(count));
}

#else

/// The blocks at(0), at(1) … of 16 bytes as one vector.
template <class D, class At>
HWY_INLINE hn::Vec<D> joined_blocks(D d, At const& at) {
  using T = hn::TFromD<D>;
  constexpr std::size_t bytes = hn::MaxLanes(D()) * sizeof(T);
  (void)d;
  if constexpr (bytes == 16) {
    return at(0);
  } else {
    hn::FixedTag<T, 32 / sizeof(T)> const two;
    auto const low = hn::Combine(two, at(1), at(0));
    if constexpr (bytes == 32) return low;
    else return hn::Combine(d, hn::Combine(two, at(3), at(2)), low);
  }
}

/// The 16 bytes at p, p + step, p + 2 step … as the blocks of one vector.
template <class D>
HWY_INLINE hn::Vec<D> load_blocks(D d, byte const* p, int step) {
  using T = hn::TFromD<D>;
  hn::FixedTag<T, 16 / sizeof(T)> const block;
  return joined_blocks(d, [=](int k) HWY_ATTR { return hn::Load(block, reinterpret_cast<T const*>(p + k * step)); });
}

/// The 16 bytes at src of rows 0, E, 2 E … as the blocks of one vector.
template <int E, class D>
HWY_INLINE hn::Vec<D> load_rows(D d, byte const* src, std::int64_t const* rows) {
  using T = hn::TFromD<D>;
  hn::FixedTag<T, 16 / sizeof(T)> const block;
  return joined_blocks(d,
                       [=](int k) HWY_ATTR { return hn::LoadU(block, reinterpret_cast<T const*>(src + rows[k * E])); });
}

/// The first `bytes` bytes at src of a block of each row: v[i] has those of rows i, i + E, i + 2 E … Behind them nothing is read where
/// vectors can do so.
template <int Unit, class D, class V>
HWY_INLINE void load_group(D d, V (&v)[16 / Unit], byte const* src, std::int64_t const* rows, std::int64_t bytes) {
  constexpr int E = 16 / Unit;
#if HWY_MAX_BYTES == 64
  if (bytes < 16) {
    using T = hn::TFromD<D>;
    hn::FixedTag<T, 16 / sizeof(T)> const block;
    auto const read = hn::FirstN(block, static_cast<std::size_t>(bytes) / sizeof(T));
    for (int i = 0; i < E; ++i)
      v[i] = joined_blocks(d, [=](int k) HWY_ATTR {
        return hn::MaskedLoad(read, block, reinterpret_cast<T const*>(src + rows[k * E + i]));
      });
    return;
  }
#endif
  (void)bytes;
  for (int i = 0; i < E; ++i) v[i] = load_rows<E>(d, src, rows + i);
}

template <class T, int E, class D, class V>
HWY_INLINE void transpose_blocks(D d, V (&v)[E]) {
  for (int step = 1; step < E; step *= 2) {
    V out[E];
    for (int i = 0; i < E / 2; ++i) {
      out[2 * i] = hn::InterleaveLower(d, v[i], v[i + E / 2]);
      out[2 * i + 1] = hn::InterleaveUpper(d, v[i], v[i + E / 2]);
    }
    for (int i = 0; i < E; ++i) v[i] = out[i];
  }
}

#if HWY_MAX_BYTES == 64
/// The first `bytes` bytes of a vector alone are written, or read: the others are 0.
/// pre: bytes is a multiple of a lane's
template <class D, class V>
HWY_INLINE void store_first(D d, V v, byte* to, std::int64_t bytes) {
  using T = hn::TFromD<D>;
  hn::BlendedStore(v, hn::FirstN(d, static_cast<std::size_t>(bytes) / sizeof(T)), d, reinterpret_cast<T*>(to));
}
template <class D>
HWY_INLINE hn::Vec<D> load_first(D d, byte const* from, std::int64_t bytes) {
  using T = hn::TFromD<D>;
  return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(bytes) / sizeof(T)), d,
                        reinterpret_cast<T const*>(from));
}
#endif

/// pre: 0 <= count
HWY_INLINE void copy_short(byte* dst, byte const* src, std::int64_t count) {
  auto const twice = [&](auto const d, std::int64_t n) {  // n <= count <= 2n: two vectors that may overlap
    auto const low = hn::LoadU(d, src), high = hn::LoadU(d, src + count - n);
    hn::StoreU(low, d, dst);
    hn::StoreU(high, d, dst + count - n);
  };
#if HWY_MAX_BYTES >= 32
  if (count >= 32 && count <= 64) return twice(hn::FixedTag<byte, 32>(), 32);
#endif
  if (count >= 16 && count <= 32) return twice(hn::FixedTag<byte, 16>(), 16);
  if (count >= 8 && count <= 16) return twice(hn::FixedTag<byte, 8>(), 8);
  if (count >= 4 && count <= 8) return twice(hn::FixedTag<byte, 4>(), 4);
  std::memcpy(dst, src, static_cast<std::size_t>(count));
}

/// Calls store(block of v[i], its number, i) for each block of 16 bytes: the first of all vectors, then the second.
template <int E, class D, class V, class Store>
HWY_INLINE void for_each_block(D d, V const (&v)[E], Store const& store, int first = 0) {
  if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) <= 16) {
    for (int i = 0; i < E; ++i) store(d, v[i], first, i);
  } else {
    hn::Half<D> const half;
    constexpr int blocks = static_cast<int>(hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) / 32);
    hn::Vec<hn::Half<D>> part[E];
    for (int i = 0; i < E; ++i) part[i] = hn::LowerHalf(half, v[i]);
    for_each_block<E>(half, part, store, first);
    for (int i = 0; i < E; ++i) part[i] = hn::UpperHalf(half, v[i]);
    for_each_block<E>(half, part, store, first + blocks);
  }
}

/// The first `used` bytes of a block, which has 16: two stores that may overlap.
class part_store {
 public:
  explicit part_store(std::int64_t used) : used_(used) {
    HWY_ALIGN_MAX byte index[16];
    for (std::int64_t i = 0; i < 16; ++i) index[i] = static_cast<byte>(std::min<std::int64_t>(15, used - size() + i));
    index_ = hn::Load(hn::FixedTag<byte, 16>(), index);
  }
  template <class V>
  HWY_INLINE void put(byte* to, V block) const {
    if (size() == 8) both<std::uint64_t>(to, block);
    else if (size() == 4) both<std::uint32_t>(to, block);
    else if (size() == 2) both<std::uint16_t>(to, block);
    else both<byte>(to, block);
  }

 private:
  std::int64_t size() const { return used_ >= 8 ? 8 : used_ >= 4 ? 4 : used_ >= 2 ? 2 : 1; }
  template <class T, class V>
  HWY_INLINE void both(byte* to, V block) const {
    hn::FixedTag<byte, 16> const bytes;
    hn::FixedTag<T, 16 / sizeof(T)> const d;
    auto const whole = hn::BitCast(bytes, block);
    T const first = hn::GetLane(hn::BitCast(d, whole));
    T const last = hn::GetLane(hn::BitCast(d, hn::TableLookupBytes(whole, index_)));
    std::memcpy(to, &first, sizeof(T));
    std::memcpy(to + used_ - static_cast<std::int64_t>(sizeof(T)), &last, sizeof(T));
  }
  std::int64_t used_;
  hn::Vec<hn::FixedTag<byte, 16>> index_;
};

#endif
}  // namespace tilewright::cpu_engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
