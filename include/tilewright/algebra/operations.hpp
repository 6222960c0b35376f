// The algebra on typed layouts: each function lifts the value operation of the same name (see its header for law,
// domain and errors); static operands give a type, mixed ones a type and a few integer instructions.
#pragma once

#include "tilewright/algebra/inverse.hpp"
#include "tilewright/algebra/query.hpp"
#include "tilewright/algebra/recast.hpp"

namespace tilewright {

namespace op {

inline constexpr auto gives_layout = lift::result_kind::layout;
inline constexpr auto gives_tuple = lift::result_kind::tuple;
struct layout_operation {
  static constexpr auto kind = gives_layout;
};

struct coalesce : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::coalesce(c, t...); }
};
struct coalesce_each : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::coalesce_each(c, t...); }
};
struct filter : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::filter(c, t...); }
};
struct filter_zeros : layout_operation {
  static constexpr int_tree apply(arithmetic&, int_tree const& a) { return algebra::filter_zeros(a); }
};
struct composition : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::composition_by_tiler(c, t...); }
};
struct with_shape : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::with_shape(c, t...); }
};
struct complement : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::complement(c, t...); }
};
struct right_inverse : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::right_inverse(c, t...); }
};
struct left_inverse : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::left_inverse(c, t...); }
};
struct nullspace : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::nullspace(c, t...); }
};
struct max_common_layout : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::max_common_layout(c, t...); }
};
struct max_common_vector {
  static constexpr auto kind = gives_tuple;
  static constexpr int_tree apply(arithmetic& c, int_tree const& a, int_tree const& b) {
    return leaf_tree(algebra::max_common_vector(c, a, b));
  }
};
struct logical_divide : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::logical_divide(c, t...); }
};
struct zipped_divide : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::zipped_divide(c, t...); }
};
struct tiled_divide : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::tiled_divide(c, t...); }
};
struct flat_divide : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::flat_divide(c, t...); }
};
struct logical_product : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::logical_product(c, t...); }
};
struct zipped_product : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::zipped_product(c, t...); }
};
struct tiled_product : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::tiled_product(c, t...); }
};
struct flat_product : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::flat_product(c, t...); }
};
struct blocked_product : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::blocked_product(c, t...); }
};
struct raked_product : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::raked_product(c, t...); }
};
struct tile_to_shape : layout_operation {
  static constexpr int_tree apply(arithmetic& c, int_tree const& a, int_tree const& target) {
    return algebra::tile_to_shape(c, a, target);
  }
  static constexpr int_tree apply(arithmetic& c, int_tree const& a, int_tree const& target, int_tree const& order) {
    return algebra::tile_to_shape(c, a, target, &order);
  }
};
struct upcast : layout_operation {
  static constexpr int_tree apply(arithmetic& c, int_tree const& a, int_tree const& n) {
    return algebra::upcast(c, a, n.shape[0]);
  }
};
struct downcast : layout_operation {
  static constexpr int_tree apply(arithmetic& c, int_tree const& a, int_tree const& n) {
    return algebra::downcast(c, a, n.shape[0]);
  }
};
template <int From, int To>
struct recast : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::recast(c, t..., From, To); }
};
struct domain_distribute : layout_operation {
  static constexpr int_tree apply(arithmetic& c, int_tree const& shape, int_tree const& n) {
    return algebra::domain_distribute(c, shape, n.shape[0]);
  }
};
template <int... I>
struct select : layout_operation {
  static constexpr int_tree apply(arithmetic& c, int_tree const& a) {
    int const modes[] = {I..., 0};
    return algebra::select(c, a, modes, static_cast<int>(sizeof...(I)));
  }
};
template <int Begin, int End>
struct take : layout_operation {
  static constexpr int_tree apply(arithmetic& c, int_tree const& a) {
    return algebra::take(c, a, Begin, End < 0 ? a.rank() : End);
  }
};
template <int Begin, int End>
struct group : layout_operation {
  static constexpr int_tree apply(arithmetic& c, int_tree const& a) { return algebra::group(c, a, Begin, End); }
};
template <int Rank>  // 0: one mode more; otherwise up to that rank
struct append : layout_operation {
  static constexpr int_tree apply(arithmetic& c, int_tree const& a, int_tree const& b) {
    int_tree out = a;
    if (Rank == 0) return algebra::append(c, a, b);
    if (Rank == 1 || out.rank() >= Rank) return out;
    while (out.rank() < Rank && !c.failed()) out = algebra::append(c, out, b);
    return out;
  }
};
template <int Rank>
struct prepend : layout_operation {
  static constexpr int_tree apply(arithmetic& c, int_tree const& a, int_tree const& b) {
    int_tree out = a;
    if (Rank == 0) return algebra::prepend(c, a, b);
    if (Rank == 1 || out.rank() >= Rank) return out;
    while (out.rank() < Rank && !c.failed()) out = algebra::prepend(c, out, b);
    return out;
  }
};
template <int Mode>
struct replace : layout_operation {
  static constexpr int_tree apply(arithmetic& c, int_tree const& a, int_tree const& b) {
    return algebra::replace(c, a, Mode, b);
  }
};
struct flatten : layout_operation {
  static constexpr int_tree apply(arithmetic&, int_tree const& a) { return algebra::flatten(a); }
};
struct unflatten : layout_operation {
  static constexpr int_tree apply(arithmetic& c, auto const&... t) { return algebra::unflatten(c, t...); }
};
/// Any operation above on a plain tuple.
template <class Op>
struct on_tuple {
  static constexpr auto kind = gives_tuple;
  template <class... T>
  static constexpr int_tree apply(arithmetic& c, T const&... t) { return Op::apply(c, t...); }
};

}  // namespace op

