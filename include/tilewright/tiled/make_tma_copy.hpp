// Declares a TMA copy: of a tensor in global memory and the layout of a tile in shared memory it derives the tensor map,
// the box that one instruction moves, and the tiled copy around it, one "thread" for each block that shares the tile.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/tma.hpp"
#include "tilewright/tensor/in_a_byte.hpp"
#include "tilewright/tiled/make_tiled_copy.hpp"
#include "tilewright/tiled/tma_plan.hpp"

namespace tilewright {

namespace detail {
template <class... A>
struct make_tma_copy_is_included {};
}  // namespace detail

namespace op {

/// What is asked of a plan (algebra::plan_tma).
enum class tma_part { thread_value, box, coordinates };

template <tma_part Part, int ElementBits, int UnitBits, int Blocks, int Span>
struct tma_planned {
  static constexpr auto kind = Part == tma_part::box ? lift::result_kind::tuple : lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& tensor, int_tree const& smem,
                                             int_tree const& tiler) {
    auto const plan = algebra::plan_tma(c, tensor, smem, tiler, ElementBits, UnitBits, Blocks, Span);
    if (c.failed()) return tensor;
    if constexpr (Part == tma_part::thread_value) return algebra::tma_thread_value(c, plan, Blocks);
    else if constexpr (Part == tma_part::box) return algebra::tma_box(plan);
    else return algebra::tma_coordinates(c, plan, tensor);
  }
};

}  // namespace op

/// The map's name for an element type. Specialise it for number types of one's own; others go by their width, those
/// narrower than a byte as bytes.
template <class T>
inline constexpr tma_element tma_element_of = sizeof_bits_v<T> <= 8    ? tma_element::uint8
                                              : sizeof_bits_v<T> == 16 ? tma_element::uint16
                                              : sizeof_bits_v<T> == 32 ? tma_element::uint32
                                                                       : tma_element::uint64;
template <>
inline constexpr tma_element tma_element_of<float> = tma_element::float32;
template <>
inline constexpr tma_element tma_element_of<double> = tma_element::float64;
template <>
inline constexpr tma_element tma_element_of<std::int32_t> = tma_element::int32;
template <>
inline constexpr tma_element tma_element_of<std::int64_t> = tma_element::int64;

/// Unpacked by the copy: the tensor is packed, the tile has a byte for each element.
template <class T>
inline constexpr tma_element tma_element_of<in_a_byte<T>> =
    sizeof_bits_v<T> == 4 ? tma_element::unpacked_4 : tma_element::unpacked_6;

namespace detail {

/// An element of `Words` words, which the map counts in words: the engine has no elements of more than 64 bits.
template <class Word, int Words>
struct tma_wide_element {
  Word word[static_cast<std::size_t>(Words)];
};
template <class T>
inline constexpr int tma_words_of = 1;
template <class Word, int Words>
inline constexpr int tma_words_of<tma_wide_element<Word, Words>> = Words;
template <class Word, int Words>
inline constexpr bool stands_for_bits<tma_wide_element<Word, Words>> = true;
/// The bits of an element in global memory.
template <class T>
inline constexpr int tma_global_bits = bits_before_unpacking<T> != 0 ? bits_before_unpacking<T> : sizeof_bits_v<T>;
/// The bytes that a row of a box may have, 0 for any: those of the swizzle, or of a row that is unpacked.
template <class T, tma_swizzle Swizzle>
inline constexpr int tma_row_bytes = bits_before_unpacking<T> != 0 ? tma_tensor::unpacked_row : span_bytes(Swizzle);
/// The bits of what the map counts: bytes for narrower elements, the words of wide ones, otherwise the elements.
template <class T>
inline constexpr int tma_unit_bits = is_subbyte_v<T> ? 8 : sizeof_bits_v<T> / tma_words_of<T>;

}  // namespace detail

template <class Word, int Words>
inline constexpr tma_element tma_element_of<detail::tma_wide_element<Word, Words>> = tma_element_of<Word>;

