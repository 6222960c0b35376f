// print: every object the way the field writes it, on the host and in kernels (both through printf). Constants carry an
// underscore, run-time integers do not. print_layout draws a rank-2 layout as a grid, print_tensor a tensor's values.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/tensor/pointer_swizzle.hpp"
#include "tilewright/tensor/small_float.hpp"
#include "tilewright/tensor/sparse.hpp"
#include "tilewright/tensor/tmem_pointer.hpp"
#include "tilewright/tiled/make_tiled_copy.hpp"

#if TILEWRIGHT_HOSTED
#include <cstdio>
#endif

namespace tilewright {

// --- integers, tuples, layouts ---------------------------------------------------------------------------------------
TILEWRIGHT_FN void print(char const* text) { printf("%s", text); }
TILEWRIGHT_FN void print(Underscore const&) { printf("_"); }
TILEWRIGHT_FN void print(invalid_layout const&) { printf("invalid_layout"); }
template <auto v>
TILEWRIGHT_FN void print(C<v> const&) {
  printf("_%lld", static_cast<long long>(v));
}
template <class T>
requires std::is_arithmetic_v<T> TILEWRIGHT_FN void print(T v) {  // by value: t.rank has no address in device code
  if constexpr (std::is_same_v<T, char>) printf("%c", v);
  else if constexpr (std::is_floating_point_v<T>) printf("%f", static_cast<double>(v));
  else if constexpr (std::is_unsigned_v<T>) printf("%llu", static_cast<unsigned long long>(v));
  else printf("%lld", static_cast<long long>(v));
}
template <int D, class T>
TILEWRIGHT_FN void print(multiple<D, T> const& v) {
  print(v.number);
}
template <int Bits, bool IsSigned>
TILEWRIGHT_FN void print(integer_subbyte<Bits, IsSigned> const& v) {
  print(static_cast<int>(v));
}
template <class S, int E, int M, small_float_range R>
TILEWRIGHT_FN void print(small_float<S, E, M, R> const& number) {
  printf("%f", static_cast<double>(static_cast<float>(number)));
}
template <class T, int... I>
TILEWRIGHT_FN void print(ScaledBasis<T, I...> const& basis);
template <class S, class D>
TILEWRIGHT_FN void print(Layout<S, D> const& layout);
template <class... T>
TILEWRIGHT_FN void print(ArithmeticTuple<T...> const& t);
template <class... T>
TILEWRIGHT_FN void print(tuple<T...> const& t);

namespace detail {
template <int N, class T>
TILEWRIGHT_FN void print_entry(T const& entry) {
  if constexpr (N > 0) printf(",");
  print(entry);
}
template <class T, int... N>
TILEWRIGHT_FN void print_entries(T const& t, seq<N...>) {
  printf("(");
  (print_entry<N>(get<N>(t)), ...);
  printf(")");
}
}  // namespace detail

template <class... T>
TILEWRIGHT_FN void print(tuple<T...> const& t) {
  detail::print_entries(t, make_seq<static_cast<int>(sizeof...(T))>{});
}
template <class... T>
TILEWRIGHT_FN void print(ArithmeticTuple<T...> const& t) {
  print(static_cast<tuple<T...> const&>(t));
}
/// (layout,offset), as slice_and_offset returns them.
template <class L, class Offset>
TILEWRIGHT_FN void print(sliced<L, Offset> const& s) {
  detail::print_entries(s, seq<0, 1>{});
}
/// E<0,1> times 2 is 2@1@0: the outermost mode last.
template <class T, int... I>
TILEWRIGHT_FN void print(ScaledBasis<T, I...> const& basis) {
  print(basis.value());
  int const indices[] = {I..., 0};
  for (int i = static_cast<int>(sizeof...(I)) - 1; i >= 0; --i) printf("@%d", indices[i]);
}
template <class S, class D>
TILEWRIGHT_FN void print(Layout<S, D> const& layout) {
  print(layout.shape());
  printf(":");
  print(layout.stride());
}
template <int B, int M, int S>
TILEWRIGHT_FN void print(Swizzle<B, M, S> const&) {
  printf("Sw<%d,%d,%d>", B, M, S);
}
template <int Bits>
TILEWRIGHT_FN void print(smem_ptr_flag_bits<Bits> const&) {
  printf("smem_ptr[%db](unset)", Bits);
}
template <int Sparsity, int Bits>
TILEWRIGHT_FN void print(smem_sparse_ptr_flag_bits<Sparsity, Bits> const&) {
  printf("smem_sparse<%d>_ptr[%db](unset)", Sparsity, Bits);
}
template <class A, detail::FlaggedOffset Flag, class B>
TILEWRIGHT_FN void print(ComposedLayout<A, Flag, B> const& l) {
  print(detail::swizzle_of_bytes<detail::flagged_bits<Flag>>(l.layout_a()));
  printf(" o ");
  print(l.offset());
  printf(" o ");
  print(l.layout_b());
}
namespace detail {
/// A layout of numbers alone: one without an address, as a grid has it, is at offset 0.
template <class L>
TILEWRIGHT_FN constexpr L const& in_numbers(L const& l) {
  return l;
}
template <class A, FlaggedOffset Flag, class B>
TILEWRIGHT_FN constexpr auto in_numbers(ComposedLayout<A, Flag, B> const& l) {
  return ComposedLayout<A, C<0>, B>{l.layout_a(), {}, l.layout_b()};
}
}  // namespace detail
template <class A, class O, class B>
TILEWRIGHT_FN void print(ComposedLayout<A, O, B> const& l) {
  print(l.layout_a());
  printf(" o ");
  print(l.offset());
  printf(" o ");
  print(l.layout_b());
}

// --- pointers and tensors --------------------------------------------------------------------------------------------
template <class T>
TILEWRIGHT_FN void print(T* p) {
  printf("ptr[%db](%p)", sizeof_bits_v<T>, reinterpret_cast<void const*>(p));
}
template <class T>
TILEWRIGHT_FN void print(subbyte_iterator<T> const& it) {
  printf("subptr[%db](%p.%d)", sizeof_bits_v<T>, reinterpret_cast<void const*>(it.base + (it.bit >> 3)),
         static_cast<int>(it.bit & 7));
}
/// The bits of an element are those of the stored one by the elements that share it.
template <int S, class It>
TILEWRIGHT_FN void print(sparse_ptr<S, It> const& it) {
  constexpr int bits = detail::stored_bits<iter_value_t<It>>, shared = static_cast<int>(math::gcd(bits, S));
  printf("sparse<%d>_ptr[_%d", S, bits / shared);
  if constexpr (shared != S) printf("/_%d", S / shared);
  if constexpr (std::is_pointer_v<It>) printf("b](%p)", reinterpret_cast<void const*>(it.ptr));
  else printf("b]");
}
template <class It, memory_space S>
TILEWRIGHT_FN void print(tagged_ptr<It, S> const& it) {
  if constexpr (S != memory_space::rmem) printf(S == memory_space::gmem ? "gmem_" : "smem_");
  print(it.ptr);
}
template <class T>
TILEWRIGHT_FN void print(tmem_ptr<T> const& it) {
  printf("tmem_[%db](0x%04x.%04x)", sizeof_bits_v<T>, static_cast<unsigned>(it.get() >> 16),
         static_cast<unsigned>(it.get() & 0xffff));
}
template <class F, class It>
TILEWRIGHT_FN void print(swizzle_ptr<F, It> const& it) {
  print(F{});
  printf("_");
  print(it.ptr);
}
template <class T>
TILEWRIGHT_FN void print(counting_iterator<T> const& it) {
  printf("counting_iter(");
  print(it.number);
  printf(")");
}
template <class Coordinate>
TILEWRIGHT_FN void print(ArithmeticTupleIterator<Coordinate> const& it) {
  printf("ArithTuple");
  print(it.coord_);
}
/// A tile of shared memory: the swizzle, in bytes, before the pointer.
template <class E, class A, detail::FlaggedOffset Flag, class B>
TILEWRIGHT_FN void print(Tensor<E, ComposedLayout<A, Flag, B>> const& tensor) {
  print(detail::swizzle_of_bytes<detail::flagged_bits<Flag>>(A{}));
  printf("_");
  print(tensor.data());
  printf(" o ");
  print(tensor.layout().layout_b());
}
template <class E, class L>
TILEWRIGHT_FN void print(Tensor<E, L> const& tensor) {
  print(tensor.data());
  printf(" o ");
  print(tensor.layout());
}

// --- copies ----------------------------------------------------------------------------------------------------------
template <class Op, class T>
TILEWRIGHT_FN void print(Copy_Atom<Op, T> const&) {
  using Atom = Copy_Atom<Op, T>;
  printf("Copy_Atom\n  ThrID:        ");
  print(typename Atom::ThrID{});
  printf("\n  ValLayoutSrc: ");
  print(typename Atom::ValLayoutSrc{});
  printf("\n  ValLayoutDst: ");
  print(typename Atom::ValLayoutDst{});
  printf("\n  ValLayoutRef: ");
  print(typename Atom::ValLayoutRef{});
  printf("\n  ValueType:    %db\n", Atom::value_bits);
}
template <class Atom, class TV, class Tiler>
TILEWRIGHT_FN void print(TiledCopy<Atom, TV, Tiler> const& tiled) {
  printf("TiledCopy\n  Tiler_MN:       ");
  print(Tiler{});
  printf("\n  TiledLayout_TV: ");
  print(TV{});
  printf("\n");
  print(static_cast<Atom const&>(tiled));
}
template <class Tiled, class ThrIdx>
TILEWRIGHT_FN void print(ThrCopy<Tiled, ThrIdx> const& thr) {
  printf("ThrCopy\n  ThrIdx: %lld\n", static_cast<long long>(thr.thr_idx_));
  print(static_cast<Tiled const&>(thr));
}

// --- pictures --------------------------------------------------------------------------------------------------------
namespace detail {
TILEWRIGHT_FN void print_rule(int cells, int width) {
  printf("    +");
  for (int n = 0; n < cells; ++n) {
    for (int i = 0; i < width; ++i) printf("-");
    printf("+");
  }
  printf("\n");
}
TILEWRIGHT_FN int digits(long long n) {
  int count = 1;
  for (; n >= 10; n /= 10) ++count;
  return count;
}
}  // namespace detail

namespace detail {
template <int Rank>
struct layout_fits_a_grid {
  static constexpr bool value = Rank <= 2;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "print_layout: draws layouts of rank 1 and 2; group or slice the modes first (docs/errors.md#grid_rank)");
    return invalid_layout{};
  }
};
}  // namespace detail

