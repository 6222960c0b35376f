// A copy that a group of threads shares without a tiled copy declared for it.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/detail/copy.hpp"
#include "tilewright/algorithm/elementwise.hpp"

namespace cute {

using tilewright::cooperative_copy;

namespace detail {
/// Vector k of this thread is the k-th of NumThreads neighbours in the order of the destination.
template <unsigned NumThreads, unsigned MaxVecBits, class Index, class Src, class Dst>
CUTE_HOST_DEVICE constexpr void cooperative_copy_async(Index const& tid, Src const& src, Dst&& dst) {
  using D = std::remove_cvref_t<Dst>;
  using Element = typename Src::value_type;
  constexpr int least = tilewright::sizeof_bits_v<Element>;
  constexpr int most = static_cast<int>(MaxVecBits) < least ? least : static_cast<int>(MaxVecBits);
  constexpr int bits = tilewright::detail::vector_elements<most, Src, D> * least;
  if constexpr (copies_by_cp_async<bits, Src, D>) {
    if (static_cast<long long>(tid) >= static_cast<long long>(NumThreads)) return;
    using Word = tilewright::uint_bit_t<bits>;
    auto const from = recast<Word>(src);
    auto to = recast<Word>(dst);
    using tilewright::detail::inner_layout;
    using tilewright::detail::static_stand_in;
    using FromLayout = decltype(static_stand_in(inner_layout(from.layout())));
    using ToLayout = decltype(static_stand_in(inner_layout(to.layout())));
    auto const order =
        tilewright::lift::call<tilewright::op::destination_order, FromLayout, ToLayout>::on(FromLayout{}, ToLayout{});
    Copy_Atom<tilewright::SM80_CP_ASYNC_CACHEALWAYS<Word>, Word> const atom{};
    int const count = static_cast<int>(size(from));
    for (int i = static_cast<int>(tid); i < count; i += static_cast<int>(NumThreads)) {
      auto const at = order(i);
      atom.call(make_tensor(from.data() + from.layout()(at), Layout<C<1>>{}),
                make_tensor(to.data() + to.layout()(at), Layout<C<1>>{}));
    }
  } else {
    tilewright::cooperative_copy<NumThreads, MaxVecBits>(tid, src, dst);
  }
}
}  // namespace detail

/// Tensors of one size and different shapes: element i to element i.
template <unsigned NumThreads, unsigned MaxVecBits = 8, class Index, detail::cute_tensor Src, detail::cute_tensor Dst>
requires(detail::paired_by_index<Src, std::remove_cvref_t<Dst>>) CUTE_HOST_DEVICE
    constexpr void cooperative_copy(Index const& tid, Src const& src, Dst&& dst) {
  tilewright::cooperative_copy<NumThreads, MaxVecBits>(tid, src, detail::shaped_like(src, dst));
}
namespace detail {
template <unsigned NumThreads, unsigned MaxVecBits, class Policy, class Index, class Src, class Dst>
CUTE_HOST_DEVICE constexpr void cooperative_copy_by(Index const& tid, Src const& src, Dst&& dst) {
  if constexpr (std::is_same_v<Policy, AutoCopyAsync>) cooperative_copy_async<NumThreads, MaxVecBits>(tid, src, dst);
  else tilewright::cooperative_copy<NumThreads, MaxVecBits>(tid, src, dst);
}
}  // namespace detail
/// The same with a way to copy. By AutoCopyAsync it may be asynchronous: fence and wait as for cp.async.
template <unsigned NumThreads, unsigned MaxVecBits, class Index, tilewright::TensorType Src, tilewright::TensorType Dst,
          class Policy>
CUTE_HOST_DEVICE constexpr void cooperative_copy(Index const& tid, Src const& src, Dst&& dst, Policy const&) {
  // What the destination is shaped like may still be coarser than it: elements are paired by their index.
  if constexpr (detail::paired_by_index<Src, std::remove_cvref_t<Dst>>)
    detail::cooperative_copy_by<NumThreads, MaxVecBits, Policy>(tid, src, detail::shaped_like(src, dst));
  else detail::cooperative_copy_by<NumThreads, MaxVecBits, Policy>(tid, src, dst);
}
/// Element by element.
template <unsigned NumThreads, class Index, tilewright::TensorType Src, tilewright::TensorType Dst>
CUTE_HOST_DEVICE constexpr void naive_cooperative_copy(Index const& tid, Src const& src, Dst&& dst) {
  auto const n = size(src);
  for (int i = static_cast<int>(tid); i < static_cast<int>(n); i += static_cast<int>(NumThreads)) dst(i) = src(i);
}

}  // namespace cute
