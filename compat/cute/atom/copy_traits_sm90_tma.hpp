// TMA copies: made on the host for a tensor in global memory and the layout of a tile in shared memory.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm90_tma.hpp"
#include "cute/tensor_impl.hpp"
#include "cutlass/cuda_host_adapter.hpp"
#include "tilewright/tiled/make_tma_copy.hpp"

#if TILEWRIGHT_HOSTED
#include <stdexcept>
#endif
#include "cute/detail/copy_atom.hpp"
#include "cute/detail/tiled_copy.hpp"
#include "tilewright/tiled/make_im2col_tma_copy.hpp"
#include "tilewright/tiled/make_tma_copy.hpp"

namespace cute {

/// What a TMA copy's traits have besides the map: the strides of get_tma_tensor, which are coordinates of the map.
template <class GmemStride, class... Parameters>
struct AuxTmaParams {
  GmemStride g_stride_;
};

/// The copy_unpack of a program's load: CopyOp::copy of what its traits have in opargs_, the address in shared memory, and the
/// coordinate that the tile starts at. Traits Copy_Traits<CopyOp, Args...> derive from it.
template <class CopyOp, class... Args>
struct TMA_LOAD_Unpack {
  template <class Src, class Dst>
  CUTE_HOST_DEVICE friend constexpr void copy_unpack(Copy_Traits<CopyOp, Args...> const& traits, Src const& src,
                                                     Dst&& dst) {
    auto* const to = tilewright::detail::box_address(tilewright::detail::start_of_boxes(dst));
    auto const at = src.data().coord_;
    call(traits.opargs_, to, at,
         tilewright::make_seq<tuple_size<std::remove_cvref_t<decltype(traits.opargs_)>>::value>{},
         tilewright::make_seq<tuple_size<std::remove_cv_t<decltype(at)>>::value>{});
  }

