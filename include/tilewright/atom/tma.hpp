// Copies of the tensor memory accelerator (sm_90): one thread names a box of a tensor by its coordinates, and the engine
// moves it between global and shared memory, clips it at the tensor's bounds (what is beyond is read as zero and not
// written) and swizzles it. The tensor is in a map made on the host by make_tma_copy (tiled/make_tma_copy.hpp); kernels
// take the copy by reference and partition get_tma_tensor(shape), a tensor of coordinates.
//   load:   copy(tma.with(barrier), coordinates, shared)   completes on the mbarrier, which counts the bytes
//   store:  copy(tma, shared, coordinates)                 completes with tma_store_arrive, tma_store_wait
// The host bodies do what the engine does, as late as it may. Elements narrower than a byte move as bytes: coordinates count
// elements, the map counts bytes.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/cache_hint.hpp"
#include "tilewright/atom/cluster.hpp"
#include "tilewright/atom/mbarrier.hpp"
#include "tilewright/atom/ptx/registers.hpp"
#include "tilewright/atom/ptx/tensor_map.hpp"
#include "tilewright/atom/ptx/tma.hpp"
#include "tilewright/atom/ptx/tma_pair.hpp"
#include "tilewright/atom/tma_start.hpp"

namespace tilewright {

/// One instruction that brings a box into L2. map: what get_tma_descriptor() returns; on a GPU a CUtensorMap as well. at: the
/// coordinate that the box starts at, one number for each mode of the map.
struct tma_prefetch_instruction {
  template <class... X>
  TILEWRIGHT_FN static void copy(void const* map, X const&... at);
};
/// Global to shared memory. The members named copy are one instruction each: these operations on a box, without a tensor.
struct SM90_TMA_LOAD {
  using PREFETCH = tma_prefetch_instruction;
  template <class... X>
  TILEWRIGHT_FN static void copy(void const* map, std::uint64_t* barrier, std::uint64_t hint, void* smem,
                                 X const&... at);
};
/// The same into several blocks of a cluster, each of which issues its share of the tile: with(barrier, mask of blocks).
struct SM90_TMA_LOAD_MULTICAST {
  using PREFETCH = tma_prefetch_instruction;
  template <class... X>
  TILEWRIGHT_FN static void copy(void const* map, std::uint64_t* barrier, std::uint16_t blocks, std::uint64_t hint,
                                 void* smem, X const&... at);
};
/// Shared to global memory.
struct SM90_TMA_STORE {
  template <class... X>
  TILEWRIGHT_FN static void copy(void const* map, void const* smem, X const&... at);
};
/// The same, added to what is there.
struct SM90_TMA_REDUCE_ADD {};

/// The same two by the blocks of a pair that multiplies together (sm_100a): the barrier of the block of even rank counts the bytes
/// of both.
struct SM100_TMA_2SM_LOAD {
  using PREFETCH = tma_prefetch_instruction;
  template <class... X>
  TILEWRIGHT_FN static void copy(void const* map, std::uint64_t* barrier, std::uint64_t hint, void* smem,
                                 X const&... at);
};
struct SM100_TMA_2SM_LOAD_MULTICAST {
  using PREFETCH = tma_prefetch_instruction;
  template <class... X>
  TILEWRIGHT_FN static void copy(void const* map, std::uint64_t* barrier, std::uint16_t blocks, std::uint64_t hint,
                                 void* smem, X const&... at);
};

/// Does an operation read the tensor (and write shared memory)?
template <class Operation>
inline constexpr bool is_tma_load = false;
template <>
inline constexpr bool is_tma_load<SM90_TMA_LOAD> = true;
template <>
inline constexpr bool is_tma_load<SM90_TMA_LOAD_MULTICAST> = true;
template <>
inline constexpr bool is_tma_load<SM100_TMA_2SM_LOAD> = true;
template <>
inline constexpr bool is_tma_load<SM100_TMA_2SM_LOAD_MULTICAST> = true;
/// Does it go to several blocks, and is it of a pair?
template <class Operation>
inline constexpr bool is_tma_multicast =
    std::is_same_v<Operation, SM90_TMA_LOAD_MULTICAST> || std::is_same_v<Operation, SM100_TMA_2SM_LOAD_MULTICAST>;
template <class Operation>
inline constexpr bool is_tma_of_a_pair =
    std::is_same_v<Operation, SM100_TMA_2SM_LOAD> || std::is_same_v<Operation, SM100_TMA_2SM_LOAD_MULTICAST>;

#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE

/// Where a host body finds bytes of shared memory. An iterator of one's own joins in by overloading these.
template <class T>
unsigned char* bytes_to_write(T* p, std::size_t) {
  return reinterpret_cast<unsigned char*>(p);
}
template <class T>
unsigned char* bytes_to_read(T* p, std::size_t) {
  return const_cast<unsigned char*>(reinterpret_cast<unsigned char const*>(p));
}
template <class T>
unsigned char* bytes_to_write(subbyte_iterator<T> const& i, std::size_t) {
  return recast_ptr<unsigned char>(i);
}
template <class T>
unsigned char* bytes_to_read(subbyte_iterator<T> const& i, std::size_t) {
  return const_cast<unsigned char*>(recast_ptr<unsigned char>(i));
}

#endif

namespace detail {

/// What make_tma_copy makes of an operation: its map moves `Bits` bits at once; Coordinates maps coordinates of the tensor
/// to those of the map, which has `Rank` modes. ElementBits: of an element narrower than a byte; 8 for all that the map counts
/// as they are, 8 n for those that it counts as n words.
template <class Operation, int Bits, int Rank, class Coordinates, int ElementBits = 8>
struct tma_copy {};
/// The same with a barrier: what with() makes.
template <class Operation, int Bits, int Rank, int ElementBits>
struct tma_load_on {};
/// A store to a map elsewhere: what with() makes.
template <class Operation, int Bits, int Rank, int ElementBits>
struct tma_store_to {};

template <class It>
inline constexpr bool gives_coordinates = false;
template <class Coordinate>
inline constexpr bool gives_coordinates<ArithmeticTupleIterator<Coordinate>> = true;

template <class Coordinates, class Shared>
struct tma_operands {
  static constexpr bool value = gives_coordinates<Coordinates> && is_smem_v<Shared>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "TMA: copies between coordinates of the tensor and shared memory; partition get_tma_tensor(shape), not "
        "the tensor, and tag the other side with make_smem_ptr (docs/errors.md#tma_operands)");
    return invalid_layout{};
  }
};
template <class Operation>
struct tma_load_has_a_barrier {
  static constexpr bool value = !is_tma_load<Operation>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "TMA: a load completes on a barrier; write copy(tma.with(barrier), source, destination) "
                  "(docs/errors.md#tma_barrier)");
    return invalid_layout{};
  }
};