/// What a mode list can be divided or multiplied by: an integer, a layout, `_`, or a tuple of these.
template <class T>
concept TilerType = IntTuple<T> || LayoutType<T> || std::is_same_v<T, Underscore>;

// --- simplifying -----------------------------------------------------------------------------------------------------
template <LayoutType L>
TILEWRIGHT_FN constexpr auto coalesce(L const& a) { return lift::call<op::coalesce, L>(a); }
/// Below the leaves of a profile, whose modes survive.
template <LayoutType L, IntTuple P>
TILEWRIGHT_FN constexpr auto coalesce(L const& a, P const& profile) { return lift::call<op::coalesce, L, P>(a, profile); }
template <LayoutType L>
TILEWRIGHT_FN constexpr auto coalesce_each(L const& a) { return lift::call<op::coalesce_each, L>(a); }
template <LayoutType L>
TILEWRIGHT_FN constexpr auto filter(L const& a) { return lift::call<op::filter, L>(a); }
template <LayoutType L>
TILEWRIGHT_FN constexpr auto filter_zeros(L const& a) { return lift::call<op::filter_zeros, L>(a); }

// --- composing -------------------------------------------------------------------------------------------------------
template <LayoutType L, TilerType T>
TILEWRIGHT_FN constexpr auto composition(L const& a, T const& tiler) {
  return lift::call<op::composition, L, lift::as_tiler<T>>(a, tiler);
}
template <LayoutType L, IntTuple S>
TILEWRIGHT_FN constexpr auto with_shape(L const& a, S const& shape) { return lift::call<op::with_shape, L, S>(a, shape); }

template <LayoutType L>
TILEWRIGHT_FN constexpr auto complement(L const& a) { return lift::call<op::complement, L>(a); }
/// Within a target: an integer, a shape, or a layout's shape.
template <LayoutType L, IntTuple T>
TILEWRIGHT_FN constexpr auto complement(L const& a, T const& target) { return lift::call<op::complement, L, T>(a, target); }
template <LayoutType L, LayoutType T>
TILEWRIGHT_FN constexpr auto complement(L const& a, T const& target) { return complement(a, target.shape()); }

// --- inverting -------------------------------------------------------------------------------------------------------
template <LayoutType L>
TILEWRIGHT_FN constexpr auto right_inverse(L const& a) { return lift::call<op::right_inverse, L>(a); }
template <LayoutType L>
TILEWRIGHT_FN constexpr auto left_inverse(L const& a) { return lift::call<op::left_inverse, L>(a); }
TILEWRIGHT_FN constexpr Underscore right_inverse(Underscore const&) { return {}; }
TILEWRIGHT_FN constexpr Underscore left_inverse(Underscore const&) { return {}; }
template <LayoutType L>
TILEWRIGHT_FN constexpr auto nullspace(L const& a) { return lift::call<op::nullspace, L>(a); }
template <LayoutType A, LayoutType B>
TILEWRIGHT_FN constexpr auto max_common_layout(A const& a, B const& b) {
  return lift::call<op::max_common_layout, A, B>(a, b);
}
template <LayoutType A, LayoutType B>
TILEWRIGHT_FN constexpr auto max_common_vector(A const& a, B const& b) {
  return lift::call<op::max_common_vector, A, B>(a, b);
}