 private:
  TILEWRIGHT_NO_EXEC_CHECK
  template <class OpArgs, class Coordinate, int... I, int... J>
  CUTE_HOST_DEVICE static constexpr void call(OpArgs const& opargs, void* to, Coordinate const& at,
                                              tilewright::seq<I...>, tilewright::seq<J...>) {
    CopyOp::copy(get<I>(opargs)..., to, static_cast<std::int32_t>(get<J>(at))...);
  }
};

using tilewright::make_tma_copy;
using tilewright::tma_partition;

#if TILEWRIGHT_HOSTED
namespace detail {
/// How many blocks share a tile of a tiled copy. A number that is known at run time alone has to be 1: the tile is then not shared.
template <class Blocks>
auto tma_blocks(Blocks const& blocks) {
  if constexpr (is_static<decltype(size(blocks))>::value) {
    return blocks;
  } else {
    if (size(blocks) != 1)
      throw std::invalid_argument(
          "make_tma_copy: blocks share a tile only where their number is a constant; give it as Int<N>{}, or call "
          "make_tma_atom");
    return C<1>{};
  }
}
/// The tensor of the type that a map counts in: another type of the same width; words of the type for elements of more than 64
/// bits, except in sums; otherwise the tensor's own, since a copy moves the same bytes.
template <class T, class Operation, class G>
auto tma_tensor_of(G const& tensor) {
  using Own = typename G::value_type;
  using Word = std::conditional_t<std::is_void_v<T>, Own, T>;
  constexpr int own_bits = sizeof_bits_v<Own>, word_bits = sizeof_bits_v<Word>;
  constexpr int packed_bits = tilewright::bits_before_unpacking<Word>;
  constexpr bool sums = std::is_same_v<Operation, tilewright::SM90_TMA_REDUCE_ADD>;
  if constexpr (packed_bits != 0 && packed_bits == own_bits)
    return make_tensor(recast_ptr<Word>(tensor.data()), tensor.layout());
  else if constexpr (!sums && own_bits > 64 && word_bits >= 8 && word_bits <= 64 && own_bits % word_bits == 0)
    return recast<tilewright::detail::tma_wide_element<Word, own_bits / word_bits>>(tensor);
  else if constexpr (!std::is_void_v<T> && word_bits == own_bits && !std::is_same_v<T, Own>) return recast<T>(tensor);
  else return tensor;
}
template <int Blocks, class Op, int Bits, int Rank, class Coordinates, int ElementBits, class T>
auto widened_tma_atom(
    Copy_Atom<tilewright::detail::tma_copy<Op, Bits, Rank, Coordinates, ElementBits>, T> const& atom) {
  Copy_Atom<tilewright::detail::tma_copy<Op, Bits * Blocks, Rank, Coordinates, ElementBits>, T> out{};
  out.map = atom.map;
  out.set_steps(atom.steps());
  return out;
}
/// An atom of a program's own operation: one block copies a tile.
template <int Blocks, class Atom>
requires(Blocks == 1) Atom widened_tma_atom(Atom const& atom) { return atom; }
template <class Copy>
auto atom_of_tma(Copy const& copy) {
  if constexpr (tilewright::is_invalid_v<Copy>) return copy;
  else
    return widened_tma_atom<static_cast<int>(Copy::TiledNumThr::value)>(
        static_cast<typename Copy::AtomType const&>(copy));
}
/// The modes of a box from the last one, divided among `blocks`: a box of (32,4) elements is (32,2) for 2 blocks and (16,1)
/// for 8. A block's elements are then contiguous in shared memory.
inline void share_tma_box(tilewright::tma_descriptor& map, int blocks) {
  int left = blocks;
  for (int i = map.tensor.rank - 1; i >= 0 && left > 1; --i) {
    int& box = map.tensor.box[i];
    int const taken = left % box == 0 ? box : left;
    if (box % taken != 0) break;
    box /= taken;
    left /= taken;
  }
  if (left > 1)
    throw std::invalid_argument(
        "make_tma_atom: the modes of one instruction's box do not divide among the blocks of the cluster; use a "
        "cluster that divides the tile's last mode");
  if (tilewright::error const e = broken_rule(map.tensor)) tilewright::raise(e);
  tilewright::ptx::encode(map);
}
/// The atom of a copy whose number of blocks is known at run time alone: the instruction of all blocks together is planned at
/// compile time, the box of each when the map is made.
template <class Op, int Bits, int Rank, class Coordinates, int ElementBits, class T>
auto shared_tma_atom(Copy_Atom<tilewright::detail::tma_copy<Op, Bits, Rank, Coordinates, ElementBits>, T> atom,
                     int blocks) {
  if (blocks != 1 && !tilewright::is_tma_multicast<Op>)
    throw std::invalid_argument(
        "make_tma_atom: blocks share a tile by multicast alone; use SM90_TMA_LOAD_MULTICAST, or a cluster size of 1");
  if (blocks != 1) share_tma_box(atom.map, blocks);
  return atom;
}
template <class Atom>
Atom shared_tma_atom(Atom const& atom, int blocks) {
  if (blocks != 1)
    throw std::invalid_argument(
        "make_tma_atom: blocks share a tile of a program's own operation only where their number is a constant; give "
        "it as Int<N>{}");
  return atom;
}
template <class T>
concept a_type_for_tma = !requires {
  typename tilewright::Copy_Traits<T>::ThrID;
}
&&!std::is_empty_v<T>;
}  // namespace detail

/// A copy whose map counts elements of another type: make_tma_copy<uint16_t>(SM90_TMA_LOAD{}, tensor, layout, …).
template <detail::a_type_for_tma T, class Operation, tilewright::TensorType G, class SL>
auto make_tma_copy(Operation const& operation, G const& tensor, SL const& smem_layout) {
  return tilewright::make_tma_copy(operation, detail::tma_tensor_of<T, Operation>(tensor), smem_layout);
}
template <detail::a_type_for_tma T, class Operation, tilewright::TensorType G, class SL, class Tiler>
auto make_tma_copy(Operation const& operation, G const& tensor, SL const& smem_layout, Tiler const& tiler) {
  return tilewright::make_tma_copy(operation, detail::tma_tensor_of<T, Operation>(tensor), smem_layout, tiler);
}
template <detail::a_type_for_tma T, class Operation, tilewright::TensorType G, class SL, class Tiler, class Blocks>
auto make_tma_copy(Operation const& operation, G const& tensor, SL const& smem_layout, Tiler const& tiler,
                   Blocks const& blocks) {
  return tilewright::make_tma_copy(operation, detail::tma_tensor_of<T, Operation>(tensor), smem_layout, tiler,
                                   detail::tma_blocks(blocks));
}
/// A number of blocks that is known at run time alone.
template <class Operation, tilewright::TensorType G, tilewright::AnyLayout SL, class Tiler, class Blocks>
requires(!is_static<decltype(size(std::declval<Blocks const&>()))>::value) auto make_tma_copy(
    Operation const& operation, G const& tensor, SL const& smem_layout, Tiler const& tiler, Blocks const& blocks) {
  return tilewright::make_tma_copy(operation, tensor, smem_layout, tiler, detail::tma_blocks(blocks));
}
/// The copy without its tiling: an atom whose values are those of all blocks that share the tile. Their number may be known at
/// run time alone.
template <class T = void, class Operation, tilewright::TensorType G, class SL, class Tiler, class Blocks = C<1>>
auto make_tma_atom(Operation const& operation, G const& tensor, SL const& smem_layout, Tiler const& tiler,
                   Blocks const& blocks = {}) {
  using Size = std::remove_cvref_t<decltype(size(blocks))>;
  auto const of = detail::tma_tensor_of<T, Operation>(tensor);
  if constexpr (is_static<Size>::value) {
    return detail::atom_of_tma(tilewright::make_tma_copy(operation, of, smem_layout, tiler, blocks));
  } else {
    auto const atom = detail::atom_of_tma(tilewright::make_tma_copy(operation, of, smem_layout, tiler, C<1>{}));
    if constexpr (tilewright::is_invalid_v<std::remove_const_t<decltype(atom)>>) return atom;
    else return detail::shared_tma_atom(atom, static_cast<int>(size(blocks)));
  }
}

// Tiles of A (M,K), B (N,K) and C (M,N) out of a tiler (M,N,K) and a cluster (M,N,…): blocks with the same row share a tile
// of A, blocks with the same column one of B.
template <class T = void, class Operation, class G, class SL, class Tiler, class Cluster>
auto make_tma_copy_A_sm90(Operation const& operation, G const& tensor, SL const& smem_layout, Tiler const& cta_tiler,
                          Cluster const& cluster) {
  return tilewright::make_tma_copy(operation, detail::tma_tensor_of<T, Operation>(tensor), smem_layout,
                                   remove<1>(cta_tiler), detail::tma_blocks(size<1>(cluster)));
}
template <class T = void, class Operation, class G, class SL, class Tiler, class Cluster>
auto make_tma_copy_B_sm90(Operation const& operation, G const& tensor, SL const& smem_layout, Tiler const& cta_tiler,
                          Cluster const& cluster) {
  return tilewright::make_tma_copy(operation, detail::tma_tensor_of<T, Operation>(tensor), smem_layout,
                                   remove<0>(cta_tiler), detail::tma_blocks(size<0>(cluster)));
}
template <class T = void, class Operation, class G, class SL, class Tiler>
auto make_tma_copy_C_sm90(Operation const& operation, G const& tensor, SL const& smem_layout, Tiler const& cta_tiler) {
  return tilewright::make_tma_copy(operation, detail::tma_tensor_of<T, Operation>(tensor), smem_layout,
                                   remove<2>(cta_tiler), C<1>{});
}
#endif

namespace detail {
/// The first element of a block's share of `Each` elements that `blocks` move together.
template <int Each, class Index, class Blocks>
CUTE_HOST_DEVICE constexpr auto first_of_share(Index const& index, Blocks const& blocks) {
  if constexpr (is_static<decltype(size(blocks))>::value)
    return index * C<Each / static_cast<int>(decltype(size(blocks))::value)>{};
  else return index * (Each / static_cast<int>(size(blocks)));
}
template <class Parts, class First, class T, int... Rest>
CUTE_HOST_DEVICE constexpr auto tma_parts(Parts const& parts, First const& first, T const& tensor,
                                          tilewright::seq<Rest...>) {
  auto const boxed = tensor.compose(make_tile(parts, (static_cast<void>(Rest), tilewright::Underscore{})...));
  using Modes = tilewright::Shape<tilewright::Shape<C<1>, C<1>>>;
  auto const simple = make_tensor(boxed.data(), coalesce(boxed.layout(), Modes{}));
  if constexpr (std::is_same_v<First, C<0>>) return simple;
  else return domain_offset(make_coord(make_coord(first, C<0>{}), (static_cast<void>(Rest), C<0>{})...), simple);
}
/// ((elements of an instruction, instructions), rest…), moved by `first` elements.
template <class Parts, class First, class T>
CUTE_HOST_DEVICE constexpr auto tma_parts(Parts const& parts, First const& first, T const& tensor) {
  return tma_parts(parts, first, tensor, tilewright::make_seq<tilewright::rank_v<T> - 1>{});
}
}  // namespace detail

namespace detail {
/// The mode of a TMA map that leaf I of the tensor's shape is, -1 for none.
template <class Coordinates, int I>
TILEWRIGHT_CONSTEXPR int map_mode_of() {
  constexpr auto of = tilewright::lift::value_of<Coordinates>.tree.stride[I].basis();
  return of.empty() ? -1 : of.index(0);
}
/// Is the leaf the first of its mode, or does it go on where another ends, or share a mode with it?
template <class Coordinates, int I>
TILEWRIGHT_CONSTEXPR bool begins_map_mode() {
  return tilewright::lift::value_of<Coordinates>.tree.stride[I].number == 1;
}
template <bool First, class Coordinates, int I, class S, class D, class Extents, class Strides>
CUTE_HOST_DEVICE void fill_map_mode(S const& shape, D const& stride, Extents& extents, Strides& strides) {
  constexpr int mode = map_mode_of<Coordinates, I>();
  constexpr bool begins = begins_map_mode<Coordinates, I>();
  if constexpr (mode >= 0 && begins && First) {
    extents[mode] = static_cast<std::uint32_t>(get<I>(shape));
    strides[mode] = static_cast<std::uint64_t>(get<I>(stride));
  } else if constexpr (mode >= 0 && !begins && !First) {
    constexpr auto step = static_cast<std::uint32_t>(tilewright::lift::value_of<Coordinates>.tree.stride[I].number);
    extents[mode] += (static_cast<std::uint32_t>(get<I>(shape)) - 1) * step;
  }
}
template <class Coordinates, class S, class D, class Extents, class Strides, int... I>
CUTE_HOST_DEVICE void fill_map_modes(S const& shape, D const& stride, Extents& extents, Strides& strides,
                                     tilewright::seq<I...>) {
  (fill_map_mode<true, Coordinates, I>(shape, stride, extents, strides), ...);
  (fill_map_mode<false, Coordinates, I>(shape, stride, extents, strides), ...);
}
/// Extents and strides, in elements, of another tensor of the same modes as the one that a TMA copy was made for, in the order of
/// the map's modes.
template <class Operation, int Bits, int Rank, class Coordinates, int ElementBits, class T, class Extents,
          class Strides>
requires(std::is_empty_v<std::remove_cvref_t<decltype(tilewright::stride(std::declval<Coordinates const&>()))>>)
    CUTE_HOST_DEVICE void fill_tma_gmem_shape_stride(
        tilewright::Copy_Traits<tilewright::detail::tma_copy<Operation, Bits, Rank, Coordinates, ElementBits>> const&,
        T const& tensor, Extents& prob_shape, Strides& prob_stride) {
  constexpr int leaves = tilewright::lift::value_of<Coordinates>.tree.leaves;
  fill_map_modes<Coordinates>(wrap(flatten(tensor.shape())), wrap(flatten(tensor.stride())), prob_shape, prob_stride,
                              tilewright::make_seq<leaves>{});
}
}  // namespace detail

/// By an atom alone, which has no order of the tile's elements: they are taken in the order of shared memory and cut into what one
/// instruction of each block moves together. As in CuTe the parts have the size of what all blocks move; a block's own begins at
/// their first element.
template <class Operation, class T, class Block, class BS, class BD, tilewright::TensorType S, tilewright::TensorType G>
CUTE_HOST_DEVICE constexpr auto tma_partition(Copy_Atom<Operation, T> const&, Block const& block,
                                              Layout<BS, BD> const& blocks, S const& stensor, G const& gtensor) {
  using Order = decltype(tilewright::right_inverse(
      tilewright::layout<0>(tilewright::detail::inner_layout(std::declval<S const&>().layout()))));
  constexpr int elements = tilewright::size_v<Order>;
  constexpr int each =
      static_cast<int>(decltype(tilewright::size<1>(typename Copy_Atom<Operation, T>::ValLayoutSrc{}))::value);
  using Cut = Layout<tilewright::Shape<C<each>, C<elements / each>>, tilewright::Stride<C<1>, C<each>>>;
  using Parts = decltype(tilewright::composition(Order{}, Cut{}));
  auto const first = detail::first_of_share<each>(blocks(block), blocks);
  return tilewright::make_tuple(detail::tma_parts(Parts{}, first, gtensor), detail::tma_parts(Parts{}, first, stensor));
}

/// The whole tile for one block.
template <class Copy, tilewright::TensorType S, tilewright::TensorType G>
CUTE_HOST_DEVICE constexpr auto tma_partition(Copy const& copy, S const& stensor, G const& gtensor) {
  return tma_partition(copy, C<0>{}, Layout<C<1>, C<0>>{}, stensor, gtensor);
}

/// The bits of the blocks that a coordinate with `_` names: bit r is the block of rank r.
template <class Blocks, class X>
CUTE_HOST_DEVICE constexpr std::uint16_t create_tma_multicast_mask(Blocks const& cta_layout, X const& cta_coord) {
  auto const part = slice_and_offset(cta_coord, cta_layout);
  unsigned mask = 0;
  for (int i = 0; i < static_cast<int>(size(part.layout)); ++i)
    mask |= 1u << static_cast<int>(part.offset + part.layout(i));
  return static_cast<std::uint16_t>(mask);
}
/// Those that differ from the coordinate in the given modes alone.
template <int Mode, int... Modes, class Blocks, class X>
CUTE_HOST_DEVICE constexpr std::uint16_t create_tma_multicast_mask(Blocks const& cta_layout, X const& cta_coord) {
  auto const freed = replace<Mode>(cta_coord, tilewright::Underscore{});
  if constexpr (sizeof...(Modes) == 0) return cute::create_tma_multicast_mask(cta_layout, freed);
  else return cute::create_tma_multicast_mask<Modes...>(cta_layout, freed);
}

}  // namespace cute

