// Bulk copies (cp.async.bulk, sm_90): one thread moves a run of bytes between global and shared memory, or to the shared
// memory of another block of the cluster. The unit is 16 bytes, in length and alignment.
//   load:        copy(atom.with(barrier), global, shared)            completes on the mbarrier, which counts the bytes
//   store:       copy(atom, shared, global)                          completes with tma_store_arrive, tma_store_wait
//   to a block:  copy(atom.with(barrier, rank), shared, shared)      completes on the barrier of the block of that rank
// A load atom.with(barrier, hint) and a store atom.with(hint) tell L2 what becomes of the bytes (TMA::CacheHintSm90). Source
// and destination are whole tensors, of which each run contiguous in both is one instruction. The host bodies do what the
// engine does, as late as it may.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/cache_hint.hpp"
#include "tilewright/atom/mbarrier.hpp"
#include "tilewright/atom/ptx/registers.hpp"
#include "tilewright/atom/universal.hpp"
#include "tilewright/tensor/pointer_swizzle.hpp"

namespace tilewright {

/// Global to shared memory.
struct SM90_BULK_COPY_G2S {
  /// One instruction. pre: 16 divides the addresses and bytes
  template <class T, class Word = word<128>>
  TILEWRIGHT_FN static void copy(T const* gmem, std::uint64_t* barrier, void* smem, std::int32_t bytes);
};
/// Shared to global memory.
struct SM90_BULK_COPY_S2G {
  /// One instruction. pre: 16 divides the addresses and bytes
  template <class T, class Word = word<128>>
  TILEWRIGHT_FN static void copy(T const* smem, void* gmem, std::int32_t bytes);
};
/// Shared memory of this block to that of another block of the cluster, named by this block's own addresses.
struct SM90_BULK_COPY_S2CLUSTER {};
/// The one of the first two that the tensors' memory spaces ask for.
struct SM90_BULK_COPY_AUTO {};

namespace detail {

/// An operation that has been given its barrier, a hint, or both. Bits: of one instruction, 0 for whole tensors.
template <class Operation, int Bits, bool HasBarrier, bool Hinted>
struct bulk_on {};
template <class Operation, int Bits>
struct bulk_of_bits {};

template <class Operation>
inline constexpr bool is_bulk = false;
template <>
inline constexpr bool is_bulk<SM90_BULK_COPY_G2S> = true;
template <>
inline constexpr bool is_bulk<SM90_BULK_COPY_S2G> = true;
template <>
inline constexpr bool is_bulk<SM90_BULK_COPY_S2CLUSTER> = true;
template <>
inline constexpr bool is_bulk<SM90_BULK_COPY_AUTO> = true;
template <class Operation>
requires(is_bulk<Operation>) inline constexpr bool copies_whole_tensors<Operation> = true;
template <class Operation, bool HasBarrier, bool Hinted>
inline constexpr bool copies_whole_tensors<bulk_on<Operation, 0, HasBarrier, Hinted>> = true;

template <class Operation, class Src, class Dst>
struct bulk_memory {
  static constexpr bool loads = is_gmem_v<Src> && is_smem_v<Dst>;
  static constexpr bool stores = is_smem_v<Src> && is_gmem_v<Dst>;
  static constexpr bool value =
      (loads && (std::is_same_v<Operation, SM90_BULK_COPY_G2S> || std::is_same_v<Operation, SM90_BULK_COPY_AUTO>)) ||
      (stores && (std::is_same_v<Operation, SM90_BULK_COPY_S2G> || std::is_same_v<Operation, SM90_BULK_COPY_AUTO>)) ||
      (is_smem_v<Src> && is_smem_v<Dst> && std::is_same_v<Operation, SM90_BULK_COPY_S2CLUSTER>);
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "cp.async.bulk: source and destination are not in the memory that the operation copies between; tag "
                  "the pointers with make_gmem_ptr and make_smem_ptr, or choose the operation for them "
                  "(docs/errors.md#memory_space)");
    return invalid_layout{};
  }
};
template <bool HasOne>
struct bulk_load_has_a_barrier {
  static constexpr bool value = HasOne;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "cp.async.bulk: a copy to shared memory completes on a barrier; write "
                  "copy(atom.with(barrier), source, destination) (docs/errors.md#bulk_barrier)");
    return invalid_layout{};
  }
};
template <class Operation>
struct bulk_touches_global_memory {
  static constexpr bool value = !std::is_same_v<Operation, SM90_BULK_COPY_S2CLUSTER>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "cp.async.bulk: a copy from block to block passes no cache; leave the cache hint out "
                  "(docs/errors.md#bulk_hint)");
    return invalid_layout{};
  }
};
template <class Src, class Dst>
struct bulk_addresses_are_plain {
  static constexpr bool value = get_swizzle_t<Src>::num_bits == 0 && get_swizzle_t<Dst>::num_bits == 0;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "cp.async.bulk: a swizzled pointer moves the chunks of a run apart; put the swizzle into the layout "
                  "with as_position_independent_swizzle_tensor, or copy by TMA (docs/errors.md#bulk_swizzle)");
    return invalid_layout{};
  }
};
template <long long Bits>
struct bulk_run_is_whole {
  static constexpr bool value = Bits > 0 && Bits % 128 == 0;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "cp.async.bulk: what is contiguous in both source and destination is not a multiple of 16 bytes; give "
        "both the same order and static extents, or use cp.async (docs/errors.md#bulk_size)");
    return invalid_layout{};
  }
};
template <class S, class D>
struct bulk_elements_agree {
  static constexpr bool value = sizeof_bits_v<S> == sizeof_bits_v<D>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "cp.async.bulk: the elements of source and destination differ in width; recast one of the tensors "
                  "(docs/errors.md#atom_widths)");
    return invalid_layout{};
  }
};