namespace detail {

/// A shared layout's parts: the swizzle in the engine's terms, and the layout below it.
template <class L>
struct tma_smem_layout {
  using plain = L;
  static constexpr tma_swizzle swizzle = tma_swizzle::none;
  template <int>
  static constexpr bool engine_can_swizzle = true;
};
template <int B, int M, int S, class O, class L>
struct tma_smem_layout<ComposedLayout<Swizzle<B, M, S>, O, L>> {
  using plain = L;
  static constexpr tma_swizzle swizzle = static_cast<tma_swizzle>(B);
  /// It moves chunks of 16 bytes.
  template <int ElementBits>
  static constexpr bool engine_can_swizzle = B == 0 || (B <= 3 && M < 8 && (ElementBits << M) == 128 && S == 3);
};

template <class T, class SL>
struct tma_engine_swizzles {
  static constexpr bool value = tma_smem_layout<SL>::template engine_can_swizzle<sizeof_bits_v<T>>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "TMA: the engine swizzles by Swizzle<0|1|2|3,4,3> on bytes; use Swizzle<B,M,3> with M such that 2^M "
                  "elements are 16 bytes (docs/errors.md#tma_swizzle)");
    return invalid_layout{};
  }
};
template <class T>
struct tma_element_has_a_width {
  static constexpr int bits = tma_unit_bits<T>;
  static constexpr bool value = bits <= 8 || bits == 16 || bits == 32 || bits == 64;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "TMA: an element has 1 to 8, 16, 32 or 64 bits; recast the tensor to bytes or words "
                  "(docs/errors.md#tma_element)");
    return invalid_layout{};
  }
};
template <class Operation, class T>
struct tma_sums_whole_bytes {
  static constexpr bool unpacks_loads = is_tma_load<Operation> || bits_before_unpacking<T> == 0;
  static constexpr bool value = unpacks_loads && !(std::is_same_v<Operation, SM90_TMA_REDUCE_ADD> && is_subbyte_v<T>);
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(unpacks_loads,
                  "TMA: floats of 4 and 6 bits in a byte each are unpacked by loads alone; store packed elements "
                  "(docs/errors.md#tma_element)");
    static_assert(value || !unpacks_loads,
                  "TMA: elements narrower than a byte move as bytes, in which sums would carry from one to the next; "
                  "widen the elements, or add them up without TMA (docs/errors.md#tma_element)");
    return invalid_layout{};
  }
};
template <class It>
struct tma_tensor_is_in_global_memory {
  static constexpr bool value = space_of<It> == memory_space::gmem || space_of<It> == memory_space::untagged;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "make_tma_copy: the tensor must be in global memory; tag its pointer with make_gmem_ptr "
                  "(docs/errors.md#memory_space)");
    return invalid_layout{};
  }
};
template <class Blocks>
struct tma_blocks_are_static {
  static constexpr bool value = is_constant_v<Blocks>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "make_tma_copy: the number of blocks that share a tile is static; give it as Int<N>{} "
                  "(docs/errors.md#tma_cluster)");
    return invalid_layout{};
  }
};
template <class Operation, int Blocks>
struct tma_blocks_fit_operation {
  static constexpr bool value = Blocks == 1 || is_tma_multicast<Operation>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "make_tma_copy: blocks share a tile by multicast alone; use SM90_TMA_LOAD_MULTICAST, or a cluster "
                  "size of 1 (docs/errors.md#tma_cluster)");
    return invalid_layout{};
  }
};
template <class Operation, class Blocks>
struct tma_blocks_fit : tma_blocks_fit_operation<Operation, static_cast<int>(Blocks::value)> {};

#if TILEWRIGHT_HOSTED

/// The step of a leaf in its mode of the map.
template <class T, int... I>
long long step_of(ScaledBasis<T, I...> const& stride) {
  return static_cast<long long>(stride.value());
}
template <class T>
long long step_of(T const&) {
  return 0;
}
/// error: layout_error tma_rank where leaves that share a mode have strides that are not multiples of the smallest
template <class Coordinates, class S, class D, class Steps, class Box, int... N, int... B>
tma_tensor describe_tensor(S const& shape, D const& stride, Steps const& steps, Box const& box, seq<N...>, seq<B...>) {
  constexpr auto const& tree = lift::value_of<Coordinates>.tree;
  tma_tensor out{};
  out.rank = static_cast<int>(sizeof...(B));
  ((out.box[B] = static_cast<int>(get<B>(box))), ...);
  for (int i = 0; i < out.rank; ++i) out.extent[i] = 1;
  auto const mode = [&](leaf of, long long extent, long long step, long long elements) {
    if (of.basis().empty()) return;
    int const at = of.basis().index(0);
    bool const empty = extent < 1 || out.extent[at] == 0;
    out.extent[at] = empty ? 0 : out.extent[at] + (extent - 1) * step;
    if (step == 1) out.stride[at] = elements;
  };
  (mode(tree.stride[N], static_cast<long long>(get<N>(shape)), step_of(get<N>(steps)),
        static_cast<long long>(get<N>(stride))),
   ...);
  int modes = 0;
  bool reached = true;
  auto const check = [&](leaf of, long long extent, long long step, long long elements) {
    if (of.basis().empty()) return;
    ++modes;
    if (extent == 1) return;
    reached = reached && step * out.stride[of.basis().index(0)] == elements;
  };
  (check(tree.stride[N], static_cast<long long>(get<N>(shape)), step_of(get<N>(steps)),
         static_cast<long long>(get<N>(stride))),
   ...);
  if (!reached) raise({errc::tma_rank, modes, tma_tensor::max_rank});
  return out;
}