template <int Rank, class Coordinate, int... I>
TILEWRIGHT_FN constexpr void read_coordinate(array_of<int, Rank>& out, Coordinate const& x, seq<I...>) {
  ((out[I] = static_cast<int>(get<I>(x))), ...);
}
/// The box's coordinate that a partition of the map's tensor starts at.
/// error: layout_error tma_subbyte; a GPU stops the kernel
template <int ElementBits, int Rank, class Tensor>
TILEWRIGHT_FN void box_coordinate(array_of<int, Rank>& out, Tensor const& coordinates) {
  read_coordinate<Rank>(out, *coordinates.data(), make_seq<Rank>{});
  if constexpr (ElementBits < 8) {
    long long const bits = static_cast<long long>(out[0]) * ElementBits;
#if TILEWRIGHT_ON_DEVICE
    if (bits % 8 != 0) ptx::stop("TMA: a tile of elements narrower than a byte starts within a byte\n");
#elif TILEWRIGHT_HOSTED
    if (bits % 8 != 0) raise({errc::tma_subbyte, 0, bits});
#endif
    out[0] = static_cast<int>(bits / 8);
  } else if constexpr (ElementBits > 8) {
    out[0] *= ElementBits / 8;
  }
}

#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE

struct tma_box {
  tma_tensor tensor;
  int coordinate[tma_tensor::max_rank]{};