template <class L>
TILEWRIGHT_FN constexpr auto unswizzled(L const& l) {
  if constexpr (is_composed_layout_v<L>) return l.layout_b();
  else return l;
}
/// The indices that are a run in both layouts; a swizzle keeps runs of its base together.
template <class A, class B>
TILEWRIGHT_FN constexpr auto bulk_run(A const& a, B const& b) {
  auto const common = max_common_layout(unswizzled(a), unswizzled(b));
  if constexpr (is_composed_layout_v<A> || is_composed_layout_v<B>)
    return composition(common, make_layout(max_common_vector(a, b)));
  else return common;
}

/// Where a bulk copy completes; barrier is null for groups.
struct bulk_state {
  std::uint64_t* barrier = nullptr;
  std::uint32_t rank = 0;
  std::uint64_t hint = 0;
};

#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
/// Watched memory is that of a block alone in its cluster.
template <class It>
It in_block(It const& it, std::uint32_t rank) {
  if constexpr (std::is_pointer_v<It>) return map_shared_rank(it, rank);
  else return it;
}
#endif

/// One instruction.
/// pre: 16 divides bytes; from and to are the iterators of words of 16 bytes
TILEWRIGHT_NO_EXEC_CHECK
template <class Operation, bool Hinted, class Src, class Dst>
TILEWRIGHT_FN void bulk_copy(Src const& src, Dst const& dst, std::uint32_t bytes,
                             [[maybe_unused]] bulk_state const& state) {
  constexpr bool loads = is_gmem_v<Src>, stores = is_gmem_v<Dst>;
  auto const from = untagged(src);
  auto const to = untagged(dst);
#if TILEWRIGHT_ON_DEVICE
  if constexpr (!std::is_pointer_v<std::remove_const_t<decltype(from)>>)  // kernels of launch_checked compile, too
    ptx::stop("bulk copy: the hardware takes addresses, and no watched memory; use launch_checked on the CPU\n");
  else if constexpr (loads && Hinted) ptx::bulk_load(to, from, bytes, state.barrier, state.hint);
  else if constexpr (loads) ptx::bulk_load(to, from, bytes, state.barrier);
  else if constexpr (stores && Hinted) ptx::bulk_store(to, from, bytes, state.hint);
  else if constexpr (stores) ptx::bulk_store(to, from, bytes);
  else ptx::bulk_to_cluster(to, from, bytes, state.barrier, state.rank);
#elif TILEWRIGHT_HOSTED
  auto const copy_into = [from, bytes](auto const& there) {
    return [from, there, bytes] {
      for (std::uint32_t i = 0; i < bytes / 16; ++i) there[i] = from[i];
    };
  };
  if constexpr (stores) bulk_copies_of_this_thread().start(copy_into(to));
  else if constexpr (loads) complete_on_barrier(state.barrier, bytes, copy_into(to));
  else complete_on_barrier(map_shared_rank(state.barrier, state.rank), bytes, copy_into(in_block(to, state.rank)));
#endif
}

}  // namespace detail

TILEWRIGHT_NO_EXEC_CHECK
template <class T, class Word>
TILEWRIGHT_FN void SM90_BULK_COPY_G2S::copy(T const* gmem, std::uint64_t* barrier, void* smem, std::int32_t bytes) {
  detail::bulk_copy<SM90_BULK_COPY_G2S, false>(make_gmem_ptr(static_cast<Word const*>(static_cast<void const*>(gmem))),
                                               make_smem_ptr(static_cast<Word*>(smem)),
                                               static_cast<std::uint32_t>(bytes), {barrier});
}