template <class T>
void* address_of_tensor(T* p) {
  return const_cast<std::remove_const_t<T>*>(p);
}
template <class T>
void* address_of_tensor(subbyte_iterator<T> const& i) {
  if (i.bit % 8 != 0) raise({errc::tma_subbyte, 0, i.bit % 8});
  return const_cast<unsigned char*>(i.base + (i.bit >> 3));
}
/// n elements of T in bytes.
/// error: layout_error tma_subbyte, tma_stride where that does not fit
template <class T>
long long bytes_of_mode(int mode, long long n) {
  long long bits = 0;
  if (!math::multiply(n, static_cast<long long>(tma_global_bits<T>), bits)) raise({errc::tma_stride, mode, n});
  if (bits % 8 != 0) raise({errc::tma_subbyte, mode, bits});
  return bits / 8;
}

/// error: layout_error with the rule of the driver that the tensor breaks
template <class T, class It, class Box, class L, class Coordinates>
tma_descriptor make_descriptor(It const& data, L const& layout, Coordinates const& coordinates, Box const& box,
                               tma_swizzle swizzle, bool writes) {
  constexpr int leaves = lift::value_of<Coordinates>.tree.leaves;
  tma_descriptor map{};
  tma_tensor& t = map.tensor;
  t = describe_tensor<Coordinates>(wrap(flatten(shape(layout))), wrap(flatten(stride(layout))),
                                   flatten(wrap(stride(coordinates))), wrap(box), make_seq<leaves>{},
                                   make_seq<rank_v<Box>>{});
  t.address = address_of_tensor(data);
  t.element = tma_element_of<T>;
  t.element_bytes = tma_unit_bits<T> < 8 ? 1 : tma_unit_bits<T> / 8;
  t.swizzle = swizzle;
  for (int i = 0; i < t.rank; ++i) t.stride[i] = i == 0 ? t.element_bytes : bytes_of_mode<T>(i, t.stride[i]);
  if constexpr (is_subbyte_v<T>) {
    t.extent[0] = bytes_of_mode<T>(0, t.extent[0]);
    t.box[0] = static_cast<int>(bytes_of_mode<T>(0, t.box[0]));
  }
  t.extent[0] *= tma_words_of<T>;
  t.box[0] *= tma_words_of<T>;
  if (error const e = writes ? broken_rule_of_store(t) : broken_rule(t)) raise(e);
  ptx::encode(map);
  return map;
}

template <op::tma_part Part, class SL, int Blocks, class G, class Tiler>
auto tma_planned(G const& tensor, Tiler const& tiler) {
  using T = typename G::value_type;
  using Plain = typename tma_smem_layout<SL>::plain;
  constexpr int span = tma_row_bytes<T, tma_smem_layout<SL>::swizzle>;
  return lift::call<op::tma_planned<Part, sizeof_bits_v<T>, tma_unit_bits<T>, Blocks, span>, typename G::layout_type,
                    Plain, lift::as_tiler<Tiler>>::on(tensor.layout(), Plain{}, tiler);
}

/// Does the plan's part exist? tma_planned says why not; a check, so that make_tma_copy itself prints the sentence.
template <op::tma_part Part, class G, class SL, class Tiler, int Blocks>
using tma_plan_exists =
    lift::succeeds<op::tma_planned<Part, sizeof_bits_v<typename G::value_type>, tma_unit_bits<typename G::value_type>,
                                   Blocks, tma_row_bytes<typename G::value_type, tma_smem_layout<SL>::swizzle>>,
                   typename G::layout_type, typename tma_smem_layout<SL>::plain, lift::as_tiler<Tiler>>;
template <class G, class SL, class Tiler, int Blocks>
struct tma_plan_is_whole {
  using type = all_hold<tma_plan_exists<op::tma_part::thread_value, G, SL, Tiler, Blocks>,
                        tma_plan_exists<op::tma_part::box, G, SL, Tiler, Blocks>,
                        tma_plan_exists<op::tma_part::coordinates, G, SL, Tiler, Blocks>>;
};
template <class Operation, class G, class SL, class Blocks>
using tma_arguments_fit =
    all_hold<tma_tensor_is_in_global_memory<iterator_of<G const>>, tma_element_has_a_width<typename G::value_type>,
             tma_engine_swizzles<typename G::value_type, SL>, tma_sums_whole_bytes<Operation, typename G::value_type>,
             tma_blocks_are_static<Blocks>, tma_blocks_fit<Operation, Blocks>>;
