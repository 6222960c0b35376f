// cp.async (PTX ISA, "Non-bulk copy: cp.async", sm_80): 4, 8 or 16 bytes from global to shared memory without passing
// registers. A copy is complete when the thread that started it has waited; other threads need a barrier after that.
// The maps are those of a plain copy of the width. The host body copies when the thread waits, as late as the
// instruction may, so that a kernel without its wait reads old data.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/ptx/cp_async.hpp"
#include "tilewright/atom/universal.hpp"
#include "tilewright/machine/host_thread.hpp"

namespace tilewright {

namespace detail {

/// One cp.async of Bits bits. ZeroFill: of no bytes, and zeros, where `reads` is false.
TILEWRIGHT_NO_EXEC_CHECK
template <int Bits, bool L2Only, bool ZeroFill, class From, class To>
TILEWRIGHT_FN void cp_async_words(From const from, To const to, [[maybe_unused]] bool reads) {
  if constexpr (ptx::on_device && !(std::is_pointer_v<To> && std::is_pointer_v<From>)) {
    // An iterator that does its accesses itself, as in a checked launch, does them at once.
    if (!ZeroFill || reads) *to = *from;
    else *to = word<Bits>{};
  } else if constexpr (ptx::on_device) {
    if constexpr (ZeroFill) ptx::cp_async<Bits / 8, L2Only>(to, from, reads ? Bits / 8 : 0);
    else ptx::cp_async<Bits / 8, L2Only>(to, from);
  } else {
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
    async_copies_of_this_thread().start([to, from, reads] {
      if (!ZeroFill || reads) *to = *from;
      else *to = word<Bits>{};
    });
#endif
  }
}

/// The instruction itself: from an element in global memory to one in shared memory.
template <class S, class D, bool L2Only>
struct cp_async_instruction {
  using SRegisters = S[1];
  using DRegisters = D[1];
  static constexpr int bits = sizeof_bits_v<S>;
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void copy(S const& gmem_src, D& smem_dst) requires(sizeof(S) == sizeof(D)) {
    cp_async_words<bits, L2Only, false>(reinterpret_cast<word<bits> const*>(&gmem_src),
                                        reinterpret_cast<word<bits>*>(&smem_dst), true);
  }
};
template <class S, class D, bool L2Only>
struct cp_async_zfill_instruction {
  using SRegisters = S[1];
  using DRegisters = D[1];
  static constexpr int bits = sizeof_bits_v<S>;
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void copy(S const& gmem_src, D& smem_dst, bool pred) requires(sizeof(S) == sizeof(D)) {
    cp_async_words<bits, L2Only, true>(reinterpret_cast<word<bits> const*>(&gmem_src),
                                       reinterpret_cast<word<bits>*>(&smem_dst), pred);
  }
};

}  // namespace detail

/// Cached in L1 and L2 (.ca).
template <class S, class D = S>
struct SM80_CP_ASYNC_CACHEALWAYS : detail::cp_async_instruction<S, D, false> {};
/// Cached in L2 only (.cg).
template <class S, class D = S>
struct SM80_CP_ASYNC_CACHEGLOBAL : detail::cp_async_instruction<S, D, true> {};
/// The same, writing zeros instead where atom.with(pred) was given false; the source is not read then.
template <class S, class D = S>
struct SM80_CP_ASYNC_CACHEALWAYS_ZFILL : detail::cp_async_zfill_instruction<S, D, false> {};
template <class S, class D = S>
struct SM80_CP_ASYNC_CACHEGLOBAL_ZFILL : detail::cp_async_zfill_instruction<S, D, true> {};

namespace detail {

template <bool FromGlobalToShared>
struct cp_async_memory {
  static constexpr bool value = FromGlobalToShared;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "cp.async: copies from global to shared memory alone; tag the pointers with make_gmem_ptr and "
                  "make_smem_ptr, or use UniversalCopy for other memory (docs/errors.md#memory_space)");
    return invalid_layout{};
  }
};
template <bool Contiguous>
struct cp_async_contiguous {
  static constexpr bool value = Contiguous;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "cp.async: the atom's values are not contiguous in source and destination; let the value layout run "
                  "along the mode of stride 1, or use a narrower atom (docs/errors.md#not_contiguous_source)");
    return invalid_layout{};
  }
};