template <>
inline constexpr tilewright::tma_element tilewright::tma_element_of<cute::half_t> = tilewright::tma_element::float16;
template <>
inline constexpr tilewright::tma_element tilewright::tma_element_of<cute::bfloat16_t> =
    tilewright::tma_element::bfloat16;
template <>
inline constexpr tilewright::tma_element tilewright::tma_element_of<cute::tfloat32_t> =
    tilewright::tma_element::tfloat32;

#if TILEWRIGHT_HOSTED
namespace cute::detail {
template <class D>
inline constexpr bool has_a_stride_of_one = false;
template <auto v>
inline constexpr bool has_a_stride_of_one<C<v>> = v == 1;
template <class... D>
inline constexpr bool has_a_stride_of_one<tilewright::tuple<D...>> = (has_a_stride_of_one<D> || ...);
/// The mode of a tile that is contiguous in shared memory; -1 where none is.
template <class Strides>
inline constexpr int contiguous_mode = -1;
template <class... D>
inline constexpr int contiguous_mode<tilewright::tuple<D...>> = [] {
  int at = -1, i = 0;
  ((at = has_a_stride_of_one<D> && at < 0 ? i : at, ++i), ...);
  return at;
}();
template <class G>
using strides_of = std::remove_cvref_t<decltype(std::declval<G const&>().stride())>;
template <class SL>
using strides_of_tile =
    std::remove_cvref_t<decltype(tilewright::stride(tilewright::detail::inner_layout(std::declval<SL const&>())))>;
/// A tensor all of whose strides are known at run time alone, and the mode that has to have stride 1.
template <class G, class SL>
concept unit_stride_at_run_time =
    tilewright::LayoutType<typename G::layout_type> && !has_a_stride_of_one<strides_of<G>> &&
    tilewright::rank_v<SL> <= tilewright::rank_v<typename G::layout_type> &&
    contiguous_mode<strides_of_tile<SL>> >= 0 &&
    std::is_integral_v<
        std::remove_cvref_t<decltype(get<contiguous_mode<strides_of_tile<SL>>>(std::declval<strides_of<G> const&>()))>>;
}  // namespace cute::detail