// --- dividing and multiplying ----------------------------------------------------------------------------------------
template <LayoutType L, TilerType T>
TILEWRIGHT_FN constexpr auto logical_divide(L const& a, T const& t) {
  return lift::call<op::logical_divide, L, lift::as_tiler<T>>(a, t);
}
template <LayoutType L, TilerType T>
TILEWRIGHT_FN constexpr auto zipped_divide(L const& a, T const& t) {
  return lift::call<op::zipped_divide, L, lift::as_tiler<T>>(a, t);
}
template <LayoutType L, TilerType T>
TILEWRIGHT_FN constexpr auto tiled_divide(L const& a, T const& t) {
  return lift::call<op::tiled_divide, L, lift::as_tiler<T>>(a, t);
}
template <LayoutType L, TilerType T>
TILEWRIGHT_FN constexpr auto flat_divide(L const& a, T const& t) {
  return lift::call<op::flat_divide, L, lift::as_tiler<T>>(a, t);
}
template <LayoutType L, TilerType T>
TILEWRIGHT_FN constexpr auto logical_product(L const& a, T const& t) {
  return lift::call<op::logical_product, L, lift::as_tiler<T>>(a, t);
}
template <LayoutType L, TilerType T>
TILEWRIGHT_FN constexpr auto zipped_product(L const& a, T const& t) {
  return lift::call<op::zipped_product, L, lift::as_tiler<T>>(a, t);
}
template <LayoutType L, TilerType T>
TILEWRIGHT_FN constexpr auto tiled_product(L const& a, T const& t) {
  return lift::call<op::tiled_product, L, lift::as_tiler<T>>(a, t);
}
template <LayoutType L, TilerType T>
TILEWRIGHT_FN constexpr auto flat_product(L const& a, T const& t) {
  return lift::call<op::flat_product, L, lift::as_tiler<T>>(a, t);
}
template <LayoutType A, LayoutType B>
TILEWRIGHT_FN constexpr auto blocked_product(A const& a, B const& b) { return lift::call<op::blocked_product, A, B>(a, b); }
template <LayoutType A, LayoutType B>
TILEWRIGHT_FN constexpr auto raked_product(A const& a, B const& b) { return lift::call<op::raked_product, A, B>(a, b); }
template <LayoutType L, IntTuple S>
TILEWRIGHT_FN constexpr auto tile_to_shape(L const& block, S const& target) {
  return lift::call<op::tile_to_shape, L, S>(block, target);
}
/// The modes repeated in the order of `order`'s entries, the smallest fastest.
template <LayoutType L, IntTuple S, IntTuple Order>
TILEWRIGHT_FN constexpr auto tile_to_shape(L const& block, S const& target, Order const& order) {
  return lift::call<op::tile_to_shape, L, S, Order>(block, target, order);
}
template <LayoutType L, IntTuple S>
TILEWRIGHT_FN constexpr auto tile_to_shape(L const& block, S const& target, GenColMajor const&) {
  return tile_to_shape(block, target);
}

// --- recasting -------------------------------------------------------------------------------------------------------
template <LayoutType L, IntTuple N>
TILEWRIGHT_FN constexpr auto upcast(L const& a, N const& factor) { return lift::call<op::upcast, L, N>(a, factor); }
template <int N, LayoutType L>
TILEWRIGHT_FN constexpr auto upcast(L const& a) { return upcast(a, C<N>{}); }
template <LayoutType L, IntTuple N>
TILEWRIGHT_FN constexpr auto downcast(L const& a, N const& factor) { return lift::call<op::downcast, L, N>(a, factor); }
template <int N, LayoutType L>
TILEWRIGHT_FN constexpr auto downcast(L const& a) { return downcast(a, C<N>{}); }
/// The layout of elements of `From` bits seen as one of elements of `To` bits.
template <int From, int To, LayoutType L>
TILEWRIGHT_FN constexpr auto recast_bits(L const& a) {
  if constexpr (From == To) return a;
  else return lift::call<op::recast<From, To>, L>(a);
}
template <IntTuple S, IntTuple N>
TILEWRIGHT_FN constexpr auto domain_distribute(S const& shape, N const& workers) {
  return lift::call<op::domain_distribute, S, N>(shape, workers);
}