TILEWRIGHT_NO_EXEC_CHECK
template <class T, class Word>
TILEWRIGHT_FN void SM90_BULK_COPY_S2G::copy(T const* smem, void* gmem, std::int32_t bytes) {
  detail::bulk_copy<SM90_BULK_COPY_S2G, false>(make_smem_ptr(static_cast<Word const*>(static_cast<void const*>(smem))),
                                               make_gmem_ptr(static_cast<Word*>(gmem)),
                                               static_cast<std::uint32_t>(bytes), {});
}

namespace detail {

/// Whole tensors: an instruction for each run that is contiguous in both.
TILEWRIGHT_NO_EXEC_CHECK
template <class Operation, bool Hinted, class Src, class Dst>
TILEWRIGHT_FN void bulk_copy_all(Src const& src, Dst const& dst, bulk_state const& state) {
  auto const run = bulk_run(src.layout(), dst.layout());
  constexpr long long bits = static_cast<long long>(size_v<decltype(run)>) * sizeof_bits_v<typename Src::value_type>;
  auto const starts = layout<1>(logical_divide(make_layout(size(src.layout())), run));
  for (int i = 0; i < static_cast<int>(size(starts)); ++i) {
    auto const at = starts(i);
    bulk_copy<Operation, Hinted>(recast_ptr<word<128>>(src.data() + src.layout()(at)),
                                 recast_ptr<word<128>>(dst.data() + dst.layout()(at)),
                                 static_cast<std::uint32_t>(bits / 8), state);
  }
}

/// Mode 0 of a partition: one instruction.
TILEWRIGHT_NO_EXEC_CHECK
template <class Operation, int Bits, bool Hinted, class Src, class Dst>
TILEWRIGHT_FN void bulk_copy_values(Src const& src, Dst const& dst, bulk_state const& state) {
  bulk_copy<Operation, Hinted>(recast_ptr<word<128>>(first_element(src)), recast_ptr<word<128>>(first_element(dst)),
                               Bits / 8, state);
}

/// The bits that are contiguous in both operands of a copy of whole tensors.
template <class Src, class Dst>
struct bulk_whole_run
    : bulk_run_is_whole<static_cast<long long>(size_v<decltype(bulk_run(std::declval<typename Src::layout_type>(),
                                                                        std::declval<typename Dst::layout_type>()))>) *
                        sizeof_bits_v<typename Src::value_type>> {};
template <int Bits, class Src, class Dst>
struct bulk_values_run
    : bulk_run_is_whole<math::gcd(
                            contiguous_elements<typename Src::layout_type>* sizeof_bits_v<typename Src::value_type>,
                            contiguous_elements<typename Dst::layout_type>* sizeof_bits_v<typename Dst::value_type>) %
                                    Bits ==
                                0
                            ? Bits
                            : 0> {};
template <class Operation, int Bits, bool HasBarrier, class Src, class Dst>
struct bulk_check {
  using From = typename Src::iterator;
  using To = typename Dst::iterator;
  using type = all_hold<bulk_load_has_a_barrier<HasBarrier || !is_smem_v<To>>, bulk_memory<Operation, From, To>,
                        bulk_addresses_are_plain<From, To>, bulk_values_run<Bits, Src, Dst>>;
};
template <class Operation, bool HasBarrier, class Src, class Dst>
struct bulk_check<Operation, 0, HasBarrier, Src, Dst> {
  using From = typename Src::iterator;
  using To = typename Dst::iterator;
  using type = all_hold<bulk_load_has_a_barrier<HasBarrier || !is_smem_v<To>>, bulk_memory<Operation, From, To>,
                        bulk_elements_agree<typename Src::value_type, typename Dst::value_type>,
                        bulk_addresses_are_plain<From, To>, bulk_whole_run<Src, Dst>>;
};

template <int Bits>
struct bulk_maps {
  using ThrID = Layout<_1, _0>;
  using SrcLayout = Layout<Shape<_1, C<Bits>>, Stride<_0, _1>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
};
template <>
struct bulk_maps<0> {
  using ThrID = Layout<_1, _0>;
  using SrcLayout = Layout<Shape<_1, _1>, Stride<_0, _0>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
};

/// Whole tensors, or mode 0 of a partition.
TILEWRIGHT_NO_EXEC_CHECK
template <class Operation, int Bits, bool Hinted, class Src, class Dst>
TILEWRIGHT_FN void bulk_copy_by(Src const& src, Dst const& dst, bulk_state const& state) {
  if constexpr (Bits == 0) bulk_copy_all<Operation, Hinted>(src, dst, state);
  else bulk_copy_values<Operation, Bits, Hinted>(src, dst, state);
}

template <class Operation, int Bits>
struct bulk_traits : bulk_maps<Bits> {
  using is_possible = bulk_run_is_whole<Bits == 0 ? 128 : Bits>;
  template <class Src, class Dst>
  using operands_check = typename bulk_check<Operation, Bits, false, Src, Dst>::type;