/// As CuTe takes it: the stride is asked when the map is made.
template <class G, class SL>
requires(cute::detail::unit_stride_at_run_time<G, SL>) struct tilewright::detail::tma_subject<G, SL> {
  static constexpr int mode = cute::detail::contiguous_mode<cute::detail::strides_of_tile<SL>>;
  static auto of(G const& tensor) {
    if (get<mode>(tensor.stride()) != 1)
      throw std::invalid_argument(
          "make_tma_copy: the mode of the tensor that is contiguous in shared memory has a stride other than 1; give "
          "the "
          "shared layout the tensor's order");
    return make_tensor(tensor.data(), make_layout(tensor.shape(), cute::replace<mode>(tensor.stride(), C<1>{})));
  }
  using type = decltype(of(std::declval<G const&>()));
};

/// As CuTe's: partitions of a shared tensor that is larger than the tile, or no whole number of tiles, reach beyond it.
template <class Operation, class T, class TV, class Tiler>
struct tilewright::detail::tma_tiled_copy<tilewright::Copy_Atom<Operation, T>, TV, Tiler> {
  static auto make(tilewright::Copy_Atom<Operation, T> const& atom, TV const& tv, Tiler const& tiler) {
    return cute::detail::as_cute(tilewright::make_tiled_copy(atom, tv, tiler));
  }
};

/// Of an operation of a program's own: Copy_Traits<Operation, bits of one instruction, AuxTmaParams<…>> with the map.
template <class Operation, int Bits, int Rank, class Coordinates, int ElementBits, class T>
requires(!tilewright::is_tma_load<Operation> && !std::is_same_v<Operation, tilewright::SM90_TMA_STORE> &&
         !std::is_same_v<Operation, tilewright::SM90_TMA_REDUCE_ADD>) struct tilewright::detail::
    tma_atom_of<Operation, Bits, Rank, Coordinates, ElementBits, T> {
  using Aux = cute::AuxTmaParams<decltype(cute::stride(Coordinates{}))>;
  using Traits = cute::Copy_Traits<Operation, cute::C<Bits>, Aux>;
  static auto make(tma_descriptor const& map, Coordinates const& coordinates) {
    return Copy_Atom<Traits, T>{Traits{map, Aux{cute::stride(coordinates)}}};
  }
};
#endif