  std::size_t bytes() const { return static_cast<std::size_t>(tensor.box_elements() * tensor.element_bytes); }
  std::uint32_t counted_bytes() const { return static_cast<std::uint32_t>(tensor.counted_bytes()); }
};
template <int Rank>
tma_box box_at(tma_descriptor const& map, array_of<int, Rank> const& coordinate) {
  tma_box out{map.tensor, {}};
  for (int i = 0; i < Rank; ++i) out.coordinate[i] = coordinate[i];
  return out;
}
/// error: in a checked build, layout_error misaligned: the engine writes to multiples of 128 bytes
inline void check_box_address(void const* smem) { check_alignment(smem, 128); }

inline void move_bytes(unsigned char* to, unsigned char const* from, int n) {
  for (int i = 0; i < n; ++i) to[i] = from == nullptr ? 0 : from[i];
}
inline void load_box(tma_box const& box, unsigned char* smem) {
  check_box_address(smem);
  if (unpacked_bits(box.tensor.element) != 0)
    return for_each_packed_16(
        box.tensor, box.coordinate, smem,
        [](unsigned char const* from, unsigned char* to, int bytes) { move_bytes(to, from, bytes); });
  for_each_of_box(box.tensor, box.coordinate, smem, [&](unsigned char const* from, unsigned char* to) {
    move_bytes(to, from, box.tensor.element_bytes);
  });
}
template <class To>
void load_box_on(std::uint64_t* barrier, tma_box const& box, To const& to) {
  complete_on_barrier(barrier, box.counted_bytes(), [box, to] { load_box(box, bytes_to_write(to, box.bytes())); });
}
/// Into the same place of every block whose bit is set. OfPairs: the blocks of even rank count the bytes of the next one too.
template <bool OfPairs = false, class To>
void multicast_box_on(std::uint64_t* barrier, std::uint16_t blocks, tma_box const& box, To const& to) {
  for (unsigned rank = 0; rank < 16; ++rank)
    if ((blocks >> rank & 1) != 0)
      load_box_on(map_shared_rank(barrier, OfPairs ? rank & ~1u : rank), box,
                  map_shared_rank(bytes_to_write(to, box.bytes()), rank));
}
/// Into this block, counted by the block of even rank.
template <class To>
void load_box_of_pair_on(std::uint64_t* barrier, tma_box const& box, To const& to) {
  load_box_on(map_shared_rank(barrier, block_rank_in_cluster() & ~1u), box, to);
}
template <class Operation, class T>
void store_box(tma_box const& box, unsigned char* smem) {
  check_box_address(smem);
  for_each_of_box(box.tensor, box.coordinate, smem, [&](unsigned char* to, unsigned char const* from) {
    if (to == nullptr) return;
    if constexpr (std::is_same_v<Operation, SM90_TMA_REDUCE_ADD>) {
      auto* const sum = reinterpret_cast<T*>(to);
      *sum = static_cast<T>(*sum + *reinterpret_cast<T const*>(from));
    } else {
      move_bytes(to, from, box.tensor.element_bytes);
    }
  });
}

#endif

/// One box from shared memory to the coordinate that a partition of the map's tensor starts at.
TILEWRIGHT_NO_EXEC_CHECK
template <class Operation, int Rank, int ElementBits, class Src, class Dst>
TILEWRIGHT_FN void store_by_map(tma_descriptor const& map, Src const& src, Dst const& dst) {
  array_of<int, Rank> at;
  box_coordinate<ElementBits, Rank>(at, dst);
  auto const from = start_of_boxes(src);
#if TILEWRIGHT_ON_DEVICE
  auto const* const here = box_address(from);
  if constexpr (std::is_same_v<Operation, SM90_TMA_STORE>) ptx::tma_store(map.encoded, at, here);
  else ptx::tma_reduce_add(map.encoded, at, here);
#elif TILEWRIGHT_HOSTED
  using T = typename std::remove_cvref_t<Src>::value_type;
  auto const box = box_at<Rank>(map, at);
  bulk_copies_of_this_thread().start([box, from] { store_box<Operation, T>(box, bytes_to_read(from, box.bytes())); });
#endif
}