// --- rearranging modes -----------------------------------------------------------------------------------------------
template <int... I, LayoutType L>
TILEWRIGHT_FN constexpr auto select(L const& a) { return lift::call<op::select<I...>, L>(a); }
template <int... I, IntTuple T>
TILEWRIGHT_FN constexpr auto select(T const& t) { return make_tuple(get<I>(t)...); }
template <int Begin, int End, LayoutType L>
TILEWRIGHT_FN constexpr auto take(L const& a) { return lift::call<op::take<Begin, End>, L>(a); }
template <int Begin, int End, IntTuple T>
TILEWRIGHT_FN constexpr auto take(T const& t) {
  return take_entries<Begin, (End < 0 ? tuple_size_v<T> : End)>(wrap(t));
}
/// Modes [Begin, End) become one.
template <int Begin, int End, LayoutType L>
TILEWRIGHT_FN constexpr auto group(L const& a) { return lift::call<op::group<Begin, End>, L>(a); }
template <int Begin, int End, IntTuple T>
TILEWRIGHT_FN constexpr auto group(T const& t) { return lift::call<op::on_tuple<op::group<Begin, End>>, T>(t); }
/// One mode more, or as many as make up a rank of N; the default mode is 1:0.
template <LayoutType L, LayoutType M>
TILEWRIGHT_FN constexpr auto append(L const& a, M const& mode) { return lift::call<op::append<0>, L, M>(a, mode); }
template <int N, LayoutType L, LayoutType M>
TILEWRIGHT_FN constexpr auto append(L const& a, M const& mode) { return lift::call<op::append<N>, L, M>(a, mode); }
template <int N, LayoutType L>
TILEWRIGHT_FN constexpr auto append(L const& a) { return append<N>(a, Layout<_1, _0>{}); }
template <LayoutType L, LayoutType M>
TILEWRIGHT_FN constexpr auto prepend(L const& a, M const& mode) { return lift::call<op::prepend<0>, L, M>(a, mode); }
template <int N, LayoutType L, LayoutType M>
TILEWRIGHT_FN constexpr auto prepend(L const& a, M const& mode) { return lift::call<op::prepend<N>, L, M>(a, mode); }
template <int N, LayoutType L>
TILEWRIGHT_FN constexpr auto prepend(L const& a) { return prepend<N>(a, Layout<_1, _0>{}); }
template <int Mode, LayoutType L, LayoutType M>
TILEWRIGHT_FN constexpr auto replace(L const& a, M const& mode) { return lift::call<op::replace<Mode>, L, M>(a, mode); }
template <LayoutType L>
TILEWRIGHT_FN constexpr auto flatten(L const& a) { return lift::call<op::flatten, L>(a); }
template <IntTuple T>
TILEWRIGHT_FN constexpr auto flatten(T const& t) { return lift::call<op::on_tuple<op::flatten>, T>(t); }
template <LayoutType L, IntTuple P>
TILEWRIGHT_FN constexpr auto unflatten(L const& a, P const& profile) {
  return lift::call<op::unflatten, L, P>(a, profile);
}
template <IntTuple T, IntTuple P>
TILEWRIGHT_FN constexpr auto unflatten(T const& t, P const& profile) {
  return lift::call<op::on_tuple<op::unflatten>, T, P>(t, profile);
}

// Tuples of anything: entries added, repeated or replaced.
template <IntTuple T, class U>
  requires(!LayoutType<U>)
TILEWRIGHT_FN constexpr auto append(T const& t, U const& entry) { return tuple_cat(wrap(t), tuple<U>{entry}); }
template <int N, IntTuple T, class U>
  requires(!LayoutType<U>)
TILEWRIGHT_FN constexpr auto append(T const& t, U const& entry) {
  if constexpr (N <= tuple_size_v<T>) return t;
  else return append<N>(append(t, entry), entry);
}
template <IntTuple T, class U>
  requires(!LayoutType<U>)
TILEWRIGHT_FN constexpr auto prepend(T const& t, U const& entry) { return tuple_cat(tuple<U>{entry}, wrap(t)); }
template <int N, IntTuple T, class U>
  requires(!LayoutType<U>)