/// The same of the first elements of two tensors.
TILEWRIGHT_NO_EXEC_CHECK
template <int Bits, bool L2Only, bool ZeroFill, class Src, class Dst>
TILEWRIGHT_FN void cp_async(Src const& src, Dst const& dst, bool reads) {
  cp_async_words<Bits, L2Only, ZeroFill>(untagged(recast_ptr<word<Bits>>(first_element(src))),
                                         untagged(recast_ptr<word<Bits>>(first_element(dst))), reads);
}
template <int Bits, class Src, class Dst>
using cp_async_check =
    all_hold<cp_async_memory<is_gmem_v<typename Src::iterator> && is_smem_v<typename Dst::iterator>>,
             cp_async_contiguous<holds_contiguous_bits<Src, Bits> && holds_contiguous_bits<Dst, Bits>>>;

template <int Bits, bool L2Only>
struct cp_async_carries {
  static constexpr bool value = Bits == 128 || (!L2Only && (Bits == 32 || Bits == 64));
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "cp.async: the instruction carries 4, 8 or 16 bytes, 16 alone where it bypasses L1 (CACHEGLOBAL); carry "
        "several elements at once, or copy synchronously (docs/errors.md#cp_async_width)");
    return invalid_layout{};
  }
};
template <class S, bool L2Only>
inline constexpr int cp_async_bits = cp_async_carries<sizeof_bits_v<S>, L2Only>::value ? sizeof_bits_v<S> : 128;

template <class S, class D, bool L2Only>
struct cp_async_traits {
  static constexpr int bits = cp_async_bits<S, L2Only>;
  using is_possible = cp_async_carries<sizeof_bits_v<S>, L2Only>;
  using ThrID = Layout<_1, _0>;
  using SrcLayout = Layout<Shape<_1, C<bits>>, Stride<_0, _1>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;

  template <class Src, class Dst>
  using operands_check = cp_async_check<bits, Src, Dst>;

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Src, class Dst>
  TILEWRIGHT_FN static void copy(Src const& src, Dst&& dst) {
    detail::cp_async<bits, L2Only, false>(src, dst, true);
  }
};

template <class S, class D, bool L2Only>
struct cp_async_zfill_traits {
  static constexpr int bits = cp_async_bits<S, L2Only>;
  using is_possible = cp_async_carries<sizeof_bits_v<S>, L2Only>;
  using ThrID = Layout<_1, _0>;
  using SrcLayout = Layout<Shape<_1, C<bits>>, Stride<_0, _1>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
  bool pred = true;

  template <class Src, class Dst>
  using operands_check = cp_async_check<bits, Src, Dst>;

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Src, class Dst>
  TILEWRIGHT_FN void copy(Src const& src, Dst&& dst) const {
    detail::cp_async<bits, L2Only, true>(src, dst, pred);
  }
};

}  // namespace detail

template <class S, class D>
struct Copy_Traits<SM80_CP_ASYNC_CACHEALWAYS<S, D>> : detail::cp_async_traits<S, D, false> {};
template <class S, class D>
struct Copy_Traits<SM80_CP_ASYNC_CACHEGLOBAL<S, D>> : detail::cp_async_traits<S, D, true> {};
template <class S, class D>
struct Copy_Traits<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<S, D>> : detail::cp_async_zfill_traits<S, D, false> {
  TILEWRIGHT_FN constexpr Copy_Traits with(bool moves) const { return {{moves}}; }
};
template <class S, class D>
struct Copy_Traits<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<S, D>> : detail::cp_async_zfill_traits<S, D, true> {
  TILEWRIGHT_FN constexpr Copy_Traits with(bool moves) const { return {{moves}}; }
};

/// Closes the group of this thread's copies since the last fence.
TILEWRIGHT_NO_EXEC_CHECK
TILEWRIGHT_FN void cp_async_fence() {
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  async_copies_of_this_thread().commit();
#else
  ptx::cp_async_commit_group();
#endif
}

/// Waits for all of this thread's copies, fenced or not.
TILEWRIGHT_NO_EXEC_CHECK
TILEWRIGHT_FN void cp_async_wait_all() {
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  async_copies_of_this_thread().wait_all();
#else
  ptx::cp_async_wait_everything();
#endif
}

/// Waits until at most the latest N groups of this thread are in flight; 0 waits for all copies, fenced or not.
TILEWRIGHT_NO_EXEC_CHECK
template <int N>
TILEWRIGHT_FN void cp_async_wait() {
  static_assert(N >= 0, "cp_async_wait<N>: N groups may stay in flight, 0 or more (docs/errors.md#cp_async_groups)");
  if constexpr (N == 0) {
    cp_async_wait_all();
  } else {
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
    async_copies_of_this_thread().wait(N);
#else
    ptx::cp_async_wait_group<N>();
#endif
  }
}
template <int N>
TILEWRIGHT_FN void cp_async_wait(C<N> const&) {
  cp_async_wait<N>();
}

}  // namespace tilewright
