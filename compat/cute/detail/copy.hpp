// copy and copy_if: element by element, by an atom, or by a tiled copy.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm80.hpp"
#include "cute/detail/copy_atom.hpp"
#include "cute/tensor_predicate.hpp"
#include "tilewright/algorithm/bounds.hpp"

namespace cute {

using tilewright::copy;
using tilewright::copy_if;
using tilewright::make_bounds;

/// pred(i) for each element's index i, or for each index of an atom's rest modes: for predicates that are functions.
template <class Pred, class Src, class Dst>
requires(!tilewright::TensorType<Pred> && tilewright::TensorType<Src> && tilewright::TensorType<Dst>) CUTE_HOST_DEVICE
    constexpr void copy_if(Pred const& pred, Src const& src, Dst&& dst) {
  using Elements = tilewright::detail::element_count<Dst>;
  tilewright::detail::for_each_number<4, Elements, int>(size(dst), [&](int i) {
    if (pred(i)) dst(i) = src(i);
  });
}
template <class Op, class T, class Pred, class Src, class Dst>
requires(!tilewright::TensorType<Pred>) CUTE_HOST_DEVICE
    constexpr void copy_if(Copy_Atom<Op, T> const& atom, Pred const& pred, Src const& src, Dst&& dst) {
  auto const answers = [&] {
    if constexpr (rank_v<Src> == 1) return make_counting_tensor(Layout<tilewright::_1, tilewright::_0>{});
    else return make_counting_tensor(make_layout(take<1, rank_v<Src>>(shape(src))));
  }();
  copy_if(atom, lazy::transform(answers, pred), src, dst);
}
template <class Atom, class TV, class Tiler, class Pred, class Src, class Dst>
requires(!tilewright::TensorType<Pred>) CUTE_HOST_DEVICE
    constexpr void copy_if(tilewright::TiledCopy<Atom, TV, Tiler> const& tiled, Pred const& pred, Src const& src,
                           Dst&& dst) {
  copy_if(static_cast<Atom const&>(tiled), pred, src, dst);
}

namespace detail {
template <class T>
using shape_of = tilewright::detail::shape_type_of_tensor<T>;
/// Static shapes that do not match, and at least as many elements in the predicate as in the source.
template <class Pred, class Src>
TILEWRIGHT_CONSTEXPR bool is_longer_predicate() {
  if constexpr (!is_static<shape_of<Pred>>::value || !is_static<shape_of<Src>>::value) return false;
  else
    return !tilewright::detail::static_predicate_match<shape_of<Pred>, shape_of<Src>>::value &&
           size(shape_of<Pred>{}) >= size(shape_of<Src>{});
}
}  // namespace detail

namespace detail {
/// Element i, also beyond the size, where the last mode goes on.
template <class T>
CUTE_HOST_DEVICE constexpr decltype(auto) element_at(T const& tensor, int i) {
  if constexpr (tilewright::LayoutType<typename T::layout_type>)
    return *(tensor.data() + crd2idx(i, tensor.shape(), tensor.stride()));
  else return tensor(i);
}
/// Element i to element i, as CuTe pairs them, for every index of dst; a source of fewer elements goes on in its last mode.
template <class Src, class Dst>
CUTE_HOST_DEVICE constexpr void copy_by_index(Src const& src, Dst&& dst) {
  tilewright::detail::assign const assign;
  using Elements = tilewright::detail::element_count<Dst>;
  tilewright::detail::for_each_number<4, Elements, int>(size(dst), [&](int i) { assign(element_at(src, i), dst(i)); });
}
/// Both shapes are constants.
template <class A, class B>
inline constexpr bool have_static_shapes = is_static<shape_of<A>>::value&& is_static<shape_of<B>>::value;
/// Constant shapes of which the algorithms of the library take no pair.
template <class A, class B>
TILEWRIGHT_CONSTEXPR bool are_unlike() {
  if constexpr (!have_static_shapes<A, B>) return false;
  else return !tilewright::detail::static_shapes_match<shape_of<A>, shape_of<B>>;
}
template <class A, class B>
concept unlike_shapes = (are_unlike<A, B>());  // for kernels, which may not call host functions
/// Both tensors are in registers or memory, and not both shapes are constants.
template <class Src, class Dst>
concept has_runtime_shapes = !have_static_shapes<Src, Dst>;
}  // namespace detail

/// By index, as CuTe pairs them: predicate (8,4):(1,0) and source (8).
template <tilewright::TensorType Pred, tilewright::TensorType Src, tilewright::TensorType Dst>
requires(detail::is_longer_predicate<Pred, Src>() ||
         detail::are_unlike<Src, std::remove_cvref_t<Dst>>()) CUTE_HOST_DEVICE
    constexpr void copy_if(Pred const& pred, Src const& src, Dst&& dst) {
  cute::copy_if([&](auto i) { return pred(i); }, src, dst);
}
/// Of run-time shapes: by coordinate where the shapes are alike, else by index.
template <detail::cute_tensor Pred, detail::cute_tensor Src, detail::cute_tensor Dst>
requires(!detail::is_longer_predicate<Pred, Src>() &&
         detail::has_runtime_shapes<Src, std::remove_cvref_t<Dst>>) CUTE_HOST_DEVICE
    constexpr void copy_if(Pred const& pred, Src const& src, Dst&& dst) {
  if (tilewright::detail::dynamic_shapes_match(src.shape(), dst.shape()) &&
      tilewright::detail::dynamic_shapes_match(pred.shape(), src.shape()))
    tilewright::copy_if(pred, src, dst);
  else cute::copy_if([&](auto i) { return pred(i); }, src, dst);
}

/// Tensors whose first elements are aligned to 128 bits.
template <class Src, class Dst>
CUTE_HOST_DEVICE constexpr void copy_aligned(Src const& src, Dst&& dst) {
  copy(AutoVectorizingCopy{}, src, dst);
}

namespace detail {
/// Static shapes of which the predicate's has more elements than the source has atoms, and not the modes of the source.
template <class Pred, class Src>
TILEWRIGHT_CONSTEXPR bool is_longer_predicate_of_atoms() {
  if constexpr (!is_static<shape_of<Pred>>::value || !is_static<shape_of<Src>>::value || rank_v<Src> < 2) return false;
  else {
    constexpr int atoms = static_cast<int>(size(shape_of<Src>{})) / static_cast<int>(size<0>(shape_of<Src>{}));
    constexpr int elements = static_cast<int>(size(shape_of<Pred>{}));
    if constexpr (rank_v<Pred> == rank_v<Src>) {
      if (elements / static_cast<int>(size<0>(shape_of<Pred>{})) == atoms) return false;
    }
    return elements > atoms;
  }
}
template <class Pred, class Src>
concept longer_predicate_of_atoms = (is_longer_predicate_of_atoms<Pred, Src>());
}  // namespace detail

/// A predicate with the modes of the source, mode 0 included: that of an atom's first value decides for the atom. A longer
/// one that has other modes is asked by the atom's index, as CuTe asks it.
template <class Op, class T, tilewright::TensorType Pred, tilewright::TensorType Src, tilewright::TensorType Dst>
requires((rank_v<Pred> == rank_v<Src> && rank_v<Src> > 1) ||
         detail::is_longer_predicate_of_atoms<Pred, Src>()) CUTE_HOST_DEVICE
    constexpr void copy_if(Copy_Atom<Op, T> const& atom, Pred const& pred, Src const& src, Dst&& dst) {
  if constexpr (detail::longer_predicate_of_atoms<Pred, Src>)
    cute::copy_if(
        atom, [&](auto i) { return pred(i); }, src, dst);
  else copy_if(atom, pred(tuple_cat(make_tuple(0), wrap(repeat<rank_v<Src> - 1>(tilewright::Underscore{})))), src, dst);
}
template <class Atom, class TV, class Tiler, tilewright::TensorType Pred, tilewright::TensorType Src,
          tilewright::TensorType Dst>
requires((rank_v<Pred> == rank_v<Src> && rank_v<Src> > 1) ||
         detail::is_longer_predicate_of_atoms<Pred, Src>()) CUTE_HOST_DEVICE
    constexpr void copy_if(tilewright::TiledCopy<Atom, TV, Tiler> const& tiled, Pred const& pred, Src const& src,
                           Dst&& dst) {
  copy_if(static_cast<Atom const&>(tiled), pred, src, dst);
}

namespace detail {
/// Static shapes of one size that are written in different ways.
template <class Src, class Dst>
concept paired_by_index =
    is_static<decltype(std::declval<Src const&>().shape())>::value &&
    is_static<decltype(std::declval<Dst const&>().shape())>::value &&
    !std::is_same_v<std::remove_cvref_t<decltype(std::declval<Src const&>().shape())>,
                    std::remove_cvref_t<decltype(std::declval<Dst const&>().shape())>> &&
    tilewright::LayoutType<typename Src::layout_type> && tilewright::LayoutType<typename Dst::layout_type> &&
    (size_v<typename Src::layout_type> == size_v<typename Dst::layout_type>);
/// A tensor with the shape of another: element i of the one is beside element i of the other. Its modes are split further where no
/// single stride takes their steps: the shape 4 of (2,2):(1,8) is ((2,2)).
template <class Like, class T>
CUTE_HOST_DEVICE constexpr auto shaped_like(Like const& like, T&& tensor) {
  return make_tensor(tensor.data(), tilewright::with_shape(tensor.layout(), like.shape()));
}
/// Is there a layout for that? The shape (3,4) of (2,6):(7,1) has none.
template <class Like, class T>
concept has_the_shape_of =
    tilewright::lift::succeeds<tilewright::op::with_shape, typename T::layout_type, shape_of<Like>>::value;
/// Static shapes written in different ways, of which one is that of the other.
template <class Src, class Dst>
concept reshaped_pair = paired_by_index<Src, Dst> && has_the_shape_of<Src, Dst>;
/// Both layouts are constants, both tensors in memory.
template <class Src, class Dst>
concept statically_laid_out =
    is_static<typename Src::layout_type>::value && is_static<typename Dst::layout_type>::value &&
    tilewright::detail::in_memory<Src const> && tilewright::detail::in_memory<Dst>;
/// As CuTe copies tensors of constant layouts: in vectors of up to 128 bits, whose alignment it takes for granted. So does device
/// code here; a checked build and the host use vectors no wider than the types promise.
template <class Src, class Dst>
CUTE_HOST_DEVICE constexpr void copy_in_vectors(Src const& src, Dst& dst) {
#if TILEWRIGHT_ON_DEVICE && !TILEWRIGHT_CHECKED
  copy(AutoVectorizingCopyWithAssumedAlignment<128>{}, src, dst);
#else
  tilewright::copy(src, dst);
#endif
}
}  // namespace detail
/// Element i to element i, as CuTe pairs them. Constant layouts: in vectors.
template <detail::cute_tensor Src, detail::cute_tensor Dst>
requires(detail::paired_by_index<Src, std::remove_cvref_t<Dst>> ||
         detail::statically_laid_out<Src, std::remove_cvref_t<Dst>> ||
         detail::are_unlike<Src, std::remove_cvref_t<Dst>>() ||
         detail::has_runtime_shapes<Src, std::remove_cvref_t<Dst>>) CUTE_HOST_DEVICE
    constexpr void copy(Src const& src, Dst&& dst) {
  using D = std::remove_cvref_t<Dst>;
  if constexpr (detail::reshaped_pair<Src, D>) {
    auto&& same = detail::shaped_like(src, dst);
    if constexpr (detail::statically_laid_out<Src, D>) detail::copy_in_vectors(src, same);
    else tilewright::copy(src, same);
  } else if constexpr (detail::paired_by_index<Src, D> || detail::unlike_shapes<Src, D>) {
    detail::copy_by_index(src, dst);
  } else if constexpr (detail::has_runtime_shapes<Src, D>) {
    if (tilewright::detail::dynamic_shapes_match(src.shape(), dst.shape())) tilewright::copy(src, dst);
    else detail::copy_by_index(src, dst);
  } else {
    detail::copy_in_vectors(src, dst);
  }
}

namespace detail {
template <class Op>
inline constexpr bool is_cp_async = false;
template <class S, class D>
inline constexpr bool is_cp_async<tilewright::SM80_CP_ASYNC_CACHEALWAYS<S, D>> = true;
template <class S, class D>
inline constexpr bool is_cp_async<tilewright::SM80_CP_ASYNC_CACHEGLOBAL<S, D>> = true;
template <class Op>
inline constexpr bool copies_elements =
    tilewright::detail::assumed_bits<Op> != 0 || std::is_same_v<Op, tilewright::DefaultCopy>;

/// The modes after the first as one.
template <class T>
CUTE_HOST_DEVICE constexpr auto with_rest_in_one_mode(T const& tensor) {
  return group_modes<1, rank_v<T>>(tensor);
}
/// Constant shapes whose modes after the first are as many and unlike: ((1,4),4,2) and ((1,4),2,4).
template <class Src, class Dst>
TILEWRIGHT_CONSTEXPR bool have_unlike_rests() {
  if constexpr (rank_v<Src> != rank_v<Dst> || rank_v<Src> < 2 || !have_static_shapes<Src, Dst>) return false;
  else
    return !tilewright::detail::static_rest_match<tilewright::detail::algorithm::copy, shape_of<Src>,
                                                  shape_of<Dst>>::value &&
           size(take<1, rank_v<Src>>(shape_of<Src>{})) == size(take<1, rank_v<Dst>>(shape_of<Dst>{}));
}
template <class Src, class Dst>
concept unlike_rests = (have_unlike_rests<Src, Dst>());
/// Shapes known at run time, of one rank, by an operation that copies the values of mode 0.
template <class Op, class Src, class Dst>
concept may_have_unlike_rests = !copies_elements<Op> && !tilewright::detail::copies_whole_tensors<Op> &&
                                has_runtime_shapes<Src, Dst> && rank_v<Src> == rank_v<Dst> && (rank_v<Src> > 1);

template <class Op, class T, class Src, class Dst>
CUTE_HOST_DEVICE constexpr void copy_by(Copy_Atom<Op, T> const& atom, Src const& src, Dst& dst);
/// Atom i of the source to atom i of the destination.
template <class Op, class T, class Src, class Dst>
CUTE_HOST_DEVICE constexpr void copy_atoms_by_index(Copy_Atom<Op, T> const& atom, Src const& src, Dst& dst) {
  auto const from = with_rest_in_one_mode(src);  // (V, (Rest…))
  auto to = with_rest_in_one_mode(dst);          // (V, (Rest…))
  tilewright::detail::for_each_number<1, tilewright::detail::atom_count<Dst>, int>(size<1>(to), [&](int i) {
    auto part = to(tilewright::_, i);
    copy_by(atom, from(tilewright::_, i), part);
  });
}

/// With the destination as `same`, whose modes may be split further than the source's; then the source is split alike.
template <class Op, class T, class Src, class Dst, class Same>
CUTE_HOST_DEVICE constexpr void copy_reshaped(Copy_Atom<Op, T> const& atom, Src const& src, Dst& dst, Same& same) {
  if constexpr (!paired_by_index<Src, Same>) {
    copy_by(atom, src, same);
  } else if constexpr (reshaped_pair<Same, Src>) {
    auto const from = shaped_like(same, src);
    if constexpr (!paired_by_index<std::remove_const_t<decltype(from)>, Same>) copy_by(atom, from, same);
    else copy_by_index(src, dst);
  } else {
    copy_by_index(src, dst);
  }
}

/// By an atom, as CuTe takes tensors: of differently nested shapes by index; a cp.async that does not go
/// from global to shared memory, which programs have in branches that never run, is a copy as any other.
template <class Op, class T, class Src, class Dst>
CUTE_HOST_DEVICE constexpr void copy_by(Copy_Atom<Op, T> const& atom, Src const& src, Dst& dst) {
  using D = std::remove_cvref_t<Dst>;
  using check = tilewright::detail::atom_copy_check<Copy_Atom<Op, T>, Src, D>;
  if constexpr (copies_elements<Op> && reshaped_pair<Src, D>) {
    auto&& same = shaped_like(src, dst);
    copy_reshaped(atom, src, dst, same);
  } else if constexpr (copies_elements<Op> && paired_by_index<Src, D>) {
    copy_by_index(src, dst);
  } else if constexpr (copies_elements<Op> && (unlike_shapes<Src, D> || has_runtime_shapes<Src, D>)) {
    if constexpr (unlike_shapes<Src, D>) copy_by_index(src, dst);
    else if (tilewright::detail::dynamic_shapes_match(src.shape(), dst.shape()))
      tilewright::detail::copy_by_atom(atom, src, dst);
    else copy_by_index(src, dst);
  } else if constexpr (is_cp_async<Op> && !(tilewright::is_gmem_v<typename Src::iterator> &&
                                            tilewright::is_smem_v<typename D::iterator>)) {
    cute::copy(src, dst);
  } else if constexpr (!copies_elements<Op> && !tilewright::detail::copies_whole_tensors<Op> && unlike_rests<Src, D>) {
    copy_atoms_by_index(atom, src, dst);
  } else if constexpr (!check::value) {
    (void)check::sentence();
  } else if constexpr (may_have_unlike_rests<Op, Src, D>) {
    if (tilewright::detail::dynamic_shapes_match(take<1, rank_v<Src>>(src.shape()), take<1, rank_v<D>>(dst.shape())))
      tilewright::detail::copy_by_atom(atom, src, dst);
    else copy_atoms_by_index(atom, src, dst);
  } else {
    tilewright::detail::copy_by_atom(atom, src, dst);
  }
}
}  // namespace detail
/// Vectorised where the shapes are alike, else by index.
template <int MaxBits, detail::cute_tensor Src, detail::cute_tensor Dst>
requires(detail::are_unlike<Src, std::remove_cvref_t<Dst>>() ||
         detail::has_runtime_shapes<Src, std::remove_cvref_t<Dst>>) CUTE_HOST_DEVICE
    constexpr void copy(AutoVectorizingCopyWithAssumedAlignment<MaxBits> const&, Src const& src, Dst&& dst) {
  using Op = AutoVectorizingCopyWithAssumedAlignment<MaxBits>;
  detail::copy_by(Copy_Atom<Op, typename Src::value_type>{}, src, dst);
}
/// By an atom, or by a tiled copy of this namespace: every thread that calls this takes part.
template <class Op, class T, detail::cute_tensor Src, detail::cute_tensor Dst>
CUTE_HOST_DEVICE constexpr void copy(Copy_Atom<Op, T> const& atom, Src const& src, Dst&& dst) {
  detail::copy_by(atom, src, dst);
}
template <class Atom, class TV, class Tiler, tilewright::TensorType Src, tilewright::TensorType Dst>
CUTE_HOST_DEVICE constexpr void copy(TiledCopy<Atom, TV, Tiler> const& tiled, Src const& src, Dst&& dst) {
  copy(static_cast<Atom const&>(tiled), src, dst);  // a program may have a copy for its own atom
}

/// A copy that becomes cp.async where source and destination allow it: from global to shared memory, 4, 8 or 16
/// contiguous bytes at a time; otherwise it is a copy as any other.
struct AutoCopyAsync {};
namespace detail {
template <int Bits, class Src, class Dst>
inline constexpr bool copies_by_cp_async =
    tilewright::is_gmem_v<std::remove_cvref_t<decltype(std::declval<Src const&>().data())>>&&
        tilewright::is_smem_v<std::remove_cvref_t<decltype(std::declval<Dst const&>().data())>> &&
    (Bits == 32 || Bits == 64 || Bits == 128);
/// Every word of Bits bits by a cp.async of its own.
template <int Bits, class Src, class Dst>
CUTE_HOST_DEVICE constexpr void copy_words_async(Src const& src, Dst& dst) {
  using Word = tilewright::uint_bit_t<Bits>;
  auto const from = recast<Word>(src);
  auto to = recast<Word>(dst);
  Copy_Atom<tilewright::SM80_CP_ASYNC_CACHEALWAYS<Word>, Word> const atom{};
  tilewright::detail::for_each_number<4, tilewright::detail::element_count<Src>, int>(size(from), [&](int i) {
    atom.call(make_tensor(from.data() + from.layout()(i), Layout<C<1>>{}),
              make_tensor(to.data() + to.layout()(i), Layout<C<1>>{}));
  });
}
template <int MaxBits, class Src, class Dst>
CUTE_HOST_DEVICE constexpr void copy_auto_async(Src const& src, Dst& dst) {
  using D = std::remove_cvref_t<Dst>;
  constexpr int bits =
      tilewright::detail::vector_elements<MaxBits, Src, D> * tilewright::sizeof_bits_v<typename Src::value_type>;
  if constexpr (copies_by_cp_async<bits, Src, D>) copy_words_async<bits>(src, dst);
  else copy(AutoVectorizingCopyWithAssumedAlignment<MaxBits>{}, src, dst);
}
}  // namespace detail
template <tilewright::TensorType Src, tilewright::TensorType Dst>
CUTE_HOST_DEVICE constexpr void copy(AutoCopyAsync const&, Src const& src, Dst&& dst) {
  constexpr int bits = static_cast<int>(tilewright::math::gcd(
      tilewright::detail::promised_alignment<Src>, tilewright::detail::promised_alignment<std::remove_cvref_t<Dst>>));
  detail::copy_auto_async<bits>(src, dst);
}

/// CuTe's policy that leaves out repeated elements (stride 0); the result is that of a copy.
struct AutoFilter {};
template <tilewright::TensorType Src, tilewright::TensorType Dst>
CUTE_HOST_DEVICE constexpr void copy(AutoFilter const&, Src const& src, Dst&& dst) {
  copy(src, dst);
}

}  // namespace cute