template <class Operation, class G, class SL, class Tiler, class Blocks,
          bool Fit = tma_arguments_fit<Operation, G, SL, Blocks>::value && !AnyInvalid<SL, Tiler, Blocks>>
struct tma_check {
  using type = tma_arguments_fit<Operation, G, SL, Blocks>;
};
template <class Operation, class G, class SL, class Tiler, class Blocks>
struct tma_check<Operation, G, SL, Tiler, Blocks, true>
    : tma_plan_is_whole<G, SL, Tiler, static_cast<int>(Blocks::value)> {};

/// The tiled copy that make_tma_copy returns. Specialised where the partitions of all tiled copies differ from the library's.
template <class Atom, class TV, class Tiler>
struct tma_tiled_copy {
  static auto make(Atom const& atom, TV const& tv, Tiler const& tiler) { return make_tiled_copy(atom, tv, tiler); }
};
/// The atom that make_tma_copy makes of an operation and a map. Specialised where programs have operations of their own.
template <class Operation, int Bits, int Rank, class Coordinates, int ElementBits, class T>
struct tma_atom_of {
  static auto make(tma_descriptor const& map, Coordinates const& coordinates) {
    Copy_Atom<tma_copy<Operation, Bits, Rank, Coordinates, ElementBits>, T> atom{};
    atom.map = map;
    atom.set_steps(stride(coordinates));
    return atom;
  }
};

/// A run-time extent for each stride: copies of tensors that differ in extents alone have one type, as a member of a kernel's
/// parameters needs.
template <class Steps>
struct extents_for_steps {
  using type = int;
};
template <class... D>
struct extents_for_steps<tuple<D...>> {
  using type = tuple<typename extents_for_steps<D>::type...>;
};
template <class S, class D>
TILEWRIGHT_FN auto of_any_extents(Layout<S, D> const& coordinates) {
  using Extents = typename extents_for_steps<D>::type;
  return Layout<Extents, D>(Extents{}, stride(coordinates));
}

template <class Operation, class G, class SL, class Tiler, int Blocks>
auto tma_copy_of(G const& tensor, Tiler const& tiler) {
  using T = typename G::value_type;
  auto const tv = tma_planned<op::tma_part::thread_value, SL, Blocks>(tensor, tiler);
  if constexpr (is_invalid_v<decltype(tv)>) {
    return invalid_layout{};
  } else {
    auto const box = tma_planned<op::tma_part::box, SL, Blocks>(tensor, tiler);
    using Box = std::remove_const_t<decltype(box)>;
    auto const coordinates = tma_planned<op::tma_part::coordinates, SL, Blocks>(tensor, tiler);
    auto const steps = of_any_extents(coordinates);
    using Coordinates = std::remove_const_t<decltype(steps)>;
    constexpr int bits = static_cast<int>(size_v<Box>) * sizeof_bits_v<T>;
    constexpr int element_bits = is_subbyte_v<T> ? sizeof_bits_v<T> : 8 * tma_words_of<T>;
    auto const map = make_descriptor<T>(untagged(tensor.data()), tensor.layout(), coordinates, box,
                                        tma_smem_layout<SL>::swizzle, !is_tma_load<Operation>);
    auto const atom = tma_atom_of<Operation, bits, rank_v<Box>, Coordinates, element_bits, T>::make(map, steps);
    auto const wrapped = wrap(tiler);
    return tma_tiled_copy<std::remove_const_t<decltype(atom)>, std::remove_const_t<decltype(tv)>,
                          std::remove_const_t<decltype(wrapped)>>::make(atom, tv, wrapped);
  }
}

#endif

/// The tensor that a map is made for: the given one. Specialised where programs leave the contiguous mode to run time: compat/ takes
/// them as CuTe does.
template <class G, class SL>
struct tma_subject {
  using type = G;
  static G const& of(G const& tensor) { return tensor; }
};

}  // namespace detail

#if TILEWRIGHT_HOSTED