/// The strides of a map's tensor of coordinates. Those of leaves that share a mode of the map may be known at run time alone.
template <class Coordinates, class Steps = std::remove_cvref_t<decltype(stride(std::declval<Coordinates const&>()))>,
          bool Static = std::is_empty_v<Steps>>
struct tma_steps {
  TILEWRIGHT_FN static constexpr Steps steps() { return {}; }
  TILEWRIGHT_FN static constexpr void set_steps(Steps const&) {}
};
template <class Coordinates, class Steps>
struct tma_steps<Coordinates, Steps, false> {
  Steps steps_{};
  TILEWRIGHT_FN constexpr Steps const& steps() const { return steps_; }
  TILEWRIGHT_FN constexpr void set_steps(Steps const& s) { steps_ = s; }
};

template <int Bits>
struct tma_bits {
  using ThrID = Layout<_1, _0>;
  using SrcLayout = Layout<Shape<_1, C<Bits>>, Stride<_0, _1>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
};

}  // namespace detail

template <class Operation, int Bits, int Rank, int ElementBits>
struct Copy_Traits<detail::tma_load_on<Operation, Bits, Rank, ElementBits>> : detail::tma_bits<Bits> {
  tma_descriptor const* map;
  std::uint64_t* barrier;
  std::uint64_t hint;
  std::uint16_t blocks;  // bit r: the block of rank r in the cluster

  TILEWRIGHT_FN Copy_Traits(tma_descriptor const* m, std::uint64_t* b, std::uint64_t h, std::uint16_t mask)
      : map(m),
        barrier(b),
        hint(h),
        blocks(mask) {}

  template <class Src, class Dst>
  using operands_check = detail::tma_operands<typename Src::iterator, typename Dst::iterator>;

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Src, class Dst>
  TILEWRIGHT_FN void copy(Src const& src, Dst&& dst) const {
    array_of<int, Rank> at;
    detail::box_coordinate<ElementBits, Rank>(at, src);
    auto const to = detail::start_of_boxes(dst);
#if TILEWRIGHT_ON_DEVICE
    auto* const there = detail::box_address(to);
    if constexpr (std::is_same_v<Operation, SM90_TMA_LOAD>) ptx::tma_load(map->encoded, at, there, barrier, hint);
    else if constexpr (std::is_same_v<Operation, SM100_TMA_2SM_LOAD>)
      ptx::tma_load_pair(map->encoded, at, there, barrier, hint);
    else if constexpr (is_tma_of_a_pair<Operation>)
      ptx::tma_load_pair_multicast(map->encoded, at, there, barrier, blocks, hint);
    else ptx::tma_load_multicast(map->encoded, at, there, barrier, blocks, hint);
#elif TILEWRIGHT_HOSTED
    auto const box = detail::box_at<Rank>(*map, at);
    if constexpr (std::is_same_v<Operation, SM90_TMA_LOAD>) detail::load_box_on(barrier, box, to);
    else if constexpr (std::is_same_v<Operation, SM100_TMA_2SM_LOAD>) detail::load_box_of_pair_on(barrier, box, to);
    else detail::multicast_box_on<is_tma_of_a_pair<Operation>>(barrier, blocks, box, to);
#endif
  }
};

template <class Operation, int Bits, int Rank, int ElementBits>
struct Copy_Traits<detail::tma_store_to<Operation, Bits, Rank, ElementBits>> : detail::tma_bits<Bits> {
  tma_descriptor const* map;

  TILEWRIGHT_FN explicit Copy_Traits(tma_descriptor const* m) : map(m) {}