  /// The copy completes on the barrier, which counts its bytes; of the block of that rank where the operation has one.
  template <class Barrier>
  TILEWRIGHT_FN auto with(Barrier&& barrier, std::uint32_t rank = 0) const {
    return Copy_Traits<bulk_on<Operation, Bits, true, false>>{{}, {barrier_word(barrier), rank}};
  }
  /// The same, with a hint for L2.
  template <class Barrier>
  TILEWRIGHT_FN auto with(Barrier&& barrier, TMA::CacheHintSm90 hint) const {
    return Copy_Traits<bulk_on<Operation, Bits, true, true>>{
        {}, {barrier_word(barrier), 0, static_cast<std::uint64_t>(hint)}};
  }
  /// A store with a hint for L2.
  TILEWRIGHT_FN auto with(TMA::CacheHintSm90 hint) const {
    return Copy_Traits<bulk_on<Operation, Bits, false, true>>{{}, {nullptr, 0, static_cast<std::uint64_t>(hint)}};
  }

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Src, class Dst>
  TILEWRIGHT_FN void copy(Src const& src, Dst&& dst) const {
    bulk_copy_by<Operation, Bits, false>(src, dst, {});
  }
};

}  // namespace detail

template <class Operation, int Bits, bool HasBarrier, bool Hinted>
struct Copy_Traits<detail::bulk_on<Operation, Bits, HasBarrier, Hinted>> : detail::bulk_maps<Bits> {
  detail::bulk_state state;

  using is_possible = std::conditional_t<Hinted, detail::bulk_touches_global_memory<Operation>, no_objection>;
  template <class Src, class Dst>
  using operands_check = typename detail::bulk_check<Operation, Bits, HasBarrier, Src, Dst>::type;

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Src, class Dst>
  TILEWRIGHT_FN void copy(Src const& src, Dst&& dst) const {
    detail::bulk_copy_by<Operation, Bits, Hinted>(src, dst, state);
  }
};
template <class Operation>
requires(detail::is_bulk<Operation>) struct Copy_Traits<Operation> : detail::bulk_traits<Operation, 0> {
};
/// Of Bits bits: a partition's mode 0, where the tensors do not move whole.
template <class Operation, int Bits>
struct Copy_Traits<detail::bulk_of_bits<Operation, Bits>> : detail::bulk_traits<Operation, Bits> {};

namespace detail {
template <class Operation, auto Bits>
requires(is_bulk<Operation>) struct operation_named<Operation, C<Bits>> {
  using type = bulk_of_bits<Operation, static_cast<int>(Bits)>;
};
}  // namespace detail

namespace detail {
/// hint: none or one
template <class Src, class... Hint>
TILEWRIGHT_FN void bulk_prefetch_all([[maybe_unused]] Src const& src, [[maybe_unused]] Hint... hint) {
#if TILEWRIGHT_ON_DEVICE
  auto const run = bulk_run(src.layout(), src.layout());
  constexpr long long bits = static_cast<long long>(size_v<decltype(run)>) * sizeof_bits_v<typename Src::value_type>;
  auto const starts = layout<1>(logical_divide(make_layout(size(src.layout())), run));
  for (int i = 0; i < static_cast<int>(size(starts)); ++i)
    ptx::bulk_prefetch(untagged(recast_ptr<word<128>>(src.data() + src.layout()(starts(i)))),
                       static_cast<std::uint32_t>(bits / 8), hint...);
#endif
}
template <class Src>
using bulk_prefetch_check = all_hold<bulk_memory<SM90_BULK_COPY_G2S, iterator_of<Src>, smem_ptr<char*>>,
                                     bulk_whole_run<operand_of<Src>, operand_of<Src>>>;
}  // namespace detail

/// Brings a tensor in global memory near, into L2; for one thread. It does nothing before sm_90 and on the host.
template <TensorType Src>
TILEWRIGHT_FN void bulk_prefetch(Src const& src) {
  using check = detail::bulk_prefetch_check<Src>;
  if constexpr (!check::value) (void)check::sentence();
  else detail::bulk_prefetch_all(src);
}
template <TensorType Src>
TILEWRIGHT_FN void bulk_prefetch(Src const& src, TMA::CacheHintSm90 hint) {
  using check = detail::bulk_prefetch_check<Src>;
  if constexpr (!check::value) (void)check::sentence();
  else detail::bulk_prefetch_all(src, static_cast<std::uint64_t>(hint));
}

}  // namespace tilewright