/// A TMA copy between `tensor` in global memory and tiles of it in shared memory.
/// Elements in_a_byte<T> are packed in global memory and unpacked to a byte each (tensor/in_a_byte.hpp).
/// smem_layout: the tile in shared memory: static; plain, or swizzled by 32, 64 or 128 bytes
/// tiler: the tile in the tensor, an extent (or layout) for each mode; the shape of smem_layout where it is left out
/// blocks: how many blocks of a cluster share the tile; each then loads its part for all (SM90_TMA_LOAD_MULTICAST)
/// post: get_slice(block) partitions get_tma_tensor(shape(tensor)) and the shared tile
/// A map has five modes. In a tensor with more, those of which the box has one element share the last one. Their strides must be
/// multiples of the smallest, and their coordinates in range: the engine clips only at the end of the map's mode.
/// error: at compile time, or layout_error, with the rule that tile or tensor break (docs/errors.md#tma_rank …)
/// cost: host only; the map is encoded by the driver once
template <class Operation, TensorType G, AnyLayout SL, class Tiler, class Blocks>
auto make_tma_copy(Operation const&, G const& tensor, SL const&, Tiler const& tiler, Blocks const& blocks) {
  using Size = decltype(size(blocks));
  using Subject = typename detail::tma_subject<G, SL>::type;
  using check = typename detail::tma_check<Operation, Subject, SL, Tiler, Size>::type;
  if constexpr (AnyInvalid<SL, Tiler, Blocks>) return invalid_layout{};
  else if constexpr (!check::value) return check::sentence();
  else
    return detail::tma_copy_of<Operation, Subject, SL, Tiler, static_cast<int>(Size::value)>(
        detail::tma_subject<G, SL>::of(tensor), tiler);
}
template <class Operation, TensorType G, AnyLayout SL>
auto make_tma_copy(Operation const& operation, G const& tensor, SL const& smem_layout) {
  auto const tiler = product_each(shape(smem_layout));
  using check = typename detail::tma_check<Operation, typename detail::tma_subject<G, SL>::type, SL,
                                           std::remove_const_t<decltype(tiler)>, _1>::type;
  if constexpr (!check::value) return check::sentence();
  else return make_tma_copy(operation, tensor, smem_layout, tiler, _1{});
}
template <class Operation, TensorType G, AnyLayout SL, class Blocks>
requires(IntegerLike<Blocks>) auto make_tma_copy(Operation const& operation, G const& tensor, SL const& smem_layout,
                                                 Blocks const& blocks) {
  auto const tiler = product_each(shape(smem_layout));
  using check = typename detail::tma_check<Operation, typename detail::tma_subject<G, SL>::type, SL,
                                           std::remove_const_t<decltype(tiler)>, Blocks>::type;
  if constexpr (!check::value) return check::sentence();
  else return make_tma_copy(operation, tensor, smem_layout, tiler, blocks);
}
template <class Operation, TensorType G, AnyLayout SL, class Tiler>
requires(!IntegerLike<Tiler>) auto make_tma_copy(Operation const& operation, G const& tensor, SL const& smem_layout,
                                                 Tiler const& tiler) {
  using check = typename detail::tma_check<Operation, typename detail::tma_subject<G, SL>::type, SL, Tiler, _1>::type;
  if constexpr (!check::value) return check::sentence();
  else return make_tma_copy(operation, tensor, smem_layout, tiler, _1{});
}

#endif

namespace detail {
template <class TV, class Block, class T, int... Rest>
TILEWRIGHT_FN constexpr auto tma_share(TV const& tv, Block const& block, T const& tensor, seq<Rest...>) {
  auto const boxed = tensor.compose(make_tile(tv, (static_cast<void>(Rest), _)...));
  return boxed(make_coord(make_coord(block, _), (static_cast<void>(Rest), _)...));
}
}  // namespace detail

/// The shares of one block: both tensors with mode 0, the tile, as ((elements of one instruction, instructions)).
/// block, blocks: which of the blocks that share the tile, and their layout
/// stensor: ((tile…), rest…) in shared memory; gtensor: ((tile…), rest…) of coordinates
/// post: (gtensor', stensor')
template <class Op, class T, class TV, class Tiler, class Block, class BS, class BD, TensorType S, TensorType G>
TILEWRIGHT_FN constexpr auto tma_partition(TiledCopy<Copy_Atom<Op, T>, TV, Tiler> const&, Block const& block,
                                           Layout<BS, BD> const& blocks, S const& stensor, G const& gtensor) {
  auto const index = blocks(block);
  return make_tuple(detail::tma_share(TV{}, index, gtensor, make_seq<rank_v<G> - 1>{}),
                    detail::tma_share(TV{}, index, stensor, make_seq<rank_v<S> - 1>{}));
}

}  // namespace tilewright