  template <class Src, class Dst>
  using operands_check = detail::tma_operands<typename Dst::iterator, typename Src::iterator>;

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Src, class Dst>
  TILEWRIGHT_FN void copy(Src const& src, Dst&& dst) const {
    detail::store_by_map<Operation, Rank, ElementBits>(*map, src, dst);
  }
};

template <class Operation, int Bits, int Rank, class Coordinates, int ElementBits>
struct Copy_Traits<detail::tma_copy<Operation, Bits, Rank, Coordinates, ElementBits>> : detail::tma_bits<Bits>,
                                                                                        detail::tma_steps<Coordinates> {
  tma_descriptor map;

  /// The map's tensor: element c of shape `shape`, that of the tensor, is the coordinate of c in the map.
  template <class S>
  TILEWRIGHT_FN constexpr auto get_tma_tensor(S const& shape) const {
    return zero_tensor(make_layout(shape, this->steps()), make_seq<Rank>{});
  }
  TILEWRIGHT_FN constexpr tma_descriptor const* get_tma_descriptor() const { return &map; }

  /// A load that completes on `barrier`. mask: the blocks of the cluster that a multicast goes to.
  TILEWRIGHT_NO_EXEC_CHECK
  template <class Barrier>
  requires(is_tma_load<Operation>) TILEWRIGHT_FN
      auto with(Barrier&& barrier, std::uint16_t mask = 0,
                TMA::CacheHintSm90 hint = TMA::CacheHintSm90::EVICT_NORMAL) const {
    return Copy_Traits<detail::tma_load_on<Operation, Bits, Rank, ElementBits>>(&map, detail::barrier_word(barrier),
                                                                                static_cast<std::uint64_t>(hint), mask);
  }

  /// The same from a map elsewhere, of a tensor of this rank: one that a kernel has changed.
  TILEWRIGHT_NO_EXEC_CHECK
  template <class Barrier>
  requires(is_tma_load<Operation>) TILEWRIGHT_FN
      auto with(tma_descriptor const* other, Barrier&& barrier, std::uint16_t mask = 0,
                TMA::CacheHintSm90 hint = TMA::CacheHintSm90::EVICT_NORMAL) const {
    return Copy_Traits<detail::tma_load_on<Operation, Bits, Rank, ElementBits>>(other, detail::barrier_word(barrier),
                                                                                static_cast<std::uint64_t>(hint), mask);
  }
  TILEWRIGHT_FN auto with(tma_descriptor const* other) const requires(!is_tma_load<Operation>) {
    return Copy_Traits<detail::tma_store_to<Operation, Bits, Rank, ElementBits>>(other);
  }

  template <class Src, class Dst>
  using operands_check = all_hold<detail::tma_load_has_a_barrier<Operation>,
                                  detail::tma_operands<typename Dst::iterator, typename Src::iterator>>;

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Src, class Dst>
  TILEWRIGHT_FN void copy(Src const& src, Dst&& dst) const {
    detail::store_by_map<Operation, Rank, ElementBits>(map, src, dst);
  }

  /// The box at a partition's start into L2.
  template <class Src>
  TILEWRIGHT_FN void prefetch([[maybe_unused]] Src const& src) const {
#if TILEWRIGHT_ON_DEVICE
    array_of<int, Rank> at;
    detail::box_coordinate<ElementBits, Rank>(at, src);
    ptx::tma_prefetch(map.encoded, at);
#endif
  }

 private:
  template <class L, int... I>
  TILEWRIGHT_FN static constexpr auto zero_tensor(L const& layout, seq<I...>) {
    return make_tensor(ArithmeticTupleIterator<ArithmeticTuple<C<0 * I>...>>{}, layout);
  }
};

/// Brings a map near before the first copy; for one thread.
TILEWRIGHT_FN void prefetch_tma_descriptor([[maybe_unused]] tma_descriptor const* map) {
#if TILEWRIGHT_ON_DEVICE
  ptx::prefetch_tensor_map(map->encoded);
#endif
}

// --- one instruction ---------------------------------------------------------------------------------------------------