TILEWRIGHT_FN constexpr auto prepend(T const& t, U const& entry) {
  if constexpr (N <= tuple_size_v<T>) return t;
  else return prepend<N>(prepend(t, entry), entry);
}
template <int Mode, IntTuple T, class U>
  requires(!LayoutType<U>)
TILEWRIGHT_FN constexpr auto replace(T const& t, U const& entry) {
  return tuple_cat(take_entries<0, Mode>(wrap(t)), tuple<U>{entry}, take_entries<Mode + 1, tuple_size_v<T>>(wrap(t)));
}

// --- arithmetic on shapes, entry by entry ----------------------------------------------------------------------------
/// ceil(a / b) of integers; of tuples entry by entry, entries of `a` beyond b's kept; of a shape by an integer, the
/// integer used up from the left.
template <IntTuple A, IntTuple B>
TILEWRIGHT_FN constexpr auto ceil_div(A const& a, B const& b);

namespace op {

struct ceil_div {
  static constexpr auto kind = gives_tuple;
  static constexpr void into(arithmetic& c, int_tree& out, int_tree const& a, subtree u, int_tree const& b, subtree w) {
    if (!b.is_tuple(w)) {
      leaf divisor = algebra::size(c, b, w);
      for (int i = u.node, at = u.leaf; i < u.node_end; ++i) {
        if (a.profile[i] >= 0) {
          out.open(a.profile[i]);
          continue;
        }
        leaf const extent = a.shape[at++];
        out.add_leaf(c.ceil_div(extent, divisor));
        if (at < u.leaf_end) divisor = c.ceil_div(divisor, extent);
      }
      return;
    }
    int const rank = a.rank(u), given = b.rank(w);
    if (!a.is_tuple(u) || given > rank) {
      c.fail(errc::rank_mismatch, rank, given);
      return;
    }
    out.open(rank);
    for (int i = 0; i < rank; ++i) {
      if (i < given) into(c, out, a, a.mode(u, i), b, b.mode(w, i));
      else out.add(a, a.mode(u, i));
    }
  }
  static constexpr int_tree apply(arithmetic& c, int_tree const& a, int_tree const& b) {
    int_tree out{};
    into(c, out, a, a.root(), b, b.root());
    return checked(c, out);
  }
};

}  // namespace op

template <IntTuple A, IntTuple B>
TILEWRIGHT_FN constexpr auto ceil_div(A const& a, B const& b) { return lift::call<op::ceil_div, A, B>(a, b); }
/// The next multiple of b at or above a.
template <IntegerLike A, IntegerLike B>
TILEWRIGHT_FN constexpr auto round_up(A const& a, B const& b) { return ceil_div(a, b) * b; }

/// Is every entry of `a` below that of `b`?  pre: same profile
template <class A, class B>
TILEWRIGHT_FN constexpr auto elem_less(A const& a, B const& b);
namespace detail {
template <class A, class B, int... N>
TILEWRIGHT_FN constexpr auto elem_less_entries(A const& a, B const& b, seq<N...>) {
  return (true && ... && static_cast<bool>(elem_less(get<N>(a), get<N>(b))));
}
}  // namespace detail
template <class A, class B>
TILEWRIGHT_FN constexpr auto elem_less(A const& a, B const& b) {
  if constexpr (is_tuple_v<A> && is_tuple_v<B>) {
    static_assert(tuple_size_v<A> <= tuple_size_v<B>, "elem_less: the coordinate has more modes than the shape");
    return detail::elem_less_entries(a, b, make_seq<tuple_size_v<A>>{});
  } else if constexpr (is_tuple_v<B>) {
    return elem_less(a, size(b));
  } else {
    return a < b;
  }
}

// --- Layout's own ----------------------------------------------------------------------------------------------------
template <class S, class D>
template <class... Tilers>
TILEWRIGHT_FN constexpr auto Layout<S, D>::compose(Tilers const&... tilers) const {
  return composition(*this, detail::one_or_tuple(tilers...));
}
template <class S, class D>
template <class... Extents>
TILEWRIGHT_FN constexpr auto Layout<S, D>::with_shape(Extents const&... extents) const {
  return tilewright::with_shape(*this, detail::one_or_tuple(extents...));
}

template <class A, class B, class D, class F>
TILEWRIGHT_FN constexpr bool operator==(Layout<A, B> const& a, Layout<D, F> const& b) {
  return a.shape() == b.shape() && a.stride() == b.stride();
}

}  // namespace tilewright