/// A rank-2 layout (rank 1 as a column) as a grid of offsets.
template <AnyLayout L>
TILEWRIGHT_FN void print_layout(L const& layout) {
  using check = detail::layout_fits_a_grid<rank_v<L>>;
  if constexpr (!check::value) (void)check::sentence();
  print(detail::in_numbers(layout));
  printf("\n");
  int const rows = static_cast<int>(size<0>(layout));
  int columns = 1;
  if constexpr (rank_v<L> == 2) columns = static_cast<int>(size<1>(layout));
  auto const at = [&](int m, int n) {
    if constexpr (rank_v<L> == 2) return static_cast<long long>(layout(m, n));
    else return static_cast<long long>(layout(m + n));
  };
  int const width = detail::digits(static_cast<long long>(cosize(detail::innermost_layout(layout)))) + 2;
  printf("    ");
  for (int n = 0; n < columns; ++n) printf(" %*d ", width - 1, n);
  printf("\n");
  detail::print_rule(columns, width);
  for (int m = 0; m < rows; ++m) {
    printf("%2d  |", m);
    for (int n = 0; n < columns; ++n) printf(" %*lld |", width - 2, at(m, n));
    printf("\n");
    detail::print_rule(columns, width);
  }
}

namespace detail {
template <class T>
inline constexpr bool is_packed_integer = false;
template <int Bits, bool IsSigned>
inline constexpr bool is_packed_integer<integer_subbyte<Bits, IsSigned>> = true;

template <class T>
inline constexpr bool is_bit = false;
template <bool IsSigned>
inline constexpr bool is_bit<integer_subbyte<1, IsSigned>> = true;
/// Integers in columns of a width: int, long and packed ones. Others follow two spaces.
template <class T>
inline constexpr bool has_a_column = std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, long> ||
                                     std::is_same_v<T, unsigned long> || (is_packed_integer<T> && !is_bit<T>);

/// An element as it prints: coordinates as tuples, proxies as their value, columns of a width that the type decides; what is no
/// number by its own print.
template <class Value, class V>
TILEWRIGHT_FN void print_element(V const& v) {
  if constexpr (is_arithmetic_tuple_v<V>) {
    printf("  ");
    print(v);
  } else if constexpr (std::is_floating_point_v<Value>) {
    if constexpr (sizeof(Value) > 4) printf("%11.3e", static_cast<double>(static_cast<Value>(v)));
    else printf("%10.2e", static_cast<double>(static_cast<Value>(v)));
  } else if constexpr (std::is_same_v<Value, char>) {
    printf("  %c", static_cast<char>(v));
  } else if constexpr (std::is_class_v<Value> && !std::is_constructible_v<float, Value>) {
    printf("  ");
    print(v);
  } else if constexpr (std::is_class_v<Value> && !is_packed_integer<Value>) {
    if constexpr (sizeof(Value) == 4) printf("%10.2e", static_cast<double>(static_cast<float>(static_cast<Value>(v))));
    else printf("%8.2f", static_cast<double>(static_cast<float>(static_cast<Value>(v))));
  } else if constexpr (has_a_column<Value>) {
    printf("%5lld", static_cast<long long>(static_cast<Value>(v)));
  } else {
    printf("  %lld", static_cast<long long>(static_cast<Value>(v)));
  }
}
/// By pretty_print where a program has it for the element's type.
template <class Value, class V>
TILEWRIGHT_FN void print_value(V const& v) {
  if constexpr (std::is_class_v<Value> && std::is_same_v<Value, V> && requires { pretty_print(v); }) pretty_print(v);
  else if constexpr (is_constant_v<Value>) print_element<V>(v);
  else print_element<Value>(v);
}
/// One line for each index of mode 0, its values along mode 1; further modes one block each.
template <class T>
TILEWRIGHT_FN void print_block(T const& t) {
  using Value = typename T::value_type;
  if constexpr (rank_v<T> == 1) {
    for (int m = 0; m < static_cast<int>(size(t)); ++m) {
      print_value<Value>(t(m));
      printf("\n");
    }
  } else if constexpr (rank_v<T> == 2) {
    for (int m = 0; m < static_cast<int>(size<0>(t)); ++m) {
      for (int n = 0; n < static_cast<int>(size<1>(t)); ++n) print_value<Value>(t(m, n));
      printf("\n");
    }
  } else {
    for (int i = 0; i < static_cast<int>(size<rank_v<T> - 1>(t)); ++i) {
      // A rule between blocks, of as many columns as a row.
      if (i != 0)
        for (int k = 0; k < 5 * static_cast<int>(size<1>(t)); ++k) printf(rank_v<T> == 3 ? "-" : "=");
      if (i != 0) printf("\n");
      auto const coord = tuple_cat(wrap(repeat<rank_v<T> - 1>(_)), tuple<int>{i});
      print_block(t(coord));
    }
  }
}
}  // namespace detail

TILEWRIGHT_FN void print_layout(invalid_layout const&) {}
TILEWRIGHT_FN void print_tensor(invalid_layout const&) {}
/// A tensor and its values: rows along mode 0, columns along mode 1, further modes block by block.
template <class E, class L>
TILEWRIGHT_FN void print_tensor(Tensor<E, L> const& tensor) {
  print(tensor);
  printf(":\n");
  detail::print_block(tensor);
}

}  // namespace tilewright