template <class... X>
TILEWRIGHT_FN void tma_prefetch_instruction::copy([[maybe_unused]] void const* map, [[maybe_unused]] X const&... at) {
#if TILEWRIGHT_ON_DEVICE
  int const place[]{static_cast<int>(at)...};
  ptx::tma_prefetch(map, place);
#endif
}
TILEWRIGHT_NO_EXEC_CHECK
template <class... X>
TILEWRIGHT_FN void SM90_TMA_LOAD::copy(void const* map, std::uint64_t* barrier, [[maybe_unused]] std::uint64_t hint,
                                       void* smem, X const&... at) {
  int const place[]{static_cast<int>(at)...};
#if TILEWRIGHT_ON_DEVICE
  ptx::tma_load(map, place, smem, barrier, hint);
#elif TILEWRIGHT_HOSTED
  detail::load_box_on(barrier, detail::box_at<sizeof...(X)>(*static_cast<tma_descriptor const*>(map), place),
                      static_cast<unsigned char*>(smem));
#endif
}
TILEWRIGHT_NO_EXEC_CHECK
template <class... X>
TILEWRIGHT_FN void SM90_TMA_LOAD_MULTICAST::copy(void const* map, std::uint64_t* barrier, std::uint16_t blocks,
                                                 [[maybe_unused]] std::uint64_t hint, void* smem, X const&... at) {
  int const place[]{static_cast<int>(at)...};
#if TILEWRIGHT_ON_DEVICE
  ptx::tma_load_multicast(map, place, smem, barrier, blocks, hint);
#elif TILEWRIGHT_HOSTED
  detail::multicast_box_on(barrier, blocks,
                           detail::box_at<sizeof...(X)>(*static_cast<tma_descriptor const*>(map), place),
                           static_cast<unsigned char*>(smem));
#endif
}
TILEWRIGHT_NO_EXEC_CHECK
template <class... X>
TILEWRIGHT_FN void SM90_TMA_STORE::copy(void const* map, void const* smem, X const&... at) {
  int const place[]{static_cast<int>(at)...};
#if TILEWRIGHT_ON_DEVICE
  ptx::tma_store(map, place, smem);
#elif TILEWRIGHT_HOSTED
  auto const box = detail::box_at<sizeof...(X)>(*static_cast<tma_descriptor const*>(map), place);
  auto* const from = const_cast<unsigned char*>(static_cast<unsigned char const*>(smem));
  bulk_copies_of_this_thread().start([box, from] { detail::store_box<SM90_TMA_STORE, unsigned char>(box, from); });
#endif
}
TILEWRIGHT_NO_EXEC_CHECK
template <class... X>
TILEWRIGHT_FN void SM100_TMA_2SM_LOAD::copy(void const* map, std::uint64_t* barrier,
                                            [[maybe_unused]] std::uint64_t hint, void* smem, X const&... at) {
  int const place[]{static_cast<int>(at)...};
#if TILEWRIGHT_ON_DEVICE
  ptx::tma_load_pair(map, place, smem, barrier, hint);
#elif TILEWRIGHT_HOSTED
  detail::load_box_of_pair_on(barrier, detail::box_at<sizeof...(X)>(*static_cast<tma_descriptor const*>(map), place),
                              static_cast<unsigned char*>(smem));
#endif
}
TILEWRIGHT_NO_EXEC_CHECK
template <class... X>
TILEWRIGHT_FN void SM100_TMA_2SM_LOAD_MULTICAST::copy(void const* map, std::uint64_t* barrier, std::uint16_t blocks,
                                                      [[maybe_unused]] std::uint64_t hint, void* smem, X const&... at) {
  int const place[]{static_cast<int>(at)...};
#if TILEWRIGHT_ON_DEVICE
  ptx::tma_load_pair_multicast(map, place, smem, barrier, blocks, hint);
#elif TILEWRIGHT_HOSTED
  detail::multicast_box_on<true>(barrier, blocks,
                                 detail::box_at<sizeof...(X)>(*static_cast<tma_descriptor const*>(map), place),
                                 static_cast<unsigned char*>(smem));
#endif
}

}  // namespace tilewright
